"""Days, times of day and moments, with every reading that the order of day and month allows."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from typing import Any, Final

from ..fields import Inner
from ..moments import When, by_library, readings
from ..spelling import listed
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 20
_NAMES: Final = listed(
    """
    date datetime time day when deadline timestamp start end departure arrival checkin checkout birthday
    dob born due from until till since expires expiry month year moment at on
    """
)
_FORMATS: Final = frozenset({"date", "date-time", "time", "datetime"})
_SURE: Final = re.compile(
    r"\d{4}-\d\d?-\d\d?|\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{4}/\d\d?/\d\d?|\d:\d\d|\d ?[ap]\.?m\b"
    r"|[A-Za-z]{3}.*\d{4}|\d{1,2}(?:st|nd|rd|th)? [A-Za-z]{3}|[A-Za-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?\b"
)
_WEEKDAY: Final = re.compile(
    r"(?<![^\W\d_])(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur|urs|r)?(?:day)?(?![^\W\d_])", re.IGNORECASE
)
_PACKED: Final = re.compile(r"(?:19|20)\d\d[01]\d[0-3]\d\Z")
_CLOCK: Final = re.compile(r"([01]\d|2[0-3])([0-5]\d)(?: ?h(?:rs|ours)?)?\Z", re.ASCII)
_CLOCKS: Final = frozenset({"time", "clock", "hour"})
AMBIGUOUS: Final = 0.85
SWAPPED: Final = 0.45
"""Another day by what is written; but half of those who write 03-12 for 12-03 mean the same."""

_STARTS: Final = frozenset({"month", "year", "start", "from", "begin", "since", "period", "quarter"})
_ENDS: Final = frozenset({"end", "until", "to", "till", "through"})

_LAST_YEAR: Final = 9999
_LAST_MOMENT: Final = 10**15
"""Milliseconds since 1970 beyond which there is no date that could be held."""


def claims(about: About) -> bool:
    """The schema's format or the name speaks of a time."""
    return about.format in _FORMATS or about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are read, unless they agree in one of several readings only."""
    if not isinstance(a, str) or not isinstance(b, str):
        return _with_epoch(a, b, about) if claimed else None
    if (claimed or about.says(_CLOCKS)) and (packed := _packed_clock(a, b)) is not None:
        return packed
    if not claimed and not _are_shaped(a, b):
        return None
    left, right = readings(a), readings(b)
    if claimed:
        left, right = left or _by_library(a), right or _by_library(b)
        if not left or not right:
            left, right = left or _bare_part(a, about), right or _bare_part(b, about)
    if not left or not right:
        return None
    if _other_weekdays(a, b):
        return differs("other days of the week", 0.1)
    return _compared(left, right, about)


def _other_weekdays(a: str, b: str) -> bool:
    """Whether each names a day of the week, and not the same."""
    one, other = _WEEKDAY.search(a), _WEEKDAY.search(b)
    return one is not None and other is not None and one[1].lower() != other[1].lower()


def _are_shaped(a: str, b: str) -> bool:
    """Whether both have a shape that nothing else has; 20251112 has one beside such a text."""
    shaped = bool(_SURE.search(a)), bool(_SURE.search(b))
    return all(shaped) or (any(shaped) and bool(_PACKED.match(b if shaped[0] else a)))


def _packed_clock(a: str, b: str) -> Verdict | None:
    """1730 beside a time of day, where the name or the schema speaks of a time."""
    found = _CLOCK.match(a.strip()) or _CLOCK.match(b.strip())
    if found is None or (_CLOCK.match(a.strip()) and _CLOCK.match(b.strip())):
        return None
    other = readings(b if _CLOCK.match(a.strip()) else a)
    if len(other) != 1 or other[0].time is None or other[0].date != (None, None, None):
        return None
    time = (int(found[1]), int(found[2]), 0, 0)
    return same("the same time, other format", 0.97) if other[0].time == time else differs("other times")


def _by_library(text: str) -> tuple[When, ...]:
    return by_library(text) if any(char.isdigit() for char in text) else ()


def _compared(left: tuple[When, ...], right: tuple[When, ...], about: About) -> Verdict:
    if about.day_first is not None:
        left, right = _ordered(left, day_first=about.day_first), _ordered(right, day_first=about.day_first)
    best = max((_agree(x, y, about) for x in left for y in right), key=lambda each: each.probability)
    if best.probability <= 0.5 or (len(left) == 1 and len(right) == 1):
        return best
    # The likelier reading is first; where both sides have several, their formats are alike and so is their order.
    if len(left) > 1 and len(right) > 1:
        first = _agree(left[0], right[0], about)
        if first.probability > 0.5 and _agree(left[-1], right[-1], about).probability > 0.5:
            return first
        return perhaps(SWAPPED, "day and month are swapped, if both are written in one order")
    return perhaps(
        min(AMBIGUOUS, best.probability), "the same day if day and month are read in one of two orders"
    )


def _ordered(found: tuple[When, ...], *, day_first: bool) -> tuple[When, ...]:
    """The reading that a stated order of day and month leaves."""
    if len(found) != 2 or found[0].year != found[1].year:
        return found
    return (found[1],) if day_first else (found[0],)


def _agree(a: When, b: When, about: About) -> Verdict:
    """Two readings: what both say must agree; what one leaves out lowers how sure it is."""
    both = a.instant(), b.instant()
    if both[0] is not None and both[1] is not None:
        return same("the same moment") if both[0] == both[1] else differs("other moments")
    days = [(x, y) for x, y in zip(a.date, b.date, strict=True) if x is not None and y is not None]
    if any(x != y for x, y in days):
        swapped = (a.year, a.month, a.day) == (b.year, b.day, b.month) and a.time == b.time
        return perhaps(SWAPPED, "day and month are swapped") if swapped else differs("other days")
    if a.time is not None and b.time is not None:
        if a.time != b.time:
            return differs("other times")
        if a.offset is not None and b.offset is not None and a.offset != b.offset:
            return differs("other time zones")
    elif a.time is not None or b.time is not None:
        return _half_timed(
            a, b, days=len(days), ends=about.named(_ENDS | {"deadline", "due", "expiry", "expires"})
        )
    if not days and (a.time is None or b.time is None):
        return differs("a day against a time")
    open_parts = sum((x is None) != (y is None) for x, y in zip(a.date, b.date, strict=True))
    if (a.offset is None) != (b.offset is None):
        zone = a.offset if a.offset is not None else b.offset
        return perhaps(0.9 if zone == 0 and not open_parts else 0.6, "the same time, once without a zone")
    if open_parts == 0:
        return same("the same day, other format" if a.time is None else "the same time, other format")
    if a.year is None or b.year is None:
        return (
            perhaps(0.8, "the same day, once without its year")
            if open_parts == 1
            else differs("a day against a part of it", 0.2)
        )
    return _within(a, b, about)


def _within(a: When, b: When, about: About) -> Verdict:
    """A day, or a month, against a longer time: its first one often stands for it, its last one where something ends."""
    inner, outer = (a, b) if b.day is None and (b.month is None or a.day is not None) else (b, a)
    month = outer.month or inner.month
    if inner.year is None or month is None:
        return differs("a day against a longer time", 0.15)
    first = inner.day in {None, 1} and (outer.month is not None or inner.month in {None, 1})
    lasts = calendar.monthrange(inner.year, month)[1]
    last = inner.day in {None, lasts} and (outer.month is not None or inner.month in {None, 12})
    if last and about.named(_ENDS):
        return perhaps(0.85, "the last day of the same time")
    if first and about.named(_STARTS):
        return perhaps(0.85, "the first day of the same time")
    if first and not about.named(_ENDS):
        return perhaps(0.45, "the first day of the same time")
    return differs("a day against a longer time", 0.15)


def _half_timed(a: When, b: When, *, days: int, ends: bool) -> Verdict:
    """One of the two has no time of day: where something ends, the day's midnight is a day less."""
    time = a.time or b.time
    if days == 3 and time == (0, 0, 0, 0) and ends:
        return perhaps(0.6, "the same day, once with the midnight that it begins with")
    if days == 3 and time == (0, 0, 0, 0):
        return perhaps(0.85, "the same day, once with midnight")
    return differs("one has a time of day, the other none", 0.1)


