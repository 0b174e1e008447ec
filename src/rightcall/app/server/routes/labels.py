"""Labels: whether two calls mean the same, as people said. Each is a line of what `rightcall judge calibrate` reads."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Final

import msgspec
from fastapi import Query
from msgspec import Meta, Struct
from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import Response

from ..cursors import after, before_of
from ..endpoint import Before, Endpoint, answer, body_of, in_thread, services_of
from ..store.database import now
from ..store.tables import LABELS

__all__ = ["ENDPOINTS"]


class Call(Struct, frozen=True, kw_only=True):
    """A call in a label."""

    name: Annotated[str, Meta(min_length=1)]
    arguments: dict[str, Any]


class LabelRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody said of two calls.

    Attributes:
        equivalent: whether they mean the same.
        tool_schema: the JSON Schema of the tool's arguments, where it is known.
        run, case_id: where they were seen.
    """

    actual: Call
    expected: Call
    equivalent: bool
    tool_schema: dict[str, Any] | None = None
    run: str | None = None
    case_id: str | None = None


class LabelRecord(LabelRequest, frozen=True, kw_only=True):
    """A label as it is kept; `created` in seconds since 1970."""

    id: str
    created: float


class LabelPage(Struct, frozen=True, kw_only=True):
    """Some labels, the newest first. `before` leads to the next ones; None at the end."""

    labels: list[LabelRecord]
    before: str | None


async def create(request: Request) -> Response:
    """Keep a label."""
    asked = await body_of(request, LabelRequest)
    record = LabelRecord(id=f"lb_{secrets.token_hex(8)}", created=now(), **msgspec.structs.asdict(asked))
    database = services_of(request).database

    def work() -> None:
        with database.transaction() as connection:
            connection.execute(
                LABELS.insert().values(
                    id=record.id,
                    run=record.run,
                    case_id=record.case_id,
                    body=msgspec.json.encode(record),
                    equivalent=record.equivalent,
                    created=record.created,
                )
            )

    await in_thread(work)
    return answer(record, 201)


def every(
    request: Request,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    before: Before = None,
    run: str | None = None,
) -> Response:
    """The newest labels."""
    query = after(select(LABELS.c.body), before, LABELS.c.created, LABELS.c.id).limit(limit)
    if run is not None:
        query = query.where(LABELS.c.run == run)
    with services_of(request).database.transaction() as connection:
        bodies = list(connection.execute(query).scalars())
    found = [msgspec.json.decode(bytes(body), type=LabelRecord) for body in bodies]
    return answer(LabelPage(labels=found, before=before_of(found, limit, "created")))


ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/api/v1/labels",
        name="create_label",
        scope="write",
        handler=create,
        summary="Say whether two calls mean the same",
        body=LabelRequest,
        gives=LabelRecord,
        status=201,
        example={
            "actual": {"name": "book", "arguments": {"day": "Nov 12 2025"}},
            "expected": {"name": "book", "arguments": {"day": "2025-11-12"}},
            "equivalent": True,
        },
    ),
    Endpoint(
        path="/api/v1/labels",
        name="list_labels",
        scope="read",
        handler=every,
        summary="The newest labels",
        gives=LabelPage,
    ),
)
