"""`schema_defaults` on schemas as libraries write them: with references, alternatives, allOf, and ends to recursion."""

from __future__ import annotations

import time
from typing import Any

import pytest

from rightcall import evaluate
from rightcall.core.schema.defaults import with_defaults
from rightcall.core.schema.document import SchemaDocument, parts_at, without_references

OBJECT: dict[str, Any] = {
    "type": "object",
    "title": "O",
    "properties": {"y": {"type": "integer", "default": 1}},
}
REF: dict[str, Any] = {"$ref": "#/$defs/O"}
TAGGED = [
    {
        "type": "object",
        "properties": {"kind": {"const": kind}, "size": {"default": size}},
        "required": ["kind"],
    }
    for kind, size in (("a", 1), ("b", 2))
]


def nothing(value: Any, path: str) -> bool:
    return False


def filled(value: Any, properties: dict[str, Any], **beside: Any) -> Any:
    schema = {"type": "object", "$defs": {"O": OBJECT}, "properties": properties} | beside
    return with_defaults(value, schema, nothing)


@pytest.mark.parametrize(
    ("declared", "value", "wanted"),
    [
        (REF, {}, {"y": 1}),
        (REF, {"y": 2}, {"y": 2}),
        ({"type": "array", "items": REF}, [{}, {"y": 2}], [{"y": 1}, {"y": 2}]),
        ({"prefixItems": [{}, REF]}, [{}, {}], [{}, {"y": 1}]),
        ({"items": [{}, REF], "additionalItems": REF}, [{}, {}, {}], [{}, {"y": 1}, {"y": 1}]),
        ({"anyOf": [REF, {"type": "null"}], "default": None}, {}, {"y": 1}),
        ({"oneOf": [{"type": "null"}, REF]}, {}, {"y": 1}),
        ({"anyOf": [REF, {"type": "null"}]}, None, None),
        ({"allOf": [REF]}, {}, {"y": 1}),
        ({"allOf": [REF, {"properties": {"z": {"default": 2}}}]}, {}, {"y": 1, "z": 2}),
        ({"additionalProperties": REF}, {"any": {}}, {"any": {"y": 1}}),
        ({"anyOf": TAGGED}, {"kind": "b"}, {"kind": "b", "size": 2}),
        ({"anyOf": TAGGED}, {"kind": "c"}, {"kind": "c"}),
        ({"anyOf": [OBJECT, {"type": "object"}]}, {}, {}),  # which is meant is not told
        ({"anyOf": [REF, {"type": "array", "items": REF}]}, [{}], [{"y": 1}]),
        ({"$ref": "#/$defs/nowhere"}, {}, {}),
        ({"$ref": "https://example.org/else"}, {}, {}),
    ],
    ids=str,
)
def test_defaults_are_filled_into_what_is_there(declared: Any, value: Any, wanted: Any) -> None:
    assert filled({"o": value}, {"o": declared}) == {"o": wanted}


def test_defaults_of_what_is_left_out() -> None:
    assert filled({}, {"o": REF}) == {}
    assert filled({}, {"o": REF | {"default": {}}}) == {"o": {"y": 1}}
    assert filled({}, {"o": {"allOf": [REF], "default": {"y": 5}}}) == {"o": {"y": 5}}
    assert filled(
        {}, {"o": {"$ref": "#/$defs/P"}}, **{"$defs": {"P": {"type": "integer", "default": 3}}}
    ) == {"o": 3}
    assert filled({}, {"o": {"type": "array", "items": REF, "default": [{}]}}) == {"o": [{"y": 1}]}
    assert filled({}, {"o": {"default": 5.0}}) == {"o": 5}


def test_names_within_a_schema() -> None:
    schema = {
        "$id": "https://example.org/tool",
        "$defs": {
            "a": {"$anchor": "here", "properties": {"y": {"default": 1}}},
            "b": {
                "$id": "b",
                "$defs": {"inner": {"properties": {"y": {"default": 2}}}},
                "$ref": "#/$defs/inner",
            },
            "c/d~": {"properties": {"y": {"default": 3}}},
        },
        "properties": {
            "p": {"$ref": "#here"},
            "q": {"$ref": "b"},
            "r": {"$ref": "https://example.org/tool#here"},
            "s": {"$ref": "#/$defs/c~1d~0"},
            "t": {"$ref": "b#/$defs/inner"},
        },
    }
    made = with_defaults({key: {} for key in "pqrst"}, schema, nothing)
    assert made == {"p": {"y": 1}, "q": {"y": 2}, "r": {"y": 1}, "s": {"y": 3}, "t": {"y": 2}}


def test_recursion_ends() -> None:
    node = {"properties": {"v": {"default": 1}, "next": {"$ref": "#/$defs/N", "default": {}}}}
    schema = {"$defs": {"N": node}, "$ref": "#/$defs/N"}
    made = with_defaults({"next": {"next": {}}}, schema, nothing)
    assert made["v"] == made["next"]["v"] == made["next"]["next"]["v"] == 1
    for odd in ({"$ref": "#"}, {"allOf": [{"$ref": "#"}]}, {"properties": {"a": {"$ref": "#/properties/a"}}}):
        assert with_defaults({"a": {}}, odd, nothing) == {"a": {}}


