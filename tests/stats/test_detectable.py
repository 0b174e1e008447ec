"""The smallest detectable difference: the power at that difference is counted out, and simulated."""

import random
from fractions import Fraction
from math import comb, sqrt

import pytest

from rightcall.stats import detectable_mean, detectable_pass_rate, mean_difference
from rightcall.stats.mcnemar import upper_tail


def binomial(n: int, p: float) -> list[float]:
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def exact_power(pairs: int, share: float, d: float, alpha: float) -> float:
    """The chance that the exact one-sided test rejects, over every possible table."""
    power = 0.0
    lost_share = (share + d) / (2 * share)
    for changed, weight in enumerate(binomial(pairs, share)):
        if weight < 1e-12:
            continue
        lost = binomial(changed, lost_share)
        power += weight * sum(p for k, p in enumerate(lost) if upper_tail(k, changed) < alpha)
    return power


@pytest.mark.parametrize("alpha", [0.05, 0.0125])
@pytest.mark.parametrize(
    ("pairs", "changed"), [(50, 10), (100, 5), (100, 30), (200, 20), (200, 100), (400, 40)]
)
def test_the_exact_test_has_about_this_power(pairs, changed, alpha):
    d = detectable_pass_rate(pairs, changed, alpha=alpha)
    assert d is not None
    power = exact_power(pairs, max(changed / pairs, d), d, alpha)
    # The exact test is a little shy of its level, so it has a little less power than the formula says.
    assert 0.70 <= power <= 0.90


def test_agrees_with_the_formula_of_connor():
    """Put the answer back into the sample size formula: so many pairs are needed."""
    pairs, changed = 300, 60
    d = detectable_pass_rate(pairs, changed)
    assert d is not None
    share = changed / pairs
    needed = ((1.6448536 * sqrt(share) + 0.8416212 * sqrt(share - d * d)) / d) ** 2
    assert needed == pytest.approx(pairs, rel=1e-5)


def test_few_pairs_show_nothing_or_a_landslide():
    assert detectable_pass_rate(0, 0) is None
    assert detectable_pass_rate(4, 0) is None
    # Five lost passes are the fewest that show: 2 ** -5 is below 0.05, 2 ** -4 is not.
    assert detectable_pass_rate(5, 5) == 1.0
    assert (detectable_pass_rate(10, 0) or 0.0) >= 0.5


def test_more_pairs_show_less_and_more_change_hides_more():
    by_size = [detectable_pass_rate(n, n // 10) or 2.0 for n in (20, 50, 100, 1000, 50_000)]
    assert by_size == sorted(by_size, reverse=True)
    by_change = [detectable_pass_rate(500, changed) or 2.0 for changed in (0, 50, 100, 400)]
    assert by_change == sorted(by_change)


def test_refuses_more_changed_than_there_are():
    with pytest.raises(ValueError, match="changed pairs"):
        detectable_pass_rate(5, 6)


@pytest.mark.slow
def test_a_mean_that_moves_by_so_much_is_seen_four_times_in_five():
    rng = random.Random(20261130)  # noqa: S311 - repeatable on purpose, no secret
    n, tries, seen = 400, 400, 0
    sigma = 0.35
    d = detectable_mean(sigma / sqrt(n))
    for _ in range(tries):
        xs = [rng.gauss(-d, sigma) for _ in range(n)]
        exact = [round(x * 2**40) for x in xs]
        total, total_sq = sum(exact), sum(x * x for x in exact)
        found = mean_difference(n, Fraction(total, 2**40), Fraction(total_sq, 2**80), None)
        assert found is not None
        seen += found.p_below(0.0) < 0.05
    assert seen / tries == pytest.approx(0.8, abs=3.5 * sqrt(0.16 / tries))
