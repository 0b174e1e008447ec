"""Several processes: the same bytes as one, in the same order; and what ends one of them is told, not waited for."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from rightcall import OptionError, UnknownNameError, UsageError, evaluate_cases, evaluator
from rightcall.errors import NotThereYetError, WorkerError
from rightcall.run.engine import ENGINES, choose_engine, parse_workers
from rightcall.run.intake import linewise
from rightcall.run.intake.files import SourceFile, find_files
from rightcall.run.plan import make_plan
from rightcall.run.worker import packed_plan, unpacked_plan
from tests.run.broken_runs import ARGUMENTS, command, contents, environment, run, write_rows
from tests.run.test_resume import KINDS, whole

pytestmark = pytest.mark.skipif(os.name != "posix", reason="workers need POSIX")

CASES = 3000
DIVIDED = {"folder", "gz", "filtered", "tagged"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_bytes_are_those_of_one_process(tmp_path: Path, kind: str):
    make, more = KINDS[kind]
    data = make(tmp_path)
    expected = whole(tmp_path, data, *ARGUMENTS, *more)
    done = run("run", data, *ARGUMENTS, *more, "--out", "out", "--workers", "2", cwd=tmp_path)
    assert done.returncode in (0, 3), done.stderr
    assert contents(tmp_path / "out") == expected
    assert (b"one process does the work" in done.stderr) is (kind not in DIVIDED)


def told(errors: bytes) -> list[bytes]:
    """What a command said on standard error, but for how far it was."""
    return [line for line in errors.splitlines() if b" a second" not in line]


@pytest.mark.parametrize("workers", [2, 3])
def test_a_larger_file(tmp_path: Path, workers: int):
    write_rows(tmp_path / "cases.jsonl", CASES)
    one = run("run", "cases.jsonl", *ARGUMENTS, "--out", "whole", cwd=tmp_path, every=60.0)
    more = ("--workers", str(workers), "--out", "out")
    several = run("run", "cases.jsonl", *ARGUMENTS, *more, cwd=tmp_path, every=60.0)
    assert (several.returncode, one.returncode) == (0, 0), several.stderr
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    # What a person reads is the same too, but for the name of the folder.
    assert several.stdout.replace(b"out", b"whole") == one.stdout
    assert told(several.stderr.replace(b"out", b"whole")) == told(one.stderr)


@pytest.mark.parametrize(("first", "then"), [("2", "1"), ("1", "2"), ("2", "2")])
def test_going_on_with_another_number_of_processes(tmp_path: Path, first: str, then: str):
    write_rows(tmp_path / "cases.jsonl", CASES)
    expected = whole(tmp_path, "cases.jsonl", *ARGUMENTS)
    arguments = ("run", "cases.jsonl", *ARGUMENTS, "--out", "out")
    # With workers a write is a part of the data, without it is a case.
    after = 4 if first == "2" else 1500
    died = run(*arguments, "--workers", first, cwd=tmp_path, after=after)
    assert died.returncode == 77, died.stderr
    done = run(*arguments, "--workers", then, "--resume", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"goes on after" in done.stderr
    assert contents(tmp_path / "out") == expected


def test_parts_of_a_file_have_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """However a file is divided: each row comes once, with its line and its offset; lines too long included."""
    monkeypatch.setattr(linewise, "MAX_LINE", 600_000)
    text = write_rows(tmp_path / "rows.jsonl", 200).read_bytes()
    text += b" " * 700_000 + b"\n" + b'{"id": "' + b"x" * 900_000 + b'"}\n' + b'\n  {"id": "last"}'
    for name, data in (
        ("a.jsonl", text),
        ("b.jsonl.gz", gzip.compress(text)),
        ("c.jsonl", b"\xef\xbb\xbf" + text),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        (place,) = find_files(str(path))
        expected = list(SourceFile(str(path), place).records())
        assert len(expected) > 200
        for size in (1, 700, 5000, 10**9):
            parts = list(SourceFile(str(path), place).parts(partial(int, size)))
            found = [record for part in parts for record in linewise.records_of_part(part)]
            assert [(record.source, record.data) for record in found] == [
                (record.source, record.data) for record in expected
            ]
            assert [str(record.problem) for record in found] == [str(record.problem) for record in expected]


OWN = """
import os, signal, sys, time
from rightcall import evaluator

