"""Flakiness: which cases' trials disagree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall.stats import flakiness
from rightcall.stats.flakiness import Flaky

trials = st.dictionaries(
    st.text(max_size=4), st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))
)


def test_counts_those_that_neither_all_pass_nor_all_fail():
    found = flakiness({"sure": (5, 5), "never": (3, 0), "coin": (4, 2), "rare": (5, 4), "once": (1, 1)})
    assert (found.repeated, found.cases, found.share) == (4, 2, 0.5)
    assert found.worst == (Flaky(id="coin", trials=4, passed=2), Flaky(id="rare", trials=5, passed=4))


def test_no_case_was_repeated():
    assert flakiness({"a": (1, 0)}).share is None
    assert flakiness({}).cases == 0


def test_only_the_worst_are_named():
    found = flakiness({f"c{n:02}": (2, 1) for n in range(30)}, most=3)
    assert (found.cases, [case.id for case in found.worst]) == (30, ["c00", "c01", "c02"])


@given(trials, st.randoms())
def test_order_does_not_matter(table, rng):
    items = list(table.items())
    rng.shuffle(items)
    assert flakiness(dict(items)) == flakiness(table)


@given(trials)
def test_flaky_are_at_most_the_repeated(table):
    found = flakiness(table)
    assert 0 <= found.cases <= found.repeated <= len(table)


def test_refuses_more_passes_than_trials():
    with pytest.raises(ValueError, match="passed trials"):
        flakiness({"a": (2, 3)})
