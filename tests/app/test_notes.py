"""Lines after a run that keep a half-blind run from looking green."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

F = [{"name": "f", "arguments": {}}]
RUN = ("run", "cases.jsonl", "-e", "tool_call_args,tool_call_count")


def write(*rows: dict[str, Any]) -> None:
    Path("cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_run_says_why_some_cases_were_not_evaluated(call: Callable[..., Any]):
    good = {"tool_calls": F, "expected_tool_calls": F}
    write({"id": "a", **good}, {"id": "b", "tool_calls": F, "expcted": F}, {"id": "c", "tool_calls": F})
    done = call(*RUN)
    why = "2 cases were not evaluated; the first is b: no expected calls: nothing to compare with"
    assert done.out.count("not evaluated;") == 1
    assert why in done.out
    assert "warning: case b: the field 'expcted' has no meaning here; did you mean 'expected'?" in done.out


def test_a_run_of_which_nothing_was_evaluated_says_why(call: Callable[..., Any]):
    write({"id": "e", "tool_calls": 42}, {"id": "b", "tool_calls": F})
    done = call(*RUN)
    assert done.code == 3
    assert "1 case was not evaluated; the first is b" in done.out
    write({"id": "b", "tool_calls": F})
    assert "tool_call_args was not evaluated: no expected calls" in call(*RUN).out


def test_an_evaluator_that_lacks_an_input_in_some_cases_is_named(call: Callable[..., Any]):
    pytest.importorskip("jsonschema_rs")
    good = {"tool_calls": F, "expected_tool_calls": F}
    write({"id": "a", **good, "tools": [{"name": "f"}]}, {"id": "b", **good})
    done = call("run", "cases.jsonl", "-e", "tool_call_args,tool_call_valid")
    why = "1 case was not evaluated by tool_call_valid; the first is b: no tool definitions are given"
    assert why in done.out


def test_at_most_three_warnings_of_cases_are_shown_each_once(call: Callable[..., Any]):
    twice = [{"name": "f", "arguments": '{"a": 1, "a": 2}'}]
    rows = [
        {"id": f"r{n}", "tool_calls": twice, "expected_tool_calls": F, f"expected_{n % 5}": n}
        for n in range(200)
    ]
    write(*rows)
    done = call(*RUN, "--no-gate")
    lines = [line for line in done.out.splitlines() if line.startswith("warning: ")]
    assert 1 <= len(lines) <= 3
    assert lines[0].startswith("warning: case r0: ")
    write(*[{"id": "r", "tool_calls": F, "expected_tool_calls": F}])
    assert "warning" not in call(*RUN).out
