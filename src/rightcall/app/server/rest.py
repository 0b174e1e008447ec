"""The rest of a body that is refused: read and let go, so that who writes all of it first gets to see the answer.

A server that answers and closes while a client still writes resets the connection, and most clients then tell of that
and not of the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final

__all__ = ["Rest"]

Message = MutableMapping[str, Any]

_MOST_BYTES: Final = 64 << 20
_MOST_SECONDS: Final = 5.0
"""How much of a body is let go, and how long that may take: beyond it the connection is closed, as ever."""


class Rest:
    """Receives a request's body for the application, and knows whether all of it came.

    Args:
        receive: of the server.
        headers: of the request.
    """

    def __init__(self, receive: Callable[[], Awaitable[Message]], headers: Mapping[bytes, bytes]) -> None:
        self._receive = receive
        length = headers.get(b"content-length", b"")
        has_body = b"transfer-encoding" in headers or (length.isdigit() and int(length) > 0)
        # Who asks first whether to send a body has not sent it, and needs not.
        asks = headers.get(b"expect", b"").lower() == b"100-continue"
        too_long = length.isdigit() and int(length) > _MOST_BYTES
        self._is_read = not has_body or asks or too_long

    async def __call__(self) -> Message:
        """The next message of the request."""
        message = await self._receive()
        if message["type"] != "http.request" or not message.get("more_body", False):
            self._is_read = True
        return message

    async def let_go(self) -> None:
        """Read what is left, within bounds."""
        if self._is_read:
            return
        size = 0
        try:
            async with asyncio.timeout(_MOST_SECONDS):
                while not self._is_read and size <= _MOST_BYTES:
                    size += len((await self()).get("body", b""))
        except TimeoutError:
            pass
        self._is_read = True
