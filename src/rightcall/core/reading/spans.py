"""Spans of OpenTelemetry as they are exported: OTLP/JSON with its attribute lists, or plain spans with flat attributes.

Only what is asked of a span is decoded: prompts and other large attributes are passed over as raw JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ...errors import CallError
from ..nodes import Node, kept, kind_of, opened, plain
from .flatnames import NESTED, flat
from .moments import Time, nanoseconds
from .recording import list_of
from .shapes import ABSENT, Shape

__all__ = ["Span", "listed_spans", "spans_of", "try_spans_of"]


class _Value(Struct, kw_only=True, gc=False):
    """OTLP's value of any kind; int64 comes as a text."""

    stringValue: Raw = ABSENT  # noqa: N815 - OTLP's own spelling; a prompt is long, and mostly nobody asks for it
    intValue: int | str | None = None  # noqa: N815
    boolValue: bool | None = None  # noqa: N815
    doubleValue: Raw = ABSENT  # noqa: N815
    arrayValue: Raw = ABSENT  # noqa: N815
    kvlistValue: Raw = ABSENT  # noqa: N815
    bytesValue: str | None = None  # noqa: N815
    string_value: str | None = None
    int_value: int | str | None = None
    bool_value: bool | None = None
    double_value: Raw = ABSENT
    array_value: Raw = ABSENT
    kvlist_value: Raw = ABSENT
    bytes_value: str | None = None


class _Pair(Struct, kw_only=True, gc=False):
    """An attribute as OTLP writes it."""

    key: str = ""
    value: _Value | None = None


class _Items(Struct, kw_only=True, gc=False):
    values: list[_Value] | None = None


class _Pairs(Struct, kw_only=True, gc=False):
    values: list[_Pair] | None = None


class _Status(Struct, kw_only=True, gc=False):
    code: int | str | None = None
    status_code: int | str | None = None
    statusCode: int | str | None = None  # noqa: N815
    message: str | None = None
    description: str | None = None


class _Context(Struct, kw_only=True, gc=False):
    trace_id: str | int | None = None
    span_id: str | int | None = None
    traceId: str | int | None = None  # noqa: N815
    spanId: str | int | None = None  # noqa: N815


class _Scope(Struct, kw_only=True, gc=False):
    spans: list[Raw] | None = None


class _Resource(Struct, kw_only=True, gc=False):
    scopeSpans: list[_Scope] | None = None  # noqa: N815
    scope_spans: list[_Scope] | None = None
    instrumentationLibrarySpans: list[_Scope] | None = None  # noqa: N815 - before OTLP 0.15


class _Span(Struct, kw_only=True, gc=False):
    """A span in any of its spellings."""

    name: str | None = None
    attributes: list[_Pair] | dict[str, Raw] | None = None
    status: _Status | str | int | None = None
    events: Raw = ABSENT
    traceId: str | int | None = None  # noqa: N815
    spanId: str | int | None = None  # noqa: N815
    parentSpanId: str | int | None = None  # noqa: N815
    startTimeUnixNano: Time = None  # noqa: N815
    endTimeUnixNano: Time = None  # noqa: N815
    context: _Context | None = None
    trace_id: str | int | None = None
    span_id: str | int | None = None
    parent_span_id: str | int | None = None
    parent_id: str | int | None = None
    start_time_unix_nano: Time = None
    end_time_unix_nano: Time = None
    start_time: Time = None
    end_time: Time = None
    startTime: Time = None  # noqa: N815
    endTime: Time = None  # noqa: N815
    span_kind: str | int | None = None
    status_code: str | int | None = None
    status_message: str | None = None


class _Item(_Span, kw_only=True, gc=False):
    """A span, or what holds spans: one shape, so that each item is decoded once."""

    resourceSpans: list[_Resource] | None = None  # noqa: N815
    resource_spans: list[_Resource] | None = None
    scopeSpans: list[_Scope] | None = None  # noqa: N815
    scope_spans: list[_Scope] | None = None
    spans: list[Raw] | None = None


class _WholeScope(Struct, kw_only=True, gc=False):
    spans: list[_Span] | None = None


class _WholeResource(Struct, kw_only=True, gc=False):
    scopeSpans: list[_WholeScope]  # noqa: N815


