"""The local judge looks at a schema with references as it looks at one without them."""

from __future__ import annotations

from typing import Any

import pytest

from rightcall import evaluate

pytest.importorskip("rapidfuzz")

PLACE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "unit": {"type": "string", "default": "celsius"},
        "day": {"type": "string", "format": "date"},
    },
}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"at": PLACE}},
        {"$defs": {"P": PLACE}, "properties": {"at": {"$ref": "#/$defs/P"}}},
        {"$defs": {"P": PLACE}, "properties": {"at": {"anyOf": [{"$ref": "#/$defs/P"}, {"type": "null"}]}}},
    ],
    ids=["plain", "reference", "or null"],
)
@pytest.mark.parametrize(("made", "likely"), [({}, True), ({"unit": "kelvin"}, False)])
def test_a_default_behind_a_reference_is_known(schema: Any, made: Any, *, likely: bool) -> None:
    result = evaluate(
        "tool_call_semantic",
        output=[{"name": "f", "arguments": {"at": {"day": "2026-03-05", **made}}}],
        expected=[{"name": "f", "arguments": {"at": {"day": "5 March 2026", "unit": "celsius"}}}],
        tools=[{"name": "f", "parameters": schema}],
    )
    assert result.passed is likely
