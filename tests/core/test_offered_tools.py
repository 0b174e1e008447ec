"""Definitions of tools as objects of an SDK, and as google-genai dumps them by their names in Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from rightcall import DataError
from rightcall.core.toolspec import read_tools


@dataclass
class Declaration:
    name: str
    parameters: Any
    description: str | None = None


@dataclass
class Tool:
    retrieval: Any
    function_declarations: list[Any] | None


BED = {"type": "INTEGER", "any_of": None, "min_items": None, "default": None, "minimum": 1.0}


def test_objects_are_read_as_what_they_dump() -> None:
    (spec,) = read_tools([Tool(None, [Declaration("water", {"type": "object"}, "Water a bed.")])])
    assert (spec.name, spec.schema, spec.description) == ("water", {"type": "object"}, "Water a bed.")


def test_a_schema_of_google_genai_loses_what_was_not_given_and_keeps_its_keywords() -> None:
    rows = {"type": "ARRAY", "min_items": 1, "items": BED, "default": None}
    names = {"any_of": BED, "min_items": {"type": "STRING"}, "rows": rows}
    schema = {
        "type": "OBJECT",
        "properties": names,
        "any_of": [BED],
        "additional_properties": False,
        "enum": None,
    }
    (spec,) = read_tools([{"name": "water", "parameters": schema}])
    bed = {"type": "integer", "minimum": 1.0}
    assert spec.schema == {
        "type": "object",
        "properties": {
            "any_of": bed,  # a name, not a keyword
            "min_items": {"type": "string"},
            "rows": {"type": "array", "minItems": 1, "items": bed},
        },
        "anyOf": [bed],
        "additionalProperties": False,
    }


def test_a_null_default_of_any_other_schema_stays() -> None:
    schema = {"type": "object", "properties": {"bed": {"type": ["integer", "null"], "default": None}}}
    assert read_tools([{"name": "water", "parameters": schema}])[0].schema == schema


@pytest.mark.parametrize(
    "odd", [Tool(None, None), Declaration("", {}), object(), 7, {"function_declarations": None}]
)
def test_what_is_no_tool_is_refused(odd: Any) -> None:
    with pytest.raises(DataError):
        read_tools([odd])
