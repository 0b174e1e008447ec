"""Countries by name and by code."""

from __future__ import annotations

from typing import Any, Final

from ..fields import Inner
from ..spelling import fold
from ..tables import countries
from ..verdict import About, Verdict, differs, same

ORDER = 30
_NAMES: Final = frozenset({"country", "countries", "nation", "nationality", "citizenship", "territory"})
_SHORTEST: Final = 4
"""Letters of a name that is surely one where nothing says so: not a code."""


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are countries."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    left, right = fold(a), fold(b)
    if not claimed and (len(left) < _SHORTEST or len(right) < _SHORTEST):
        return None
    x, y = countries().get(left), countries().get(right)
    if x is None or y is None:
        return None
    if x == y:
        return same("the same country")
    # England is no name of the United Kingdom, but many write it for one.
    return differs("a country against a part of it", 0.3) if x[:2] == y[:2] else differs("other countries")
