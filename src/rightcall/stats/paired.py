"""The mean of differences between two runs, pair by pair: its interval, and tests that agree with it.

The choice of method is the contract's (section 8): up to 1,000 pairs the BCa bootstrap over the distinct
differences with their counts, above that normal from exact sums; clusters are resampled where pairs share one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Protocol

import msgspec

from rightcall.core.summing.sums import ClusterTotals
from rightcall.stats.bootstrap import LEVEL, bootstrapped
from rightcall.stats.clusters import cluster_mean, cluster_variance
from rightcall.stats.intervals import BOOTSTRAP_LIMIT, RESAMPLES, SEED
from rightcall.stats.normal import Normal

NOISE = 1e-9
"""An interval that ends so near a limit does not lie beyond it: the float noise of the contract, section 4."""


class Estimate(Protocol):
    """What is known of a mean."""

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The ends (low, high)."""

    def p_below(self, limit: float) -> float:
        """The smallest 1 - level at which the whole interval lies below `limit`."""

    def p_above(self, limit: float) -> float:
        """The smallest 1 - level at which the whole interval lies above `limit`."""


class MeanDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The mean of the differences of `pairs` pairs, or `clusters` clusters of them.

    Attributes:
        error: its standard error; 0 where all differences are the same.
        method: how the interval is made; None where there is none: fewer than two pairs, or all the same.
        estimate: makes the interval; None where `method` is.
    """

    mean: float
    independent: int
    error: float
    method: str | None = None
    estimate: Estimate | None = None

    def interval(self) -> tuple[float, float] | None:
        """The ends of the 95 % interval, inside -1..1; None where there is none."""
        if self.estimate is None:
            return None
        low, high = self.estimate.interval()
        return max(-1.0, min(low, self.mean)), min(1.0, max(high, self.mean))

    def p_below(self, limit: float) -> float:
        """Two-sided: below 0.05 where the 95 % interval lies below `limit`.

        Where all differences are the same there is no interval. If they lie below the limit, the sign test
        says how surely: so many independent pairs fall on one side by chance once in 2 ** pairs.
        """
        if self.estimate is not None:
            return self.estimate.p_below(limit - NOISE)
        return self._by_sign() if self.mean < limit - NOISE else 1.0

    def p_above(self, limit: float) -> float:
        """As :meth:`p_below`, for an interval above `limit`."""
        if self.estimate is not None:
            return self.estimate.p_above(limit + NOISE)
        return self._by_sign() if self.mean > limit + NOISE else 1.0

    def _by_sign(self) -> float:
        return 2.0 * 0.5 ** max(self.independent, 1)


def mean_difference(
    n: int,
    total: Fraction,
    total_sq: Fraction,
    counts: Mapping[float, int] | None,
    clusters: ClusterTotals | None = None,
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> MeanDifference | None:
    """What `n` differences say of their mean; None for no pair.

    Args:
        n: how many pairs there are.
        total, total_sq: exact sums of the differences and of their squares.
        counts: each distinct difference with the number of times it occurred, or None if that was not kept.
        clusters: the differences by cluster, every pair in one; None where each pair stands alone.
        seed, resamples: of the bootstrap.

    Raises:
        ValueError: no n differences have these sums.
    """
    if n < 0 or n * total_sq < total * total:
        raise ValueError(f"no {n} differences have the sum {total} and the sum of squares {total_sq}")
    if n == 0:
        return None
    mean = float(total / n)
    if clusters is not None:
        variance = cluster_variance(clusters) or Fraction(0)
        found = cluster_mean(clusters, seed=seed, resamples=resamples)
        return MeanDifference(
            mean=mean,
            independent=clusters.clusters,
            error=math.sqrt(variance),
            method=None if found is None else found[1],
            estimate=None if found is None else found[0],
        )
    error = math.sqrt((total_sq - total * total / n) / (n - 1) / n) if n > 1 else 0.0
    if not error:
        return MeanDifference(mean=mean, independent=n, error=0.0)
    estimate: Estimate
    if counts is not None and n <= BOOTSTRAP_LIMIT:
        method, estimate = "bca", bootstrapped(counts, seed=seed, resamples=resamples)
    else:
        method, estimate = "normal", Normal(mean=mean, error=error)
    return MeanDifference(mean=mean, independent=n, error=error, method=method, estimate=estimate)
