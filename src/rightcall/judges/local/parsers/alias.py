"""Names of one thing that share no spelling: formula, ticker, Latin name, short name; also in brackets behind it."""

from __future__ import annotations

import re
from typing import Any, Final

from ..fields import Inner
from ..spelling import fold, listed
from ..tables import aliases
from ..verdict import About, Verdict, differs, same

ORDER = 9
_KNOWN: Final = 0.99
_CODES: Final = listed("code symbol ticker id iata icao isin abbreviation acronym formula smiles")
"""Arguments that want one of the names and no other: a tool that looks up AAPL does not find Apple."""

_CLOSED: Final = listed("size sizes gender sex")
"""Arguments whose table holds all that there is, so that two names of two entries are two."""

_LONGEST: Final = 80
_BRACKETS: Final = re.compile(r"\s*([^()]+?)\s*\(([^()]+)\)\s*\Z")


def claims(about: About) -> bool:
    """It is asked first: every other parser would see other words."""
    return not about.named(_CODES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where the table knows both as one, for such an argument."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str) or max(len(a), len(b)) > _LONGEST:
        return None
    left, right = _entries(a, about), _entries(b, about)
    if left and right:
        if not left.isdisjoint(right):
            return same("two names of one thing", _KNOWN)
        return differs("other choices") if about.named(_CLOSED) else None
    if "(" not in a and "(" not in b:
        return None
    x, y = _without_alias(a, about), _without_alias(b, about)
    return inner(x, y, about) if (x, y) != (a, b) else None


def _entries(text: str, about: About) -> frozenset[int]:
    """The entries that a text names, of those for such an argument."""
    found = aliases().get(fold(text).removeprefix("the "))
    if found is None:
        return frozenset()
    return frozenset(entry for entry, arguments in found if not arguments.isdisjoint(about.name))


def _without_alias(text: str, about: About) -> str:
    """``water (H2O)`` and ``Hypertext Markup Language (HTML)`` without the second name; else the text as it is."""
    found = _BRACKETS.match(text)
    if found is None:
        return text
    name, other = found[1], found[2]
    if not _entries(name, about).isdisjoint(_entries(other, about)) or _shortens(fold(other), fold(name)):
        return name
    return text


def _shortens(short: str, long: str) -> bool:
    """Whether the letters of one begin the words of the other."""
    words = [word for word in long.split() if word not in {"of", "the", "and", "for", "in"}]
    return len(short) > 1 and short.isalpha() and short == "".join(word[0] for word in words)
