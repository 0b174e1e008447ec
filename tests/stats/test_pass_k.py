"""pass@k and pass^k against looking at every choice of k trials."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall.stats import mean_over_cases, pass_at_k, pass_hat_k

groups = st.dictionaries(
    st.integers(0, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), st.integers(0, 9)
)


@pytest.mark.parametrize(
    ("n", "c", "k"), [(n, c, k) for n in range(8) for c in range(n + 1) for k in range(1, 9)]
)
def test_equals_enumeration(n, c, k):
    choices = list(combinations([True] * c + [False] * (n - c), k))
    if not choices:
        assert pass_at_k(n, c, k) is None
        assert pass_hat_k(n, c, k) is None
        return
    assert pass_at_k(n, c, k) == Fraction(sum(map(any, choices)), len(choices))
    assert pass_hat_k(n, c, k) == Fraction(sum(map(all, choices)), len(choices))


def test_k_of_one_is_the_pass_rate():
    assert pass_at_k(7, 3, 1) == pass_hat_k(7, 3, 1) == Fraction(3, 7)


def test_many_trials_stay_exact():
    assert pass_at_k(10_000, 1, 5_000) == Fraction(1, 2)
    assert pass_hat_k(10_000, 9_999, 5_000) == Fraction(1, 2)


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (-1, 0, 1), (3, 1, 0), (3, 1, -2)])
@pytest.mark.parametrize("measure", [pass_at_k, pass_hat_k])
def test_refuses_what_cannot_be(measure, n, c, k):
    with pytest.raises(ValueError, match="must be"):
        measure(n, c, k)


def test_mean_leaves_out_cases_with_too_few_trials():
    cases = {(1, 1): 5, (2, 1): 3, (4, 2): 1, (4, 0): 0}
    assert mean_over_cases(cases, 2) == (float((3 + Fraction(5, 6)) / 4), 4)
    assert mean_over_cases(cases, 2, measure=pass_hat_k) == (float(Fraction(1, 6) / 4), 4)


def test_mean_of_no_case_is_none_not_zero():
    assert mean_over_cases({}, 1) == (None, 0)
    assert mean_over_cases({(1, 1): 4}, 2) == (None, 0)
    assert mean_over_cases({(2, 0): 4}, 2) == (0.0, 4)


def test_mean_refuses_a_negative_number_of_cases():
    with pytest.raises(ValueError, match="negative"):
        mean_over_cases({(2, 1): -1}, 1)


@given(groups, groups, st.integers(1, 6), st.sampled_from([pass_at_k, pass_hat_k]))
def test_mean_does_not_show_order_or_splitting(left, right, k, measure):
    merged = {key: left.get(key, 0) + right.get(key, 0) for key in [*left, *right]}
    turned = {key: merged[key] for key in reversed(merged)}
    assert mean_over_cases(merged, k, measure=measure) == mean_over_cases(turned, k, measure=measure)
    values = [v for (n, c), count in merged.items() for v in [measure(n, c, k)] * count if v is not None]
    expected = float(sum(values) / Fraction(len(values))) if values else None
    assert mean_over_cases(merged, k, measure=measure) == (expected, len(values))


@given(st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_one_of_k_is_never_harder_than_all_of_k(trial):
    n, c, k = trial
    every, some = pass_hat_k(n, c, k), pass_at_k(n, c, k)
    assert every is not None
    assert some is not None
    assert 0 <= every <= Fraction(c, n) <= some <= 1
