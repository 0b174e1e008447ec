"""Pairs calls of one name by the share of right arguments, for the greatest total (`argument_accuracy`)."""

from __future__ import annotations

from fractions import Fraction

from .align import NameGroup, identity, pair_optimally, to_alignment
from .alignments import Alignments
from .match import best_assignment
from .results import Alignment, Pair

__all__ = ["by_arguments"]

RULE = "by_arguments"


def by_arguments(alignments: Alignments) -> tuple[Alignment, Fraction]:
    """The pairing by name of the greatest total share, and that total, exact."""
    if alignments.identical:
        return identity(RULE, len(alignments.expected)), Fraction(len(alignments.expected))
    known: tuple[Alignment, Fraction] | None = alignments.memo.get(RULE)
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
    weights = [[Fraction(alignments.share(made, wanted)) for wanted in expected] for made in actual]
    for row, column in best_assignment(weights):
        pairs.append((actual[row], expected[column], weights[row][column]))
    return pairs