class _Whole(Struct, kw_only=True, gc=False):
    """A request of OTLP/JSON that is decoded in one go, down to the attributes."""

    resourceSpans: list[_WholeResource]  # noqa: N815


class _Event(Struct, kw_only=True, gc=False):
    name: str | None = None
    attributes: list[_Pair] | dict[str, Raw] | None = None


_items = Shape(_Items)
_pairs = Shape(_Pairs)
_span = Shape(_Span)
_item = Shape(_Item)
_event = Shape(_Event)
_whole = Shape(_Whole)
_MOST_WHOLE: Final = 4_000_000
"""Bytes of a request up to which all its spans may be held decoded at once."""
_OPENING: Final = b'{"resourceSpans"'


class Span(Struct, gc=False):
    """One span, its attributes not yet decoded.

    Attributes:
        value: what was decoded of it.
        place: where it stands, for errors.
        name: its name.
        trace: the id of its trace as hexadecimal text; None where there is none.
        kind: OpenInference's kind where it stands beside the attributes.
        fields: attributes by their flat name.
        otlp: they were written as OTLP's list.
    """

    value: _Span
    place: str
    name: str
    trace: str | None
    kind: str | None
    fields: dict[str, Node]
    otlp: bool

    # Most spans of a service say nothing about calls, so the rest is worked out when it is asked for.

    @property
    def id(self) -> str | None:
        """Its own id."""
        value = self.value
        context = value.context or _NO_CONTEXT
        return _id(value.spanId or value.span_id or context.span_id or context.spanId)

    @property
    def parent(self) -> str | None:
        """The id of the span that contains it."""
        value = self.value
        return _id(value.parentSpanId or value.parent_span_id or value.parent_id)

    @property
    def start(self) -> int | None:
        """When it began."""
        value = self.value
        own = value.startTimeUnixNano or value.start_time
        return nanoseconds(_first(value.start_time_unix_nano, value.startTime) if own is None else own)

    @property
    def end(self) -> int | None:
        """When it ended."""
        value = self.value
        own = value.endTimeUnixNano or value.end_time
        return nanoseconds(_first(value.end_time_unix_nano, value.endTime) if own is None else own)

    def outcome(self) -> tuple[bool | None, str | None]:
        """Whether it failed, None if its status says nothing; and the status's message."""
        return _outcome(self.value)

    def get(self, key: str) -> Any:
        """An attribute's value; what lies in an object or a list may still be raw JSON. None if it is not there."""
        node = self.fields.get(key)
        if node is None:
            return None
        text = node.stringValue if type(node) is _Value else node
        if type(text) is Raw and text is not ABSENT:
            try:
                return _decode_text(text)  # nearly all are texts
            except (msgspec.MsgspecError, UnicodeDecodeError):
                pass
        return _any_value(node, self.place, key) if isinstance(node, _Value) else opened(node)

    def escaped(self, key: str) -> bytes | None:
        """What stands between the quotes of an attribute that is a text, as it was recorded; None if it is not raw."""
        node = self.fields.get(key)
        node = node.stringValue if isinstance(node, _Value) else node
        return bytes(memoryview(node)[1:-1]) if type(node) is Raw and memoryview(node)[0] == _QUOTE else None

    def text(self, key: str) -> str | None:
        """An attribute that is a text; numbers are written out, anything else counts as not there."""
        node = self.fields.get(key)
        if node is None:
            return None
        if type(node) is Raw:
            try:
                return _decode_text(node) or None
            except (msgspec.MsgspecError, UnicodeDecodeError):
                pass
        value = self.get(key)
        if type(value) is str:
            return value or None
        if isinstance(value, str):
            return str(value) or None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        return None

    def node(self, key: str) -> Node:
        """An attribute as it was recorded, to be kept beyond the span; None if it is not there."""
        value = self.get(key)
        if type(value) is str or value is None:
            return value
        return kept(self.fields[key]) if isinstance(value, dict | list) and not self.otlp else value

    def answer(self, key: str) -> Node:
        """As :meth:`node`, but a text stays as it was recorded too: a tool's answer may be long."""
        own = self.fields.get(key)
        if isinstance(own, _Value) and type(own.stringValue) is Raw and own.stringValue is not ABSENT:
            text = own.stringValue
            return kept(text) if memoryview(text)[0] == _QUOTE or self.get(key) is not None else None
        if isinstance(own, Raw) and not self.otlp:
            return None if own == ABSENT else kept(own)
        return self.node(key)

    def events(self) -> Iterator[Span]:
        """Its events, each as a span of its own with the event's name and attributes."""
        if not self.value.events or self.value.events is ABSENT:
            return
        items = opened(self.value.events)
        items = opened(Raw(items.encode())) if isinstance(items, str) and items[:1] == "[" else items
        for index, item in enumerate(items if isinstance(items, list | tuple) else ()):
            place = f"{self.place}.events[{index}]"
            event = _event(item, place)
            yield _span_of(_Span(name=event.name, attributes=event.attributes), place)


