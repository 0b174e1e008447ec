"""The exact McNemar test against scipy, statsmodels and whole numbers."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall.stats import mcnemar
from rightcall.stats.mcnemar import upper_tail

pairs = st.integers(0, 200)


@given(pairs, pairs)
def test_agrees_with_the_binomial_test_of_scipy(lost, won):
    stats = pytest.importorskip("scipy.stats")
    found = mcnemar(lost, won)
    if lost + won == 0:
        assert (found.two_sided, found.regression, found.improvement) == (1.0, 1.0, 1.0)
        return
    for ours, side in ((found.two_sided, "two-sided"), (found.regression, "greater")):
        theirs = stats.binomtest(lost, lost + won, alternative=side).pvalue
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(("lost", "won"), [(0, 1), (5, 0), (6, 5), (15, 4), (80, 100), (3000, 2900)])
def test_agrees_with_statsmodels(lost, won):
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    theirs = tables.mcnemar([[7, lost], [won, 9]], exact=True).pvalue
    assert mcnemar(lost, won).two_sided == pytest.approx(theirs, rel=1e-9)


@given(st.integers(0, 60), st.integers(0, 60))
def test_a_tail_is_the_sum_of_its_terms(k, n):
    exact = Fraction(sum(comb(n, heads) for heads in range(k, n + 1)), 2**n)
    assert upper_tail(k, n) == pytest.approx(float(exact), rel=1e-15)


@given(pairs, pairs)
def test_the_two_sides_mirror_each_other(lost, won):
    one, other = mcnemar(lost, won), mcnemar(won, lost)
    assert (one.regression, one.improvement, one.two_sided) == (
        other.improvement,
        other.regression,
        other.two_sided,
    )


@given(st.integers(0, 100), st.integers(0, 100))
def test_one_more_lost_pass_never_speaks_against_a_regression(lost, won):
    assert mcnemar(lost + 1, won).regression <= mcnemar(lost, won).regression


def test_very_many_pairs_take_no_time_and_lose_nothing():
    assert mcnemar(25_000, 25_000).two_sided == 1.0
    stats = pytest.importorskip("scipy.stats")
    theirs = stats.binomtest(25_400, 50_000, alternative="greater").pvalue
    assert mcnemar(25_400, 24_600).regression == pytest.approx(theirs, rel=1e-8)


@pytest.mark.parametrize(("lost", "won"), [(-1, 0), (0, -1)])
def test_refuses_negative_numbers(lost, won):
    with pytest.raises(ValueError, match="negative"):
        mcnemar(lost, won)
