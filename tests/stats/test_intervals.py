"""Intervals against published values, closed forms, scipy and their own laws."""

import os
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from statistics import NormalDist

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rightcall.stats import Interval, mean_interval, wilson

Z = NormalDist().inv_cdf(0.975)

# Fractions as evaluators make them: k of d items right.
scores = st.integers(1, 12).flatmap(lambda d: st.integers(0, d).map(lambda k: k / d))
score_lists = st.lists(scores, min_size=2, max_size=40)


def sums(xs) -> tuple[int, Fraction, Fraction]:
    return len(xs), sum(map(Fraction, xs), Fraction(0)), sum((Fraction(x) ** 2 for x in xs), Fraction(0))


def interval_of(xs, **options):
    return mean_interval(*sums(xs), Counter(xs), **options)


def interval_without_counts(xs, **options):
    return mean_interval(*sums(xs), None, **options)


def wilson_ends(successes, n, **options):
    """As `wilson`, for n > 0, where it is never None."""
    return wilson(successes, n, **options)


def ends(interval):
    return interval.low, interval.high


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_values(successes, n, low, high):
    assert wilson_ends(successes, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 49, 1000, 10**9, 10**18])
def test_wilson_has_exact_ends_and_the_closed_form_beside_them(n):
    assert wilson_ends(0, n) == (0.0, pytest.approx(Z * Z / (n + Z * Z)))
    assert wilson_ends(n, n) == (pytest.approx(n / (n + Z * Z)), 1.0)


def test_wilson_of_nothing_is_none():
    assert wilson(0, 0) is None


@pytest.mark.parametrize(
    ("successes", "n", "confidence"), [(-1, 3, 0.95), (4, 3, 0.95), (1, 3, 0.0), (1, 3, 1.0), (0, 0, 95)]
)
def test_wilson_refuses_what_cannot_be(successes, n, confidence):
    with pytest.raises(ValueError, match="must be"):
        wilson_ends(successes, n, confidence=confidence)


@given(st.integers(0, 300), st.integers(1, 300), st.sampled_from([0.5, 0.8, 0.95, 0.99]))
def test_wilson_agrees_with_scipy(successes, n, confidence):
    stats = pytest.importorskip("scipy.stats")
    assume(successes <= n)
    theirs = stats.binomtest(successes, n).proportion_ci(confidence_level=confidence, method="wilson")
    assert wilson_ends(successes, n, confidence=confidence) == pytest.approx(
        (theirs.low, theirs.high), abs=1e-12
    )


@given(st.integers(0, 10**12), st.integers(1, 10**12))
def test_wilson_holds_the_rate_inside_zero_to_one(successes, n):
    assume(successes <= n)
    low, high = wilson_ends(successes, n)
    assert 0.0 <= low <= successes / n <= high <= 1.0


@given(st.integers(0, 60), st.integers(1, 60), st.integers(2, 9))
def test_wilson_narrows_as_n_grows_at_one_rate(successes, n, times):
    assume(successes <= n)
    low, high = wilson_ends(successes, n)
    low_more, high_more = wilson_ends(successes * times, n * times)
    assert high_more - low_more < high - low


@given(st.integers(0, 400), st.integers(1, 400))
def test_wilson_mirrors_and_rises_with_successes(successes, n):
    assume(successes <= n)
    low, high = wilson_ends(successes, n)
    assert wilson_ends(n - successes, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)
    if successes < n:
        low_next, high_next = wilson_ends(successes + 1, n)
        assert low < low_next
        assert high < high_next


