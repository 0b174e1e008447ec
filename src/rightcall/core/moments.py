"""Days, times and instants in the spellings that people and models use."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any, Final

from .equality.numbers import is_number

__all__ = ["Moment", "read_moment"]

_LONGEST: Final = 60
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS: Final = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*\b,?", re.ASCII)
_TIME: Final = re.compile(
    r"\b(?:at )?(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)? ?([ap])\.?m\b\.?"
    r"|(?:\b|t)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?",
    re.ASCII,
)
_ZONE: Final = re.compile(r" ?\b(?:utc|gmt|z)\b$|(?<=\d)z$| ?(?:utc|gmt)?([+-])(\d{2}):?(\d{2})?$", re.ASCII)
_ISO_DAY: Final = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\Z", re.ASCII)
_PACKED: Final = re.compile(r"(\d{4})(\d{2})(\d{2})\Z", re.ASCII)
_PARTED: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})\Z", re.ASCII)
_NAMED: Final = re.compile(
    r"(?:(\d{1,2})(?:st|nd|rd|th)? )?([a-z]{3,9})\.? ?(?:(\d{1,2})(?:st|nd|rd|th)?,? )?(\d{4})\Z", re.ASCII
)

Moment = tuple[str, Any]
"""``day`` and a date, ``local`` and a time without zone, or ``instant`` and one in UTC."""


def read_moment(value: Any, *, day_first: bool) -> Moment | None:
    """The moment that a value spells; None where it spells none that is known."""
    try:
        if is_number(value):
            return _from_number(value)
        return _from_text(value, day_first=day_first) if isinstance(value, str) else None
    except (ValueError, OverflowError):
        return None  # the 30th of February


def _from_number(value: Any) -> Moment | None:
    # Seconds up to the year 5138; what is larger is milliseconds.
    seconds = float(value) if abs(value) < 100_000_000_000 else float(value) / 1000
    start = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    return "instant", start + dt.timedelta(seconds=seconds)


def _from_text(text: str, *, day_first: bool) -> Moment | None:
    if len(text) > _LONGEST:
        return None
    rest = " ".join(_DAYS.sub(" ", text.casefold()).split())
    rest, offset = _cut_zone(rest)
    rest, time = _cut_time(rest)
    day = next(_days(rest.strip(" ,t"), day_first=day_first), None)
    if day is None:
        return None
    if time is None:
        return ("day", day) if offset is None else None
    moment = dt.datetime.combine(day, time)
    if offset is None:
        return ("day", day) if time == dt.time() else ("local", moment)
    return "instant", moment.replace(tzinfo=dt.UTC) - offset


def _cut_zone(text: str) -> tuple[str, dt.timedelta | None]:
    found = _ZONE.search(text)
    if found is None or (found[1] is not None and ":" not in text[: found.start()]):
        return text, None  # without a time, -05 is a day
    if found[1] is None:
        return text[: found.start()], dt.timedelta()
    offset = dt.timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return text[: found.start()], -offset if found[1] == "-" else offset


def _cut_time(text: str) -> tuple[str, dt.time | None]:
    found = _TIME.search(text)
    if found is None:
        return text, None
    half = found[5]
    hour, minute, second, part = found.group(1, 2, 3, 4) if half else found.group(6, 7, 8, 9)
    hours = int(hour)
    if half:
        if not 1 <= hours <= 12:
            raise ValueError("no such hour")
        hours = hours % 12 + (12 if half == "p" else 0)
    micro = int((part or "0").ljust(6, "0")[:6])
    time = dt.time(hours, int(minute or 0), int(second or 0), micro)
    return text[: found.start()] + " " + text[found.end() :], time


def _days(text: str, *, day_first: bool) -> Iterator[dt.date]:
    text = " ".join(text.split()).rstrip(" ,")
    if found := _ISO_DAY.match(text) or _PACKED.match(text):
        numbers = [int(part) for part in found.groups() if part.isdigit()]
        yield dt.date(*numbers)
    elif found := _PARTED.match(text):
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        day, month = (first, second) if day_first or found[2] == "." else (second, first)
        yield dt.date(year, month, day)
    elif found := _NAMED.match(text):
        name, number = found[2][:3], found[1] or found[3]
        if name in _MONTHS and number is not None and (found[1] is None or found[3] is None):
            yield dt.date(int(found[4]), _MONTHS.index(name) + 1, int(number))
