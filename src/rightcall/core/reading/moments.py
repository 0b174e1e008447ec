"""Moments as recordings tell them: numbers of several units, or ISO texts."""

from __future__ import annotations

from datetime import datetime
from typing import Final

__all__ = ["Time", "nanoseconds"]

Time = str | int | float | None


def nanoseconds(value: Time) -> int | None:
    """A moment: nanoseconds (or micro-, milli- or seconds, by their size) since 1970, or an ISO text."""
    if type(value) is str and len(value) == 19 and value.isdecimal():
        return int(value)  # as OTLP/JSON writes it
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        if not value.isdigit():
            return _of_iso(value)
        value = int(value) if len(value) < 40 else 0
    if not value or not -1e30 < value < 1e30:  # also what is no number
        return None
    for factor, least in ((1, 10**17), (10**3, 10**14), (10**6, 10**11)):
        if value >= least:
            return int(value) * factor
    return round(value * 10**9)


def _of_iso(text: str) -> int | None:
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=_UTC)
        passed = moment - _EPOCH
    except (ValueError, OverflowError):
        return None
    return (passed.days * 86400 + passed.seconds) * 10**9 + passed.microseconds * 1000


_EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
_UTC: Final = _EPOCH.tzinfo
