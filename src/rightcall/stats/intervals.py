"""Confidence intervals of a rate and of a mean, from exact counts and sums.

The choice of method is the contract's (section 8); the bootstrap itself is in `bootstrap`.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from statistics import NormalDist
from typing import Final, Literal

import msgspec

from rightcall.core.summing.sums import ClusterTotals
from rightcall.stats.bootstrap import LEVEL, bca_interval
from rightcall.stats.clusters import cluster_mean

SEED: Final = 20_231_117
RESAMPLES: Final = 2_000
BOOTSTRAP_LIMIT: Final = 1_000
"""The largest number of scores that is bootstrapped; above it the normal interval is used."""


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A two-sided interval in the unit of the scores, with the name of the method that made it."""

    low: float
    high: float
    method: Literal["bca", "normal", "wilson", "cluster-bca", "cluster-normal"]


def wilson(successes: int, n: int, *, confidence: float = 0.95) -> tuple[float, float] | None:
    """Wilson's score interval of a proportion, as (low, high) inside 0..1; None for n == 0.

    The lower end is exactly 0 when nothing succeeded and the upper exactly 1 when everything did.
    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    JASA 22 (1927) 209-212; without continuity correction.

    Args:
        successes: How many of the `n` trials succeeded.
        n: How many trials there were.
        confidence: The level, strictly between 0 and 1.

    Raises:
        ValueError: `successes` is outside 0..n, or `confidence` outside 0..1.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must be in 0..n, got {successes} of {n}")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must be strictly between 0 and 1, got {confidence}")
    if n == 0:
        return None
    z = NormalDist().inv_cdf((1.0 + confidence) / 2.0)
    rate = successes / n
    shrink = 1.0 + z * z / n
    centre = (rate + z * z / (2 * n)) / shrink
    half = z * math.sqrt(rate * (1.0 - rate) / n + z * z / (4 * n * n)) / shrink
    # At the ends the two terms cancel on paper but leave 1e-17 in floats; the ends are known, so say them.
    # The rate itself bounds the rest: on paper it is always inside, and rounding must not put it outside.
    low = 0.0 if successes == 0 else max(0.0, min(rate, centre - half))
    high = 1.0 if successes == n else min(1.0, max(rate, centre + half))
    return low, high


def mean_interval(
    n: int,
    total: Fraction,
    total_sq: Fraction,
    counts: Mapping[float, int] | None,
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    within: tuple[float, float] = (0.0, 1.0),
    clusters: ClusterTotals | None = None,
) -> Interval | None:
    """The 95 % interval of the mean of `n` scores; None where the scores cannot give one.

    The rule (contract, section 8), the first that holds:

    1. n < 2: None.
    2. `clusters` is given: seeded BCa bootstrap over whole clusters up to 1,000 of them, above that normal
       with the cluster-robust variance; None for one cluster, or where all have the same mean.
    3. One distinct score: None, also when it is 0 or 1 (the interval of the pass rate still says how far
       10 of 10 can be trusted).
    4. All scores are 0 or 1: Wilson.
    5. `counts` is given and n <= 1,000: seeded BCa bootstrap over the distinct scores with their counts.
    6. Otherwise: normal, mean +- 1.96 * sqrt(s^2 / n), s^2 exact from n, sum and sum of squares.

    The result depends on the arguments alone: not on the order of `counts`, on earlier calls or on hash
    seeds. With n > 1,000 it does not depend on whether `counts` was kept either, as long as every score
    is within `within`. The normal interval is cut there when the scores are inside; a BCa interval never leaves.

    Args:
        n: How many scores there are.
        total: Their exact sum.
        total_sq: The exact sum of their squares.
        counts: Each distinct score with the number of times it occurred, or None if that was not kept.
        seed, resamples: Start of the bootstrap's random numbers, and how many means it draws.
        within: The limits that the scores keep, 0..1 for scores (contract, section 4). Without `counts`, scores
            of 0 and 1 alone are told by sum == sum of squares, which is proof only for scores inside 0..1.
        clusters: every score in a cluster, where some share one; None where each stands alone.

    Raises:
        ValueError: a count is negative, the counts do not add up to `n`, a score is not finite, no
            distribution of n scores has these sums, or `resamples` is below 1.
    """
    if n < 0 or total_sq < 0 or n * total_sq < total * total:
        raise ValueError(f"no {n} scores have the sum {total} and the sum of squares {total_sq}")
    kept = None if counts is None else _checked(counts, n)
    if n < 2:
        return None
    if clusters is not None:
        return _clustered(clusters, float(total / n), seed, resamples, within)
    if n * total_sq == total * total if kept is None else len(kept) == 1:
        return None
    if _all_zero_or_one(n, total, total_sq, kept, within):
        ends = wilson(int(total) if kept is None else kept.get(1.0, 0), n, confidence=LEVEL)
        return None if ends is None else Interval(low=ends[0], high=ends[1], method="wilson")
    if kept is not None and n <= BOOTSTRAP_LIMIT:
        low, high = bca_interval(kept, seed=seed, resamples=resamples)
        # The mean is inside on paper; it is rounded apart from the ends, so keep it inside in floats.
        mean = float(total / n)
        return Interval(low=min(low, mean), high=max(high, mean), method="bca")
    return _normal(n, total, total_sq, kept, within)


def _clustered(
    clusters: ClusterTotals, mean: float, seed: int, resamples: int, within: tuple[float, float]
) -> Interval | None:
    found = cluster_mean(clusters, seed=seed, resamples=resamples)
    if found is None:
        return None
    estimate, method = found
    low, high = estimate.interval()
    return Interval(low=max(min(low, mean), within[0]), high=min(max(high, mean), within[1]), method=method)


def _normal(
    n: int, total: Fraction, total_sq: Fraction, kept: dict[float, int] | None, within: tuple[float, float]
) -> Interval:
    mean = float(total / n)
    # Exact up to here: in floats the difference of two close sums would lose the digits that matter.
    variance = (total_sq - total * total / n) / (n - 1)
    half = NormalDist().inv_cdf((1.0 + LEVEL) / 2.0) * math.sqrt(variance / n)
    low, high = mean - half, mean + half
    if _inside(n, total, total_sq, kept, within):
        low, high = max(low, within[0]), min(high, within[1])
    return Interval(low=low, high=high, method="normal")


def _checked(counts: Mapping[float, int], n: int) -> dict[float, int]:
    """The scores that occurred, with their counts; refuses what cannot be a count of `n` scores."""
    if any(count < 0 for count in counts.values()):
        raise ValueError("a count is negative")
    kept = {score: count for score, count in counts.items() if count}
    if not all(math.isfinite(score) for score in kept):
        raise ValueError("a score is not finite")
    if sum(kept.values()) != n:
        raise ValueError(f"the counts add up to {sum(kept.values())}, not to n = {n}")
    return kept


def _all_zero_or_one(
    n: int, total: Fraction, total_sq: Fraction, kept: dict[float, int] | None, within: tuple[float, float]
) -> bool:
    if kept is not None:
        return all(score in (0, 1) for score in kept)
    # Inside 0..1 each x^2 <= x, with equality only at 0 and 1, so equal sums leave no other score.
    unit = within[0] >= 0.0 and within[1] <= 1.0
    return unit and total == total_sq and total.denominator == 1 and total <= n


def _inside(
    n: int, total: Fraction, total_sq: Fraction, kept: dict[float, int] | None, within: tuple[float, float]
) -> bool:
    """Whether all scores keep the limits; without counts, whether the sums leave that possible."""
    if kept is not None:
        return within[0] <= min(kept) and max(kept) <= within[1]
    low, high = Fraction(within[0]), Fraction(within[1])
    # Sum of (x - low)(high - x): negative only if some score is outside.
    spread = (low + high) * total - total_sq - n * low * high
    return n * low <= total <= n * high and spread >= 0
