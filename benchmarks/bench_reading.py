"""Reading recordings against the price of parsing them: `rightcall.read` of JSON Lines beside `orjson.loads` of each."""

from __future__ import annotations

import argparse

import orjson
from measure import best_of, verdict
from recordings import RECORDINGS, story

from rightcall import read

LIMIT, AIM = 4.0, 2.5


def main() -> None:
    """Print a ratio for each format."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recordings", type=int, default=300, help="a line each")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", help="one format")
    asked = parser.parse_args()
    for name, made in RECORDINGS.items():
        if asked.only not in (None, name):
            continue
        lines = [orjson.dumps(made(story(seed))) for seed in range(asked.recordings)]
        data = b"\n".join(lines)
        trace = read(data)
        assert trace.format == name, (trace.format, name)
        assert len(trace.calls or ()) == 5 * asked.recordings, name

        def parse(lines: list[bytes] = lines) -> None:
            for line in lines:
                orjson.loads(line)

        best = best_of({"parse": parse, "read": lambda data=data: read(data)}, asked.rounds)
        told = verdict(best["read"] / best["parse"], LIMIT, AIM)
        each = 1e6 / asked.recordings
        print(f"{name}: {len(data) / len(lines):.0f} bytes, {best['read'] * each:.0f} us a recording: {told}")


if __name__ == "__main__":
    main()
