"""Keys: make, list, revoke."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from ....errors import PathNotFoundError, UnknownNameError
from ..endpoint import Endpoint, Scope, answer, body_of, in_thread, services_of
from ..keys import KeyRecord

__all__ = ["ENDPOINTS"]


class KeyRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A key to be made."""

    name: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")]
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=4)]


class KeyMade(Struct, frozen=True, kw_only=True):
    """A new key. `secret` is shown this once."""

    key: KeyRecord
    secret: str


async def create(request: Request) -> Response:
    """Make a key."""
    asked = await body_of(request, KeyRequest)
    record, secret = await in_thread(services_of(request).keys.create, asked.name, asked.scopes)
    return answer(KeyMade(key=record, secret=secret), 201)


def every(request: Request) -> Response:
    """All keys, the revoked ones too; never their secrets."""
    return answer(services_of(request).keys.every())


def revoke(request: Request, id: str) -> Response:
    """Let a key be of no use from now on."""
    try:
        return answer(services_of(request).keys.revoke(id))
    except UnknownNameError as error:
        raise PathNotFoundError(f"no key {id!r}", field="key", hint=error.hint) from None


ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/api/v1/keys",
        name="create_key",
        scope="admin",
        handler=create,
        summary="Make a key",
        body=KeyRequest,
        gives=KeyMade,
        status=201,
        example={"name": "ci", "scopes": ["evaluate"]},
    ),
    Endpoint(
        path="/api/v1/keys",
        name="list_keys",
        scope="admin",
        handler=every,
        summary="All keys",
        gives=list[KeyRecord],
    ),
    Endpoint(
        method="DELETE",
        path="/api/v1/keys/{id}",
        name="revoke_key",
        scope="admin",
        handler=revoke,
        summary="Revoke a key",
        gives=KeyRecord,
        refuses=(404,),
    ),
)
