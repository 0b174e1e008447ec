"""Works, laws and cases: who made one and in which year say nothing new. Thriller by Michael Jackson, Titanic (1997)."""

from __future__ import annotations

import re
from typing import Any, Final

from ..fields import Inner
from ..spelling import fold, listed
from ..verdict import About, Verdict, perhaps

ORDER = 17
_WORKS: Final = listed(
    """
    title song track album movie film book novel poem painting artwork work show series play game sculpture single
    composition piece symphony opera story
    """
)
_SEARCHES: Final = frozenset({"query", "search", "name", "keyword"})
_MAKER: Final = re.compile(r"(.{2,}?),? +by +([A-Z][\w.'-]*(?:(?: +[\w.'-]+)* +[A-Z][\w.'-]*)?)\Z", re.DOTALL)
_YEAR: Final = re.compile(r"(.+?) *[(\[](1[5-9]\d\d|20\d\d)[)\]] *\Z", re.ASCII | re.DOTALL)
_DATED: Final = listed("law act statute legislation treaty case court bill regulation lawsuit")
_OF_YEAR: Final = re.compile(
    r"(.+?),? *(?:of +|[(\[])?(1[5-9]\d\d|20\d\d)[)\]]? *\Z", re.ASCII | re.DOTALL | re.IGNORECASE
)
"""The Clean Air Act of 1970; Roe v. Wade, 1973."""

_LONGEST: Final = 150


def claims(about: About) -> bool:
    """The name says so, or it is a search and the description speaks of works."""
    return (
        about.named(_WORKS)
        or about.named(_DATED)
        or (about.named(_SEARCHES) and not about.described.isdisjoint(_WORKS))
    )


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Likely one where a maker or a year in brackets is all that one has more."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str) or max(len(a), len(b)) > _LONGEST:
        return None
    for pattern, probability, words in (
        (_OF_YEAR if about.named(_DATED) else _YEAR, 0.85, "the same title, once with its year"),
        (_MAKER, 0.8, "the same title, once with who made it"),
    ):
        one, other = pattern.match(a), pattern.match(b)
        if (one is None) == (other is None):
            continue
        long, short = (one[1], b) if one is not None else (other[1] if other else "", a)
        if pattern is _MAKER and " " not in long and " " not in (one or other)[2]:  # type: ignore[index]
            continue  # Step by Step
        if fold(long).removeprefix("the ") == fold(short).removeprefix("the "):
            return perhaps(probability, words)
    short, long = sorted((a, b), key=len)
    _, colon, subtitle = long.partition(":")
    if colon and " " in subtitle.strip() and fold(subtitle) == fold(short):
        return perhaps(0.75, "the same title, once with its series")
    return None
