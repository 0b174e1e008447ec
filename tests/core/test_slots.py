"""Expected calls that may be left out, repeated, made in another way or be one of several paths, by hand (contract 6)."""

from __future__ import annotations

import json
import time
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall import Result, evaluate, evaluate_cases
from rightcall.app.cli.root import run as main
from rightcall.core.pairing.count_units import count_units
from rightcall.core.summing.tally import EvaluatorTally
from rightcall.core.types import CountRange, ExpectedCall
from rightcall.run.golden.corrections import corrections

Call = dict[str, Any]

ALL = (
    "tool_call_accuracy",
    "tool_call_args",
    "tool_call_order",
    "tool_call_count",
    "tool_call_f1",
    "argument_accuracy",
    "trajectory_match",
    "tool_selection",
)


def call(name: str, **arguments: Any) -> Call:
    return {"name": name, "arguments": arguments}


def may(wanted: Call) -> Call:
    return {**wanted, "optional": True}


def times(wanted: Call, low: int | None = None, high: int | None = None) -> Call:
    return {**wanted, "count": {"min": low, "max": high}}


def any_of(first: Call, *others: Call) -> Call:
    return {**first, "alternatives": list(others)}


def results(actual: list[Call], expected: Any, **options: Any) -> dict[str, Result]:
    return evaluate(ALL, output=actual, expected=expected, **options)


PAY, LOG, FIND = call("pay", to="x"), call("log"), call("find", q="a")

