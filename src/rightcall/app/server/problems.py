"""Errors as RFC 9457 problems: one shape for whatever goes wrong, and the status that says whose fault it was."""

from __future__ import annotations

import re
from typing import Final

import msgspec
from msgspec import Struct
from starlette.responses import Response

from ...errors import (
    DataError,
    JudgeError,
    MissingExtraError,
    NotThereYetError,
    PathNotFoundError,
    RightcallError,
    StoreError,
    UsageError,
    WorkerError,
)
from ...run.inpython import said_in_python

__all__ = ["Problem", "RefusedError", "problem_of", "refusal"]


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong.

    Attributes:
        type: names the kind of error, as a URN.
        title: the kind in words.
        status: the HTTP status.
        detail: what is wrong in this request.
        field: the path of the offending field, e.g. ``tool_calls[0].name``.
        hint: what was probably meant, or what to do.
        request_id: of the request, for whoever looks at the log.
    """

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None
    hint: str | None = None
    request_id: str | None = None


class RefusedError(RightcallError):
    """A request that is refused for what HTTP knows a status for.

    Attributes:
        status: of the answer.
        headers: beside it.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        field: str | None = None,
        hint: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message, field=field, hint=hint)
        self.status = status
        self.headers = headers or {}


_TITLES: Final = {
    400: "Malformed request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    406: "Not acceptable",
    409: "Conflict",
    411: "Length required",
    413: "Too large",
    415: "Unsupported media type",
    421: "Misdirected request",
    422: "Refused request",
    429: "Too many requests",
    500: "Internal error",
    501: "Not implemented",
    502: "Judge failed",
    503: "Unavailable",
}

_STATUSES: Final[tuple[tuple[type[RightcallError], int], ...]] = (
    (PathNotFoundError, 404),
    (NotThereYetError, 501),
    (MissingExtraError, 501),
    (UsageError, 422),
    (DataError, 422),
    (JudgeError, 502),
    (StoreError, 503),
    (WorkerError, 503),
)

RETRY_AFTER: Final = {"Retry-After": "1"}


def problem_of(error: RightcallError, request_id: str | None = None) -> tuple[Problem, dict[str, str]]:
    """The problem of an error, and the headers that go with it."""
    headers: dict[str, str] = {}
    if isinstance(error, RefusedError):
        status, headers = error.status, error.headers
    else:
        status = next((number for kind, number in _STATUSES if isinstance(error, kind)), 500)
    if status == 503:
        headers = {**RETRY_AFTER, **headers}
    slug = _slug(status) if isinstance(error, RefusedError) else error.slug
    return Problem(
        type=f"urn:rightcall:problem:{slug}",
        title=_TITLES.get(status, "Error"),
        status=status,
        detail=error.message,
        field=error.field,
        hint=said_in_python(error).hint,  # fields of a body are called as arguments are
        request_id=request_id,
    ), headers


def _slug(status: int) -> str:
    return re.sub(r"[^a-z]+", "-", _TITLES.get(status, "error").lower()).strip("-")


def refusal(error: RightcallError, request_id: str | None = None) -> Response:
    """The answer to a request that failed."""
    problem, headers = problem_of(error, request_id)
    return Response(
        msgspec.json.encode(problem),
        status_code=problem.status,
        headers=headers,
        media_type="application/problem+json",
    )
