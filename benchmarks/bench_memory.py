"""Peak memory of `rightcall run` over a million rows (about 1.5 GB): at most 250 MB."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from generate import write
from measure import verdict

MOST_MB = 250


def main() -> None:
    """Write rows, run, and read the finished process's peak from the operating system."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # Fifty thousand different rows over and over, under ids of their own.
        path, unit = Path(folder) / "rows.jsonl", Path(folder) / "unit.jsonl"
        lines = write(unit, min(asked.rows, 50_000)).read_bytes().splitlines()
        with path.open("wb") as file:
            for number in range(asked.rows):
                line = lines[number % len(lines)]
                file.write(b'{"id":"row-%d"' % number + line[line.index(b',"tool_calls"') :] + b"\n")
        command = [sys.executable, "-m", "rightcall", "run", str(path), "-e", "tool_call_accuracy"]
        start = time.perf_counter()
        process = subprocess.Popen(
            [*command, "--out", str(Path(folder) / "run"), "--no-gate"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"rightcall run ended with status {status}")
        size = path.stat().st_size / 1e9
        peak = usage.ru_maxrss / 1024
        print(f"{asked.rows} rows, {size:.2f} GB, {time.perf_counter() - start:.0f} s")
        print(f"peak memory {peak:.0f} MB: {verdict(peak / MOST_MB, 1.0)} of {MOST_MB} MB")


if __name__ == "__main__":
    main()
