"""The bootstrap against scipy, against full enumeration, and its fast sampler against slow sampling."""

import math
import random
from bisect import bisect_left, bisect_right
from collections import Counter
from fractions import Fraction
from itertools import product
from statistics import NormalDist, fmean, pvariance, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rightcall.stats import bootstrap
from rightcall.stats.bootstrap import bca_interval

SAMPLES = {
    "three values": [0.0] * 5 + [0.5] * 11 + [1.0] * 24,
    "thirds": [0.0] * 3 + [1 / 3] * 4 + [2 / 3] * 6 + [1.0] * 12,
    "almost all right": [1.0] * 190 + [0.5] * 4 + [0.0] * 6,
    "all distinct": [(k / 120) ** 3 for k in range(121)],
    "thousand distinct": [1 - (k / 999) ** 4 for k in range(1000)],
    "differences": [k / 20 for k in range(-20, 15)],
    "far from zero": [1e6 + k % 7 for k in range(50)],
    "tiny": [1e-9 * (k % 11) for k in range(60)],
}


def seeded(seed):
    return random.Random(seed)  # noqa: S311 - repeatable on purpose, no secret


@pytest.mark.parametrize("name", SAMPLES)
def test_agrees_with_scipy(name):
    """Within a quarter of a standard error.

    The 2.5 % quantile of 2,000 resamples has itself an error of 0.06 standard errors.
    """
    pytest.importorskip("scipy", minversion="1.15")
    numpy, stats = pytest.importorskip("numpy"), pytest.importorskip("scipy.stats")
    xs = SAMPLES[name]
    theirs = stats.bootstrap(
        (xs,), numpy.mean, method="BCa", n_resamples=8000, batch=500, rng=numpy.random.default_rng(7)
    ).confidence_interval
    tolerance = stdev(xs) / math.sqrt(len(xs)) / 4
    assert bca_interval(Counter(xs), seed=1, resamples=2000) == pytest.approx(
        (theirs.low, theirs.high), abs=tolerance, rel=0
    )


@pytest.mark.parametrize("xs", [[0.0, 0.5, 0.5, 1.0, 1.0], [0.1, 0.2, 0.4, 0.8, 1.0], [0.0, 0.25, 1.0, 1.0]])
def test_agrees_with_every_possible_resample(xs):
    """All n^n resamples give the exact bootstrap distribution; many seeded draws come near its BCa ends."""
    n, exact = len(xs), [Fraction(x) for x in xs]
    means = sorted(sum(draw) / n for draw in product(exact, repeat=n))
    mean, normal = sum(exact) / n, NormalDist()
    bias = normal.inv_cdf((bisect_left(means, mean) + bisect_right(means, mean)) / (2 * len(means)))
    moves = [float(mean - x) for x in exact]
    acceleration = sum((-m) ** 3 for m in moves) / (6 * sum(m * m for m in moves) ** 1.5)
    low, high = bca_interval(Counter(xs), seed=3, resamples=40_000)
    for z, end in ((normal.inv_cdf(0.025), low), (normal.inv_cdf(0.975), high)):
        level = normal.cdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
        ranks = [int((level + error) * len(means)) for error in (-0.004, 0.004)]
        least, most = (float(means[min(max(rank, 0), len(means) - 1)]) for rank in ranks)
        assert least - 1e-9 <= end <= most + 1e-9


def test_ends_on_common_fractions_are_round():
    low, high = bca_interval({0.0: 10, 0.5: 40, 1.0: 50}, seed=1, resamples=2000)
    assert (low * 200, high * 200) == (round(low * 200), round(high * 200))


@pytest.mark.parametrize(
    ("counts", "resamples"), [({}, 9), ({0.5: 3}, 9), ({0.5: 3, 1.0: 0}, 9), ({0.5: 3, 1.0: 1}, 0)]
)
def test_refuses_what_cannot_be_resampled(counts, resamples):
    with pytest.raises(ValueError, match="bootstrap needs"):
        bca_interval(counts, seed=1, resamples=resamples)


@given(
    st.dictionaries(st.floats(-1e300, 1e300), st.integers(1, 3), min_size=2, max_size=6), st.integers(1, 40)
)
@settings(deadline=None)
def test_any_finite_scores_and_any_number_of_resamples(counts, resamples):
    low, high = bca_interval(counts, seed=1, resamples=resamples)
    assert min(counts) <= low <= high <= max(counts)


