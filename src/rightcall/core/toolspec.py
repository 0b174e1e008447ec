"""The tools that were offered: bare, OpenAI `function`, Anthropic `input_schema`, MCP `inputSchema`, Gemini."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import RecordError
from .nodes import kind_of, opened
from .types import ToolSpec

__all__ = ["read_tools"]

_SCHEMA_KEYS = (
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
    "schema",
)
_LIST_KEYS = ("tools", "functionDeclarations", "function_declarations", "toolSpecs")


def read_tools(value: Any, place: str = "tools") -> tuple[ToolSpec, ...]:
    """The offered tools.

    Raises:
        RecordError: an unknown form; the error says what was seen.
    """
    if isinstance(value, Mapping):
        for key in _LIST_KEYS:
            if value.get(key) is not None:
                return read_tools(value[key], f"{place}.{key}")
        value = [value]
    if not isinstance(value, (list, tuple)):
        raise RecordError(f"{kind_of(value)} where tool definitions should be", field=place)
    specs: list[ToolSpec] = []
    for index, item in enumerate(value):
        where = f"{place}[{index}]"
        if isinstance(item, ToolSpec):
            specs.append(item)
            continue
        item = opened(item)  # noqa: PLW2901 - an SDK's own object as what it dumps itself to
        if isinstance(item, Mapping) and any(item.get(key) is not None for key in _LIST_KEYS):
            specs += read_tools(item, where)
        else:
            specs.append(_read_one(item, where))
    return tuple(specs)


def _read_one(item: Any, place: str) -> ToolSpec:
    if not isinstance(item, Mapping):
        raise RecordError(f"{kind_of(item)} where a tool definition should be", field=place)
    body = item
    for wrapper in ("function", "toolSpec"):
        if isinstance(item.get(wrapper), Mapping):
            body = item[wrapper]
    name = body.get("name")
    if not isinstance(name, str) or not name:
        seen = ", ".join(map(repr, list(item)[:6]))
        raise RecordError(
            "a tool definition of an unknown form, without a name", field=place, hint=f"its keys: {seen}"
        )
    found = [key for key in _SCHEMA_KEYS if body.get(key) is not None]
    schema: Any = body[found[0]] if found else None
    if isinstance(schema, Mapping) and set(schema) == {"json"}:  # Bedrock wraps the schema once more.
        schema = schema["json"]
    if schema is None and not found and (odd := _unknown_schema(body)):
        message = f"the tool {name!r} has no schema that is known, but the key {odd!r} holds an object"
        raise RecordError(message, field=place, hint=f"known keys: {', '.join(_SCHEMA_KEYS)}")
    if schema is not None and not isinstance(schema, Mapping):
        raise RecordError(f"the schema of {name!r} is {kind_of(schema)}, not an object", field=place)
    description = body.get("description")
    try:
        lowered = None if schema is None else _lower_types(dict(schema))
    except RecursionError:
        raise RecordError(f"the schema of {name!r} is nested too deeply", field=place) from None
    return ToolSpec(
        name=name,
        schema=lowered,
        description=description if isinstance(description, str) else None,
    )


def _unknown_schema(body: Mapping[str, Any]) -> str | None:
    """A key that may hold the schema under a name that is not known."""
    for key, value in body.items():
        if (
            isinstance(value, Mapping)
            and ("properties" in value or "type" in value)
            and "output" not in key.lower()
        ):
            return key
    return None


_GEMINI_TYPES = {
    name.upper(): name for name in ("object", "array", "string", "number", "integer", "boolean", "null")
}

_SNAKE_KEYWORDS = {
    "additional_properties": "additionalProperties",
    "any_of": "anyOf",
    **{
        f"{end}_{what.lower()}": f"{end}{what}"
        for end in ("min", "max")
        for what in ("Items", "Length", "Properties")
    },
}
"""How google-genai's Schema spells keywords in Python; it dumps each that was not given as null."""


def _lower_types(schema: Any) -> Any:
    """Gemini writes types in upper case; JSON Schema has no such types, so nothing else can be meant."""
    if schema is None or isinstance(schema, (str, int, float)):
        return schema
    if isinstance(schema, (dict, Mapping)):
        if not _SNAKE_KEYWORDS.keys().isdisjoint(schema):
            schema = {_SNAKE_KEYWORDS.get(key, key): item for key, item in schema.items() if item is not None}
        return {key: _lower_keyword(key, value) for key, value in schema.items()}
    return [_lower_types(item) for item in schema] if isinstance(schema, list) else schema


def _lower_keyword(key: str, value: Any) -> Any:
    if isinstance(value, str):
        return _GEMINI_TYPES.get(value, value) if key == "type" else value
    if key in ("properties", "$defs", "definitions") and isinstance(value, Mapping):
        return {name: _lower_types(item) for name, item in value.items()}  # names, not keywords
    return value if key in ("default", "const", "enum", "example", "examples") else _lower_types(value)
