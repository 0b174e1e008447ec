"""Calls from whatever somebody has: a list, one object, or the JSON text of either; kinds may be mixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Raw

from ..core.jsonvalue import InvalidJSONError, show
from ..core.nodes import Node, kind_of, node_from_text, opened
from ..core.types import ToolCall, Trace
from ..errors import CallError
from .sets import FORMATS
from .wire import decode_calls

__all__ = ["as_builtin", "parse_text", "read_calls", "text_of"]


def read_calls(source: Node, *, place: str, format: str = "auto") -> Trace:
    """The trace that `source` holds; an empty list holds no calls.

    Args:
        source: a node: a list, an object, JSON text of either, or raw JSON.
        place: name of the field it stands in, for errors.
        format: id of a format, or ``auto`` to tell each item's format by its structure.

    Raises:
        CallError: it is nothing that can be read without guessing; the error says what was seen and where.
    """
    data = text_of(source)
    if data is not None and format in ("auto", "plain"):
        calls = decode_calls(data)
        if calls is not None:
            return Trace(calls=calls, format="plain")
    value = opened(source)
    if isinstance(value, (str, bytes)):
        value = parse_text(value, place)
    if isinstance(value, ToolCall):
        value = [value]
    if isinstance(value, Mapping):
        return _read_run([value], [place], format)
    if not isinstance(value, (list, tuple)):
        raise CallError(f"{kind_of(value)} where calls should be", field=place)
    items = [opened(item) for item in value]
    places = [f"{place}[{index}]" for index in range(len(items))]
    return _read_items(items, places, format)


def text_of(source: Node) -> bytes | None:
    """The bytes of calls that came as JSON text or raw JSON; None for Python objects."""
    if isinstance(source, str):
        return source.encode("utf-8", "surrogatepass")
    return bytes(source) if isinstance(source, (Raw, bytes)) else None


def parse_text(text: str | bytes, place: str) -> Any:
    """The node of a text that should hold calls.

    Raises:
        CallError: it is not JSON, or the JSON of a mere text.
    """
    try:
        value = node_from_text(text)
    except InvalidJSONError as error:
        seen = show(text if isinstance(text, str) else text.decode(errors="replace"), 60)
        raise CallError(f"a text that is not JSON ({error}): {seen}", field=place) from None
    if isinstance(value, str):
        raise CallError(f"a text where calls should be: {show(value, 60)}", field=place)
    return value


def _read_items(items: Sequence[Any], places: Sequence[str], format: str) -> Trace:
    """Runs of neighbours of one format are read together, so that a conversation keeps its context."""
    parts: list[Trace] = []
    start = 0
    kinds = [_kind(item, place, format) for item, place in zip(items, places, strict=True)]
    for end in range(1, len(items) + 1):
        if end == len(items) or kinds[end] != kinds[start]:
            if kinds[start] == "call":
                parts.append(Trace(calls=tuple(items[start:end])))
            else:
                parts.append(_read_run(items[start:end], places[start:end], kinds[start]))
            start = end
    if len(parts) == 1:
        return parts[0]
    return Trace(
        calls=tuple(call for part in parts for call in part.calls or ()),
        text=next((part.text for part in reversed(parts) if part.text is not None), None),
        format="mixed" if parts else None,
        warnings=tuple(warning for part in parts for warning in part.warnings),
    )


def _kind(item: Any, place: str, format: str) -> str:
    if isinstance(item, ToolCall):
        return "call"
    return format if format != "auto" else _detect(item, place)


def _read_run(items: Sequence[Any], places: Sequence[str], format: str) -> Trace:
    name = _detect(items[0], places[0]) if format == "auto" else format
    return FORMATS.get(name, field="format").read(items, places)


def _detect(item: Any, place: str) -> str:
    if not isinstance(item, dict):
        raise CallError(f"{kind_of(item)} where a call should be", field=place)
    best: tuple[int, str] | None = None
    for name in FORMATS.ids():
        evidence = FORMATS.get(name).detect(item)
        if evidence is not None and (best is None or evidence.strength > best[0]):
            best = (evidence.strength, name)
    if best is None:
        raise CallError("an empty object where a call should be", field=place)
    return best[1]


def as_builtin(calls: Sequence[ToolCall]) -> list[dict[str, Any]]:
    """Calls in the native form, with what was recorded of them."""
    plain: list[dict[str, Any]] = []
    for call in calls:
        fields = {
            name: getattr(call, name) for name in ToolCall.__struct_fields__ if name not in ("name", "raw")
        }
        item: dict[str, Any] = {"name": call.name, "arguments": call.arguments}
        if item["arguments"] is None:
            item["arguments"] = msgspec.to_builtins(_raw_text(call))
        plain.append(item | {name: value for name, value in fields.items() if value is not None})
    return plain


def _raw_text(call: ToolCall) -> Any:
    """Unreadable arguments as they were recorded."""
    if isinstance(call.raw, msgspec.Raw):
        return bytes(call.raw).decode(errors="replace")
    return call.raw.value if isinstance(call.raw.value, str) else repr(call.raw.value)
