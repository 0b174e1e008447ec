"""Generated rows for benchmarks: 1 to 5 calls, 2 to 8 arguments, nested values, 60 % of rows exact.

The other 40 % carry the faults that agents make: a changed, missing or extra argument, a missing or repeated
call, another tool, another order. Seeded, so every machine measures the same rows.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORDS = (
    *("amber", "basil", "cedar", "dune", "ember", "fjord", "grove", "heron"),
    *("islet", "jetty", "knoll", "larch", "marsh", "north", "ochre", "pine"),
)
EXACT_SHARE = 0.6


def value(source: random.Random, depth: int = 0) -> Any:
    """A JSON value, nested up to three levels."""
    kind = source.random()
    if kind < 0.35:
        return " ".join(source.choices(WORDS, k=source.randint(1, 5)))
    if kind < 0.5:
        return source.randint(0, 10**6)
    if kind < 0.6:
        return round(source.random() * 1000, 2)
    if kind < 0.74:
        return source.choice([True, False, None])
    if depth > 2:
        return source.choice(WORDS)
    if kind < 0.87:
        return [value(source, depth + 1) for _ in range(source.randint(1, 4))]
    return {f"{source.choice(WORDS)}_{n}": value(source, depth + 1) for n in range(source.randint(1, 4))}


def call(source: random.Random) -> dict[str, Any]:
    """A call of one of sixteen tools, each of which has eight arguments of its own."""
    tool = source.randrange(len(WORDS))
    names = [f"{WORDS[(tool + 3 * n) % len(WORDS)]}_{n}" for n in range(8)]
    arguments = {name: value(source) for name in source.sample(names, source.randint(2, 8))}
    return {"name": f"get_{WORDS[tool]}", "arguments": arguments}


def _spoil(source: random.Random, calls: list[dict[str, Any]]) -> None:
    fault = source.randrange(6)
    chosen = source.choice(calls)
    first = next(iter(chosen["arguments"]))
    if fault == 0:
        chosen["arguments"][first] = "something else"
    elif fault == 1:
        del chosen["arguments"][first]
    elif fault == 2:
        calls.remove(chosen)
    elif fault == 3:
        calls.append(chosen)
    elif fault == 4:
        chosen["name"] = "get_wrong"
    else:
        source.shuffle(calls)
        chosen["arguments"]["extra"] = 1


def rows(count: int, seed: int = 7) -> Iterator[bytes]:
    """Lines of native cases."""
    source = random.Random(seed)
    for number in range(count):
        expected = [call(source) for _ in range(source.randint(1, 5))]
        actual = json.loads(json.dumps(expected))
        if source.random() >= EXACT_SHARE:
            _spoil(source, actual)
        row = {"id": f"case-{number}", "tool_calls": actual, "expected_tool_calls": expected}
        yield json.dumps(row, separators=(",", ":")).encode()


def write(path: Path, count: int) -> Path:
    """A JSON Lines file of `count` rows."""
    with path.open("wb") as file:
        for line in rows(count):
            file.write(line + b"\n")
    return path
