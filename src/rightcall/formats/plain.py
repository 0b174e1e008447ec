"""plain: a call as an object with its name under one of six keys and its arguments under one of nine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.callfields import ARGUMENT_KEYS, NAME_KEYS, read_call, single_key_call
from ..core.nodes import Node, kind_of, opened
from ..core.reader import Evidence, FormatDeclaration
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
    cannot_carry="the agent's text; the offered tools",
    example='[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
)


def detect(item: Any) -> Evidence | None:
    """An opened object is at least tried as a plain call; its fields decide in `read`."""
    if not isinstance(item, dict):
        return None
    for key in NAME_KEYS:
        if key in item and isinstance(opened(item[key]), str):
            return Evidence(5, f"a name under {key!r}")
    return Evidence(1, "an object") if item else None


def read(items: Sequence[Node], places: Sequence[str]) -> Trace:
    """The calls of some items; each item is one call."""
    return Trace(
        calls=tuple(_read(opened(item), place) for item, place in zip(items, places, strict=True)),
        format=DECLARATION.id,
    )


def _read(item: Any, place: str) -> ToolCall:
    if not isinstance(item, dict):
        raise CallError(f"{kind_of(item)} where a call should be", field=place)
    if not any(_is_name(item, key) for key in NAME_KEYS):
        call = single_key_call(item, place)
        if call is not None:
            return call
    return read_call(item, place)


def _is_name(item: dict[str, Any], key: str) -> bool:
    """Whether `key` may be the name's; alone with arguments under it, it is a word where a tool's name should be."""
    if key not in item:
        return False
    value = opened(item[key])
    return len(item) > 1 or not (isinstance(value, dict) or str(value).lstrip().startswith("{"))
