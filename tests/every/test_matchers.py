"""One suite for every matcher of contract 6. A new file in `core/comparators` is covered without a change here."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import ANY

import jsonschema
import msgspec
import pytest

from rightcall import ExpectationError, evaluate, matchers
from rightcall.core.matcher import MATCHERS, Matcher, parse_expected
from rightcall.errors import EvaluatorError
from rightcall.run.judging.meanings import means
from rightcall.run.schemas import satisfies

EVERY = MATCHERS.ids()


def made(written: Any) -> Any:
    return parse_expected({"x": written}, "arguments", validate=satisfies, means=means)["x"]


def score(expected: Any, actual: Any, evaluator: str = "tool_call_args", **options: Any) -> float | None:
    calls = [[{"name": "f", "arguments": side}] for side in (actual, expected)]
    found: float | None = evaluate(evaluator, output=calls[0], expected=calls[1], **options).score
    return found


@pytest.mark.parametrize("name", EVERY)
def test_the_declaration_is_complete_and_its_example_has_its_schema(name: str) -> None:
    found = MATCHERS.get(name).declaration
    assert found.id == name
    assert found.meaning
    assert found.accepts or found.refuses
    example = dict(found.example)
    jsonschema.validate(example.pop(f"${name}"), found.schema)
    for key, value in example.items():
        jsonschema.validate(value, found.options[key])


@pytest.mark.parametrize("name", EVERY)
def test_what_the_declaration_says_holds_in_a_score(name: str) -> None:
    found = MATCHERS.get(name).declaration
    for value in found.accepts:
        assert score({"x": found.example}, {"x": value}) == 1.0, value
        assert score({"deep": [{"x": found.example}]}, {"deep": [{"x": value}]}) == 1.0, value
        if name != "optional":  # which is about the key, and can't be turned around
            assert score({"x": {"$not": found.example}}, {"x": value}) == 0.0, value
    for value in found.refuses:
        assert score({"x": found.example}, {"x": value}) == 0.0, value
        assert score({"deep": [{"x": found.example}]}, {"deep": [{"x": value}]}) == 0.0, value


@pytest.mark.parametrize("name", EVERY)
def test_it_reads_back_from_what_it_writes(name: str) -> None:
    matcher = made(MATCHERS.get(name).declaration.example)
    if isinstance(matcher, Matcher):
        assert json.loads(repr(matcher)) == json.loads(repr(made(matcher.as_json())))
        assert matcher.words()


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("odd", [None, 0, "", [], {}, "x", [1, 2, 3], {"a": 1}, True, float("nan"), 10**400])
def test_an_odd_value_makes_a_matcher_or_an_error_with_its_place(name: str, odd: Any) -> None:
    error = None
    try:
        made({f"${name}": odd})
    except ExpectationError as caught:
        error = caught
    assert error is None or ((error.field or "").startswith("arguments.x") and error.hint)


@pytest.mark.parametrize("name", EVERY)
def test_something_odd_beside_it_is_refused_with_what_may_stand_there(name: str) -> None:
    example = MATCHERS.get(name).declaration.example | {"odd": 1}
    with pytest.raises(ExpectationError, match="can't stand beside"):
        made(example)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("$onof", "$one_of"), ("$regexp", "$regex"), ("$atleast", "$at_least"), ("$Any", "$any")],
)
def test_a_misspelled_matcher_names_the_nearest_and_literal(written: str, meant: str) -> None:
    with pytest.raises(ExpectationError) as caught:
        score({"x": {written: ["a"]}}, {"x": "a"})
    assert meant in str(caught.value)
    assert "$literal" in str(caught.value)


def test_keys_may_be_left_out_or_must_be() -> None:
    assert score({"x": {"$optional": 5}}, {}) == 1.0
    assert score({"x": {"$absent": True}}, {}) == 1.0
    assert score({"x": {"$optional": {"$range": [1, 3]}}}, {"x": 4}) == 0.0
    assert score({"x": {"$any": True}}, {}) == 0.0
    # What args allows is about plain keys; a key that must be left out stays so.
    assert score({"x": {"$absent": True}}, {"x": 1}, args="allow_extra") == 0.0
    assert score({"x": {"$absent": True}}, {"x": None}, null_equals_missing=True) == 1.0
    assert score({"x": {"$optional": 5}, "y": 1}, {"y": 1}, "argument_accuracy") == 1.0
    assert score({"x": {"$optional": 5}, "y": 1}, {"y": 2}, "argument_accuracy") == 0.0


def test_matchers_nest_and_honour_the_options_around_them() -> None:
    assert score({"x": {"$one_of": [{"$range": [1, 3]}, "all"]}}, {"x": 2}) == 1.0
    assert score({"x": {"$unordered": [{"$any": True}, 1]}}, {"x": [1, "a"]}) == 1.0
    assert score({"x": {"$unordered": [{"$any": True}, 1]}}, {"x": ["b", "a"]}) == 0.0
    assert score({"x": {"$at_least": {"a": {"$type": "integer"}}}}, {"x": {"a": 5, "b": 0}}) == 1.0
    assert score({"x": {"$one_of": ["Oslo"]}}, {"x": " OSLO"}) == 0.0
    assert score({"x": {"$one_of": ["Oslo"]}}, {"x": " OSLO"}, ignore_case=True, strip=True) == 1.0
    assert score({"x": [{"$any": True}, 1], "y": 2}, {"x": [1, "b"], "y": 2}, unordered=True) == 1.0
    assert score({"x": {"$contains": {"$regex": "^a"}}}, {"x": ["b", "ab"]}) == 1.0


def test_objects_of_python_compare_by_their_own_equality() -> None:
    class Even:
        def __eq__(self, other: object) -> bool:
            return isinstance(other, int) and other % 2 == 0

        __hash__ = object.__hash__

    class Broken:
        def __eq__(self, other: object) -> bool:
            raise RuntimeError("no")

        __hash__ = object.__hash__

    assert score({"x": ANY}, {"x": {"any": 1}}) == 1.0
    assert score({"x": [Even()]}, {"x": [4]}) == 1.0
    assert score({"x": Even()}, {"x": 5}) == 0.0
    with pytest.raises(EvaluatorError, match="can't be compared with 5: RuntimeError: no"):
        score({"x": Broken()}, {"x": 5})
    with pytest.raises(ExpectationError, match="did you mean to call it"):
        score({"x": matchers.any_}, {"x": 5})
    assert score({"x": ANY}, {}) == 0.0


def test_pairing_with_matchers_is_a_maximum_matching() -> None:
    made_calls = [{"name": "f", "arguments": {"x": 1}}, {"name": "f", "arguments": {"x": 2}}]
    wanted = [{"name": "f", "arguments": {"x": {"$any": True}}}, {"name": "f", "arguments": {"x": 1}}]
    assert evaluate("tool_call_args", output=made_calls, expected=wanted).score == 1.0
    assert evaluate("tool_call_accuracy", output=made_calls, expected=wanted).score == 0.75
    result = evaluate("tool_call_accuracy", output=made_calls, expected=wanted, matching="optimal")
    assert result.score == 1.0


def test_the_reason_says_what_was_expected() -> None:
    calls = [{"name": "f", "arguments": {"city": "Rome"}}]
    expected = [{"name": "f", "arguments": {"city": {"$one_of": ["Oslo", "Bergen"]}}}]
    result = evaluate("tool_call_args", output=calls, expected=expected)
    assert "city is 'Rome' (expected one of 'Oslo', 'Bergen')" in result.reason
    (difference,) = result.details.differences
    assert difference.expected == {"$one_of": ["Oslo", "Bergen"]}
    assert b'"$one_of"' in msgspec.json.encode(result.as_dict())


def test_what_looks_like_a_matcher_on_the_same_bytes_is_still_compared() -> None:
    call = '[{"name": "f", "arguments": {"x": {"$not": 1}}}]'
    assert evaluate("tool_call_args", output=call, expected=call).score == 1.0  # {"$not": 1} is not 1
    call = '[{"name": "f", "arguments": {"x": {"$absent": true}}}]'
    assert evaluate("tool_call_args", output=call, expected=call).score == 0.0


def test_matchers_off_and_on() -> None:
    written = {"x": {"$one_of": ["a"]}}
    assert score(written, written, matchers="off") == 1.0
    assert score(written, {"x": "a"}, matchers="off") == 0.0
    text = [{"name": "f", "arguments": json.dumps(written)}]
    calls = [{"name": "f", "arguments": {"x": "a"}}]
    assert evaluate("tool_call_args", output=calls, expected=text).score == 0.0
    assert evaluate("tool_call_args", output=calls, expected=text, matchers="on").score == 1.0


def test_nothing_in_a_matcher_runs_code_fetches_or_hangs() -> None:
    assert score({"x": {"$regex": "(a+)+$"}}, {"x": "a" * 5000 + "b"}) == 0.0
    for written in (
        {"$schema": {"$ref": "http://localhost:9/x"}},
        {"$schema": {"$ref": "file:///etc/passwd"}},
        {"$regex": "a{5000}{5000}"},
        {"$regex": "(" * 3000},
        {"$regex": "x" * 10_000},
    ):
        with pytest.raises(ExpectationError):
            score({"x": written}, {"x": "a"})
    deep: Any = 1
    for _ in range(300):
        deep = {"$not": {"$not": deep}}
    with pytest.raises(ExpectationError):
        score({"x": deep}, {"x": 1})
