"""Spans out of OTLP requests: protobuf or JSON, each told apart, those that can't be kept counted with a reason."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import Struct

from ...errors import DataError
from ...run.intake import otlp
from .problems import RefusedError

__all__ = ["ROOT_PARENT", "Batch", "SpanIn", "spans_of"]

ROOT_PARENT: Final = ""


class SpanIn(Struct, frozen=True, kw_only=True):
    """A span as it came in.

    Attributes:
        trace, id: in hexadecimal, as OTLP/JSON has them.
        parent: empty of a root.
        case_id: what the span says about which case its trace is of; None where it says nothing.
        data: the span as OTLP/JSON.
    """

    trace: str
    id: str
    parent: str
    case_id: str | None
    data: bytes


class Batch(Struct, frozen=True, kw_only=True):
    """The spans of a request. `rejected` could not be kept, `why` says so of the first."""

    spans: list[SpanIn]
    rejected: int
    why: str


_TRACE_ID: Final = re.compile(r"[0-9a-f]{32}\Z")
_SPAN_ID: Final = re.compile(r"[0-9a-f]{16}\Z")


def spans_of(body: bytes, *, binary: bool, attribute: str) -> Batch:
    """The spans of an export request.

    Args:
        body: unpacked.
        binary: protobuf; otherwise JSON.
        attribute: which attribute of a span, or of its resource, names the case.

    Raises:
        RefusedError: 400, it is no export request.
    """
    found: list[SpanIn] = []
    rejected, why = 0, ""
    for resource, span in _binary(body) if binary else _json(body):
        taken = _span(span, resource, attribute)
        if isinstance(taken, str):
            rejected, why = rejected + 1, why or taken
        else:
            found.append(taken)
    return Batch(spans=found, rejected=rejected, why=why)


def _binary(body: bytes) -> Iterator[tuple[Any, Any]]:
    if not body:
        return
    try:
        for request in otlp.items(io.BytesIO(body), "the body"):
            for resource in request["resourceSpans"]:
                for scope in resource["scopeSpans"]:
                    for span in scope["spans"]:
                        yield resource.get("resource"), span
    except DataError as error:
        raise RefusedError(400, f"no OTLP in protobuf: {error.message}") from None


def _json(body: bytes) -> Iterator[tuple[Any, Any]]:
    try:
        request = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError(400, f"not valid JSON: {error}") from None
    if not isinstance(request, dict):
        raise RefusedError(400, "an export request is an object", field="resourceSpans")
    for resource in _items(request, "resourceSpans", "resource_spans"):
        for scope in _items(resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
            for span in _items(scope, "spans"):
                yield resource.get("resource"), span


def _items(holder: Any, *names: str) -> list[Any]:
    if not isinstance(holder, dict):
        raise RefusedError(400, f"{names[0]} belongs into an object", field=names[0])
    for name in names:
        found = holder.get(name)
        if found is not None:
            if not isinstance(found, list):
                raise RefusedError(400, f"{name} is not a list", field=name)
            return found
    return []


def _span(span: Any, resource: Any, attribute: str) -> SpanIn | str:
    """A span to keep, or why it can't be."""
    if not isinstance(span, dict):
        return "a span is an object"
    trace, own = (_text(span, name) for name in ("traceId", "spanId"))
    parent = _text(span, "parentSpanId")
    if not _TRACE_ID.match(trace) or not trace.strip("0"):
        return "a span without a trace id of 32 hexadecimal digits"
    if not _SPAN_ID.match(own) or not own.strip("0"):
        return "a span without a span id of 16 hexadecimal digits"
    case_id = _attribute(span, attribute) or _attribute(resource, attribute)
    if case_id is not None and "\0" in case_id:
        return "a case id with a NUL in it"
    return SpanIn(
        trace=trace,
        id=own,
        parent=parent.strip("0") and parent,
        case_id=case_id,
        data=msgspec.json.encode(span),
    )


def _text(span: dict[str, Any], name: str) -> str:
    found = span.get(name)
    return found.lower() if isinstance(found, str) else ""


def _attribute(holder: Any, name: str) -> str | None:
    attributes = holder.get("attributes") if isinstance(holder, dict) else None
    found: Any = None
    if isinstance(attributes, dict):
        found = attributes.get(name)
    elif isinstance(attributes, list):
        named = (each for each in attributes if isinstance(each, dict) and each.get("key") == name)
        value = next(named, {}).get("value")
        found = next(iter(value.values()), None) if isinstance(value, dict) else None
    return (
        str(found) if isinstance(found, str | int) and not isinstance(found, bool) and found != "" else None
    )
