"""The commands on the examples: what they show, what they give machines, and how they are configured."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from rightcall.app.cli.root import rightcall
from tests.app.processes import start

ROOT = Path(__file__).parents[2]
TRAVEL = str(ROOT / "examples" / "travel" / "cases.jsonl")
TOOLS = str(ROOT / "examples" / "travel" / "tools.json")
COMMANDS = ("run", "eval", "explain", "compare", "compare-presets", "evaluators", "suites", "formats")


def help_of(name: str) -> str:
    command = rightcall.get_command(click.Context(rightcall), name)
    assert command is not None
    return command.get_help(click.Context(command, info_name=f"rightcall {name}"))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_in_the_help_works_when_pasted(name: str, tmp_path: Path):
    text = help_of(name).replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("rightcall ")]
    assert lines, f"{name} --help shows no example"
    for folder in ("examples", "src"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for line in lines:
        words = shlex.split(line)
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        # The examples of run and eval show a missed gate and a partial match on purpose.
        allowed = (0, 1) if name in ("run", "eval") else (0,)
        assert done.returncode in allowed, done.stderr
        assert done.stdout
        assert not done.stderr


def test_run_shows_figures_causes_gates_and_where_to_look_next(call: Callable[..., Any]):
    done = call("run", TRAVEL, "--tools", TOOLS, "--suite", "agent", "--out", "out")
    assert done.code == 1
    for words in (
        "49 cases",
        "32 passed",
        "17 failed",
        "tool_call_order",
        "What the points were lost to",
        "gate missed",
    ):
        assert words in done.out
    assert "next: rightcall explain out travel-" in done.out
    assert "\x1b" not in done.out
    assert not done.err
    again = call("run", TRAVEL, "--tools", TOOLS, "--suite", "agent", "--out", "out", "--no-gate")
    assert again.code == 0


def test_the_summary_for_machines(call: Callable[..., Any]):
    done = call(
        "run",
        TRAVEL,
        "-e",
        "tool_call_accuracy,tool_call_args",
        "--json",
        "--fail-under",
        "tool_call_args=0.9",
    )
    assert done.code == 1
    summary = json.loads(done.out)
    assert list(summary["evaluators"]) == ["tool_call_accuracy", "tool_call_args"]
    (gate,) = [gate for gate in summary["gates"] if not gate["met"]]
    assert gate["evaluator"] == "tool_call_args"


def test_explain_ranks_causes_and_shows_a_case(call: Callable[..., Any]):
    call("run", TRAVEL, "--tools", TOOLS, "--suite", "agent", "--out", "out")
    ranked = call("explain", "out")
    assert ranked.code == 0
    assert ranked.out.index("/date") < ranked.out.index("list_my_trips")
    case = call("explain", "out", "travel-10-three-nights-edinburgh")
    for words in (
        "check_out",
        "'2026-09-14'",
        "Differences",
        "How the pairs were made",
        "worth 0.5",
        "line 10",
    ):
        assert words in case.out
    only = call("explain", "out", "--tool", "get_booking")
    assert "get_booking" in only.out
    assert "/cabin" not in only.out
    assert call("explain", "out", "travel-10-three-nights-edinburg").code == 2
    assert call("explain", "out", "--tool", "get_bookin").code == 2
    assert call("explain", "nowhere").code == 2


def test_explain_for_machines(call: Callable[..., Any]):
    call("run", TRAVEL, "-e", "tool_call_accuracy", "--out", "out")
    causes = json.loads(call("explain", "out", "--json").out)["causes"]
    assert sum(cause["share"] for cause in causes) == pytest.approx(1)
    case = json.loads(call("explain", "out", "travel-13-ask-before-cancel", "--json").out)
    assert case["actual"][0]["name"] == "cancel_booking"
    assert case["expected"][0]["name"] == "get_booking"
    assert case["steps"]["tool_call_accuracy"][0]["taken"] is None


def test_a_case_is_read_again_from_every_kind_of_source(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    import gzip
    import io

    rows = [json.loads(line) for line in Path(TRAVEL).read_text().splitlines()[8:11]]
    text = "\n".join(map(json.dumps, rows)) + "\n"
    Path("plain.jsonl").write_text("\n" + text)
    Path("packed.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    Path("list.json").write_text(json.dumps(rows, indent=1))
    Path("split.jsonl").write_text(
        "\n".join(json.dumps({"id": r["id"], "tool_calls": r["tool_calls"]}) for r in rows)
    )
    gold = [json.dumps({"id": r["id"], "expected": r["expected_tool_calls"]}) for r in reversed(rows)]
    Path("gold.jsonl").write_text("\n".join(gold))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    for source in (
        ("plain.jsonl",),
        ("packed.jsonl.gz",),
        ("list.json",),
        ("split.jsonl", "--expected", "gold.jsonl"),
        ("-",),
    ):
        call("run", *source, "-e", "tool_call_accuracy", "--out", "out")
        case = call("explain", "out", "travel-10-three-nights-edinburgh")
        assert (case.code, "'2026-09-14'" in case.out) == (0, True), (source, case.err)
    assert Path("out/cases.jsonl").read_text() == text


def test_a_source_that_changed_is_an_error(call: Callable[..., Any]):
    data = Path("cases.jsonl")
    data.write_bytes(Path(TRAVEL).read_bytes())
    call("run", "cases.jsonl", "-e", "tool_call_accuracy", "--out", "out")
    data.write_bytes(Path(TRAVEL).read_bytes().replace(b"2026-09-14", b"2026-09-13"))
    done = call("explain", "out", "travel-10-three-nights-edinburgh")
    assert done.code == 3
    assert "cases.jsonl has changed" in done.err
    assert call("explain", "out").code == 0
    data.unlink()
    assert call("explain", "out", "travel-10-three-nights-edinburgh").code == 3


CALLS = (
    "--output",
    '[{"name": "f", "arguments": {"a": "X"}}]',
    "--expected",
    '[{"name": "f", "arguments": {"a": "x"}}]',
)


def test_eval_scores_one_case(call: Callable[..., Any]):
    done = call("eval", "tool_call_accuracy", *CALLS)
    assert (done.code, "0.5" in done.out, "ignore_case" in done.out) == (1, True, True)
    assert call("eval", "tool_call_accuracy", *CALLS, "--option", "ignore_case=true").code == 0
    assert call("eval", "tool_call_accuracy", *CALLS, "--threshold", "0.5").code == 0
    found = json.loads(call("eval", "tool_call_accuracy", *CALLS, "--json").out)
    assert (found["score"], found["label"]) == (0.5, "partial")
    both = json.loads(call("eval", "tool_call_accuracy,tool_call_args", *CALLS, "--json").out)
    assert [result["score"] for result in both] == [0.5, 0.0]


def test_eval_reads_files_and_standard_input(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    import io

    Path("made.json").write_text(CALLS[1])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CALLS[1].encode())))
    assert call("eval", "tool_call_args", "--output", "@made.json", "--expected", "-").code == 0
    assert call("eval", "tool_call_args", "--output", "@none.json", "--expected", "[]").code == 2
    assert call("eval", "tool_call_args", "--output", "-", "--expected", "-").code == 2
    broken = call("eval", "tool_call_args", "--output", "[", "--expected", "[]")
    assert (broken.code, "tool_calls" in broken.err) == (3, True)
    assert call("eval", "tool_call_args", "--expected", "[]").code == 1  # nothing recorded is no pass


def test_every_evaluator_has_a_page_with_its_score(call: Callable[..., Any]):
    from rightcall import list_evaluators
    from rightcall.run.sets import EVALUATORS

    listed = call("evaluators").out
    for name in list_evaluators():
        page = call("evaluators", name).out
        declaration = EVALUATORS.get(name).declaration
        assert name in listed
        for words in ("When to use", "When not", "Watch out", "option", "Example"):
            assert words in page, (name, words)
        assert declaration.example is not None
        assert declaration.example.score is not None
        assert re.search(rf"score +{declaration.example.score:.6g}\b", page), name
        assert json.loads(call("evaluators", name, "--json").out)["id"] == name
    assert call("evaluators", "tool_call_acuracy").code == 2


def test_suites_and_formats(call: Callable[..., Any]):
    assert "tool_call_order" in call("suites").out
    assert list(json.loads(call("suites", "agent", "--json").out)) == ["agent"]
    assert call("suites", "agnet").code == 2
    assert "openai_chat" in call("formats").out
    assert "arguments" in call("formats", "plain").out
    assert json.loads(call("formats", "plain", "--json").out)["id"] == "plain"


def test_an_unknown_command_names_the_nearest(call: Callable[..., Any]):
    done = call("explian")
    assert (done.code, "'explain'" in done.err) == (2, True)


OWN = """
from rightcall import evaluator

