"""Runs that end in the middle, as processes of their own: each has its own hashes, and no time to tidy up."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REPORTS = ("json", "junit", "md")
ARGUMENTS = ("--suite", "agent", "--report", ",".join(REPORTS), "--no-gate", "--max-errors", "9000")
COMPARED = ("results.jsonl", "summary.json", "report.json", "junit.xml", "report.md")

# Checkpoints come after so many seconds (0: with every batch, and the run waits for them); after so many cases the process is gone, without a word.
DRIVER = """
import os, sys
from rightcall.run.directory import checkpoint, rundir
every, cases = float(sys.argv[1]), int(sys.argv[2])
rundir.Pace = lambda: checkpoint.Pace(every, 0.0, waiting=not every)
if cases:
    plain = rundir.RunDirectory.write_lines
    left = [cases]
    def write_lines(self, lines):
        plain(self, lines)
        left[0] -= 1
        if not left[0]:
            os._exit(77)
    rundir.RunDirectory.write_lines = write_lines
from rightcall.app.cli import main
main(sys.argv[3:])
"""


def command(*arguments: str, every: float = 0.0, after: int = 0) -> list[str]:
    """A command line that keeps a checkpoint after `every` seconds and dies after `after` writes (0: it lives)."""
    return [sys.executable, "-c", DRIVER, str(every), str(after), *arguments]


def environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("RIGHTCALL_")}


def run(
    *arguments: str, cwd: Path, every: float = 0.0, after: int = 0, stdin: bytes | None = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end, whichever that is."""
    return subprocess.run(
        command(*arguments, every=every, after=after),
        cwd=cwd,
        env=environment(),
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )


def contents(out: Path, names: tuple[str, ...] = COMPARED) -> dict[str, bytes]:
    """What must be equal of two runs. A Markdown report names the directory; that is not what is compared."""
    return {
        name: (out / name).read_bytes().replace(out.name.encode(), b"OUT")
        for name in names
        if (out / name).exists()
    }


def rows(number: int, seed: int = 7) -> Iterator[dict[str, Any]]:
    """Rows of all kinds: right, wrong, in error, without calls, with trials, clusters and verdicts, ids used twice."""
    draw = random.Random(seed)  # noqa: S311 - the same rows each time
    for index in range(number):
        made = {"city": draw.choice(["Oslo", "Bergen", "Turku"]), "days": draw.randint(1, 4)}
        wanted = dict(made) if draw.random() < 0.6 else {**made, "days": str(made["days"])}
        row: dict[str, Any] = {
            "id": f"case {index}" if draw.random() > 0.03 else "again",
            "tool_calls": [{"name": draw.choice(["forecast", "alerts"]), "arguments": made}],
            "expected_tool_calls": [{"name": "forecast", "arguments": wanted}],
            "tags": [draw.choice(["north", "south"])],
        }
        kind = draw.randint(0, 20)
        if kind == 0:
            row["tool_calls"] = "no calls"
        elif kind == 1:
            del row["tool_calls"]
        elif kind == 2:
            row |= {"id": f"tried {index // 40}", "trial": index}
        elif kind in (3, 4):
            row |= {"cluster": f"group {index // 100}", "verdict": draw.random() < 0.5}
        yield row


def write_rows(path: Path, number: int, seed: int = 7) -> Path:
    """A file of them, with blank lines and a line that is no row."""
    with path.open("w") as file:
        for index, row in enumerate(rows(number, seed)):
            file.write(json.dumps(row) + "\n")
            if index % 97 == 0:
                file.write("\n  \n")
            if index % 211 == 5:
                file.write("{no row\n")
    return path
