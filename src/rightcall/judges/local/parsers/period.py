"""Spans of time by name: the last 30 days, Q4 2022, the 1980s, the 19th century."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from ..fields import Inner
from ..numerals import digits_for_words
from ..spelling import tokens
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 19
_DIRECTIONS: Final = {"last": -1, "past": -1, "previous": -1, "trailing": -1, "next": 1, "coming": 1, "following": 1,
                      "upcoming": 1}  # fmt: skip
_UNITS: Final = {"minute": "minute", "min": "minute", "hour": "hour", "hr": "hour", "day": "day", "week": "week",
                 "month": "month", "quarter": "quarter", "year": "year", "yr": "year", "decade": "decade"}  # fmt: skip
_RELATIVE: Final = re.compile(
    r"(?:the |over the |in the |for the |within the )?([a-z]+) (\d{1,4}) ([a-z]+?)s?\Z", re.ASCII
)
_ORDINALS: Final = {"1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "first": 1, "second": 2, "third": 3, "fourth": 4}
_QUARTER: Final = re.compile(
    r"(?:(?:the )?(?:q([1-4])|([1-4])q|([a-z\d]+) quarter|quarter ([1-4]))(?: (?:of )?((?:fy ?)?\d{4}))?"
    r"|(\d{4}) ?q([1-4]))\Z",
    re.ASCII,
)
_SEASON: Final = re.compile(r"\s*((?:19|20)\d\d) ?[-/–—] ?(\d{4}|\d\d)(?: season)?\s*\Z", re.IGNORECASE)
_DECADE: Final = re.compile(r"(?:the )?(?:(\d\d)?(\d)0s)\Z", re.ASCII)
_DECADES: Final = {name: number for number, name in enumerate(
    ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"), 2)}  # fmt: skip
_NAMES: Final = frozenset(
    {
        "period",
        "era",
        "decade",
        "quarter",
        "timeframe",
        "century",
        "timespan",
        "range",
        "season",
        "year",
        "years",
    }
)


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(_NAMES) or {"time", "frame"} <= about.name or {"time", "period"} <= about.name


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are such spans of one kind."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    left, right = _read(a), _read(b)
    if left is None or right is None or left[0] != right[0]:
        return None
    if left[0] == "decade" and not claimed:
        return None  # 80s may be seconds
    if left == right:
        return same("the same span of time")
    (kind, *one), (_, *other) = left, right
    if kind != "relative" and one[0] == other[0] and None in (one[1], other[1]):
        return perhaps(0.7, "the same span, once without its year or century")
    return differs("other spans of time")


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[Any, ...] | None:
    """Kind, then what says which: both `None` where the text leaves it open."""
    words = tokens(text)
    if not 0 < len(words) <= 6:
        return None
    plain = " ".join(words)
    if found := _QUARTER.match(plain):
        number = found[1] or found[2] or found[4] or found[7]
        which = int(number) if number else _ORDINALS.get(found[3])
        year = found[5] or found[6]
        return None if which is None else ("quarter", which, year)
    return _season(text) or _decade(plain, words) or _relative(words)


def _season(text: str) -> tuple[Any, ...] | None:
    """2021-22, 2021/2022: two years in a row."""
    found = _SEASON.match(text)
    if found is None or int(found[2][-2:]) != (int(found[1]) + 1) % 100:
        return None
    return None if len(found[2]) > 2 and int(found[2]) != int(found[1]) + 1 else ("season", found[1], "")


def _decade(plain: str, words: tuple[str, ...]) -> tuple[Any, ...] | None:
    if found := _DECADE.match(plain):
        # 1900s is a century as often as a decade.
        return None if found[2] == "0" else ("decade", int(found[2]), found[1])
    last = _DECADES.get(words[-1])
    if last is None or words[:-1] not in ((), ("the",), ("nineteen",), ("the", "nineteen")):
        return None
    return ("decade", last, "19" if "nineteen" in words else None)


def _relative(words: tuple[str, ...]) -> tuple[Any, ...] | None:
    found = _RELATIVE.match(" ".join(digits_for_words(words)))
    if found is None or found[1] not in _DIRECTIONS or found[3] not in _UNITS:
        return None
    return ("relative", _DIRECTIONS[found[1]], int(found[2]), _UNITS[found[3]])
