"""Real spans of the OpenTelemetry SDK with ids and times that never change, and the ways to dump them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

story: Any = import_module("story")
trace: Any = import_module("opentelemetry.trace")
sdk: Any = import_module("opentelemetry.sdk.trace")
export: Any = import_module("opentelemetry.sdk.trace.export")
memory: Any = import_module("opentelemetry.sdk.trace.export.in_memory_span_exporter")
resources: Any = import_module("opentelemetry.sdk.resources")
encoder: Any = import_module("opentelemetry.exporter.otlp.proto.common.trace_encoder")
json_format: Any = import_module("google.protobuf.json_format")
FAILED = 4
BEGIN = 1_793_000_000_000_000_000

__all__ = ["FAILED", "Spans", "dump_all"]


class _Ids:
    def __init__(self) -> None:
        self._next = itertools.count(1)

    def generate_span_id(self) -> int:
        return 0xA1B2_0000_0000_0000 + next(self._next)

    def generate_trace_id(self) -> int:
        return 0x5EED_0000_0000_0000_0000_0000_0000_0000 + next(self._next)

    def is_trace_id_random(self) -> bool:
        return False


class Spans:
    """Begins and ends spans, a millisecond apart, and keeps those that have ended."""

    def __init__(self) -> None:
        self._clock = itertools.count(BEGIN, 1_000_000)
        self._kept = memory.InMemorySpanExporter()
        resource = resources.Resource({"service.name": "gardener"})
        provider = sdk.TracerProvider(resource=resource, id_generator=_Ids(), shutdown_on_exit=False)
        provider.add_span_processor(export.SimpleSpanProcessor(self._kept))
        self._tracer = provider.get_tracer("garden.instrumentation", "1.0")

    @contextmanager
    def span(self, name: str, attributes: dict[str, Any], failure: str | None = None) -> Iterator[Any]:
        """A span under the one that is open; a failure sets its status and adds the exception as an event."""
        span = self._tracer.start_span(name, attributes=attributes, start_time=next(self._clock))
        with trace.use_span(span, end_on_exit=False):
            yield span
        if failure is not None:
            span.add_event(
                "exception",
                {"exception.type": "RuntimeError", "exception.message": failure},
                timestamp=next(self._clock),
            )
            span.set_status(trace.Status(trace.StatusCode.ERROR, failure))
        span.end(end_time=next(self._clock))

    def finished(self) -> list[Any]:
        """The spans in the order in which they ended, children before their parents."""
        return list(self._kept.get_finished_spans())


def dump_all(out: Any, prefix: str, spans: list[Any], *, all_ways: bool) -> None:
    """Ways in which spans leave a program: OTLP as bytes and as JSON, lines, a console, and the objects themselves."""
    message = encoder.encode_spans(spans)
    out.dump(f"{prefix}protobuf", message.SerializeToString())
    out.dump(f"{prefix}json_lines", "\n".join(span.to_json(indent=None) for span in spans))
    out.object(f"{prefix}json_lines", spans)
    if all_ways:
        out.dump(f"{prefix}protobuf_json", json_format.MessageToJson(message))
        out.dump(f"{prefix}console", "".join(span.to_json() + "\n" for span in spans))
