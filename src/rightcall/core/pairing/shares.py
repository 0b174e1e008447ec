"""Pairs calls of one name by the share of right arguments, for the greatest total (`argument_accuracy`)."""

from __future__ import annotations

import math
from fractions import Fraction

from ...errors import EvaluatorError
from ..assign import TooManyStepsError, first_best
from ..match import best_assignment, maximum_matching
from ..results import Alignment, Pair
from .align import NameGroup, identity, pair_optimally, to_alignment
from .alignments import Alignments
from .slot_views import SlotAlignments

__all__ = ["by_arguments"]

RULE = "by_arguments"
MOST_PAIRS = 250_000
"""Combinations of unequal calls of one name: about ten seconds."""
FEW_PAIRS = 40_000
"""Up to this many the assignment is made in full rows; above, only calls that share something are looked at."""


def by_arguments(alignments: Alignments) -> tuple[Alignment, Fraction]:
    """The pairing by name of the greatest total share, and the total of calls that must be made, exact."""
    if alignments.identical:
        return identity(RULE, len(alignments.expected)), Fraction(len(alignments.expected))
    known: tuple[Alignment, Fraction] | None = alignments.memo.get(RULE)
    if known is None and isinstance(alignments, SlotAlignments):
        known = alignments.memo[RULE] = alignments.by_shares()
    if known is None:
        pairs: list[tuple[int, int, Fraction]] = []
        for group in alignments.groups().values():
            pairs += _pair_group(alignments, group)
        total = sum((share for _, _, share in pairs), Fraction(0))
        alignment = to_alignment(
            RULE,
            (Pair(actual, expected, float(share)) for actual, expected, share in pairs),
            alignments.actual_indexes,
            range(len(alignments.expected)),
        )
        known = alignments.memo[RULE] = alignment, total
    return known


def _pair_group(alignments: Alignments, group: NameGroup) -> list[tuple[int, int, Fraction]]:
    if not group.actual or not group.expected:
        return []
    pairs: list[tuple[int, int, Fraction]] = []
    actual, expected = group.actual, group.expected
    if group.transitive:
        # Pairing equal calls with each other first never lowers the total: one minus the share is a distance
        # (it obeys the triangle inequality), and equal calls are at distance 0.
        equal = [(a, e) for a, e, exact in pair_optimally(group) if exact]
        pairs = [(actual[a], expected[e], Fraction(1)) for a, e in equal]
        done_actual, done_expected = {a for a, _ in equal}, {e for _, e in equal}
        actual = [index for position, index in enumerate(actual) if position not in done_actual]
        expected = [index for position, index in enumerate(expected) if position not in done_expected]
    else:
        # Where everybody on the shorter side has an equal partner, no total is greater.
        found = maximum_matching(group.equal, len(expected))
        if len(found) == min(len(actual), len(expected)):
            return [(actual[a], expected[e], Fraction(1)) for a, e in found.items()]
    if len(actual) * len(expected) > MOST_PAIRS:
        name = alignments.expected_names[expected[0]]
        raise EvaluatorError(
            f"{len(actual)} unequal calls of {name} against {len(expected)} are too many to pair by their arguments",
            field="expected_tool_calls",
            hint=f"at most {MOST_PAIRS} combinations",
        )
    shares = [[Fraction(alignments.share(made, wanted)) for wanted in expected] for made in actual]
    # Whole numbers over one denominator are as exact as fractions, and many times as fast.
    scale = math.lcm(*(share.denominator for row in shares for share in row))
    weights = [[share.numerator * (scale // share.denominator) for share in row] for row in shares]
    for row, column in (
        best_assignment(weights) if len(actual) * len(expected) <= FEW_PAIRS else _sparsely(weights)
    ):
        pairs.append((actual[row], expected[column], shares[row][column]))
    return pairs


def _sparsely(weights: list[list[int]]) -> list[tuple[int, int]]:
    """As :func:`best_assignment`, in time that grows with the pairs that share something.

    Raises:
        EvaluatorError: it takes too long.
    """
    columns = len(weights[0])
    edges = [[(column, weight) for column, weight in enumerate(row) if weight] for row in weights]
    try:
        chosen = first_best(edges, [1] * columns)
    except TooManyStepsError:
        message = f"{len(weights)} calls against {columns} of one tool are too much alike to pair by their arguments"
        raise EvaluatorError(message, field="expected_tool_calls") from None
    taken = set(chosen)
    free = iter([column for column in range(columns) if column not in taken])
    pairs = ((row, next(free, -1) if column < 0 else column) for row, column in enumerate(chosen))
    return [(row, column) for row, column in pairs if column >= 0]
