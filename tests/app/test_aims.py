"""Options that hit nothing are told at the end of a run: they look as if they did something."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rightcall

ROW = {
    "id": "a",
    "tool_calls": [{"name": "search", "arguments": {"query": "x", "request_id": 1, "items": [{"id": 1}]}}],
    "expected_tool_calls": [
        {"name": "search", "arguments": {"query": "x", "request_id": 2, "items": [{"id": 1}]}}
    ],
}


def warnings(options: dict[str, Any], *rows: dict[str, Any]) -> tuple[str, ...]:
    return rightcall.evaluate_cases(rows or (ROW, ROW), "tool_call_args", **options).warnings


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"per_tool": {"serch": {"args": "ignore"}}},
            "per_tool: no case has a tool 'serch'; did you mean 'search'?",
        ),
        (
            {"ignore": ["/reqest_id"]},
            "ignore: '/reqest_id' leads to no argument of any case; did you mean '/request_id'?",
        ),
        ({"ignore_case": ["/nothing"]}, "ignore_case: '/nothing' leads to no argument of any case"),
        (
            {"numeric_tolerance": {"/item/*/id": 1}},
            "numeric_tolerance: '/item/*/id' leads to no argument of any case; did you mean '/items/*/id'?",
        ),
        (
            {"tool_call_args": {"per_tool": {"search": {"strip": ["/querry"]}}}},
            "per_tool.search.strip: '/querry' leads to no argument of any case; did you mean '/query'?",
        ),
    ],
)
def test_an_option_that_hits_nothing_is_told(options: dict[str, Any], told: str):
    assert warnings(options) == (told,)


@pytest.mark.parametrize(
    "options",
    [
        {"ignore": ["/request_id", "/items/*/id", "/items/0/id"]},
        {"per_tool": {"search": {"ignore_case": ["/query"]}}},
        {"per_tool": {"mcp__search": {"args": "ignore"}}, "strip_name_prefix": "mcp__"},
        {"numeric_tolerance": 0.1, "ignore_case": True},
    ],
)
def test_an_option_that_hits_something_is_not(options: dict[str, Any]):
    assert warnings(options) == ()


def test_a_tool_that_is_offered_or_only_expected_is_there():
    row = {
        **ROW,
        "tools": [{"name": "pay"}],
        "expected_tool_calls": [{"name": "book", "arguments": {"n": 1}}],
    }
    given = {"pay": {"args": "ignore"}, "book": {"ignore": ["/n"]}}
    assert warnings({"per_tool": given}, row) == ()


def test_what_lies_in_a_matcher_or_in_a_json_text_may_be_there():
    expected = [{"name": "f", "arguments": {"a": {"$at_least": {"b": 1}}, "c": '{"d": 1}'}}]
    row = {"tool_calls": [{"name": "f", "arguments": {"c": 1}}], "expected": expected}
    assert warnings({"ignore_case": ["/a/b", "/c/d"]}, row) == ()


def test_a_run_tells_it_however_many_processes_score(call: Callable[..., Any], tmp_path: Path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({**ROW, "id": f"r{n}"}) + "\n" for n in range(3000)))
    options = ("--option", 'ignore=["/reqest_id", "/request_id"]', "--option", 'per_tool={"serch":{}}')
    for more in ((), ("--workers", "2"), ("--out", str(tmp_path / "run"))):
        done = call("run", str(rows), "-e", "tool_call_args", *options, *more)
        assert done.code == 0
        text = " ".join(done.out.split())
        assert "warning: ignore: '/reqest_id' leads to no argument of any case; did you mean" in text
        assert "warning: per_tool: no case has a tool 'serch'; did you mean 'search'?" in text
        assert "'/request_id' leads" not in text
    assert "reqest_id" in (tmp_path / "run" / "summary.json").read_text()


def test_a_gate_on_a_misspelled_tag_or_tool_names_the_nearest(call: Callable[..., Any], tmp_path: Path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({**ROW, "tags": ["refunds", "eu"]}) + "\n")
    gates = ("@tag:refund=0.1", "@tool:serch=0.1", "@tag:eu=0", "@tool:search=0")
    words = [word for gate in gates for word in ("--fail-under", gate)]
    done = call("run", str(rows), "-e", "tool_call_args", *words)
    assert done.code == 1
    text = " ".join(done.out.split())
    assert "warning: @tag:refund: no case has this tag; did you mean 'refunds'?" in text
    assert "warning: @tool:serch: no case has a tool 'serch'; did you mean 'search'?" in text
    assert text.count("warning: @") == 2
