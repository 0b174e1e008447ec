"""A run directory: byte-equal, readable, replaced only where it is ours, and consistent after Ctrl-C."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rightcall import OptionError, evaluate_cases, evaluator
from rightcall.core.results import Details, Result
from rightcall.core.types import Case
from rightcall.run.dataset import Dataset
from rightcall.run.directory.lines import LineWriter
from rightcall.run.directory.rundir import Request, RunDirectory
from rightcall.run.gates import Gates, check_gates
from rightcall.run.plan import Plan, make_plan
from rightcall.run.reporting import read_cases
from rightcall.run.runner import run_cases
from rightcall.run.summarize import summarize, summary_of
from tests.app.processes import start

ROOT = Path(__file__).parents[2]
TRAVEL = ROOT / "examples" / "travel" / "cases.jsonl"


def written(
    out: Path, plan: Plan, data: Path = TRAVEL, reports: tuple[str, ...] = ("json", "junit", "md")
) -> Path:
    source = Dataset(str(data), hashing=True)
    directory = RunDirectory(out, Request(data=str(data), cwd="."))
    done = run_cases(source, plan, write=directory.write)
    summary = summarize(done.tally, plan, warnings=source.warnings)
    summary = summarize(done.tally, plan, warnings=source.warnings, gates=check_gates(summary, Gates()))
    directory.finish(summary, data=source, reports=reports)
    return out


def lines_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "results.jsonl").read_bytes().splitlines()]


def test_two_runs_of_one_input_are_byte_equal(tmp_path: Path):
    names = ("results.jsonl", "summary.json", "report.json", "junit.xml", "report.md")
    first = written(tmp_path / "first", make_plan(suite="everything"))
    second = written(tmp_path / "second", make_plan(suite="everything"))
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name


def test_the_lines_say_what_the_results_say(tmp_path: Path):
    """Shared results and spliced parts give the same lines as plain JSON of each result."""
    found = lines_of(written(tmp_path / "out", make_plan(suite="everything")))
    run = evaluate_cases(TRAVEL, suite="everything")
    results = [(case, result) for case in run for result in case.results]
    assert len(found) == len(results)
    from rightcall.run.directory.lines import _encode

    for line, (case, result) in zip(found, results, strict=True):
        wanted = json.loads(_encode(result.as_dict()))
        for name in ("cost_usd", "latency_ms"):
            wanted.pop(name)
        row = line.pop("row")
        assert row["file"] == str(TRAVEL)
        assert row["offset"] >= 0
        assert (line.pop("id"), line.pop("trial")) == (case.id, case.trial)
        assert line.pop("cluster", None) == case.cluster
        assert line == {"error": None} | wanted


def test_rows_lead_back_to_the_source(tmp_path: Path):
    data = TRAVEL.read_bytes()
    for line in lines_of(written(tmp_path / "out", make_plan(["tool_call_args"]))):
        row = line["row"]
        assert json.loads(data[row["offset"] :].split(b"\n")[0])["id"] == line["id"]
        assert data[: row["offset"]].count(b"\n") + 1 == row["line"]


def test_run_json_has_what_depends_on_when_and_where(tmp_path: Path):
    import hashlib

    out = written(tmp_path / "out", make_plan(["tool_call_args"]))
    kept = json.loads((out / "run.json").read_bytes())
    assert kept["complete"] is True
    (source,) = kept["sources"]
    assert source["size"] == TRAVEL.stat().st_size
    assert source["sha256"] == hashlib.sha256(TRAVEL.read_bytes()).hexdigest()
    assert {"python", "system", "cpus"} <= set(kept["machine"])
    summary = (out / "summary.json").read_text()
    assert "started" not in summary
    assert "latency" not in summary


def test_a_written_run_has_the_summary_of_a_kept_one(tmp_path: Path):
    import msgspec

    out = written(tmp_path / "out", make_plan(suite="agent"))
    on_disk = json.loads((out / "summary.json").read_bytes())
    kept = msgspec.to_builtins(summary_of(evaluate_cases(TRAVEL, suite="agent")))
    del on_disk["gates"], kept["gates"]
    assert on_disk == json.loads(json.dumps(kept))


def test_an_earlier_run_is_replaced_and_foreign_files_are_not(tmp_path: Path):
    out = written(tmp_path / "out", make_plan(suite="agent"))
    written(out, make_plan(["tool_call_args"]), reports=())
    assert sorted(path.name for path in out.iterdir()) == ["results.jsonl", "run.json", "summary.json"]
    (out / "notes.txt").write_text("mine")
    with pytest.raises(OptionError, match=r"notes\.txt"):
        written(out, make_plan(["tool_call_args"]))
    other = tmp_path / "other"
    other.mkdir()
    (other / "summary.json").write_text("{}")
    with pytest.raises(OptionError, match=r"summary\.json"):
        written(other, make_plan(["tool_call_args"]))


def test_cases_read_back_keep_their_results_together(tmp_path: Path):
    out = written(tmp_path / "out", make_plan(suite="agent"))
    cases = list(read_cases(out / "results.jsonl"))
    run = evaluate_cases(TRAVEL, suite="agent")
    assert [(case.id, case.trial, case.passed) for case in cases] == [
        (case.id, case.trial, case.passed) for case in run
    ]
    assert all(len(case.results) == 5 for case in cases)


def test_odd_values_of_an_evaluator_of_ones_own_can_be_written():
    @evaluator("odd")
    def odd(case: Case) -> Result:
        from rightcall.core.scoring import scored

        measures = {
            "nan": float("nan"),
            "big": 2**80,
            "half": "\ud800",
            "thing": object(),
            "deep": {"a": {1: (2,)}},
        }
        return scored(odd.declaration, options, 0.5, "half \udfff", details=Details(measures=measures))

    plan = make_plan([odd])
    options = plan.evaluators[0].options
    out: list[bytes] = []
    writer = LineWriter()
    run_cases(
        [Case(id="x", actual=())],
        plan,
        write=lambda case, results, _passed: out.append(writer.lines(case, results)),
    )
    (line,) = map(json.loads, out)
    assert line["details"]["nan"] is None
    assert line["details"]["big"] == 2**80
    assert line["details"]["half"] == "\\ud800"
    assert line["details"]["thing"] == "<object>"
    assert line["score"] == 0.5


SLOW = """
import time
from rightcall import evaluator

