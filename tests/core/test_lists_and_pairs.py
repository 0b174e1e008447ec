"""Lists without order, elements that may be left out, and calls found by a number: held against brute force."""

from __future__ import annotations

import math
import time
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall import DataError, evaluate, matchers
from rightcall.core.equality.compare import Comparer
from rightcall.core.equality.numbers import within
from rightcall.core.equality.unordered import partners_of_numbers
from rightcall.core.equality.windows import near_by_a_number
from rightcall.core.jsonvalue import canonical
from rightcall.core.match import maximum_matching
from rightcall.core.matcher import MATCHERS, Matcher, matcher_key, parse_value
from rightcall.core.options import Setting, Tolerance, merge_layers, parse_call_options
from rightcall.run.judging.meanings import means
from rightcall.run.schemas import satisfies

LEAF = st.sampled_from([1, 2, "a", "A", None, True])
ITEM = LEAF | st.sampled_from(
    [
        {"$any": True},
        {"$one_of": [1, "a"]},
        {"$optional": 2},
        {"$optional": {"$type": "string"}},
        {"$one_of": ["A", {"$absent": True}]},
        {"$absent": True},
        {"$regex": "^a$"},
        {"$not": 1},
    ]
)
OPTIONS: list[dict[str, Any]] = [{}, {"ignore_case": True}, {"numeric_tolerance": 1}]


def score(expected: Any, actual: Any, **options: Any) -> float | None:
    calls = [[{"name": "f", "arguments": {"x": side}}] for side in (actual, expected)]
    found: float | None = evaluate("tool_call_args", output=calls[0], expected=calls[1], **options).score
    return found


def takes(item: Any, value: Any, options: dict[str, Any]) -> bool:
    return score(item, value, **options) == 1.0


def may_be_left_out(item: Any) -> bool:
    made = parse_value(item)
    return isinstance(made, Matcher) and made.optional


def fits(expected: list[Any], actual: list[Any], options: dict[str, Any]) -> bool:
    """Whether a list is the other in its order, by trying to leave out every element that may be."""
    if not expected:
        return not actual
    first, rest = expected[0], expected[1:]
    if may_be_left_out(first) and fits(rest, actual, options):
        return True
    return bool(actual) and takes(first, actual[0], options) and fits(rest, actual[1:], options)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@given(expected=st.lists(ITEM, max_size=3), actual=st.lists(LEAF, max_size=3))
def test_lists_with_elements_that_may_be_left_out(
    expected: list[Any], actual: list[Any], options: dict[str, Any]
) -> None:
    assert (score(expected, actual, **options) == 1.0) == fits(expected, actual, options)
    free = any(fits(list(order), actual, options) for order in permutations(expected))
    assert (score({"$unordered": expected}, actual, **options) == 1.0) == free
    assert (score(expected, actual, unordered=True, **options) == 1.0) == free


KEYS = st.dictionaries(st.sampled_from("xyz"), ITEM, max_size=3)


@pytest.mark.parametrize(
    "options",
    [
        *({}, {"args": "allow_extra"}, {"args": "allow_missing"}, {"null_equals_missing": True}),
        *(
            {"ignore": ["/y"]},
            {"schema_defaults": True},
            {"schema_defaults": True, "null_equals_missing": True},
        ),
    ],
    ids=str,
)
@given(expected=KEYS, actual=st.dictionaries(st.sampled_from("xyz"), LEAF, max_size=3))
def test_a_share_is_whole_exactly_where_the_calls_are_the_same(
    expected: dict[str, Any], actual: dict[str, Any], options: dict[str, Any]
) -> None:
    schema = {"type": "object", "properties": {"x": {"default": 1}, "z": {"default": None}}}
    comparer = Comparer(merge_layers([parse_call_options(options, field="")]), schema, matching=True)
    wanted = {key: parse_value(item) for key, item in expected.items()}
    same = comparer.same(wanted, actual)
    assert (comparer.share(wanted, actual) == 1) == same
    assert (not comparer.gaps(wanted, actual)) == same


TOOLS = [{"name": "f", "parameters": {"type": "object", "properties": {"x": {"default": 5}}}}]


