"""Calibrations against what is known of them, and against an optimizer of other hands."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

from rightcall.errors import OptionError, PathNotFoundError, SourceError
from rightcall.judging.calibration import AS_IT_IS, Calibration, load, logit, save, sigmoid
from rightcall.judging.fitting import Label, fitted, folded, quality, threshold, too_few


def drawn(count: int, *, slope: float = 2.0, seed: int = 1) -> list[Label]:
    """Labels whose true log odds are `slope` times the judge's: a judge that is too timid."""
    draw = random.Random(seed)  # noqa: S311
    found = []
    for _ in range(count):
        remote = draw.uniform(0.05, 0.95)
        local = draw.uniform(0.06, 0.94)
        found.append(
            Label(local, remote, draw.random() < sigmoid(slope * logit(remote) + 0.5 * logit(local) - 0.4))
        )
    return found


def fit(labels: list[Label]) -> Calibration:
    return fitted(labels, backend="jev", model="jev-1.13.0", prompt="1")


@pytest.mark.parametrize(
    ("count", "method"),
    [(49, "none"), (50, "temperature"), (199, "temperature"), (200, "platt"), (900, "platt")],
)
def test_the_number_of_labels_says_what_is_fitted(count: int, method: str) -> None:
    made = fit(drawn(count))
    assert (made.method, made.labels) == (method, count)
    assert (made.backend, made.model, made.prompt) == ("jev", "jev-1.13.0", "1")


def test_labels_of_one_kind_fit_nothing() -> None:
    assert fit([Label(0.5, 0.6, True)] * 500).method == "none"


@pytest.mark.parametrize("count", [50, 55, 60, 61, 62, 63, 199, 200, 225, 249, 250])
def test_folds_fit_by_the_method_of_all_labels(count: int) -> None:
    labels = drawn(count)
    whole = fit(labels)
    chances = folded(labels)
    # A fold without the line, or without a stretch, would leave some probability as the judge gave it.
    assert all(abs(chance - label.remote) > 1e-9 for chance, label in zip(chances, labels, strict=True))
    # A temperature never looks at the local stage; Platt's line always does.
    turned = folded([Label(each.local**2, each.remote, each.equivalent) for each in labels])
    moved = [abs(one - other) > 1e-9 for one, other in zip(chances, turned, strict=True)]
    assert all(moved) if whole.method == "platt" else not any(moved)


def test_a_rare_kind_is_in_every_fit_if_it_can_be() -> None:
    draw = random.Random(5)  # noqa: S311
    labels = [Label(0.5, draw.uniform(0.1, 0.9), number < 2) for number in range(60)]
    chances = folded(labels)
    slopes = [logit(chance) / logit(each.remote) for chance, each in zip(chances, labels, strict=True)]
    assert max(slopes) < 4.9  # where one kind is absent the slope runs to its end, 5


def test_few_labels_and_labels_of_one_kind_show_nothing() -> None:
    for truths in ([], [True], [True, False] * 9, [True] * 19, [True] * 400, [False] * 400):
        assert too_few(truths) is not None
        if truths:
            found = quality([0.8] * len(truths), truths)
            for figure in (found.brier, found.log_loss, found.ece):
                assert math.isfinite(figure[0])
                assert math.isnan(figure[1])
                assert math.isnan(figure[2])
    assert too_few([True] * 19 + [False]) is None


def test_the_line_is_where_an_optimizer_finds_it() -> None:
    labels = drawn(600)
    made = fit(labels)
    positives = sum(each.equivalent for each in labels)
    high, low = (positives + 1) / (positives + 2), 1 / (600 - positives + 2)
    rows = np.array([(1.0, logit(each.local), logit(each.remote)) for each in labels])
    targets = np.array([high if each.equivalent else low for each in labels])

    def loss(weights: np.ndarray) -> float:
        values = rows @ weights
        return float(np.sum(np.logaddexp(0, values) - targets * values) + 0.0005 * np.sum(weights[1:] ** 2))

    wanted = scipy.optimize.minimize(loss, np.zeros(3), tol=1e-12).x
    assert (made.w0, made.w_local, made.w_remote) == pytest.approx(tuple(wanted), abs=1e-4)


