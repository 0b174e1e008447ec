"""Matchers as Python objects are what their JSON forms are."""

from __future__ import annotations

from typing import Any

import pytest

from rightcall import ExpectationError, evaluate, matchers
from rightcall.core.matcher import MATCHERS, Matcher

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
