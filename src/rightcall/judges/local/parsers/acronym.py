"""Acronyms, small words read along or not: DoD, LOTR, GTA 5, MoMA; of one word's parts: YT; of a football club: LFC."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from ..fields import Inner
from ..spelling import fold
from ..verdict import About, Verdict, perhaps

ORDER = 55
_SHORTEST, _LONGEST = 2, 6
_MOST_WORDS: Final = 8
_LONGEST_TEXT: Final = 100
_SMALL: Final = frozenset({"of", "the", "and", "for", "in", "on", "to", "a", "an", "de", "du", "la"})
_DIGITS: Final = re.compile(r"(?<=[A-Za-z])(?=\d)")
_PARTS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)")
_TEAMS: Final = frozenset({"team", "club", "opponent"})
_OTHER_CODES: Final = frozenset({"key", "chord", "element", "timezone", "zone"})
"""Arguments whose short forms are no acronyms: Am is A minor."""

_SURE: Final = 0.95


def claims(about: About) -> bool:
    """Never first: what a text is says more."""
    return False


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Likely one where a word of capitals stands for several words, all else being equal."""
    if not isinstance(a, str) or not isinstance(b, str) or max(len(a), len(b)) > _LONGEST_TEXT:
        return None
    if fold(a) == fold(b) or about.named(_OTHER_CODES):
        return None
    for short, long in ((a, b), (b, a)):
        if not any(char.isupper() for char in short):
            continue
        one, other = _rest(_words(short.replace("&", ""), whole=True), _words(long))
        if len(one) == 1 and len(other) > 1 and _stands_for(one[0], other):
            return perhaps(_SURE, "an acronym of the other")
        if (
            len(one) == 1
            and about.named(_TEAMS)
            and other
            and _stands_for(one[0], (*other, "football", "club"))
        ):
            return perhaps(0.8, "a club by its initials")
    return None


@lru_cache(maxsize=4096)
def _words(text: str, *, whole: bool = False) -> tuple[str, ...]:
    """The words; but for `whole` also the parts of words that capitals begin: play and station."""
    return tuple(fold((_DIGITS if whole else _PARTS).sub(" ", text)).split())


def _rest(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is left when the words that both begin and end with are taken away."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return one, other


def _stands_for(short: str, words: tuple[str, ...]) -> bool:
    if not _SHORTEST <= len(short) <= _LONGEST or not short.isalpha() or len(words) > _MOST_WORDS:
        return False
    if not all(word[0].isalpha() for word in words):
        return False
    full = "".join(word[0] for word in words)
    return short in {full, "".join(word[0] for word in words if word not in _SMALL)}
