"""Cases of a written run, read again from their source: in one go, in any order, and only from what has not changed."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from rightcall.app.cli.root import run as command_line
from rightcall.core.summing.records import CaseRecord, ReplayedCase
from rightcall.errors import SourceError
from rightcall.run.directory.replay import StoredRun
from rightcall.run.plan import Plan

ROWS = [
    {
        "id": f"c{number}",
        "input": f"look for {number}",
        "tags": ["even" if number % 2 == 0 else "odd"],
        "tool_calls": [{"name": "find", "arguments": {"n": number}}],
        "expected_tool_calls": [{"name": "find", "arguments": {"n": number if number % 3 else "?"}}],
    }
    for number in range(9)
]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)


def run(data: Path, out: Path, *more: str) -> StoredRun:
    arguments = ["run", str(data), "-e", "tool_call_accuracy", "--no-gate", "--out", str(out), *more]
    assert command_line(arguments) in (0, 3)
    return StoredRun(out)


def replayed(stored: StoredRun, cases: list[CaseRecord]) -> list[ReplayedCase | None]:
    plan: Plan = stored.plan(("tool_call_accuracy",))
    return list(stored.replay(cases, plan))


def write(tmp_path: Path, kind: str) -> Path:
    data = tmp_path / f"data.{kind}"
    if kind == "jsonl.gz":
        data.write_bytes(gzip.compress(LINES.encode()))
    elif kind == "json":
        data.write_text(json.dumps(ROWS), encoding="utf-8")
    elif kind == "folder":
        data.mkdir()
        for row in ROWS:
            (data / f"{row['id']}.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    else:
        data.write_text(LINES, encoding="utf-8")
    return data


@pytest.mark.parametrize("kind", ["jsonl", "jsonl.gz", "json", "folder"])
def test_cases_come_in_the_order_in_which_they_are_asked_for(tmp_path: Path, kind: str):
    stored = run(write(tmp_path, kind), tmp_path / "out")
    asked = list(stored.cases())[::-2]
    found = replayed(stored, asked)
    for case, again in zip(asked, found, strict=True):
        assert again is not None
        assert again.input == f"look for {case.id[1:]}"
        assert again.view is not None
        (row,) = again.view.rows
        assert row.mark == ("equal" if case.passed else "differs")
        assert row.actual is not None
        assert row.actual.arguments == f'{{"n":{case.id[1:]}}}'


def test_the_expected_side_of_a_second_file_is_joined(tmp_path: Path):
    gold = tmp_path / "gold.jsonl"
    gold.write_text(LINES, encoding="utf-8")
    data = tmp_path / "data.jsonl"
    rows = [{key: row[key] for key in ("id", "tool_calls")} for row in ROWS]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    stored = run(data, tmp_path / "out", "--expected", str(gold))
    cases = list(stored.cases())
    views = [again.view for again in replayed(stored, cases) if again is not None]
    assert [view is not None and view.rows[0].mark for view in views] == [
        "equal" if case.passed else "differs" for case in cases
    ]


def test_a_row_that_could_not_be_read_has_nothing_to_see(tmp_path: Path):
    data = tmp_path / "data.jsonl"
    data.write_text(LINES + '{"id": "bad", "tool_calls": 42}\n', encoding="utf-8")
    stored = run(data, tmp_path / "out")
    cases = list(stored.cases())[-2:]
    assert [again is None for again in replayed(stored, cases)] == [False, True]


@pytest.mark.parametrize("change", ["changed", "gone"])
def test_a_source_that_is_not_what_it_was_is_named(tmp_path: Path, change: str):
    data = write(tmp_path, "jsonl")
    stored = run(data, tmp_path / "out")
    if change == "gone":
        data.unlink()
    else:
        data.write_text(LINES.replace("find", "seek"), encoding="utf-8")
    with pytest.raises(SourceError, match=change):
        replayed(stored, list(stored.cases()))
