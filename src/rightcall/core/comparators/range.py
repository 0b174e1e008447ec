"""$range: a number between two others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..equality.numbers import is_number, order
from ..jsonvalue import is_finite, show
from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, under, wrong

DECLARATION = MatcherDeclaration(
    id="range",
    meaning="a number from the first to the second, both included; null leaves an end open",
    schema={"type": "array", "items": {"type": ["number", "null"]}, "minItems": 2, "maxItems": 2},
    example={"$range": [1, 10]},
    accepts=(1, 5.5, 10),
    refuses=(0.99, 11, "5", True, None),
)


class Range(Matcher):
    """Takes numbers between its ends."""

    __slots__ = ("high", "low")

    def __init__(self, low: Any, high: Any) -> None:
        self.low = low
        self.high = high

    def accepts(self, actual: Any, same: Same) -> bool:
        if not is_number(actual) or actual != actual:  # noqa: PLR0124 - NaN, which lies nowhere
            return False
        above = self.low is None or order(self.low, actual) in (-1, 0)
        return above and (self.high is None or order(actual, self.high) in (-1, 0))

    def words(self) -> str:
        if self.low is None or self.high is None:
            end, bound = ("at least", self.low) if self.high is None else ("at most", self.high)
            return "any number" if bound is None else f"a number of {end} {show(bound)}"
        return f"a number from {show(self.low)} to {show(self.high)}"

    def as_json(self) -> Any:
        return {"$range": [self.low, self.high]}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Range:
    """From ``{"$range": [lo, hi]}``."""
    ends = fields["$range"]
    if not isinstance(ends, list | tuple) or len(ends) != 2:
        raise wrong("range", "takes a list of two ends", place)
    low, high = (parsing.inner(end, under(place, "$range", index)) for index, end in enumerate(ends))
    if any(end is not None and not is_number(end) for end in (low, high)):
        raise wrong("range", "takes numbers or null as its ends", place)
    if any(end != end for end in (low, high)):  # noqa: PLR0124 - NaN
        raise wrong("range", "can't end at NaN", place)
    # Infinity on its own side says the same as an open end, and is no JSON.
    low = None if low == -math.inf else low
    high = None if high == math.inf else high
    if not (is_finite(low) and is_finite(high)):
        raise wrong("range", "has nothing in it: an end is infinite on the wrong side", place)
    if low is not None and high is not None and order(low, high) not in (-1, 0):
        raise wrong("range", f"goes from {show(low)} down to {show(high)}: nothing lies in it", place)
    return Range(low, high)
