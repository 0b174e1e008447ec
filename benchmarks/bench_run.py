"""The whole command, `rightcall run` with four evaluators and results.jsonl, beside `orjson.loads` of the lines.

CPU time of the finished process, start-up included.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import orjson
from generate import write
from measure import best_of, children_seconds, verdict

EVALUATORS = ("tool_call_accuracy", "tool_call_args", "tool_call_order", "tool_call_count")


def command_seconds(path: Path, out: Path) -> float:
    """User and system seconds of one run."""
    chosen = [word for name in EVALUATORS for word in ("-e", name)]
    # Byte code is compiled once, as after an installation.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(out.parent / "bytecode")
    before = children_seconds()
    subprocess.run(
        [sys.executable, "-m", "rightcall", "run", str(path), *chosen, "--out", str(out), "--no-gate"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    spent: float = children_seconds() - before
    return spent


def main() -> None:
    """Print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "rows.jsonl", asked.rows)
        lines = path.read_bytes().splitlines()

        def parse() -> None:
            for line in lines:
                orjson.loads(line)

        parsing, running = float("inf"), float("inf")
        for _ in range(asked.rounds):
            parsing = min(parsing, best_of({"parse": parse}, 1)["parse"])
            running = min(running, command_seconds(path, Path(folder) / "run"))
        each = 1e6 / asked.rows
        print(f"{asked.rows} rows; orjson.loads {parsing * each:.2f} us a row")
        ratio = verdict(running / parsing, 6.0, 4.0)
        print(
            f"rightcall run, {len(EVALUATORS)} evaluators, results.jsonl: {running * each:.2f} us a row: {ratio}"
        )


if __name__ == "__main__":
    main()
