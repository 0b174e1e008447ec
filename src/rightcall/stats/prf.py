"""Precision, recall and F1 from counts; micro is the counts summed first, macro the mean of the values."""

import math
from collections.abc import Mapping
from fractions import Fraction

import msgspec


class PrecisionRecall(msgspec.Struct, frozen=True, kw_only=True):
    """Three counts and the ratios they give, each in 0..1; None is "undefined", which is not 0."""

    true_positives: int
    false_positives: int
    false_negatives: int
    precision: float | None
    recall: float | None
    f1: float | None


def precision_recall(tp: int, fp: int, fn: int) -> PrecisionRecall:
    """The ratios of three counts.

    Precision tp / (tp + fp) is None when nothing was predicted, recall tp / (tp + fn) when nothing was
    expected, F1 = 2 tp / (2 tp + fp + fn) when neither was. F1 is taken from the counts, so it is 0, and
    defined, where one of the other two is undefined but something was missed or made up.

    Raises:
        ValueError: a count is negative.
    """
    if min(tp, fp, fn) < 0:
        raise ValueError(f"counts must not be negative, got tp={tp}, fp={fp}, fn={fn}")
    return PrecisionRecall(
        true_positives=tp,
        false_positives=fp,
        false_negatives=fn,
        precision=_ratio(tp, tp + fp),
        recall=_ratio(tp, tp + fn),
        f1=_ratio(2 * tp, 2 * tp + fp + fn),
    )


def macro(values: Mapping[float, int]) -> float | None:
    """The mean of the cases' defined values; None when there are none.

    The sum is exact and rounded once, so the order and the splitting of `values` cannot show.

    Args:
        values: Each distinct value with the number of cases that have it.

    Raises:
        ValueError: a value is not finite, or a count is negative.
    """
    total, cases = Fraction(0), 0
    for value, count in values.items():
        if count < 0 or not math.isfinite(value):
            raise ValueError(f"macro needs finite values and counts of 0 or more, got {value} {count} times")
        total += Fraction(value) * count
        cases += count
    return float(total / cases) if cases else None


def _ratio(part: int, whole: int) -> float | None:
    # True division of integers rounds correctly, however large they are.
    return part / whole if whole else None