@evaluator(threshold=0.5)
def short(case):
    return 1.0 if len(case.actual) < 2 else 0.0
"""


def test_an_evaluator_of_ones_own(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    Path("my_checks_here.py").write_text(OWN)
    monkeypatch.setattr("sys.path", [*sys.path])
    done = call(
        "run", TRAVEL, "-e", "tool_call_accuracy", "-e", "my_checks_here:short", "--out", "out", "--no-gate"
    )
    assert (done.code, "short" in done.out) == (0, True)
    assert call("explain", "out", "travel-13-ask-before-cancel").code == 0


def test_flags_win_over_environment_and_environment_over_file(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    def chosen(*arguments: str) -> dict[str, Any]:
        done = call("run", TRAVEL, "--json", "--no-gate", *arguments)
        assert done.code == 0, done.err
        summary: dict[str, Any] = json.loads(done.out)
        return summary

    Path("pyproject.toml").write_text(
        '[tool.rightcall]\nsuite = "trajectory"\nthreshold = 0.25\n[tool.rightcall.options]\nignore_case = true\n'
    )
    summary = chosen()
    assert "trajectory_match" in summary["evaluators"]
    assert summary["options"] == {"ignore_case": True}
    assert summary["thresholds"]["tool_call_order"] == 0.25
    monkeypatch.setenv("RIGHTCALL_EVALUATOR", "tool_call_args")
    assert list(chosen()["evaluators"]) == ["tool_call_args"]
    nearest = chosen("--suite", "agent", "--option", "ignore_case=false", "--threshold", "0.75")
    assert (len(nearest["evaluators"]), nearest["options"]) == (5, {"ignore_case": False})
    assert set(nearest["thresholds"].values()) == {0.75}


def test_cases_without_a_score_are_limited_by_flag_environment_and_file(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    both: tuple[list[Any] | None, ...] = ([], None)
    rows = [{"id": f"r{n}", "tool_calls": calls, "expected_tool_calls": []} for n, calls in enumerate(both)]
    Path("cases.jsonl").write_text("\n".join(map(json.dumps, rows)))
    words = ("run", "cases.jsonl", "-e", "tool_call_args")
    assert call(*words).code == 0
    done = call(*words, "--max-not-evaluated", "0")
    assert done.code == 1
    assert "gate missed  max not evaluated: 1 of 2 cases were not evaluated; 0 may" in done.out
    Path("rightcall.toml").write_text("max_not_evaluated = 0\n")
    assert call(*words).code == 1
    assert call(*words, "--no-gate").code == 0
    monkeypatch.setenv("RIGHTCALL_MAX_NOT_EVALUATED", "1")
    done = call(*words)
    assert (done.code, "gate met     max not evaluated" in done.out) == (0, True)


def test_rightcall_toml_is_found_from_a_folder_below(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    Path("rightcall.toml").write_text(
        'evaluators = ["tool_call_args"]\n[fail_under]\ntool_call_args = 0.99\n'
    )
    Path("below").mkdir()
    monkeypatch.chdir("below")
    done = call("run", TRAVEL)
    assert (done.code, "fail under" in done.out) == (1, True)
    Path("rightcall.toml").write_text("evaluatrs = []\n")
    done = call("run", TRAVEL)
    assert (done.code, "'evaluator'" in done.err) == (2, True)
    Path("rightcall.toml").write_text("= broken\n")
    assert call("run", TRAVEL).code == 2


def test_filters(call: Callable[..., Any]):
    rows = [
        {"id": f"r{n}", "tool_calls": [], "expected_tool_calls": [], "tags": [t], "model": t}
        for n, t in enumerate("ab")
    ]
    Path("cases.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for flags in (("--tag", "a"), ("--where", "model=a")):
        assert (
            json.loads(call("run", "cases.jsonl", "-e", "tool_call_args", "--json", *flags).out)["cases"] == 1
        )
    assert call("run", "cases.jsonl", "-e", "tool_call_args", "--tag", "c").code == 3


def test_a_reader_who_leaves_is_no_error(tmp_path: Path):
    process = start("evaluators", "--json", cwd=tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=30) == 0
    assert not errors


def test_version_is_light():
    code = "import sys, rightcall.app.cli as c; c.main(['--version']); sys.exit('click' in sys.modules or 'rich' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stdout.split()[0]) == (0, "rightcall")


def test_the_demo_ends_with_an_explained_case(tmp_path: Path):
    import os

    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", str(ROOT / "examples" / "demo.sh"), str(tmp_path / "demo")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "PATH": path},
    )
    for command in ("formats detect", "record", "run examples/traces/support.otlp.jsonl --expected"):
        assert f"$ rightcall {command}" in done.stdout
    assert "2 cases, 4 expected calls" in done.stdout
    assert "2 passed, 0 did not, 0 not evaluated" in done.stdout
    last = done.stdout.rpartition("$ rightcall")[2]
    assert "explain" in last
    assert "Differences" in last
    assert "How the pairs were made" in last
    assert "What the points were lost to" in done.stdout
