"""The gate against an earlier run: when it is missed, what it says, and what it refuses before any work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall import OptionError, evaluate_cases
from rightcall.core.summing.summary import GateOutcome
from rightcall.run.comparing.baseline import BaselineGate, against_baseline
from rightcall.run.comparing.compare import compare_sides, kept_side
from rightcall.stats import holm, mcnemar
from tests.run.test_compare import DONE, ONE

CALL = DONE["1"]


def outcomes(before: str, after: str, evaluators: Any = ONE, **asked: Any) -> list[GateOutcome]:
    sides = [
        kept_side(
            evaluate_cases(
                [
                    {"id": f"c{n}", "tool_calls": DONE[letter], "expected_tool_calls": CALL}
                    for n, letter in enumerate(word)
                ],
                evaluators,
            ),
            name,
        )
        for name, word in (("main", before), ("this run", after))
    ]
    found, contrast = compare_sides(*sides)
    return list(against_baseline(found, contrast, BaselineGate(name="main", **asked)))


@pytest.mark.parametrize(
    ("before", "after", "asked", "met"),
    [
        pytest.param("1" * 20, "1" * 20, {}, True, id="the same"),
        pytest.param("1" * 20, "1" * 15 + "0" * 5, {}, False, id="five lost passes"),
        pytest.param("1" * 9 + "0" * 6, "1" * 5 + "0" * 4 + "1" * 6, {}, True, id="more won than lost"),
        pytest.param("h" * 40, "h" * 30 + "0" * 10, {}, False, id="points lost, no pass"),
        pytest.param("h" * 40, "h" * 30 + "0" * 10, {"max_regression": 0.25}, True, id="so much may be lost"),
        pytest.param("1" * 20, "1" * 15 + "0" * 5, {"max_regression": 0.9}, False, id="but no passes"),
        pytest.param("1" * 20, "1" * 15 + "0" * 5, {"enforced": False}, False, id="measured, not enforced"),
    ],
)
def test_when_it_is_missed(before: str, after: str, asked: dict[str, Any], met: bool) -> None:
    (gate,) = outcomes(before, after, **asked)
    assert gate.met is met
    assert gate.exit_code == (0 if met or asked.get("enforced") is False else 1)


def test_what_it_says() -> None:
    (gate,) = outcomes("1" * 20, "1" * 12 + "0" * 8, max_regression=0.1)
    assert (gate.gate, gate.evaluator, gate.asked, gate.measured) == ("baseline", ONE, -0.1, -0.4)
    assert gate.interval is not None
    assert gate.method == "one-sided exact McNemar test, bca interval of the mean difference"
    for words in (
        f"{ONE} is worse than main: more passes were lost than chance explains and the mean fell by more than may be",
        "mean 1.000 → 0.600 (-0.4000, 95 % ",
        "; -0.1 may be)",
        "8 passes lost, 0 won (p 0.004)",
        "20 pairs could show a loss of ",
        " of the mean or ",
        "of the passes",
    ):
        assert words in gate.message


def test_few_pairs_say_that_they_could_show_nothing() -> None:
    (gate,) = outcomes("111", "100")
    assert gate.met
    assert "is not shown to be worse than main" in gate.message
    assert "passes" in gate.message


def test_holm_holds_over_the_evaluators_and_is_named() -> None:
    """Of five lost passes one evaluator is sure; beside one that saw no change it is not."""
    word = "1" * 60, "1" * 55 + "x" * 5
    DONE["x"] = [*CALL, *CALL]  # accuracy loses half a point; args nothing
    try:
        (alone,) = outcomes(*word)
        both = outcomes(*word, ["tool_call_accuracy", "tool_call_args"])
    finally:
        del DONE["x"]
    assert not alone.met
    assert [gate.evaluator for gate in both] == ["tool_call_accuracy", "tool_call_args"]
    assert "Holm over 2 evaluators" in (both[0].method or "")
    assert "0.062 by Holm" in both[0].message or "0.0625 by Holm" in both[0].message


@given(
    st.lists(st.tuples(st.sampled_from("10"), st.sampled_from("10")), min_size=1, max_size=40),
)
def test_passes_alone_decide_as_mcnemar_does(pairs: list[tuple[str, str]]) -> None:
    before, after = "".join(a for a, _ in pairs), "".join(b for _, b in pairs)
    lost = sum(pair == ("1", "0") for pair in pairs)
    won = sum(pair == ("0", "1") for pair in pairs)
    (gate,) = outcomes(before, after)
    surely = holm([mcnemar(lost, won).regression])[0] < 0.05
    below = gate.interval is not None and gate.interval.high < -1e-9
    only_one_way = gate.interval is None and lost == len(pairs) and 2 * 0.5 ** len(pairs) < 0.05
    assert (not gate.met) == (surely or below or only_one_way)


@pytest.mark.parametrize(
    ("before", "after", "lost", "absent"),
    [
        ("1111", "1111", 0, 0),
        ("1h01", "1101", 0, 0),
        ("1111", "1h1e", 2, 0),
        ("1111", "11-1", 1, 0),
        ("1111", "11", 2, 2),
        ("h0e-", "0000", 0, 0),
    ],
)
def test_strict_counts_every_pass_that_is_no_more(before: str, after: str, lost: int, absent: int) -> None:
    *_, strict = outcomes(before, after, strict=True)
    assert (strict.gate, strict.measured, strict.met) == ("strict_baseline", lost, lost == 0)
    assert strict.exit_code == (1 if lost else 0)
    assert (f"({absent} of them not in this run)" in strict.message) == bool(absent)


@pytest.mark.parametrize("most", [-0.1, 1.1, float("nan"), float("inf")])
def test_what_can_be_no_regression_is_refused(most: float) -> None:
    with pytest.raises(OptionError, match="max-regression"):
        BaselineGate(name="main", max_regression=most)


def test_two_evaluators_without_a_pair() -> None:
    """Nothing was recorded in the earlier run: the gate is missed, and says so."""
    (gate,) = outcomes("---", "111")
    assert (gate.met, gate.message) == (False, "no case of this run can be held against main")


def test_real_runs_against_each_other(shared_data: Path) -> None:
    """Answers of real models to 254 tasks: the table and the p are counted again, the plain way."""
    stats = pytest.importorskip("scipy.stats")
    tasks: dict[str, list[dict[str, Any]]] = {}
    file = shared_data / "pairs_nolicence" / "bfcl-v1-2024.simple_python.jsonl"
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        tasks.setdefault(row["task_id"], []).append(row)

    def run(pick: Any) -> Any:
        rows = [
            {"id": task, "tool_calls": found["actual"], "expected_any": found["expected_any"]}
            for number, (task, answers) in enumerate(tasks.items())
            for found in [pick(number, answers)]
        ]
        return evaluate_cases(rows, ["tool_call_accuracy", "tool_call_args"])

    def best(_: int, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return max(answers, key=lambda answer: bool(answer["oracle"]["valid"]))

    def last(_: int, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return answers[-1]

    before, after = run(best), run(last)
    found, contrast = compare_sides(kept_side(before, "best"), kept_side(after, "last"))
    assert found.cases == len(tasks) > 200
    for name, item in found.evaluators.items():
        was = {case.id: case.of(name) for case in before.results}
        now = {case.id: case.of(name) for case in after.results}
        # An error is no pass; what was not evaluated leaves the pair out.
        judged = [task for task in was if "not_evaluated" not in (was[task].status, now[task].status)]
        lost = sum(bool(was[task].passed) and not now[task].passed for task in judged)
        won = sum(bool(now[task].passed) and not was[task].passed for task in judged)
        assert (item.table.only_a_passed, item.table.only_b_passed, item.paired) == (lost, won, len(judged))
        assert item.mcnemar_p == pytest.approx(stats.binomtest(lost, lost + won).pvalue)
        pairs = [(was[task].score, now[task].score) for task in judged]
        differences = [new - old for old, new in pairs if old is not None and new is not None]
        assert item.scored == len(differences)
        assert item.mean_difference == pytest.approx(sum(differences) / len(differences))
        interval = item.mean_interval
        assert interval is not None
        assert interval.method == "bca"
        theirs = stats.bootstrap((differences,), stats.tmean, method="BCa", n_resamples=2000, rng=5)
        assert (interval.low, interval.high) == pytest.approx(theirs.confidence_interval, abs=0.012)
        assert item.verdict == "regressed"
    gates = list(against_baseline(found, contrast, BaselineGate(name="best")))
    assert [gate.met for gate in gates] == [False, False]

    # The same answers, handed out to the two runs in turn: no difference to be shown.
    def one(number: int, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return best(number, answers) if number % 2 else last(number, answers)

    def other(number: int, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return last(number, answers) if number % 2 else best(number, answers)

    mixed, _ = compare_sides(kept_side(run(one), "one"), kept_side(run(other), "other"))
    assert mixed.verdict == "no difference shown"
    assert mixed.changed > 50