@pytest.mark.parametrize(
    ("xs", "method"),
    [
        ([], None),
        ([0.5], None),
        ([1.0], None),
        ([0.5, 0.5, 0.5], None),
        ([1.0, 1.0], None),
        ([0.0, 0.0, 0.0], None),
        ([0.0, 1.0], "wilson"),
        ([0.0, 0.5], "bca"),
        ([0.25] * 999 + [0.75], "bca"),
        ([0.25] * 1000 + [0.75], "normal"),
        ([0.25] * 1001, None),
        ([0.0] * 2000 + [1.0], "wilson"),
        ([1.0] * 1001, None),
    ],
)
def test_the_contract_chooses_the_method(xs, method):
    interval = interval_of(xs)
    assert (interval and interval.method) == method
    if len(xs) > 1000:
        assert interval_without_counts(xs) == interval


def test_zeros_and_ones_get_the_interval_of_their_rate():
    assert ends(interval_of([1.0] * 7 + [0.0] * 3)) == wilson_ends(7, 10)
    assert ends(mean_interval(3000, Fraction(7), Fraction(7), None)) == wilson_ends(7, 3000)


def test_without_counts_a_small_sample_gets_the_normal_interval():
    assert interval_without_counts([0.0, 0.5, 1.0]) == Interval(low=0.0, high=1.0, method="normal")
    assert interval_without_counts([0.5, 0.5, 0.5]) is None


def test_an_interval_is_a_frozen_value_that_serialises():
    interval = Interval(low=0.25, high=0.5, method="normal")
    assert msgspec.json.encode(interval) == b'{"low":0.25,"high":0.5,"method":"normal"}'
    with pytest.raises(AttributeError):
        interval.low = 0.0  # type: ignore[misc]  # that it is refused is the point


@given(st.lists(scores, min_size=2, max_size=40))
def test_normal_is_mean_and_standard_error(xs):
    n, total, total_sq = sums(xs)
    assume(len(set(xs)) > 1)
    interval = mean_interval(n * 600, total * 600, total_sq * 600, None, within=(-9.0, 9.0))
    assert interval is not None
    mean, var = float(total / n), float((total_sq / n - (total / n) ** 2) * (n * 600) / (n * 600 - 1))
    half = Z * (var / (n * 600)) ** 0.5
    assert ends(interval) == pytest.approx((mean - half, mean + half), abs=1e-12)


