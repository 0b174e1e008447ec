"""plain: a call as an object with its name under one of six keys and its arguments under one of nine."""

from __future__ import annotations

from typing import Final

from ..core.nodes import Node, kind_of, opened
from ..core.reading.callfields import (
    ARGUMENT_KEYS,
    NAME_KEYS,
    RECORD_KEYS,
    WRAPPER_WORDS,
    read_call,
    single_key_call,
    sure_call,
    usual_call,
)
from ..core.reading.format import SHARED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.strangers import is_strange
from ..core.types import ToolCall, Trace
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="plain",
    meaning="a call as an object: a name and its arguments",
    detected_by="an object with a name field, or with one key (the name) whose value is an object",
    name_at=" | ".join(NAME_KEYS),
    arguments_at=" | ".join(ARGUMENT_KEYS) + ": an object or its JSON text",
    id_at="id",
    result_at="output, error, status",
    group_at="group",
    turn_at="turn",
    cannot_carry="the agent's text; the offered tools",
    example='[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
)


SURE = Evidence(SHARED, "a name under 'name'")


surely = sure_call


_OF_SPANS: Final = frozenset({"traceId", "trace_id", "spanId", "span_id", "context"})


def detect(glance: Glance) -> Evidence | None:
    """By a name field or the one-key form; what else is an object may still say what it lacks in `read`."""
    if "role" in glance.keys:
        return None  # a message with a name is no call of that name
    if "attributes" in glance.keys and not glance.keys.isdisjoint(_OF_SPANS):
        return None  # a span has a name too, and one of nobody's words lies in many recordings
    if is_strange(glance):
        return None
    for key in NAME_KEYS:
        if key in glance.keys and isinstance(glance.at(key), str):
            return Evidence(SHARED, f"a name under {key!r}")
    if len(glance.keys) == 1 and glance.keys.isdisjoint(WRAPPER_WORDS):
        return Evidence(WOULD_DO, "an object with one key")
    fields = glance.keys & {*NAME_KEYS, *ARGUMENT_KEYS}
    return Evidence(1, f"a field {min(fields)!r}") if fields else None


class Reader:
    """Each item is one call; an id merges nothing here."""

    def __init__(self) -> None:
        self._calls: list[ToolCall] = []
        self._warnings: list[str] = []

    def feed(self, item: Node, place: str) -> None:
        """Take one call.

        Raises:
            CallError: no name, or arguments that could be under an unknown key.
        """
        call = usual_call(item)
        if call is None and isinstance(item, ToolCall):
            call = item
        elif call is None:
            fields = opened(item)
            call = _read(fields, place)
            unread = _unread(fields)
            if unread:
                self._warnings.append(
                    f"{place}: no field of arguments, and {', '.join(unread)} are not read as such"
                )
        self._calls.append(call)

    def traces(self) -> list[Trace]:
        """One trace with all the calls."""
        return [Trace(calls=tuple(self._calls), format=DECLARATION.id, warnings=tuple(self._warnings))]


def _unread(fields: dict[str, Node]) -> list[str]:
    """Fields of a call without arguments that may have been meant as such: a flat call keeps them beside its name."""
    if len(fields) == 1 or not fields.keys().isdisjoint(ARGUMENT_KEYS):
        return []
    return [repr(key) for key in fields if key not in NAME_KEYS and key not in RECORD_KEYS][:5]


def _read(item: object, place: str) -> ToolCall:
    if not isinstance(item, dict):
        raise CallError(f"{kind_of(item)} where a call should be", field=place)
    if not any(_is_name(item, key) for key in NAME_KEYS):
        call = single_key_call(item, place)
        if call is not None:
            return call
    return read_call(item, place)


def _is_name(item: dict[str, Node], key: str) -> bool:
    """Whether `key` may be the name's; alone with arguments under it, it is a word where a tool's name should be."""
    if key not in item:
        return False
    value = opened(item[key])
    return len(item) > 1 or not (isinstance(value, dict) or str(value).lstrip().startswith("{"))
