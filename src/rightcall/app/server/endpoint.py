"""What an endpoint is: declared once, for the router, the check of scopes and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Literal, TypeVar

import anyio.to_thread
import msgspec
from fastapi import Query
from fastapi.routing import APIRoute
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ...errors import nearest
from .bodies import check_depth, decoded, read_body
from .problems import RefusedError
from .services import Services

__all__ = ["Before", "Endpoint", "ScopedRoute", "answer", "body_of", "in_thread", "services_of"]

Held = TypeVar("Held")
Scope = Literal["evaluate", "read", "write", "admin"]
Before = Annotated[str | None, Query(max_length=200, description="what `before` of the last answer said")]


class Endpoint(Struct, frozen=True, kw_only=True):
    """An endpoint.

    Attributes:
        path: under the server's root; parameters in braces.
        name: its name in the document, from which clients make the names of functions.
        scope: what a key must allow; None where nobody needs one.
        handler: FastAPI reads path and query parameters from its signature.
        summary: what it does, in a line.
        body: the struct of its JSON body; None where it takes none.
        bodies: other media types that it takes, with what they are.
        gives: the struct of its answer; None where the answer is none of JSON.
        media: of the answer.
        status: of a good answer.
        refuses: statuses that it may answer beside those of every endpoint.
        example: of a body, which a test sends.
    """

    path: str
    name: str
    scope: Scope | None
    handler: Callable[..., Any]
    summary: str
    method: str = "GET"
    body: type[Struct] | None = None
    bodies: dict[str, str] = {}
    gives: Any = None
    media: str = "application/json"
    status: int = 200
    refuses: tuple[int, ...] = ()
    example: dict[str, Any] | None = None


class ScopedRoute(APIRoute):
    """A route that looks at the key before its endpoint does anything."""

    scope: str | None = None

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's own, behind the check."""
        inner = super().get_route_handler()
        known = {parameter.alias for parameter in self.dependant.query_params}
        several = {
            parameter.alias
            for parameter in self.dependant.query_params
            if "list" in str(parameter.field_info.annotation)
        }

        async def handler(request: Request) -> Response:
            key = request.state.key
            if key is not None and self.scope is not None and not key.may(self.scope):
                raise RefusedError(
                    403,
                    f"the key {key.name!r} lacks the scope {self.scope!r}",
                    field="Authorization",
                    headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{self.scope}"'},
                )
            for name in request.query_params:
                if name not in known:
                    near = nearest(name, known)
                    hint = (
                        f"did you mean {near!r}?" if near else f"known: {', '.join(sorted(known)) or 'none'}"
                    )
                    raise RefusedError(422, f"unknown parameter {name[:80]!r}", field=name[:80], hint=hint)
                if name not in several and len(request.query_params.getlist(name)) > 1:
                    raise RefusedError(422, "given twice; which one is meant can't be known", field=name)
            return await inner(request)

        return handler


def services_of(request: Request) -> Services:
    """What the server is made of."""
    found: Services = request.app.state.services
    return found


def answer(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(msgspec.json.encode(value), status, headers, media_type="application/json")


async def body_of(request: Request, kind: type[Held]) -> Held:
    """The JSON body of a request, as the struct that the endpoint declares.

    Raises:
        RefusedError: 400, 413, 415 or 422.
    """
    settings = services_of(request).settings
    body = await read_body(request, settings)
    check_depth(body, settings.most_depth)
    return decoded(body, kind)


async def in_thread(work: Callable[..., Held], *arguments: Any) -> Held:
    """Work that waits for a disk or a database, or takes long, beside the loop."""
    return await anyio.to_thread.run_sync(work, *arguments)
