"""OTLP as protobuf: one message, or a stream of messages each after its length, read one part at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, Final, Literal

from ...errors import MissingExtraError, SourceError

__all__ = ["MAX_FRAME", "Framing", "framing_of", "items"]

MAX_FRAME: Final = 64 * 1024 * 1024
"""Bytes of one message of a stream, or of one resource's spans in a single message."""
Framing = Literal["message", "varint", "fixed"]
"""One message; messages after their length as a varint; after their length as four bytes, as the Collector writes."""

_RESOURCE_SPANS: Final = 0x0A  # field 1 of an export request, with its length after it
_IN_RESOURCE_SPANS: Final = frozenset({0x0A, 0x12, 0x1A, 0xC2})
"""First bytes of the fields of ResourceSpans: resource, scope_spans, schema_url, and the library spans of old."""
_HEAD: Final = 64


def items(stream: BinaryIO, name: str) -> Iterator[Any]:
    """The export requests (or TracesData) of a binary stream, in the shape of OTLP/JSON with flat attributes.

    Args:
        stream: anything with ``read(n)``.
        name: what it is called, for errors.

    Raises:
        MissingExtraError: opentelemetry-proto is not installed.
        SourceError: it is no OTLP, is cut off, or has a part of more than 64 MB.
    """
    source = _Source(stream, name)
    head = source.peek(_HEAD)
    framing = framing_of(head)
    if framing is None:
        raise SourceError(f"{name} is neither text nor OTLP in protobuf", hint="rightcall reads UTF-8")
    try:
        from google.protobuf.message import DecodeError
        from opentelemetry.proto.trace.v1 import trace_pb2
    except ImportError:
        raise MissingExtraError(name, "otel") from None
    try:
        if framing == "message":
            for part in _parts(source):
                yield {"resourceSpans": [_resource(trace_pb2.ResourceSpans.FromString(part))]}
        else:
            for frame in _frames(source, framing):
                found = trace_pb2.TracesData.FromString(frame).resource_spans
                yield {"resourceSpans": [_resource(item) for item in found]}
    except (DecodeError, RecursionError) as error:
        raise SourceError(f"{name} is no OTLP in protobuf: {error} near byte {source.place}") from None


def framing_of(head: bytes) -> Framing | None:
    """How messages lie in a stream that begins with these bytes; None if it is no OTLP.

    A message begins with the tag of a field of ResourceSpans, its length, and then a tag that ResourceSpans
    knows; that tells whether a length stands before it.
    """
    if _begins_message(head):
        return "message"
    start = 0
    while start < len(head) and head[start] == 0:  # empty messages
        start += 1
    fixed = int.from_bytes(head[:4], "big")
    if len(head) > 4 and 0 < fixed <= MAX_FRAME and _begins_message(head[4:]):
        return "fixed"
    length, after = _varint(head, start)
    if length and length <= MAX_FRAME and _begins_message(head[after:]):
        return "varint"
    return None


def _begins_message(head: bytes) -> bool:
    if head[:1] != bytes([_RESOURCE_SPANS]):
        return False
    length, after = _varint(head, 1)
    if length == 0:  # a resource without anything
        return after == len(head) or head[after] == _RESOURCE_SPANS
    return length is not None and (after >= len(head) or head[after] in _IN_RESOURCE_SPANS)


def _varint(data: bytes, start: int) -> tuple[int | None, int]:
    """A number of at most five bytes, and where it ends; None if there is none."""
    value = 0
    for index in range(start, min(len(data), start + 5)):
        value |= (data[index] & 0x7F) << (7 * (index - start))
        if data[index] < 0x80:
            return value, index + 1
    return None, start


class _Source:
    """A stream that can be looked ahead, and that says how far it was read."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self.name = name
        self._ahead = b""
        self.place = 0

    def peek(self, size: int) -> bytes:
        while len(self._ahead) < size:
            more = self._stream.read(size - len(self._ahead))
            if not more:
                break
            self._ahead += more
        return self._ahead

    def exactly(self, size: int) -> bytes:
        """So many bytes.

        Raises:
            SourceError: the stream ends before.
        """
        parts = [self._ahead[:size]]
        self._ahead = self._ahead[size:]
        missing = size - len(parts[0])
        while missing:
            more = self._stream.read(min(missing, 1 << 20))
            if not more:
                raise SourceError(f"{self.name} is cut off at byte {self.place + size - missing}")
            parts.append(more)
            missing -= len(more)
        self.place += size
        return b"".join(parts)

    def varint(self) -> int:
        head = self.peek(5)
        value, after = _varint(head, 0)
        if value is None:
            raise SourceError(f"{self.name}: no length at byte {self.place}")
        self.exactly(after)
        return value

    def part(self, size: int) -> bytes:
        if size > MAX_FRAME:
            raise SourceError(
                f"{self.name}: a message of {size} bytes at byte {self.place}; at most {MAX_FRAME}"
            )
        return self.exactly(size)


def _frames(source: _Source, framing: Framing) -> Iterator[bytes]:
    while source.peek(1):
        size = int.from_bytes(source.exactly(4), "big") if framing == "fixed" else source.varint()
        if size:
            yield source.part(size)


def _parts(source: _Source) -> Iterator[bytes]:
    """The ResourceSpans of one message, which may be larger than what is held at once."""
    while source.peek(1):
        tag = source.varint()
        if tag != _RESOURCE_SPANS:
            if tag & 7 != 2:
                raise SourceError(
                    f"{source.name} is no OTLP in protobuf: an unknown field at byte {source.place}"
                )
            source.part(source.varint())  # a field that came after this version
            continue
        yield source.part(source.varint())


def _resource(found: Any) -> dict[str, Any]:
    return {"scopeSpans": [{"spans": [_span(span) for span in scope.spans]} for scope in found.scope_spans]}


def _span(span: Any) -> dict[str, Any]:
    return {
        "traceId": span.trace_id.hex(),
        "spanId": span.span_id.hex(),
        "parentSpanId": span.parent_span_id.hex(),
        "name": span.name,
        "startTimeUnixNano": span.start_time_unix_nano,
        "endTimeUnixNano": span.end_time_unix_nano,
        "attributes": _attributes(span.attributes),
        "status": {"code": span.status.code, "message": span.status.message},
        "events": [
            {"name": event.name, "attributes": _attributes(event.attributes)} for event in span.events
        ],
    }


def _attributes(pairs: Sequence[Any]) -> dict[str, Any]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    found = getattr(value, kind)
    if kind == "array_value":
        return [_value(item) for item in found.values]
    if kind == "kvlist_value":
        return _attributes(found.values)
    return found.hex() if kind == "bytes_value" else found
