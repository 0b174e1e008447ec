"""The table of contract 2, row by row, in both directions, from Python values and from JSON text."""

from __future__ import annotations

import enum
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rightcall import evaluate
from rightcall.core.jsonvalue import canonical, canonical_key, decode, same_value


def call(text: str) -> str:
    return f'[{{"name": "f", "arguments": {{"v": {text}}}}}]'


def equal_texts(expected: str, actual: str, **options: Any) -> bool:
    """Both sides as JSON text; equal means a full score."""
    result = evaluate("tool_call_args", output=call(actual), expected=call(expected), **options)
    return bool(result.score == 1.0)


def equal_values(expected: Any, actual: Any, **options: Any) -> bool:
    """Both sides as Python objects."""
    made, wanted = ([{"name": "f", "arguments": {"v": side}}] for side in (actual, expected))
    return bool(evaluate("tool_call_args", output=made, expected=wanted, **options).score == 1.0)


ONES = "1" * 5000
SAME = [
    ("89", "89.0"),
    ("1e2", "100"),
    ("-0.0", "0"),
    ("-0", "0.0"),
    ("-0e0", "0"),
    ("1E+2", "100.00"),
    ("1e-400", "0"),
    ("9007199254740992", "9007199254740992.0"),
    ("1e22", "10000000000000000000000"),
    ("1e400", "1e400"),
    ("1e400", "10e399"),
    ("1e400", "1" + "0" * 400),
    ("-1.50e400", "-15e399"),
    ("1e5000", "1" + "0" * 5000),
    ("1e99999", "10e99998"),
    ("1e9999999999", "1e9999999999"),
    ("1e99999999999999999999999", "1e99999999999999999999999"),
    (ONES, ONES),
    (f"-{ONES}", f"-{ONES}"),
    (ONES + ".0", ONES + ".0"),
    ("2" * 4300, "2" * 4300 + ".0e0"),
    (str(2**64), str(2**64)),
    (str(-(2**63) - 1), str(-(2**63) - 1)),
    ('"é"', '"\\u00e9"'),
    ('"😀"', '"\\ud83d\\ude00"'),
    ('"a\\/b"', '"a/b"'),
    ('{"a": 1, "b": {"c": 2, "d": 3}}', '{"b": {"d": 3.0, "c": 2}, "a": 1}'),
    ('[{"a": 1, "b": 2}]', '[{"b": 2, "a": 1}]'),
    ("[]", "[ ]"),
    ("null", "null"),
    ("[true, false]", "[true, false]"),
]
DIFFERENT = [
    ("9007199254740993", "9007199254740992.0"),
    ("9007199254740993", "9007199254740992"),
    ("1e30", "1" + "0" * 30),
    (str(2**64), str(2**64 + 1)),
    (str(10**400), str(10**400 + 1)),
    (ONES, ONES[:-1] + "2"),
    ("1e400", "1e401"),
    ("1e400", "-1e400"),
    ("1e400", "1.0000000000000000000000000000000001e400"),
    ("1e400", "1e308"),
    ("0.30000000000000004", "0.3"),
    ('"89"', "89"),
    ('"true"', "true"),
    ('"null"', "null"),
    ("true", "1"),
    ("false", "0"),
    ("true", "1.0"),
    ("[true]", "[1]"),
    ('{"a": [0, {"b": false}]}', '{"a": [0, {"b": 0}]}'),
    ("[[1, true]]", "[[true, 1]]"),
    ("null", "false"),
    ("null", "0"),
    ("null", '""'),
    ("null", "{}"),
    ("[]", "{}"),
    ('{"a": null}', "{}"),
    ("[1, 2]", "[2, 1]"),
    ("[1]", "[1, 1]"),
    ('"a"', '"A"'),
    ('"a"', '" a"'),
    ('"a"', '"a\\n"'),
    ('"é"', '"e\\u0301"'),
    ('"2026-01-01T00:00:00Z"', '"2026-01-01T01:00:00+01:00"'),
    ('{"a": 1}', '{"a": 1, "b": 2}'),
    ('"{\\"a\\": 1}"', '{"a": 1}'),
    ("[1]", "1"),
    ('{"k": 1}', '{"K": 1}'),
]