def _with_epoch(a: Any, b: Any, about: About) -> Verdict | None:
    """Seconds or milliseconds since 1970 against a moment with a zone; a year or a day as a number."""
    number, text = (b, a) if isinstance(a, str) else (a, b)
    if not isinstance(number, int | float) or isinstance(number, bool) or not isinstance(text, str):
        return None
    if isinstance(number, int) and 1 <= number <= _LAST_YEAR:
        left, right = _bare_part(str(number), about), readings(text) or _bare_part(text, about)
        return _compared(left, right, about) if left and right else None
    found = readings(text)
    if not found or not 10_000_000 <= abs(number) < _LAST_MOMENT:
        return None
    seconds = float(number) if abs(number) < 100_000_000_000 else float(number) / 1000
    try:
        moment = dt.datetime(1970, 1, 1) + dt.timedelta(seconds=seconds)  # noqa: DTZ001 - both in UTC
    except OverflowError:
        return None
    for each in found:
        instant = each.instant()
        if instant is None and each.time is not None and None not in each.date:
            instant = When(each.year, each.month, each.day, each.time, 0).instant()
            if instant == moment:
                return perhaps(0.85, "the same moment if it is meant in UTC")
        elif instant == moment:
            return same("the same moment, as seconds since 1970")
    return differs("other moments")


def _bare_part(text: str, about: About) -> tuple[When, ...]:
    """A month or a year as a number, where the name says that it is one."""
    text = text.strip()
    if not text.isascii() or not text.isdigit():
        return ()
    if "month" in about.name and 1 <= int(text) <= 12:
        return (When(month=int(text)),)
    if "year" in about.name and len(text) == 4:
        return (When(year=int(text)),)
    return ()
