"""Scoring against the price of parsing: raw JSON Lines to Results and Tally, beside `orjson.loads` of the lines."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import orjson
from generate import write
from measure import best_of, verdict

from rightcall import evaluate_cases


def main() -> None:
    """Print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "rows.jsonl", asked.rows)
        lines = path.read_bytes().splitlines()

        def parse() -> None:
            for line in lines:
                orjson.loads(line)

        best = best_of(
            {"parse": parse, "score": lambda: evaluate_cases(path, "tool_call_accuracy")}, asked.rounds
        )
        each = 1e6 / asked.rows
        size = sum(map(len, lines)) / len(lines)
        print(f"{asked.rows} rows of {size:.0f} bytes; orjson.loads {best['parse'] * each:.2f} us a row")
        ratio = best["score"] / best["parse"]
        print(
            f"evaluate_cases(tool_call_accuracy) {best['score'] * each:.2f} us a row: {verdict(ratio, 2.0, 1.5)}"
        )


if __name__ == "__main__":
    main()