# (what it shows, actual, expected, scores in the order of ALL)
BY_HAND: list[tuple[str, list[Call], list[Call], list[Any]]] = [
    ("an optional call not made leaves every denominator", [PAY], [PAY, may(LOG)], [1] * 8),
    ("an optional call made is matched, not extra", [PAY, LOG], [PAY, may(LOG)], [1] * 8),
    (
        "an optional call made with other arguments is half matched",
        [PAY, call("log", n=1)],
        [PAY, may(LOG)],
        # accuracy 1.5/2; F1 of precision 1/2 and recall 1
        [Fraction(3, 4), 1, 1, 1, Fraction(2, 3), 1, 0, 1],
    ),
    (
        "an extra call stays extra beside an optional one",
        [PAY, FIND],
        [PAY, may(LOG)],
        [Fraction(1, 2), 1, 1, 1, Fraction(2, 3), 1, 0, Fraction(2, 3)],
    ),
    (
        "a missing call is missing whatever else was made",
        [LOG],
        [PAY, may(LOG)],
        # accuracy: 1 / max(2, 1), since the optional call that was made is counted
        [Fraction(1, 2), 0, 0, Fraction(1, 2), 0, 0, 0, 0],
    ),
    (
        "a spare repeat does not pay for a missing call",
        [call("find", q="b"), FIND],
        [times(call("find", q={"$any": True}), 1, 3), PAY],
        [Fraction(2, 3), *(Fraction(1, 2),) * 3, Fraction(2, 3), Fraction(1, 2), 0, Fraction(2, 3)],
    ),
    (
        "nor do many",
        [LOG] * 3,
        [times(LOG, 0), call("a"), call("b")],
        [Fraction(3, 5), 0, 0, Fraction(1, 3), 0, 0, 0, 0],
    ),
    (
        "what must be made gets the better call",
        [call("refund", id="A-1"), call("refund", id="B-2")],
        [may(call("refund", id="A-1")), call("refund", id="A-1")],
        [Fraction(3, 4), 1, 1, 1, Fraction(2, 3), 1, 0, 1],
    ),
    ("optional calls only, none made", [], [may(LOG)], [1] * 8),
    ("optional calls only, one made", [LOG], [may(LOG)], [1] * 8),
    (
        "optional calls only, another one made",
        [PAY],
        [may(LOG)],
        [0, 1, 1, 1, 0, 1, 0, 0],
    ),
    ("required calls and none made", [], [PAY, may(LOG)], [0] * 8),
    ("as often as at least", [FIND, FIND], [times(FIND, 2, 3)], [1] * 8),
    ("as often as at most", [FIND, FIND, FIND], [times(FIND, 2, 3)], [1] * 8),
    (
        "too rarely",
        [FIND],
        [times(FIND, 2, 3)],
        [
            Fraction(1, 2),
            Fraction(1, 2),
            Fraction(1, 2),
            0,
            Fraction(2, 3),
            Fraction(1, 2),
            0,
            Fraction(2, 3),
        ],
    ),
    (
        "too often",
        [FIND] * 4,
        [times(FIND, 1, 3)],
        # precision 3/4, recall 1
        [Fraction(3, 4), 1, 1, 0, Fraction(6, 7), 1, 0, Fraction(6, 7)],
    ),
    ("never, but nothing else is said", [PAY], [times(FIND, 0, 0)], [0, 1, 1, 1, 0, 1, 0, 0]),
    ("any number of another", [PAY], [times(FIND, 0)], [0, 1, 1, 1, 0, 1, 0, 0]),
    ("any number", [FIND] * 5, [times(FIND, 0)], [1] * 8),
    ("any number, none made", [PAY], [PAY, times(FIND, 0)], [1] * 8),
    ("at most, written without min", [PAY], [PAY, times(FIND, None, 2)], [1] * 8),
    ("at least, many made", [FIND] * 5, [times(FIND, 1)], [1] * 8),
    ("the first of the alternatives", [PAY], [any_of(PAY, LOG)], [1] * 8),
    ("another of the alternatives", [LOG], [any_of(PAY, LOG)], [1] * 8),
    (
        "both alternatives are one call too many",
        [PAY, LOG],
        [any_of(PAY, LOG)],
        [Fraction(1, 2), 1, 1, 0, Fraction(2, 3), 1, 0, Fraction(2, 3)],
    ),
    (
        "an alternative with wrong arguments",
        [call("pay", to="y")],
        [any_of(LOG, PAY)],
        [Fraction(1, 2), 0, 1, 1, 0, 0, 0, 1],
    ),
    ("alternatives of one name", [call("pay", to="y")], [any_of(PAY, call("pay", to="y"))], [1] * 8),
    ("nothing but alternatives", [LOG], [{"alternatives": [PAY, LOG]}], [1] * 8),
    ("one alternative", [PAY], [{"alternatives": [PAY]}], [1] * 8),
    (
        "alternatives that hold matchers and options",
        [call("pay", to="X", n=3)],
        [any_of(LOG, call("pay", to="x", n={"$any": True}) | {"options": {"ignore_case": True}})],
        [1] * 8,
    ),
    ("optional alternatives", [PAY], [PAY, any_of(may(LOG), FIND)], [1] * 8),
    ("repeated alternatives", [LOG, PAY, LOG], [any_of(times(PAY, 2, 3), LOG)], [1] * 8),
]


@pytest.mark.parametrize(
    ("actual", "expected", "scores"), [row[1:] for row in BY_HAND], ids=[r[0] for r in BY_HAND]
)
def test_scores_by_hand(actual: list[Call], expected: list[Call], scores: list[Any]) -> None:
    found = results(actual, expected)
    assert {name: result.score for name, result in found.items()} == {
        name: pytest.approx(float(score), abs=1e-12) for name, score in zip(ALL, scores, strict=True)
    }
    rows = evaluate_cases([{"tool_calls": actual, "expected": expected}], ALL)
    assert [result.score for result in next(iter(rows)).results] == [
        result.score for result in found.values()
    ]


