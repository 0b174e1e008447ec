"""What `tool_call_valid` and `$schema` say of a value is what the reference implementation says, draft by draft."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall import evaluate
from rightcall.run.schemas import satisfies

pytest.importorskip("jsonschema_rs")
pytestmark = pytest.mark.slow

DRAFTS = {
    "http://json-schema.org/draft-07/schema#": jsonschema.Draft7Validator,
    "https://json-schema.org/draft/2020-12/schema": jsonschema.Draft202012Validator,
    None: jsonschema.Draft202012Validator,
}
NAMES = st.sampled_from(["a", "b", "c"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(-5, 5)
    | st.sampled_from(["", "a", "ab", "2026-03-05"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)
TYPES = st.sampled_from(["object", "array", "string", "number", "integer", "boolean", "null"])


def schemas(inner: Any) -> Any:
    """Schemas of the keywords that tools use, and of those on which the two drafts differ."""
    return st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, min_size=1, max_size=2, unique=True),
            "enum": st.lists(SCALARS, min_size=1, max_size=3),
            "const": SCALARS,
            "minimum": st.integers(-3, 3),
            "exclusiveMaximum": st.integers(-3, 3),
            "multipleOf": st.sampled_from([1, 2, 0.5]),
            "minLength": st.integers(0, 2),
            "pattern": st.sampled_from(["^a", "b$", "[0-9]"]),
            "format": st.just("date"),
            "properties": st.dictionaries(NAMES, inner, max_size=2),
            "required": st.lists(NAMES, max_size=2, unique=True),
            "additionalProperties": st.booleans() | inner,
            "items": inner,
            "maxItems": st.integers(0, 2),
            "uniqueItems": st.booleans(),
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=1), max_size=1),
        },
    )


SCHEMAS = schemas(schemas(st.booleans() | st.fixed_dictionaries({"type": TYPES})))


@pytest.mark.parametrize("draft", DRAFTS, ids=str)
@given(schema=SCHEMAS, value=VALUES)
def test_a_value_satisfies_a_schema_as_the_oracle_says(
    draft: str | None, schema: dict[str, Any], value: Any
) -> None:
    whole = schema if draft is None else {"$schema": draft, **schema}
    oracle = DRAFTS[draft](whole)
    assert satisfies(whole, value) == oracle.is_valid(value)


@pytest.mark.parametrize("draft", DRAFTS, ids=str)
@given(schema=SCHEMAS, arguments=st.dictionaries(NAMES, VALUES, max_size=3))
def test_a_call_is_valid_as_the_oracle_says(
    draft: str | None, schema: dict[str, Any], arguments: dict[str, Any]
) -> None:
    whole = {"type": "object", **schema} | ({} if draft is None else {"$schema": draft})
    tools = [{"name": "f", "inputSchema": whole}]
    result = evaluate("tool_call_valid", output=[{"name": "f", "arguments": arguments}], tools=tools)
    errors = list(DRAFTS[draft](whole).iter_errors(arguments))
    assert (result.score == 1.0) == (not errors)
    # Each violation is named with the place that the oracle gives.
    told = {item.path for item in result.details.differences}
    assert {place(error) for error in errors if error.schema is not False} <= told
    # Of `"items": false` the oracle names the list only (its descent into a false schema leaves the step out).
    refused = {place(error) for error in errors if error.schema is False}
    assert all(any(path == above or path.startswith(f"{above}/") for path in told) for above in refused)


def place(error: jsonschema.ValidationError) -> str:
    return "".join(f"/{step}" for step in error.absolute_path)


def test_a_list_that_may_hold_nothing() -> None:
    tools = [{"name": "f", "inputSchema": {"type": "object", "properties": {"a": {"items": False}}}}]
    result = evaluate("tool_call_valid", output=[{"name": "f", "arguments": {"a": [None]}}], tools=tools)
    assert [item.path for item in result.details.differences][:1] in (["/a/0"], ["/a"])


def test_references_lead_only_within_the_schema() -> None:
    schema = {"$defs": {"city": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/city"}}}
    assert satisfies(schema, {"a": "Oslo"})
    assert not satisfies(schema, {"a": 5})
    for outside in ("http://example.org/x", "file:///etc/passwd", "other.json#/a"):
        with pytest.raises(ValueError, match=r"outside|registry"):
            satisfies({"$ref": outside}, {})
