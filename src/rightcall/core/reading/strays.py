"""Calls that a message may hold where nobody looks for them: under a misspelt field, or in a shape that nobody knows.

Shapes pass over fields that they don't know, so such a call would be lost without a word (contract 3: never guess
silently).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Raw

from ...errors import CallError, nearest
from ..nodes import Node, opened
from .callfields import ARGUMENT_KEYS, NAME_KEYS
from .conversation import Conversation
from .offering import there
from .shapes import ABSENT

__all__ = ["look_for_calls", "refuse_stray"]

_CALL_FIELDS: Final = ("tool_calls", "function_call")
_PLAINLY: Final = frozenset({"toolcall", "toolcalls", "functioncall", "functioncalls"})
_KNOWN: Final = frozenset(
    {
        *("role", "type", "content", "id", "name", "refusal", "tool_calls", "function_call", "tool_call_id"),
        *("tool_name", "tool_plan", "tool_choice", "tool_results", "invalid_tool_calls", "tool_call_chunks"),
        *("additional_kwargs", "response_metadata", "usage_metadata", "metadata", "parts", "blocks", "data"),
        *("kwargs", "toolInvocations", "audio", "annotations", "citations", "images", "artifact", "usage"),
        *("reasoning", "reasoning_content", "reasoning_details", "thinking", "thinking_blocks"),
        *("provider_specific_fields", "logprobs", "messages", "tools", "functions"),
    }
)
"""Fields of messages in known formats that hold no call, or whose calls are read elsewhere."""
_SMALL: Final = re.compile(r"[^a-z]")
_BRACKETS: Final = frozenset(b"{[")


def refuse_stray(value: Any, place: str) -> None:
    """A message that holds arguments beside its role is a call in a shape that nobody knows.

    Raises:
        CallError: `value`, a message without calls, has one of the known fields for arguments.
    """
    if (
        value.arguments is value.args is value.input is value.parameters is value.params is ABSENT
        and value.kwargs is value.tool_input is value.toolInput is value.action_input is ABSENT
    ):
        return
    stray = next((key for key in ARGUMENT_KEYS if there(getattr(value, key))), None)
    if stray is not None:
        error = f"a message that holds {stray!r} but no tool_calls"
        raise CallError(error, field=place, hint="give a call without a role, or a message with tool_calls")


def look_for_calls(message: Node, place: str, into: Conversation) -> None:
    """Look at the unknown fields of an agent's message in which no call was found.

    Raises:
        CallError: the name of one is nearly that of a field for calls.
    """
    fields = opened(message)
    if not isinstance(fields, Mapping):
        return
    for key, node in fields.items():
        if key in _KNOWN or (type(node) is Raw and memoryview(node)[0] not in _BRACKETS):
            continue
        value = opened(node)
        if not value or not isinstance(value, Mapping | list | tuple):
            continue
        near = _nearly(key, value)
        if near is not None:
            error = f"a message with the unknown field {key!r} and no {near}"
            raise CallError(error, field=place, hint=f"nearest known field: {near}")
        if _holds_call(value):
            into.warn(f"{place}: the unknown field {key!r} may hold a call, which was not read")


def _nearly(key: str, value: Any) -> str | None:
    """The field for calls that a key is another spelling of, or near to while it holds what may be a call."""
    if _SMALL.sub("", key.lower()) in _PLAINLY:
        return "tool_calls" if "tool" in key.lower() else "function_call"
    return nearest(key, _CALL_FIELDS) if _holds_call(value) else None


def _holds_call(value: Any) -> bool:
    """Whether an object, or the first of a list, has a name and arguments."""
    first = opened(value[0]) if isinstance(value, list | tuple) else value
    if not isinstance(first, Mapping):
        return False
    function = opened(first.get("function"))
    held = function if isinstance(function, Mapping) else first
    return not held.keys().isdisjoint(NAME_KEYS) and not held.keys().isdisjoint(ARGUMENT_KEYS)
