"""No call is lost, added or doubled without a word: unknown items, telemetry of several libraries, misspelt parts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import Trace, read_all
from rightcall.errors import FormatError
from tests.every.test_in_one_go import both_ways

USER = {"role": "user", "content": "roll a die"}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a three"}]}
ASKS = {"type": "mcp_approval_request", "id": "a", "name": "roll", "arguments": '{"d": 1}'}
APPROVES = {"type": "mcp_approval_response", "approval_request_id": "a", "approve": True}
CALL = {"type": "mcp_call", "id": "m", "name": "roll", "arguments": '{"d": 1}', "output": "3"}
UNKNOWN = {"type": "hologram_call", "name": "beam", "arguments": "{}"}
COMPACTED = {"type": "compaction", "id": "c", "encrypted_content": "zz"}


def every(value: Any) -> list[Trace]:
    """All recordings of one document, which is read the same in one go and level by level."""
    both_ways([value])
    both_ways([value, value])
    return list(read_all(json.dumps(value).encode()))


def one(value: Any) -> Trace:
    (trace,) = every(value)
    return trace


def names(trace: Trace) -> list[str]:
    return [call.name for call in trace.calls or ()]


@pytest.mark.parametrize(
    "items",
    [
        [USER, ASKS, CALL, SAID],
        [USER, ASKS, APPROVES, CALL, SAID],
        [ASKS, APPROVES, CALL],
        [USER, COMPACTED, CALL],
    ],
)
def test_items_of_responses_that_hold_no_call_split_no_list(items: list[Any]) -> None:
    trace = one(items)
    assert (trace.format, names(trace), trace.warnings) == ("openai_responses", ["roll"], ())
    assert names(one({"object": "response", "output": items[-2:]})) == ["roll"]


@pytest.mark.parametrize("items", [[USER, UNKNOWN, CALL, SAID], [CALL, UNKNOWN, SAID], [UNKNOWN, CALL]])
def test_a_call_of_an_unknown_kind_among_items_is_left_out_with_a_warning(items: list[Any]) -> None:
    trace = one(items)
    assert names(trace) == ["roll"]
    assert "'hologram_call' was left out" in trace.warnings[0]


def test_a_call_of_an_unknown_kind_alone_is_not_guessed() -> None:
    with pytest.raises(FormatError, match="openai_responses"):
        every([UNKNOWN])