_NO_CONTEXT: Final = _Context()


def _span_of(value: _Span, place: str) -> Span:
    own: str | int | None = value.traceId
    if not own:
        context = value.context or _NO_CONTEXT
        own = value.trace_id or context.trace_id or context.traceId
    kind, attributes = value.span_kind, value.attributes
    return Span(
        value,
        place,
        value.name or "",
        _id(own),
        kind if isinstance(kind, str) else None,
        _fields(attributes),
        type(attributes) is list,
    )


def spans_of(item: Node, place: str) -> Iterator[Span]:
    """The spans of one item: a span, a list of spans under `spans`, or a request of OTLP.

    Raises:
        CallError: a known field holds something else than it should.
    """
    yield from _spans(_item(item, place), item, place)


def try_spans_of(item: Node, place: str) -> Iterator[Span] | None:
    """As :func:`spans_of`, if the item surely holds spans; None says nothing and costs little."""
    if type(item) is Raw and bytes(memoryview(item)[: len(_OPENING)]) == _OPENING:
        whole = _whole.attempt(item) if memoryview(item).nbytes <= _MOST_WHOLE else None
        if whole is not None and all([resource.scopeSpans for resource in whole.resourceSpans]):  # noqa: C419
            return _of_whole(whole, place)
    value = _item.attempt(item)
    if value is None or (value.attributes is None and value.resourceSpans is None):
        return None
    return _spans(value, item, place)


def listed_spans(items: Raw, place: str) -> list[Span] | None:
    """The spans of a raw list, if each item surely is one; None says nothing and costs little."""
    values = list_of(_item, items, _is_one)
    return [_span_of(value, f"{place}[{index}]") for index, value in enumerate(values)] if values else None


def _is_one(value: _Item) -> bool:
    if value.attributes is None or value.spans is not None:
        return False
    of_resources = value.resourceSpans is not None or value.resource_spans is not None
    return not (of_resources or value.scopeSpans is not None or value.scope_spans is not None)


def _spans(value: _Item, item: Node, place: str) -> Iterator[Span]:
    resources = value.resourceSpans if value.resource_spans is None else value.resource_spans
    scopes = value.scopeSpans if value.scope_spans is None else value.scope_spans
    if resources is not None:
        for index, resource in enumerate(resources):
            found = resource.scopeSpans or resource.scope_spans or resource.instrumentationLibrarySpans
            yield from _in_scopes(found or (), f"{place}.resourceSpans[{index}]")
    elif scopes is not None:
        yield from _in_scopes(scopes, place)
    elif value.spans is not None:
        yield from _listed(value.spans, place)
    elif value.attributes is None:
        yield _of_columns(value, item, place)
    else:
        yield _span_of(value, place)


def _of_whole(whole: _Whole, place: str) -> Iterator[Span]:
    for at, resource in enumerate(whole.resourceSpans):
        for index, scope in enumerate(resource.scopeSpans):
            where = f"{place}.resourceSpans[{at}].scopeSpans[{index}]"
            for number, span in enumerate(scope.spans or ()):
                yield _span_of(span, f"{where}.spans[{number}]")


def _in_scopes(scopes: Any, place: str) -> Iterator[Span]:
    for index, scope in enumerate(scopes):
        yield from _listed(scope.spans or (), f"{place}.scopeSpans[{index}]")


