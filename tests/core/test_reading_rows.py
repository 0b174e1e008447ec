"""What a row records beside its calls: nothing recorded, failed calls, depth, sides that can't be held against an agent."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from rightcall import DataError, ExpectationError, RightcallError, evaluate, evaluate_cases
from rightcall.core.types import Source
from rightcall.errors import RecordError
from rightcall.run.rows import case_from_line
from tests.core.test_reading_calls import UNREADABLE, calls


def line(text: str | bytes) -> Any:
    data = text.encode() if isinstance(text, str) else text
    return case_from_line(data, row=0, source=Source(path="d.jsonl", line=7))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_nan_outside_an_argument_text_makes_the_line_invalid(number: str) -> None:
    for row in (
        '{"tool_calls": [{"name": "f", "arguments": {"a": %s}}]}',
        '{"tool_calls": [], "metadata": %s}',
    ):
        with pytest.raises(DataError):
            line(row % number)
    assert (
        line('{"tool_calls": [{"name": "f", "arguments": "{\\"a\\": NUMBER}"}]}'.replace("NUMBER", number))
        .actual[0]
        .arguments
        is None
    )


@pytest.mark.parametrize(
    "row",
    ["", "{", "[]", "7", "null", '"x"', '{"tool_calls": []} x', b'{"id": "\xff"}', "{'a': 1}", '{"a": 1,}'],
)
def test_a_line_that_is_no_row_is_a_record_error(row: str | bytes) -> None:
    with pytest.raises(RecordError):
        line(row)


def test_not_recorded_is_not_empty() -> None:
    for row in (
        '{"expected": []}',
        '{"tool_calls": null, "expected": []}',
        '{"actual": null, "expected": []}',
    ):
        assert line(row).actual is None
    assert line('{"tool_calls": []}').actual == ()
    assert line('{"tool_calls": [], "expected": null}').expected is None
    assert line('{"tool_calls": []}').expected is None
    assert line('{"tool_calls": [], "expected": []}').expected.calls == ()
    run = evaluate_cases(
        [{"expected": []}, {"tool_calls": []}, {"tool_calls": None, "expected": [{"name": "f"}]}],
        "tool_call_args",
    )
    assert [case.of("tool_call_args").status for case in run] == ["not_evaluated"] * 3
    assert evaluate("tool_call_args", output=None, expected=[]).status == "not_evaluated"
    assert evaluate("tool_call_args", output=[], expected=None).score is None


def test_deep_nesting_elsewhere_does_not_lose_the_row() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    case = line(
        '{"id": "x", "tool_calls": [{"name": "f", "arguments": {"a": DEEP}}, {"name": "g"}]}'.replace(
            "DEEP", deep
        )
    )
    assert [(call.name, call.arguments) for call in case.actual] == [("f", None), ("g", {})]
    with pytest.raises(DataError):
        line('{"tool_calls": [], "x": ' + "[" * 100_000)


def test_python_values_nested_without_end_are_unreadable() -> None:
    loop: dict[str, Any] = {}
    loop["a"] = loop
    assert calls([{"name": "f", "arguments": loop}]) == [("f", None)]


def failed_calls(**fields: Any) -> float | None:
    made = [{"name": "f", "arguments": {}, **fields}]
    return evaluate("tool_call_accuracy", output=made, expected=[], ignore_failed=True).score


@pytest.mark.parametrize(
    ("fields", "failed"),
    [
        ({"error": "boom"}, True),
        ({"error": {"code": 1}}, True),
        ({"error": True}, True),
        ({"error": 0}, True),  # neither null, false nor empty
        ({"status": "error"}, True),
        ({"status": "failed"}, True),
        ({"error": None}, False),
        ({"error": False}, False),
        ({"error": ""}, False),
        ({"error": {}}, False),
        ({"error": []}, False),
        ({"status": "ok"}, False),
        ({"output": "Error: it failed"}, False),
        ({"output": {"error": "boom"}}, False),
    ],
    ids=str,
)
def test_a_call_failed_if_it_was_recorded_so(fields: dict[str, Any], failed: bool) -> None:
    # Emptiness is judged after failed calls are left out: both sides empty is 1.0.
    assert failed_calls(**fields) == float(failed)


def test_failed_calls_count_unless_told_otherwise() -> None:
    made = [{"name": "f", "arguments": {}, "error": "x"}, {"name": "f", "arguments": {}}]
    wanted = [{"name": "f", "arguments": {}}]
    assert evaluate("tool_call_accuracy", output=made, expected=wanted).score == 0.5
    assert evaluate("tool_call_accuracy", output=made, expected=wanted, ignore_failed=True).score == 1.0
    assert (
        evaluate("trajectory_match", output=made, expected=wanted, ignore_failed=True, mode="exact").score
        == 1.0
    )


def test_odd_fields_of_a_row_are_errors_with_their_name() -> None:
    for name, value in (
        ("tags", 5),
        ("trial", "x"),
        ("verdict", "maybe"),
        ("id", []),
        ("cluster", {}),
        ("forbidden", 5),
    ):
        with pytest.raises(DataError) as caught:
            line(json.dumps({"tool_calls": [], name: value}))
        assert caught.value.field == name


def test_two_fields_of_one_side() -> None:
    same = {"tool_calls": [{"name": "f"}], "actual": [{"name": "f"}]}
    assert len(line(json.dumps(same)).actual) == 1
    with pytest.raises(DataError):
        line(json.dumps({"tool_calls": [{"name": "f"}], "actual": [{"name": "g"}]}))
    with pytest.raises(DataError):
        line(json.dumps({"tool_calls": [], "expected": [{"name": "f"}], "expected_tool_calls": []}))
    one, true = ([{"name": "f", "arguments": {"a": value}}] for value in (1, True))
    with pytest.raises(DataError):
        line(json.dumps({"tool_calls": one, "actual": true}))
    with pytest.raises(RightcallError):
        evaluate("tool_call_args", output=one, expected=one, expected_tool_calls=true)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_an_expected_call_with_python_nan_can_be_met(number: float) -> None:
    one = [{"name": "f", "arguments": {"a": number}}]
    assert evaluate("tool_call_args", output=one, expected=one).score == 1.0


def test_unreadable_expected_arguments_are_the_cases_fault() -> None:
    for text in UNREADABLE:
        with pytest.raises(ExpectationError) as caught:
            evaluate("tool_call_args", output=[], expected=[{"name": "ok"}, {"name": "f", "arguments": text}])
        assert "[1]" in (caught.value.field or "")
        with pytest.raises(ExpectationError) as caught:
            line(
                json.dumps({"tool_calls": [], "expected": [{"name": "ok"}, {"name": "f", "arguments": text}]})
            )
        assert "[1]" in (caught.value.field or ""), "the same place, whichever way the row was read"


def test_a_number_that_nothing_holds_stays_its_text_outside_arguments() -> None:
    number = "1e" + "9" * 5000
    line = f'{{"tool_calls": [{{"name": "f", "output": {number}}}], "metadata": {{"n": {number}}}}}'
    case = case_from_line(line.encode(), row=0, source=Source())
    assert case.actual is not None
    assert case.actual[0].output == number
    assert number in str(case.metadata)
