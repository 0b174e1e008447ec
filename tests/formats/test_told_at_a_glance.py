"""Plain calls and native cases are told at a glance where no other format could claim them; nothing else changes."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest
from msgspec import Raw

from rightcall.core.reading.glance import Glance
from rightcall.core.types import Trace
from rightcall.run.intake.reading import known_formats
from rightcall.run.intake.traces import traces_of

CALL = {"name": "find", "arguments": {"city": "Oslo"}}
MORE_OF_A_CALL: dict[str, Any] = {
    "id": "a",
    "turn": 1,
    "group": "g",
    "output": "warm",
    "error": "no such city",
    "status": "ok",
    "start": 1.5,
    "span_id": "s",
}
MORE_OF_A_CASE: dict[str, Any] = {
    "id": "c",
    "output": "warm",
    "tools": [{"name": "find"}],
    "turns": [{"input": "a", "text": "b"}],
    "expected": [CALL],
}


def _subsets(fields: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(chosen) for size in range(len(fields) + 1) for chosen in combinations(fields.items(), size)]


@pytest.mark.parametrize(
    ("name", "items"),
    [
        ("plain", [CALL | more for more in _subsets(MORE_OF_A_CALL)]),
        ("native", [{"tool_calls": [CALL, CALL]} | more for more in _subsets(MORE_OF_A_CASE)]),
    ],
)
def test_what_is_sure_no_other_format_claims_as_well(name: str, items: list[dict[str, Any]]) -> None:
    formats = known_formats()
    member = formats.get(name)
    assert member.surely is not None
    for item in items:
        node = Raw(json.dumps(item).encode())
        assert member.surely(node) is not None, item
        fits = formats.fits(Glance(node))
        assert fits.pop(name) == member.sure, item
        assert member.sure is not None
        assert all(other.strength < member.sure.strength for other in fits.values()), (item, fits)


@pytest.mark.parametrize(
    ("name", "item"),
    [
        ("plain", CALL | {"type": "tool_use"}),
        ("plain", CALL | {"type": None}),
        ("plain", CALL | {"output": [{"type": "message"}]}),
        ("plain", CALL | {"error": {"code": 1}}),
        ("plain", CALL | {"role": "assistant"}),
        ("plain", CALL | {"name": ""}),
        ("plain", {"name": "find", "args": {}}),
        ("native", {"tool_calls": []}),
        ("native", {"tool_calls": [CALL | {"type": "function"}]}),
        ("native", {"tool_calls": [CALL | {"name": ""}]}),
        ("native", {"tool_calls": [CALL], "role": "assistant"}),
        ("native", {"tool_calls": [CALL], "turns": [{"tools_called": []}]}),
        ("native", {"actual": [CALL]}),
    ],
)
def test_what_others_may_claim_is_asked_of_all(name: str, item: dict[str, Any]) -> None:
    surely = known_formats().get(name).surely
    assert surely is not None
    assert surely(Raw(json.dumps(item).encode())) is None


def _told(traces: list[Trace]) -> list[tuple[str | None, list[Any]]]:
    return [(trace.format, [(c.name, c.arguments, c.output) for c in trace.calls or ()]) for trace in traces]


def test_lists_of_plain_calls_stay_recordings_of_their_own_and_other_formats_are_still_told() -> None:
    message = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "go", "input": {}}]}
    lines = [[CALL, CALL | {"output": "x"}], [CALL], [message], [CALL, {"tool": "find", "args": {"a": 1}}]]
    data = b"\n".join(json.dumps(line).encode() for line in lines)
    found = _told(traces_of(data))
    assert [(name, len(calls)) for name, calls in found] == [
        ("plain", 2), ("plain", 1), ("anthropic", 1), ("plain", 2),
    ]  # fmt: skip
    assert found[3][1][1] == ("find", {"a": 1}, None)


def test_cases_are_recordings_of_their_own_with_texts_tools_and_each_call() -> None:
    case = {"id": 7, "tool_calls": [CALL | {"id": "a"}, CALL | {"id": "a"}], "output": "It is warm."}
    turns = {"tool_calls": [CALL | {"turn": 0}], "turns": [{"input": "How warm?", "text": "Warm."}]}
    tools = {"tool_calls": [CALL], "tools": [{"name": "find", "parameters": {"type": "object"}}]}
    odd = {"id": "odd", "tool_calls": [CALL, {"tool": "find", "args": {}}]}
    data = b"\n".join(json.dumps(line).encode() for line in (case, turns, tools, odd, case))
    first, second, third, fourth, fifth = traces_of(data)
    assert (first.id, first.text, len(first.calls or ())) == ("7", "It is warm.", 2)
    assert _told([first]) == _told([fifth])
    assert [(turn.input, turn.text) for turn in second.turns] == [("How warm?", "Warm.")]
    assert [tool.name for tool in third.tools or ()] == ["find"]
    assert (fourth.id, len(fourth.calls or ())) == ("odd", 2)
