"""Nothing in a value may raise: huge numbers, odd texts, nested values."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rightcall import evaluate
from rightcall.core.jsonvalue import decode
from rightcall.judges.local.values import judge_values
from rightcall.judges.local.verdict import about

NAMES = [
    *(
        "value",
        "date",
        "time",
        "month",
        "amount",
        "discount",
        "city",
        "id",
        "password",
        "path",
        "author",
        "tags",
    ),
    *("phone", "unit", "duration", "color", "timezone", "filter", "active", "sql", "url", "email", "country"),
]
TYPES = [None, "string", "integer", "number", "boolean", "array", "object"]
HUGE = [
    "1e400",
    "-1e400",
    "1e-400",
    "9" * 400,
    "1e999999999",
    "9" * 5000,
    "1e99999999999999999999",
    "0.1",
    "1e308",
]
ODD = [
    *(
        "NaN",
        "Infinity",
        "-inf",
        "1e999",
        "²",
        "10⁹⁹⁹",
        "10⁻",
        "()",
        "(",
        "-",
        "(-)",
        "--1",
        "1-",
        "٣",
        "½½",
        "1/0",
    ),
    *("6'2", "1:99:99", "1h99", "9999", "#", "#ff", "{", '{"a":1e400}', "[[[[", "UTC+99", "0000", "+", "00"),
    *(
        "5 µ",
        "5 YW",
        "µ",
        "\ud800",
        "\u200b",
        "а",
        "\u202e",
        "I",
        "VIIII",
        "a",
        "'s",
        "n't",
        "!",
        "1,2,3",
        "99.99.9999",
    ),
]
NUMBERS = st.one_of(
    st.integers(),
    st.integers(-(10**420), 10**420),
    st.floats(),
    st.sampled_from([decode(text) for text in HUGE]),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.text(max_size=20), st.sampled_from(ODD)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=5,
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(VALUES, VALUES, st.sampled_from(NAMES), st.sampled_from(TYPES))
@example(decode("1e400"), 2, "a", None)
@example(decode("1e400"), "5 km", "distance", None)
@example(decode("9" * 400), "2026-01-01T00:00:00Z", "date", None)
@example(decode("1e999999999"), 2, "value", "number")
@example(decode("9" * 5000), "true", "active", "boolean")
@example(10**4000, "12", "id", None)
@example(10**4000, "1234567", "phone", None)
@example("(" * 5000 + "5%" + ")" * 5000, 5, "discount", None)
@example('{"a":' * 5000, {"a": 1}, "filter", None)
@example("[" * 5000, [1], "tags", "array")
@example(float("nan"), "nan", "amount", None)
def test_any_json_value_gets_a_probability(a: Any, b: Any, name: str, kind: str | None) -> None:
    known = about(name, {"type": kind} if kind else None)
    found = judge_values(a, b, known)
    assert 0.0 <= found.probability <= 1.0
    assert judge_values(b, a, known) == found


@pytest.mark.parametrize("huge", HUGE)
@pytest.mark.parametrize(
    "other", ["2", '"2"', '"5 km"', '"2026-01-01T00:00:00Z"', "true", "[2]", '{"b":1}', "1e401"]
)
def test_huge_numbers_are_judged_as_arguments(huge: str, other: str) -> None:
    for name in ("a", "date", "phone", "id"):
        expected, actual = (
            [{"name": "f", "arguments": json.dumps({name: 0}).replace("0", text)}] for text in (huge, other)
        )
        found = evaluate("tool_call_semantic", output=actual, expected=expected)
        assert found.score is not None
        assert found.score < 0.5


def test_a_default_said_of_a_huge_number_is_no_error() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer", "description": "Default is 3."}}}
    found = evaluate(
        "tool_call_semantic",
        output=[{"name": "f", "arguments": {}}],
        expected=[{"name": "f", "arguments": {"n": 10**400}}],
        tools=[{"name": "f", "parameters": schema}],
    )
    assert found.score == 0.01
