"""The mean of scores that come in clusters: what is resampled is the cluster, not the score.

Scores of one conversation, one user or one template are alike, so a hundred of them tell less than a hundred
independent ones. Sources: A. C. Davison and D. V. Hinkley, "Bootstrap Methods and their Application" (1997),
section 3.8 (resampling of whole clusters); K.-Y. Liang and S. L. Zeger, "Longitudinal data analysis using
generalized linear models", Biometrika 73 (1986) 13-22 (the variance, here with G / (G - 1) for G clusters).
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, Literal

import msgspec

from rightcall.core.summing.sums import ClusterTotals
from rightcall.stats.bootstrap import LEVEL, Bca, bias_of, resampled_sums
from rightcall.stats.normal import Normal

ClusterMethod = Literal["cluster-bca", "cluster-normal"]

_GRID: Final = 2**34
"""Sums of clusters are resampled as whole steps of a grid, so that no order of adding can show."""


class ClusterBootstrap(msgspec.Struct, frozen=True, kw_only=True):
    """The resampled means, sorted, and which of them are the ends of an interval."""

    means: Sequence[float]
    bca: Bca

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The ends (low, high)."""
        first, last = self.bca.ranks(level)
        return self.means[first], self.means[last]

    def p_below(self, limit: float) -> float:
        """The smallest 1 - level at which the whole interval lies below `limit`."""
        return self.bca.p_below(bisect_left(self.means, limit))

    def p_above(self, limit: float) -> float:
        """The smallest 1 - level at which the whole interval lies above `limit`."""
        return self.bca.p_above(len(self.means) - bisect_right(self.means, limit))


def cluster_bootstrap(
    clusters: Mapping[tuple[int, Fraction], int], *, seed: int, resamples: int
) -> ClusterBootstrap | None:
    """Seeded resampling of whole clusters; None for fewer than two, or where all have one mean.

    A resampled mean is the sum of the drawn clusters' sums over the sum of their numbers, so clusters of
    different size are weighed as the scores are.

    Args:
        clusters: (number of scores, their exact sum) of a cluster, to how many clusters are like that.
        seed, resamples: as for the bootstrap of scores.
    """
    kept = sorted((size, total, times) for (size, total), times in clusters.items() if times and size)
    weights = [times for *_, times in kept]
    if sum(weights) < 2 or len({total / size for size, total, _ in kept}) < 2:
        return None
    sizes, totals = [size for size, *_ in kept], [total for _, total, _ in kept]
    lowest, width = min(totals), (max(totals) - min(totals)) / _GRID
    steps = [round((total - lowest) / width) if width else 0 for total in totals]
    # Both sums are drawn at once: the number of scores stands above the bits that the sum of steps can reach.
    shift = (sum(weights) * _GRID).bit_length()
    packed = [size << shift | step for size, step in zip(sizes, steps, strict=True)]
    rng = random.Random(seed)  # noqa: S311 - repeatable on purpose, no secret
    base = lowest * sum(weights)
    means = sorted(
        float((base + width * (drawn & (1 << shift) - 1)) / (drawn >> shift))
        for drawn in resampled_sums(packed, weights, resamples, rng)
    )
    return ClusterBootstrap(means=means, bca=_bca(means, sizes, totals, weights))


def _bca(means: list[float], sizes: list[int], totals: list[Fraction], weights: list[int]) -> Bca:
    n = sum(map(int.__mul__, sizes, weights))
    total = sum((t * times for t, times in zip(totals, weights, strict=True)), Fraction(0))
    observed = float(total / n)
    near = 1e-9 * (max(means) - min(means))  # what the grid and the last bit can explain
    bias = bias_of(bisect_left(means, observed - near), bisect_right(means, observed + near), len(means))
    # The jackknife: the mean without each cluster.
    without = [float((total - t) / (n - size)) for size, t in zip(sizes, totals, strict=True)]
    centre = math.fsum(map(float.__mul__, without, map(float, weights))) / sum(weights)
    moves = [centre - value for value in without]
    squares = math.fsum(times * move**2 for times, move in zip(weights, moves, strict=True))
    cubes = math.fsum(times * move**3 for times, move in zip(weights, moves, strict=True))
    acceleration = cubes / (6.0 * squares * math.sqrt(squares)) if squares else 0.0
    return Bca(drawn=len(means), bias=bias, acceleration=acceleration)


def cluster_variance(clusters: ClusterTotals) -> Fraction | None:
    """The variance of the mean from exact sums, robust to whatever the scores of a cluster share.

    G / (G - 1) times the sum over clusters of (sum - mean * number)^2, over the square of the number of scores;
    None for fewer than two clusters.
    """
    count, n = clusters.clusters, clusters.scores
    if count < 2:
        return None
    mean = clusters.total / n
    squares = clusters.total_sq - 2 * mean * clusters.cross + mean * mean * clusters.scores_sq
    return squares * count / (count - 1) / n**2


def cluster_mean(
    clusters: ClusterTotals, *, seed: int, resamples: int
) -> tuple[ClusterBootstrap | Normal, ClusterMethod] | None:
    """What is known of the mean, and how: by bootstrap while the clusters are kept, else as a normal mean.

    None for fewer than two clusters, or where all have the same mean.
    """
    if clusters.kept is not None:
        drawn = cluster_bootstrap(clusters.kept, seed=seed, resamples=resamples)
        return None if drawn is None else (drawn, "cluster-bca")
    variance = cluster_variance(clusters)
    if not variance:
        return None
    mean = float(clusters.total / clusters.scores)
    return Normal(mean=mean, error=math.sqrt(variance)), "cluster-normal"
