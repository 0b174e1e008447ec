"""Lists in order, some of whose expected elements may be left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..matcher import Matcher, Same

__all__ = ["fits_in_order"]


def fits_in_order(expected: Sequence[Any], actual: Sequence[Any], same: Same) -> bool:
    """Whether the actual elements are the expected ones in their order, but for some that may be left out.

    Takes at most as many comparisons as there are pairs of elements whose distance the left-out ones can make up.
    """
    at = {0}  # how many actual elements those so far can stand for
    for item in expected:
        reached = {place + 1 for place in at if place < len(actual) and same(item, actual[place])}
        at = reached | at if isinstance(item, Matcher) and item.optional else reached
        if not at:
            return False
    return len(actual) in at
