"""Data sets: make, upload, list, look at their history, delete."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Query
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from ..bodies import unpacked_chunks
from ..cursors import before_of
from ..datasets import DatasetRecord, VersionRecord
from ..endpoint import Before, Endpoint, answer, body_of, in_thread, services_of
from ..problems import RefusedError

__all__ = ["ENDPOINTS"]


class DatasetRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A data set to be made."""

    name: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")]
    description: Annotated[str, Meta(max_length=10_000)] = ""


class DatasetPage(Struct, frozen=True, kw_only=True):
    """Some data sets, the newest first. `before` leads to the next ones; None at the end."""

    datasets: list[DatasetRecord]
    before: str | None


_Limit = Annotated[int, Query(ge=1, le=1000)]


async def create(request: Request) -> Response:
    """Make a data set, still without rows."""
    asked = await body_of(request, DatasetRequest)
    found = await in_thread(services_of(request).datasets.create, asked.name, asked.description)
    return answer(found, 201, {"Location": f"/api/v1/datasets/{found.id}"})


def every(request: Request, limit: _Limit = 100, before: Before = None) -> Response:
    """The newest data sets."""
    found = services_of(request).datasets.every(limit, before)
    more = before_of(found, limit, "created")
    return answer(DatasetPage(datasets=found, before=more))


def get(request: Request, id: str) -> Response:
    """One data set."""
    return answer(services_of(request).datasets.get(id))


def history(request: Request, id: str) -> Response:
    """Every version of a data set, the newest first."""
    return answer(services_of(request).datasets.history(id))


async def upload(
    request: Request,
    id: str,
    filename: Annotated[
        str, Query(max_length=200, description="its ending says what it holds: rows.jsonl, rows.csv.gz")
    ],
) -> Response:
    """Take in a file as the next version."""
    services = services_of(request)
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media not in _UPLOADS:
        raise RefusedError(415, f"{media or 'no media type'} can't be read here", hint=" or ".join(_UPLOADS))
    chunks = unpacked_chunks(request, services.datasets.most)
    return answer(await services.datasets.upload(id, filename, chunks), 201)


def delete(request: Request, id: str) -> Response:
    """Remove a data set with all its versions; runs that were made of it stay."""
    services_of(request).datasets.delete(id)
    return Response(status_code=204)


_UPLOADS: Final = {
    "application/octet-stream": "a file",
    "application/x-ndjson": "rows, one a line",
    "application/jsonl": "rows, one a line",
    "text/csv": "rows of a table",
}

ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/api/v1/datasets",
        name="create_dataset",
        scope="write",
        handler=create,
        summary="Make a data set",
        body=DatasetRequest,
        gives=DatasetRecord,
        status=201,
        refuses=(409,),
        example={"name": "refunds", "description": "what the refund agent should do"},
    ),
    Endpoint(
        path="/api/v1/datasets",
        name="list_datasets",
        scope="read",
        handler=every,
        summary="The newest data sets",
        gives=DatasetPage,
    ),
    Endpoint(
        path="/api/v1/datasets/{id}",
        name="get_dataset",
        scope="read",
        handler=get,
        summary="One data set",
        gives=DatasetRecord,
        refuses=(404,),
    ),
    Endpoint(
        path="/api/v1/datasets/{id}/history",
        name="dataset_history",
        scope="read",
        handler=history,
        summary="Every version of a data set",
        gives=list[VersionRecord],
        refuses=(404,),
    ),
    Endpoint(
        method="PUT",
        path="/api/v1/datasets/{id}/data",
        name="upload_dataset",
        scope="write",
        handler=upload,
        summary="Upload rows as the next version",
        bodies=_UPLOADS,
        gives=VersionRecord,
        status=201,
        refuses=(404, 409),
    ),
    Endpoint(
        method="DELETE",
        path="/api/v1/datasets/{id}",
        name="delete_dataset",
        scope="write",
        handler=delete,
        summary="Remove a data set",
        status=204,
        refuses=(404, 409),
    ),
)
