"""Calibrations: how good a judge is on the stored labels, and what its probabilities are worth."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Final

import msgspec
from fastapi import Query
from msgspec import Meta, Struct
from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import Response

from ....errors import MissingExtraError, PathNotFoundError, UsageError
from ....run.judging.judges import LOCAL
from ..asked import Asked, plan_of
from ..endpoint import Endpoint, answer, body_of, in_thread, services_of
from ..problems import RefusedError
from ..services import Services
from ..store.database import now
from ..store.tables import CALIBRATIONS, LABELS

__all__ = ["ENDPOINTS"]

_MOST: Final = 20_000
"""Labels that are looked at, the newest."""


class CalibrationRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A calibration to be made.

    Attributes:
        model: the judge.
        precision: what share of accepted pairs is to be equivalent.
        run: only labels of this run.
    """

    model: Annotated[str, Meta(min_length=1, max_length=200)] = LOCAL
    precision: Annotated[float, Meta(gt=0, le=1)] = 0.95
    run: str | None = None


class CalibrationRecord(Struct, frozen=True, kw_only=True):
    """A calibration. `report` says how good the judge is, and holds the fit; `created` in seconds since 1970."""

    id: str
    model: str
    created: float
    report: dict[str, Any]


async def create(request: Request) -> Response:
    """Ask a judge about the stored labels, fit, and keep what came of it."""
    asked = await body_of(request, CalibrationRequest)
    services = services_of(request)
    plan_of(Asked(evaluators=("tool_call_semantic",), model=asked.model), services.settings.judges)
    record = await in_thread(_made, services, asked)
    return answer(record, 201, {"Location": f"/api/v1/calibrations/{record.id}"})


def _made(services: Services, asked: CalibrationRequest) -> CalibrationRecord:
    from ....run.judging.judges import judge_of, local_judge
    from ....run.labelling.labels import label_of

    try:
        from ....run.labelling.calibrating import calibrated
    except ImportError:
        raise MissingExtraError("calibrating", "judge", field="model") from None
    query = select(LABELS.c.body).order_by(LABELS.c.created.desc()).limit(_MOST)
    if asked.run is not None:
        query = query.where(LABELS.c.run == asked.run)
    with services.database.transaction() as connection:
        bodies = list(connection.execute(query).scalars())
    if not bodies:
        raise RefusedError(409, "there is no label to look at", field="labels", hint="POST /api/v1/labels")
    labels = [label_of(bytes(body), "labels") for body in bodies]
    try:
        report = calibrated(labels, judge_of(asked.model), local_judge(), precision=asked.precision)
    except UsageError as error:
        raise RefusedError(409, error.message, field=error.field, hint=error.hint) from None
    record = CalibrationRecord(
        id=f"cal_{secrets.token_hex(8)}",
        model=asked.model,
        created=now(),
        report=msgspec.json.decode(msgspec.json.encode(report)),
    )
    with services.database.transaction() as connection:
        connection.execute(
            CALIBRATIONS.insert().values(
                id=record.id, model=record.model, created=record.created, body=msgspec.json.encode(record)
            )
        )
    return record


def every(request: Request, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Response:
    """The newest calibrations."""
    query = select(CALIBRATIONS.c.body).order_by(CALIBRATIONS.c.created.desc()).limit(limit)
    with services_of(request).database.transaction() as connection:
        bodies = list(connection.execute(query).scalars())
    return answer([msgspec.Raw(bytes(body)) for body in bodies])


def get(request: Request, id: str) -> Response:
    """One calibration."""
    with services_of(request).database.transaction() as connection:
        body = connection.execute(select(CALIBRATIONS.c.body).where(CALIBRATIONS.c.id == id)).scalar()
    if body is None:
        raise PathNotFoundError(f"no calibration {id!r}", field="id")
    return answer(msgspec.Raw(bytes(body)))


ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/api/v1/calibrations",
        name="create_calibration",
        scope="write",
        handler=create,
        summary="Fit a judge on the stored labels",
        body=CalibrationRequest,
        gives=CalibrationRecord,
        status=201,
        refuses=(409,),
    ),
    Endpoint(
        path="/api/v1/calibrations",
        name="list_calibrations",
        scope="read",
        handler=every,
        summary="The newest calibrations",
        gives=list[CalibrationRecord],
    ),
    Endpoint(
        path="/api/v1/calibrations/{id}",
        name="get_calibration",
        scope="read",
        handler=get,
        summary="One calibration",
        gives=CalibrationRecord,
        refuses=(404,),
    ),
)
