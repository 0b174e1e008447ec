"""What an expected call may say: read where it has a meaning, refused where it can't be held against an agent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import Case, ExpectationError, ToolCall, UsageError, evaluate, evaluate_cases
from rightcall.core.summing.tally import Tally
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


MORE: dict[str, Any] = {
    "optional": True,
    "count": {"max": 1},
    "alternatives": [{"name": "g", "arguments": {}}],
}


@pytest.mark.parametrize("key", MORE)
@pytest.mark.parametrize("place", ["alone", "listed", "after a message", "one key", "text"])
def test_what_a_native_call_says_of_itself_is_read_wherever_it_stands(key: str, place: str) -> None:
    call = {"name": "f", "arguments": {}, key: MORE[key]}
    pair = [{"function": {"name": name, "arguments": "{}"}} for name in "gh"]
    expected: Any = {
        "alone": call,
        "listed": [{"name": "h", "arguments": {}}, call],
        "after a message": [{"role": "assistant", "tool_calls": pair}, call],
        "one key": [{"f": {}, key: MORE[key]}],
        "text": json.dumps([call]),
    }[place]
    read = from_line(expected).expected
    assert read is not None
    assert read.special
    *others, last = read.calls or ()
    said = {
        "optional": last.optional,
        "count": last.count == CountRange(max=1),
        "alternatives": [each.name for each in last.alternatives] == ["g"],
    }
    assert said[key]
    assert sum(said.values()) == 1
    assert not any(other.optional or other.count or other.alternatives for other in others)


@pytest.mark.parametrize("key", MORE)
def test_in_a_wire_format_it_is_refused_and_not_passed_over(key: str) -> None:
    for call in (
        {"type": "function", "function": {"name": "f", "arguments": "{}"}, key: MORE[key]},
        {"tool_calls": [{"function": {"name": "f", "arguments": "{}"}, key: MORE[key]}]},
    ):
        with pytest.raises(ExpectationError, match="not read in this format"):
            from_line([call])


F = {"name": "f", "arguments": {}}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"count": {}}, "not a count"),
        ({"count": {"min": None}}, "without an end"),
        ({"count": "2"}, "not a count"),
        ({"count": {"min": 3, "max": 2}}, "min 3 is above max 2"),
        ({"count": {"min": -1}}, "whole number"),
        ({"count": {"min": True}}, "whole number"),
        ({"count": {"min": 1.5}}, "whole number"),
        ({"count": {"least": 1}}, "not a count"),
        ({"count": {"min": 10**9}}, "too often"),
        ({"optional": 1}, "not true or false"),
        ({"optional": "true"}, "not true or false"),
        ({"optional": True, "count": {"min": 1}}, "optional, and to be made"),
        ({"alternatives": []}, "at least one call"),
        ({"alternatives": {"name": "g"}}, "at least one call"),
        ({"alternatives": [{"arguments": {}}]}, "name"),
        ({"alternatives": [{**F, "optional": True}]}, "inside an alternative"),
        ({"alternatives": [{**F, "count": {"min": 1}}]}, "inside an alternative"),
        ({"alternatives": [{**F, "alternatives": [F]}]}, "inside an alternative"),
        ({"alternatives": [{**F, "options": {"args": "subset"}}]}, "opposite things"),
        ({"alternatives": [{"name": "g", "arguments": "{"}]}, "JSON"),
        ({"accepted": {"a": [1]}}, "beside arguments"),
    ],
    ids=str,
)
def test_what_can_not_be_is_refused_with_its_place(more: dict[str, Any], message: str) -> None:
    error = refused([F, {**F, **more}])
    assert message in str(error)
    assert (error.field or "").startswith("expected_tool_calls[1]")
    with pytest.raises(ExpectationError):
        from_line([F, {**F, **more}])


def test_a_matcher_that_can_not_be_is_refused_in_an_alternative_too() -> None:
    wrong = {"alternatives": [F, {"name": "g", "arguments": {"a": {"$onof": [1]}}}]}
    with pytest.raises(ExpectationError, match="one_of") as caught:
        evaluate("tool_call_args", output=[{"name": "g", "arguments": {"a": 1}}], expected=[wrong])
    assert (caught.value.field or "").startswith("expected_tool_calls[0].alternatives[0].arguments")


@pytest.mark.parametrize(
    ("call", "made"),
    [
        (ExpectedCall(name="f", optional=True), []),
        (ExpectedCall(name="f", count=CountRange(min=2)), ["f", "f", "f"]),
        (ExpectedCall(name="f", alternatives=(ExpectedCall(name="g"),)), ["g"]),
        (ExpectedCall(name="f", accepted={"a": [1, ""]}), ["f"]),
    ],
    ids=["optional", "count", "alternatives", "accepted"],
)
def test_python_objects_say_the_same_as_rows(call: ExpectedCall, made: list[str]) -> None:
    actual = tuple(ToolCall(name=name) for name in made)
    assert evaluate("trajectory_match", output=list(actual), expected=[call]).score == 1.0
    case = Case(id="c", actual=actual, expected=Expectation(calls=(call,)))
    (found,) = evaluate_cases([case], "trajectory_match")
    assert found.of("trajectory_match").score == 1.0


def test_a_case_of_python_may_have_several_paths() -> None:
    paths = ((ExpectedCall(name="g"),), (ExpectedCall(name="f"),))
    case = Case(id="c", actual=(ToolCall(name="f"),), expected=Expectation(paths=paths))
    (found,) = evaluate_cases([case], "tool_call_args")
    result = found.of("tool_call_args")
    assert (result.score, result.details["path"]) == (1.0, 1)
    both = Case(id="c", actual=(), expected=Expectation(calls=(ExpectedCall(name="h"),), paths=paths))
    (found,) = evaluate_cases([both], "tool_call_args")
    assert found.of("tool_call_args").status == "error"


@pytest.mark.parametrize(
    "row",
    [
        {"expected": [F], "expected_any_of": [[F]]},
        {"expected_tool_calls": [F], "expected_any_of": [[F]]},
        {"expected": [F], "expected_any": [{"f": {}}]},
        {"expected_any_of": [[F]], "expected_any": [{"f": {}}]},
        {"expected_any_of": []},
        {"expected_any_of": [F]},
        {"expected_any_of": F},
        {"expected_any_of": [[F], None]},
        {"expected_any_of": [[F], [{"name": "f", "arguments": "{"}]]},
        {"expected_any": {"f": {}}},
        {"expected_any": [{"f": {"a": 1}}]},
        {"expected_any": [{"f": {"a": "x"}}]},
        {"expected_any": [{"f": {"a": [{"b": 1}]}}]},
        {"expected_any": [{"name": "f", "args": {"a": [1]}}]},
        {"expected_any": [["f"]]},
    ],
    ids=str,
)
def test_whole_paths_and_accepted_values_are_refused_where_they_can_not_be(row: dict[str, Any]) -> None:
    with pytest.raises(ExpectationError):
        case_from_line(json.dumps({"tool_calls": [], **row}).encode(), row=0, source=Source())


def test_null_says_nothing_and_an_empty_list_of_accepted_calls_forbids_all() -> None:
    rows: list[Any] = [
        {"tool_calls": [F], "expected_any": None},
        {"tool_calls": [F], "expected_any_of": None, "expected": [F]},
        {"tool_calls": [F], "expected_any": []},
        {"tool_calls": [], "expected_any": []},
    ]
    run = evaluate_cases(rows, "tool_call_args")
    found = [case.of("tool_call_args") for case in run]
    assert [(result.status, result.score) for result in found] == [
        ("not_evaluated", None),
        ("scored", 1.0),
        ("scored", 0.0),
        ("scored", 1.0),
    ]


@pytest.mark.parametrize("rule", [5, "", None, ["f"], {"name": "f", "args": {}}, {"arguments": {}}])
def test_a_forbidden_rule_that_is_none_is_refused(rule: Any) -> None:
    with pytest.raises(UsageError):
        evaluate("forbidden_tools", output=[], forbidden=[rule])
    (case,) = evaluate_cases([{"tool_calls": [], "forbidden": [rule]}], "forbidden_tools")
    assert case.of("forbidden_tools").status == "error"


@pytest.mark.parametrize(
    ("rule", "score"),
    [
        ({"name": "pay"}, 0.0),
        ({"name": "p*", "arguments": {}}, 0.0),
        ({"name": "p*", "arguments": {"amount": {"$range": [1000, None]}}}, 0.0),
        ({"name": "p*", "arguments": {"amount": {"$range": [3000, None]}}}, 1.0),
        ({"name": "pay", "arguments": {"amount": 2000, "to": "x"}}, 0.0),
        ({"name": "pay", "arguments": {"amount": 2000, "to": "y"}}, 1.0),
        ({"name": "pay", "arguments": {"memo": {"$absent": True}}}, 0.0),
        ({"name": "pay", "arguments": {"to": {"$absent": True}}}, 1.0),
        ({"name": "PAY", "arguments": {"amount": 2000}}, 1.0),
    ],
    ids=str,
)
def test_a_forbidden_rule_may_ask_for_arguments(rule: Any, score: float) -> None:
    made = [{"name": "pay", "arguments": {"amount": 2000, "to": "x"}}]
    assert evaluate("forbidden_tools", output=made, forbidden=[rule]).score == score
    (case,) = evaluate_cases([{"tool_calls": made, "forbidden": [rule]}], "forbidden_tools")
    assert case.of("forbidden_tools").score == score
    broken = [{"name": "pay", "arguments": "{"}]
    wanted = 1.0 if rule.get("arguments") is not None else 0.0
    assert evaluate("forbidden_tools", output=broken, forbidden=[rule | {"name": "pay"}]).score == wanted


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


@pytest.mark.parametrize(
    ("key", "near"),
    [
        *(("optionl", "optional"), ("Optional", "optional"), ("counts", "count"), ("coutn", "count")),
        *(("alternativs", "alternatives"), ("option", "options"), ("accept", "accepted"), ("grup", "group")),
    ],
)
def test_a_key_spelled_nearly_like_one_with_a_meaning_is_refused(key: str, near: str) -> None:
    wrong = {"name": "f", "arguments": {}, key: True}
    error = refused([{"name": "f"}, wrong])
    assert (error.message, error.hint) == (f"unknown key {key!r}", f"did you mean {near!r}?")
    assert error.field == "expected_tool_calls[1]"
    assert "alternatives" in (refused([{"name": "g", "alternatives": [wrong]}]).field or "")
    with pytest.raises(ExpectationError, match=key):
        from_line([wrong])


@pytest.mark.parametrize(
    "key",
    ["note", "comment", "account", "country", "amount", "description", "step", "index", "actions", "kind"],
)
def test_a_key_like_nothing_known_says_nothing(key: str) -> None:
    assert evaluate("tool_call_args", output=[], expected=[{"name": "f", key: "x"}]).score == 0.0


def test_a_tool_may_be_called_like_a_misspelled_key() -> None:
    assert (
        evaluate("tool_call_args", output=[{"counts": {"a": 1}}], expected=[{"counts": {"a": 1}}]).score
        == 1.0
    )
