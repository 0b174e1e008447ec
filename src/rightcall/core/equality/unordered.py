"""Lists without order: which element stands for which, found by value where that is sure, else compared one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..jsonvalue import canonical_key, same_value
from ..match import maximum_matching
from ..matcher import Matcher, Same
from ..options import Tolerance
from .numbers import is_number, order, within

__all__ = ["MOST_PAIRS", "TooManyPairsError", "fits_in_any_order", "partners", "partners_of_numbers"]

MOST_PAIRS: Final = 1_000_000
"""Pairs of elements of one list that are held against each other: some seconds."""


class TooManyPairsError(Exception):
    """More than :data:`MOST_PAIRS`; the caller says of what."""


def fits_in_any_order(expected: Sequence[Any], actual: Sequence[Any], same: Same) -> bool:
    """Whether every actual element, and every expected one that may not be left out, has a partner of its own.

    Raises:
        TooManyPairsError: it takes too many comparisons to say.
    """
    free = sum(1 for item in expected if isinstance(item, Matcher) and item.optional)
    if not len(expected) - free <= len(actual) <= len(expected):
        return False
    wanted, made, plain = _without_equals(expected, actual)
    if not wanted and not made:
        return True
    if same.exact and plain:
        return False  # a plain value equals nothing but its equals, and these are taken
    if _covered(wanted, made, same):
        return True
    # Under options an element may have to leave its equal to another: all are looked at again.
    return not same.exact and len(wanted) < len(expected) and _covered(expected, actual, same)


def _without_equals(expected: Sequence[Any], actual: Sequence[Any]) -> tuple[list[Any], list[Any], bool]:
    """What is left once equal plain elements are taken out in pairs; whether a plain expected one is among it.

    Where plain values are compared as they stand this loses no pairing: a plain element fits its equals alone, and
    whoever else takes one of these takes any of them.
    """
    where: dict[bytes, list[int]] = {}
    for index, made in enumerate(actual):
        where.setdefault(canonical_key(made), []).append(index)
    rest: list[Any] = []
    plain = False
    taken: set[int] = set()
    for item in expected:
        held = _holds_matcher(item)
        found = None if held else where.get(canonical_key(item))
        if found:
            taken.add(found.pop())
        else:
            rest.append(item)
            plain = plain or not held
    return rest, [made for index, made in enumerate(actual) if index not in taken], plain


def _covered(expected: Sequence[Any], actual: Sequence[Any], same: Same) -> bool:
    """Whether a pairing takes in all actual elements, and all expected ones that may not be left out.

    If one pairing takes in the former and another the latter, there is one that does both (Mendelsohn and Dulmage).
    """
    if len(expected) * len(actual) > MOST_PAIRS:
        raise TooManyPairsError(
            f"{len(expected)} elements to hold against {len(actual)} are too many (at most {MOST_PAIRS} pairs)"
        )
    edges = [[index for index, made in enumerate(actual) if same(item, made)] for item in expected]
    if len(maximum_matching(edges, len(actual))) < len(actual):
        return False
    must = [
        row
        for row, item in zip(edges, expected, strict=True)
        if not (isinstance(item, Matcher) and item.optional)
    ]
    return len(must) == len(expected) or len(maximum_matching(must, len(actual))) == len(must)


def partners(size: int, near: Sequence[Sequence[int]], close: Callable[[int, int], bool]) -> dict[int, int]:
    """Which element stands for which, by the positions of a largest pairing.

    Args:
        size: how many actual elements there are.
        near: for each expected element the actual ones that may be the same.
        close: whether those at two positions are the same.

    Raises:
        TooManyPairsError: it takes too many comparisons to say.
    """
    if sum(map(len, near)) > MOST_PAIRS:
        raise TooManyPairsError(
            f"{len(near)} elements to hold against {size} are too many (at most {MOST_PAIRS} pairs)"
        )
    return maximum_matching([[j for j in places if close(i, j)] for i, places in enumerate(near)], size)


def partners_of_numbers(
    expected: Sequence[Any], actual: Sequence[Any], tolerance: Tolerance
) -> dict[int, int] | None:
    """A largest pairing of numbers under a tolerance, by their positions; None where it can't be found by order.

    The greater the expected number, the greater both ends of what it takes. So the least that is left goes with the
    least that it can go with, and no other choice does better.
    """
    if tolerance.relative and tolerance.value > 1:
        return None  # what -1 takes would then reach beyond what 1 takes
    if not all(is_number(item) and order(item, item) == 0 for item in (*expected, *actual)):
        return None
    wanted = sorted(range(len(expected)), key=expected.__getitem__)
    made = sorted(range(len(actual)), key=actual.__getitem__)
    found: dict[int, int] = {}
    i = j = 0
    while i < len(wanted) and j < len(made):
        left, right = expected[wanted[i]], actual[made[j]]
        if same_value(left, right) or within(left, right, tolerance):
            found[wanted[i]] = made[j]
            i, j = i + 1, j + 1
        elif order(right, left) == -1:
            j += 1
        else:
            i += 1
    return found


def _holds_matcher(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_matcher, value.values()))
    return any(map(_holds_matcher, value)) if isinstance(value, list) else isinstance(value, Matcher)
