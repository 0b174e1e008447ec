"""The lines of contract.jsonl that are about runs, sums and the command line; each is a test by its id."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from rightcall import evaluate_cases, evaluator
from rightcall.core.results import Result
from rightcall.core.scoring import errored, scored
from rightcall.core.summing.summary import RunSummary
from rightcall.core.summing.tally import Tally
from rightcall.core.types import Case
from rightcall.errors import EvaluatorError
from rightcall.run.gates import Gates, check_gates, exit_code, parse_gate
from rightcall.run.plan import Plan, make_plan
from rightcall.run.summarize import summarize, summary_of

CASES = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parent / "contract.jsonl").read_text().splitlines())
    if case["evaluator"] in {"dataset_run", "aggregate", "cli"}
}
WRITTEN_HERE = {
    *("o49", "o50", "o51", "o52", "o53", "o54", "o55", "o56", "o57", "o61", "o74", "o75", "o76"),
}


def command_line(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rightcall", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={key: value for key, value in os.environ.items() if not key.startswith("RIGHTCALL_")},
    )


def write_rows(folder: Path, rows: list[dict[str, Any]]) -> Path:
    data = folder / "cases.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return data


def aggregated(scores: list[float | None], threshold: float) -> tuple[RunSummary, Plan, Tally]:
    """A run whose evaluator gave these scores; None is an error."""

    @evaluator("given", threshold=threshold)
    def given(case: Case) -> float:
        return 0.0

    plan = make_plan([given])
    options, declaration = plan.evaluators[0].options, given.declaration
    tally = Tally()
    for row, score in enumerate(scores):
        case = Case(id=f"r{row}", row=row)
        result: Result = (
            errored(declaration, threshold, EvaluatorError("broken"))
            if score is None
            else scored(declaration, options, score, "given")
        )
        tally.of("given").add(case, result, None, pairs_calls=False)
        tally.count_case((result,))
    return summarize(tally, plan), plan, tally


def test_every_line_has_its_test():
    assert set(CASES) == WRITTEN_HERE


def test_o49():
    case = CASES["o49"]
    run = evaluate_cases(case["actual"], case["config"]["evaluators"])
    wanted = case["want"]["result"]
    assert len(run) == wanted["rows"]
    assert {found.id: found.results[0].score for found in run} == wanted["scores"]
    errors = [found for found in run if found.results[0].status == "error"]
    assert [found.id for found in errors] == wanted["errors"]
    assert "actual" in errors[0].results[0].reason
    assert "not a list" in errors[0].results[0].reason


def test_o50():
    case = CASES["o50"]
    summary, *_ = aggregated(case["actual"]["scores"], case["config"]["threshold"])
    found, wanted = summary.evaluators["given"], case["want"]["result"]
    seen = {"mean": found.mean, "scored": found.scored, "total": found.cases}
    assert seen | {"errors": found.errors, "pass_rate": found.pass_rate} == wanted


def test_o51():
    case = CASES["o51"]
    summary, *_ = aggregated(case["actual"]["scores"], case["config"]["threshold"])
    found, wanted = summary.evaluators["given"], case["want"]["result"]
    seen = {"mean": found.mean, "scored": found.scored, "total": found.cases}
    assert seen | {"errors": found.errors, "pass_rate": found.pass_rate} == wanted
    assert exit_code(check_gates(summary, Gates())) != 0


def test_o52():
    case = CASES["o52"]
    summary, *_ = aggregated(case["actual"]["scores"], case["config"]["threshold"])
    assert summary.evaluators["given"].pass_rate == case["want"]["result"]["pass_rate"]


def test_o53():
    case = CASES["o53"]
    summary, plan, _ = aggregated(case["actual"]["scores"], 0.0)
    wanted = case["want"]["result"]
    assert summary.evaluators["given"].mean == pytest.approx(wanted["mean"], abs=1e-12)
    gate = parse_gate(str(case["config"]["mean_threshold"]), "fail_under", plan.ids)
    outcomes = check_gates(summary, Gates(single=(gate,)))
    assert all(outcome.met for outcome in outcomes)
    assert exit_code(outcomes) == 0


def test_o54(tmp_path: Path):
    case = CASES["o54"]
    data = write_rows(tmp_path, case["actual"])
    arguments = ("run", str(data), "-e", *case["config"]["evaluators"], "--threshold", "0.5")
    assert command_line(*arguments, cwd=tmp_path).returncode == 1
    assert command_line(*arguments, "--no-gate", cwd=tmp_path).returncode == 0


def test_o55(tmp_path: Path):
    case = CASES["o55"]
    data = write_rows(tmp_path, case["actual"])
    done = command_line("run", str(data), "-e", *case["config"]["evaluators"], cwd=tmp_path)
    assert done.returncode == 3
    assert "no case" in done.stderr


def junit_of(case: dict[str, Any], tmp_path: Path) -> ET.Element:
    data = write_rows(tmp_path, case["actual"])
    arguments = ("run", str(data), "-e", *case["config"]["evaluators"], "--threshold", "0.5")
    report = ("--out", str(tmp_path / "out"), "--report", case["config"]["output"])
    assert command_line(*arguments, *report, cwd=tmp_path).returncode != 0
    return ET.parse(tmp_path / "out" / "junit.xml").getroot()  # noqa: S314 - our own file


def test_o56(tmp_path: Path):
    root = junit_of(CASES["o56"], tmp_path)
    assert (root.get("failures"), root.get("errors")) == ("1", "0")
    (failed,) = root.iter("testcase")
    assert failed.get("name") == "bad\ufffdname <&>"
    assert len(list(root.iter("failure"))) == 1
    assert not list(root.iter("error"))


def test_o57(tmp_path: Path):
    case = CASES["o57"]
    data = tmp_path / "quirks.jsonl"
    data.write_bytes(case["actual"].encode())
    run = evaluate_cases(data, case["config"]["evaluators"])
    wanted = case["want"]["result"]
    assert len(run) == wanted["rows"]
    assert {found.id: found.results[0].score for found in run} == wanted["scores"]
    data.write_bytes(case["actual"].encode() + b'{"id": broken}\n')
    broken = list(evaluate_cases(data, case["config"]["evaluators"]))[-1]
    assert broken.id.endswith(":4")


def test_o61():
    case = CASES["o61"]

    @evaluator(threshold=0.5)
    def answer_check(case: Case) -> float:
        return 1.0

    row = {"id": "r", "tool_calls": [], "expected_tool_calls": [{"name": "a", "arguments": {}}]}
    run = evaluate_cases([row], ["tool_call_accuracy", answer_check], threshold=case["config"]["threshold"])
    (found,) = run
    assert {result.evaluator: result.score for result in found.results} == case["actual"]["rows"][0]
    assert found.passed is case["want"]["result"]["pass"]
    verdicts = {result.evaluator: "pass" if result.passed else "fail" for result in found.results}
    assert verdicts == case["want"]["result"]["per_evaluator"]
    summary = summary_of(run)
    assert (summary.passed, summary.evaluators["answer_check"].passed) == (0, 1)


SLOW = """
import time
from rightcall import evaluator