MODES = ("exact", "in_order", "any_order", "unordered", "subset")
TRAJECTORIES: list[tuple[str, list[Call], list[Call], str]] = [
    ("left out", [PAY, FIND], [PAY, may(LOG), FIND], "exact in_order any_order unordered subset"),
    (
        "made in its place",
        [PAY, LOG, FIND],
        [PAY, may(LOG), FIND],
        "exact in_order any_order unordered subset",
    ),
    ("made elsewhere", [LOG, PAY, FIND], [PAY, may(LOG), FIND], "in_order any_order unordered subset"),
    ("made twice", [PAY, LOG, LOG, FIND], [PAY, may(LOG), FIND], "in_order any_order"),
    ("required missing", [PAY, LOG], [PAY, may(LOG), FIND], "subset"),
    (
        "repeated in a row",
        [FIND, FIND, PAY],
        [times(FIND, 1, 3), PAY],
        "exact in_order any_order unordered subset",
    ),
    ("repeated apart", [FIND, PAY, FIND], [times(FIND, 1, 3), PAY], "in_order any_order unordered subset"),
    ("too rare", [FIND, PAY], [times(FIND, 2, 3), PAY], "subset"),
    ("another way", [LOG, FIND], [any_of(PAY, LOG), FIND], "exact in_order any_order unordered subset"),
    ("another way, late", [FIND, LOG], [any_of(PAY, LOG), FIND], "any_order unordered subset"),
    ("only optional", [], [may(LOG)], "exact in_order any_order unordered subset"),
    ("only optional, other", [PAY], [may(LOG)], "in_order any_order"),
]


@pytest.mark.parametrize(
    ("actual", "expected", "holds"), [row[1:] for row in TRAJECTORIES], ids=[row[0] for row in TRAJECTORIES]
)
def test_trajectories(actual: list[Call], expected: list[Call], holds: str) -> None:
    found = {
        mode
        for mode in MODES
        if evaluate("trajectory_match", output=actual, expected=expected, mode=mode).passed
    }
    assert found == set(holds.split())
    superset = evaluate("trajectory_match", output=actual, expected=expected, mode="superset")
    assert superset.passed == ("any_order" in found)


def grouped(*calls: Call, group: str = "g") -> list[Call]:
    return [{**each, "group": group} for each in calls]


def test_groups_of_calls_that_may_be_left_out_repeated_or_made_otherwise() -> None:
    expected = [PAY, *grouped(may(LOG), times(FIND, 1, 2), any_of(call("a"), call("b"))), call("end")]
    fine = [
        [PAY, FIND, call("b"), call("end")],
        [PAY, call("a"), LOG, FIND, FIND, call("end")],
        [PAY, FIND, call("a"), FIND, LOG, call("end")],
    ]
    for made in fine:
        assert evaluate("trajectory_match", output=made, expected=expected, mode="exact").score == 1.0, made
        assert evaluate("trajectory_match", output=made, expected=expected, mode="in_order").score == 1.0
        assert evaluate("tool_call_order", output=made, expected=expected, strict=True).score == 1.0
        assert evaluate("tool_call_order", output=made, expected=expected).score == 1.0
    late = [FIND, PAY, call("b"), call("end")]
    assert evaluate("trajectory_match", output=late, expected=expected, mode="exact").score == 0.0
    assert evaluate("tool_call_order", output=late, expected=expected).score == 0.75
    twice = [PAY, call("a"), call("b"), FIND, call("end")]
    assert evaluate("trajectory_match", output=twice, expected=expected, mode="exact").score == 0.0
    assert evaluate("trajectory_match", output=twice, expected=expected, mode="in_order").score == 1.0
    assert evaluate("tool_call_order", output=twice, expected=expected, strict=True).score == 0.0
    assert evaluate("tool_call_order", output=fine[1], expected=expected, groups="ignore").score == 0.75


def test_groups_must_stand_together_also_around_optional_calls() -> None:
    torn = [*grouped(PAY), may(LOG), *grouped(FIND)]
    for evaluator in ("tool_call_order", "trajectory_match"):
        (case,) = evaluate_cases([{"tool_calls": [PAY], "expected": torn}], evaluator, **_mode(evaluator))
        result = case.of(evaluator)
        assert result.status == "error"
        assert "expected_tool_calls[2].group" in result.reason


def _mode(evaluator: str) -> dict[str, Any]:
    return {"mode": "exact"} if evaluator == "trajectory_match" else {}


