"""A line that can't be read costs no other: it is named with its place, and the command ends with 3."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from rightcall.run.intake.tables import looks_like_a_table

COMMANDS = (
    ("record", "--out", "gold.jsonl"),
    ("convert", "--to", "native", "--out", "gold.jsonl"),
)


def chat(name: str, arguments: str = "{}", tool: str = "find") -> str:
    made = {"id": "t", "type": "function", "function": {"name": tool, "arguments": arguments}}
    asked = {"role": "user", "content": f"look for {name}"}
    return json.dumps({"id": name, "messages": [asked, {"role": "assistant", "tool_calls": [made]}]})


def ids(path: str) -> list[str]:
    return [json.loads(line)["id"] for line in Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("command", "options"), [(name, more) for name, *more in COMMANDS])
def test_all_else_is_written(call: Callable[..., Any], command: str, options: list[str]) -> None:
    text = [chat("a"), '{"messages": [', chat("b"), '"x', chat("broken", tool=""), chat("c")]
    Path("log.jsonl").write_text("\n".join(text), encoding="utf-8")
    done = call(command, "log.jsonl", *options)
    assert done.code == 3
    assert ids("gold.jsonl") == ["a", "b", "c"]
    errors = [line for line in done.err.splitlines() if line.startswith("error: ")]
    assert [line.split(":")[1] for line in errors] == [f" log.jsonl line {number}" for number in (2, 4, 5)]
    assert all(line.count("line ") == 1 for line in errors)


@pytest.mark.parametrize(("command", "options"), [(name, more) for name, *more in COMMANDS])
def test_of_many_the_first_are_named_and_all_counted(
    call: Callable[..., Any], command: str, options: list[str]
) -> None:
    Path("log.jsonl").write_text("\n".join([chat("a"), *["{"] * 2000, chat("b")]), encoding="utf-8")
    done = call(command, "log.jsonl", *options)
    assert (done.code, ids("gold.jsonl")) == (3, ["a", "b"])
    assert done.err.count("error: log.jsonl line ") == 5
    assert "and 1,995 more items can't be read" in done.err


@pytest.mark.parametrize(("command", "options"), [(name, more) for name, *more in COMMANDS])
@pytest.mark.parametrize("text", ["{\n[\n{", chat("broken", tool=""), "{", '{"messages": 1}\n[7]'])
def test_of_nothing_that_can_be_read_nothing_is_written(
    call: Callable[..., Any], command: str, options: list[str], text: str
) -> None:
    Path("log.jsonl").write_text(text, encoding="utf-8")
    done = call(command, "log.jsonl", *options)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert not Path("gold.jsonl").exists()
    assert call("formats", "detect", "log.jsonl").code == 3


def test_arguments_that_nothing_could_equal_cost_one_case(call: Callable[..., Any]) -> None:
    text = [chat("a"), chat("odd", arguments="{"), chat("b")]
    Path("log.jsonl").write_text("\n".join(text), encoding="utf-8")
    done = call("record", "log.jsonl", "--out", "gold.jsonl")
    assert (done.code, ids("gold.jsonl")) == (3, ["a", "b"])
    assert "error: odd: the arguments of 'find' can't be read" in done.err
    Path("log.jsonl").write_text(text[1], encoding="utf-8")
    done = call("record", "log.jsonl", "--out", "none.jsonl")
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert not Path("none.jsonl").exists()


def test_golden_cases_and_a_run_count_recordings_alike(call: Callable[..., Any]) -> None:
    text = [chat("a"), "{", chat("b", tool=""), chat("c")]
    unnamed = [line.replace('"id": "a"', '"x": 1').replace('"id": "c"', '"x": 2') for line in text]
    Path("log.jsonl").write_text("\n".join(unnamed), encoding="utf-8")
    assert call("record", "log.jsonl", "--out", "gold.jsonl").code == 3
    assert ids("gold.jsonl") == ["case-1", "case-3"]
    asked = ["run", "log.jsonl", "--expected", "gold.jsonl", "-e", "tool_call_args", "--no-gate"]
    done = call(*asked, "--out", "out", "--report", "junit")
    assert "error in case log.jsonl:2: log.jsonl line 2: not valid JSON" in done.err
    assert "log.jsonl line 3: messages[1]" in done.err
    rows = [json.loads(line) for line in Path("out/results.jsonl").read_text().splitlines()]
    assert [(row["id"], row["row"]["line"], row["status"]) for row in rows] == [
        *(("case-1", 1, "scored"), ("b", 3, "error"), ("case-3", 4, "scored"), ("log.jsonl:2", 2, "error")),
    ]
    cases = ET.parse("out/junit.xml").getroot().iter("testcase")  # noqa: S314 - our own
    assert {case.get("line") for case in cases} == {"1", "2", "3", "4"}


def test_detect_tells_what_can_be_read_and_what_not(call: Callable[..., Any]) -> None:
    Path("log.jsonl").write_text("\n".join([chat("a"), "{", chat("b")]), encoding="utf-8")
    done = call("formats", "detect", "log.jsonl")
    assert done.code == 3
    assert "openai_chat" in done.out
    assert "2 recordings, 2 calls" in done.out
    assert "error: log.jsonl line 2: not valid JSON" in done.err
    done = call("formats", "detect", "log.jsonl", "--json")
    told = json.loads(done.out)
    assert done.code == 3
    assert [trace["id"] for trace in told["traces"]] == ["a", "b"]
    assert [each["line"] for each in told["unread"]] == [2]


def stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


TABLE = """id,tool_calls,expected_tool_calls
a,"[{""name"": ""f"", ""arguments"": {}}]","[{""name"": ""f"", ""arguments"": {}}]"
b,[],[]
"""


@pytest.mark.parametrize("text", [TABLE, TABLE.replace(",", ";"), "frage,aufruf\nx,[]\n"])
@pytest.mark.parametrize("more", [(), ("--map", "actual=tool_calls")])
def test_a_table_on_standard_input_is_told_as_such(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, text: str, more: tuple[str, ...]
) -> None:
    stdin(monkeypatch, text)
    done = call("run", "-", "-e", "tool_call_accuracy", *more)
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert "standard input is read as JSON or JSON Lines" in done.err
    assert "give CSV as a file" in done.err


@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize("quoted", [False, True])
def test_a_table_with_another_separator_is_read(
    call: Callable[..., Any],
    separator: str,
    quoted: bool,
) -> None:
    with Path("cases.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(
            file, delimiter=separator, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
        ).writerows(csv.reader(io.StringIO(TABLE)))
    done = call("run", "cases.csv", "-e", "tool_call_accuracy", "--out", "out")
    assert done.code == 0, done.err
    written = [json.loads(line) for line in Path("out/results.jsonl").read_text().splitlines()]
    assert [(row["id"], row["score"], row["row"]["line"]) for row in written] == [
        ("a", 1.0, 2),
        ("b", 1.0, 3),
    ]
    assert call("explain", "out", "a").code == 0


def test_a_cell_too_many_tells_the_separator(call: Callable[..., Any]) -> None:
    Path("cases.csv").write_text("id;tool_calls\na;[]\nb;[];x\n", encoding="utf-8")
    done = call("run", "cases.csv", "-e", "tool_call_accuracy")
    assert "cases.csv line 3: 3 cells under 2 columns, separated by ';'" in done.err


@pytest.mark.parametrize(
    "text", ["Hello, world\nand so on, and on", "a\nb", "", "get(a=1, b=2)\nput(a=1, b=2)", "id,x\na"]
)
def test_prose_and_calls_are_no_table(text: str) -> None:
    assert not looks_like_a_table(text)


@pytest.mark.parametrize("command", [*COMMANDS, ("formats", "detect")])
def test_a_table_is_for_the_command_that_scores(call: Callable[..., Any], command: tuple[str, ...]) -> None:
    Path("cases.csv").write_text(TABLE, encoding="utf-8")
    name, *options = command
    done = call(*command, "cases.csv") if name == "formats" else call(name, "cases.csv", *options)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "cases.csv looks like a table (a table of cases is for `rightcall run`" in done.err
