"""Two processes beside one, on a plain JSON Lines file; going on with a run; and what keeping checkpoints costs.

Wall-clock time, since that is what workers are for. What the machine itself gives two processes is measured beside it:
how much faster two independent busy loops are than the same work done by one.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from generate import write

BUSY = "total = 0\nfor number in range({0}): total += number * number % 7\n"
NEVER = "from rightcall.run.directory import checkpoint, rundir\nrundir.Pace = lambda: checkpoint.Pace(1e9)\n"
STOP = """
import os
from rightcall.run.directory import checkpoint, rundir
left = [{0}]
rundir.Pace = lambda: checkpoint.Pace(0.0, 50.0, waiting=True)
plain = rundir.RunDirectory.write_lines
def write_lines(self, lines):
    plain(self, lines)
    left[0] -= 1
    if not left[0]:
        self._pace = checkpoint.Pace(0.0, waiting=True)
    elif left[0] < -500:
        os._exit(0)
rundir.RunDirectory.write_lines = write_lines
"""


def environment(folder: Path) -> dict[str, str]:
    """Byte code is compiled once, as after an installation."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}


def seconds(commands: list[list[str]], folder: Path) -> float:
    """Wall-clock seconds until all of some commands, started together, have ended."""
    start = time.perf_counter()
    running = [
        subprocess.Popen(
            command, env=environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for command in commands
    ]
    codes = [process.wait() for process in running]
    assert not any(codes), codes
    return time.perf_counter() - start


def run_command(path: Path, out: Path, *more: str, before: str = "") -> list[str]:
    """`rightcall run` with a suite and results.jsonl; `before` is run first, in the same process."""
    code = f"{before}\nfrom rightcall.app.cli import main\nimport sys\nmain(sys.argv[1:])"
    return [
        *(sys.executable, "-c", code, "run", str(path), "--suite", "agent", "--no-gate"),
        *("--out", str(out), *more),
    ]


def ceiling(folder: Path, pairs: int) -> list[float]:
    """How many times the work of one busy loop two do in the same time."""
    loop = [sys.executable, "-c", BUSY.format(20_000_000)]
    return [2 * seconds([loop], folder) / seconds([loop, loop], folder) for _ in range(pairs)]


def spread(ratios: list[float]) -> str:
    """The median of some ratios, with the smallest and the largest."""
    return f"{statistics.median(ratios):.2f} x ({min(ratios):.2f} to {max(ratios):.2f})"


def compare(path: Path, folder: Path, pairs: int) -> None:
    """One process and two in turn, and what two could reach."""
    one, two = folder / "one", folder / "two"
    limits, ratios, alone = [], [], []
    seconds([run_command(path, one)], folder)
    for _ in range(pairs):
        limits += ceiling(folder, 1)
        alone.append(seconds([run_command(path, one)], folder))
        ratios.append(alone[-1] / seconds([run_command(path, two, "--workers", "2")], folder))
        for name in ("results.jsonl", "summary.json"):
            assert filecmp.cmp(one / name, two / name, shallow=False), name
    verdict = "ok" if statistics.median(ratios) >= 1.5 else "TOO SLOW"
    print(f"one process: {statistics.median(alone):.2f} s; results of two are the same bytes")
    print(f"two processes against one, {pairs} pairs in turn: {spread(ratios)} (at least 1.5) {verdict}")
    print(f"two busy loops against one, in between: {spread(limits)}")


def start_up(folder: Path, rounds: int) -> None:
    """What starting workers costs where there is next to nothing to do."""
    path = write(folder / "few.jsonl", 10)
    for workers in ("1", "2"):
        took = [
            seconds([run_command(path, folder / "few", "--workers", workers)], folder) for _ in range(rounds)
        ]
        print(f"ten rows, {workers} worker(s): {statistics.median(took):.2f} s")


def going_on(path: Path, folder: Path, rows: int, kept: int, rounds: int) -> None:
    """The time until a run that had scored `kept` cases is where it was."""
    stopped = folder / "stopped"
    took = []
    for _ in range(rounds):
        seconds([run_command(path, stopped, before=STOP.format(kept))], folder)
        took.append(seconds([run_command(path, stopped, "--resume")], folder))
    short = write(folder / "rest.jsonl", rows - kept)
    rest = statistics.median(seconds([run_command(short, folder / "rest")], folder) for _ in range(rounds))
    again = statistics.median(took)
    print(
        f"going on after about {kept:,} of {rows:,} cases: {again:.2f} s, of which the rest alone takes "
        f"{rest:.2f} s: {again - rest:+.2f} s to get there"
    )


def checkpoints(path: Path, folder: Path, pairs: int) -> None:
    """A run with checkpoints beside one without, and how many there were to keep."""
    ratios = []
    for _ in range(pairs):
        without = seconds([run_command(path, folder / "without", before=NEVER)], folder)
        ratios.append(seconds([run_command(path, folder / "with")], folder) / without)
    print(f"with checkpoints against without, {pairs} pairs in turn: {spread(ratios)}")


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--pairs", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write(folder / "rows.jsonl", asked.rows)
        compare(path, folder, asked.pairs)
        start_up(folder, 5)
        going_on(path, folder, asked.rows, asked.rows // 2, 3)
        checkpoints(path, folder, asked.pairs)


if __name__ == "__main__":
    main()
