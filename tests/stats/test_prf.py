"""Precision, recall and F1: what is undefined stays None."""

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall.stats import PrecisionRecall, macro, precision_recall

counts = st.integers(0, 10**6)


@pytest.mark.parametrize(
    ("counted", "ratios"),
    [
        ((0, 0, 0), (None, None, None)),
        ((0, 3, 0), (0.0, None, 0.0)),
        ((0, 0, 3), (None, 0.0, 0.0)),
        ((0, 2, 3), (0.0, 0.0, 0.0)),
        ((4, 0, 0), (1.0, 1.0, 1.0)),
        ((3, 1, 2), (0.75, 0.6, 6 / 9)),
    ],
)
def test_known_values(counted, ratios):
    result = precision_recall(*counted)
    assert (result.precision, result.recall, result.f1) == ratios
    assert (result.true_positives, result.false_positives, result.false_negatives) == counted


@given(st.integers(1, 10**6), counts, counts)
def test_f1_is_the_harmonic_mean_where_both_are_defined(tp, fp, fn):
    result = precision_recall(tp, fp, fn)
    harmonic = 2 / (1 / Fraction(tp, tp + fp) + 1 / Fraction(tp, tp + fn))
    assert result.f1 == float(harmonic)


@pytest.mark.parametrize("wrong", [(-1, 0, 0), (0, -1, 0), (0, 0, -1)])
def test_refuses_negative_counts(wrong):
    with pytest.raises(ValueError, match="negative"):
        precision_recall(*wrong)


def test_is_a_frozen_value_and_undefined_is_null_in_json():
    result = precision_recall(0, 0, 2)
    assert msgspec.json.decode(msgspec.json.encode(result), type=PrecisionRecall) == result
    assert b'"precision":null' in msgspec.json.encode(result)
    with pytest.raises(AttributeError):
        result.recall = 1.0  # type: ignore[misc]  # that it is refused is the point


def test_macro_is_the_mean_of_the_values():
    assert macro({0.5: 1, 1.0: 3}) == 0.875
    assert macro({0.0: 4}) == 0.0


def test_macro_of_nothing_is_none_not_zero():
    assert macro({}) is None
    assert macro({0.5: 0}) is None


@given(st.dictionaries(st.floats(0, 1), st.integers(1, 50), min_size=1))
def test_macro_does_not_show_order(values):
    items = list(values.items())
    items.reverse()
    mean = macro(dict(items))
    assert mean == macro(values)
    assert mean is not None
    assert min(values) <= mean <= max(values)


@pytest.mark.parametrize("values", [{float("nan"): 1}, {float("inf"): 1}, {0.5: -1}])
def test_macro_refuses_what_is_no_value(values):
    with pytest.raises(ValueError, match="macro needs"):
        macro(values)
