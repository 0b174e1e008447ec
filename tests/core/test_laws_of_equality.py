"""The laws of contract 2, stated once for all inputs."""

from __future__ import annotations

import copy
import json
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall import evaluate
from rightcall.core.equality.compare import Comparer
from rightcall.core.jsonvalue import canonical, canonical_key, decode, same_value
from rightcall.core.options import merge_layers, parse_call_options
from tests import strategies as draw_from


def comparer(options: dict[str, Any]) -> Comparer:
    return Comparer(merge_layers([parse_call_options(options, field="")]), draw_from.SCHEMA)


def same(comparer: Comparer, expected: dict[str, Any], actual: dict[str, Any]) -> bool:
    return comparer.same(comparer.normal(canonical(expected)), comparer.normal(canonical(actual)))


def truly_same(a: Any, b: Any) -> bool:
    """The table of contract 2 without options, written down a second time and slowly."""
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return type(a) is type(b) and a == b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        if math.isinf(a) or math.isinf(b):
            return a == b
        return Fraction(a) == Fraction(b)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(truly_same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(truly_same, a, b))
    return isinstance(a, str) and isinstance(b, str) and a == b


with_nan = st.one_of(draw_from.any_scalars, st.sampled_from([math.nan, math.inf, -math.inf, float("nan")]))


@given(draw_from.respelled(with_nan))
def test_equality_is_what_the_table_says(pair: tuple[Any, Any]) -> None:
    a, b = pair
    assert same_value(canonical(a), canonical(b)) == truly_same(a, b)


@given(draw_from.json_values, draw_from.json_values)
def test_equal_values_have_equal_keys(a: Any, b: Any) -> None:
    left, right = canonical(a), canonical(b)
    assert canonical_key(left) == canonical_key(canonical(draw_from.shuffled_keys(a)))
    if same_value(left, right):
        assert canonical_key(left) == canonical_key(right)


@given(draw_from.json_values)
def test_a_value_is_read_from_its_text_as_it_is_from_python(value: Any) -> None:
    text = json.dumps(value)
    assert same_value(decode(text), canonical(value))
    assert same_value(decode(text.encode()), canonical(value))
    assert same_value(decode(json.dumps(value, ensure_ascii=False)), canonical(value))


@given(st.one_of(st.just({}), draw_from.normalising_options), st.data())
def test_equality_is_an_equivalence_relation(options: dict[str, Any], data: st.DataObject) -> None:
    judge = comparer(options)
    a, b = data.draw(draw_from.argument_pairs())
    c = data.draw(st.one_of(draw_from.altered(b), draw_from.arguments))
    assert same(judge, a, a)
    assert same(judge, a, b) == same(judge, b, a)
    if same(judge, a, b) and same(judge, b, c):
        assert same(judge, a, c)
    normal_a, normal_b = judge.normal(canonical(a)), judge.normal(canonical(b))
    if judge.same(normal_a, normal_b):
        assert judge.key(normal_a) == judge.key(normal_b), "equal calls are found by hash"


@given(draw_from.options, draw_from.arguments)
def test_a_value_compared_with_itself_finds_nothing(options: dict[str, Any], value: dict[str, Any]) -> None:
    judge = comparer(options)
    assert same(judge, value, value)
    assert list(judge.gaps(canonical(value), canonical(value))) == []
    assert list(judge.gaps(canonical(value), canonical(draw_from.shuffled_keys(value)))) == []


@given(draw_from.options, draw_from.argument_pairs())
def test_there_are_gaps_just_where_two_values_differ(options: dict[str, Any], pair: tuple[Any, Any]) -> None:
    judge = comparer(options)
    expected, actual = pair
    gaps = list(judge.gaps(canonical(expected), canonical(actual)))
    assert (not gaps) == same(judge, expected, actual)


@given(draw_from.options, draw_from.argument_pairs())
def test_key_order_never_matters(options: dict[str, Any], pair: tuple[Any, Any]) -> None:
    judge = comparer(options)
    expected, actual = pair
    assert same(judge, expected, actual) == same(judge, draw_from.shuffled_keys(expected), actual)
    assert same(judge, expected, actual) == same(judge, expected, draw_from.shuffled_keys(actual))


@given(draw_from.options, draw_from.argument_pairs())
def test_a_share_is_one_just_where_arguments_are_the_same(
    options: dict[str, Any], pair: tuple[Any, Any]
) -> None:
    judge = comparer(options)
    expected, actual = (judge.normal(canonical(side)) for side in pair)
    share = judge.share(expected, actual)
    assert 0 <= share <= 1
    if judge.options.args == "exact":
        assert (share == 1) == judge.same(expected, actual)


@given(draw_from.options, draw_from.argument_pairs())
def test_inputs_are_never_modified(options: dict[str, Any], pair: tuple[Any, Any]) -> None:
    expected, actual = pair
    calls = [{"name": "f", "arguments": actual}], [{"name": "f", "arguments": expected}]
    tools = [{"name": "f", "parameters": copy.deepcopy(draw_from.SCHEMA)}]
    before = copy.deepcopy((calls, tools, options))
    order = json.dumps((calls, tools, options))
    result = evaluate("tool_call_args", output=calls[0], expected=calls[1], tools=tools, **options)
    assert result.details is not None
    assert (calls, tools, options) == before
    assert json.dumps((calls, tools, options)) == order


SPELLINGS = st.sampled_from(["1", " 1", "1 ", "true", "TRUE", "null", "Null ", "é", "E\u0301", 1, True, None])
TEXT_OPTIONS: list[dict[str, Any]] = [
    {"strip": True},
    {"ignore_case": True},
    {"unicode": "NFC"},
    {"coerce_types": True},
]


@pytest.mark.parametrize("more", TEXT_OPTIONS, ids=str)
@given(pair=st.tuples(SPELLINGS, SPELLINGS))
def test_one_option_more_never_makes_equal_texts_differ(more: dict[str, Any], pair: tuple[Any, Any]) -> None:
    # Each row of the table says what an option makes the same; another option does not take that back.
    expected, actual = {"a": pair[0]}, {"a": pair[1]}
    for held in TEXT_OPTIONS:
        if same(comparer(held), expected, actual):
            assert same(comparer(held | more), expected, actual), (held, more)


@given(draw_from.argument_pairs(), st.sampled_from(["numeric_tolerance", "args"]))
def test_loose_options_accept_what_is_equal_without_them(pair: tuple[Any, Any], name: str) -> None:
    values: dict[str, Any] = {
        "numeric_tolerance": [0, 1, {"rel": 0.1}],
        "args": ["allow_extra", "allow_missing", "ignore"],
    }
    if same(comparer({}), *pair):
        for value in values[name]:
            assert same(comparer({name: value}), *pair)
