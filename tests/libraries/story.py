"""What every recording of `tests/libraries` tells: a day in a greenhouse, made up for these tests.

Two questions; the first is answered by two parallel calls and one with nested arguments, the second by a call
without arguments and by one that fails.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

__all__ = ["ANSWERS", "ASKED", "CALLS", "ERROR", "STEPS", "TEXTS", "TOOLS", "answer_text", "compact", "said"]

ASKED = [
    "How dry are beds 3 and 7? Water the drier one for the next days.",
    "Is there frost tonight? Open the vent of greenhouse “Süd” a little.",
]
TEXTS = [
    "Bed 7 is dry (12 %): it gets 12.5 litres, mornings and evenings. 🍅",
    "No frost tonight. The vent did not open: its motor is jammed.",
]
PLAN: dict[str, Any] = {
    "litres": 12.5,
    "times": ["06:30", "19:00"],
    # Longer than the 100 characters from which on a log may keep a text apart.
    "note": 'sanft gießen – 番茄, "San Marzano"; never at noon, never on the leaves,\nand not while the roof is open 🌧',
    "until": None,
    "zones": [{"row": 1, "on": True}, {"row": 2, "on": False}],
}
CALLS: list[dict[str, Any]] = [
    {"id": "call_bed_3", "name": "read_moisture", "arguments": {"bed": 3}},
    {"id": "call_bed_7", "name": "read_moisture", "arguments": {"bed": 7}},
    {
        "id": "call_water",
        "name": "schedule_watering",
        "arguments": {"bed": 7, "plan": PLAN, "announce": False},
    },
    {"id": "call_frost", "name": "frost_warning", "arguments": {}},
    {"id": "call_vent", "name": "open_vent", "arguments": {"greenhouse": "Süd", "degrees": 40}},
]
ERROR = "the motor of the vent is jammed"
ANSWERS: list[Any] = [
    {"moisture": 41},
    {"moisture": 12},
    {"order": "w-18", "starts": "06:30"},
    {"lowest": 6.5, "warning": False},
    ERROR,
]
STEPS: list[list[list[int]]] = [[[0, 1], [2]], [[3], [4]]]
"""For each question the model's answers, each with the calls (by number) that it makes at once."""
TOOLS: list[dict[str, Any]] = [
    {
        "name": "read_moisture",
        "description": "The moisture of a bed in per cent.",
        "parameters": {"type": "object", "properties": {"bed": {"type": "integer"}}, "required": ["bed"]},
    },
    {
        "name": "schedule_watering",
        "description": "Water a bed by a plan.",
        "parameters": {
            "type": "object",
            "properties": {
                "bed": {"type": "integer"},
                "plan": {"type": "object"},
                "announce": {"type": "boolean"},
            },
        },
    },
    {
        "name": "frost_warning",
        "description": "Whether tonight brings frost.",
        "parameters": {"type": "object", "properties": {}},
    },
    {
        "name": "open_vent",
        "description": "Open a vent by so many degrees.",
        "parameters": {
            "type": "object",
            "properties": {"greenhouse": {"type": "string"}, "degrees": {"type": "integer"}},
        },
    },
]


def said() -> Iterator[tuple[str, Any]]:
    """The story in order: ``user`` and a text, ``calls`` and their numbers, ``text`` and the final text."""
    for asked, steps, text in zip(ASKED, STEPS, TEXTS, strict=True):
        yield "user", asked
        for numbers in steps:
            yield "calls", numbers
        yield "text", text


def compact(value: Any) -> str:
    """JSON as most programs write it."""
    return json.dumps(value, ensure_ascii=False)


def answer_text(number: int) -> str:
    """The answer to a call as a text."""
    answer = ANSWERS[number]
    return answer if isinstance(answer, str) else compact(answer)
