"""Names of one thing that share no spelling: formula, ticker, Latin name, short name; also in brackets behind it."""

from __future__ import annotations

import re
from typing import Any, Final

from ..fields import Inner
from ..spelling import fold, listed
from ..tables import aliases
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 9
_CODES: Final = listed("code symbol ticker id iata icao isin abbreviation acronym formula smiles")
"""Arguments that want one of the names and no other: a tool that looks up AAPL does not find Apple."""

_EXACT: Final = listed(
    "file column field table branch package dependency variable css path username user id host library"
)
_SORTS: Final = listed("type format extension kind")
"""Arguments of which one spelling alone is right, unless they say of what sort a thing is: file name, file type."""

_LOOSE: Final = listed("query topic title place location destination object item subject landmark")
"""Arguments that hold anything, so that a short name counts only in capitals: TB, not tb."""

_SHORT: Final = 4
_UNLIKE_FORMULAS: Final = frozenset({"Co", "No", "Hf"})
"""Elements that only capitals tell from compounds: Co is cobalt."""

_CHEMISTRY: Final = listed("compound substance chemical molecule gas element formula atom")
_KEYS: Final = frozenset({"key", "chord", "interval", "timeframe", "granularity"})
_KEY: Final = 3
_SYMBOLS: Final = re.compile(r"(?:[A-Z][a-z]?\d*)+", re.ASCII)
_CLOSED: Final = listed("size sizes gender sex key chord blood direction")
"""Arguments whose table holds all that there is, so that two names of two entries are two."""

_INITIALS: Final = 2
_LONGEST: Final = 80
_BRACKETS: Final = re.compile(r"\s*([^()]+?)\s*\(([^()]+)\)\s*\Z")


def claims(about: About) -> bool:
    """It is asked first: every other parser would see other words."""
    return not about.named(_CODES) and (not about.named(_EXACT) or about.named(_SORTS))


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where the table knows both as one, for such an argument."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str) or max(len(a), len(b)) > _LONGEST:
        return None
    if fold(a) == fold(b):
        if about.named(_CHEMISTRY) and _SYMBOLS.fullmatch(a) and _SYMBOLS.fullmatch(b):
            return perhaps(0.3, "formulas that only capitals tell apart")
        if a != b and len(a) <= _KEY and about.named(_KEYS):
            return perhaps(0.3, "small letters are minor, or a minute")
        return None
    left, right = _entries(a, about), _entries(b, about)
    if left and right:
        if not left.isdisjoint(right):
            return same("two names of one thing")
        return differs("other choices") if about.named(_CLOSED) else None
    if (left and len(a) <= _INITIALS and _shortens(fold(a), fold(b))) or (
        right and len(b) <= _INITIALS and _shortens(fold(b), fold(a))
    ):
        return perhaps(0.4, "short for something else as often")
    if "(" not in a and "(" not in b:
        return None
    x, y = _without_alias(a, about), _without_alias(b, about)
    return inner(x, y, about) if (x, y) != (a, b) else None


def _entries(text: str, about: About) -> frozenset[int]:
    """The entries that a text names, of those for such an argument."""
    found = aliases().get(fold(text).removeprefix("the "))
    if found is None or text in _UNLIKE_FORMULAS:
        return frozenset()
    name = about.name - _LOOSE if len(text) <= _SHORT and not text.isupper() else about.name
    return frozenset(entry for entry, arguments in found if not arguments.isdisjoint(name))


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
