"""How an evaluator sees a case whose expected arguments hold matchers (contract 6).

Such cases are few, and what they need costs time, so they have a view of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..arguments import Given, Reading, read_arguments
from ..equality.compare import Comparer
from ..equality.comparing import Comparing
from ..matcher import holds_matcher, parse_expected
from ..results import Alignment
from ..types import Case, ExpectedCall
from .alignments import Alignments

__all__ = ["MatchingAlignments"]


class MatchingAlignments(Alignments):
    """The view of a case with matchers.

    Args:
        case: the case.
        comparing: how its calls are seen.
        fields: where each expected call was written, for errors; in its own place where not given.

    Raises:
        ExpectationError: a matcher that can't be.
    """

    __slots__ = ("_fields",)

    def __init__(self, case: Case, comparing: Comparing, *, fields: tuple[str, ...] | None = None) -> None:
        self._fields = fields
        # What is the same bytes need not match: {"$not": 1} does not take {"$not": 1}.
        super().__init__(case, comparing, same=0)
        # A matcher that can't be is the case's fault, whatever the agent did and whichever evaluator asks (contract 3).
        # Evaluators that compare no arguments have no option `matchers`; what holds for all says whether there are any.
        there_are = (comparing.shared or comparing).matchers != "off"
        for index in range(len(self.expected)):
            if there_are and self.matches(index):
                self.expected_reading(index)

    def comparer(self, expected: int) -> Comparer:
        """How arguments are compared with this expected call."""
        if not self.matches(expected):
            return super().comparer(expected)
        call = self.expected[expected]
        return self.comparer_for(self.expected_names[expected], call.options, expected, matching=True)

    def matches(self, expected: int) -> bool:
        """Whether the arguments of an expected call hold matchers."""
        call = self.expected[expected]
        if self.comparing.matchers == "auto" or call.accepted is not None:
            return call.matching
        if self.comparing.matchers == "off":
            return False
        key = ("matches", expected)
        known: bool | None = self.memo.get(key)
        if known is None:
            written = _written(call)
            known = self.memo[key] = written is not None and holds_matcher(written)
        return known

    def expected_reading(self, expected: int) -> Reading:
        """The decoded arguments of an expected call, its matchers made.

        Raises:
            ExpectationError: unreadable arguments, or a matcher that can't be.
        """
        known: Reading | None = self.memo.get(~expected)
        if known is not None or not self.matches(expected):
            return super().expected_reading(expected)
        call = self.expected[expected]
        written = _written(call)
        place = self.field(expected) + ".arguments"
        comparing = self.comparing
        value = parse_expected(written or {}, place, validate=comparing.validate, means=comparing.means)
        known = self.memo[~expected] = Reading(value=value)
        return known

    def field(self, expected: int) -> str:
        """Where an expected call was written."""
        return f"expected_tool_calls[{expected}]" if self._fields is None else self._fields[expected]

    def _pair_few(self, rule: str) -> Alignment:
        return self._pair(rule)

    def equal(self, actual: int, expected: int) -> bool:
        """Whether two calls of one name have the same arguments."""
        return self._equal(actual, expected)


def _written(call: ExpectedCall) -> Mapping[str, Any] | None:
    """The arguments of an expected call as an object, matchers and foreign objects still in it."""
    if isinstance(call.raw, Given) and isinstance(call.raw.value, Mapping):
        return call.raw.value
    return read_arguments(call.raw).value