def test_normal_survives_the_cancellation_that_floats_do_not():
    n = 2000
    interval = interval_without_counts([1e9, 1e9 + 1] * (n // 2))
    assert interval.high - interval.low == pytest.approx(2 * Z * (0.25 / (n - 1)) ** 0.5, rel=1e-6)


def test_normal_is_cut_only_where_all_scores_are_inside():
    xs = [1.0] * 1100 + [0.999]
    assert interval_of(xs).high == 1.0
    assert interval_without_counts(xs).high == 1.0
    assert interval_of(xs, within=(-9.0, 9.0)).high > 1.0
    assert interval_without_counts([*xs, 1.5]).high > 1.0
    assert interval_of([*xs, 1.5]).high > 1.0
    # Differences of scores: 0 is no end for them, and sum == sum of squares is no proof of zeros and ones.
    differences = [0.0] * 2000 + [0.5] * 8 + [-1.0]
    assert interval_without_counts(differences, within=(-1.0, 1.0)).method == "normal"
    assert interval_without_counts(differences, within=(-1.0, 1.0)) == interval_of(differences)


@pytest.mark.parametrize(
    ("n", "total", "total_sq", "counts"),
    [
        (-1, 0, 0, None),
        (0, 1, 1, None),
        (2, 2, 1, None),
        (2, 1, -1, None),
        (2, 1, 1, {0.0: 1, 1.0: 2}),
        (2, 1, 1, {0.0: 3, 1.0: -1}),
        (2, 1, 1, {0.0: 1, float("nan"): 1}),
        (2, 1, 1, {0.0: 1, float("inf"): 1}),
    ],
)
def test_impossible_statistics_are_refused(n, total, total_sq, counts):
    with pytest.raises(ValueError, match=r"no .* scores|count|finite"):
        mean_interval(n, Fraction(total), Fraction(total_sq), counts)


def test_a_score_that_never_occurred_changes_nothing():
    xs = [0.1, 0.5, 0.5, 0.9]
    assert mean_interval(*sums(xs), {**Counter(xs), 0.3: 0}) == interval_of(xs)


@settings(deadline=None, max_examples=60)
@given(score_lists)
def test_bca_and_normal_hold_the_mean_and_stay_in_range(xs):
    n, total, _ = sums(xs)
    mean = float(total / n)
    for interval in (interval_of(xs), interval_without_counts(xs)):
        if interval is not None:
            assert interval.low <= mean <= interval.high
            assert 0.0 <= interval.low < interval.high <= 1.0
    interval = interval_of(xs)
    if interval is not None and interval.method == "bca":
        assert min(xs) <= interval.low
        assert interval.high <= max(xs)


@settings(deadline=None, max_examples=40)
@given(score_lists, st.randoms(use_true_random=False))
def test_order_splitting_and_repetition_never_show(xs, shuffler):
    before, state = interval_of(xs), random.getstate()
    shuffled = xs.copy()
    shuffler.shuffle(shuffled)
    cut = shuffler.randint(0, len(xs))
    left, right = shuffled[:cut], shuffled[cut:]
    (n, total, total_sq), (more, more_total, more_sq) = sums(right), sums(left)
    counts = Counter(right) + Counter(left)
    assert mean_interval(n + more, total + more_total, total_sq + more_sq, counts) == before
    assert counts == Counter(xs)
    assert random.getstate() == state, "the caller's random numbers must not move"


@settings(deadline=None, max_examples=30)
@given(score_lists)
def test_bca_narrows_as_n_grows_at_one_mix(xs):
    interval = interval_of(xs)
    assume(interval is not None and interval.method == "bca")
    more = interval_of(xs * 16)
    assert more.high - more.low < interval.high - interval.low


def test_another_seed_gives_another_interval():
    xs = [i / 97 for i in range(97)]
    assert interval_of(xs, seed=1) != interval_of(xs, seed=2)
    assert interval_of(xs, seed=1) == interval_of(xs, seed=1)


PINNED = """
from fractions import Fraction as F
from rightcall.stats import mean_interval
names = {"zero": 0.0, "third": 1 / 3, "half": 0.5, "one": 1.0}
few = {names[name]: 5 for name in set(names)}
many = {k / 300: 1 for k in range(301)}
for counts in (few, many):
    n = sum(counts.values())
    total = sum(F(x) * c for x, c in counts.items())
    print(mean_interval(n, total, sum(F(x) ** 2 * c for x, c in counts.items()), counts))
"""
PINNED_RESULTS = (
    "Interval(low=0.30833333333333335, high=0.625, method='bca')",
    "Interval(low=0.4662901439645626, high=0.5328571428571428, method='bca')",
)


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_another_process_gives_the_same_bits(hash_seed):
    done = subprocess.run(
        [sys.executable, "-c", PINNED],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    # Pinned on purpose: saved runs hold these numbers, so a change of the generator is a change of contract.
    assert done.stdout.splitlines() == [*PINNED_RESULTS]


@pytest.mark.soak
@pytest.mark.parametrize("n", [20, 60, 200])
def test_coverage_of_the_interval_of_a_mean(n):
    """95 % intervals of a skewed three-valued score hold the true mean about 95 % of the time."""
    rng = random.Random(n)  # noqa: S311 - a simulation, no secret
    values, weights = (0.0, 0.5, 1.0), (1, 3, 6)
    truth = sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
    runs = 2000
    held = 0
    for _ in range(runs):
        interval = interval_of(rng.choices(values, weights, k=n))
        held += interval is not None and interval.low <= truth <= interval.high
    # BCa is known to fall short for small n; the Monte Carlo error of the share is half a point.
    assert (0.91 if n == 20 else 0.93) <= held / runs <= 0.97
