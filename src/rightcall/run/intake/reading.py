"""Calls from whatever somebody has: a list, one object, or the JSON text of either; kinds may be mixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Raw

from ...core.jsonvalue import InvalidJSONError, show
from ...core.nodes import Node, kind_of, node_from_text, opened
from ...core.types import ToolCall, Trace
from ...errors import CallError, DataError
from ..sets import FORMATS
from ..wire import decode_calls

if TYPE_CHECKING:
    # What tells and reads formats is imported when it is needed: native rows go without.
    from ...core.reading.detection import Formats, Sorting

__all__ = ["as_builtin", "known_formats", "parse_text", "read_calls", "recording_in", "sorting", "text_of"]


@cache
def known_formats() -> Formats:
    """All formats, loaded: only what has to be told by its structure needs them."""
    from ...core.reading.detection import Formats

    return Formats(FORMATS)


def sorting(format: str = "auto", problems: list[DataError] | None = None) -> Sorting:
    """A reader of items, of the format that is named or of those that their structure tells.

    With `problems` errors are put there instead of raised.

    Raises:
        UnknownNameError: there is no such format.
    """
    from ...core.reading.detection import Formats, Sorting

    if format == "auto":
        return Sorting(known_formats(), problems=problems)
    return Sorting(Formats([FORMATS.get(format, field="format")]), format, problems=problems)


def read_calls(source: Node, *, place: str, format: str = "auto") -> Trace:
    """The trace that `source` holds; an empty list holds no calls.

    Args:
        source: a node: a list, an object, JSON text of either, the text of a model, or raw JSON.
        place: name of the field it stands in, for errors.
        format: id of a format, or ``auto`` to tell each item's format by its structure.

    Raises:
        CallError: it is nothing that can be read without guessing; the error says what was seen and where.
    """
    if isinstance(source, Raw) and bytes(memoryview(source)[:1]) == b"{":
        return _read([source], [place], format)  # what came as JSON is read from its bytes, without a copy
    data = source if isinstance(source, Raw) else text_of(source)
    if data is not None and format in ("auto", "plain"):
        calls = decode_calls(data)
        if calls is not None:
            return Trace(calls=calls, format="plain")
    value = opened(source)
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    if isinstance(value, str):
        if _is_text_of_calls(value, format):
            return _read([value], [place], format)
        value = parse_text(value, place)
    if isinstance(value, Mapping):
        return _read([value], [place], format)
    if isinstance(value, ToolCall):
        value = [value]
    if not isinstance(value, list | tuple):
        raise CallError(f"{kind_of(value)} where calls should be", field=place)
    return _read(value, [f"{place}[{index}]" for index in range(len(value))], format)


def recording_in(fields: Mapping[str, Node]) -> str | None:
    """The format of the recording that a row is besides what it says of the case; None where it is none.

    A conversation without a call is a recording of no calls; calls in a shape that a plain one could have are not
    looked for, since every object might be such.
    """
    from ...core.reading.format import WOULD_DO
    from ...core.reading.glance import Glance

    fits = known_formats().fits(Glance(fields))
    name, best = max(fits.items(), key=lambda item: item[1].strength, default=("", None))
    if best is None or name in ("native", "plain") or best.strength <= WOULD_DO:
        return None
    return name


def _is_text_of_calls(text: str, format: str) -> bool:
    """Whether a text is itself the item: of a text style that was named, or that is marked as such."""
    if format != "auto":
        return FORMATS.get(format, field="format").declaration.text
    start = text.lstrip()[:2]
    # A list of JSON never begins like Mistral's mark.
    if start != "[T" and start[:1] in ("[", "{", '"'):
        return False
    from ...core.reading.glance import Glance

    return bool(known_formats().fits(Glance(text)))


def _read(items: Sequence[Node], places: Sequence[str], format: str) -> Trace:
    reading = sorting(format)
    if not items:
        return Trace(calls=())
    from ...core.reading.conversation import join_traces

    for item, place in zip(items, places, strict=True):
        reading.feed(item, place)
    read = join_traces(reading.traces())
    if read.problem is not None:
        raise CallError(read.problem)
    return read


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
        hint = "a text style such as Python calls is read when named: --format python_calls"
        if place == "output":
            hint = 'the agent\'s text may stand in `output` beside "tool_calls": [], which says that no call was made'
        raise CallError(f"a text that is not JSON ({error}): {seen}", field=place, hint=hint) from None
    if isinstance(value, str):
        raise CallError(f"a text where calls should be: {show(value, 60)}", field=place)
    return value


def as_builtin(calls: Sequence[ToolCall]) -> list[dict[str, Any]]:
    """Calls in the native form, with what was recorded of them."""
    plain: list[dict[str, Any]] = []
    for call in calls:
        fields = {name: getattr(call, name) for name in _RECORDED}
        item: dict[str, Any] = {"name": call.name, "arguments": call.arguments}
        if item["arguments"] is None:
            item["arguments"] = msgspec.to_builtins(_raw_text(call))
        plain.append(item | {name: value for name, value in fields.items() if value is not None})
    return plain


_RECORDED: Final = ("id", "turn", "group", "output", "error", "status", "start", "span_id")


def _raw_text(call: ToolCall) -> Any:
    """Unreadable arguments as they were recorded."""
    if isinstance(call.raw, msgspec.Raw):
        return bytes(call.raw).decode(errors="replace")
    return call.raw.value if isinstance(call.raw.value, str) else repr(call.raw.value)
