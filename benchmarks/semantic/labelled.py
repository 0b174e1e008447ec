"""The labelled pairs, in halves that share no tool: the own ones, and those of the shared data where it is there."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from rightcall.judges.local.training import Labelled
from rightcall.judges.local.verdict import about

ROOT = Path(__file__).resolve().parents[2]
OWN = ROOT / "tests" / "judges" / "data"
SHARED = Path(os.environ.get("RIGHTCALL_SHARED", ROOT.parent / "shared")) / "data"


def own(half: str) -> list[dict[str, Any]]:
    """The rows of ``fit`` or ``test``."""
    return [json.loads(line) for line in (OWN / f"{half}.jsonl").read_text().splitlines()]


def benchmark_half(tool: str) -> str:
    """Which half a tool of the shared data belongs to. Only the fit half was looked at before the last measurement."""
    return "test" if int(hashlib.sha256(f"rightcall|{tool}".encode()).hexdigest(), 16) % 2 else "fit"


def benchmark(half: str) -> list[dict[str, Any]]:
    """The rows of the shared pairs whose tool is in that half; none where the data is absent."""
    path = SHARED / "semantic" / "semantic_pairs.jsonl"
    if not path.is_file():
        return []
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [_with_schema(row) for row in rows if benchmark_half(row["tool"]) == half]


def _with_schema(row: dict[str, Any]) -> dict[str, Any]:
    kind = {"any": None}.get(row["type"], row["type"])
    name = row["argument"].replace("[]", "").split(".")[-1]
    return row | {
        "argument": name,
        "schema": {"type": kind, "description": row["description"]},
        "group": "benchmark",
    }


def labelled(row: dict[str, Any], weight: float = 1.0) -> Labelled:
    """A row as the trainer takes it."""
    return Labelled(row["a"], row["b"], about(row["argument"], row["schema"]), row["equivalent"], weight)
