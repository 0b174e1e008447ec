"""Pairs calls of one name by the share of right arguments, for the greatest total (`argument_accuracy`)."""

from __future__ import annotations

import math
from fractions import Fraction

from ..errors import EvaluatorError
from .align import NameGroup, identity, pair_optimally, to_alignment
from .alignments import Alignments
from .match import best_assignment
from .results import Alignment, Pair
from .slot_views import SlotAlignments

__all__ = ["by_arguments"]

RULE = "by_arguments"
MOST_PAIRS = 40_000
"""Combinations of unequal calls of one name; the assignment takes the cube of its side in steps."""


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
    if len(actual) * len(expected) > MOST_PAIRS:
        name = alignments.expected_names[expected[0]]
        raise EvaluatorError(
            f"{len(actual)} unequal calls of {name} against {len(expected)} are too many to pair by their arguments",
            hint=f"at most {MOST_PAIRS} combinations",
        )
    shares = [[Fraction(alignments.share(made, wanted)) for wanted in expected] for made in actual]
    # Whole numbers over one denominator are as exact as fractions, and many times as fast.
    scale = math.lcm(*(share.denominator for row in shares for share in row))
    weights = [[share.numerator * (scale // share.denominator) for share in row] for row in shares]
    for row, column in best_assignment(weights):
        pairs.append((actual[row], expected[column], shares[row][column]))
    return pairs
