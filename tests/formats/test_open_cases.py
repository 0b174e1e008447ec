"""Cases that users of other tools reported: reading traces and putting streams together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rightcall import CallError, list_formats, read

IDS = ("o36", "o37", "o38", "o39", "o40", "o41", "o68", "o69")


@pytest.fixture(scope="module")
def cases(shared_data: Path) -> dict[str, dict[str, Any]]:
    file = shared_data.parent / "cases" / "open.jsonl"
    if not file.is_file():
        pytest.skip("the open cases are not here")
    found = [json.loads(line) for line in file.read_text().splitlines()]
    return {case["id"]: case for case in found if case["evaluator"] in ("trace_ingest", "stream_assemble")}


def test_all_of_them_are_run(cases: dict[str, Any]) -> None:
    assert set(cases) == set(IDS)


@pytest.mark.parametrize("id", IDS)
def test_an_open_case(id: str, cases: dict[str, dict[str, Any]]) -> None:
    case = cases[id]
    chosen = case["config"].get("format", "auto")
    if chosen not in (*list_formats(), "auto"):
        pytest.skip(f"there is no format {chosen}")
    actual, wanted = case["actual"], [(call["name"], call["args"]) for call in case["expected"]]
    sources = [actual, json.dumps(actual).encode()]
    if isinstance(actual, dict):
        sources += [[actual], json.dumps([actual]).encode()]
    for source in sources:
        if case["want"]["error"] is None:
            trace = read(source, format=chosen)
            assert [(call.name, call.arguments) for call in trace.calls or ()] == wanted
            continue
        try:
            trace = read(source, format=chosen)
        except CallError as error:
            said = f"{error} {error.field}"
            assert "inputs" in said if id == "o68" else "tool_calls[0]" in said
        else:
            assert "also_ok" in case["want"]
            assert [(call.name, call.arguments) for call in trace.calls or ()] == wanted