@pytest.mark.parametrize(
    ("expected", "made", "options", "same"),
    [
        ({"x": {"$absent": True}}, {}, {"schema_defaults": True}, True),
        ({"x": {"$absent": True}}, {"x": 5}, {"schema_defaults": True}, False),
        ({"x": {"$optional": 6}}, {}, {"schema_defaults": True}, True),
        ({"x": {"$one_of": [5, 6]}}, {}, {"schema_defaults": True}, True),
        ({"x": {"$one_of": [6, 7]}}, {}, {"schema_defaults": True}, False),
        ({"x": {"$any": True}}, {"x": None}, {"null_equals_missing": True}, True),
        ({"x": {"$type": "null"}}, {"x": None}, {"null_equals_missing": True, "schema_defaults": True}, True),
        ({"x": {"$one_of": [1]}}, {"x": None}, {"null_equals_missing": True}, False),
        ({"x": {"$absent": True}}, {"x": None}, {"null_equals_missing": True}, True),
        ({"x": {"$one_of": ["a", {"$absent": True}]}}, {}, {}, True),
        ({"x": {"$one_of": ["a", {"$optional": "b"}]}}, {"x": "b"}, {}, True),
        ({"x": {"$one_of": ["a", {"$absent": True}]}}, {"x": "b"}, {}, False),
        ({"x": {"$at_least": {"y": {"$one_of": [1, {"$absent": True}]}}}}, {"x": {}}, {}, True),
    ],
)
def test_a_matcher_looks_at_what_the_agent_wrote(
    expected: Any,
    made: Any,
    options: dict[str, Any],
    same: bool,
) -> None:
    calls = [[{"name": "f", "arguments": side}] for side in (made, expected)]
    for evaluator in ("tool_call_args", "argument_accuracy"):
        result = evaluate(evaluator, output=calls[0], expected=calls[1], tools=TOOLS, **options)
        assert result.score == float(same)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_json_is_of_no_type_in_no_schema_and_nan_in_no_range(value: float) -> None:
    assert score({"$range": [None, None]}, value) == float(not math.isnan(value))
    assert score({"$range": [1, None]}, value) == float(value == math.inf)
    assert score(matchers.range_(1, math.inf), value) == float(value == math.inf)
    for matcher in ({"$schema": {"multipleOf": 2}}, {"$schema": True}, {"$type": "number"}, {"$approx": 1}):
        assert score(matcher, value) == 0.0
        assert score({"$not": matcher}, value) == 1.0


NUMBER = st.integers(-6, 6) | st.floats(-6, 6).map(canonical)


@given(
    expected=st.lists(NUMBER, max_size=6),
    actual=st.lists(NUMBER, max_size=6),
    tolerance=st.builds(Tolerance, st.sampled_from([0, 0.5, 1, 2.5]), st.just(False))
    | st.builds(Tolerance, st.sampled_from([0, 0.1, 0.5, 1]), st.just(True)),
)
def test_numbers_are_paired_by_their_order(
    expected: list[Any], actual: list[Any], tolerance: Tolerance
) -> None:
    edges = [[j for j, made in enumerate(actual) if within(item, made, tolerance)] for item in expected]
    found = partners_of_numbers(expected, actual, tolerance)
    assert found is not None
    assert len(found) == len(maximum_matching(edges, len(actual)))
    assert len(set(found.values())) == len(found)
    assert all(j in edges[i] for i, j in found.items())


@given(
    wanted=st.lists(
        st.fixed_dictionaries({"a": NUMBER, "b": st.lists(NUMBER, min_size=1, max_size=1)}), max_size=6
    ),
    made=st.fixed_dictionaries({"a": NUMBER, "b": st.lists(NUMBER, min_size=1, max_size=1)}),
    tolerance=st.sampled_from([0.5, {"rel": 0.1}, {"rel": 3}, {"/a": 1}, {"/b/*": 2.5}]),
)
def test_the_window_of_a_number_leaves_nobody_out(wanted: list[Any], made: Any, tolerance: Any) -> None:
    parsed = parse_call_options({"numeric_tolerance": tolerance}, field="")
    setting: Setting = parsed["numeric_tolerance"]
    comparer = Comparer(merge_layers([parsed]))
    found = near_by_a_number(list(enumerate(wanted)), setting)(made)
    assert found == sorted(found)
    assert {place for place, value in enumerate(wanted) if comparer.same(value, made)} <= set(found)


@pytest.mark.parametrize("name", MATCHERS.ids())
def test_matchers_written_alike_have_one_key(name: str) -> None:
    example = MATCHERS.get(name).declaration.example
    keys = [matcher_key(parse_value(example, validate=satisfies, means=means)) for _ in range(2)]
    assert keys[0] == keys[1]
    assert hash(keys[0]) == hash(keys[1])
    others = [MATCHERS.get(other).declaration.example for other in MATCHERS.ids() if other != name]
    assert keys[0] not in [matcher_key(parse_value(each, validate=satisfies, means=means)) for each in others]


