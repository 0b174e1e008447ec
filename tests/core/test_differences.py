"""Every kind of difference that this version names, its words, and that its option really accepts it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from msgspec import UNSET

from rightcall import Difference, Result, evaluate
from rightcall.core.options import CALL_OPTIONS
from tests import strategies as draw_from


def differences(expected: Any, actual: Any, **options: Any) -> tuple[Difference, ...]:
    """Of two argument objects of one call."""
    made, wanted = ([{"name": "f", "arguments": side}] for side in (actual, expected))
    result: Result = evaluate("tool_call_accuracy", output=made, expected=wanted, **options)
    return result.details.differences


def written_option(text: str) -> dict[str, Any]:
    """``name=JSON``, as a configuration has it."""
    name, equals, value = text.partition("=")
    assert equals, text
    assert name in CALL_OPTIONS, text
    return {name: json.loads(value)}


ONE_KIND = [
    ("missing_key", {"a": 1, "b": 2}, {"a": 1}, "/b", "args"),
    ("missing_key", {"o": {"b": 2}}, {"o": {}}, "/o/b", "ignore"),
    ("extra_key", {"a": 1}, {"a": 1, "b": 2}, "/b", "args"),
    ("extra_key", {"o": [{}]}, {"o": [{"b": 2}]}, "/o/0/b", "ignore"),
    ("renamed_key", {"city": "Oslo"}, {"town": "Oslo"}, "/city", None),
    ("renamed_key", {"user_id": 7}, {"userId": 8}, "/user_id", None),
    ("renamed_key", {"o": {"passengers": 7}}, {"o": {"passenger": 7}}, "/o/passengers", None),
    ("type_mismatch", {"a": 5}, {"a": "5"}, "/a", "coerce_types"),
    ("type_mismatch", {"a": "true"}, {"a": True}, "/a", "coerce_types"),
    ("type_mismatch", {"a": 5}, {"a": "five"}, "/a", None),
    ("type_mismatch", {"a": 5}, {"a": " 5"}, "/a", None),
    ("type_mismatch", {"a": 5}, {"a": "5\n"}, "/a", None),
    ("type_mismatch", {"a": True}, {"a": 1}, "/a", None),
    ("null_vs_missing", {"a": None}, {}, "/a", "null_equals_missing"),
    ("null_vs_missing", {}, {"a": None}, "/a", "null_equals_missing"),
    ("null_vs_missing", {"o": {"a": None}}, {"o": {}}, "/o/a", "null_equals_missing"),
    ("case", {"a": "Oslo"}, {"a": "OSLO"}, "/a", "ignore_case"),
    ("case", {"a": ["Straße"]}, {"a": ["STRASSE"]}, "/a/0", "ignore_case"),
    ("case", {'q"~/\\': "x"}, {'q"~/\\': "X"}, '/q"~0~1\\', "ignore_case"),
    ("whitespace", {"a": "Oslo"}, {"a": " Oslo\n"}, "/a", "strip"),
    ("whitespace", {"a": "a b"}, {"a": "a  b"}, "/a", None),
    ("unicode_form", {"a": "é"}, {"a": "e\u0301"}, "/a", "unicode"),
    ("number_precision", {"a": 0.3}, {"a": 0.1 + 0.2}, "/a", "numeric_tolerance"),
    ("double_encoded", {"a": {"b": 1}}, {"a": '{"b": 1}'}, "/a", "decode_nested_json"),
    ("double_encoded", {"a": "[1]"}, {"a": [1]}, "/a", "decode_nested_json"),
    ("scalar_vs_list", {"a": ["x"]}, {"a": "x"}, "/a", None),
    ("list_order", {"a": [1, 2]}, {"a": [2, 1]}, "/a", "unordered"),
    ("list_order", {"a": [[1, 2]]}, {"a": [[2, 1]]}, "/a/0", "unordered"),
    ("list_length", {"a": [1, 2]}, {"a": [1]}, "/a", None),
    ("value", {"a": 1}, {"a": 2}, "/a", None),
    ("value", {"a": "x"}, {"a": "y"}, "/a", None),
    ("value", {"a": [1, 2]}, {"a": [1, 3]}, "/a/1", None),
]


@pytest.mark.parametrize(("kind", "expected", "actual", "path", "option"), ONE_KIND, ids=str)
def test_a_difference_is_named_and_its_option_accepts_it(
    kind: str, expected: Any, actual: Any, path: str, option: str | None
) -> None:
    (found,) = differences(expected, actual)
    assert (found.kind, found.path, found.tool) == (kind, path, "f")
    assert (found.actual_call, found.expected_call) == (0, 0)
    assert found.message
    if option is None:
        assert found.accept_with is None
    else:
        assert found.accept_with is not None
        given_ = written_option(found.accept_with)
        assert list(given_) == [option]
        assert differences(expected, actual, **given_) == ()


def test_a_side_without_a_value_has_none() -> None:
    (missing,) = differences({"b": 2}, {})
    (extra,) = differences({}, {"b": 2})
    (null,) = differences({"b": None}, {"b": [0]})
    assert (missing.expected, missing.actual) == (2, UNSET)
    assert (extra.expected, extra.actual) == (UNSET, 2)
    assert (null.expected, null.actual) == (None, [0])


def test_values_are_shown_as_they_were_written_also_under_options() -> None:
    found = differences({"a": "  X "}, {"a": "Y"}, strip=True, ignore_case=True)
    assert [(item.expected, item.actual) for item in found] == [("  X ", "Y")]


def test_defaults_have_kinds_of_their_own() -> None:
    tools = [{"name": "f", "parameters": {"properties": {"n": {"default": 5}, "k": {"default": None}}}}]
    for expected, actual, kind in (
        ({"n": 5}, {}, "default_left_out"),
        ({}, {"n": 5.0}, "default_spelled_out"),
    ):
        (item,) = differences(expected, actual, tools=tools)
        assert item.kind == kind
        assert item.accept_with is not None
        assert differences(expected, actual, tools=tools, **written_option(item.accept_with)) == ()


@pytest.mark.parametrize("broken", ["}", "[1]", "7", '"x"', '{"a": NaN}', "{'a': 1}", 7, [1], True])
def test_unreadable_arguments_are_one_difference(broken: Any) -> None:
    (found,) = differences({"a": 1}, broken)
    assert found.kind == "unreadable_arguments"
    assert found.path == ""


def kinds(
    actual: list[Any], expected: list[Any], evaluator: str = "tool_call_accuracy"
) -> list[tuple[str, str]]:
    found = evaluate(evaluator, output=actual, expected=expected).details.differences
    return [(item.kind, item.tool) for item in found]


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def test_calls_without_a_partner() -> None:
    assert kinds([], [call("f")]) == [("missing_call", "f")]
    assert kinds([call("f")], []) == [("extra_call", "f")]
    assert kinds([call("f", a=1), call("f", a=1)], [call("f", a=1)]) == [("duplicate_call", "f")]
    assert kinds([call("f", a=1), call("f", a=2)], [call("f", a=1)]) == [("extra_call", "f")]
    assert kinds([call("web_search", q="x")], [call("shop_search", q="x")]) == [("wrong_tool", "shop_search")]
    assert sorted(kinds([call("x", q="a"), call("y")], [call("z", q="a"), call("w")])) == [
        ("extra_call", "y"),
        ("missing_call", "w"),
        ("wrong_tool", "z"),
    ]
    assert kinds([call("b"), call("a")], [call("a"), call("b")], "tool_call_order") == [
        ("out_of_order", "b")
    ] or kinds([call("b"), call("a")], [call("a"), call("b")], "tool_call_order") == [("out_of_order", "a")]


def test_a_call_that_costs_nothing_is_no_difference() -> None:
    assert kinds([call("f"), call("g")], [call("f")], "tool_call_args") == []
    assert kinds([call("f"), call("g")], [call("f")], "tool_call_order") == []


@given(draw_from.call_lists())
def test_a_perfect_score_has_no_differences_and_an_imperfect_one_has_some(pair: Any) -> None:
    actual, expected = pair
    for evaluator in (
        "tool_call_accuracy",
        "tool_call_args",
        "tool_call_f1",
        "tool_selection",
        "argument_accuracy",
    ):
        result = evaluate(evaluator, output=actual, expected=expected)
        assert (result.score == 1.0) == (not result.details.differences), evaluator


@given(draw_from.argument_pairs(), draw_from.options)
def test_what_a_difference_says_would_accept_it_does(pair: Any, options: dict[str, Any]) -> None:
    expected, actual = pair
    tools = [{"name": "f", "parameters": draw_from.SCHEMA}]
    for item in differences(expected, actual, tools=tools, **options):
        if item.accept_with is None:
            continue
        accepted = written_option(item.accept_with)
        if "args" in options and "args" in accepted:
            continue  # one replaces the other, so what the first accepted comes back
        call_ = {"name": "f", "arguments": expected, "options": accepted}
        result = evaluate(
            "tool_call_accuracy",
            output=[{"name": "f", "arguments": actual}],
            expected=[call_],
            tools=tools,
            **{name: value for name, value in options.items() if name != "args"},
            **({"args": options["args"]} if "args" in options else {}),
        )
        again = [(other.path, other.kind) for other in result.details.differences]
        assert (item.path, item.kind) not in again, item.accept_with


UNITS = [
    {
        "name": "f",
        "parameters": {
            "type": "object",
            "properties": {
                "unit": {"enum": ["celsius", "fahrenheit"]},
                "deep": {"type": "array", "items": {"properties": {"unit": {"enum": ["a", "b"]}}}},
            },
        },
    }
]


def test_a_value_that_the_schema_does_not_allow_is_named_so() -> None:
    (found,) = differences({"unit": "celsius"}, {"unit": "C"}, tools=UNITS)
    assert (found.kind, found.path) == ("enum_variant", "/unit")
    assert "not a value that the tool's schema allows" in found.message
    (found,) = differences({"deep": [{"unit": "a"}]}, {"deep": [{"unit": "x"}]}, tools=UNITS)
    assert (found.kind, found.path) == ("enum_variant", "/deep/0/unit")
    # Another allowed value is simply another value, and so is everything without a schema.
    assert differences({"unit": "celsius"}, {"unit": "fahrenheit"}, tools=UNITS)[0].kind == "value"
    assert differences({"unit": "celsius"}, {"unit": "Rankine"})[0].kind == "value"


@pytest.mark.parametrize(
    ("expected", "actual", "kind"),
    [
        ("2026-03-05", "March 5, 2026", "datetime_format"),
        ("2026-03-05", "05/03/2026", "datetime_format"),
        ("2026-03-05T15:00:00Z", "2026-03-05T16:00:00+01:00", "datetime_format"),
        ("2026-03-05", "2026-03-06", "value"),
        ("2026-03-05", "soon", "value"),
        ("K-20260305", "K-20260306", "value"),
    ],
)
def test_one_moment_in_two_spellings_is_named_so(expected: str, actual: str, kind: str) -> None:
    (found,) = differences({"when": expected}, {"when": actual})
    assert found.kind == kind
    assert found.accept_with is None