@pytest.mark.parametrize(
    ("values", "weights"),
    [
        ([0, 3, 10], [500, 200, 300]),  # few values: a group each
        (list(range(40)), [1] * 40),  # one block
        (list(range(0, 3997, 4)), [1] * 1000),  # four blocks
        (list(range(0, 997 * 5, 5)), [1] * 997),  # blocks of unequal size
        (list(range(20)), [7 + k for k in range(20)]),  # a value's units fall into two blocks
    ],
)
def test_resampled_sums_have_the_moments_of_multinomial_draws(values, weights):
    """Mean n * mu and variance n * sigma^2, each within four and a half standard errors."""
    resamples, n = 4000, sum(weights)
    units = [value for value, weight in zip(values, weights, strict=True) for _ in range(weight)]
    sums = bootstrap.resampled_sums(values, weights, resamples, seeded(5))
    variance = n * pvariance(units)
    assert fmean(sums) == pytest.approx(sum(units), abs=4.5 * math.sqrt(variance / resamples))
    assert pvariance(sums) == pytest.approx(variance, rel=4.5 * math.sqrt(2 / resamples))


@pytest.mark.parametrize(("trials", "part", "whole"), [(6, 1, 3), (9, 1, 2), (12, 997, 1000), (5, 1, 1000)])
def test_binomial_has_the_exact_distribution(trials, part, whole):
    rng, runs = seeded(11), 20_000
    seen = Counter(bootstrap._binomial(trials, part, whole, rng) for _ in range(runs))
    p = part / whole
    for k in range(trials + 1):
        expected = math.comb(trials, k) * p**k * (1 - p) ** (trials - k)
        assert seen[k] / runs == pytest.approx(expected, abs=4.5 * math.sqrt(expected / runs) + 1e-4)


def test_binomial_of_certainty_and_of_nothing():
    rng = seeded(1)
    assert bootstrap._binomial(7, 5, 5, rng) == 7
    assert bootstrap._binomial(7, 0, 5, rng) == 0
    assert bootstrap._binomial(0, 1, 5, rng) == 0


@given(st.binary(max_size=bootstrap._ADLER_LIMIT).map(lambda data: bytes(byte & 127 for byte in data)))
def test_byte_sum_is_the_sum(data):
    assert bootstrap._byte_sum(data) == sum(data)


def test_byte_sum_is_the_sum_at_its_limit():
    data = b"\x7f" * bootstrap._ADLER_LIMIT
    assert bootstrap._byte_sum(data) == sum(data)


@given(
    st.lists(st.integers(0, bootstrap._GRID), min_size=1, max_size=256),
    st.lists(st.integers(0, 40) | st.just(2000), min_size=1, max_size=8),
    st.integers(0, 99),
)
@settings(deadline=None)
def test_looked_up_digits_add_up_to_the_drawn_values(members, draws, seed):
    sums = bootstrap._sums_of_draws(members, draws, seeded(seed))
    if len(members) == 1:
        assert sums == [members[0] * count for count in draws]
        return
    stream = iter(bootstrap._uniform_bytes(len(members), sum(draws), seeded(seed)))
    assert sums == [sum(members[next(stream) % len(members)] for _ in range(count)) for count in draws]


@pytest.mark.parametrize("size", [2, 3, 100, 129, 250, 256])
def test_uniform_bytes_are_uniform(size):
    length = 400 * size
    stream = bootstrap._uniform_bytes(size, length, seeded(2))
    assert len(stream) >= length
    seen = Counter(byte % size for byte in stream[:length])
    chi_square = sum((seen[k] - 400) ** 2 / 400 for k in range(size))
    assert abs(chi_square - (size - 1)) < 4.5 * math.sqrt(2 * size)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30, unique=True).map(sorted))
def test_the_grid_keeps_order_and_ends(values):
    steps = bootstrap._to_grid(values)
    assert steps == sorted(steps)
    assert (steps[0], steps[-1]) == (0, bootstrap._GRID)
    assert bootstrap._GRID < 2 ** (bootstrap._DIGITS * bootstrap._DIGIT_BITS)