@evaluator(threshold=0.5)
def slow(case):
    if case.id == "r2":
        time.sleep(30)
    return 1.0
"""


def test_o74(tmp_path: Path):
    wanted = CASES["o74"]["want"]["result"]
    (tmp_path / "mine.py").write_text(SLOW)
    data = write_rows(tmp_path, [{"id": f"r{n}", "tool_calls": []} for n in (1, 2, 3)])
    limit = str(CASES["o74"]["config"]["timeout_s"])
    arguments = ("run", str(data), "-e", "mine:slow", "--case-timeout", limit, "--out", "out")
    done = command_line(*arguments, cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    lines = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    assert len(lines) == wanted["rows"]
    assert sum(line["status"] == "scored" for line in lines) == wanted["scored"]
    assert [line["error"] for line in lines if line["status"] == "error"] == [wanted["error_kind"]]


def test_o75(tmp_path: Path):
    root = junit_of(CASES["o75"], tmp_path)
    wanted = CASES["o75"]["want"]["result"]["junit"]
    assert {name: int(root.get(name, "")) for name in wanted} == wanted


def test_o76(tmp_path: Path):
    import click

    from rightcall.app.cli.planning import parse_options

    option = CASES["o76"]["actual"]["option"].partition(" ")[2].strip("'")
    context = click.Context(click.Command("run"))
    assert parse_options(context, [], option) == CASES["o76"]["want"]["result"]["parsed"]
