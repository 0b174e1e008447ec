"""What every request passes first: its id, who asks, how often, how long it may take, and what is noted of it.

One plain ASGI layer, since a stack of them would cost more than scoring a case does. Nothing that it notes holds a
body, a query or a key.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

import anyio.to_thread
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from ...errors import RightcallError
from .keys import KeyRecord
from .logs import log_request
from .metrics import Metrics
from .problems import RefusedError, refusal
from .rest import Rest
from .services import Services
from .settings import is_loopback

__all__ = ["EXPOSED", "Front"]

EXPOSED: Final = ("X-Request-Id", "Retry-After", "Location")
"""Headers of answers that pages of allowed origins may read."""

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_REFUSED: Final = 400
"""The first of the statuses under which a body may not have been read."""

_OPEN: Final = frozenset({"/healthz", "/readyz"})
_SECURITY: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)
_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}\Z")
_LONG_PATHS: Final = re.compile(r"/events$|/v1/traces$|/data$|^/api/v1/runs$")
"""Streams and uploads, which take as long as they take."""


class Front:
    """The first layer around the application."""

    def __init__(self, app: App, services: Services, metrics: Metrics) -> None:
        self._app = app
        self.services = self._services = services
        self._settings = services.settings
        self._metrics = metrics
        self._rates = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._rate = RateLimitItemPerMinute(max(self._settings.rate_per_minute, 1))
        self._hosted = is_loopback(self._settings.host) and not self._settings.no_auth

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            scope["method"], send = "GET", _headless(send)
        await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = time.perf_counter()
        headers = dict(scope["headers"])
        request_id = _request_id(headers)
        said = {"status": 500, "begun": False, "over": False}
        shared = _shared(headers, self._settings.cors_origins)

        rest = Rest(receive, headers)

        async def sending(message: Message) -> None:
            if said["over"]:
                return  # it took too long, and was answered already
            if message["type"] == "http.response.start":
                if message["status"] >= _REFUSED and not self._services.draining:
                    await rest.let_go()
                said["status"], said["begun"] = message["status"], True
                given = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(pair for pair in (*_SECURITY, *shared) if pair[0] not in given),
                    (b"x-request-id", request_id.encode()),
                ]
            await send(message)

        scope.setdefault("state", {})["request_id"] = request_id
        key: KeyRecord | None = None
        self._metrics.began()
        try:
            key = await self._admitted(scope, headers)
            scope["state"]["key"] = key
            await self._in_time(scope, rest, sending)
        except _LateError:
            if not said["begun"]:
                late = RefusedError(503, f"it took longer than {self._settings.request_seconds:g} seconds")
                await refusal(late, request_id)(scope, rest, sending)
            said["over"] = True
        except RightcallError as error:
            if not said["begun"]:
                await refusal(error, request_id)(scope, rest, sending)
        except asyncio.CancelledError:
            said["status"] = 499  # the client has left
            raise
        except Exception as error:  # noqa: BLE001 - told without what it holds, and noted with its place
            log_request.fault(request_id, error)
            if not said["begun"]:
                await refusal(RefusedError(500, "a fault in rightcall; its log says where"), request_id)(
                    scope, rest, sending
                )
        finally:
            route = getattr(scope.get("route"), "path", "unknown")
            seconds = time.perf_counter() - start
            self._metrics.ended(scope["method"], route, int(said["status"]), seconds)
            log_request(request_id, scope["method"], route, int(said["status"]), seconds, key)

    async def _admitted(self, scope: Scope, headers: dict[bytes, bytes]) -> KeyRecord | None:
        """Who asks; None where nobody has to say so.

        Raises:
            RefusedError: 401, 421 or 429.
        """
        if scope["path"] in _OPEN:
            return None
        if self._services.draining:
            raise RefusedError(503, "the server is stopping")
        if self._hosted:
            _check_host(headers)
        given = headers.get(b"authorization", b"").decode("latin-1")
        key: KeyRecord | None = None
        if given:
            kind, _, text = given.partition(" ")
            if kind.lower() != "bearer":
                raise _no_key("only bearer keys are known")
            keys = self._services.keys
            key = keys.fresh(text.strip()) or await anyio.to_thread.run_sync(keys.find, text.strip())
        elif self._settings.needs_key and scope["method"] != "OPTIONS":
            raise _no_key("this server asks for a key")
        self._count(scope, key)
        return key

    def _count(self, scope: Scope, key: KeyRecord | None) -> None:
        if not self._settings.rate_per_minute or (key is None and self._hosted):
            return
        client = scope.get("client")
        who = key.id if key is not None else client[0] if client else "nobody"
        if not self._rates.hit(self._rate, who):
            reset = self._rates.get_window_stats(self._rate, who).reset_time
            wait = max(1, round(reset - time.time()))
            raise RefusedError(
                429,
                f"more than {self._settings.rate_per_minute} requests a minute",
                headers={"Retry-After": str(wait)},
            )

    async def _in_time(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _LONG_PATHS.search(scope["path"]):
            await self._app(scope, receive, send)
            return
        # Work in a thread can't be ended: it is not waited for, and what it says in the end is let go.
        task = asyncio.create_task(_awaited(self._app(scope, receive, send)))
        try:
            done, _ = await asyncio.wait({task}, timeout=self._settings.request_seconds)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if not done:
            task.cancel()
            task.add_done_callback(_forget)
            raise _LateError
        await task


def _headless(send: Send) -> Send:
    """An answer without its body, as HEAD wants it."""

    async def sending(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return sending


class _LateError(Exception):
    """A request took too long."""


async def _awaited(answering: Awaitable[None]) -> None:
    await answering


def _forget(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        task.exception()  # looked at, so that nobody is told that it was not


def _shared(headers: dict[bytes, bytes], origins: tuple[str, ...]) -> tuple[tuple[bytes, bytes], ...]:
    """What lets a page of an allowed origin read the answers that are made before the application is asked."""
    origin = headers.get(b"origin", b"")
    if not origin or not {"*", origin.decode("latin-1")} & set(origins):
        return ()
    return (
        (b"access-control-allow-origin", b"*" if "*" in origins else origin),
        (b"access-control-expose-headers", ", ".join(EXPOSED).encode()),
        (b"vary", b"Origin"),
    )


def _request_id(headers: dict[bytes, bytes]) -> str:
    """The client's own where it can't do harm in a log."""
    given = headers.get(b"x-request-id", b"")
    return given.decode() if _ID.match(given) else secrets.token_hex(8)


def _check_host(headers: dict[bytes, bytes]) -> None:
    """Without keys, only pages of this machine may ask: another site's name that leads here is refused."""
    host = headers.get(b"host", b"").decode("latin-1")
    name = host.partition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    if not is_loopback(name.lower()):
        raise RefusedError(421, "this server answers to names of this machine only", field="Host")


def _no_key(why: str) -> RefusedError:
    return RefusedError(
        401,
        why,
        field="Authorization",
        hint="Authorization: Bearer KEY",
        headers={"WWW-Authenticate": "Bearer"},
    )
