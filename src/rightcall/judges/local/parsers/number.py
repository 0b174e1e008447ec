"""Numbers in digits and in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from ....core.equality.numbers import is_number
from ..fields import Inner
from ..numerals import numbers_of
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 60
_NOISE: Final = Fraction(1, 10**12)
"""Differences of floats that were computed: 0.1 + 0.2. Whole numbers are exact: 9007199254740993 is no noise."""


def claims(about: About) -> bool:
    """The schema says number or integer."""
    return about.type in {"number", "integer"}


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both spell numbers."""
    left, right = numbers_of(a), numbers_of(b)
    if not left or not right:
        return None
    if not claimed and (_keeps_zeros(a) or _keeps_zeros(b)):
        return None  # 007 is an id
    if left[0] == right[0]:
        return same("the same number, written otherwise")
    if is_number(a) and is_number(b):
        whole = isinstance(a, int) and isinstance(b, int)
        close = not whole and abs(left[0] - right[0]) <= _NOISE * max(abs(left[0]), abs(right[0]))
        return same("the same number but for noise") if close else differs("other numbers")
    if set(left) & set(right):
        return perhaps(0.6, "the same number if points and commas are read as on the continent")
    return differs("other numbers")


def _keeps_zeros(value: Any) -> bool:
    return isinstance(value, str) and len(value) > 1 and value[0] == "0" and value.isdigit()
