"""Matchers as Python objects are what their JSON forms are."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from rightcall import ExpectationError, evaluate, matchers
from rightcall.core.matcher import MATCHERS, Matcher
from rightcall.errors import EvaluatorError

WRITTEN: dict[str, tuple[Matcher, Any]] = {
    "absent": (matchers.absent(), {"$absent": True}),
    "any": (matchers.any_(), {"$any": True}),
    "approx": (matchers.approx(3.5, abs=0.1), {"$approx": 3.5, "abs": 0.1}),
    "at_least": (matchers.at_least({"a": matchers.any_()}), {"$at_least": {"a": {"$any": True}}}),
    "contains": (matchers.contains("a"), {"$contains": "a"}),
    "datetime": (matchers.datetime("2026-03-05"), {"$datetime": "2026-03-05"}),
    "literal": (matchers.literal({"$any": True}), {"$literal": {"$any": True}}),
    "not": (matchers.not_(5), {"$not": 5}),
    "one_of": (matchers.one_of(1, "b"), {"$one_of": [1, "b"]}),
    "optional": (matchers.optional(1), {"$optional": 1}),
    "range": (matchers.range_(1, None), {"$range": [1, None]}),
    "regex": (matchers.regex("^a"), {"$regex": "^a"}),
    "schema": (matchers.schema({"type": "string"}), {"$schema": {"type": "string"}}),
    "semantic": (matchers.semantic("Nov 12 2025"), {"$semantic": "Nov 12 2025"}),
    "text": (matchers.text("a b"), {"$text": "a b"}),
    "type": (matchers.type_("string"), {"$type": "string"}),
    "unordered": (matchers.unordered(2, 1), {"$unordered": [2, 1]}),
}


def test_values_may_be_given_as_one_list() -> None:
    assert matchers.one_of([1, "b"]).as_json() == {"$one_of": [1, "b"]}
    assert matchers.unordered([2, 1]).as_json() == {"$unordered": [2, 1]}


def test_every_matcher_has_a_function() -> None:
    assert set(WRITTEN) == set(MATCHERS.ids())
    assert len(matchers.__all__) == len(WRITTEN)


@pytest.mark.parametrize("name", WRITTEN)
def test_the_object_is_written_as_its_json_form(name: str) -> None:
    made, written = WRITTEN[name]
    assert made.as_json() == written


@pytest.mark.parametrize("name", WRITTEN)
def test_the_object_scores_as_its_json_form(name: str) -> None:
    found = MATCHERS.get(name).declaration
    made, written = WRITTEN[name]
    for value in (*found.accepts, *found.refuses, 1, "a b", [1, 2], {"$any": True}):
        calls = [{"name": "f", "arguments": {"x": value}}]
        scores = [
            evaluate("tool_call_args", output=calls, expected=[{"name": "f", "arguments": {"x": side}}]).score
            for side in (made, written)
        ]
        assert scores[0] == scores[1], value


def test_wrong_use_is_an_error_of_the_family() -> None:
    for wrong in (
        matchers.one_of,
        lambda: matchers.regex("("),
        lambda: matchers.range_(3, 1),
        lambda: matchers.type_("int"),
        lambda: matchers.datetime("soon"),
    ):
        with pytest.raises(ExpectationError):
            wrong()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: matchers.at_least(5), "$at_least takes an object"),  # type: ignore[arg-type]
        (lambda: matchers.type_(int), "did you mean 'integer'"),  # type: ignore[arg-type]
        (lambda: matchers.type_({}), "$type takes the name of a JSON type, not {}"),  # type: ignore[arg-type]
        (lambda: matchers.type_("strng"), "did you mean 'string'"),
        (lambda: matchers.range_(math.nan, 1), "$range can't end at NaN"),
        (lambda: matchers.range_(math.inf, None), "$range has nothing in it"),
        (lambda: matchers.approx(math.nan), "$approx takes a finite number"),
        (lambda: matchers.approx(1, abs=math.inf), "finite bounds"),
        (lambda: matchers.not_(matchers.absent()), "$not can't turn around"),
        (lambda: matchers.contains(matchers.optional(1)), "$contains can't hold"),
        (lambda: matchers.one_of({"$nonsense": 1}), "$one_of[0]: unknown matcher"),
        (lambda: matchers.text("\ud800"), "lone surrogate"),
        (lambda: matchers.literal(object()), "$literal takes a JSON value"),
    ],
)
def test_an_error_begins_with_the_matcher(wrong: Any, message: str) -> None:
    with pytest.raises(ExpectationError) as caught:
        wrong()
    assert message in str(caught.value)
    assert str(caught.value).startswith("$")


class Raising:
    """Whatever it is asked, it raises."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no\ud800")

    def __repr__(self) -> str:
        raise ValueError("no words")

    __hash__ = object.__hash__


class Nameless(Raising):
    """It has no words of its own, only an address."""

    __repr__ = object.__repr__

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


def test_an_object_that_raises_is_named_by_its_class_and_its_place() -> None:
    made = [{"name": "f", "arguments": {"x": [1]}}]
    with pytest.raises(
        EvaluatorError, match=r"class Raising can't be compared with 1: RuntimeError: no"
    ) as caught:
        evaluate("tool_call_args", output=made, expected=[{"name": "f", "arguments": {"x": [Raising()]}}])
    assert caught.value.field == "expected_tool_calls[0].arguments.x[0]"
    result = evaluate(
        "tool_call_args", output=made, expected=[{"name": "f", "arguments": {"x": [Nameless()]}}]
    )
    assert result.score == 0.0
    assert "Nameless" in result.reason
    assert "0x" not in result.reason
    msgspec.json.encode(result.as_dict())