@evaluator
def slow(case):
    time.sleep(0.02)
    return 1.0
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize(
    ("source", "sent"), [("file", signal.SIGINT), ("waiting", signal.SIGINT), ("file", signal.SIGTERM)]
)
def test_ctrl_c_keeps_what_is_finished(tmp_path: Path, source: str, sent: signal.Signals):
    import subprocess

    (tmp_path / "mine.py").write_text(SLOW)
    rows = [json.dumps({"id": f"r{n}", "tool_calls": [], "expected_tool_calls": []}) for n in range(2000)]
    (tmp_path / "cases.jsonl").write_text("\n".join(rows) + "\n")
    data = "cases.jsonl" if source == "file" else "-"
    arguments = ("run", data, "-e", "mine:slow", "-e", "tool_call_args", "--out", "out", "--report", "junit")
    with start(*arguments, cwd=tmp_path, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        out = tmp_path / "out"
        deadline = time.monotonic() + 20
        while not (out / "results.jsonl").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.5)
        process.send_signal(sent)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130, errors
    assert b"Traceback" not in errors
    assert b"interrupted" in errors
    summary = json.loads((out / "summary.json").read_bytes())
    lines = lines_of(out)
    assert len(lines) == 2 * summary["cases"]
    assert [line["id"] for line in lines[::2]] == [f"r{n}" for n in range(summary["cases"])]
    for found in summary["evaluators"].values():
        assert found["cases"] == summary["cases"]
    assert (summary["complete"], json.loads((out / "run.json").read_bytes())["ended"]) == (
        False,
        "interrupted",
    )
    assert (out / "junit.xml").read_text().count("<testcase ") == summary["cases"]
    if source == "file":
        assert 0 < summary["cases"] < 2000