def test_greedy_takes_the_first_unused_and_optimal_the_best() -> None:
    # The alternative is the only place for `b`, but `a` comes first and takes the first place that is equal.
    expected = [any_of(call("a"), call("b")), call("a")]
    actual = [call("a"), call("b")]
    greedy = evaluate("tool_call_accuracy", output=actual, expected=expected)
    optimal = evaluate("tool_call_accuracy", output=actual, expected=expected, matching="optimal")
    assert (greedy.score, optimal.score) == (0.5, 1.0)
    assert "Optimal matching would give 1." in greedy.reason
    assert "Greedy matching would give 0.5." in optimal.reason


def test_of_equally_good_places_the_one_that_must_be_filled_is_taken() -> None:
    expected = [may(LOG), LOG]
    pairs = {
        matching: evaluate(
            "tool_call_accuracy", output=[LOG], expected=expected, matching=matching
        ).details.pairs
        for matching in ("greedy", "optimal")
    }
    assert [pair.expected for pair in pairs["greedy"]] == [1]
    assert [pair.expected for pair in pairs["optimal"]] == [1]
    for evaluator in ("tool_call_accuracy", "tool_call_args"):
        assert evaluate(evaluator, output=[LOG], expected=expected).score == 1.0


def test_a_missing_call_is_named_with_all_its_ways_and_an_optional_one_never() -> None:
    result = evaluate("tool_call_args", output=[FIND], expected=[FIND, any_of(PAY, LOG), may(call("end"))])
    assert result.details.missing == (1,)
    assert [item.message for item in result.details.differences] == ["pay or log was not called"]
    assert result.details["optional"] == [2]


def test_details_say_which_written_call_a_place_belongs_to() -> None:
    details = evaluate("tool_call_args", output=[FIND], expected=[PAY, times(FIND, 1, 10**9)]).details
    assert details["slots"] == [0, 1, 1]  # more places than calls of that name can't be filled
    details = evaluate("tool_call_args", output=[FIND] * 3, expected=[PAY, times(FIND, 1, 3)]).details
    assert details["slots"] == [0, 1, 1, 1]
    assert details["optional"] == [2, 3]


def test_differences_are_those_of_the_way_that_was_taken() -> None:
    expected = [any_of(call("pay", to="x", n=1), call("pay", to="y", n=2))]
    result = evaluate("tool_call_args", output=[call("pay", to="y", n=3)], expected=expected)
    assert [(item.path, item.expected, item.actual) for item in result.details.differences] == [("/n", 2, 3)]


@pytest.mark.parametrize("order", [1, -1])
def test_the_best_path_is_taken_by_every_evaluator(order: int) -> None:
    paths = [[PAY, LOG], [FIND], [PAY, FIND]][::order]
    row = {"tool_calls": [PAY, FIND], "expected_any_of": paths}
    (case,) = evaluate_cases([row], ALL)
    assert [result.score for result in case.results] == [1.0] * len(ALL)
    assert {result.details["path"] for result in case.results} == {paths.index([PAY, FIND])}


def test_of_equal_paths_the_one_with_fewer_differences_then_the_first() -> None:
    made = [call("f", a=1, b=1)]
    worse, better = [call("f", a=2, b=2)], [call("f", a=1, b=2)]
    for paths, chosen in (([worse, better], 1), ([better, worse], 0), ([worse, worse], 0)):
        (case,) = evaluate_cases([{"tool_calls": made, "expected_any_of": paths}], "tool_call_args")
        assert case.of("tool_call_args").details["path"] == chosen


def test_the_path_is_chosen_by_the_options_for_all_and_not_by_those_of_one_evaluator() -> None:
    row = {"tool_calls": [call("f", a="X")], "expected_any_of": [[call("f", a="x")], [call("f", a="X")]]}
    single: dict[str, Any] = {"tool_call_args": {"ignore_case": True}}
    (case,) = evaluate_cases([row], ["tool_call_args", "tool_call_count"], **single)
    assert {result.details["path"] for result in case.results} == {1}
    (case,) = evaluate_cases([row], ["tool_call_args", "tool_call_count"], ignore_case=True)
    assert {result.details["path"] for result in case.results} == {0}


