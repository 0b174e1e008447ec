"""Sums of scores by cluster: what they say, and that parts add up to the whole."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rightcall.core.summing.sums import KEPT_CLUSTERS, Scores
from rightcall.stats import mean_interval

score = st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0])
rows = st.lists(st.tuples(st.none() | st.sampled_from("abcdef"), score), min_size=2, max_size=40)


def summed(pairs: Any) -> Scores:
    scores = Scores()
    for cluster, value in pairs:
        if cluster is None:
            scores.add(value)
        else:
            scores.add_in(cluster, value)
    return scores


def interval_of(scores: Scores) -> Any:
    return mean_interval(scores.n, *scores.totals(), scores.counts, clusters=scores.clusters())


@given(rows, st.data())
def test_sums_of_parts_are_those_of_the_whole(pairs: Any, data: st.DataObject) -> None:
    owners = data.draw(st.lists(st.integers(0, 2), min_size=len(pairs), max_size=len(pairs)))
    parts = [
        summed([pair for pair, owner in zip(pairs, owners, strict=True) if owner == part])
        for part in range(3)
    ]
    merged = Scores()
    for part in data.draw(st.permutations(parts)):
        merged.merge(part)
    whole = summed(pairs)
    assert merged == whole
    assert merged.clusters() == whole.clusters()
    assert (merged.n, merged.totals(), merged.counts) == (whole.n, whole.totals(), whole.counts)
    assert interval_of(merged) == interval_of(whole)


@given(rows)
def test_the_sums_are_what_they_say(pairs: Any) -> None:
    found = summed(pairs).clusters()
    held: dict[str, list[float]] = {}
    for n, (cluster, value) in enumerate(pairs):
        held.setdefault(cluster or f"alone {n}", []).append(value)
    if found is None:
        assert all(len(xs) == 1 for xs in held.values())
        return
    sums = [(len(xs), sum(map(Fraction, xs), Fraction(0))) for xs in held.values()]
    assert (found.clusters, found.scores) == (len(held), len(pairs))
    assert found.total == sum(t for _, t in sums)
    assert found.total_sq == sum(t * t for _, t in sums)
    assert found.cross == sum(n * t for n, t in sums)
    assert found.scores_sq == sum(n * n for n, _ in sums)
    assert found.kept == dict(sorted(Counter(sums).items()))


def test_no_cluster_is_told_where_no_two_scores_share_one() -> None:
    assert summed([("a", 1.0), ("b", 0.5), (None, 0.0)]).clusters() is None
    assert summed([]).clusters() is None


def test_above_the_limit_only_sums_are_given() -> None:
    pairs = [("a", 1.0), ("a", 0.0), *((None, 0.5) for _ in range(KEPT_CLUSTERS - 1))]
    at_limit, above = summed(pairs).clusters(), summed([*pairs, (None, 0.5)]).clusters()
    assert at_limit is not None
    assert above is not None
    assert (at_limit.clusters, at_limit.kept is None) == (KEPT_CLUSTERS, False)
    assert (above.clusters, above.kept) == (KEPT_CLUSTERS + 1, None)
    assert above.total == at_limit.total + Fraction(1, 2)


def test_many_distinct_scores_without_a_cluster_lose_nothing() -> None:
    """The distinct scores are folded into sums on the way."""
    pairs: list[tuple[str | None, float]] = [(None, 1 / (n + 1)) for n in range(5000)]
    pairs += [("a", 0.25), ("a", 0.75)]
    found = summed(pairs).clusters()
    assert found is not None
    exact = [Fraction(value) for _, value in pairs[:5000]]
    assert found.total == sum(exact) + 1
    assert found.total_sq == sum(x * x for x in exact) + 1
    assert (found.cross, found.scores_sq) == (sum(exact) + 2, 5004)
