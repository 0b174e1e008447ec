"""How an evaluator sees a case: as plain calls, with matchers, or with calls that may be left out or repeated.

Of several expected paths (contract 6) one is chosen here for the case, for every evaluator alike.
"""

from __future__ import annotations

from fractions import Fraction

from .equality.comparing import Comparing
from .explain import differences
from .pairing.alignments import Alignments
from .pairing.matched import MatchingAlignments
from .pairing.slot_views import SlotAlignments
from .pairing.slots import needs_slots
from .types import Case, Expectation

__all__ = ["view"]


def view(case: Case, comparing: Comparing, *, same: int | None = None) -> Alignments:
    """The calls of a case as they are seen under `comparing`."""
    expected = case.expected
    if expected is not None and expected.special:
        if expected.paths:
            path = _best_path(case, expected, comparing.shared or comparing)
            return SlotAlignments(case, comparing, expected.paths[path], path)
        if needs_slots(expected.calls or ()):
            return SlotAlignments(case, comparing, expected.calls or ())
        return MatchingAlignments(case, comparing)
    if comparing.matchers == "on":
        return MatchingAlignments(case, comparing)
    return Alignments(case, comparing, same=same)


def _best_path(case: Case, expected: Expectation, comparing: Comparing) -> int:
    """The path of the greatest optimal `tool_call_accuracy`, then of the fewest differences, then the first."""
    best: tuple[Fraction, int] | None = None
    chosen = 0
    for path, calls in enumerate(expected.paths):
        seen = SlotAlignments(case, comparing, calls, path)
        alignment = seen.optimal
        total = seen.accuracy(alignment) if seen.wanted or seen.actual_count else Fraction(1)
        if best is not None and total < best[0]:
            continue
        worth = (total, -len(differences(seen, alignment)))
        if best is None or worth > best:
            best, chosen = worth, path
    return chosen
