"""The regression and its trainer."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy.optimize import minimize

from rightcall.judges.local.features import NAMES, features
from rightcall.judges.local.regression import coefficients, probability
from rightcall.judges.local.texts import seen
from rightcall.judges.local.training import Labelled, fit, rows_for
from rightcall.judges.local.verdict import Verdict, about


def test_the_file_has_a_weight_for_each_feature_and_says_what_it_rests_on() -> None:
    found = coefficients()
    assert tuple(found.weights) == NAMES
    assert 35 <= len(NAMES) <= 45
    assert found.version >= 1
    assert found.report["benchmark_pairs"]
    assert "Apache License 2.0" in found.notice


def test_a_fit_is_where_an_optimizer_finds_the_greatest_likelihood() -> None:
    rng = random.Random(5)  # noqa: S311
    rows = [
        [rng.random() * (n % 3 == 0 or rng.random() < 0.5) for n in range(len(NAMES))] for _ in range(200)
    ]
    labels = [sum(row[:5]) + rng.gauss(0, 0.7) > 1.3 for row in rows]
    weights = [rng.choice([1.0, 3.0]) for _ in rows]
    found = fit(rows, labels, weights, penalty=2.0)
    x, y, w = np.array(rows), np.array(labels, float), np.array(weights)

    def loss(beta: np.ndarray) -> float:
        total = beta[0] + x @ beta[1:]
        return float((w * (np.logaddexp(0, total) - y * total)).sum() + (beta[1:] ** 2).sum())

    best = minimize(
        loss, np.zeros(len(NAMES) + 1), method="L-BFGS-B", options={"maxiter": 5000, "ftol": 1e-13}
    )
    ours = loss(np.array([found.bias, *found.weights.values()]))
    assert ours <= best.fun + 1e-4


def test_only_what_parsers_and_guards_leave_open_is_learnt_from() -> None:
    pairs = [
        Labelled("2025-11-12", "Nov 12 2025", about("date", None), equivalent=True),
        Labelled("increase", "decrease", about("query", None), equivalent=False),
        Labelled("running shoe", "running shoes", about("query", None), equivalent=True, weight=2.0),
        Labelled(1, 2, about("n", None), equivalent=False),
    ]
    rows, labels, weights = rows_for(pairs)
    assert (len(rows), labels, weights) == (1, [True], [2.0])


def test_features_are_numbers_between_0_and_2_and_symmetric() -> None:
    known = about("hotel", None)
    for a, b in (
        ("Sheraton Hotel", "the Hotel Sheraton"),
        ("NBA", "National Basketball Association"),
        ("x", "yy zz"),
    ):
        one, other = seen(a, b, known), seen(b, a, known)
        assert not isinstance(one, Verdict)
        assert not isinstance(other, Verdict)
        numbers = features(a, b, *one, known)
        assert len(numbers) == len(NAMES)
        assert all(0.0 <= number <= 2.0 for number in numbers)
        assert numbers == pytest.approx(features(b, a, *other, known), abs=1e-12)


def test_a_probability_is_the_dot_product_and_never_sure() -> None:
    found = coefficients()
    assert probability([0.0] * len(NAMES)) == pytest.approx(max(1 / (1 + math.exp(-found.bias)), 0.002))
    assert probability([1e9] * len(NAMES)) in {0.002, 0.998}
