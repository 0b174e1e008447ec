"""Run directories of other formats: earlier ones are read as the present one, later ones are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from rightcall.core.summing.summary import SUMMARY_FORMAT
from rightcall.errors import SourceError
from rightcall.run.directory import migrate
from rightcall.run.directory.migrate import (
    RUN_FORMAT,
    RUN_STEPS,
    SUMMARY_STEPS,
    migrated_run,
    migrated_summary,
)
from rightcall.run.directory.replay import StoredRun
from rightcall.run.directory.runrecord import read_record, read_summary
from tests.run.broken_runs import run

FORMAT1 = Path(__file__).parent / "format1"


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A run as the first version of format 1 wrote it, with its data beside it."""
    shutil.copytree(FORMAT1, tmp_path / "first")
    return tmp_path / "first"


def test_a_run_of_format_1_is_read(first: Path):
    stored = StoredRun(first / "run")
    assert (stored.record.format, stored.summary.format) == (RUN_FORMAT, SUMMARY_FORMAT)
    assert stored.record.request.suite == "agent"
    assert (stored.summary.cases, stored.summary.passed, stored.summary.errors) == (6, 2, 1)
    assert [case.id for case in stored.cases()] == [
        *("weather", "booking", "booking", "refund", "silent", "broken"),
    ]
    assert stored.incomplete is None
    shown = stored.summary.evaluators["tool_call_args"]
    assert shown.mean == 0.625
    assert shown.mean_interval is not None


@pytest.mark.parametrize("more", [(), ("booking",), ("refund", "--tool", "refund")])
def test_a_run_of_format_1_is_explained(first: Path, more: tuple[str, ...]):
    done = run("explain", "run", *more, cwd=first)
    assert done.returncode == 0, done.stderr
    assert (more[0] if more else "guests").encode() in done.stdout


def test_a_run_of_format_1_can_be_compared(first: Path):
    done = run("run", "cases.jsonl", "--suite", "agent", "--out", "now", "--baseline", "run", cwd=first)
    assert done.returncode in (0, 1, 3), done.stderr
    assert b"Traceback" not in done.stderr


def test_scores_are_still_those_of_format_1(first: Path):
    """The lines of today say what those of then say, as far as both say it."""
    assert (
        run("run", "cases.jsonl", "--suite", "agent", "--out", "now", "--no-gate", cwd=first).returncode == 3
    )
    then, now = (
        [json.loads(line) for line in (first / where / "results.jsonl").read_bytes().splitlines()]
        for where in ("run", "now")
    )
    added = {"tool_call_semantic"}  # the suite has got a member since
    assert {line["evaluator"] for line in now} - {line["evaluator"] for line in then} == added
    now = [line for line in now if line["evaluator"] not in added]
    for name in ("id", "trial", "evaluator", "status", "score", "passed", "threshold", "row"):
        assert [line[name] for line in then] == [line[name] for line in now], name


@pytest.mark.parametrize("name", ["run.json", "summary.json"])
def test_a_later_format_is_refused(first: Path, name: str):
    file = first / "run" / name
    file.write_text(json.dumps({**json.loads(file.read_bytes()), "format": 7, "rightcall": "9.1"}))
    with pytest.raises(SourceError, match=r"format 7; this version reads up to 1 .*install that version"):
        StoredRun(first / "run")
    done = run("explain", "run", cwd=first)
    assert (done.returncode, b"Traceback" in done.stderr) == (3, False)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": true}', '{"format": "1"}', '{"format": 1}', "null"]
)
@pytest.mark.parametrize("name", ["run.json", "summary.json"])
def test_what_is_no_record_is_refused(first: Path, name: str, text: str):
    (first / "run" / name).write_text(text)
    with pytest.raises(SourceError):
        StoredRun(first / "run")


def test_steps_are_taken_one_by_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Formats 2 and 3 as they might be: a field that was renamed, and one that went."""

    def to_2(found: dict[str, Any]) -> dict[str, Any]:
        found["request"] = {**found["request"], "place": found["request"].pop("cwd")}
        return found

    def to_3(found: dict[str, Any]) -> dict[str, Any]:
        assert found["request"]["place"] == "."
        found.pop("cost_usd")
        return found

    held = json.loads((FORMAT1 / "run" / "run.json").read_bytes())
    monkeypatch.setattr(migrate, "RUN_FORMAT", 3)
    monkeypatch.setattr(migrate, "RUN_STEPS", {1: to_2, 2: to_3})
    found = migrated_run(held, tmp_path)
    assert found["format"] == 3
    assert "cost_usd" not in found
    assert found["request"]["place"] == "."
    assert migrated_run({**held, "format": 3}, tmp_path)["format"] == 3
    with pytest.raises(SourceError, match="which no version has written"):
        migrated_run({**held, "format": 0}, tmp_path)
    monkeypatch.setattr(migrate, "SUMMARY_FORMAT", 2)
    monkeypatch.setattr(migrate, "SUMMARY_STEPS", {1: lambda found: {**found, "cases": found["cases"] + 1}})
    assert migrated_summary({"format": 1, "cases": 1}, tmp_path) == {"format": 2, "cases": 2}


def test_every_format_so_far_has_a_step():
    assert set(RUN_STEPS) == set(range(1, RUN_FORMAT))
    assert set(SUMMARY_STEPS) == set(range(1, SUMMARY_FORMAT))


def test_reading_gives_what_was_written(first: Path):
    assert read_record(first / "run").sources[0].path == "cases.jsonl"
    assert read_summary(first / "run").version == "0.1.0"
