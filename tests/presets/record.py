"""Writes the recorded tables from the installed peers: `python -m tests.presets.record` (peers are installed first).

A line holds an input and the peer's scores in the order of the variants; lines of the shared edge cases hold the
hash of the input instead of the input.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.conftest import SHARED
from tests.presets.generate import TEXTS, VALUES, bfcl_inputs, inputs
from tests.presets.parity import PACKAGES, VARIANTS, peer_python, peer_scores

RECORDED = Path(__file__).parent / "recorded"
COUNT = 260
SEED = 20261130


def own_inputs() -> list[dict[str, Any]]:
    """Every value against every near one, and the empty sides: small, and each about one thing."""
    made: list[dict[str, Any]] = [{"actual": [], "expected": []}]
    one = {"name": "f", "arguments": {"x": 1}}
    made += [{"actual": [one], "expected": []}, {"actual": [], "expected": [one]}]
    made += [
        {"actual": [one] * times, "expected": [one] * wanted} for times in (1, 2, 3) for wanted in (1, 2, 3)
    ]
    for value in VALUES:
        for other in (1, True, "1", None, {"k": 1}, [1]):
            made.append({"actual": [_with(value)], "expected": [_with(other)]})
    made += [{"actual": [{"name": "f", "arguments": text}], "expected": [one]} for text in TEXTS]
    # A call may have no key for its arguments, null or an empty text there, on either side or on one of two calls.
    bare: list[dict[str, Any]] = [{"name": "f"}]
    bare += [{"name": "f", "arguments": None}, {"name": "f", "arguments": ""}, {"name": "f", "arguments": {}}]
    for call in bare:
        for other in (*bare, one):
            made.append({"actual": [call], "expected": [other]})
            made.append({"actual": [one, call], "expected": [{"name": "g", "arguments": {"x": 9}}, other]})
            made.append({"actual": [other], "expected": [call]})
            made.append({"actual": [one, one], "expected": [{"name": "f", "arguments": {"x": 9}}, call]})
    return made


def _with(value: Any) -> dict[str, Any]:
    return {"name": "f", "arguments": {"x": value}}


def recorded_inputs(peer: str) -> list[dict[str, Any]]:
    """What is recorded of a peer, beside the shared edge cases."""
    if peer == "bfcl":
        return list(bfcl_inputs(2 * COUNT, SEED))
    return [*own_inputs(), *inputs(COUNT, SEED)]


def edges_of(peer: str) -> dict[str, dict[str, Any]]:
    """The shared edge cases in the form that a peer takes."""
    if peer != "bfcl":
        return edge_inputs()
    return {key: case for key, edge in edge_inputs().items() if (case := _for_bfcl(edge)) is not None}


_TYPES = {bool: "boolean", int: "integer", float: "float", str: "string", list: "array", dict: "dict"}


def _for_bfcl(edge: dict[str, Any]) -> dict[str, Any] | None:
    """An edge case for BFCL's checker: each expected value is the one accepted, its type the schema's.

    None where nothing is expected (other rules hold there), or where a side has no arguments object to look at.
    """
    calls = [*edge["expected"], *edge["actual"]]
    if not edge["expected"] or not all(isinstance(call.get("arguments"), dict) for call in calls):
        return None
    tools: dict[str, dict[str, Any]] = {}
    for call in edge["expected"]:
        properties = tools.setdefault(call["name"], {})
        for key, value in call["arguments"].items():
            properties[key] = {"type": _TYPES.get(type(value), "any")}
            if isinstance(value, list):
                properties[key]["items"] = {"type": _TYPES.get(type(value[0]) if value else str, "any")}
    return {
        "tools": [
            {
                "name": name,
                "parameters": {"type": "dict", "properties": properties, "required": list(properties)},
            }
            for name, properties in tools.items()
        ],
        "expected_any": [
            {"name": call["name"], "arguments": {key: [value] for key, value in call["arguments"].items()}}
            for call in edge["expected"]
        ],
        "actual": edge["actual"],
    }


def edge_inputs() -> dict[str, dict[str, Any]]:
    """The shared edge cases by the hash of their line; none where the shared folder is not there."""
    path = SHARED / "cases" / "edge_inputs.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    found: dict[str, dict[str, Any]] = {}
    for line in lines:
        row = json.loads(line)
        sides = {side: [_flat(call) for call in row[side]] for side in ("actual", "expected")}
        found[hashlib.sha256(line.encode()).hexdigest()[:24]] = sides
    return found


def _flat(call: dict[str, Any]) -> dict[str, Any]:
    inner = call.get("function")
    return call if inner is None else {"name": inner["name"], "arguments": inner["arguments"]}


def ordered(peer: str, scores: Iterable[dict[str, Any]]) -> list[list[Any]]:
    """Scores as the table holds them: `raises` without its words, which say nothing about parity."""
    return [
        ["raises" if isinstance(one[name], str) else one[name] for name in VARIANTS[peer]] for one in scores
    ]


def main() -> None:
    """Ask every peer, and write what it said."""
    for peer in PACKAGES:
        python = peer_python(peer, install=True)
        assert python is not None
        cases = recorded_inputs(peer)
        edges = edges_of(peer)
        scores = ordered(peer, peer_scores(peer, python, [*cases, *edges.values()]))
        lines = [{"input": case, "scores": found} for case, found in zip(cases, scores, strict=False)]
        lines += [
            {"edge": key, "scores": found} for key, found in zip(edges, scores[len(cases) :], strict=True)
        ]
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        (RECORDED / f"{peer}.jsonl").write_text(text)


if __name__ == "__main__":
    main()
