"""Small schemas that ask for more checks than can be made are refused by name, soon; large ordinary ones are not."""

from __future__ import annotations

import time
from typing import Any

import pytest

from rightcall import DataError, evaluate
from rightcall.core.schema.work import steps_at_most, unfolded
from rightcall.run.schemas import satisfies

pytest.importorskip("jsonschema_rs")

MOST_SECONDS = 2.0


def chain(levels: int, keyword: str = "anyOf", **beside: Any) -> dict[str, Any]:
    """Definitions each of which names the one before twice."""
    parts: dict[str, Any] = {"a0": {"type": "string"}}
    for level in range(1, levels + 1):
        parts[f"a{level}"] = {keyword: [{"$ref": f"#/$defs/a{level - 1}"}] * 2, **beside}
    return {"$defs": parts, "properties": {"x": {"$ref": f"#/$defs/a{levels}"}}}


def nested(levels: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A schema that leads back into itself twice, and a value so deep."""
    node = {"properties": {"c": {"anyOf": [{"$ref": "#/$defs/N"}] * 2}}, "required": ["v"]}
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"c": value, "v": 1}
    return {"$defs": {"N": node}, "$ref": "#/$defs/N"}, value


def valid(schema: Any, arguments: Any) -> Any:
    tools = [{"name": "find_room", "parameters": schema}]
    return evaluate("tool_call_valid", output=[{"name": "find_room", "arguments": arguments}], tools=tools)


@pytest.mark.parametrize("levels", [4, 10, 12, 14, 16, 18, 20])
def test_a_schema_of_many_alternatives_is_still_decided(levels: int) -> None:
    started = time.perf_counter()
    assert valid(chain(levels), {"x": "a"}).score == 1.0
    wrong = valid(chain(levels), {"x": 5})
    assert wrong.score == 0.0
    assert len(wrong.details.differences) == 1
    assert time.perf_counter() - started < MOST_SECONDS


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (chain(23), {"x": 5}),
        (chain(25), {"x": 5}),
        (chain(400), {"x": 5}),
        (chain(40, "oneOf"), {"x": 5}),
        (chain(40, "allOf", unevaluatedProperties=False), {"x": {}}),
        nested(30),
        ({"$ref": "#"}, {"x": 5}),
    ],
    ids=["23", "25", "400", "oneOf", "allOf", "recursive", "itself"],
)
def test_a_schema_without_end_is_an_error_that_names_the_tool(schema: Any, arguments: Any) -> None:
    started = time.perf_counter()
    with pytest.raises(DataError, match="find_room"):
        valid(schema, arguments)
    assert time.perf_counter() - started < MOST_SECONDS


@pytest.mark.parametrize("levels", [25, 100])
def test_a_matcher_without_end_is_an_error(levels: int) -> None:
    started = time.perf_counter()
    wanted = [{"name": "f", "arguments": {"y": {"$schema": chain(levels)}}}]
    with pytest.raises(DataError, match="alternatives"):
        evaluate("tool_call_args", output=[{"name": "f", "arguments": {"y": {"x": 5}}}], expected=wanted)
    assert time.perf_counter() - started < MOST_SECONDS


def test_a_recursive_schema_and_a_large_value_are_fine() -> None:
    tree = {
        "type": "object",
        "properties": {"k": {"type": "array", "items": {"$ref": "#"}}, "v": {"type": "integer"}},
    }
    value: dict[str, Any] = {"v": 0}
    for level in range(60):
        value = {"k": [value, {"v": level}], "v": level}
    assert valid(tree, value).score == 1.0
    many: dict[str, Any] = {"k": [{"v": number} for number in range(20_000)]}
    assert valid(tree, many).score == 1.0
    many["k"][777] = {"v": "wrong"}
    (found,) = valid(tree, many).details.differences
    assert found.path == "/k/777/v"


def test_what_is_counted() -> None:
    # The root and x, a2 with its references, a1 with its own, a0.
    assert unfolded(chain(2)) == 1 + 1 + 1 + 2 + 2 + 4 + 4
    assert unfolded({"$ref": "#"}) == float("inf")
    assert steps_at_most({"items": {"type": "string"}}, [1, 2, 3]) == 4
    schema, value = nested(3)
    assert steps_at_most(schema, value) < 100
    assert not satisfies(schema, value)
