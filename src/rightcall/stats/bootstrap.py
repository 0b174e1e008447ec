"""The BCa bootstrap of a mean, over distinct scores with their counts: seeded, order-free, exact in its sums.

Source of the rule: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987) 171-185; Efron and
Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 14.
"""

from __future__ import annotations

import math
import random
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from statistics import NormalDist
from typing import Final

import msgspec

LEVEL: Final = 0.95

# Scores are resampled as whole steps of a grid from the lowest to the highest: sums of integers do not
# depend on the order, and no two platforms or Python versions can differ in them. A step is 3e-11 of the
# range. The grid can be divided by 1..16 and by 1,000, so the usual scores (thirds, eighths, hundredths)
# are whole steps and the ends come out as 0.5, not as 0.50000000001.
_DIGIT_BITS: Final = 7
_DIGITS: Final = 5
_GRID: Final = 720_720_000 * 47  # the largest such number below 2 ** 35, which is five digits of seven bits

_BYTE: Final = 256
# The lower half of Adler-32 begun at 0 is the sum of the bytes modulo 65521; so many bytes cannot reach that.
_ADLER_LIMIT: Final = 65_520 // (2**_DIGIT_BITS - 1)


def bca_interval(counts: Mapping[float, int], *, seed: int, resamples: int) -> tuple[float, float]:
    """The 95 % BCa interval (low, high) of the mean, from `resamples` seeded multinomial draws.

    The ends are order statistics of the resampled means (not interpolated), so they are means that
    really occurred and the last bit of a normal quantile does not show in them. They are never outside
    the range of the scores.

    Args:
        counts: At least two distinct finite scores, each with how often it occurred (one or more).
        seed: Start of the random numbers; equal seeds and counts give equal intervals.
        resamples: How many means are drawn, at least 1.

    Raises:
        ValueError: fewer than two distinct scores, a count below 1, or no resamples.
    """
    return bootstrapped(counts, seed=seed, resamples=resamples).interval()


def bootstrapped(counts: Mapping[float, int], *, seed: int, resamples: int) -> Bootstrapped:
    """The resampled means themselves; arguments and errors are those of :func:`bca_interval`."""
    if len(counts) < 2 or min(counts.values()) < 1 or resamples < 1:
        raise ValueError("a bootstrap needs two distinct scores, counts of 1 or more and a resample")
    scores = sorted(counts)
    weights = [counts[score] for score in scores]
    steps = _to_grid(scores)
    rng = random.Random(seed)  # noqa: S311 - repeatable on purpose, no secret
    sums = sorted(resampled_sums(steps, weights, resamples, rng))
    start = Fraction(scores[0])
    step = (Fraction(scores[-1]) - start) / (_GRID * sum(weights))
    return Bootstrapped(sums=sums, start=start, step=step, bca=_bca(sums, steps, weights))


