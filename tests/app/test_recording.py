"""From recordings to golden sets and back: what is left out is told, and what does not belong together too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def recording(name: str | None, *tools: str, asks: str = "hi") -> str:
    calls = [{"name": tool, "arguments": {"a": 1}} for tool in tools]
    made = [
        {"id": str(n), "type": "function", "function": {**call, "arguments": "{}"}}
        for n, call in enumerate(calls)
    ]
    answer = (
        {"role": "assistant", "content": "", "tool_calls": made}
        if made
        else {"role": "assistant", "content": "no"}
    )
    found = {"messages": [{"role": "user", "content": asks}, answer]}
    return json.dumps(found if name is None else {"id": name, **found})


def rows_of(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_tools_to_keep_that_no_call_has_are_told_and_nothing_is_written(call: Callable[..., Any]) -> None:
    Path("log.jsonl").write_text("\n".join([recording("a", "get_x"), recording("b", "get_y", "send")]))
    done = call("record", "log.jsonl", "--out", "gold.jsonl", "--keep-tools", "gte_*")
    assert (done.code, done.out) == (3, "")
    assert done.err.count("\n") == 1
    assert "keeps no call of log.jsonl; nothing was written (its tools: get_x, get_y, send)" in done.err
    assert not Path("gold.jsonl").exists()


def test_cases_of_which_nothing_is_kept_are_left_out(call: Callable[..., Any]) -> None:
    Path("log.jsonl").write_text(
        "\n".join(
            [recording("a", "get_x"), recording("b", "get_y", "send"), recording("c", "send"), recording("d")]
        )
    )
    done = call("record", "log.jsonl", "--out", "gold.jsonl", "--keep-tools", "get_*,gte_*")
    assert done.code == 0
    assert [(row["id"], len(row["expected_tool_calls"])) for row in rows_of("gold.jsonl")] == [
        *(("a", 1), ("b", 1)),
    ]
    assert "warning: no call is of a tool 'gte_*'" in done.out
    assert "warning: 1 recording is no case, since no call of it was kept" in done.out
    assert "2 calls of other tools left out" in done.out
    assert "tool_call_args" in done.out
    assert call("run", "log.jsonl", "--expected", "gold.jsonl", "-e", "tool_call_args", "--no-gate").code == 0
    done = call("record", "log.jsonl", "--out", "all.jsonl")
    assert "tool_call_args" not in done.out
    assert "was kept" not in done.out


@pytest.mark.parametrize("data", ["", " \n"])
def test_a_file_without_recordings_makes_no_golden_set(call: Callable[..., Any], data: str) -> None:
    Path("log.jsonl").write_text(data)
    done = call("record", "log.jsonl", "--out", "gold.jsonl")
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "holds no recording" in done.err
    assert not Path("gold.jsonl").exists()


def joined(call: Callable[..., Any], *asked: str) -> str:
    Path("runs.jsonl").write_text("\n".join(recording(None, "f", asks=text) for text in asked))
    done = call("run", "runs.jsonl", "--expected", "gold.jsonl", "-e", "tool_call_args", "--no-gate")
    assert done.code == 0, done.err
    out: str = done.out
    return " ".join(out.split())


def test_joined_cases_that_ask_something_else_are_told(call: Callable[..., Any]) -> None:
    Path("log.jsonl").write_text(
        "\n".join(recording(None, "f", asks=text) for text in ("one", "two", "three"))
    )
    assert call("record", "log.jsonl", "--out", "gold.jsonl").code == 0
    assert "something else" not in joined(call, "one", " two\n", "three")
    assert "2 joined cases ask something else than the golden case of the same id" in joined(
        call, "one", "three", "two"
    )
    told = joined(call, "one", "two " + "x" * 500, "three")
    assert "1 joined case asks something else" in told
    assert "first 'case-2': 'two xxxx" in told
    assert "golden 'two'" in told
    assert "x" * 100 not in told


def test_calls_whose_arguments_were_not_captured_are_no_golden_set(call: Callable[..., Any]) -> None:
    def ran(trace: str, **more: str) -> str:
        told = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "f", **more}
        return json.dumps({"name": "x", "context": {"trace_id": trace, "span_id": trace}, "attributes": told})

    Path("log.jsonl").write_text(ran("71"))
    done = call("record", "log.jsonl", "--out", "gold.jsonl")
    assert done.code == 3
    assert "the arguments of 'f' were not captured" in done.err
    assert not Path("gold.jsonl").exists()
    Path("log.jsonl").write_text("\n".join([ran("71"), ran("72", **{"gen_ai.tool.call.arguments": "{}"})]))
    done = call("record", "log.jsonl", "--out", "gold.jsonl")
    assert (done.code, len(rows_of("gold.jsonl"))) == (3, 1)
    assert "were not captured" in done.err


def test_recordings_without_calls_and_what_cant_be_read_are_no_cases(call: Callable[..., Any]) -> None:
    row = {"role": "assistant", "content": "No."}
    good = [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}]
    lines = [json.dumps({"id": "a", "messages": good}), "{broken"]
    lines += [json.dumps({"id": name, "messages": [row]}) for name in "bc"]
    Path("good.jsonl").write_text("\n".join(lines))
    done = call("record", "good.jsonl", "--out", "golden.jsonl")
    assert done.code == 3
    assert [json.loads(line)["id"] for line in Path("golden.jsonl").read_text().splitlines()] == ["a"]
    assert "2 recordings are no cases, since no call of them was made" in done.out
    assert "good.jsonl line 2" in done.err
    Path("silent.jsonl").write_text(lines[-1])
    silent = call("record", "silent.jsonl", "--out", "none.jsonl")
    assert silent.code == 3
    assert "no recording of silent.jsonl holds a call" in silent.err
    assert not Path("none.jsonl").exists()
