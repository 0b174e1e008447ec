"""Traces: taken in by OTLP over HTTP, listed, looked at, and made golden."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from fastapi import Query
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ..answers import Exported, GoldenCase, TraceAnswer
from ..bodies import check_depth, read_body
from ..cursors import before_of
from ..endpoint import Before, Endpoint, answer, in_thread, services_of
from ..spans import Batch, spans_of
from ..traces import TraceRecord

__all__ = ["ENDPOINTS"]

_PROTOBUF: Final = "application/x-protobuf"
_JSON: Final = "application/json"


class TracePage(Struct, frozen=True, kw_only=True):
    """Some traces, the newest first. `before` leads to the next ones; None at the end."""

    traces: list[TraceRecord]
    before: str | None


async def take_in(request: Request) -> Response:
    """Take in spans. An answer without an error means that they are on the disk; sent again, they count once."""
    services = services_of(request)
    body = await read_body(request, services.settings, (_PROTOBUF, _JSON))
    binary = request.headers["content-type"].partition(";")[0].strip().lower() == _PROTOBUF

    def work() -> tuple[Batch, int]:
        if not binary:
            check_depth(body, services.settings.most_depth)
        batch = spans_of(body, binary=binary, attribute=services.settings.trace_attribute)
        return batch, services.traces.add(batch.spans)

    batch, fresh = await in_thread(work)
    spans = services.metrics.spans
    spans.labels("kept").inc(fresh)
    spans.labels("repeated").inc(len(batch.spans) - fresh)
    spans.labels("rejected").inc(batch.rejected)
    return _accepted(batch, binary=binary)


def _accepted(batch: Batch, *, binary: bool) -> Response:
    if not binary:
        partial = {"rejectedSpans": str(batch.rejected), "errorMessage": batch.why}
        return Response(
            msgspec.json.encode({"partialSuccess": partial} if batch.rejected else {}), media_type=_JSON
        )
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

    found = trace_service_pb2.ExportTraceServiceResponse()
    if batch.rejected:
        found.partial_success.rejected_spans = batch.rejected
        found.partial_success.error_message = batch.why
    return Response(found.SerializeToString(), media_type=_PROTOBUF)


def every(
    request: Request,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    before: Before = None,
    state: Literal["open", "scored", "failed"] | None = None,
    case_id: str | None = None,
) -> Response:
    """The newest traces."""
    found = services_of(request).traces.every(limit, before=before, state=state, case_id=case_id)
    return answer(TracePage(traces=found, before=before_of(found, limit, "first_span")))


def get(request: Request, id: str) -> Response:
    """A trace, its calls, and its results once it was scored."""
    record, outcome = services_of(request).traces.get(id)
    return answer({**msgspec.structs.asdict(record), "outcome": outcome})


def delete(request: Request, id: str) -> Response:
    """Remove a trace with its spans."""
    services_of(request).traces.delete(id)
    return Response(status_code=204)


def golden(request: Request, id: str) -> Response:
    """A case that expects what this trace did: a line for a golden file."""
    return answer(services_of(request).traces.golden(id))


ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/v1/traces",
        name="export_traces",
        scope="write",
        handler=take_in,
        summary="Take in spans (OTLP over HTTP)",
        bodies={_PROTOBUF: "an ExportTraceServiceRequest", _JSON: "the same as OTLP/JSON"},
        gives=Exported,
    ),
    Endpoint(
        path="/api/v1/traces",
        name="list_traces",
        scope="read",
        handler=every,
        summary="The newest traces",
        gives=TracePage,
    ),
    Endpoint(
        path="/api/v1/traces/{id}",
        name="get_trace",
        scope="read",
        handler=get,
        summary="A trace and its results",
        gives=TraceAnswer,
        refuses=(404,),
    ),
    Endpoint(
        method="DELETE",
        path="/api/v1/traces/{id}",
        name="delete_trace",
        scope="write",
        handler=delete,
        summary="Remove a trace",
        status=204,
        refuses=(404,),
    ),
    Endpoint(
        path="/api/v1/traces/{id}/golden",
        name="trace_golden",
        scope="read",
        handler=golden,
        summary="A golden case out of a trace",
        gives=GoldenCase,
        refuses=(404, 409),
    ),
)
