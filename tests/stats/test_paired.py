"""Paired differences of means against scipy, and the test that goes with the interval."""

import math
from collections import Counter
from fractions import Fraction
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rightcall.core.summing.sums import ClusterTotals, Scores
from rightcall.stats import MeanDifference, mean_difference

step = st.integers(-4, 4).map(lambda n: n / 4)


def difference(xs, *, counted=True, clusters=None) -> MeanDifference:
    total, total_sq = sum(map(Fraction, xs), Fraction(0)), sum((Fraction(x) ** 2 for x in xs), Fraction(0))
    found = mean_difference(len(xs), total, total_sq, Counter(xs) if counted else None, clusters)
    assert found is not None
    return found


def by_cluster(pairs) -> ClusterTotals | None:
    scores = Scores()
    for cluster, x in pairs:
        scores.add_in(cluster, x)
    return scores.clusters()


SAMPLES = {
    "mostly unchanged": [0.0] * 180 + [-0.5] * 14 + [0.5] * 6,
    "a shift": [-0.1 + (n % 9) / 40 for n in range(300)],
    "both ways": [-1.0] * 12 + [0.0] * 70 + [1.0] * 18,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_agrees_with_scipy(name):
    numpy, stats = pytest.importorskip("numpy"), pytest.importorskip("scipy.stats")
    xs = SAMPLES[name]
    theirs = stats.bootstrap(
        (xs,), numpy.mean, method="BCa", n_resamples=8000, batch=500, rng=numpy.random.default_rng(7)
    ).confidence_interval
    found = difference(xs)
    assert found.method == "bca"
    assert found.interval() == pytest.approx((theirs.low, theirs.high), abs=found.error / 4)
    assert found.mean == pytest.approx(fmean(xs))
    assert found.error == pytest.approx(stdev(xs) / math.sqrt(len(xs)))


def test_above_a_thousand_pairs_the_z_test_of_statsmodels():
    weights = pytest.importorskip("statsmodels.stats.weightstats")
    xs = [((n * 37) % 11 - 5.3) / 40 for n in range(1500)]
    found = difference(xs, counted=False)
    theirs = weights.DescrStatsW(xs)
    assert found.method == "normal"
    assert found.interval() == pytest.approx(theirs.zconfint_mean(0.05))
    assert min(found.p_below(0.0), found.p_above(0.0)) == pytest.approx(theirs.ztest_mean(0.0)[1], abs=1e-6)


@given(st.lists(step, min_size=2, max_size=60), st.sampled_from([-0.5, -0.1, -0.02, 0.0, 0.05, 0.3]))
@settings(deadline=None)
def test_the_test_says_what_the_interval_says(xs, limit):
    """Below 5 % exactly where the 95 % interval lies beyond the limit."""
    found = difference(xs)
    ends = found.estimate.interval() if found.estimate is not None else None
    if ends is None:
        assert len(set(xs)) == 1
        return
    assert (found.p_below(limit) < 0.05 + 1e-9) == (ends[1] < limit - 1e-9)
    assert (found.p_above(limit) < 0.05 + 1e-9) == (ends[0] > limit + 1e-9)


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), step), min_size=4, max_size=60))
@settings(deadline=None)
def test_the_test_says_what_the_interval_of_clusters_says(pairs):
    xs = [x for _, x in pairs]
    found = difference(xs, clusters=by_cluster(pairs))
    if found.estimate is not None:
        ends = found.estimate.interval()
        assert (found.p_below(0.0) < 0.05 + 1e-9) == (ends[1] < -1e-9)
        assert (found.p_above(0.0) < 0.05 + 1e-9) == (ends[0] > 1e-9)


@given(st.lists(step, min_size=1, max_size=60))
@settings(deadline=None)
def test_a_further_limit_is_never_easier_to_lie_below(xs):
    found = difference(xs)
    ps = [found.p_below(limit) for limit in (-0.6, -0.3, -0.1, 0.0, 0.2)]
    assert ps == sorted(ps, reverse=True)


def test_equal_differences_have_no_interval_but_a_sign():
    found = difference([-0.1] * 20)
    assert found.interval() is None
    assert found.p_below(0.0) == pytest.approx(2 * 0.5**20)
    assert found.p_below(-0.2) == 1.0
    assert found.p_above(0.0) == 1.0
    assert difference([0.0] * 20).p_below(0.0) == 1.0
    assert difference([-1.0]).p_below(0.0) == 1.0


def test_pairs_that_hang_together_tell_less():
    pairs = [(f"c{n % 8}", -0.5 if n % 8 < 3 else 0.25) for n in range(80)]
    clustered = difference([x for _, x in pairs], clusters=by_cluster(pairs))
    alone = difference([x for _, x in pairs])
    assert (clustered.method, clustered.independent) == ("cluster-bca", 8)
    assert clustered.error > 2 * alone.error


def test_no_pair_and_impossible_sums():
    assert mean_difference(0, Fraction(0), Fraction(0), {}) is None
    with pytest.raises(ValueError, match="differences"):
        mean_difference(2, Fraction(2), Fraction(1), None)
