"""Clusters against statsmodels, against full enumeration and against the plain bootstrap."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from fractions import Fraction
from itertools import product
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rightcall.core.summing.sums import Scores
from rightcall.stats import mean_interval
from rightcall.stats.bootstrap import bca_interval
from rightcall.stats.clusters import cluster_bootstrap, cluster_variance

score = st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0])
rows = st.lists(st.tuples(st.none() | st.sampled_from("abcdef"), score), min_size=2, max_size=40)


def summed(pairs) -> Scores:
    scores = Scores()
    for cluster, value in pairs:
        if cluster is None:
            scores.add(value)
        else:
            scores.add_in(cluster, value)
    return scores


def interval_of(scores: Scores):
    return mean_interval(scores.n, *scores.totals(), scores.counts, clusters=scores.clusters())


def of_clusters(*clusters: list[float]) -> Counter:
    return Counter((len(xs), sum(map(Fraction, xs), Fraction(0))) for xs in clusters)


@given(rows)
def test_the_variance_is_that_of_statsmodels(pairs):
    linear = pytest.importorskip("statsmodels.api")
    numpy = pytest.importorskip("numpy")
    found = summed(pairs).clusters()
    names = [cluster or f"alone {n}" for n, (cluster, _) in enumerate(pairs)]
    groups = {name: n for n, name in enumerate(dict.fromkeys(names))}
    if found is None or len(groups) < 2:
        return
    fitted = linear.OLS(numpy.array([value for _, value in pairs]), numpy.ones(len(pairs))).fit(
        cov_type="cluster", cov_kwds={"groups": numpy.array([groups[name] for name in names])}
    )
    variance = cluster_variance(found)
    assert variance is not None
    assert math.sqrt(variance) == pytest.approx(float(fitted.bse[0]), abs=1e-9)


def test_clusters_of_one_size_are_their_means_resampled():
    clusters = [[1.0, 1.0, 0.5]] * 9 + [[0.0, 0.5, 1.0]] * 7 + [[0.0, 0.0, 0.0]] * 4
    found = cluster_bootstrap(of_clusters(*clusters), seed=5, resamples=4000)
    assert found is not None
    plain = bca_interval(Counter(sum(xs) / 3 for xs in clusters), seed=6, resamples=4000)
    assert found.interval() == pytest.approx(plain, abs=0.02)


def test_agrees_with_every_possible_resample_of_unequal_clusters():
    clusters = [[1.0, 1.0], [0.0], [0.5, 0.5, 1.0], [1.0], [0.0, 1.0]]
    exact = [[Fraction(x) for x in xs] for xs in clusters]
    means = sorted(
        Fraction(sum(map(sum, draw)), 1) / sum(map(len, draw)) for draw in product(exact, repeat=5)
    )
    mean, normal = Fraction(sum(map(sum, exact)), 1) / sum(map(len, exact)), NormalDist()
    bias = normal.inv_cdf((bisect_left(means, mean) + bisect_right(means, mean)) / (2 * len(means)))
    without = [float(sum(sum(xs) for xs in exact if xs is not left) / (9 - len(left))) for left in exact]
    moves = [sum(without) / 5 - value for value in without]
    acceleration = sum(m**3 for m in moves) / (6 * sum(m * m for m in moves) ** 1.5)
    found = cluster_bootstrap(of_clusters(*clusters), seed=3, resamples=40_000)
    assert found is not None
    for z, end in zip((normal.inv_cdf(0.025), normal.inv_cdf(0.975)), found.interval(), strict=True):
        level = normal.cdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
        ranks = [int((level + error) * len(means)) for error in (-0.006, 0.006)]
        least, most = (float(means[min(max(rank, 0), len(means) - 1)]) for rank in ranks)
        assert least - 1e-9 <= end <= most + 1e-9


def test_scores_that_hang_together_tell_less():
    """Ten clusters of ten equal scores are ten observations, not a hundred."""
    pairs = [(f"c{n % 10}", float(n % 10 < 7)) for n in range(100)]
    clustered, alone = interval_of(summed(pairs)), interval_of(summed([(None, x) for _, x in pairs]))
    assert clustered is not None
    assert alone is not None
    assert (clustered.method, alone.method) == ("cluster-bca", "wilson")
    assert clustered.high - clustered.low > 2.5 * (alone.high - alone.low)


def test_above_a_thousand_clusters_the_normal_interval():
    pairs = [(f"c{n // 2}", float(n % 7 > 0)) for n in range(2002)]
    scores = summed(pairs)
    found, totals = interval_of(scores), scores.clusters()
    assert totals is not None
    assert (totals.clusters, totals.kept) == (1001, None)
    variance = cluster_variance(totals)
    assert found is not None
    assert variance is not None
    mean = float(scores.totals()[0] / 2002)
    half = NormalDist().inv_cdf(0.975) * math.sqrt(variance)
    assert (found.method, found.low, found.high) == (
        "cluster-normal",
        pytest.approx(mean - half),
        pytest.approx(mean + half),
    )


def test_a_named_cluster_of_one_case_changes_nothing():
    pairs: list[tuple[str | None, float]] = [(f"c{n}", n % 3 / 2) for n in range(30)]
    assert interval_of(summed(pairs)) == interval_of(summed([(None, x) for _, x in pairs]))


@pytest.mark.parametrize(
    "pairs", [[("a", 1.0), ("a", 0.0)], [("a", 1.0), ("a", 0.0), ("b", 0.5), ("b", 0.5)]]
)
def test_one_cluster_or_one_mean_has_no_interval(pairs):
    assert interval_of(summed(pairs)) is None


@given(rows, st.integers(0, 5))
@settings(max_examples=30, deadline=None)
def test_the_interval_holds_the_mean_and_stays_in_range(pairs, seed):
    scores = summed(pairs)
    found = interval_of(scores)
    if found is not None:
        assert 0.0 <= found.low <= float(scores.totals()[0] / scores.n) <= found.high <= 1.0