def short(value: object) -> str:
    text = str(value)
    return text if len(text) < 40 else f"{text[:30]}..{len(text)}"


@pytest.mark.parametrize(("a", "b"), SAME, ids=short)
def test_these_are_the_same(a: str, b: str) -> None:
    assert equal_texts(a, b)
    assert equal_texts(b, a)
    assert same_value(decode(a), decode(b))
    assert canonical_key(decode(a)) == canonical_key(decode(b))


@pytest.mark.parametrize(("a", "b"), DIFFERENT, ids=short)
def test_these_are_not(a: str, b: str) -> None:
    assert not equal_texts(a, b)
    assert not equal_texts(b, a)
    assert not same_value(decode(a), decode(b))


@pytest.mark.parametrize(
    ("options", "a", "b"),
    [
        ({"numeric_tolerance": 1e-9}, "0.30000000000000004", "0.3"),
        ({"coerce_types": True}, '"89"', "89"),
        ({"coerce_types": True}, '"89.0"', "89"),
        ({"coerce_types": True}, '"1"', '"1.0"'),
        ({"coerce_types": True}, '"true"', "true"),
        ({"coerce_types": True}, '"null"', "null"),
        ({"coerce_types": True}, '["-1e2"]', "[-100]"),
        ({"null_equals_missing": True}, '{"a": null, "b": 1}', '{"b": 1}'),
        ({"null_equals_missing": True, "coerce_types": True}, '{"a": "null"}', "{}"),
        ({"unordered": True}, "[1, 2, 2]", "[2, 1, 2]"),
        ({"unordered": True}, "[[1, 2], [3]]", "[[3], [2, 1]]"),
        ({"unordered": True}, '[{"a": [1, 2]}, null]', '[null, {"a": [2, 1]}]'),
        ({"ignore_case": True}, '"Straße"', '"STRASSE"'),
        ({"ignore_case": True}, '{"a": ["X"]}', '{"a": ["x"]}'),
        ({"strip": True}, '" a\\t"', '"a\\n"'),
        ({"unicode": "NFC"}, '"é"', '"e\\u0301"'),
        ({"decode_nested_json": True}, '"{\\"a\\": 1}"', '{"a": 1.0}'),
        ({"decode_nested_json": True}, '"[1, 2]"', "[1, 2]"),
        ({"decode_nested_json": True}, '"{\\"a\\": \\"[1]\\"}"', '{"a": [1]}'),
        ({"ignore": ["/v/id"]}, '{"id": 1, "a": 2}', '{"id": 3, "a": 2}'),
        ({"ignore": ["/v/*/id"]}, '[{"id": 1}, {"id": 2}]', "[{}, {}]"),
    ],
    ids=short,
)
def test_an_option_makes_these_the_same_and_nothing_else_does(
    options: dict[str, Any], a: str, b: str
) -> None:
    assert equal_texts(a, b, **options)
    assert equal_texts(b, a, **options)
    assert not equal_texts(a, b)