def test_an_empty_path_is_one_like_any_other() -> None:
    row: dict[str, Any] = {"tool_calls": [], "expected_any_of": [[PAY], []]}
    (case,) = evaluate_cases([row], ALL)
    assert [result.score for result in case.results] == [1.0] * len(ALL)
    row = {"tool_calls": [LOG], "expected_any_of": [[]]}
    (case,) = evaluate_cases([row], ALL)
    assert [result.score for result in case.results] == [0.0] * len(ALL)


def test_a_path_may_hold_optional_calls_and_matchers() -> None:
    paths = [[FIND], [call("pay", to={"$any": True}), may(LOG)]]
    (case,) = evaluate_cases([{"tool_calls": [PAY], "expected_any_of": paths}], ALL)
    assert [result.score for result in case.results] == [1.0] * len(ALL)


def test_a_broken_path_is_an_error_of_its_case_alone() -> None:
    rows: list[Any] = [
        {"tool_calls": [PAY], "expected_any_of": [[PAY], [call("pay", to={"$onof": [1]})]]},
        {"tool_calls": [PAY], "expected_any_of": [[PAY]]},
    ]
    run = evaluate_cases(rows, "tool_call_args")
    assert [case.of("tool_call_args").status for case in run] == ["error", "scored"]


ACCEPTED: list[tuple[str, Any, dict[str, Any], float]] = [
    ("the first", {"a": [1, 2]}, {"a": 1}, 1.0),
    ("another", {"a": [1, 2]}, {"a": 2}, 1.0),
    ("none of them", {"a": [1, 2]}, {"a": 3}, 0.0),
    ("left out", {"a": [1, ""]}, {}, 1.0),
    ("not to be left out", {"a": [1]}, {}, 0.0),
    ("one too many", {"a": [1]}, {"a": 1, "b": 2}, 0.0),
    ("the empty text itself", {"a": ["x", ""]}, {"a": ""}, 1.0),
    ("null", {"a": [None]}, {"a": None}, 1.0),
    ("an object of lists", {"a": [{"b": [1, 2], "c": ["x", ""]}]}, {"a": {"b": 2}}, 1.0),
    ("an object, wrong inside", {"a": [{"b": [1, 2]}]}, {"a": {"b": 3}}, 0.0),
    ("plain inside those lists", {"a": [{"b": [{"c": 1}]}]}, {"a": {"b": {"c": 1}}}, 1.0),
    ("objects in a list", {"a": [[{"b": [1]}, {"b": [2, ""]}]]}, {"a": [{"b": 1}, {}]}, 1.0),
    ("a list", {"a": [[1, 2], [3]]}, {"a": [3]}, 1.0),
    ("a value that looks like a matcher", {"a": ["$any"]}, {"a": "$any"}, 1.0),
    ("no arguments", {}, {}, 1.0),
]


@pytest.mark.parametrize(
    ("accepted", "made", "score"), [row[1:] for row in ACCEPTED], ids=[r[0] for r in ACCEPTED]
)
def test_lists_of_accepted_values(accepted: Any, made: dict[str, Any], score: float) -> None:
    for written in ({"name": "f", "arguments": accepted}, {"f": accepted}):
        row = {"tool_calls": [{"name": "f", "arguments": made}], "expected_any": [written]}
        (case,) = evaluate_cases([row], "tool_call_args")
        assert case.of("tool_call_args").score == score


