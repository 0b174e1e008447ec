"""Numbers held against each other, exactly: tolerances, order, and what is a number at all."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ..options import Tolerance

__all__ = ["Tolerance", "exact", "is_number", "order", "within"]


def within(expected: Any, actual: Any, tolerance: Tolerance) -> bool:
    """|expected − actual| ≤ t, boundary included, computed exactly on the shortest decimal forms."""
    clear = _clearly_within(expected, actual, tolerance)
    if clear is not None:
        return clear
    wanted, made, limit = exact(expected), exact(actual), exact(tolerance.value)
    if wanted is None or made is None or limit is None:
        return False
    if tolerance.relative:
        limit *= abs(wanted)
    return bool(abs(wanted - made) <= limit)


def _clearly_within(expected: Any, actual: Any, tolerance: Tolerance) -> bool | None:
    """The answer where floats leave no doubt about it; None near the boundary and for numbers they can't hold."""
    try:
        wanted, made, limit = float(expected), float(actual), float(tolerance.value)
    except (OverflowError, TypeError, ValueError):
        return None
    if tolerance.relative:
        limit *= abs(wanted)
    gap, doubt = abs(wanted - made), 1e-12 * (abs(wanted) + abs(made) + limit)
    if not doubt < math.inf:
        return None
    if gap > limit + doubt:
        return False
    return True if gap < limit - doubt else None


def exact(number: Any) -> Any:
    """The exact value of a number's shortest decimal form; None for NaN and infinity."""
    if isinstance(number, int):
        return Fraction(number)
    if not isinstance(number, (float, Decimal)):
        return None  # an exponent beyond every Decimal
    value = Decimal(repr(number)) if isinstance(number, float) else number
    if not value.is_finite() or abs(value.adjusted()) > 10_000:
        # An exponent of millions would be written out digit by digit; such numbers are only equal to themselves.
        return None
    return Fraction(value)


def is_number(value: Any) -> bool:
    """Whether a canonical value is a number; a boolean never is."""
    return not isinstance(value, (bool, str, dict, list)) and value is not None


def order(a: Any, b: Any) -> int | None:
    """-1, 0 or 1 as the canonical number `a` is less than, equal to or greater than `b`; None where neither is known."""
    try:
        return (a > b) - (a < b) if a == a and b == b else None  # noqa: PLR0124 - NaN is not itself
    except (TypeError, ArithmeticError):
        return None  # an exponent beyond every Decimal