def test_keys_tell_apart_what_differs() -> None:
    values = [1, True, "1", {"$any": True}, {"$literal": {"$any": True}}, {"$one_of": [{"$any": True}]}]
    values += [
        {"$one_of": [{"$literal": {"$any": True}}]},
        {"$not": 1},
        {"$not": True},
        [1],
        [True],
        {"a": 1},
    ]
    keys = [matcher_key(parse_value(value)) for value in values]
    assert len(set(keys)) == len(keys)


SLOW = 6.0
"""Processor seconds that none of these may take; each took a tenth of it or less when it was written."""


def f(**arguments: Any) -> dict[str, Any]:
    return {"name": "f", "arguments": arguments}


@pytest.mark.parametrize(
    ("actual", "expected", "options", "score"),
    [
        ([f(x=n) for n in range(1000)], [f(x={"$any": True})] * 1000, {}, 1.0),
        ([f(x=n) for n in range(1000)], [f(x={"$range": [0, 998]})] * 1000, {}, 0.999),
        ([f(x=n) for n in range(2000)], [f(x=n + 0.5) for n in range(2000)], {"numeric_tolerance": 0.5}, 1.0),
        ([f(x=n) for n in range(1, 2000)], [f(x=n * 1.001) for n in range(1, 2000)], {"numeric_tolerance": {"rel": 0.01}}, 1.0),
        ([f(x=[*range(3000)])], [f(x={"$unordered": [*range(3000)][::-1]})], {}, 1.0),
        ([f(x=[*range(3000)])], [f(x={"$unordered": [*range(1, 3001)]})], {}, 0.0),
        ([f(x=[*range(3000)])], [f(x={"$unordered": [{"$any": True}, *range(2999)]})], {}, 1.0),
        ([f(x=[*range(3000)])], [f(x=[n + 0.5 for n in range(3000)][::-1])], {"numeric_tolerance": 0.5, "unordered": True}, 1.0),
        ([f(x=[*range(3000)])], [f(x=[n + 0.5 for n in range(3000)])], {"numeric_tolerance": 0.4, "unordered": True}, 0.0),
        (
            [f(x=[{"a": n, "b": "t"} for n in range(3000)])],
            [f(x=[{"a": n + 0.5, "b": "t"} for n in range(3000)][::-1])],
            {"numeric_tolerance": {"/x/*/a": 0.5}, "unordered": True},
            1.0,
        ),
    ],
    ids=range(10),
)  # fmt: skip
def test_what_can_be_found_by_value_is_not_held_against_each_other(
    actual: Any, expected: Any, options: dict[str, Any], score: float
) -> None:
    start = time.process_time()
    assert evaluate("tool_call_args", output=actual, expected=expected, **options).score == score
    assert time.process_time() - start < SLOW


@pytest.mark.parametrize("count", [1, 250])
def test_many_calls_are_paired_by_their_arguments(count: int) -> None:
    made = [f(x=n, y=n % 7) for n in range(count)]
    wanted = [f(x=n + 1000, y=n % 7) for n in range(count)]
    assert evaluate("argument_accuracy", output=made, expected=wanted[::-1]).score == 0.5
    close = [f(x=n + 0.25, y=n % 7) for n in range(600)]
    exactly = evaluate(
        "argument_accuracy",
        output=[f(x=n, y=n % 7) for n in range(600)],
        expected=close,
        numeric_tolerance=0.3,
    )
    assert exactly.score == 1.0


@pytest.mark.parametrize(
    ("evaluator", "actual", "expected", "options", "field"),
    [
        ("argument_accuracy", [f(x=n) for n in range(600)], [f(x=n + 1000) for n in range(600)], {}, "expected_tool_calls"),
        (
            "argument_accuracy",
            [f(x=n) for n in range(600)],
            [{**f(x=n + 1000), "optional": True} for n in range(600)],
            {},
            "expected_tool_calls",
        ),
        ("tool_call_args", [f(x=n) for n in range(3000)], [f(x={"$range": [n, n]}) for n in range(3000)], {}, "expected_tool_calls"),
        ("tool_call_args", [f(x=[*range(1100)])], [f(x={"$unordered": [{"$any": True}] * 1100})], {}, "arguments.x"),
        (
            "tool_call_args",
            [f(x=[[n] for n in range(1100)])],
            [f(x=[[n + 0.5] for n in range(1100)])],
            {"numeric_tolerance": 0.5, "unordered": True},
            "arguments/x",
        ),
        ("tool_call_args", [f()], [{**f(), "count": {"min": 10_000}}] * 11, {}, "expected_tool_calls"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_a_limit_names_the_field(
    evaluator: str, actual: Any, expected: Any, options: dict[str, Any], field: str
) -> None:
    with pytest.raises(DataError, match=r"too many|at most") as caught:
        evaluate(evaluator, output=actual, expected=expected, **options)
    assert field in (caught.value.field or "")