OUTPUTS: list[tuple[str, list[Any], list[Call], float | None]] = [
    ("an optional one not found costs nothing", [1], [{**LOG, "output": 1}, may({**LOG, "output": 2})], 1.0),
    ("a required one not found costs", [2], [{**LOG, "output": 1}, may({**LOG, "output": 2})], 0.0),
    ("required before optional", [1], [may({**LOG, "output": 1}), {**LOG, "output": 1}], 1.0),
    ("none required", [3], [may({**LOG, "output": 1})], 1.0),
    ("each repeated call gives it", [1, 1], [{**times(LOG, 2, 2), "output": 1}], 1.0),
    ("one of two", [1, 5], [{**times(LOG, 2, 2), "output": 1}], 0.5),
    ("of an alternative", [7], [any_of({**PAY, "output": 1}, {**LOG, "output": 7})], 1.0),
    ("not recorded", [None], [{**LOG, "output": 1}], None),
]


@pytest.mark.parametrize(
    ("outputs", "expected", "score"), [row[1:] for row in OUTPUTS], ids=[r[0] for r in OUTPUTS]
)
def test_outputs(outputs: list[Any], expected: list[Call], score: float | None) -> None:
    made = [{**LOG, "output": output} for output in outputs]
    # A second, needless count makes every case one of places.
    assert evaluate("tool_call_output", output=made, expected=[*expected, may(call("end"))]).score == score


def test_counts_are_ranges_by_name() -> None:
    expected = [PAY, may(PAY), times(FIND, 2), any_of(LOG, call("end"))]
    result = evaluate("tool_call_count", output=[PAY, FIND], expected=expected)
    tools = {name: cell["expected"] for name, cell in result.details["tools"].items()}
    assert tools == {"pay": "1 to 2", "find": "at least 2", "log or end": "1"}
    assert result.score == pytest.approx(1 / 3)


def tally_of(row: dict[str, Any], evaluator: str) -> EvaluatorTally:
    return evaluate_cases([row], evaluator).tally.of(evaluator)


def test_the_tally_counts_by_the_tool_that_was_called() -> None:
    row = {
        "tool_calls": [LOG, FIND, FIND],
        "expected": [any_of(PAY, LOG), times(FIND, 1, 2), may(call("end"))],
    }
    tally = tally_of(row, "tool_call_accuracy")
    assert tally.exact == {"log": 1, "find": 2}
    assert tally.tools == {}
    assert tally.found == {(3, 0, 0): 1}
    row = {"tool_calls": [call("log", n=1)], "expected": [any_of(PAY, LOG), FIND, may(call("end"))]}
    tally = tally_of(row, "tool_call_accuracy")
    assert tally.tools == {"log": [1, 0, 0], "find": [0, 1, 0]}
    assert tally.found == {(0, 1, 2): 1}


def test_names_are_seen_by_the_name_rule() -> None:
    expected = [any_of(PAY, LOG), may(FIND)]
    made = [call("x__log"), call("x__find", q="a")]
    assert (
        evaluate("tool_call_accuracy", output=made, expected=expected, strip_name_prefix="x__").score == 1.0
    )


def test_failed_calls_can_be_left_out() -> None:
    made = [{**FIND, "error": "timeout"}, FIND]
    for evaluator in ALL:
        result = evaluate(evaluator, output=made, expected=[times(FIND, 1, 1)], ignore_failed=True)
        assert result.score == 1.0, evaluator


def test_very_many_places_are_found_in_time_or_refused() -> None:
    made = [call("find", q=number) for number in range(1000)]
    wanted = [times(call("find", q={"$any": True}), 1), may(LOG)]
    for evaluator in ALL[:5]:
        assert evaluate(evaluator, output=made, expected=wanted).score == 1.0
    with pytest.raises(Exception, match="too many"):
        evaluate("argument_accuracy", output=made, expected=[*wanted, *made])


def test_every_way_of_an_unreadable_call_is_only_its_name() -> None:
    made = [{"name": "pay", "arguments": "{"}]
    found = results(made, [any_of(PAY, LOG), may(PAY)])
    assert found["tool_call_accuracy"].score == 0.5
    assert found["tool_call_args"].score == 0.0
    assert found["argument_accuracy"].score == 0.0
    assert any("pay" in warning for warning in found["tool_call_args"].warnings)


