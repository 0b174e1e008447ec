"""Every way in which a text may be read as a day, a time of day or a moment, parts left out included.

`core.moments` reads one moment in one order of day and month; here are the sets of readings, times alone, days without
a year, months and zones by name.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

__all__ = ["When", "readings"]

_LONGEST: Final = 60
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL: Final = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_MONTH: Final = (
    {name: number for number, name in enumerate(_FULL, 1)}
    | {name: number for number, name in enumerate(_MONTHS, 1)}
    | {"sept": 9}
)
_ZONES: Final = {
    "utc": 0, "gmt": 0, "z": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360,
    "pst": -480, "pdt": -420, "cet": 60, "cest": 120, "bst": 60, "ist": 330, "jst": 540, "eet": 120, "eest": 180,
    "aest": 600, "msk": 180,
}  # fmt: skip
"""Minutes east of UTC of the zones that are named most often."""

_WEEKDAY: Final = re.compile(r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b[,.]?")
_TIME: Final = re.compile(
    r"(?:\bat |\b|(?<=\d)t)(?:"
    r"(\d{1,2})(?:[:.h](\d{2})(?::(\d{2}))?)? ?([ap])\.? ?m\b\.?"  # 2pm, 2:30 p.m.
    r"|(\d{1,2})[:h](\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?"  # 14:30, 14:30:05.5
    r"|(noon|midday|midnight)\b"
    r"|(\d{1,2}) ?(?:o clock|oclock|o'clock|uhr|hrs|hours)\b)"
)
_OFFSET: Final = re.compile(r" ?(?:utc|gmt)? ?([+-])(\d{1,2})(?::?(\d{2}))?$")
_NAMED_ZONE: Final = re.compile(r" ?\(?\b([a-z]{1,4})\)?$")
_NUMBERS: Final = re.compile(r"(\d{1,4})[-/.\\ ](\d{1,2})[-/.\\ ](\d{1,4})\Z")
_TWO: Final = re.compile(r"(\d{1,4})[-/](\d{1,4})\Z")
_PACKED: Final = re.compile(r"(\d{4})(\d{2})(\d{2})\Z")
_ORDINAL: Final = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_PARTS: Final = re.compile(r"\d+|[a-z]+")
_FILLERS: Final = {"of", "the", "on", "in", "at", "year", "day", "month"}


class When(Struct, frozen=True):
    """One reading: the parts that are said, None for the others.

    Attributes:
        time: hours, minutes, seconds, microseconds.
        offset: minutes east of UTC.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    time: tuple[int, int, int, int] | None = None
    offset: int | None = None

    @property
    def date(self) -> tuple[int | None, int | None, int | None]:
        """Year, month and day."""
        return self.year, self.month, self.day

    def instant(self) -> dt.datetime | None:
        """The moment in UTC; None where a part is missing."""
        if self.year is None or self.month is None or self.day is None or self.time is None:
            return None
        if self.offset is None:
            return None
        try:
            hours, minutes, seconds, micro = self.time
            local = dt.datetime(self.year, self.month, self.day, hours, minutes, seconds, micro)  # noqa: DTZ001
            return local - dt.timedelta(minutes=self.offset)
        except (ValueError, OverflowError):
            return None


@lru_cache(maxsize=8192)
def readings(text: str) -> tuple[When, ...]:
    """All readings of a text, the likelier (month before day) first; empty where it is no date and no time."""
    if len(text) > _LONGEST or not (any(char.isdigit() for char in text) or _says_month_or_noon(text)):
        return ()
    rest = " ".join(text.lower().replace("’", "'").split())
    rest = _ORDINAL.sub("", _WEEKDAY.sub(" ", rest))
    found = _TIME.search(rest)
    time: tuple[int, int, int, int] | None = None
    offset: int | None = None
    if found is not None:
        time = _time_of(found)
        if time is None:
            return ()
        before, after = rest[: found.start()], rest[found.end() :]
        after, offset = _zone(after)
        rest = before.rstrip(" t") + " " + after
    rest = " ".join(rest.replace(",", " ").split()).strip(" .-@")
    rest = rest.removesuffix(" t")
    if not rest:
        return () if time is None else (When(time=time, offset=offset),)
    return tuple(
        When(day.year, day.month, day.day, time, offset)
        for day in dict.fromkeys(_days(rest))
        if _is_real(day)
    )


def _says_month_or_noon(text: str) -> bool:
    words = set(_PARTS.findall(text.lower()))
    return not words.isdisjoint(_MONTH) or not words.isdisjoint({"noon", "midday", "midnight"})


