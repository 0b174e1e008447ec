"""Shares: ``50%``, ``50 percent``, ``0.5``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Final

from ..fields import Inner
from ..numerals import numbers_of
from ..spelling import listed
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 40
_NAMES: Final = listed(
    """
    percent percentage pct discount rate share ratio probability tip
    """
)
_LONGEST: Final = 80
_SIGN: Final = re.compile(r"(.+?)\s*(?:%|\b(?:per ?cent|percentage|pct)\b\.?)\Z", re.IGNORECASE)


def claims(about: About) -> bool:
    """The name speaks of a share."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are in percent; says how likely where one is a bare number."""
    left, right = _percent(a), _percent(b)
    if left is None and right is None:
        return None
    if left is not None and right is not None:
        return same("the same percentage") if left == right else differs("other percentages")
    said, bare = (left, numbers_of(b)) if left is not None else (right, numbers_of(a))
    if said is None or not bare:
        return None
    if abs(said) <= 1 and (bare[0] == said or bare[0] * 100 == said):
        return perhaps(0.6, "a percentage and a number that may be a share or percent")
    if bare[0] == said:
        return perhaps(0.9, "the same number with and without a percent sign")
    if bare[0] * 100 == said:
        return perhaps(0.9, "a share and its percentage")
    return differs("other shares")


def _percent(value: Any) -> Fraction | None:
    text = value.strip() if isinstance(value, str) else ""
    if len(text) > _LONGEST:
        return None
    bracketed = text[:1] == "(" and text[-1:] == ")"  # how accountants write negative numbers
    found = _SIGN.match(text.strip("()") if bracketed else text)
    numbers = numbers_of(found[1]) if found else ()
    if not numbers:
        return None
    return -numbers[0] if bracketed else numbers[0]
