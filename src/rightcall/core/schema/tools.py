"""The tools that were offered: bare, OpenAI `function`, Anthropic `input_schema`, MCP `inputSchema`, Gemini."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import RecordError
from ..jsonvalue import has_lone_surrogate, show
from ..nodes import kind_of, opened
from ..types import ToolSpec
from .dialects import as_json_schema

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
_AROUND = ("toolConfig", "tool_config", "result")
"""Keys of objects around a list: of a request to Bedrock, of MCP's answer to ``tools/list``."""
_NO_TOOLS = frozenset(
    {
        "cachePoint",
        "systemTool",
        "googleSearch",
        "googleSearchRetrieval",
        "codeExecution",
        "urlContext",
        "googleMaps",
    }
    | {"fileSearch", "computerUse", "enterpriseWebSearch", "retrieval", "parallelAiSearch", "mcpServers"}
    | {
        "google_search",
        "google_search_retrieval",
        "code_execution",
        "url_context",
        "google_maps",
        "file_search",
    }
    | {"computer_use", "enterprise_web_search", "parallel_ai_search", "mcp_servers"}
)
"""Keys of items among Bedrock's and Gemini's tools that declare no function: what the provider runs, marks of caches."""


def read_tools(value: Any, place: str = "tools") -> tuple[ToolSpec, ...]:
    """The offered tools.

    Raises:
        RecordError: an unknown form; the error says what was seen.
    """
    if isinstance(value, Mapping):
        for key in _LIST_KEYS:
            if value.get(key) is not None:
                return read_tools(value[key], f"{place}.{key}")
        for key in _AROUND:
            inner = value.get(key)
            if isinstance(inner, Mapping) and any(inner.get(each) is not None for each in _LIST_KEYS):
                return read_tools(inner, f"{place}.{key}")
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
        if isinstance(item, Mapping) and item and (_declares_nothing(item) or _is_hosted(item)):
            continue
        if isinstance(item, Mapping) and any(item.get(key) is not None for key in _LIST_KEYS):
            specs += read_tools(item, where)
        else:
            specs.append(_read_one(item, where))
    return tuple(specs)


def _declares_nothing(item: Mapping[str, Any]) -> bool:
    there = {key for key, value in item.items() if value is not None}
    return bool(there) and there <= _NO_TOOLS


def _is_hosted(item: Mapping[str, Any]) -> bool:
    """Whether a tool is one that the provider runs and names by its type alone, such as `{"type": "web_search"}`."""
    kind = item.get("type")
    if not isinstance(kind, str) or not kind or kind in ("function", "custom", "object"):
        return False
    return not any(item.get(key) is not None for key in ("name", "function", "toolSpec", *_SCHEMA_KEYS))


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
        lowered = None if schema is None else as_json_schema(schema)
    except RecursionError:
        raise RecordError(f"the schema of {name!r} is nested too deeply", field=place) from None
    if has_lone_surrogate([name, lowered]):
        raise RecordError(f"the tool {show(name)} holds a lone surrogate (half of a character)", field=place)
    if isinstance(description, str):
        description = description.encode("utf-8", "replace").decode()  # only read by people and judges
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