def _time_of(found: re.Match[str]) -> tuple[int, int, int, int] | None:
    if found[9]:
        return (0 if found[9] == "midnight" else 12, 0, 0, 0)
    if found[4]:
        hours, minutes, seconds = int(found[1]), int(found[2] or 0), int(found[3] or 0)
        if not 1 <= hours <= 12:
            return None
        hours, micro = hours % 12 + (12 if found[4] == "p" else 0), 0
    else:
        hours, minutes = int(found[5] or found[10]), int(found[6] or 0)
        seconds, micro = int(found[7] or 0), int((found[8] or "0").ljust(6, "0")[:6])
    return (hours, minutes, seconds, micro) if hours < 24 and minutes < 60 and seconds < 60 else None


def _zone(text: str) -> tuple[str, int | None]:
    """What is left after a zone at the end, and its minutes east of UTC."""
    found = _OFFSET.search(text)
    if found is not None:
        minutes = int(found[2]) * 60 + int(found[3] or 0)
        return text[: found.start()], -minutes if found[1] == "-" else minutes
    named = _NAMED_ZONE.search(text)
    if named is not None and named[1] in _ZONES:
        return text[: named.start()], _ZONES[named[1]]
    return text, None


def _days(text: str) -> list[When]:
    """The readings of what is left when a time is taken off."""
    if found := _NUMBERS.match(text):
        return _three(*found.groups())
    if found := _PACKED.match(text):
        return [When(int(found[1]), int(found[2]), int(found[3]))]
    if found := _TWO.match(text):
        return _two(found[1], found[2])
    return _named(text)


def _three(first: str, second: str, third: str) -> list[When]:
    a, b, c = int(first), int(second), int(third)
    if len(first) > 2:
        return [When(a, b, c)] if len(first) == 4 and len(third) <= 2 else []
    year = c if len(third) == 4 else 2000 + c if len(third) == 2 and c < 70 else 1900 + c
    if len(third) == 3 or len(third) == 1:
        return []
    found = [When(year, a, b), When(year, b, a)]
    if len(third) == 2 and len(first) == 2:
        found.append(When(2000 + a if a < 70 else 1900 + a, b, c))
    return found


def _two(first: str, second: str) -> list[When]:
    a, b = int(first), int(second)
    if len(first) == 4:
        return [When(a, b)] if len(second) <= 2 else []
    if len(second) == 4:
        return [When(b, a)]
    return [When(None, a, b), When(None, b, a)] if len(first) <= 2 and len(second) <= 2 else []


def _named(text: str) -> list[When]:
    """Days with a month by name: November 12 2025, 12 nov, Nov 2025."""
    parts = [part for part in _PARTS.findall(text) if part not in _FILLERS]
    months = [part for part in parts if part in _MONTH]
    numbers = [part for part in parts if part.isdigit()]
    if len(months) != 1 or len(parts) != len(numbers) + 1 or len(numbers) > 2:
        return []
    month = _MONTH[months[0]]
    years = [int(part) for part in numbers if len(part) == 4]
    days = [int(part) for part in numbers if len(part) <= 2]
    if len(years) + len(days) != len(numbers) or len(years) > 1:
        return []
    if len(days) == 2:  # 12 nov 25
        return [When(2000 + days[1], month, days[0])]
    return [When(years[0] if years else None, month, days[0] if days else None)]


def _is_real(day: When) -> bool:
    if day.month is not None and not 1 <= day.month <= 12:
        return False
    if day.year is not None and not 1 <= day.year <= 9999:
        return False
    if day.day is None:
        return True
    try:
        dt.date(day.year or 2024, day.month or 1, day.day)
    except ValueError:
        return False
    return True


def by_library(text: str) -> tuple[When, ...]:
    """What dateutil makes of a text that is known to be a moment and that :func:`readings` can't read.

    Read twice over two different days, so that a part that is not said is not invented.
    """
    from dateutil.parser import ParserError, parse

    found: list[Any] = []
    for default in (dt.datetime(2001, 1, 1), dt.datetime(2002, 2, 2, 1, 1)):  # noqa: DTZ001
        try:
            found.append(parse(text, default=default))
        except (ParserError, ValueError, OverflowError, TypeError):
            return ()
    first, second = found
    if first.date() != second.date():
        return ()
    time = (
        (first.hour, first.minute, first.second, first.microsecond) if first.time() == second.time() else None
    )
    offset = None if first.utcoffset() is None else int(first.utcoffset().total_seconds() // 60)
    return (When(first.year, first.month, first.day, time, offset),)