@pytest.mark.parametrize(
    ("options", "a", "b"),
    [
        ({"coerce_types": True}, '"02139"', "2139"),
        ({"coerce_types": True}, '" 1"', "1"),
        ({"coerce_types": True}, '"1 "', "1"),
        ({"coerce_types": True}, '"+1"', "1"),
        ({"coerce_types": True}, '"True"', "true"),
        ({"coerce_types": True}, '"NaN"', "null"),
        ({"coerce_types": True}, '"1_000"', "1000"),
        ({"coerce_types": True}, '"١"', "1"),
        ({"coerce_types": True}, "true", "1"),
        ({"coerce_types": True}, '"true"', "1"),
        ({"coerce_types": True}, '"1"', "true"),
        ({"coerce_types": True}, '"[1]"', "[1]"),
        ({"coerce_types": True}, '""', "null"),
        ({"decode_nested_json": True}, '"1"', "1"),
        ({"decode_nested_json": True}, '"\\"a\\""', '"a"'),
        ({"decode_nested_json": True}, '"{\\"a\\": 1"', '{"a": 1}'),
        ({"null_equals_missing": True}, "[1, null]", "[1]"),
        ({"null_equals_missing": True}, "[null]", "[]"),
        ({"ignore_case": True}, '{"K": 1}', '{"k": 1}'),
        ({"unordered": True}, "[1, 2, 2]", "[1, 1, 2]"),
        ({"unordered": True}, "[1]", "[true]"),
        ({"unordered": ["/v/0"]}, "[[1], [2]]", "[[2], [1]]"),
        ({"numeric_tolerance": 5}, "true", "1"),
        ({"numeric_tolerance": 5}, '"1"', '"2"'),
        ({"numeric_tolerance": 5}, '"1"', "1"),
        ({"numeric_tolerance": 5}, "null", "0"),
        ({"strip": True}, '"a b"', '"ab"'),
        ({"unicode": "NFC"}, '"ﬁ"', '"fi"'),
    ],
    ids=short,
)
def test_an_option_does_not_stretch_to_these(options: dict[str, Any], a: str, b: str) -> None:
    assert not equal_texts(a, b, **options)
    assert not equal_texts(b, a, **options)


@pytest.mark.parametrize(
    ("tolerance", "expected", "actual", "same"),
    [
        (0.1, "0.1", "0.2", True),  # in doubles 0.2 - 0.1 is 0.1, but 0.3 - 0.2 is not
        (0.1, "0.2", "0.3", True),
        (0.1, "0.3", "0.2", True),
        (0.1, "0.2", "0.30000000000000004", False),
        (0, "1", "1.0", True),
        (0, "1", "2", False),
        (1, "9007199254740993", "9007199254740992", True),
        (0, "9007199254740993", "9007199254740992", False),
        (1, str(10**30), str(10**30 + 1), True),
        (1, str(10**30), str(10**30 + 2), False),
        ({"rel": 0.1}, "100", "110", True),
        ({"rel": 0.1}, "110", "100", True),
        ({"rel": 0.1}, "100", "111", False),
        ({"rel": 0.1}, "111", "100", True),  # scaled by the expected value: the direction matters
        ({"rel": 0.5}, "-2", "-1", True),
        ({"rel": 0.5}, "0", "0.1", False),
        (0.5, '[1, {"a": 2}]', '[1.5, {"a": 1.5}]', True),
        (0.5, "[1]", "[1, 1]", False),
        ({"/v/0": 1}, "[1, 1]", "[2, 1]", True),
        ({"/v/0": 1}, "[1, 1]", "[1, 2]", False),
        ({"/v/*": 1}, "[1, 1]", "[2, 0]", True),
        ({"/v/*/a": {"rel": 1}}, '[{"a": 1, "b": 1}]', '[{"a": 2, "b": 1}]', True),
        ({"/v/*/a": {"rel": 1}}, '[{"a": 1, "b": 1}]', '[{"a": 1, "b": 2}]', False),
    ],
    ids=short,
)
def test_tolerance_is_exact_at_its_boundary(tolerance: Any, expected: str, actual: str, same: bool) -> None:
    assert equal_texts(expected, actual, numeric_tolerance=tolerance) is same


def test_elements_near_each_other_are_paired_by_a_maximum_matching() -> None:
    # First come, first served would give 1.5 its first neighbour 1 and leave 0.6 without one.
    assert equal_texts("[1, 2]", "[1.5, 0.6]", unordered=True, numeric_tolerance=0.5)
    assert equal_texts("[1, 2]", "[0.6, 1.5]", unordered=True, numeric_tolerance=0.5)
    assert not equal_texts("[1, 2]", "[1.5, 2.6]", unordered=True, numeric_tolerance=0.5)