class Bca(msgspec.Struct, frozen=True, kw_only=True):
    """Which of the sorted resampled values are the ends of an interval, by the BCa method.

    Attributes:
        drawn: how many values there are.
        bias, acceleration: the two corrections, as Efron calls them (z0 and a).
    """

    drawn: int
    bias: float
    acceleration: float

    def ranks(self, level: float = LEVEL) -> tuple[int, int]:
        """The places of the two ends, from 0."""
        z = NormalDist().inv_cdf((1.0 + level) / 2.0)
        # Each tail is counted from its own side and rounded outwards.
        first = math.floor(NormalDist().cdf(self._adjusted(-z)) * (self.drawn + 1))
        last = self.drawn + 1 - math.floor(NormalDist().cdf(-self._adjusted(z)) * (self.drawn + 1))
        return min(max(first, 1), self.drawn) - 1, min(max(last, 1), self.drawn) - 1

    def _adjusted(self, z: float) -> float:
        # For a mean |acceleration| < 1/6 and |bias + z| < 6 up to millions of resamples: no division by zero.
        return self.bias + (self.bias + z) / (1.0 - self.acceleration * (self.bias + z))

    def p_below(self, below: int) -> float:
        """The smallest 1 - level at which the upper end is one of the `below` lowest values.

        This turns :meth:`ranks` round: below 0.05 exactly where the 95 % interval ends among them.
        """
        if below < 1:
            return 1.0
        wanted = -NormalDist().inv_cdf((self.drawn + 1 - below) / (self.drawn + 1)) - self.bias
        return self._two_sided(wanted / (1.0 + self.acceleration * wanted) - self.bias)

    def p_above(self, above: int) -> float:
        """The smallest 1 - level at which the lower end is one of the `above` highest values."""
        if above < 1:
            return 1.0
        wanted = NormalDist().inv_cdf((self.drawn + 1 - above) / (self.drawn + 1)) - self.bias
        return self._two_sided(-(wanted / (1.0 + self.acceleration * wanted) - self.bias))

    @staticmethod
    def _two_sided(z: float) -> float:
        return min(1.0, 2.0 * NormalDist().cdf(-z))


class Bootstrapped(msgspec.Struct, frozen=True, kw_only=True):
    """The resampled sums, sorted, as whole steps; a mean is ``start + step * sum``."""

    sums: Sequence[int]
    start: Fraction
    step: Fraction
    bca: Bca

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The ends (low, high)."""
        first, last = self.bca.ranks(level)
        return float(self.start + self.step * self.sums[first]), float(
            self.start + self.step * self.sums[last]
        )

    def p_below(self, limit: float) -> float:
        """The smallest 1 - level at which the whole interval lies below `limit`."""
        return self.bca.p_below(bisect_left(self.sums, self._at(limit)))

    def p_above(self, limit: float) -> float:
        """The smallest 1 - level at which the whole interval lies above `limit`."""
        return self.bca.p_above(len(self.sums) - bisect_right(self.sums, self._at(limit)))

    def _at(self, limit: float) -> Fraction:
        return (Fraction(limit) - self.start) / self.step


def _to_grid(scores: Sequence[float]) -> list[int]:
    """Each of the sorted scores as the nearest whole step, 0 for the lowest and _GRID for the highest."""
    ratios = [score.as_integer_ratio() for score in scores]
    common = math.lcm(*(denominator for _, denominator in ratios))
    exact = [numerator * (common // denominator) for numerator, denominator in ratios]
    span = exact[-1] - exact[0]
    return [(2 * (value - exact[0]) * _GRID + span) // (2 * span) for value in exact]


def _bca(sums: Sequence[int], steps: Sequence[int], weights: Sequence[int]) -> Bca:
    """The corrections, from the sorted `sums` and what they were drawn from."""
    n = sum(weights)
    observed = sum(map(int.__mul__, steps, weights))
    # Equal sums count half, as is usual for discrete statistics. Two sums whose difference the rounding to
    # the grid can explain (half a step for each score) are equal: 1/3 + 1/3 + 1/3 is 1 + 0 + 0.
    bias = bias_of(bisect_left(sums, observed - n), bisect_right(sums, observed + n), len(sums))
    # Leaving one score x out moves the mean by (mean - x) / (n - 1); the factor cancels in the skewness.
    moves = [n * step - observed for step in steps]
    squares = float(sum(weight * move**2 for weight, move in zip(weights, moves, strict=True)))
    cubes = float(sum(weight * move**3 for weight, move in zip(weights, moves, strict=True)))
    return Bca(drawn=len(sums), bias=bias, acceleration=cubes / (6.0 * squares * math.sqrt(squares)))


def bias_of(below: int, not_above: int, drawn: int) -> float:
    """Efron's z0: how far the resampled values lie to one side of the observed one."""
    share = (below + not_above) / (2 * drawn)
    return NormalDist().inv_cdf(min(max(share, 0.5 / drawn), 1.0 - 0.5 / drawn))


