"""Faults of golden sets, each from a set that has it; and corrections that make the runs pass once applied."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rightcall.core.schema.tools import read_tools
from rightcall.errors import PathNotFoundError, SourceError
from rightcall.run.golden.corrections import Correction, corrections
from rightcall.run.golden.gold_rows import patch_of
from rightcall.run.golden.lint import Finding, lint
from tests.app.processes import start

TOOLS = [
    {
        "name": "search",
        "parameters": {
            "type": "object",
            "properties": {"q": {"type": "string"}, "limit": {"type": "integer", "maximum": 50}},
            "required": ["q"],
            "additionalProperties": False,
        },
    },
    {"name": "pay", "parameters": {"type": "object", "properties": {"amount": {"type": "number"}}}},
]


def call(name: str = "search", **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def row(*calls: Any, **fields: Any) -> dict[str, Any]:
    return {"id": "r1", "expected_tool_calls": list(calls)} | fields


def found(tmp_path: Path, *rows: Any, tools: bool = True) -> list[Finding]:
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in rows))
    return list(lint(str(gold), tools=read_tools(TOOLS) if tools else None))


def kinds(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(item.severity, item.kind) for item in findings]


def test_a_set_without_faults(tmp_path: Path) -> None:
    assert found(tmp_path, row(call(q="a"), call("pay", amount=5)), row(call(q="b"), id="r2")) == []


@pytest.mark.parametrize(
    ("case", "wanted", "words"),
    [
        (row(call("serach", q="a")), ("error", "unknown_tool"), "did you mean 'search'?"),
        (row(call(q=5)), ("error", "schema"), "q"),
        (row(call(q="a", limit=51)), ("error", "schema"), "50"),
        (row(call(limit=1)), ("error", "schema"), "required"),
        (row(call(q="a", page=1)), ("error", "schema"), "page"),
        (row({"name": "search", "arguments": "{oops"}), ("error", "unreadable"), "search"),
        (row(call(q={"$onof": ["a"]})), ("error", "unreadable"), "$one_of"),
        (row(call(q="a"), call(q="a")), ("warning", "duplicate_call"), "call 1 and 2"),
        (row(expected_counts={"serach": 1}), ("error", "unknown_tool"), "search"),
        (row(call("pay"), forbidden=["pay"]), ("error", "contradiction"), "'pay'"),
        (row(call("pay", forbidden=["x"]), forbidden=["buy"]), ("warning", "unknown_tool"), "'buy'"),
        (
            row(call("pay"), forbidden=[{"name": "x", "arguments": {"a": {"$foo": 1}}}]),
            ("error", "unreadable"),
            "$foo",
        ),
        (
            row(call("pay"), forbidden=[{"name": "x", "argument": {}}]),
            ("error", "unreadable"),
            "'argument' has no meaning",
        ),
        (row(call("pay"), forbidden=[{"tool": "x"}]), ("error", "unreadable"), "is not a tool name"),
        (row(call("pay"), forbidden=[{"name": "pay"}]), ("error", "contradiction"), "'pay'"),
        (row(call("pay"), forbidden=["pay "]), ("warning", "unknown_tool"), "'pay '"),
        (row(expected_counts={"pay": "2"}), ("error", "unreadable"), "is not a count"),
        (row(expected_counts={"pay": ["=>", 1]}), ("error", "unreadable"), "'>='"),
        (row(call("pay") | {"optionl": True}), ("error", "unreadable"), "'optional'"),
        ({"id": "r1", "input": "hi"}, ("error", "nothing_expected"), "no expected calls"),
        ("{broken", ("error", "unreadable"), "JSON"),
        (row(call(q="5f0c3c1e-9d52-4c57-9a58-0f4a3f1a2b11")), ("warning", "momentary_value"), "ignore"),
        (
            row(call(q="a") | {"group": "g"}, call("pay"), call(q="b") | {"group": "g"}),
            ("error", "torn_group"),
            "next to each other",
        ),
    ],
)
def test_each_fault_is_found_and_named(
    tmp_path: Path, case: Any, wanted: tuple[str, str], words: str
) -> None:
    findings = [item for item in found(tmp_path, case) if (item.severity, item.kind) == wanted]
    assert findings, found(tmp_path, case)
    assert words in findings[0].message
    assert findings[0].source.line == 1


def test_ids_that_are_missing_or_given_twice(tmp_path: Path) -> None:
    without = {"expected_tool_calls": [call(q="a")]}
    assert kinds(found(tmp_path, without)) == [("warning", "no_id")]
    twice = found(tmp_path, row(call(q="a")), row(call(q="b")))
    assert kinds(twice) == [("error", "repeated_id")]
    assert kinds(found(tmp_path, row(call(q="a"), trial=0), row(call(q="b"), trial=1))) == []


def test_two_cases_that_ask_and_expect_the_same(tmp_path: Path) -> None:
    rows = [row(call(q="a"), input="find a", id=name) for name in ("r1", "r2")]
    assert kinds(found(tmp_path, *rows)) == [("warning", "duplicate_case")]
    assert found(tmp_path, row(call(q="a")), row(call(q="a"), id="r2")) == []


def test_matchers_are_checked_around_and_not_by_their_stand_ins(tmp_path: Path) -> None:
    fine = row(
        call(q={"$one_of": ["a", "b"]}, limit={"$optional": 5}), call("pay", amount={"$range": [1, 5]})
    )
    assert found(tmp_path, fine) == []
    assert found(tmp_path, row(call(q={"$optional": "a"}))) == []
    assert kinds(found(tmp_path, row(call(q={"$any": True}, page={"$any": True})))) == [("error", "schema")]


def test_a_row_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    findings = found(tmp_path, "[1]", row(call("serach")), "nonsense")
    assert [item.kind for item in findings] == ["unreadable", "unknown_tool", "unreadable"]
    assert [item.source.line for item in findings] == [1, 2, 3]


def made_run(tmp_path: Path, name: str, gold: Path, answers: dict[str, list[Any]]) -> Path:
    data = tmp_path / f"{name}.jsonl"
    data.write_text(
        "".join(json.dumps({"id": id_, "tool_calls": calls}) + "\n" for id_, calls in answers.items())
    )
    words = (
        "run",
        data.name,
        "--expected",
        gold.name,
        "-e",
        "tool_call_accuracy",
        "--out",
        name,
        "--no-gate",
    )
    with start(*words, cwd=tmp_path, stdin=subprocess.DEVNULL) as process:
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return tmp_path / name


def test_what_all_runs_fail_alike_is_proposed_as_a_patch_that_makes_them_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gold = tmp_path / "gold.jsonl"
    rows = [
        row(call(q="a", deep={"x": [1, 2]}), call("pay", amount=5), id="wrong value"),
        row(call(q="b"), id="wrong call"),
        row(call(q="c"), id="agents differ"),
        row(call(q="d"), id="passes"),
        row(call(q="e", limit=3), id="extra and missing"),
    ]
    gold.write_text("".join(json.dumps(item) + "\n" for item in rows))
    alike = {
        "wrong value": [call(q="a", deep={"x": [1, 9]}), call("pay", amount=6)],
        "wrong call": [call("pay", amount=1)],
        "passes": [call(q="d")],
        "extra and missing": [call(q="e", page={"$odd": 1})],
    }
    runs = [
        made_run(tmp_path, "one", gold, alike | {"agents differ": [call(q="x")]}),
        made_run(tmp_path, "two", gold, alike | {"agents differ": [call(q="y")]}),
    ]
    proposed = corrections("gold.jsonl", runs)
    assert [item.case for item in proposed] == ["wrong value", "wrong call", "extra and missing"]
    assert all(item.calls is not None for item in proposed)
    (tmp_path / "fix.patch").write_bytes(patch_of("gold.jsonl", proposed))
    before = gold.read_text()
    subprocess.run(["git", "apply", "-p0", "--unsafe-paths", "fix.patch"], cwd=tmp_path, check=True)
    after = gold.read_text()
    assert [a == b for a, b in zip(before.splitlines(), after.splitlines(), strict=True)] == [
        *(False, False),
        *(True, True, False),
    ]
    fixed = made_run(tmp_path, "three", gold, alike | {"agents differ": [call(q="x")]})
    assert [item.case for item in corrections("gold.jsonl", [fixed])] == ["agents differ"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize("tool", ["git", "patch"])
def test_a_patch_fits_whatever_ends_the_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, tool: str, *, final: bool
) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"no {tool} here")
    monkeypatch.chdir(tmp_path)
    name = "my gold.jsonl"
    rows = [row(call(q="a\u2028b\x85"), id=str(number)) for number in range(9)]
    lines = [json.dumps(item, ensure_ascii=False) for item in rows]
    before = (end.join(lines) + end * final).encode()
    for changed in ("0", "4", "8"):
        Path(name).write_bytes(before)
        found = Correction(case=changed, differences=(), calls=[call("pay", amount=1)])
        Path("fix.patch").write_bytes(patch_of(name, [found]))
        how = ["apply", "-p0", "fix.patch"] if tool == "git" else ["-p0", "-i", "fix.patch"]
        subprocess.run([tool, *how], check=True, capture_output=True, text=True)
        after = Path(name).read_bytes()
        assert after.count(end.encode()) == before.count(end.encode())
        assert after.endswith(end.encode()) == final
        read = [json.loads(line) for line in after.split(b"\n") if line]
        assert [item["id"] for item in read if item not in rows] == [changed]


def test_a_patch_needs_plain_json_and_a_run_that_is_there(tmp_path: Path) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_text("id,expected")
    with pytest.raises(SourceError, match="JSON Lines"):
        patch_of(str(gold), [])
    with pytest.raises(PathNotFoundError):
        corrections(str(gold), [tmp_path / "nothing"])