@pytest.mark.parametrize(
    ("mode", "expected", "actual", "same"),
    [
        ("allow_extra", {"a": 1}, {"a": 1, "b": 2}, True),
        ("allow_extra", {"a": 1, "b": 2}, {"a": 1}, False),
        ("allow_extra", {}, {"a": 1}, True),
        ("allow_extra", {"a": {"x": 1}}, {"a": {"x": 1, "y": 2}}, False),
        ("allow_missing", {"a": 1, "b": 2}, {"a": 1}, True),
        ("allow_missing", {"a": 1}, {"a": 1, "b": 2}, False),
        ("allow_missing", {"a": 1}, {}, True),
        ("allow_missing", {"a": {"x": 1, "y": 2}}, {"a": {"x": 1}}, False),
        ("allow_missing", {"a": 1}, {"a": 2}, False),
        ("ignore", {"a": 1}, {"b": [2]}, True),
        ("exact", {"a": 1}, {"a": 1, "b": 2}, False),
    ],
)
def test_how_keys_may_differ(mode: str, expected: dict[str, Any], actual: dict[str, Any], same: bool) -> None:
    made, wanted = ([{"name": "f", "arguments": side}] for side in (actual, expected))
    assert evaluate("tool_call_args", output=made, expected=wanted, args=mode).score == float(same)


def test_ignored_arguments_must_still_be_readable() -> None:
    broken = [{"name": "f", "arguments": "{"}]
    wanted = [{"name": "f", "arguments": {}}]
    result = evaluate("tool_call_args", output=broken, expected=wanted, args="ignore")
    assert result.score == 0.0
    assert evaluate("tool_call_accuracy", output=broken, expected=wanted, args="ignore").score == 0.5


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, float("nan"), Decimal("NaN")])
def test_python_numbers_beyond_json_equal_themselves(number: Any) -> None:
    assert equal_values(number, number)
    assert equal_values([{"a": number}], [{"a": number}])
    assert not equal_values(number, None)
    assert not equal_values(number, 0)


def test_nan_and_null_stay_apart_where_calls_are_found_by_hash() -> None:
    calls = [{"name": "f", "arguments": {"a": math.nan}}, {"name": "f", "arguments": {"a": None}}]
    assert evaluate("redundant_calls", output=calls).score == 1.0


def test_nan_and_null_in_an_unordered_array() -> None:
    assert equal_values([math.nan, None], [None, math.nan], unordered=True)


class Colour(str, enum.Enum):  # noqa: UP042 - the older form is what users have
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        ((1, 2), [1, 2]),
        (Decimal("1.50"), 1.5),
        (Decimal(10) ** 400, 10**400),
        (Fraction(1, 2), 0.5),
        (Fraction(10**400), 10**400),
        (2.0, 2),
        (10**4999, Decimal(10) ** 4999),
    ],
    ids=lambda value: f"{type(value).__name__}",
)
def test_python_values_are_compared_as_the_json_that_they_mean(value: Any, plain: Any) -> None:
    assert same_value(canonical(value), canonical(plain))


@pytest.mark.parametrize(
    "value", [{1: 2}, {"a": {None: 1}}, object(), {1, 2}, b"x", 1j, "\ud800", {"\ud800": 1}]
)
def test_what_json_does_not_have_is_unreadable_and_no_crash(value: Any) -> None:
    made, wanted = [{"name": "f", "arguments": {"v": value}}], [{"name": "f", "arguments": {}}]
    result = evaluate("tool_call_accuracy", output=made, expected=wanted)
    assert result.score == 0.5
    assert result.details.differences[0].kind == "unreadable_arguments"


def nested(levels: int, leaf: str = "1") -> str:
    """An arguments object of so many levels, itself the first."""
    return '{"a":' + "[" * (levels - 1) + leaf + "]" * (levels - 1) + "}"


