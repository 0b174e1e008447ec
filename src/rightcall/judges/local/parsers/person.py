"""People's names: titles say nothing, an initial fits its name, suffixes count."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from ..fields import Inner
from ..naming import PERSONS
from ..romans import NUMERALS
from ..spelling import fold, listed
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 52
_PARTS: Final = frozenset({"first", "last", "full", "given", "family", "middle"})
_TITLES: Final = listed(
    """
    mr mrs ms miss dr prof professor sir dame doctor mister madam
    """
)
_SUFFIXES: Final = {
    "jr": "jr",
    "junior": "jr",
    "sr": "sr",
    "senior": "sr",
} | {numeral: numeral for numeral in NUMERALS if len(numeral) > 1 and numeral != "xi"}
_MOST: Final = 5


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(PERSONS) or ("name" in about.name and about.named(_PARTS))


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are full names; leaves one name against two to the features."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str):
        return None
    if about.named(frozenset({"id", "number", "email", "phone"})):
        return None
    left, right = _read(a), _read(b)
    if left is None or right is None:
        return None
    (x, end_x), (y, end_y) = left, right
    if x == y or (end_x != end_y and end_x and end_y):
        return _suffixes(end_x, end_y)
    return _names(x, y) if len(x) > 1 and len(y) > 1 else None


def _suffixes(one: str, other: str) -> Verdict:
    if one == other:
        return same("the same name")
    if one and other:
        return differs("other suffixes")
    if (one or other) in NUMERALS:
        return differs("the same name, once with a number", 0.1)
    return perhaps(0.6, "the same name, once with a suffix")


def _names(x: tuple[str, ...], y: tuple[str, ...]) -> Verdict | None:
    """First, middle and last names; None where a nickname or a slip may be all that parts them."""
    for place, which in ((-1, "last"), (0, "first")):
        if not _fit(x[place], y[place]) or (which == "last" and x[-1] != y[-1]):
            return None if _is_near(x[place], y[place]) else differs(f"other {which} names", 0.03)
    if any(not _fit(one, other) for one, other in zip(x[1:-1], y[1:-1], strict=False)):
        return differs("other middle names", 0.03)
    if len(x[0]) == 1 or len(y[0]) == 1:
        return perhaps(0.75, "a name that its initial fits")
    return same("the same name, once with more of it", 0.93)


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[tuple[str, ...], str] | None:
    if len(text) > 80:
        return None
    last, comma, first = text.partition(",")
    if comma and fold(first) in _SUFFIXES:
        comma = ""
    words = fold(f"{first} {last}" if comma else text).split()
    suffix = next((_SUFFIXES[word] for word in words if word in _SUFFIXES), "")
    kept = tuple(word for word in words if word not in _TITLES and word not in _SUFFIXES)
    if not kept or len(kept) > _MOST or not all(word.isalpha() for word in kept):
        return None
    return kept, suffix


def _fit(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])


def _is_near(one: str, other: str) -> bool:
    """Perhaps a nickname or a slip: nothing is decided."""
    return one[:2] == other[:2] and min(len(one), len(other)) > 2 and abs(len(one) - len(other)) > 0
