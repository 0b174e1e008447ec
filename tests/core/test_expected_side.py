"""What an expected call may say that this version does not score yet: refused, never ignored (issue 2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import Case, ExpectationError, ToolCall, UsageError, evaluate, evaluate_cases
from rightcall.core.tally import Tally
from rightcall.core.types import CountRange, Expectation, ExpectedCall, Source
from rightcall.run.plan import make_plan
from rightcall.run.rows import case_from_line
from rightcall.run.stages import Scorer

MATCHERS = [
    {"$any": True},
    {"$one_of": [1]},
    {"$literal": 1},
    {"$nonsense": 1},
    {"$": 1},
    [{"$any": True}],
    {"deep": [{"x": {"$regex": "a"}}]},
    {"$first": 1, "second": 2},
]


def refused(expected: Any, **more: Any) -> ExpectationError:
    with pytest.raises(ExpectationError) as caught:
        evaluate("tool_call_args", output=[], expected=expected, **more)
    return caught.value


def from_line(expected: Any) -> Case:
    data = json.dumps({"tool_calls": [], "expected": expected}).encode()
    return case_from_line(data, row=0, source=Source())


@pytest.mark.parametrize("wrong", [{"$nonsense": 1}, {"$": 1}, {"$first": 1, "second": 2}], ids=str)
def test_an_unknown_dollar_object_in_native_expected_arguments_is_refused(wrong: Any) -> None:
    for expected in (
        [{"name": "f", "arguments": {}}, {"name": "f", "arguments": {"a": wrong}}],
        [{"name": "f", "arguments": {}}, {"f": {"a": [wrong]}}],
    ):
        with pytest.raises(ExpectationError) as caught:
            evaluate("tool_call_args", output=[{"name": "f", "arguments": {"a": 1}}] * 2, expected=expected)
        assert "[1]" in (caught.value.field or "")
        assert "$literal" in str(caught.value)
    escaped = json.dumps(
        {"tool_calls": [{"name": "f"}], "expected": [{"name": "f", "arguments": {"a": wrong}}]}
    ).replace("$", "\\u0024")
    case = case_from_line(escaped.encode(), row=0, source=Source())
    (result,) = Scorer(make_plan(["tool_call_args"]), Tally()).score(case)
    assert result.status == "error"


@pytest.mark.parametrize("matcher", MATCHERS, ids=str)
def test_in_texts_wire_formats_and_actual_calls_it_is_plain_json(matcher: Any) -> None:
    made = [{"name": "f", "arguments": {"a": matcher}}]
    in_text = [{"name": "f", "arguments": json.dumps({"a": matcher})}]
    wire_text = [{"type": "function", "function": {"name": "f", "arguments": json.dumps({"a": matcher})}}]
    for expected in (in_text, wire_text):
        assert evaluate("tool_call_args", output=made, expected=expected).score == 1.0
        assert evaluate("tool_call_args", output=[{"name": "f"}], expected=expected).score == 0.0


@pytest.mark.parametrize("matcher", MATCHERS[:2], ids=str)
def test_a_wire_format_with_object_arguments_is_plain_json_too(matcher: Any) -> None:
    made = [{"name": "f", "arguments": {"a": matcher}}]
    wire = [{"type": "function", "function": {"name": "f", "arguments": {"a": matcher}}}]
    assert evaluate("tool_call_args", output=made, expected=wire).score == 1.0


@pytest.mark.parametrize("value", [{"a": 1, "$any": True}, "$any", ["$any"], {"a$": 1}, {"price": "$5"}])
def test_a_dollar_elsewhere_is_no_matcher(value: Any) -> None:
    one = [{"name": "f", "arguments": {"v": value}}]
    assert evaluate("tool_call_args", output=one, expected=one).score == 1.0
    assert from_line(one).expected is not None


LATER: dict[str, Any] = {
    "optional": True,
    "count": {"min": 1, "max": 2},
    "alternatives": [{"name": "g", "arguments": {}}],
}


@pytest.mark.parametrize("key", LATER)
@pytest.mark.parametrize("place", ["alone", "listed", "after a message", "in a wrapper", "one key", "text"])
def test_what_comes_later_is_refused_wherever_it_stands(key: str, place: str) -> None:
    call = {"name": "f", "arguments": {}, key: LATER[key]}
    pair = [{"function": {"name": name, "arguments": "{}"}} for name in "gh"]
    expected: Any = {
        "alone": call,
        "listed": [{"name": "g", "arguments": {}}, call],
        "after a message": [{"role": "assistant", "tool_calls": pair}, call],
        "in a wrapper": {"tool_calls": [call]},
        "one key": [{"f": {}, key: LATER[key]}],
        "text": json.dumps([call]),
    }[place]
    with pytest.raises(ExpectationError):
        evaluate("tool_call_args", output=[], expected=expected)
    with pytest.raises(ExpectationError):
        from_line(expected)


@pytest.mark.parametrize(
    "call",
    [
        ExpectedCall(name="f", optional=True),
        ExpectedCall(name="f", count=CountRange(min=1)),
        ExpectedCall(name="f", alternatives=(ExpectedCall(name="g"),)),
        ExpectedCall(name="f", accepted={"a": [1]}),
    ],
    ids=["optional", "count", "alternatives", "accepted"],
)
def test_python_objects_are_refused_like_rows(call: ExpectedCall) -> None:
    refused([call])
    case = Case(id="c", actual=(), expected=Expectation(calls=(call,)))
    (found,) = evaluate_cases([case], "tool_call_args")
    assert found.of("tool_call_args").status == "error"


def test_a_case_with_several_paths_is_refused() -> None:
    path = (ExpectedCall(name="f"),)
    case = Case(id="c", actual=(ToolCall(name="f"),), expected=Expectation(calls=path, paths=(path, ())))
    (found,) = evaluate_cases([case], "tool_call_args")
    assert found.of("tool_call_args").status == "error"


@pytest.mark.parametrize("field", ["expected_any_of", "expected_any"])
def test_later_fields_of_a_row_are_refused_unless_null(field: str) -> None:
    rows: list[Any] = [
        {"id": "set", "tool_calls": [], field: [[{"name": "f", "arguments": {}}]]},
        {"id": "empty", "tool_calls": [], field: []},
        {"id": "null", "tool_calls": [], "expected": [], field: None},
    ]
    run = evaluate_cases(rows, "tool_call_args")
    statuses = [case.of("tool_call_args").status for case in run]
    assert statuses == ["error", "error", "scored"]
    for row in rows[:2]:
        with pytest.raises(ExpectationError):
            case_from_line(json.dumps(row).encode(), row=0, source=Source())


@pytest.mark.parametrize("rule", [{"name": "f", "arguments": {"a": 1}}, 5, "", None, ["f"]])
def test_a_forbidden_rule_with_arguments_is_refused(rule: Any) -> None:
    with pytest.raises(UsageError):
        evaluate("forbidden_tools", output=[], forbidden=[rule])
    (case,) = evaluate_cases([{"tool_calls": [], "forbidden": [rule]}], "forbidden_tools")
    assert case.of("forbidden_tools").status == "error"


def test_groups_that_are_torn_apart_are_an_error_of_the_case() -> None:
    names: Any = [("f", "p"), ("g", None), ("f", "p")]
    expected = [{"name": name, "arguments": {}, "group": group} for name, group in names]
    made = [{"name": name, "arguments": {}} for name, _ in names]
    requests: list[Any] = [
        ("tool_call_order", {}),
        ("trajectory_match", {"mode": "exact"}),
        ("trajectory_match", {"mode": "in_order"}),
    ]
    for evaluator, options in requests:
        with pytest.raises(ExpectationError):
            evaluate(evaluator, output=made, expected=expected, **options)
        assert evaluate(evaluator, output=made, expected=expected, groups="ignore", **options).score == 1.0


def test_unreadable_arguments_of_a_python_case_are_its_own_fault_even_if_both_sides_share_them() -> None:
    from msgspec import Raw

    broken = Raw(b'"{"')
    case = Case(
        id="c",
        actual=(ToolCall(name="f", raw=broken),),
        expected=Expectation(calls=(ExpectedCall(name="f", raw=broken),)),
    )
    (found,) = evaluate_cases([case], ["tool_call_args", "tool_call_accuracy"])
    assert [result.status for result in found.results] == ["error", "error"]