def test_a_correction_of_a_golden_set_changes_the_call_that_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        {
            "id": "counted",
            "expected": [times(PAY, 2, 3), FIND],
            "tool_calls": [PAY, PAY, call("find", q="z")],
        },
        {"id": "either", "expected": [any_of(PAY, LOG)], "tool_calls": [call("log", n=1)]},
    ]
    Path("gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["run", "gold.jsonl", "-e", "tool_call_accuracy", "--no-gate", "--out", "out"]) == 0
    counted, either = corrections("gold.jsonl", [tmp_path / "out"])
    assert counted.calls == [times(PAY, 2, 3), call("find", q="z")]
    assert either.calls == [any_of(PAY, LOG, call("log", n=1))]


@pytest.mark.parametrize(
    ("names", "made", "score"),
    [
        (["f|g"], "f", 1.0),
        (["f|g"], "g", 1.0),
        (["f|g"], "h", 0.0),
        (["f|g"], "fg", 0.0),
        (["f|g"], "gg", 0.0),
        (["f", "f|g"], "fg", 1.0),
        (["f", "f|g"], "ff", 1.0),
        (["f", "f|g"], "gg", 0.0),  # two calls of the two, but nobody made f
        (["f|g", "g|h"], "fh", 1.0),
        (["f|g", "g|h"], "gg", 1.0),
        (["f|g", "g|h"], "ff", 0.0),
        (["f|g", "x"], "fx", 1.0),
        (["f|g", "x"], "x", 0.5),
        (["f|g", "x", "x"], "fxx", 1.0),
    ],
)
def test_tools_of_one_expected_call_are_counted_together(names: list[str], made: str, score: float) -> None:
    ways = [[call(name) for name in written.split("|")] for written in names]
    expected = [any_of(*calls) if len(calls) > 1 else calls[0] for calls in ways]
    result = evaluate("tool_call_count", output=[call(name) for name in made], expected=expected)
    assert result.score == score, result.reason
    if score == 0.0 and "h" not in made:
        assert " or " in result.reason


def test_very_many_tools_that_hang_together_are_counted_in_time() -> None:
    start = time.process_time()
    ring = [any_of(call(f"t{number}"), call(f"t{(number + 1) % 1000}")) for number in range(1000)]
    made = [call(f"t{number}") for number in range(1000)]
    assert evaluate("tool_call_count", output=made, expected=ring).score == 1.0
    assert evaluate("tool_call_count", output=[*made[1:], call("t500")], expected=ring).score == 1.0
    assert evaluate("tool_call_count", output=[*made[3:], *[call("t500")] * 3], expected=ring).score == 0.0
    assert time.process_time() - start < 15


@given(
    slots=st.lists(
        st.tuples(
            st.sets(st.sampled_from("fghi"), min_size=1, max_size=3), st.integers(0, 2), st.integers(0, 2)
        ),
        min_size=1,
        max_size=4,
    ),
    made=st.text("fghi", min_size=1, max_size=5),
)
def test_a_unit_fits_where_some_way_of_dealing_out_the_calls_does(
    slots: list[tuple[set[str], int, int]], made: str
) -> None:
    expected = tuple(
        ExpectedCall(
            name=first,
            count=CountRange(min=low, max=low + more),
            alternatives=tuple(ExpectedCall(name=name) for name in rest),
        )
        for names, low, more in slots
        for first, *rest in [sorted(names)]
    )
    counts = Counter(made)
    for unit in count_units(expected, str):
        own = [slot for slot in slots if slot[0] & set(unit.names)]
        calls = [name for name in made if name in unit.names]
        ways = product(*([at for at, slot in enumerate(own) if name in slot[0]] for name in calls))
        dealt = (Counter(way) for way in ways)
        fits = any(
            all(low <= way[at] <= low + more for at, (_, low, more) in enumerate(own)) for way in dealt
        )
        assert unit.fits(counts) == fits
