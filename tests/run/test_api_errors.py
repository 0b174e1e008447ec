"""What is wrong with a call of the Python functions: an error of the family, in words that somebody in Python can use."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from typing import Any

import pytest

import rightcall
from rightcall import matchers
from rightcall.errors import CallError, DataError, ExpectationError, RightcallError, UsageError

F = [{"name": "f", "arguments": {}}]


@pytest.mark.parametrize("evaluator", [5, [5], None, {"a": 1}, b"x", object()])
def test_what_is_no_evaluator_is_told_with_field_and_hint(evaluator: Any):
    for ask in (
        lambda: rightcall.evaluate(evaluator, output=F, expected=F),
        lambda: rightcall.evaluate_cases([{"tool_calls": F, "expected": F}], evaluator),
    ):
        with pytest.raises(UsageError) as raised:
            ask()
        assert raised.value.field in ("evaluator", "evaluators")
        assert raised.value.hint


@pytest.mark.parametrize("value", [5, ["x"], 1.5, object()])
@pytest.mark.parametrize("name", ["suite", "preset", "format"])
def test_a_name_that_is_no_text_is_told_with_field_and_hint(name: str, value: Any):
    chosen = [] if name == "suite" else ["tool_call_args"]
    with pytest.raises(UsageError) as raised:
        rightcall.evaluate(chosen, output=F, expected=F, **{name: value})
    assert raised.value.field == name
    assert raised.value.hint


@pytest.mark.parametrize(
    "name", ["output", "expected", "tools", "expected_any_of", "expected_any", "threshold"]
)
@pytest.mark.parametrize("value", [5, object(), {1, 2}, matchers.any_(), b"\xff"])
def test_whatever_is_passed_the_error_is_one_of_the_family(name: str, value: Any):
    given = {"output": F} | ({} if name.startswith("expected") else {"expected": F}) | {name: value}
    with suppress(RightcallError):  # and nothing else
        rightcall.evaluate("tool_call_args", **given)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (matchers.one_of(1, 2), "a matcher says which values are fine"),
        (matchers.any_(), "it stands in expected arguments"),
        (dt.date(2025, 1, 1), "a date is not a JSON value: write its text"),
        ({1, 2}, "a set is not a JSON value: make it a list"),
        (object(), "an object is not a JSON value: pass objects, lists"),
    ],
)
def test_a_value_that_is_no_json_says_what_to_do(value: Any, words: str):
    made = [{"name": "f", "arguments": {"a": value}}]
    assert words in rightcall.evaluate("tool_call_args", output=made, expected=F).reason


def test_a_matcher_for_all_arguments_is_told_as_in_json():
    with pytest.raises(ExpectationError, match="not for the arguments as a whole"):
        rightcall.evaluate("tool_call_args", output=F, expected=[{"name": "f", "arguments": matchers.any_()}])


def test_rules_may_hold_matchers_made_in_python():
    rule = {"name": "f", "arguments": {"a": matchers.one_of(1, 2)}}
    made = [{"name": "f", "arguments": {"a": 2}}]
    found = rightcall.evaluate("forbidden_tools", output=made, forbidden=[rule])
    assert found.score == 0.0
    run = rightcall.evaluate_cases([{"tool_calls": made}], "forbidden_tools", forbidden=[rule])
    assert '{"$one_of":[1,2]}' in run.signature


def test_hints_name_arguments_and_no_flags():
    with pytest.raises(DataError) as raised:
        rightcall.evaluate("tool_call_args", output=F, expected=F, expected_any_of=[F])
    assert "keep one of them" in (raised.value.hint or "")
    with pytest.raises(CallError) as text:
        rightcall.evaluate("tool_call_args", output="f(1)", expected=F)
    assert "format='python_calls'" in (text.value.hint or "")
    run = rightcall.evaluate_cases([{"tool_calls": "f(1)", "expected": F}], "tool_call_args")
    assert "format='python_calls'" in run.results[0].results[0].reason
    with pytest.raises(UsageError) as preset:
        rightcall.evaluate("uipath", output=F, expected=F)
    assert "preset='uipath'" in (preset.value.hint or "")
