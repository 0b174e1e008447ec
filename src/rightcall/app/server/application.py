"""The application: the declared endpoints, errors as problems, the document, and the layer around all of it."""

from __future__ import annotations

import pkgutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from importlib import import_module
from typing import Any, Final

import anyio.to_thread
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from ..._version import __version__
from ...errors import RightcallError
from . import routes
from .document import document_of
from .endpoint import Endpoint, ScopedRoute
from .front import EXPOSED, Front
from .problems import RefusedError, refusal
from .services import Services
from .settings import Settings

__all__ = ["ENDPOINTS", "create_application", "create_front"]


def _declared() -> tuple[Endpoint, ...]:
    found: list[Endpoint] = []
    for module in pkgutil.iter_modules(routes.__path__):
        found += import_module(f"{routes.__name__}.{module.name}").ENDPOINTS
    return tuple(found)


ENDPOINTS: Final = _declared()


@cache
def _route(scope: str | None) -> type[ScopedRoute]:
    return type("Scoped", (ScopedRoute,), {"scope": scope})


def create_application(services: Services) -> FastAPI:
    """The application without the layer around it."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await anyio.to_thread.run_sync(services.open)
        try:
            yield
        finally:
            await anyio.to_thread.run_sync(services.close)

    app = FastAPI(
        title="rightcall",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    app.state.services = services
    for endpoint in ENDPOINTS:
        app.router.add_api_route(
            endpoint.path,
            endpoint.handler,
            methods=[endpoint.method],
            name=endpoint.name,
            operation_id=endpoint.name,
            status_code=endpoint.status,
            response_model=None,
            summary=endpoint.summary,
            route_class_override=_route(endpoint.scope),
        )
    app.add_exception_handler(RightcallError, _told)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _fault)
    document = document_of(app, ENDPOINTS)

    async def openapi(request: Request) -> Response:
        return Response(document, media_type="application/json")

    app.router.add_route("/api/v1/openapi.json", openapi, methods=["GET"])
    if services.settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(services.settings.cors_origins),
            allow_methods=["GET", "POST", "PUT", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "X-Request-Id"],
            expose_headers=list(EXPOSED),
        )
    return app


def create_front(settings: Settings) -> Front:
    """The whole server as an ASGI application.

    Raises:
        OptionError, MissingExtraError: a setting that can't be.
    """
    services = Services(settings)
    return Front(create_application(services), services, services.metrics)


async def _told(request: Request, error: Exception) -> Response:
    assert isinstance(error, RightcallError)  # noqa: S101 - it is registered for these
    return refusal(error, request.state.request_id)


async def _fault(request: Request, error: Exception) -> Response:
    # Its place goes to the log, by the layer around; its words may quote the data.
    return refusal(RefusedError(500, "a fault in rightcall; its log says where"), request.state.request_id)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - it is registered for these
    first = error.errors()[0]
    place = [str(part) for part in first.get("loc", ()) if part not in ("query", "path")]
    return refusal(
        RefusedError(422, str(first.get("msg")), field=".".join(place) or None), request.state.request_id
    )


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - it is registered for these
    headers: dict[str, Any] = dict(error.headers or {})
    if error.status_code == 404:
        refused = RefusedError(404, "there is no such path", hint="GET /api/v1/openapi.json lists them")
    elif error.status_code == 405:
        # The router knows one method only: that of the first endpoint with this path.
        allowed = {
            method
            for route in request.app.router.routes
            if route.matches(request.scope)[0] is not Match.NONE
            for method in getattr(route, "methods", None) or ()
        }
        refused = RefusedError(
            405, f"{request.method} can't be done here", headers={"Allow": ", ".join(sorted(allowed))}
        )
    else:
        refused = RefusedError(error.status_code, str(error.detail), headers=headers)
    return refusal(refused, request.state.request_id)
