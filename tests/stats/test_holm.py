"""Holm's correction against statsmodels, and its laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall.stats import holm

ps = st.lists(st.floats(0, 1), max_size=12)


@given(ps.filter(bool))
@pytest.mark.slow
def test_agrees_with_statsmodels(p_values):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    theirs = multitest.multipletests(p_values, alpha=0.05, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(theirs))


@given(ps)
def test_adjusting_never_lowers_and_keeps_the_order(p_values):
    adjusted = holm(p_values)
    assert all(mine >= p for mine, p in zip(adjusted, p_values, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [adjusted[place] for place in order] == sorted(adjusted)


@given(st.permutations([0.001, 0.01, 0.02, 0.04, 0.9]))
def test_order_does_not_matter(p_values):
    adjusted = dict(zip(p_values, holm(p_values), strict=True))
    assert adjusted == dict(zip(sorted(p_values), holm(sorted(p_values)), strict=True))


def test_one_test_alone_is_left_as_it_is():
    assert holm([0.03]) == [0.03]
    assert holm([]) == []


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan")])
def test_refuses_what_is_no_probability(p):
    with pytest.raises(ValueError, match="p-value"):
        holm([p])
