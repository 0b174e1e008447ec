"""Runs: ask for one, follow it, end it, go on with it, remove it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any, Final

import msgspec
from fastapi import Query
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ....errors import UsageError
from ....run.sets import FORMATS
from ..answers import RunShown
from ..asked import gates_of, plan_of
from ..bodies import check_depth, decoded, read_body, unpacked_chunks
from ..cursors import before_of
from ..endpoint import Before, Endpoint, answer, in_thread, services_of
from ..problems import RefusedError
from ..runs import GOING, RunRecord, RunRequest, State
from ..services import Services

__all__ = ["ENDPOINTS"]

_LINES: Final = ("application/x-ndjson", "application/jsonl")


class RunPage(Struct, frozen=True, kw_only=True):
    """Some runs, the newest first. `before` leads to the next ones; None at the end."""

    runs: list[RunRecord]
    before: str | None


async def create(
    request: Request,
    run: Annotated[
        str | None, Query(description="with rows as the body: what is otherwise the body, as JSON")
    ] = None,
) -> Response:
    """Make a run of a stored data set, or of rows that are sent along; it goes on in the background."""
    services = services_of(request)
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    rows: AsyncIterator[bytes] | None = None
    if media in _LINES:
        asked = decoded((run or "{}").encode(), RunRequest)
        rows = unpacked_chunks(request, services.datasets.most)
    else:
        body = await read_body(request, services.settings, ("application/json", *_LINES))
        check_depth(body, services.settings.most_depth)
        asked = decoded(body, RunRequest)
        if asked.cases is not None:
            rows = _joined(asked.cases)
    _check_source(asked, rows)
    plan = plan_of(asked, services.settings.judges)
    gates_of(asked.gates, plan.ids)
    if asked.format != "auto":
        FORMATS.get(asked.format, field="format")
    if asked.expected is not None:
        await in_thread(services.datasets.version, asked.expected, asked.expected_version)
    if rows is not None:
        asked = msgspec.structs.replace(asked, dataset=await _stored(services, asked, rows), cases=None)
    found = await in_thread(services.runs.create, asked, plan)
    services.jobs.add(found.id)
    return answer(found, 202, {"Location": f"/api/v1/runs/{found.id}"})


def _check_source(asked: RunRequest, rows: object) -> None:
    if asked.dataset is None and rows is None:
        raise UsageError("a run needs a data set, or cases", field="dataset")
    if asked.dataset is not None and rows is not None:
        raise UsageError("give a data set or cases, not both", field="cases")
    if rows is not None and asked.version is not None:
        raise UsageError("a version goes with a data set", field="version")


async def _joined(cases: list[msgspec.Raw]) -> AsyncIterator[bytes]:
    for case in cases:
        # A row is a line: what JSON lets stand between two tokens may not hold a line's end.
        yield bytes(case).replace(b"\n", b" ").replace(b"\r", b" ") + b"\n"


async def _stored(services: Services, asked: RunRequest, rows: AsyncIterator[bytes]) -> str:
    from ..store.database import now

    name = f"{asked.name or 'rows'} {now():.6f}"
    dataset = await in_thread(services.datasets.create, name, "sent along with a run")
    try:
        await services.datasets.upload(dataset.id, "rows.jsonl", rows)
    except BaseException:
        await in_thread(services.datasets.delete, dataset.id)
        raise
    return dataset.id


def every(
    request: Request,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    before: Before = None,
    dataset: str | None = None,
    state: State | None = None,
) -> Response:
    """The newest runs."""
    services = services_of(request)
    found = services.runs.every(limit, before=before, dataset=dataset, state=state)
    more = before_of(found, limit, "created")
    return answer(RunPage(runs=[_current(services, run) for run in found], before=more))


def get(request: Request, id: str) -> Response:
    """A run: its state, and once it has ended its summary."""
    services = services_of(request)
    found = _current(services, services.runs.get(id))
    shown: dict[str, Any] = msgspec.structs.asdict(found)
    shown["summary"] = None
    if found.state == "complete" or (found.resumable and found.state not in GOING):
        with suppress(RefusedError):  # it failed before there was anything to sum up
            shown["summary"] = services.runs.stored(id).summary
    return answer(shown)


def _current(services: Services, run: RunRecord) -> RunRecord:
    said = services.jobs.said.get(run.id) if run.state in GOING else None
    return run if said is None else msgspec.structs.replace(run, cases=said.cases, errors=said.errors)


_POLL: Final = 0.2
_ALIVE: Final = 15.0


async def events(request: Request, id: str) -> Response:
    """How far a run is, as server-sent events: `progress` as it goes on, `end` when it has ended."""
    services = services_of(request)
    await in_thread(services.runs.get, id)

    async def stream() -> AsyncIterator[bytes]:
        last: tuple[Any, ...] | None = None
        quiet = 0.0
        while not services.draining:
            found = _current(services, await in_thread(services.runs.get, id))
            ended = found.state not in GOING
            now = (found.state, found.cases, found.errors)
            if now != last:
                last, quiet = now, 0.0
                body = msgspec.json.encode(found).decode()
                yield f"event: {'end' if ended else 'progress'}\ndata: {body}\n\n".encode()
            elif quiet >= _ALIVE:
                quiet = 0.0
                yield b": still here\n\n"
            if ended:
                return
            await asyncio.sleep(_POLL)
            quiet += _POLL

    return StreamingResponse(stream(), media_type="text/event-stream")


def cancel(request: Request, id: str) -> Response:
    """End a run; what is finished of it is kept, and it can be gone on with."""
    return answer(services_of(request).jobs.cancel(id), 202)


def resume(request: Request, id: str) -> Response:
    """Go on with a run that was cancelled or failed: its results are those of an unbroken run."""
    return answer(services_of(request).jobs.resume(id), 202)


def delete(request: Request, id: str) -> Response:
    """Remove a run with its results."""
    services_of(request).runs.delete(id)
    return Response(status_code=204)


ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/api/v1/runs",
        name="create_run",
        scope="write",
        handler=create,
        summary="Make a run, in the background",
        body=RunRequest,
        bodies=dict.fromkeys(_LINES, "rows, one a line; what to do with them is in the parameter `run`"),
        gives=RunRecord,
        status=202,
        refuses=(404, 409),
        example={
            "name": "nightly",
            "suite": "agent",
            "cases": [{"id": "c1", "tool_calls": [{"name": "f"}], "expected_tool_calls": [{"name": "f"}]}],
        },
    ),
    Endpoint(
        path="/api/v1/runs",
        name="list_runs",
        scope="read",
        handler=every,
        summary="The newest runs",
        gives=RunPage,
    ),
    Endpoint(
        path="/api/v1/runs/{id}",
        name="get_run",
        scope="read",
        handler=get,
        summary="A run and its summary",
        gives=RunShown,
        refuses=(404,),
    ),
    Endpoint(
        path="/api/v1/runs/{id}/events",
        name="run_events",
        scope="read",
        handler=events,
        summary="Progress, as server-sent events",
        media="text/event-stream",
        refuses=(404,),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/runs/{id}/cancel",
        name="cancel_run",
        scope="write",
        handler=cancel,
        summary="End a run",
        gives=RunRecord,
        status=202,
        refuses=(404, 409),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/runs/{id}/resume",
        name="resume_run",
        scope="write",
        handler=resume,
        summary="Go on with a run",
        gives=RunRecord,
        status=202,
        refuses=(404, 409),
    ),
    Endpoint(
        method="DELETE",
        path="/api/v1/runs/{id}",
        name="delete_run",
        scope="write",
        handler=delete,
        summary="Remove a run",
        status=204,
        refuses=(404, 409),
    ),
)
