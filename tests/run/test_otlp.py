"""OTLP in protobuf: one message, or messages after their lengths."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status, TracesData

from rightcall import read
from rightcall.errors import MissingExtraError, SourceError
from rightcall.run.intake import otlp
from rightcall.run.intake.otlp import framing_of, items


def message(*names: str, padding: str = "") -> bytes:
    """A request with one run of each tool."""
    data = TracesData()
    spans = data.resource_spans.add().scope_spans.add().spans
    for number, name in enumerate(names):
        span = spans.add(name=f"execute_tool {name}", trace_id=b"\x01" * 16, span_id=bytes([number + 1] * 8))
        span.start_time_unix_nano = 10**18 + ord(name)
        for key, value in (
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.name", name),
            ("note", padding),
        ):
            span.attributes.add(key=key).value.string_value = value
        pairs = span.attributes.add(key="gen_ai.tool.call.arguments").value.kvlist_value.values
        pairs.add(key="big").value.int_value = 2**63 - 1
        pairs.add(key="some").value.array_value.values.add().bool_value = True
    return bytes(data.SerializeToString())


def varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def framed(*messages: bytes) -> bytes:
    return b"".join(varint(len(data)) + data for data in messages)


def fixed(*messages: bytes) -> bytes:
    return b"".join(len(data).to_bytes(4, "big") + data for data in messages)


def names(data: bytes) -> list[str]:
    return [call.name for call in read(data).calls or ()]


@pytest.mark.parametrize("padding", [0, 1, 60, 127, 5000, 20000])
def test_one_message_and_both_framings_tell_the_same(padding: int) -> None:
    first, second = message("a", "b", padding="p" * padding), message("c")
    assert names(first) == ["a", "b"]
    assert names(first + second) == ["a", "b", "c"], "messages of protobuf join by standing side by side"
    assert names(framed(first, b"", second)) == ["a", "b", "c"]
    assert names(fixed(first, b"", second)) == ["a", "b", "c"]


def test_ids_times_and_values_are_exact(tmp_path: Path) -> None:
    path = tmp_path / "spans.bin"
    path.write_bytes(framed(message("a")))
    trace = read(path)
    (call,) = trace.calls or ()
    assert (trace.id, call.span_id) == ("01" * 16, "01" * 8)
    assert call.start == pytest.approx(1e9)
    assert call.arguments == {"big": 2**63 - 1, "some": [True]}
    assert trace.format == "otel_genai"


def test_a_failed_span() -> None:
    data = TracesData.FromString(message("a"))
    data.resource_spans[0].scope_spans[0].spans[0].status.CopyFrom(
        Status(code=Status.STATUS_CODE_ERROR, message="down")
    )
    (call,) = read(data.SerializeToString()).calls or ()
    assert (call.status, call.error) == ("error", "down")


def test_every_length_of_a_frame_is_told() -> None:
    for size in range(1, 400):
        span = Span(name="n" * size)
        data = TracesData(
            resource_spans=[ResourceSpans(scope_spans=[ScopeSpans(spans=[span])])]
        ).SerializeToString()
        assert framing_of(data) == "message"
        assert framing_of(framed(data)[:64]) == "varint"
        assert framing_of(fixed(data)[:64]) == "fixed"


class Slow(io.RawIOBase):
    """A stream that gives a few bytes at a time and must not be read in one go."""

    def __init__(self, data: bytes) -> None:
        self._data, self.largest = io.BytesIO(data), 0

    def read(self, size: int = -1) -> bytes:
        assert size > 0
        self.largest = max(self.largest, size)
        return self._data.read(min(size, 7))


def test_frames_are_read_one_at_a_time() -> None:
    stream: Any = Slow(framed(*[message("a")] * 50))
    found = items(stream, "x")
    next(found)
    assert stream._data.tell() < 1000
    assert len(list(found)) == 49


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (framed(message("a"))[:-3], "cut off"),
        (fixed(message("a"))[:-3], "cut off"),
        (message("a")[:-3], "cut off"),
        (framed(message("a")) + varint(2**30) + b"\x0a", "at most"),
        (framed(message("a")) + b"\xff" * 9, "no length"),
        (framed(message("a"), b"\x0a\x05abcde"), "no OTLP"),
        (message("a") + b"\x08\x01", "unknown field"),
        (b"\x00\x01\x02", "neither text"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 30, "neither text"),
    ],
)
def test_what_is_no_otlp_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        list(items(io.BytesIO(data), "x"))


@given(st.binary(max_size=80), st.integers(0, 200), st.binary(max_size=6))
def test_nothing_but_our_errors_escapes(noise: bytes, place: int, patch: bytes) -> None:
    whole = framed(message("a"))
    for data in (
        noise,
        whole[:place] + patch + whole[place + len(patch) :],
        message("a")[: place + 3] + noise,
    ):
        try:
            list(items(io.BytesIO(data), "x"))
        except SourceError:
            continue


def test_without_the_extra_its_name_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.proto.trace.v1", None)
    with pytest.raises(MissingExtraError, match="otel"):
        list(otlp.items(io.BytesIO(message("a")), "x"))
