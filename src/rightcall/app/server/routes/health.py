"""Whether the server lives, whether it can work, and its figures."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ...._version import __version__
from ..endpoint import Endpoint, answer, services_of
from ..problems import RefusedError

__all__ = ["ENDPOINTS"]


class Health(Struct, frozen=True, kw_only=True):
    """That it lives, and which version it is."""

    status: str
    version: str


async def healthz(request: Request) -> Response:
    """Whether the process lives; asks nothing else."""
    return answer(Health(status="ok", version=__version__))


def readyz(request: Request) -> Response:
    """Whether it can work: the database answers, and it is not stopping."""
    services = services_of(request)
    if services.draining:
        raise RefusedError(503, "the server is stopping")
    services.database.check()
    return answer(Health(status="ready", version=__version__))


def metrics(request: Request) -> Response:
    """Figures for Prometheus."""
    services = services_of(request)
    for state in ("queued", "running", "complete", "cancelled", "failed"):
        services.metrics.runs.labels(state).set(0)
    for state, number in services.runs.counts().items():
        services.metrics.runs.labels(state).set(number)
    return Response(services.metrics.text(), media_type="text/plain; version=0.0.4")


ENDPOINTS: Final = (
    Endpoint(
        path="/healthz", name="healthz", scope=None, handler=healthz, summary="Whether it lives", gives=Health
    ),
    Endpoint(
        path="/readyz",
        name="readyz",
        scope=None,
        handler=readyz,
        summary="Whether it can work",
        gives=Health,
        refuses=(503,),
    ),
    Endpoint(
        path="/metrics",
        name="metrics",
        scope="read",
        handler=metrics,
        summary="Figures for Prometheus",
        media="text/plain",
    ),
)
