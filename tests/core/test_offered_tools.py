"""Definitions of tools as objects of an SDK, and as google-genai dumps them by their names in Python."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import pytest

from rightcall import DataError, evaluate
from rightcall.core.schema.tools import read_tools


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


NULL = {"type": "null"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"type": "STRING", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        (
            {"type": "string", "nullable": True, "enum": ["a"]},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({"nullable": True, "$ref": "#/$defs/A"}, {"anyOf": [{"$ref": "#/$defs/A"}, NULL]}),
        (
            {"nullable": True, "allOf": [{"$ref": "#/$defs/A"}], "default": None},
            {"default": None, "anyOf": [{"allOf": [{"$ref": "#/$defs/A"}]}, NULL]},
        ),
        (
            {"anyOf": [{"type": "STRING"}], "nullable": True},
            {"anyOf": [{"anyOf": [{"type": "string"}]}, NULL]},
        ),
        ({"nullable": True}, {}),
        (
            {"type": "ARRAY", "maxItems": "2", "minItems": "0"},
            {"type": "array", "maxItems": 2, "minItems": 0},
        ),
        ({"type": "STRING", "minLength": "2"}, {"type": "string", "minLength": 2}),
        ({"type": "TYPE_UNSPECIFIED"}, {}),
        ({"type": ["STRING", "NULL"]}, {"type": ["string", "null"]}),
        ({"type_": "STRING", "max_items": "0", "enum": [], "format_": ""}, {"type": "string"}),
        (
            {"type_": 5, "items": {"type_": 3}, "max_items": "4"},
            {"type": "array", "items": {"type": "integer"}, "maxItems": 4},
        ),
        ({"type_": 0}, {}),
        (
            {"type": "STRING", "nullable": True, "default": None},
            {"type": ["string", "null"], "default": None},
        ),
        ({"type": "OBJECT", "anyOf": None, "maxProperties": None}, {"type": "object"}),
        (
            {"type": "number", "minimum": 1, "exclusiveMinimum": True},
            {"type": "number", "exclusiveMinimum": 1},
        ),
        ({"type": "number", "maximum": 1, "exclusiveMaximum": False}, {"type": "number", "maximum": 1}),
        (
            {"type": "object", "properties": {"nullable": {"type": "STRING"}, "type_": {}}},
            {"type": "object", "properties": {"nullable": {"type": "string"}, "type_": {}}},
        ),
        (
            {"enum": [{"type": "STRING"}], "const": {"nullable": True}},
            {"enum": [{"type": "STRING"}], "const": {"nullable": True}},
        ),
    ],
    ids=str,
)
def test_the_dialects_of_openapi_and_gemini(written: dict[str, Any], meant: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"a": written}}
    before = copy.deepcopy(schema)
    assert read_tools([{"name": "water", "parameters": schema}])[0].schema == {
        "type": "object",
        "properties": {"a": meant},
    }
    assert schema == before


def test_a_schema_that_names_its_draft_is_taken_as_it_is() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "properties": {"a": {"type": "string", "nullable": True}},
    }
    assert read_tools([{"name": "water", "parameters": schema}])[0].schema == schema


def test_null_is_valid_where_it_may_be() -> None:
    pytest.importorskip("jsonschema_rs")
    tools = [
        {
            "name": "f",
            "parameters": {
                "type": "OBJECT",
                "properties": {"a": {"type": "STRING", "nullable": True, "minLength": "2"}},
            },
        }
    ]
    scores = [
        evaluate("tool_call_valid", output=[{"name": "f", "arguments": {"a": value}}], tools=tools).score
        for value in (None, "ab", "a", 5)
    ]
    assert scores == [1.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "form",
    [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "result": {"tools": [{"name": "water", "inputSchema": {"type": "object"}}]},
        },
        {
            "toolConfig": {
                "tools": [
                    {"toolSpec": {"name": "water", "inputSchema": {"json": {"type": "object"}}}},
                    {"cachePoint": {"type": "default"}},
                ]
            }
        },
        {"tool_config": {"tools": [{"name": "water", "parameters": {"type": "object"}}]}},
    ],
    ids=["mcp", "bedrock", "snake"],
)
def test_objects_around_a_list_of_tools(form: dict[str, Any]) -> None:
    (spec,) = read_tools(form)
    assert (spec.name, spec.schema) == ("water", {"type": "object"})
    with pytest.raises(DataError):
        read_tools({"result": {"content": []}})


@pytest.mark.parametrize(
    "other",
    [
        *({"googleSearch": {}}, {"google_search": {}, "function_declarations": None}, {"code_execution": {}}),
        *(
            {"urlContext": {}},
            {"cachePoint": {"type": "default"}},
            {"systemTool": {"name": "nova_grounding"}},
        ),
        *({"type": "web_search"}, {"type": "mcp", "server_label": "x"}),
    ],
)
def test_what_the_provider_runs_hides_no_other_tool(other: dict[str, Any]) -> None:
    schema = {"type": "object"}
    for own in (
        {"functionDeclarations": [{"name": "f", "parameters": schema}]},
        {"name": "f", "parameters": schema},
    ):
        assert [(tool.name, tool.schema) for tool in read_tools([own, other])] == [("f", schema)]
