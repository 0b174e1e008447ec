"""200 clients at the same time: every request is answered, with 200 or 429. How fast is the benchmark's concern."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "bench_server.py"


def load(seconds: float) -> None:
    done = subprocess.run(
        [sys.executable, BENCHMARK, "--rounds", "1", "--seconds", "0.5", "--load", str(seconds)],
        capture_output=True, text=True, check=False, cwd=BENCHMARK.parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("200 clients")]
    assert line.endswith("; ok"), line


@pytest.mark.slow
def test_200_clients_for_some_seconds():
    load(3)


@pytest.mark.soak
def test_200_clients_for_a_minute():
    load(60)
