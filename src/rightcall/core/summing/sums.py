"""Exact sums of scores, also by cluster: what a mean and its interval are made of (contract 8)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from msgspec import Struct

__all__ = ["KEPT_CLUSTERS", "KEPT_SCORES", "ClusterTotals", "ScoreSums", "Scores"]

KEPT_SCORES: Final = 1000
"""Up to this many scored cases the distinct scores are kept with their counts, for the bootstrap."""

KEPT_CLUSTERS: Final = 1000
"""Up to this many clusters each one's number and sum are given, for the bootstrap."""

_FOLD_AT = 4096
_NOTHING: Final = Fraction(0)


class ScoreSums:
    """n, Σx and Σx² of scores, exact, and the distinct scores while there are few cases.

    Scores are doubles, and doubles are rational numbers, so their sums are too.
    """

    __slots__ = ("_counts", "_folded", "n")

    def __init__(self) -> None:
        self.n = 0
        self._counts: dict[float, int] = {}
        self._folded = (_NOTHING, _NOTHING)

    def add(self, score: float, times: int = 1) -> None:
        """Count a score."""
        self.n += times
        self._counts[score] = self._counts.get(score, 0) + times
        if len(self._counts) > _FOLD_AT:
            self._folded = self.totals()
            self._counts = {}

    def merge(self, other: ScoreSums) -> None:
        """Take in the scores of another part."""
        folded = other._folded
        if folded[1]:  # mostly nothing is, and adding nothing to fractions takes a while
            self._folded = (self._folded[0] + folded[0], self._folded[1] + folded[1])
        self.n += other.n
        counts = self._counts
        for score, times in other._counts.items():
            counts[score] = counts.get(score, 0) + times
        if len(counts) > _FOLD_AT:
            self._folded = self.totals()
            self._counts = {}

    def totals(self) -> tuple[Fraction, Fraction]:
        """(Σx, Σx²)."""
        total, squares = self._folded
        for score, times in self._counts.items():
            exact = Fraction(score)
            total += exact * times
            squares += exact * exact * times
        return total, squares

    @property
    def counts(self) -> Mapping[float, int] | None:
        """The distinct scores with their counts, sorted; None above :data:`KEPT_SCORES` cases."""
        return dict(sorted(self._counts.items())) if self.n <= KEPT_SCORES else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreSums):
            return NotImplemented
        return (self.n, self.totals(), self.counts) == (other.n, other.totals(), other.counts)

    __hash__ = None  # type: ignore[assignment]  # mutable


class ClusterTotals(Struct, frozen=True, kw_only=True):
    """Scores by cluster, exact; a score without a cluster is a cluster of its own.

    Attributes:
        clusters: how many.
        scores: Σn over the clusters, n being a cluster's number of scores.
        total: Σt, t being a cluster's sum of scores.
        total_sq, cross, scores_sq: Σt², Σtn and Σn².
        kept: (n, t) to how many clusters are like that, sorted; None above :data:`KEPT_CLUSTERS` clusters.
    """

    clusters: int
    scores: int
    total: Fraction
    total_sq: Fraction
    cross: Fraction
    scores_sq: int
    kept: Mapping[tuple[int, Fraction], int] | None


class Scores:
    """Scores of which some share a cluster.

    The square of a cluster's sum needs the whole cluster, and its scores may come in any order and in any part
    of a run. So each named cluster keeps its own number and sum to the end, whatever their number: 100 to 215
    bytes a cluster (measured). Scores without a cluster cost what they cost in :class:`ScoreSums`.
    """

    __slots__ = ("_alone", "_by_cluster", "_shared")

    def __init__(self) -> None:
        self._alone = ScoreSums()
        self._shared = ScoreSums()
        # n, how many of them are 1.0, and the exact sum of the others: nearly all scores are 0 or 1.
        self._by_cluster: dict[str, tuple[int, int, Fraction]] = {}

    def add(self, score: float, times: int = 1) -> None:
        """Count a score that stands alone."""
        self._alone.add(score, times)

    def add_in(self, cluster: str, score: float) -> None:
        """Count a score of a cluster."""
        self._shared.add(score)
        n, ones, rest = self._by_cluster.get(cluster, (0, 0, _NOTHING))
        if score == 1.0:
            ones += 1
        elif score:
            rest += Fraction(score)
        self._by_cluster[cluster] = (n + 1, ones, rest)

    def merge(self, other: Scores) -> None:
        """Take in the scores of another part."""
        self._alone.merge(other._alone)
        self._shared.merge(other._shared)
        held = self._by_cluster
        for cluster, (n, ones, rest) in other._by_cluster.items():
            mine = held.get(cluster)
            held[cluster] = (n, ones, rest) if mine is None else (mine[0] + n, mine[1] + ones, mine[2] + rest)

    @property
    def n(self) -> int:
        """How many scores there are."""
        return self._alone.n + self._shared.n

    def totals(self) -> tuple[Fraction, Fraction]:
        """(Σx, Σx²) of all."""
        alone, shared = self._alone.totals(), self._shared.totals()
        return alone[0] + shared[0], alone[1] + shared[1]

    @property
    def counts(self) -> Mapping[float, int] | None:
        """The distinct scores of all with their counts, sorted; None above :data:`KEPT_SCORES` cases."""
        if self.n > KEPT_SCORES:
            return None
        whole = dict(self._alone.counts or {})
        for score, times in (self._shared.counts or {}).items():
            whole[score] = whole.get(score, 0) + times
        return dict(sorted(whole.items()))

    def clusters(self) -> ClusterTotals | None:
        """The sums by cluster; None where no two scores share one."""
        if self._shared.n == len(self._by_cluster):
            return None
        by_sums: dict[tuple[int, int, Fraction], int] = {}
        for key in self._by_cluster.values():
            by_sums[key] = by_sums.get(key, 0) + 1
        kinds: dict[tuple[int, Fraction], int] = {}
        for (n, ones, rest), times in by_sums.items():
            kinds[n, rest + ones] = kinds.get((n, rest + ones), 0) + times
        total, total_sq = self._alone.totals()
        cross, scores_sq = total, self._alone.n
        for (n, summed), times in kinds.items():
            total += summed * times
            total_sq += summed * summed * times
            cross += summed * n * times
            scores_sq += n * n * times
        count = self._alone.n + len(self._by_cluster)
        if count <= KEPT_CLUSTERS:
            for score, times in (self._alone.counts or {}).items():
                single = (1, Fraction(score))
                kinds[single] = kinds.get(single, 0) + times
        return ClusterTotals(
            clusters=count,
            scores=self.n,
            total=total,
            total_sq=total_sq,
            cross=cross,
            scores_sq=scores_sq,
            kept=dict(sorted(kinds.items())) if count <= KEPT_CLUSTERS else None,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        return (self._alone, self._shared, self._by_cluster) == (
            other._alone,
            other._shared,
            other._by_cluster,
        )

    __hash__ = None  # type: ignore[assignment]  # mutable
