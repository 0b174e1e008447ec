"""Structured logs: one JSON object a line, on standard error, without a body, a query, a key or an argument."""

from __future__ import annotations

import logging
import sys
import time
import traceback
from pathlib import Path
from typing import Any, Final

import msgspec

from .keys import KeyRecord

__all__ = ["log", "log_request", "open_log"]

_LOGGER: Final = logging.getLogger("rightcall.server")


def open_log() -> None:
    """Send our lines to standard error; others' loggers stay as they are."""
    if not _LOGGER.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(message)s"))
        _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.INFO)
    _LOGGER.propagate = False
    # What libraries say goes the same way, as JSON too.
    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(_Foreign())


class _Foreign(logging.Handler):
    """Lines of libraries: their first line, and of an exception its kind and places."""

    def emit(self, record: logging.LogRecord) -> None:
        said: dict[str, Any] = {"logger": record.name, "message": record.getMessage().split("\n")[0][:500]}
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            said |= {"kind": type(error).__name__, "places": _places(error)}
        log("library", level=record.levelname.lower(), **said)


def log(event: str, **said: Any) -> None:
    """One line: what happened, when, and plain facts about it."""
    if _LOGGER.isEnabledFor(logging.INFO):
        line = {"time": round(time.time(), 3), "event": event, **said}
        _LOGGER.info(msgspec.json.encode(line).decode())


class _RequestLog:
    def __call__(
        self, request_id: str, method: str, route: str, status: int, seconds: float, key: KeyRecord | None
    ) -> None:
        """A request that was answered; `route` is its pattern, since paths hold ids of cases."""
        log(
            "request",
            id=request_id,
            method=method,
            route=route,
            status=status,
            ms=round(1000 * seconds, 3),
            key=None if key is None else key.id,
        )

    def fault(self, request_id: str, error: BaseException) -> None:
        """A fault of our own: its kind and the places it passed, never its message, which may quote the data."""
        log("fault", id=request_id, kind=type(error).__name__, places=_places(error))


def _places(error: BaseException) -> list[str]:
    frames = traceback.extract_tb(error.__traceback__)[-12:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]


log_request: Final = _RequestLog()