def test_defaults_inside_defaults_end_soon() -> None:
    parts: dict[str, Any] = {"a0": {"properties": {"v": {"default": 1}}}}
    for level in range(1, 40):
        inner = {"$ref": f"#/$defs/a{level - 1}", "default": {}}
        parts[f"a{level}"] = {
            "properties": {"l": inner, "r": inner},
            "anyOf": [{"$ref": f"#/$defs/a{level - 1}"}] * 2,
        }
    started = time.perf_counter()
    with_defaults({}, {"$defs": parts, "$ref": "#/$defs/a39"}, nothing)
    assert time.perf_counter() - started < 2


def test_what_is_scored() -> None:
    tools = [{"name": "f", "parameters": {"$defs": {"O": OBJECT}, "properties": {"o": REF}}}]
    for made, wanted in (({"o": {}}, {"o": {"y": 1}}), ({"o": {"y": 1}}, {"o": {}})):
        sides: dict[str, Any] = {
            "output": [{"name": "f", "arguments": made}],
            "expected": [{"name": "f", "arguments": wanted}],
            "tools": tools,
        }
        assert evaluate("tool_call_args", **sides, schema_defaults=True).score == 1.0
        result = evaluate("tool_call_accuracy", **sides)
        assert result.score == 0.5
        assert result.details.differences[0].accept_with == "schema_defaults=true"


def test_a_matcher_beside_what_is_filled() -> None:
    tools = [{"name": "f", "parameters": {"$defs": {"O": OBJECT}, "properties": {"o": REF}}}]
    wanted = [{"name": "f", "arguments": {"o": {"y": {"$range": [0, 2]}}}}]
    made = [{"name": "f", "arguments": {"o": {}}}]
    assert (
        evaluate("tool_call_args", output=made, expected=wanted, tools=tools, schema_defaults=True).score
        == 1.0
    )


def test_a_matcher_where_a_value_tells_which_alternative_is_meant() -> None:
    tools = [
        {
            "name": "f",
            "parameters": {"properties": {"o": {"anyOf": TAGGED}, "l": {"items": {"anyOf": TAGGED}}}},
        }
    ]
    for kind in ({"$one_of": ["a"]}, {"$any": True}, "a"):
        for wanted in ({"kind": kind}, {"kind": kind, "size": 1}):
            for made in ({"kind": "a"}, {"kind": "a", "size": 1}):
                result = evaluate(
                    "tool_call_args",
                    output=[{"name": "f", "arguments": {"o": made, "l": [made]}}],
                    expected=[{"name": "f", "arguments": {"o": wanted, "l": [wanted]}}],
                    tools=tools,
                    schema_defaults=True,
                )
                assert result.score == 1.0, (wanted, made)


def test_a_matcher_against_a_default() -> None:
    declared = {"anyOf": TAGGED, "default": {"kind": "a"}}
    tools = [{"name": "f", "parameters": {"properties": {"o": declared}}}]
    wanted = [{"name": "f", "arguments": {"o": {"kind": {"$any": True}}}}]
    for made, score in (({}, 1.0), ({"o": {"kind": "b"}}, 1.0), ({"o": {"kind": "b", "size": 1}}, 0.0)):
        output = [{"name": "f", "arguments": made}]
        result = evaluate("tool_call_args", output=output, expected=wanted, tools=tools, schema_defaults=True)
        assert result.score == score, made


def test_other_options_do_not_change_which_alternative_is_meant() -> None:
    tools = [{"name": "f", "parameters": {"properties": {"o": {"anyOf": TAGGED}}}}]
    result = evaluate(
        "tool_call_args",
        output=[{"name": "f", "arguments": {"o": {"kind": "A "}}}],
        expected=[{"name": "f", "arguments": {"o": {"kind": "a", "size": 1}}}],
        tools=tools,
        schema_defaults=True,
        ignore_case=True,
        strip=True,
    )
    assert result.score == 1.0


def test_the_kind_of_a_value_follows_references() -> None:
    schema = {"$defs": {"C": {"enum": ["a", "b"]}}, "properties": {"c": {"items": {"$ref": "#/$defs/C"}}}}
    assert [part["enum"] for part in parts_at(schema, "/c/0") if "enum" in part] == [["a", "b"]]
    sides: dict[str, Any] = {
        "output": [{"name": "f", "arguments": {"c": ["x"]}}],
        "expected": [{"name": "f", "arguments": {"c": ["a"]}}],
    }
    result = evaluate("tool_call_accuracy", **sides, tools=[{"name": "f", "parameters": schema}])
    assert [item.kind for item in result.details.differences] == ["enum_variant"]


def test_a_schema_without_its_references() -> None:
    schema = {
        "$defs": {"O": OBJECT, "N": {"properties": {"n": {"$ref": "#/$defs/N"}, "v": {"type": "string"}}}},
        "properties": {
            "o": {"$ref": "#/$defs/O", "description": "here"},
            "m": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]},
        },
    }
    plain = without_references(schema)
    assert plain["properties"]["o"]["properties"]["y"]["default"] == 1
    assert plain["properties"]["o"]["description"] == "here"
    assert plain["properties"]["m"]["properties"]["v"] == {"type": "string"}
    assert plain["properties"]["m"]["properties"]["n"] == {}
    assert without_references(OBJECT) is OBJECT
    assert SchemaDocument(schema).target("#/$defs/O", schema) is OBJECT