def test_the_temperature_is_where_an_optimizer_finds_it() -> None:
    labels = drawn(150)

    def loss(slope: float) -> float:
        signs = np.array([1 if each.equivalent else -1 for each in labels])
        return float(
            np.sum(np.logaddexp(0, -slope * signs * np.array([logit(each.remote) for each in labels])))
        )

    wanted = scipy.optimize.minimize_scalar(loss, bounds=(0.05, 5), method="bounded").x
    made = fit(labels)
    assert made.w_remote == pytest.approx(wanted, abs=1e-3)
    assert (made.w0, made.w_local) == (0.0, 0.0)


def test_a_separable_set_gives_finite_weights() -> None:
    labels = [Label(0.5, 0.9, True)] * 150 + [Label(0.5, 0.1, False)] * 150
    made = fit(labels)
    assert all(map(math.isfinite, (made.w0, made.w_local, made.w_remote)))
    assert made.blend(0.5, 0.9) == pytest.approx(151 / 152, abs=0.01)


def test_calibrating_a_timid_judge_helps_on_labels_that_the_fit_did_not_see() -> None:
    labels = drawn(600)
    truths = [each.equivalent for each in labels]
    raw = quality([each.remote for each in labels], truths)
    better = quality(folded(labels), truths)
    assert better.log_loss[0] < raw.log_loss[0]
    assert better.ece[0] < raw.ece[0]
    for figure in (better.brier, better.log_loss, better.ece):
        assert (
            figure[1] <= figure[0] <= figure[2] or figure is better.ece
        )  # ECE is biased upwards in resamples


@given(st.floats(0, 1), st.floats(0, 1))
def test_without_a_fit_the_judge_is_taken_at_its_word(local: float, remote: float) -> None:
    assert AS_IT_IS.blend(local, remote) == remote


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_a_higher_prior_never_lowers_a_probability(remote: float, prior: float) -> None:
    assert (
        AS_IT_IS.blend(0.5, remote, prior) <= AS_IT_IS.blend(0.5, remote, min(prior + 0.005, 0.995)) + 1e-12
    )
    assert AS_IT_IS.blend(0.5, remote, 0.5) == pytest.approx(remote)


def test_figures_of_a_small_set_by_hand() -> None:
    found = quality([0.9, 0.8, 0.3, 0.3], [True, False, False, True])
    assert found.brier[0] == pytest.approx((0.01 + 0.64 + 0.09 + 0.49) / 4)
    assert found.ece[0] == pytest.approx((0.1 + 0.8 + 2 * 0.2) / 4)
    assert [(each.count, each.predicted, each.observed) for each in found.bins] == [
        (2, pytest.approx(0.3), 0.5),
        (1, 0.8, 0.0),
        (1, 0.9, 1.0),
    ]


def test_the_threshold_is_the_lowest_that_is_precise_enough() -> None:
    chances = [0.9, 0.8, 0.8, 0.7, 0.6, 0.5]
    truths = [True, True, True, False, True, False]
    assert threshold(chances, truths, 1.0) == (0.8, 1.0, 0.75)
    assert threshold(chances, truths, 0.8) == (0.6, 0.8, 1.0)
    assert threshold([0.9, 0.1], [False, True], 0.9) is None


def test_a_calibration_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = fit(drawn(300))
    file = str(tmp_path / "calibration.json")
    save(made, file)
    assert load(file, "jev", "1") == made
    with pytest.raises(OptionError, match="made for backend jev, and this is openai_chat"):
        load(file, "openai_chat", "1")
    with pytest.raises(OptionError, match="made for prompt 1, and this is 2"):
        load(file, "jev", "2")
    with pytest.raises(PathNotFoundError):
        load(file + "x", "jev", "1")
    for text in ("[]", "{", '{"base": 0}', '{"w0": "x"}', '{"format": 9}'):
        Path(file).write_text(text)
        with pytest.raises(SourceError):
            load(file, "", "")
