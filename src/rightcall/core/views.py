"""How an evaluator sees a case: as plain calls, with matchers, or with calls that may be left out or repeated.

Of several whole paths (contract 6) each evaluator takes the one that is best by its own score; here they are put in the
order in which they fit the case, which decides between equal ones.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from msgspec.structs import replace

from .equality.comparing import Comparing
from .explain import differences
from .pairing.alignments import Alignments
from .pairing.matched import MatchingAlignments
from .pairing.slot_views import SlotAlignments
from .pairing.slots import needs_slots
from .types import Case

__all__ = ["path_views", "view", "with_path"]


def view(case: Case, comparing: Comparing, *, same: int | None = None) -> Alignments:
    """The calls of a case as they are seen under `comparing`; of several paths with the one that fits best."""
    expected = case.expected
    if expected is not None and expected.special:
        if expected.paths and expected.path is None:
            return path_views(case, comparing)[0]
        if expected.path is not None or needs_slots(expected.calls or ()):
            return SlotAlignments(case, comparing, expected.calls or (), expected.path)
        return MatchingAlignments(case, comparing)
    if comparing.matchers == "on":
        return MatchingAlignments(case, comparing)
    return Alignments(case, comparing, same=same)


def with_path(case: Case, path: int | None) -> Case:
    """A case of several paths with one of them taken; any other, or None, leaves it as it is."""
    expected = case.expected
    if path is None or expected is None or not expected.paths:
        return case
    return replace(case, expected=replace(expected, calls=expected.paths[path], path=path))


def path_views(case: Case, comparing: Comparing) -> list[Alignments]:
    """A case of several paths as it is seen with each of them taken; the case of each view names its path.

    First comes that of the greatest optimal `tool_call_accuracy` under the options for all evaluators, then of the fewest
    differences, then the first that was written.

    Raises:
        ExpectationError: one of the paths holds a matcher that can't be.
    """
    paths = len(case.expected.paths) if case.expected is not None else 0
    taken = [with_path(case, path) for path in range(paths)]
    views = [view(each, comparing) for each in taken]
    ranked = views if comparing.shared is None else [view(each, comparing.shared) for each in taken]
    totals = [_total(seen) for seen in ranked]
    # Differences take their time, so they are counted where totals are equal.
    ties = Counter(totals)
    fit = [
        (total, -len(differences(seen, seen.optimal)) if ties[total] > 1 else 0)
        for seen, total in zip(ranked, totals, strict=True)
    ]
    return [views[path] for path in sorted(range(paths), key=lambda path: fit[path], reverse=True)]


def _total(seen: Alignments) -> Fraction:
    """The optimal `tool_call_accuracy` of a view of places."""
    if isinstance(seen, SlotAlignments) and (seen.wanted or seen.actual_count):
        return seen.accuracy(seen.optimal)
    return Fraction(1)
