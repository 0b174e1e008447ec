"""The labelled pairs, in halves that share no tool: the own ones, and those of the shared data where it is there."""

from __future__ import annotations

import hashlib
import json
import os
import random
from functools import cache
from pathlib import Path
from typing import Any

from rightcall.core.jsonvalue import same_value
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
    return Labelled(
        row["a"], row["b"], about(row["argument"], row["schema"], row["tool"]), row["equivalent"], weight
    )


Call = tuple[str, dict[str, Any], dict[str, Any], Any, bool]
"""Tool, arguments of both sides, the tool's schema, whether the benchmark accepts both for one task."""

_MOST_OF_A_TASK = 4


def calls(half: str, *, omissions: bool = False) -> list[Call]:
    """Whole calls of the shared data that are not equal, made of the accepted values of each argument.

    Equivalent: two choices of accepted values of one task, what may be left out left out in some. Not equivalent: the
    arguments of one task against those of another with the same tool, and one argument taken from another task.

    Without `omissions` both calls give the same arguments, and equivalent ones differ only in values that the shared
    pairs list as equivalent: what the benchmark lets a model leave out, or choose between, it does not check, which
    says nothing about whether two calls mean the same.
    """
    folder = SHARED / "pairs_nolicence"
    if not folder.is_dir():
        return []
    schemas = _schemas()
    tasks: dict[str, dict[str, dict[str, list[Any]]]] = {}
    specs: dict[str, Any] = {}
    for path in sorted(folder.glob("bfcl-*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            for number, call in enumerate(row.get("expected_any") or ()):
                name = call["name"]
                if benchmark_half(name) == half and _is_flat(call["arguments"]):
                    tasks.setdefault(name, {})[f"{row['task_id']}:{number}"] = call["arguments"]
                    specs.setdefault(name, schemas.get((row["tools_ref"], name)))
    return [
        call
        for name in sorted(tasks)
        for call in _calls_of(name, tasks[name], specs[name], omissions=omissions)
    ]


def _is_flat(accepted: Any) -> bool:
    return isinstance(accepted, dict) and all(
        isinstance(values, list) and not any(isinstance(value, dict) for value in values)
        for values in accepted.values()
    )


def _calls_of(
    name: str, tasks: dict[str, dict[str, list[Any]]], schema: Any, *, omissions: bool
) -> list[Call]:
    rng = random.Random(name)
    found: list[Call] = []
    seen: set[str] = set()
    known = _known_pairs().get(name, frozenset())

    def add(a: dict[str, Any], b: dict[str, Any], *, equivalent: bool) -> None:
        if not omissions and (a.keys() != b.keys() or (equivalent and not _differing(a, b) <= known)):
            return
        if not equivalent and _differing(a, b) <= known:
            return
        key = json.dumps(sorted([json.dumps(a, sort_keys=True), json.dumps(b, sort_keys=True)]))
        if not same_value(a, b) and key not in seen:
            seen.add(key)
            found.append((name, a, b, schema, equivalent))

    if not omissions:
        tasks = {
            task: {key: _given(values) for key, values in accepted.items()}
            for task, accepted in tasks.items()
        }
    keys = sorted(tasks)
    for task in keys:
        accepted = tasks[task]
        for _ in range(_MOST_OF_A_TASK):
            add(_choice(rng, accepted), _choice(rng, accepted), equivalent=True)
        for other in rng.sample(keys, min(2, len(keys))):
            base, there = _choice(rng, accepted), tasks[other]
            swapped = [key for key in there if key in accepted and not _overlap(accepted[key], there[key])]
            if not swapped:
                continue
            add(base, _choice(rng, there), equivalent=False)
            key = rng.choice(swapped)
            if values := [value for value in there[key] if value != ""]:
                add(base, _choice(rng, accepted) | {key: values[0]}, equivalent=False)
    return found


def _differing(a: dict[str, Any], b: dict[str, Any]) -> frozenset[str]:
    """Keys of the pairs of values in which two calls differ."""
    return frozenset(
        _pair_key(key, a.get(key), b.get(key)) for key in {*a, *b} if not same_value(a.get(key), b.get(key))
    )


def _pair_key(argument: str, a: Any, b: Any) -> str:
    return json.dumps([argument, *sorted([json.dumps(a, sort_keys=True), json.dumps(b, sort_keys=True)])])


@cache
def _known_pairs() -> dict[str, frozenset[str]]:
    """Of each tool, the pairs of values that the shared file lists as equivalent: alternatives are sifted out there."""
    found: dict[str, set[str]] = {}
    for half in ("fit", "test"):
        for row in benchmark(half):
            if row["equivalent"]:
                found.setdefault(row["tool"], set()).add(_pair_key(row["argument"], row["a"], row["b"]))
    return {tool: frozenset(pairs) for tool, pairs in found.items()}


def _given(values: list[Any]) -> list[Any]:
    """The accepted values that say something; where there is none, the argument is left out on both sides."""
    return [value for value in values if value is not None and value not in ("", "dontcare", "null", "any")]


def _overlap(one: list[Any], other: list[Any]) -> bool:
    """Whether two tasks accept a common value, being left out not counted."""
    return not {str(value).casefold() for value in one if value != ""}.isdisjoint(
        str(value).casefold() for value in other
    )


def _choice(rng: random.Random, accepted: dict[str, list[Any]]) -> dict[str, Any]:
    chosen = {key: rng.choice(values) for key, values in accepted.items() if values}
    return {key: value for key, value in chosen.items() if value != ""}


def _schemas() -> dict[tuple[str, str], Any]:
    found: dict[tuple[str, str], Any] = {}
    for path in sorted((SHARED / "tools").glob("bfcl-*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            for tool in row.get("tools") or ():
                found[row["tools_ref"], tool["name"]] = tool.get("parameters")
    return found
