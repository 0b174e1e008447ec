"""What help and tables say, and how they fit a narrow screen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rightcall.run.sets import list_evaluators

F = [{"name": "f", "arguments": {}}]
GOOD = {"tool_calls": F, "expected_tool_calls": F}


def write(*rows: Any) -> None:
    Path("cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def plain(words: str) -> str:
    return " ".join(words.split())


def test_help_names_what_can_be_given(call: Callable[..., Any]):
    shown = plain(call("run", "--help").out)
    for words in (
        "Standard input is JSON Lines or JSON",
        "Fields: tool_calls, actual, output, expected_tool_calls, expected, id, tools",
        "rightcall.toml",
        "[tool.rightcall]",
        "Flags win, then the environment (RIGHTCALL_SUITE",
        'suite = "agent" fail_under = { tool_call_accuracy = 0.8 }',
    ):
        assert words in shown


def test_the_settings_in_the_help_work_when_pasted(call: Callable[..., Any]):
    lines = call("run", "--help").out.splitlines()
    found = [line.strip() for line in lines if line.strip().startswith(("suite = ", "fail_under = "))]
    Path("rightcall.toml").write_text("\n".join(found) + "\n")
    write({"id": "r", **GOOD})
    done = call("run", "cases.jsonl")
    assert (done.code, "fail under: mean of tool_call_accuracy" in done.out) == (0, True)


def test_the_exit_codes_of_eval_are_those_of_its_help(call: Callable[..., Any]):
    assert "Exit codes: 0 it passes; 1 it does not" in plain(call("eval", "--help").out)
    codes = [
        call("eval", *words).code
        for words in (
            ("tool_call_args", "--output", "[]", "--expected", "[]"),
            ("tool_call_args", "--output", "[]", "--expected", json.dumps(F)),
            ("tool_call_arg", "--output", "[]"),
            ("tool_call_args", "--output", "[", "--expected", "[]"),
        )
    ]
    assert codes == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["as_json", "data", "option", "nothing"])
def test_a_configuration_file_knows_no_inner_names(call: Callable[..., Any], name: str):
    write({"id": "r", **GOOD})
    Path("rightcall.toml").write_text(f"{name} = true\n")
    done = call("run", "cases.jsonl", "-e", "tool_call_args")
    assert done.code == 2
    known = done.err.partition("(")[2]
    assert "as_json" not in known
    assert "data" not in known


@pytest.mark.parametrize("width", range(70, 130, 6))
def test_names_and_numbers_are_not_broken(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, width: int
):
    monkeypatch.setenv("COLUMNS", str(width))
    write({"id": "a", **GOOD}, {"id": "b", "tool_calls": F}, {"id": "c", "tool_calls": 1})
    names = ("tool_call_accuracy", "tool_call_args", "tool_call_order", "tool_call_count")
    run = call("run", "cases.jsonl", "--suite", "agent", "--out", "o")
    for shown in (run.out, call("explain", "o").out, call("explain", "o", "b").out):
        lines = shown.splitlines()
        assert all(any(line.startswith(f"{name} ") for line in lines) for name in names), shown
    assert " 1.000 " in run.out
    assert " 50.0%" in run.out
    listed = call("evaluators").out.splitlines()
    assert all(any(line.startswith(f"{name} ") for line in listed) for name in list_evaluators())


def test_shares_over_several_evaluators_say_so(call: Callable[..., Any]):
    write({"id": "a", **GOOD, "tool_calls": []})
    suite = ("run", "cases.jsonl", "--suite", "agent", "--out", "o", "--report", "md")
    for shown in (call(*suite).out, call("explain", "o").out, Path("o/report.md").read_text()):
        assert "What the points were lost to, over all 5 evaluators" in shown
    assert "over all" not in call("run", "cases.jsonl", "-e", "tool_call_args").out


@pytest.mark.parametrize(
    ("flags", "word"),
    [
        ((), "missed"),
        (("--no-gate",), "scored"),
        (("--fail-under", "0"), "met"),
        (("--no-gate", "--fail-under", "1"), "missed"),
    ],
)
def test_the_page_for_a_pull_request_says_met_only_of_gates(
    call: Callable[..., Any], flags: tuple[str, ...], word: str
):
    write({"id": "a", **GOOD}, {"id": "b", **GOOD, "tool_calls": []})
    call("run", "cases.jsonl", "-e", "tool_call_args", "--out", "o", "--report", "md", *flags)
    assert Path("o/report.md").read_text().startswith(f"### rightcall: {word}\n")
