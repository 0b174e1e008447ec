"""kill -9 at random moments of a run: nothing is lost, nothing stands twice, the bytes are those of an unbroken run."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.run.broken_runs import ARGUMENTS, command, contents, environment, run, write_rows

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")

CASES = 6000


def kill_and_go_on(folder: Path, kills: int, workers: int, seed: int) -> None:
    """Kill a run until it has been killed so often, each time at another moment; then let it end."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    arguments = ("run", "cases.jsonl", *ARGUMENTS, "--workers", str(workers), "--out")
    write_rows(folder / "cases.jsonl", CASES)
    start = time.monotonic()
    assert run(*arguments, "whole", cwd=folder, every=60.0).returncode == 0
    whole_time = time.monotonic() - start
    expected = contents(folder / "whole")
    done = killed = 0
    while killed < kills:
        begun = command(*arguments, "out", "--resume", every=draw.choice([0.0, 0.05, 0.3]))
        with subprocess.Popen(
            begun, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                code = process.wait(timeout=draw.uniform(0.0, 1.1 * whole_time))
            except subprocess.TimeoutExpired:
                process.kill()
                killed += 1
                continue
        assert code == 0
        assert contents(folder / "out") == expected
        done += 1
        for file in (folder / "out").iterdir():
            file.unlink()
    last = run(*arguments, "out", "--resume", cwd=folder, every=0.3)
    assert last.returncode == 0, last.stderr
    assert contents(folder / "out") == expected


@pytest.mark.parametrize("workers", [1, 2])
def test_ten_kills(tmp_path: Path, workers: int):
    kill_and_go_on(tmp_path, 10, workers, seed=workers)


@pytest.mark.soak
@pytest.mark.parametrize("workers", [1, 2])
def test_fifty_kills(tmp_path: Path, workers: int):
    kill_and_go_on(tmp_path, 50, workers, seed=10 + workers)


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_and_going_on(tmp_path: Path, workers: int):
    """A run that was ended in good order, in the middle of its file, is gone on with like one that was killed."""
    arguments = ("run", "cases.jsonl", *ARGUMENTS, "--workers", str(workers), "--out")
    write_rows(tmp_path / "cases.jsonl", 2 * CASES)
    assert run(*arguments, "whole", cwd=tmp_path, every=60.0).returncode == 0
    begun = command(*arguments, "out", every=60.0)
    with subprocess.Popen(
        begun, cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        results = tmp_path / "out" / "results.jsonl"
        while not (results.exists() and results.stat().st_size) and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
    size = results.stat().st_size
    assert 0 < size < (tmp_path / "whole" / "results.jsonl").stat().st_size
    last = run(*arguments, "out", "--resume", cwd=tmp_path, every=0.3)
    assert last.returncode == 0, last.stderr
    assert b"goes on after" in last.stderr
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
