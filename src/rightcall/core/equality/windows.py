"""Values that are the same but for their numbers, found by one of these: who is within a tolerance of whom."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Final

from ..options import Setting
from ..paths import join
from .numbers import is_number

__all__ = ["near_by_a_number"]

_DOUBT: Final = 1e-9
"""By how much a window is wider than the tolerance, as a share: it may show too much, never too little."""


def near_by_a_number(
    wanted: Sequence[tuple[int, Any]], tolerance: Setting, path: str = ""
) -> Callable[[Any], list[int]]:
    """How expected values are found that may be the same as an actual one.

    Args:
        wanted: (place, value); all of one outline, so that their numbers stand at the same paths.
        tolerance: what holds for numbers.
        path: where the values stand.

    Returns:
        gives for an actual value of the same outline the places, in their order, that its most telling number allows;
        all of them where no number tells.
    """
    everything = [place for place, _ in wanted]
    columns = list(zip(*(_numbers(value, path) for _, value in wanted), strict=False))
    told = [(len({number for _, number in column}), slot) for slot, column in enumerate(columns)]
    most, slot = max(told, default=(0, 0), key=lambda each: (each[0], -each[1]))
    windows = None if most < 2 else _windows(columns[slot], tolerance)
    if windows is None:
        return lambda _: everything
    order, lows, highs = windows
    places = [everything[index] for index in order]

    def find(value: Any) -> list[int]:
        number = _float(
            next((made for at, (_, made) in enumerate(_numbers(value, path)) if at == slot), None)
        )
        if number is None:
            return everything
        return sorted(places[bisect_left(highs, number) : bisect_right(lows, number)])

    return find


def _windows(
    column: Sequence[tuple[str, Any]], tolerance: Setting
) -> tuple[list[int], list[float], list[float]] | None:
    """The values in their order, and the lower and upper end of what each may take; None where floats can't say."""
    ends: list[tuple[float, float, float, int]] = []
    for index, (path, number) in enumerate(column):
        value, allowed = _float(number), tolerance.at(path)
        if value is None:
            return None
        limit = 0.0 if allowed is None else float(allowed.value) * (abs(value) if allowed.relative else 1.0)
        limit += _DOUBT * (abs(value) + limit)
        if not math.isfinite(value + limit) or not math.isfinite(value - limit):
            return None
        ends.append((value, value - limit, value + limit, index))
    ends.sort()
    # Made to ascend, as a search needs it; that can only widen them.
    lows = list(accumulate((low for _, low, _, _ in reversed(ends)), min))[::-1]
    highs = list(accumulate((high for _, _, high, _ in ends), max))
    return [index for *_, index in ends], lows, highs


def _float(number: Any) -> float | None:
    try:
        value = float(number)
    except (OverflowError, TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def _numbers(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The numbers of a value with their paths, in one order for all values of an outline."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _numbers(value[key], join(path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _numbers(item, join(path, index))
    elif is_number(value):
        yield path, value