@pytest.mark.parametrize("form", ["bytes", "text", "python"])
@pytest.mark.parametrize(
    ("levels", "readable"), [(199, True), (200, True), (201, False), (399, False), (2000, False)]
)
def test_two_hundred_levels_are_readable(form: str, levels: int, readable: bool) -> None:
    text = nested(levels)
    if form == "bytes":
        made: Any = f'[{{"name": "f", "arguments": {text}}}]'
    else:
        value: Any = text
        if form == "python":
            value = 1
            for _ in range(levels - 1):
                value = [value]
            value = {"a": value}
        made = [{"name": "f", "arguments": value}]
    result = evaluate("tool_call_accuracy", output=made, expected=[{"name": "f", "arguments": {"a": 5}}])
    kinds = [item.kind for item in result.details.differences]
    assert (kinds != ["unreadable_arguments"]) is readable
    if not readable:
        assert "200" in result.reason


def test_a_boolean_two_hundred_levels_down_is_no_number() -> None:
    assert not equal_texts(nested(198, "true")[5:-1], nested(198, "1")[5:-1])
    assert equal_texts(nested(198, "true")[5:-1], nested(198, "true")[5:-1])


def test_more_than_a_handful_of_calls_are_compared_alike() -> None:
    # From some number on calls are grouped by hash: the same rows, seven calls of one name at a time.
    for a, b in SAME:
        wanted = [call(f"[{place}, {a}]")[1:-1] for place in range(7)]
        made = [call(f"[{place}, {b}]")[1:-1] for place in reversed(range(7))]
        result = evaluate("tool_call_args", output=f"[{', '.join(made)}]", expected=f"[{', '.join(wanted)}]")
        assert result.score == 1.0, (short(a), short(b))
    for a, b in DIFFERENT:
        wanted = [call(f"[{place}, {a}]")[1:-1] for place in range(7)]
        made = [call(f"[{place}, {b}]")[1:-1] for place in reversed(range(7))]
        result = evaluate("tool_call_args", output=f"[{', '.join(made)}]", expected=f"[{', '.join(wanted)}]")
        assert result.score == 0.0, (short(a), short(b))


@pytest.mark.parametrize("default", [5.0, 5])
def test_a_declared_default_counts_by_value(default: Any) -> None:
    tools = [{"name": "f", "parameters": {"type": "object", "properties": {"a": {"default": default}}}}]
    made = [{"name": "f", "arguments": {"b": place}} for place in range(7)]
    wanted = [{"name": "f", "arguments": {"b": place, "a": 5}} for place in reversed(range(7))]
    for count in (1, 7):
        pair: dict[str, Any] = {"output": made[:count], "expected": wanted[-count:]}
        assert evaluate("tool_call_args", **pair, tools=tools, schema_defaults=True).score == 1.0
        assert evaluate("tool_call_args", **pair, tools=tools).score == 0.0


def test_null_that_counts_as_left_out_takes_the_default_too() -> None:
    # {} is {"limit": null} by one option and {"limit": 10} by the other, so all three are one.
    value = {"properties": {"limit": {"type": "integer", "default": 10}}}
    tools = [{"name": "f", "parameters": {"properties": {"v": value}}}]
    options = {"schema_defaults": True, "null_equals_missing": True, "tools": tools}
    for expected, actual in ((None, 10), (10, None)):
        assert equal_values({"limit": expected}, {"limit": actual}, **options)
        assert equal_values({}, {"limit": actual}, **options)
    assert not equal_values({"limit": None}, {"limit": 11}, **options)


def test_defaults_are_filled_into_nested_objects_that_are_present() -> None:
    schema = {"properties": {"o": {"properties": {"x": {"default": 1}}}}}
    tools = [{"name": "f", "parameters": schema}]

    def same(expected: dict[str, Any], actual: dict[str, Any]) -> bool:
        made, wanted = ([{"name": "f", "arguments": side}] for side in (actual, expected))
        return (
            evaluate("tool_call_args", output=made, expected=wanted, tools=tools, schema_defaults=True).score
            == 1.0
        )

    assert same({"o": {}}, {"o": {"x": 1}})
    assert same({"o": {"x": 1.0}}, {"o": {}})
    assert not same({"o": {}}, {"o": {"x": 2}})
    assert not same({}, {"o": {}})
