"""Rows of recordings name the line of the file on which the recording begins, once, whatever lies around it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rightcall.app.cli.root import run as command_line
from rightcall.core.types import Case
from rightcall.run.dataset import Dataset
from rightcall.run.directory.replay import StoredRun
from rightcall.run.stages import BadCase


def chat(name: str) -> dict[str, Any]:
    made = {"id": "t", "type": "function", "function": {"name": "find", "arguments": json.dumps({"q": name})}}
    asked = {"role": "user", "content": f"look for {name}"}
    return {"id": name, "messages": [asked, {"role": "assistant", "content": None, "tool_calls": [made]}]}


def otlp(*traces: str) -> dict[str, Any]:
    spans = [
        {
            "traceId": trace,
            "spanId": trace,
            "name": "execute_tool find",
            "startTimeUnixNano": "1",
            "attributes": [
                {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}},
                {"key": "gen_ai.tool.name", "value": {"stringValue": "find"}},
                {"key": "gen_ai.tool.call.arguments", "value": {"stringValue": json.dumps({"q": trace})}},
            ],
        }
        for trace in traces
    ]
    return {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}


def rows(place: Path, text: str, name: str = "rec.jsonl") -> list[tuple[str, int | None, str | None]]:
    """Id, line and what is wrong, of each row; the rows are read from a file."""
    file = place / name
    file.write_text(text, encoding="utf-8")
    found: list[tuple[str, int | None, str | None]] = []
    for case in Dataset(str(file)):
        assert case.source is not None
        line = case.source.line
        found.append(
            (case.id.rpartition("/")[2], line, str(case.error) if isinstance(case, BadCase) else None)
        )
    return found


def lines(*items: Any) -> str:
    return "".join((item if isinstance(item, str) else json.dumps(item)) + "\n" for item in items)


def test_a_broken_line_moves_no_other(tmp_path: Path) -> None:
    text = lines(chat("a"), "", chat("b"), '{"messages": [', chat("c"), "", "", chat("d"), "[1")
    a, b, c, d, *broken = rows(tmp_path, text)
    assert (a, b, c, d) == (("a", 1, None), ("b", 3, None), ("c", 5, None), ("d", 8, None))
    assert [(name, line) for name, line, _ in broken] == [("rec.jsonl:4", 4), ("rec.jsonl:9", 9)]
    assert all(said is not None and said.startswith("not valid JSON") for _, _, said in broken)


@pytest.mark.parametrize("blank", ["\n", "\n\n \n", "\n" * 200_000])
def test_blank_lines_are_lines(tmp_path: Path, blank: str) -> None:
    before = blank.count("\n")
    text = blank + lines(chat("a")) + blank + lines(chat("b"), chat("c"))
    found = [("a", before + 1, None), ("b", 2 * before + 2, None), ("c", 2 * before + 3, None)]
    assert rows(tmp_path, text) == found
    text = blank + json.dumps(chat("a"), indent=1)
    assert rows(tmp_path, text, "rec.json") == [("a", before + 1, None)]


def test_what_is_wrong_in_a_recording_is_said_of_its_line_once(tmp_path: Path) -> None:
    bad = chat("bad")
    bad["messages"][1]["tool_calls"][0]["function"]["name"] = ""
    said = [row for row in rows(tmp_path, lines(chat("a"), bad, chat("b"))) if row[2] is not None]
    ((name, line, why),) = said
    assert (name, line) == ("bad", 2)
    assert why is not None
    assert why.startswith("messages[1].tool_calls[0]")


def test_traces_that_share_a_line_name_it(tmp_path: Path) -> None:
    text = lines(otlp("a1", "a2"), otlp("b1", "b2"), otlp("c1", "a2"))
    found = [(name, line) for name, line, _ in rows(tmp_path, text)]
    assert found == [("a1", 1), ("a2", 1), ("b1", 2), ("b2", 2), ("c1", 3)]


def test_a_conversation_over_several_lines_is_on_its_first(tmp_path: Path) -> None:
    messages = [message for name in "ab" for message in chat(name)["messages"]]
    assert rows(tmp_path, lines(*messages)) == [("case-1", 1, None)]
    listed = lines(chat("a")["messages"], chat("b")["messages"], chat("c")["messages"])
    assert rows(tmp_path, listed) == [("case-1", 1, None), ("case-2", 2, None), ("case-3", 3, None)]


def test_the_items_of_a_document_are_on_their_own_lines(tmp_path: Path) -> None:
    items = [chat("a"), chat("b"), chat("c")]
    pretty = json.dumps(items, indent=2)
    at = [number for number, line in enumerate(pretty.split("\n"), 1) if line == "  {"]
    assert [line for _, line, _ in rows(tmp_path, pretty, "rec.json")] == at
    assert [line for _, line, _ in rows(tmp_path, json.dumps(items), "rec.json")] == [1, 1, 1]
    gaps = "[\n\n\n" + ",\n\n".join(map(json.dumps, items)) + "\n]"
    assert [line for _, line, _ in rows(tmp_path, gaps, "rec.json")] == [4, 6, 8]


def test_documents_one_after_the_other_are_on_their_own_lines(tmp_path: Path) -> None:
    texts = [json.dumps(chat(name), indent=2) for name in "abc"]
    size = texts[0].count("\n") + 1
    found = [line for _, line, _ in rows(tmp_path, "\n".join(texts) + "\n")]
    assert found == [1, 1 + size, 1 + 2 * size]


def test_traces_that_share_a_line_are_played_again_each_for_itself(tmp_path: Path) -> None:
    data, gold = tmp_path / "rec.jsonl", tmp_path / "gold.jsonl"
    data.write_text(lines(otlp("a1", "a2"), otlp("b1", "b2")), encoding="utf-8")
    names = ("a1", "a2", "b1", "b2")
    expected = [{"id": name, "expected_tool_calls": [{"name": "find", "arguments": {}}]} for name in names]
    gold.write_text(lines(*expected), encoding="utf-8")
    out = tmp_path / "out"
    asked = ["run", str(data), "--expected", str(gold), "-e", "tool_call_accuracy", "--no-gate", "--out"]
    assert command_line([*asked, str(out)]) == 0
    stored = StoredRun(out)
    plan = stored.plan(("tool_call_accuracy",))
    for name in names:
        (found,) = stored.find(name)
        played = stored.play(found, plan)
        assert played is not None
        assert isinstance(played.case, Case)
        assert [made.arguments for made in played.case.actual or ()] == [{"q": name}]
    assert [again is not None for again in stored.replay(list(stored.cases()), plan)] == [True] * 4
