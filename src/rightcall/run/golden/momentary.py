"""Values that look made for the moment: a golden set that holds one will never match again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from ...core.paths import join

__all__ = ["momentary_values"]

_FORMS: Final = (
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE), "a UUID"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d"), "a moment"),
    (re.compile(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]{24,64}\Z", re.IGNORECASE), "a generated id"),
)


def momentary_values(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """(path, what it looks like) of the values inside `value` that look made for the moment."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from momentary_values(item, join(path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from momentary_values(item, join(path, index))
    else:
        kind = _kind(value)
        if kind is not None:
            yield path, kind


def _kind(value: Any) -> str | None:
    if isinstance(value, str):
        return next((kind for form, kind in _FORMS if form.match(value)), None)
    if isinstance(value, int) and not isinstance(value, bool):
        # Seconds from 2017 to 2049, or milliseconds: an amount or id in between is a fair price for a hint.
        stamp = 1_500_000_000 <= value < 2_500_000_000 or 1_500_000_000_000 <= value < 2_500_000_000_000
        return "a time stamp" if stamp else None
    return None
