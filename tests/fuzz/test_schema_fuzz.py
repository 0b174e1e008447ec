"""Whatever stands where a schema should: what looks into it either scores or says what is wrong, and soon."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rightcall import RightcallError, evaluate
from rightcall.core.schema.defaults import with_defaults
from rightcall.core.schema.dialects import as_json_schema
from rightcall.core.schema.document import parts_at, without_references
from rightcall.core.schema.tools import read_tools
from rightcall.core.schema.work import steps_at_most, unfolded
from rightcall.run.golden.lint import lint

pytestmark = pytest.mark.slow

WORDS = [
    *(
        "type",
        "properties",
        "items",
        "prefixItems",
        "$ref",
        "$defs",
        "anyOf",
        "oneOf",
        "allOf",
        "enum",
        "const",
    ),
    *(
        "default",
        "required",
        "additionalProperties",
        "additionalItems",
        "nullable",
        "minimum",
        "exclusiveMaximum",
    ),
    *(
        "maxItems",
        "min_length",
        "type_",
        "$id",
        "$anchor",
        "$dynamicRef",
        "not",
        "if",
        "unevaluatedProperties",
        "a",
        "b",
    ),
]
TEXTS = [
    "string",
    "integer",
    "OBJECT",
    "array",
    "null",
    "#",
    "#/$defs/a",
    "#/properties/a",
    "#a",
    "a",
    "b",
    "",
    "5",
    "%zz",
    "http://x/y#a",
]
SCALARS = st.none() | st.booleans() | st.integers(-2, 6) | st.sampled_from(TEXTS) | st.just(1.5)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=14,
)
BRANCHES = st.lists(
    st.fixed_dictionaries(
        {}, optional=dict.fromkeys(("type", "required", "properties", "const", "enum", "default"), JUNK)
    ),
    min_size=1,
    max_size=3,
)
INNER = st.dictionaries(st.sampled_from(WORDS), JUNK, max_size=4) | st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("anyOf", "oneOf", "allOf", "items", "prefixItems"), BRANCHES)
)
SCHEMAS = st.dictionaries(st.sampled_from(WORDS), JUNK, min_size=1, max_size=5) | st.fixed_dictionaries(
    {"properties": st.dictionaries(st.sampled_from(["a", "b", "c"]), INNER, max_size=3)},
    optional={
        "$defs": st.dictionaries(st.sampled_from(["a", "b"]), INNER),
        "anyOf": BRANCHES,
        "required": JUNK,
    },
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3)
    ),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES, max_size=3)


def nothing(value: Any, path: str) -> bool:
    return False


@given(schema=SCHEMAS, value=ARGUMENTS)
@settings(max_examples=400)
def test_a_schema_of_any_shape_is_looked_through(schema: dict[str, Any], value: dict[str, Any]) -> None:
    before = json.dumps([schema, value])
    for each in (schema, as_json_schema(schema), without_references(schema)):
        filled = with_defaults(value, each, nothing)
        assert value.items() <= filled.items() or filled.keys() >= value.keys()
        list(parts_at(each, "/a/0/b"))
        unfolded(each)
        steps_at_most(each, value)
    assert json.dumps([schema, value]) == before


@given(schema=SCHEMAS, made=ARGUMENTS, wanted=ARGUMENTS)
@settings(max_examples=300)
def test_a_case_with_any_schema_is_scored_or_refused(
    schema: dict[str, Any], made: dict[str, Any], wanted: dict[str, Any]
) -> None:
    tools = [{"name": "f", "parameters": schema}]
    calls: dict[str, Any] = {
        "output": [{"name": "f", "arguments": made}],
        "expected": [{"name": "f", "arguments": wanted}],
    }
    chosen: list[tuple[str, dict[str, Any]]] = [
        ("tool_call_accuracy", {}),
        ("tool_call_args", {"schema_defaults": True}),
        ("tool_call_args", {"schema_defaults": True, "null_equals_missing": True, "args": "allow_extra"}),
        ("tool_call_valid", {}),
    ]
    for evaluator, options in chosen:
        try:
            result = evaluate(evaluator, tools=tools, **calls, **options)
        except RightcallError as error:
            told = str(error)
            assert "\n" not in told
            continue
        assert result.score is not None
        assert result.reason
        # What is the same is the same, whatever the schema.
        if made == wanted and json.dumps(made) == json.dumps(wanted) and evaluator != "tool_call_valid":
            assert result.score == 1.0


@given(
    schema=SCHEMAS,
    wanted=st.dictionaries(
        st.sampled_from(["a", "b"]),
        VALUES
        | st.sampled_from(
            [
                {"$any": True},
                {"$one_of": [1, "a", None]},
                {"$range": [1, 2]},
                {"$optional": 1},
                {"$not": {"$type": "null"}},
            ]
        ),
        max_size=2,
    ),
)
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lint_looks_at_any_schema(tmp_path: Path, schema: dict[str, Any], wanted: dict[str, Any]) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({"id": "1", "expected": [{"name": "f", "arguments": wanted}]}) + "\n")
    try:
        tools = read_tools([{"name": "f", "parameters": schema}])
    except RightcallError:
        return
    for finding in lint(str(gold), tools=tools):
        assert "\n" not in finding.message