@evaluator
def plain(case):
    print("said by an evaluator")
    return 0.5, f"{len(case.actual)} calls"

@evaluator("slow")
def _slow(case):
    time.sleep(5 if case.id == "r30" else 0)
    return 1.0

@evaluator
def leaves(case):
    if case.id == "r30" and not os.path.exists("mended"):
        os._exit(3)
    return 1.0

@evaluator
def killed(case):
    if case.id == "r30" and not os.path.exists("mended"):
        os.kill(os.getpid(), signal.SIGKILL)
    return 1.0

@evaluator
def hungry(case):
    if case.id == "r30":
        raise MemoryError("no more")
    return 1.0

@evaluator
def waits(case):
    with open(f"pid-{os.getpid()}", "w"):
        pass
    time.sleep(0.05)
    return 1.0

@evaluator
class Counting:
    def score(self, case, alignments, answers, options):
        return 1.0
"""


def own_data(folder: Path, number: int = 60) -> None:
    (folder / "mine.py").write_text(OWN)
    rows = [json.dumps({"id": f"r{n}", "tool_calls": [], "expected_tool_calls": []}) for n in range(number)]
    (folder / "cases.jsonl").write_text("\n".join(rows) + "\n")


def test_own_evaluators_work_in_workers(tmp_path: Path):
    own_data(tmp_path)
    chosen = ("-e", "mine:plain", "-e", "mine:_slow", "-e", "mine:Counting", "-e", "mine:hungry")
    arguments = (
        "run",
        "cases.jsonl",
        *chosen,
        "--no-gate",
        "--max-errors",
        "9",
        "--case-timeout",
        "0.5",
        "--json",
    )
    one = run(*arguments, "--out", "one", cwd=tmp_path)
    two = run(*arguments, "--out", "two", "--workers", "2", cwd=tmp_path)
    assert (one.returncode, two.returncode) == (0, 0), two.stderr
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert two.stdout == one.stdout
    assert b"said by an evaluator" in two.stderr
    texts = (tmp_path / "two" / "results.jsonl").read_text()
    assert "took longer than 0.5 s" in texts
    assert "MemoryError" in texts


@pytest.mark.parametrize(
    ("which", "told"), [("leaves", "ended with exit code 3"), ("killed", "ended by signal 9")]
)
def test_a_worker_that_dies_is_named_and_the_run_goes_on_later(tmp_path: Path, which: str, told: str):
    own_data(tmp_path)
    arguments = (
        "run",
        "cases.jsonl",
        "-e",
        f"mine:{which}",
        "-e",
        "tool_call_args",
        "--out",
        "out",
        "--no-gate",
    )
    start = time.monotonic()
    done = run(*arguments, "--workers", "2", cwd=tmp_path)
    assert time.monotonic() - start < 30
    assert done.returncode == 4, done.stderr
    assert told.encode() in done.stderr
    assert b"cases.jsonl line" in done.stderr
    assert b"Traceback" not in done.stderr
    out = tmp_path / "out"
    assert json.loads((out / "run.json").read_bytes())["ended"] == "broken"
    kept = [json.loads(line)["id"] for line in (out / "results.jsonl").read_bytes().splitlines()[::2]]
    assert kept == [f"r{n}" for n in range(len(kept))]
    assert 0 < len(kept) <= 30
    (tmp_path / "mended").touch()
    expected = whole(tmp_path, "cases.jsonl", "-e", f"mine:{which}", "-e", "tool_call_args", "--no-gate")
    done = run(*arguments, "--workers", "2", "--resume", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"goes on after {len(kept)} cases".encode() in done.stderr
    assert contents(out) == expected


def _alive(folder: Path) -> list[int]:
    found = [int(file.name.removeprefix("pid-")) for file in folder.glob("pid-*")]
    return [process for process in found if Path(f"/proc/{process}").exists()]


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are looked for in /proc")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_ctrl_c_ends_all_processes(tmp_path: Path, sent: signal.Signals):
    own_data(tmp_path, 4000)
    arguments = ("run", "cases.jsonl", "-e", "mine:waits", "--out", "out", "--workers", "2", "--no-gate")
    with subprocess.Popen(
        command(*arguments, every=0.1),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + 30
        while len(list(tmp_path.glob("pid-*"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.0)
        if sent == signal.SIGINT:
            os.killpg(process.pid, sent)  # a terminal sends it to all of them
        else:
            process.send_signal(sent)
        start = time.monotonic()
        _, errors = process.communicate(timeout=30)
    assert len(list(tmp_path.glob("pid-*"))) == 2
    deadline = time.monotonic() + 10
    while _alive(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _alive(tmp_path)
    assert time.monotonic() - start < 10
    if sent == signal.SIGKILL:
        return
    assert process.returncode == 130, errors
    assert b"Traceback" not in errors
    summary = json.loads((tmp_path / "out" / "summary.json").read_bytes())
    lines = (tmp_path / "out" / "results.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["id"] for line in lines] == [f"r{n}" for n in range(summary["cases"])]
    assert 0 < summary["cases"] < 4000


def test_in_python(tmp_path: Path):
    data = write_rows(tmp_path / "cases.jsonl", 800)
    one = evaluate_cases(data, suite="everything")
    two = evaluate_cases(data, suite="everything", workers=2)
    assert two.tally == one.tally
    assert two.summary() == one.summary()
    assert list(two) == list(one)
    assert two.warnings == one.warnings
    rows = [{"id": "a", "tool_calls": [], "expected": []}]
    assert evaluate_cases(rows, "tool_call_args", workers=2).tally.cases == 1


def test_a_script_without_a_guard_is_not_run_again(tmp_path: Path):
    write_rows(tmp_path / "cases.jsonl", 300)
    (tmp_path / "script.py").write_text(
        "print('begun')\n"
        "from rightcall import evaluate_cases\n"
        "print(len(evaluate_cases('cases.jsonl', 'tool_call_args', workers=2)))\n"
    )
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.split() == ["begun", "302"], done.stderr


def test_what_other_processes_cannot_have_is_refused(tmp_path: Path):
    data = write_rows(tmp_path / "cases.jsonl", 3)

    @evaluator
    def local(case: object) -> float:
        return 1.0

    with pytest.raises(UsageError, match="can't find the evaluator 'local'"):
        evaluate_cases(data, local, workers=2)
    assert evaluate_cases(data, local).tally.cases == 3


def test_plans_travel(tmp_path: Path):
    options = {"name_map": {"a": "b"}, "repair_json": True, "tool_call_order": {"strict": True}}
    for plan in (make_plan(suite="everything"), make_plan(suite="agent", options=options)):
        again = unpacked_plan(packed_plan(plan))
        assert again == plan
        # Rules without options are told by being that one object.
        for mine, theirs in zip(plan.evaluators, again.evaluators, strict=True):
            assert theirs.evaluator is mine.evaluator
            if not mine.options.comparing.names.name_map:
                assert theirs.options.comparing.names is mine.options.comparing.names


def test_engines_and_workers_are_checked_before_any_work(tmp_path: Path):
    assert ENGINES.ids() == ("local", "processes")
    for name in ("ray", "spark"):
        with pytest.raises(NotThereYetError, match="not there yet"):
            choose_engine(name, 1)
    with pytest.raises(UnknownNameError, match="did you mean 'processes'"):
        choose_engine("proceses", 1)
    with pytest.raises(OptionError, match="one worker"):
        choose_engine("local", 2)
    for wrong in (0, -1, "two", True, 10**6, 1.5):
        with pytest.raises(OptionError, match="workers"):
            parse_workers(wrong)  # type: ignore[arg-type]
    assert parse_workers("auto") >= 1
    assert parse_workers("3") == 3
    done = run("run", "nowhere.jsonl", "--suite", "agent", "--workers", "0", cwd=tmp_path)
    assert (done.returncode, b"--workers" in done.stderr or b"workers" in done.stderr) == (2, True)
    assert WorkerError("x").exit_code == 4
