"""Two runs side by side: matching, counts, tests, verdicts, and what is said about how they were made."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall import Comparison, Run, UsageError, compare, evaluate_cases
from rightcall.app.cli.root import run as rightcall
from rightcall.core.summing.comparison import EvaluatorComparison
from rightcall.errors import SourceError
from rightcall.run.comparing.contrast import Contrast
from rightcall.run.comparing.pairing import Judged, JudgedCase, Pairing

CALL = [{"name": "book", "arguments": {"id": 7}}]
NEAR = [{"name": "book", "arguments": {"id": 8}}]
ONE = "tool_call_accuracy"

# A case of a run, by what the agent did: right, half right, wrong, unreadable, not recorded.
DONE: dict[str, Any] = {"1": CALL, "h": NEAR, "0": [], "e": 42, "-": None}


def run_of(word: str, evaluators: Any = ONE, *, start: int = 0, **options: Any) -> Run:
    """A run with a case for each letter; ids count from `start`."""
    rows = [
        {"id": f"c{start + n}", "tool_calls": DONE[letter], "expected_tool_calls": CALL}
        for n, letter in enumerate(word)
    ]
    return evaluate_cases(rows, evaluators, **options)


def of(found: Comparison, evaluator: str = ONE) -> EvaluatorComparison:
    return found.evaluators[evaluator]


def counts(found: EvaluatorComparison) -> tuple[int, int, int]:
    return found.improved.count, found.regressed.count, found.unchanged.count


def test_a_run_compared_with_itself_shows_nothing() -> None:
    run = run_of("1h0e-1")
    found = compare(run, run)
    assert counts(of(found)) == (0, 0, 5)
    assert (found.cases, found.changed, found.changes, found.verdict) == (6, 0, (), "no difference shown")
    assert (of(found).mcnemar_p, of(found).mean_difference, of(found).mean_interval) == (1.0, 0.0, None)
    assert (of(found).left_out, of(found).paired, of(found).scored) == (1, 5, 4)
    assert not found.warnings


def test_every_case_is_counted_by_how_it_changed() -> None:
    found = of(compare(run_of("11h00e1-e"), run_of("0h1h0111e")))
    assert counts(found) == (3, 2, 3)
    assert found.regressed.examples == ("c0", "c1")
    assert found.improved.examples == ("c2", "c3", "c5")
    table = found.table
    assert (table.both_passed, table.only_a_passed, table.only_b_passed, table.neither_passed) == (1, 2, 2, 3)
    assert (found.paired, found.left_out, table.pairs) == (8, 1, 8)
    assert (found.pass_rate_a, found.pass_rate_b) == (3 / 8, 3 / 8)


def test_an_error_is_no_pass_and_no_score() -> None:
    found = compare(run_of("11111"), run_of("eeeee"))
    assert (of(found).scored, of(found).mean_difference, of(found).mean_p) == (0, None, None)
    assert of(found).mcnemar_p_regression == 2**-5
    assert found.verdict == "regressed"
    assert found.changes[0].score_b is None


def test_five_lost_passes_are_a_regression_and_four_are_not() -> None:
    assert compare(run_of("1" * 10), run_of("1" * 5 + "0" * 5)).verdict == "regressed"
    few = compare(run_of("1" * 4 + "e"), run_of("e" * 5))
    assert few.verdict == "no difference shown"
    assert compare(run_of("1" * 5 + "0" * 5), run_of("1" * 10)).verdict == "improved"


def test_points_lost_without_a_lost_pass_are_seen_by_the_mean() -> None:
    """All fail before and after, but far fewer points are won."""
    found = compare(run_of("h" * 30), run_of("h" * 12 + "0" * 18))
    assert of(found).mcnemar_p == 1.0
    interval = of(found).mean_interval
    assert interval is not None
    assert (interval.method, interval.high < 0) == ("bca", True)
    assert (found.verdict, of(found).holm_p < 0.05) == ("regressed", True)


def test_the_same_loss_everywhere_has_no_interval_and_is_seen_all_the_same() -> None:
    found = compare(run_of("h" * 30), run_of("0" * 30))
    assert (of(found).mean_interval, of(found).mean_difference) == (None, -0.5)
    assert found.verdict == "regressed"


def test_a_verdict_from_very_few_changes_carries_a_warning() -> None:
    found = compare(run_of("h" * 50), run_of("h" * 46 + "0" * 4))
    assert found.verdict == "regressed"
    (warning,) = found.warnings
    assert "by the interval of the mean alone, and only 4 cases changed" in warning
    assert not compare(run_of("1" * 50), run_of("1" * 44 + "0" * 6)).warnings


def test_holm_holds_over_the_evaluators() -> None:
    """Five lost passes are enough for one evaluator; of two, where the other is at rest, they are not."""
    before, after = run_of("1" * 60), run_of("1" * 55 + "0" * 5)
    assert compare(before, after).verdict == "regressed"
    both = [ONE, "forbidden_tools"]
    found = compare(run_of("1" * 60, both), run_of("1" * 55 + "0" * 5, both))
    assert of(found, "forbidden_tools").paired == 0
    assert found.verdict == "regressed"  # an evaluator without a pair is no test
    two = [ONE, "redundant_calls"]
    found = compare(run_of("1" * 60, two), run_of("1" * 55 + "0" * 5, two))
    assert of(found).mcnemar_p_regression == 2**-5
    assert of(found).holm_p <= 2 * 2**-5


def test_changes_come_worst_first_and_are_bounded() -> None:
    found = compare(run_of("1h0h10"), run_of("0011hh"))
    assert [(change.id, change.direction) for change in found.changes] == [
        ("c0", "regressed"),
        ("c4", "regressed"),
        ("c1", "regressed"),
        ("c2", "improved"),
        ("c3", "improved"),
        ("c5", "improved"),
    ]
    few = compare(run_of("1h0h10"), run_of("0011hh"), most=2)
    assert (len(few.changes), few.changed) == (4, 6)
    assert few.changes == found.changes[:2] + found.changes[3:5]


def test_cases_that_one_run_lacks() -> None:
    found = compare(run_of("1110", start=0), run_of("1101", start=2))
    assert (found.cases, found.only_in_a.count, found.only_in_b.count) == (2, 2, 2)
    assert found.only_in_a.examples == ("c0", "c1")
    assert of(found).only_in_b.examples == ("c4", "c5")
    assert (found.lost.count, found.lost_absent, found.lost.examples) == (2, 2, ("c0", "c1"))


def test_runs_without_a_common_case_or_evaluator_are_refused() -> None:
    with pytest.raises(SourceError, match="no case in common"):
        compare(run_of("1"), run_of("1", start=5))
    with pytest.raises(UsageError, match="no evaluator in common"):
        compare(run_of("1"), run_of("1", "tool_call_args"))
    with pytest.raises(UsageError, match="is not a run"):
        compare(run_of("1"), 7)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no run directory"):
        compare(run_of("1"), "nowhere")


def test_trials_are_matched_by_number_and_counted_by_case() -> None:
    def trials(words: dict[str, str]) -> Run:
        rows = [
            {"id": case, "trial": n, "tool_calls": DONE[letter], "expected_tool_calls": CALL}
            for case, word in words.items()
            for n, letter in enumerate(word)
        ]
        return evaluate_cases(rows, ONE)

    found = compare(
        trials({"a": "111", "b": "110", "c": "1h0"}), trials({"b": "010", "a": "110", "c": "101"})
    )
    assert of(found).regressed.examples == ("b [trial 0]", "a [trial 2]", "c [trial 1]")
    assert sorted((change.id, change.trial) for change in found.changes) == [
        ("a", 2),
        ("b", 0),
        ("c", 1),
        ("c", 2),
    ]
    interval = of(found).mean_interval
    assert interval is not None
    assert interval.method == "cluster-bca"
    assert any("trials of one case" in warning for warning in found.warnings)


def test_a_repeated_id_is_matched_in_order_and_said() -> None:
    def twice(word: str) -> Run:
        rows = [{"id": "same", "tool_calls": DONE[letter], "expected_tool_calls": CALL} for letter in word]
        return evaluate_cases(rows, ONE)

    found = compare(twice("110"), twice("101"))
    assert counts(of(found)) == (1, 1, 1)
    (warning,) = found.warnings
    assert "the id same stands 3 and 3 times" in warning


def test_what_the_runs_do_not_share_is_said() -> None:
    a = run_of("11", [ONE, "tool_call_args"], ignore_case=True)
    b = run_of("11", [ONE, "tool_selection"], threshold=0.5)
    warnings = " ".join(compare(a, b).warnings)
    assert "only a has tool_call_args" in warnings
    assert "only b has tool_selection" in warnings
    assert "different options (ignore_case: True, None)" in warnings
    assert "different thresholds" in warnings


def judged(case_id: str, place: int, passed: bool, trial: int | None = None) -> JudgedCase:
    return JudgedCase(
        id=case_id, trial=trial, cluster=None, place=place, results={ONE: Judged(float(passed), passed)}
    )


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from([None, 0, 1]), st.booleans()), max_size=25),
    st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from([None, 0, 1]), st.booleans()), max_size=25),
)
def test_every_case_stands_in_one_pair_and_repeats_pair_in_order(left: Any, right: Any) -> None:
    a = [judged(case, place, passed, trial) for place, (case, trial, passed) in enumerate(left)]
    b = [judged(case, place, passed, trial) for place, (case, trial, passed) in enumerate(right)]
    pairing = Pairing(a)
    pairs = [pair for case in b for pair in pairing.push(case)] + list(pairing.finish())
    assert sorted(case.place for case, _ in pairs if case is not None) == list(range(len(a)))
    assert sorted(case.place for _, case in pairs if case is not None) == list(range(len(b)))
    both = [(one, other) for one, other in pairs if one is not None and other is not None]
    assert all((one.id, one.trial) == (other.id, other.trial) for one, other in both)
    times_a, times_b = (Counter((case.id, case.trial) for case in cases) for cases in (a, b))
    assert len(both) == sum((times_a & times_b).values())
    for key in times_a & times_b:
        in_order = sorted((one.place, other.place) for one, other in both if (one.id, one.trial) == key)
        assert [place for _, place in in_order] == sorted(place for _, place in in_order)
    assert pairing.repeated().keys() == {
        case if trial is None else f"{case} [trial {trial}]"
        for (case, trial), times in (*times_a.items(), *times_b.items())
        if times > 1
    }


@given(st.lists(st.sampled_from("1h0e-"), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_the_cases_does_not_matter(word: list[str], rng: random.Random) -> None:
    def rows(letters: list[str]) -> list[dict[str, Any]]:
        return [
            {"id": f"c{n}", "tool_calls": DONE[letter], "expected_tool_calls": CALL}
            for n, letter in enumerate(letters)
        ]

    before, after = rows(word), rows(rng.sample(word, len(word)))
    plain = compare(evaluate_cases(before, ONE), evaluate_cases(after, ONE))
    rng.shuffle(before)
    mixed = compare(evaluate_cases(before, ONE), evaluate_cases(after, ONE))
    assert plain == mixed


@given(st.text("1h0e", min_size=1, max_size=40), st.data())
def test_swapping_the_runs_mirrors_everything(word: str, data: st.DataObject) -> None:
    other = data.draw(st.text("1h0e", min_size=len(word), max_size=len(word)))
    there, back = (of(compare(run_of(x), run_of(y))) for x, y in ((word, other), (other, word)))
    assert (there.improved, there.regressed) == (back.regressed, back.improved)
    assert there.mcnemar_p == back.mcnemar_p
    assert there.mean_a == back.mean_b
    if there.mean_difference is not None and back.mean_difference is not None:
        assert there.mean_difference == -back.mean_difference


def test_the_worst_changes_are_kept_whatever_comes_after() -> None:
    rng = random.Random(3)  # noqa: S311 - repeatable on purpose, no secret
    scores = [rng.random() for _ in range(500)]
    pairs = [
        (
            JudgedCase(id=str(n), trial=None, cluster=None, place=n, results={ONE: Judged(1.0, True)}),
            JudgedCase(id=str(n), trial=None, cluster=None, place=n, results={ONE: Judged(score, False)}),
        )
        for n, score in enumerate(scores)
    ]
    contrast = Contrast([ONE], most=20)
    contrast.add(pairs)
    assert [change.score_b for change in contrast.changes] == sorted(scores)[:20]


def test_written_runs_compare_like_kept_ones(tmp_path: Path) -> None:
    words, names = ("1h0e1110-", "10hh1101-"), ("a", "b")
    for name, word in zip(names, words, strict=True):
        rows = [
            {"id": f"c{n}", "tool_calls": DONE[letter], "expected_tool_calls": CALL, "cluster": f"k{n // 2}"}
            for n, letter in enumerate(word)
        ]
        data = tmp_path / f"{name}.jsonl"
        data.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
        arguments = ["run", str(data), "-e", ONE, "-e", "tool_call_args", "--out", str(tmp_path / name)]
        assert rightcall([*arguments, "--no-gate"]) in (0, 3)
    written = compare(tmp_path / "a", tmp_path / "b")
    kept = compare(*(evaluate_cases(tmp_path / f"{name}.jsonl", [ONE, "tool_call_args"]) for name in names))
    assert written.evaluators == kept.evaluators
    assert written.changes == kept.changes
    interval = of(written).mean_interval
    assert interval is not None
    assert interval.method == "cluster-bca"
    assert any("different data" in warning for warning in written.warnings)
