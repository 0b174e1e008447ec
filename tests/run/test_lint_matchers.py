"""Faults that lint finds in matchers, alternatives, accepted values, rules and options; and what it lets pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rightcall.app.cli.root import run
from rightcall.core.schema.tools import read_tools
from rightcall.run.golden.lint import Finding, lint
from rightcall.run.golden.unmeetable import unmeetable
from tests.conftest import ROOT
from tests.run.test_lint import call, found, row

TOOLS = [
    {
        "name": "search",
        "parameters": {
            "type": "object",
            "$defs": {"Place": {"type": "object", "properties": {"lat": {"type": "number"}}}},
            "properties": {
                "q": {"type": "string"},
                "n": {"type": "integer", "minimum": 1, "maximum": 100},
                "unit": {"enum": ["m", "km"]},
                "near": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}]},
                "box": {"$ref": "#/$defs/Place"},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["q"],
            "additionalProperties": False,
        },
    },
    {"name": "pay", "parameters": {"type": "object", "properties": {"amount": {"type": "number"}}}},
]


def faults(tmp_path: Path, *rows: Any, tools: Any = TOOLS) -> list[Finding]:
    found(tmp_path, *rows)  # writes the set
    return list(lint(str(tmp_path / "gold.jsonl"), tools=None if tools is None else read_tools(tools)))


@pytest.mark.parametrize(
    ("case", "wanted", "words"),
    [
        # alternatives
        (
            row(call(q="a") | {"alternatives": [call("pya", amount=1)]}),
            ("error", "unknown_tool"),
            "did you mean 'pay'",
        ),
        (row(call(q="a") | {"alternatives": [call(q=5)]}), ("error", "schema"), "q 5 is not"),
        (row(call(q="a") | {"alternatives": [call(q={"$onof": ["a"]})]}), ("error", "unreadable"), "$one_of"),
        (row(call(q="a") | {"count": {"min": 2}}, call(q=5)), ("error", "schema"), "q 5 is not"),
        (row(call(q="a") | {"alternatives": [call(q="a")]}), ("warning", "duplicate_alternative"), "repeats"),
        (
            row(call(q="a") | {"alternatives": [call(q="b"), call(q="b")]}),
            ("warning", "duplicate_alternative"),
            "repeats",
        ),
        # matchers that nothing can meet
        (
            row(call(q="a", n={"$type": "string"})),
            ("error", "unmeetable"),
            "n: $type takes no value of the schema's type (integer)",
        ),
        (row(call(q="a", n={"$one_of": ["r", "s"]})), ("error", "unmeetable"), "n: $one_of takes no value"),
        (row(call(q="a", n={"$one_of": [500, 600]})), ("error", "schema"), "allows none: 500, 600"),
        (row(call(q="a", n={"$one_of": [5, 600]})), ("warning", "schema"), "allows not: 600"),
        (
            row(call(q="a", n={"$range": [500, 900]})),
            ("error", "unmeetable"),
            "outside the schema's bounds (1..100)",
        ),
        (row(call(q="a", n={"$range": [None, 0]})), ("error", "unmeetable"), "outside"),
        (row(call(q={"$not": {"$any": True}})), ("error", "unmeetable"), "q: $not takes no value at all"),
        (row(call(q={"$not": {"$type": "string"}})), ("error", "unmeetable"), "q: $not"),
        (row(call(q={"$schema": False})), ("error", "unmeetable"), "q: $schema takes no value at all"),
        (row(call(q={"$schema": {"type": "integer"}})), ("error", "unmeetable"), "q: $schema"),
        (
            row(call(q="a", unit={"$regex": "^mile"})),
            ("error", "unmeetable"),
            "unit: $regex takes none of the values",
        ),
        (row(call(q="a", unit={"$not": {"$one_of": ["m", "km"]}})), ("error", "unmeetable"), "unit: $not"),
        (row(call(q="a", near={"lat": {"$type": "boolean"}})), ("error", "unmeetable"), "near/lat"),
        (row(call(q="a", near={"$regex": "x"})), ("error", "unmeetable"), "null or object"),
        (row(call(q="a", tags=["b", {"$range": [1, 2]}])), ("error", "unmeetable"), "tags/1"),
        (row(call(q="a", n={"$optional": {"$type": "null"}})), ("error", "unmeetable"), "n: $type"),
        (row(call(q={"$absent": True})), ("error", "schema"), "required property"),
        (row(call(q="a", near={"$at_least": {"lat": {"$text": "x"}}})), ("error", "unmeetable"), "near/lat"),
        # beside a matcher
        (row(call(q="a", box={"lat": "x", "lon": {"$any": True}})), ("error", "schema"), "box/lat"),
        (row(call(q="a", tags=[{"$any": True}, 5])), ("error", "schema"), "tags/1 5 is not"),
        # accepted values
        (
            {"id": "r1", "expected_any": [{"search": {"q": ["a"], "n": ["5", 6, ""]}}]},
            ("warning", "schema"),
            "of the accepted values the schema allows not: '5'",
        ),
        ({"id": "r1", "expected_any": [{"search": {"q": [5]}}]}, ("error", "schema"), "allows none: 5"),
        # counts and forbidden tools
        (
            row(call("pay"), expected_counts={"pay": 0}),
            ("error", "contradiction"),
            "'pay' is to be called 0 times by the counts, and 1",
        ),
        (row(call("pay"), expected_counts={"pay": [">=", 2]}), ("error", "contradiction"), "at least 2"),
        (row(call("pay"), expected_counts={"pay": ["!=", 1]}), ("error", "contradiction"), "not 1"),
        (row(call("pay"), forbidden=["*"]), ("error", "contradiction"), "'*' is forbidden"),
        (row(call("pay"), forbidden=["p?y"]), ("error", "contradiction"), "'p?y' is forbidden"),
        (
            row(
                call("pay", amount=7),
                forbidden=[{"name": "pay", "arguments": {"amount": {"$range": [5, None]}}}],
            ),
            ("error", "contradiction"),
            "with these arguments",
        ),
        (
            row(call("pay") | {"optional": True}, call(q="a"), forbidden=["pay"]),
            ("warning", "contradiction"),
            "'pay'",
        ),
        (
            row(call(q="a") | {"alternatives": [call("pay")]}, forbidden=["pay"]),
            ("warning", "contradiction"),
            "'pay'",
        ),
        (row(call("pay"), forbidden=["delete_*"]), ("warning", "unknown_tool"), "nobody offers"),
        # options, spelling, tools
        (
            row(call(q="a") | {"options": {"ignore": ["/qq"]}}),
            ("warning", "unknown_path"),
            "did you mean '/q'",
        ),
        (
            row(call(q="a") | {"options": {"unordered": ["/list"]}}),
            ("warning", "unknown_path"),
            "'/list' leads to no argument",
        ),
        (
            row(call("pay", amount={"a": 1, "$any": True})),
            ("warning", "no_matcher"),
            "in amount a key names a matcher",
        ),
        (
            row(call("pay", amount=1) | {"arguments": {"amount": 1, "$one_of": [1]}}),
            ("warning", "no_matcher"),
            "it is not the first",
        ),
        (
            '{"id": "r1", "expected": [{"name": "pay", "arguments": {"amount": 1, "amount": 2}}]}',
            ("error", "repeated_key"),
            "'amount' stands twice",
        ),
        ('{"id": "r1", "id": "r2", "expected": [{"name": "pay"}]}', ("error", "repeated_key"), "'id'"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_each_fault_is_found_and_named(
    tmp_path: Path, case: Any, wanted: tuple[str, str], words: str
) -> None:
    told = [item for item in faults(tmp_path, case) if (item.severity, item.kind) == wanted]
    assert told, faults(tmp_path, case)
    assert any(words in item.message for item in told), [item.message for item in told]
    assert told[0].source.line == 1


@pytest.mark.parametrize(
    "case",
    [
        row(call(q="a") | {"alternatives": [call("pay", amount=1)]}),
        row(call(q={"$one_of": ["a", {"$regex": "^b"}]}, n={"$range": [50, 500]}, unit={"$not": "m"})),
        row(call(q={"$not": "a"}, n={"$optional": {"$type": "number"}}, near={"$type": ["object", "null"]})),
        row(call(q={"$any": True}, near={"lat": {"$approx": 1.5}}, tags={"$unordered": ["a", "b"]})),
        row(call(q={"$schema": {"minLength": 1}}, tags={"$contains": "a"}, n={"$absent": True})),
        row(call(q={"$datetime": "2026-03-05"}, near={"$semantic": "here"})),
        row(call(q={"$literal": "a"}, n={"$one_of": [1, 2]})),
        {"id": "r1", "expected_any": [{"search": {"q": ["a", ""], "n": [5, ""]}}]},
        row(call("pay"), expected_counts={"pay": 1, "search": 2}),
        row(call("pay") | {"count": {"min": 1, "max": 3}}, expected_counts={"pay": [">", 2]}),
        row(
            call("pay", amount=3), forbidden=[{"name": "pay", "arguments": {"amount": {"$range": [5, None]}}}]
        ),
        row(expected_counts={"pay": 0}, forbidden=["*"]),
        row(call(q="a") | {"options": {"ignore": ["/q", "/near/lat", "/tags/*"], "unordered": ["/tags"]}}),
        {"id": "r1", "expected_any_of": [[call("pay")], [call(q="a")]], "expected_counts": {"pay": 0}},
        row({"name": "pay", "arguments": '{"amount": 1}'}),
    ],
    ids=lambda value: str(value)[:60],
)
def test_what_is_right_is_let_pass(tmp_path: Path, case: Any) -> None:
    assert faults(tmp_path, case) == []


def test_matchers_that_take_nothing_are_found_without_tools(tmp_path: Path) -> None:
    told = faults(tmp_path, row(call(q={"$not": {"$any": True}}), call(q={"$type": "string"})), tools=None)
    assert [item.kind for item in told] == ["unmeetable"]


def test_two_tools_of_one_name_are_told_once(tmp_path: Path) -> None:
    rows = [row(call(q="a"), id=name) for name in ("1", "2")]
    told = faults(tmp_path, *rows, tools=[TOOLS[0], TOOLS[0]])
    assert [(item.severity, item.kind) for item in told] == [("warning", "repeated_tool")]
    told = faults(tmp_path, *rows, tools=[TOOLS[0], {"name": "search"}])
    assert [(item.severity, item.kind, item.case) for item in told] == [("error", "repeated_tool", "1")]


def test_of_what_can_be_met_nothing_is_said() -> None:
    schema = {"properties": {"a": {"oneOf": [{"type": "string"}, {"type": "integer"}]}, "b": {"$ref": "#"}}}
    from rightcall.core.matcher import parse_expected

    for matcher in ({"$regex": "x"}, {"$range": [1, 2]}, {"$type": "string"}, {"$not": {"$type": "string"}}):
        for value in ({"a": matcher}, {"b": {"a": matcher}}, {"c": matcher}):
            assert list(unmeetable(parse_expected(value, ""), schema)) == []
    assert len(list(unmeetable(parse_expected({"b": {"a": {"$type": "null"}}}, ""), schema))) == 1


def test_the_examples_hold_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("travel", "shop"):
        folder = ROOT / "examples" / name
        assert run(("lint", str(folder / "cases.jsonl"), "--tools", str(folder / "tools.json"))) == 0
        assert "0 errors" in capsys.readouterr().out


def paths(*each: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    return {"id": "r1", "expected_any_of": list(each)} | fields


@pytest.mark.parametrize(
    ("case", "wanted", "words"),
    [
        (row(call(q="a", n={"$range": [1.5, 1.7]})), ("error", "unmeetable"), "$range takes no whole number"),
        (row(call(q="a", n={"$approx": 1.5, "abs": 0.2})), ("error", "unmeetable"), "$approx takes no whole"),
        (
            row(call(q="$any")),
            ("warning", "no_matcher"),
            """'$any' is a plain text here, no matcher; write {"$any":true}""",
        ),
        (row(call(q="a", tags=["$regex"])), ("warning", "no_matcher"), "tags/0: '$regex' is a plain text"),
        (row(call(q='{"$any": true}')), ("warning", "no_matcher"), "write the object itself"),
        (
            paths([call(q="a", n=1)], [call(n=1.0, q="a")]),
            ("warning", "duplicate_path"),
            "the same as path 1",
        ),
        (
            paths([call(q="a")], [call(q="b")], forbidden=["search"]),
            ("error", "contradiction"),
            "'search' is expected and forbidden",
        ),
        (
            row(call(q="a") | {"options": {"ignore_case": ["/qq"]}}),
            ("warning", "unknown_path"),
            "ignore_case '/qq' leads to no argument",
        ),
        (
            row(call(q="a") | {"options": {"numeric_tolerance": {"/zz": 1}}}),
            ("warning", "unknown_path"),
            "numeric_tolerance '/zz' leads to no argument",
        ),
        (row(call(q="a"), expected_counts={"serch": 1}), ("error", "unknown_tool"), "did you mean 'search'?"),
    ],
)
def test_what_a_newcomer_gets_wrong(tmp_path: Path, case: Any, wanted: tuple[str, str], words: str) -> None:
    told = faults(tmp_path, case)
    assert [(item.severity, item.kind) for item in told] == [wanted]
    assert words in told[0].message


@pytest.mark.parametrize(
    "case",
    [
        row(call(q="a", n={"$range": [1.5, 2]})),
        row(call(q="a", n={"$range": [1.5, None]})),
        row(call(q="a", n={"$approx": 2.1, "abs": 0.2})),
        row(call("pay", amount={"$range": [1.5, 1.7]})),
        row(call(q={"$literal": "$any"})),
        row(call(q="$anything")),
        row(call(q="$5")),
        row(call(q='{"a": 1}')),
        paths([call(q="a")], [call(q="a") | {"optional": True}]),
        paths([call(q="a")], [call("pay")], forbidden=[{"name": "search", "arguments": {"q": "b"}}]),
        row(call(q="a") | {"options": {"numeric_tolerance": {"rel": 0.1}, "ignore_case": ["/q"]}}),
    ],
)
def test_what_only_looks_like_it_is_let_pass(tmp_path: Path, case: Any) -> None:
    assert faults(tmp_path, case) == []


def test_cases_that_differ_in_more_than_their_calls_are_no_duplicates(tmp_path: Path) -> None:
    one = row(call(q="a"), input="?")
    others = [
        {**one, "id": "r2", "forbidden": ["pay"]},
        row(call(q="a") | {"optional": True}, id="r3", input="?"),
    ]
    assert faults(tmp_path, one, *others) == []
    assert [item.kind for item in faults(tmp_path, one, {**one, "id": "r2"})] == ["duplicate_case"]
