"""How often: daily, every day, once a day, every 24 hours; twice a week; every 2 weeks."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from ..fields import Inner
from ..numerals import digits_for_words
from ..spelling import tokens
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 18
_ADVERBS: Final = {
    "hourly": (1, "hour"), "daily": (1, "day"), "nightly": (1, "night"), "weekly": (1, "week"),
    "fortnightly": (2, "week"), "monthly": (1, "month"), "quarterly": (3, "month"), "yearly": (12, "month"),
    "annually": (12, "month"), "annual": (12, "month"), "semiannually": (6, "month"), "semiannual": (6, "month"),
}  # fmt: skip
"""Biweekly and bimonthly have two meanings each and are left."""

_UNITS: Final = {
    "second": (1, "second"), "minute": (60, "second"), "hour": (1, "hour"), "day": (1, "day"), "night": (1, "night"),
    "week": (1, "week"), "fortnight": (2, "week"), "month": (1, "month"), "quarter": (3, "month"),
    "year": (12, "month"), "weekday": (1, "weekday"), "workday": (1, "weekday"), "morning": (1, "morning"),
    "evening": (1, "evening"),
}  # fmt: skip
_TIMES: Final = {"once": 1, "twice": 2, "thrice": 3}
_EVERY: Final = re.compile(r"(?:every|each) (?:(\d{1,4}|other) )?([a-z]+?)s?\Z", re.ASCII)
_SO_OFTEN: Final = re.compile(
    r"(?:(once|twice|thrice)|(\d{1,4}) ?(?:times?|x)) (?:(?:a|an|1|per|every|each|in a) )?([a-z]+)\Z",
    re.ASCII,
)
_OF_ADVERBS: Final = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annually": "year",
}
_HOURS: Final = {"hour": Fraction(1), "day": Fraction(24), "week": Fraction(168), "second": Fraction(1, 3600)}
"""Units that are multiples of each other."""

_PER: Final = re.compile(r"per ([a-z]+)\Z", re.ASCII)


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(frozenset({"frequency", "recurrence", "repeat", "repeats", "recurring", "schedule"}))


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both say how often."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    left, right = _read(a), _read(b)
    if left is None or right is None:
        return None
    if left == right:
        return same("as often")
    (one, unit), (other, another) = left, right
    if unit in _HOURS and another in _HOURS and one / _HOURS[unit] == other / _HOURS[another]:
        return perhaps(0.8, "as often, counted in other units")
    return differs("more or less often")


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[Fraction, str] | None:
    """How many times a unit, and the unit."""
    words = " ".join(digits_for_words(tokens(text)))
    if words in _ADVERBS:
        number, unit = _ADVERBS[words]
        return Fraction(1, number), unit
    times, every, unit_name = 1, 1, ""
    if found := _EVERY.match(words):
        every = 2 if found[1] == "other" else int(found[1] or 1)
        unit_name = found[2]
    elif found := _SO_OFTEN.match(words):
        times = _TIMES[found[1]] if found[1] else int(found[2] or 1)
        unit_name = _OF_ADVERBS.get(found[3], found[3])
    elif found := _PER.match(words):
        unit_name = found[1]
    known = _UNITS.get(unit_name)
    if known is None or not every or not times:
        return None
    return Fraction(times, every * known[0]), known[1]
