"""Runs to look at, and a browser to look at them with."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rightcall.app.cli.root import run as command_line

TOOLS = ("search_flights", "book_flight", "get_weather", "cancel_booking", "list_trips", "convert_currency")


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def row(number: int) -> dict[str, Any]:
    """A case: of ten, four are right and each of the others is wrong in a way of its own."""
    tool = TOOLS[number % len(TOOLS)]
    wanted = call(tool, city=f"City {number % 89}", date="2027-04-14", cabin="economy", nights=number % 7 + 1)
    made: list[dict[str, Any]] = [wanted]
    arguments = dict(wanted["arguments"])
    match number % 10:
        case 1:
            made = [call(tool, **(arguments | {"cabin": "Economy"}))]
        case 3:
            made = []
        case 5:
            made = [call(tool, **(arguments | {"date": "14/04/2027"}))]
        case 6:
            made = [wanted, call("list_trips", user=number)]
        case 7:
            made = [call(TOOLS[(number + 1) % len(TOOLS)], **arguments)]
        case 9:
            made = [call(tool, **{key: value for key, value in arguments.items() if key != "nights"})]
    return {
        "id": f"case-{number:05d}",
        "input": f"What about city {number % 89}?",
        "tags": [("short", "long", "odd")[number % 3]],
        "tool_calls": made,
        "expected_tool_calls": [wanted],
    }


def rows(number: int) -> list[dict[str, Any]]:
    """Cases of every outcome: among them one in error, and one that nothing was recorded of."""
    found = [row(at) for at in range(number)]
    if number > 4:
        found[2]["tool_calls"] = 42
        del found[4]["tool_calls"]
    return found


def report(folder: Path, cases: Iterable[dict[str, Any]], *more: str) -> Path:
    """The page of a run of these cases, made by the command line."""
    folder.mkdir(parents=True, exist_ok=True)
    data = folder / "cases.jsonl"
    data.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    arguments = [
        "run",
        str(data),
        "--out",
        str(folder / "out"),
        "--report",
        "html",
        *(more or ("--suite", "agent")),
    ]
    assert command_line(arguments) in (0, 1, 3)
    return folder / "out" / "report.html"