def resampled_sums(
    values: Sequence[int], weights: Sequence[int], resamples: int, rng: random.Random
) -> list[int]:
    """`resamples` sums of n = sum(weights) draws, each draw `values[i]` with probability weights[i] / n.

    The n draws are split over groups of values by exact binomials; inside a group they are equally likely
    units. Few distinct values are a group each, so nothing is drawn one by one; many are cut into groups
    that one random byte can address.
    """
    n = sum(weights)
    blocks = -(-n // _BYTE)
    groups: list[tuple[int, Sequence[int]]]
    if len(values) <= 3 * blocks:  # measured: a block costs about three binomials
        groups = [(weight, [value]) for value, weight in zip(values, weights, strict=True)]
    else:
        units = [value for value, weight in zip(values, weights, strict=True) for _ in range(weight)]
        cuts = [n * block // blocks for block in range(blocks + 1)]
        groups = [(end - start, units[start:end]) for start, end in pairwise(cuts)]
    sums, to_draw, left = [0] * resamples, [n] * resamples, n
    for weight, members in groups:
        draws = [_binomial(trials, weight, left, rng) for trials in to_draw]
        parts = _sums_of_draws(members, draws, rng)
        sums = list(map(int.__add__, sums, parts))
        to_draw = list(map(int.__sub__, to_draw, draws))
        left -= weight
    return sums


def _binomial(trials: int, numerator: int, denominator: int, rng: random.Random) -> int:
    """An exact binomial draw with probability numerator / denominator, without a float.

    Every trial compares a uniform number with the probability, binary digit by digit, all trials at once:
    a random bit each, counted in C. Those whose digit differs are decided, about half are left each time.
    """
    if numerator == denominator:
        return trials
    successes = 0
    while trials and numerator:
        numerator *= 2
        zeros = rng.getrandbits(trials).bit_count()
        if numerator >= denominator:
            numerator -= denominator
            successes += zeros
            trials -= zeros
        else:
            trials = zeros
    return successes


def _sums_of_draws(members: Sequence[int], draws: Sequence[int], rng: random.Random) -> list[int]:
    """For each number of draws, the sum of so many equally likely `members` (at most 256 of them).

    A Python-level loop over two million draws would take a quarter of a second. Here a draw is a byte, and
    the values' base-128 digits are looked up (`bytes.translate`) and added (Adler-32) in C, one by one.
    """
    if len(members) == 1:
        return [members[0] * count for count in draws]
    stream = _uniform_bytes(len(members), sum(draws), rng)
    add: Callable[[bytes], int] = _byte_sum if max(draws) <= _ADLER_LIMIT else sum
    bounds = list(pairwise(accumulate(draws, initial=0)))
    totals = [0] * len(draws)
    top = max(_DIGITS - 1, (max(members).bit_length() - 1) // _DIGIT_BITS)
    for shift in range(_DIGIT_BITS * top, -1, -_DIGIT_BITS):
        digits = [value >> shift & 2**_DIGIT_BITS - 1 for value in members]
        looked_up = stream.translate(bytes(digits[byte % len(digits)] for byte in range(_BYTE)))
        totals = [
            (total << _DIGIT_BITS) + add(looked_up[start:end])
            for total, (start, end) in zip(totals, bounds, strict=True)
        ]
    return totals


def _byte_sum(data: bytes) -> int:
    return zlib.adler32(data, 0) & 0xFFFF


def _uniform_bytes(size: int, length: int, rng: random.Random) -> bytes:
    """At least `length` independent bytes that are uniform modulo `size` (at most 256)."""
    usable = _BYTE - _BYTE % size
    refused = bytes(range(usable, _BYTE))
    stream = b""
    while len(stream) < length:
        missing = length - len(stream)
        stream += rng.randbytes(missing * _BYTE // usable + 64).translate(None, refused)
    return stream
