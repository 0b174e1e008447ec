"""Requests to which no answer came: an error in the place of a response is no answer without calls."""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

from ..nodes import opened, plain
from .offering import there
from .shapes import ABSENT, Shape

__all__ = ["error_of", "in_error"]


class _Held(Struct, kw_only=True, gc=False):
    error: Raw = ABSENT
    body: Raw = ABSENT
    choices: Raw = ABSENT
    message: Raw = ABSENT
    role: Raw = ABSENT
    output: Raw = ABSENT


_held = Shape(_Held)


def in_error(response: Raw, error: Raw) -> bool:
    """Whether a response is an error in place of an answer, or is missing beside an error."""
    if not there(response) or not isinstance(opened(response), dict):
        return not there(response) and there(error)
    held = _held(response, "response")
    if there(held.body) and isinstance(opened(held.body), dict):
        held = _held(held.body, "response.body")
    answered = there(held.choices) or there(held.message) or there(held.role) or there(held.output)
    return there(held.error) and not answered


def error_of(response: Raw, error: Raw) -> Any:
    """What is said of an error, beside the response or in it; None where nothing is."""
    if there(error):
        return plain(error)
    found: Any = plain(response) if there(response) else None
    if not isinstance(found, dict):
        return None
    inner = found.get("body")
    return found.get("error") or (inner.get("error") if isinstance(inner, dict) else None)
