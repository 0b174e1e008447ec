"""Reading recordings against the price of parsing them: `rightcall.read` of JSON Lines beside `orjson.loads` of each.

Two sizes of the same conversations (see `recordings.py`): the limit is for ``real`` ones, of the size that agents
record. ``small`` ones, a quarter of that, are printed beside them: what a call costs shows there, what a byte costs
shows in the real ones.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import orjson
from measure import best_of, verdict
from recordings import SIZES, Story, story
from recordings_of_evaluations import ALL

from rightcall import read

LIMIT, AIM = 4.0, 2.5


def measured(
    name: str, made: Callable[[Story], Any], size: str, count: int, rounds: int
) -> tuple[int, float, float]:
    """Bytes and microseconds of a recording, and the ratio."""
    lines = [orjson.dumps(made(story(seed, size))) for seed in range(count)]
    data = b"\n".join(lines)
    trace = read(data)
    assert trace.format == name.removesuffix("_tools"), (trace.format, name)
    assert len(trace.calls or ()) == 5 * count, (name, len(trace.calls or ()))

    def parse() -> None:
        for line in lines:
            orjson.loads(line)

    best = best_of({"parse": parse, "read": lambda: read(data)}, rounds)
    return len(data) // count, best["read"] * 1e6 / count, best["read"] / best["parse"]


def main() -> None:
    """Print two ratios for each format."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recordings", type=int, default=150, help="a line each")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", help="one format")
    asked = parser.parse_args()
    for name, made in ALL.items():
        if asked.only not in (None, name):
            continue
        found = {size: measured(name, made, size, asked.recordings, asked.rounds) for size in SIZES}
        told = "; ".join(
            f"{size} ({found[size][0] / 1000:.1f} KB, {found[size][1]:.0f} us): "
            + (verdict(found[size][2], LIMIT, AIM) if size == "real" else f"{found[size][2]:.2f} x")
            for size in reversed(SIZES)
        )
        print(f"{name}: {told}")


if __name__ == "__main__":
    main()