def _listed(nodes: Any, place: str) -> Iterator[Span]:
    for index, node in enumerate(nodes):
        where = f"{place}.spans[{index}]"
        yield _span_of(_span(node, where), where)


def _of_columns(value: _Item, item: Node, place: str) -> Span:
    """A row of a table of spans, whose columns are called `attributes.…` and `context.…`."""
    row = opened(item)
    span = _span_of(value, place)
    if isinstance(row, Mapping):
        for key, node in row.items():
            if key.startswith("attributes.") and opened(node) is not None:
                span.fields[key.removeprefix("attributes.")] = node
        span.trace = span.trace or _id(opened(row.get("context.trace_id")))
        value.span_id = span.id or _id(opened(row.get("context.span_id")))
        span.fields = flat(span.fields)
    return span


def _fields(attributes: list[_Pair] | dict[str, Raw] | None) -> dict[str, Node]:
    if isinstance(attributes, list):
        return {pair.key: pair.value for pair in attributes}
    if attributes is None:
        return {}
    return attributes if attributes.keys().isdisjoint(NESTED) else flat(attributes)


def _any_value(value: _Value, place: str, key: str, level: int = 0) -> Any:
    """The value of an attribute that is no text, or that is in a list or an object of such."""
    if value.stringValue is not ABSENT:
        text = _scalar(value.stringValue)
        if isinstance(text, str):
            return text
        if text is not None:
            raise CallError(f"a stringValue that is {kind_of(text)}, not a text", field=f"{place}.{key}")
    for plainly in (value.boolValue, value.string_value, value.bool_value):
        if plainly is not None:
            return plainly
    whole = value.intValue if value.int_value is None else value.int_value
    if whole is not None:
        return _whole_number(whole, f"{place}.{key}")
    items = value.arrayValue if value.array_value is ABSENT else value.array_value
    pairs = value.kvlistValue if value.kvlist_value is ABSENT else value.kvlist_value
    if level > 100:
        raise CallError("an attribute that is nested too deep", field=f"{place}.{key}")
    if items is not ABSENT and items is not None:
        found = _items(items, f"{place}.{key}").values or ()
        return [_any_value(item, place, key, level + 1) for item in found]
    if pairs is not ABSENT and pairs is not None:
        fields = _pairs(pairs, f"{place}.{key}").values or ()
        return {pair.key: pair.value and _any_value(pair.value, place, key, level + 1) for pair in fields}
    number = plain(value.doubleValue if value.double_value is ABSENT else value.double_value)
    return number if number is not None else value.bytesValue or value.bytes_value


def _scalar(node: Node) -> Any:
    """A flat attribute's value, opened; most are texts."""
    if type(node) is Raw and memoryview(node)[0] == _QUOTE:
        try:
            return _decode_text(node)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return opened(node)
    return opened(node)


_QUOTE: Final = ord('"')
_decode_text = msgspec.json.Decoder(str).decode


def _whole_number(value: int | str, place: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise CallError(f"an intValue that is no number: {str(value)[:40]!r}", field=place) from None


def _first(*values: Time) -> Time:
    for value in values:
        if value is not None:
            return value
    return None


def _id(value: Any) -> str | None:
    """An id as text; all zeros mean none."""
    if not value:
        return None
    if isinstance(value, str):
        text = value[2:] if value[:2] == "0x" else value
        return text if text[-1:] > "0" or text.strip("0") else None
    return f"{value:x}" if isinstance(value, int) else None


def _outcome(value: _Span) -> tuple[bool | None, str | None]:
    status = value.status
    if status is None and value.status_code is None:
        return None, None
    code: str | int | None
    if isinstance(status, _Status):
        code = _first_code(status.code, status.status_code, status.statusCode)
        message = status.message or status.description
    else:
        code, message = status, None
    if code is None:
        code = value.status_code
    message = message or value.status_message
    word = code if code == "OK" else str(code).rpartition(".")[2].rpartition("_")[2].upper()
    return _FAILED.get(word), message or None


_FAILED: Final = {"2": True, "ERROR": True, "1": False, "OK": False}


def _first_code(*codes: str | int | None) -> str | int | None:
    for code in codes:
        if code is not None:
            return code
    return None
