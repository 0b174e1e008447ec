"""JSON Schema of a row of a golden set, for editors: completion, and a mark under what is misspelled.

Made from the declarations of matchers and call options, so it knows each of them. The reader of rows decides: it asks
the first key alone whether an object is a matcher. A schema knows no order of keys, so it takes an object for a plain one
that has other keys beside those of a matcher.
"""

from __future__ import annotations

from typing import Any, Final

from ...core.matcher import MATCHERS, MatcherDeclaration
from ...core.options import CALL_OPTIONS
from ...core.reading.callfields import ARGUMENT_KEYS, NAME_KEYS, RECORD_KEYS
from ..accepted import MOST_TIMES

__all__ = ["expectation_schema"]

Schema = dict[str, Any]

_ANYTHING: Final[Schema] = {}
_TEXT: Final[Schema] = {"type": "string", "minLength": 1}
_WHOLE: Final[Schema] = {"type": "integer", "minimum": 0}


def _to(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def expectation_schema() -> Schema:
    """The schema of one row, draft 2020-12."""
    matchers = [MATCHERS.get(name).declaration for name in MATCHERS.ids()]
    definitions: dict[str, Schema] = {
        "value": _value(matchers),
        **{f"matcher_{found.id}": _matcher(found) for found in matchers},
        "plain": _plain(matchers),
        "arguments": _arguments(matchers),
        "options": _options(),
        "count": _count(),
        "accepted": _accepted(),
        "alternative": _alternative(),
        "call": _call(),
        "calls": {"anyOf": [{"type": "array", "items": _to("call")}, _to("call")]},
        "rule": _rule(),
        "times": _times(),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rightcall: a row of a golden set",
        "type": "object",
        "properties": _row(),
        # One side only says what is expected.
        "allOf": [
            {"not": {"required": [first, second], "properties": {first: _GIVEN, second: _GIVEN}}}
            for place, first in enumerate(_SIDES)
            for second in _SIDES[place + 1 :]
            if (first, second) != ("expected_tool_calls", "expected")
        ],
        "$defs": definitions,
    }


_SIDES: Final = ("expected_tool_calls", "expected", "expected_any_of", "expected_any")
_GIVEN: Final[Schema] = {"not": {"type": "null"}}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _row() -> dict[str, Schema]:
    """The fields of a row; others are allowed, and without meaning."""
    calls = _or_null(_to("calls"))
    path = {"type": "array", "items": _to("call")}
    accepted = {"type": "array", "items": _accepted_call()}
    rules = {"anyOf": [_to("rule"), {"type": "array", "items": _to("rule")}, {"type": "null"}]}
    return {
        "id": {"type": ["string", "number", "null"]},
        "expected": calls | {"description": "the calls that should be made; [] means that none may be"},
        "expected_tool_calls": calls | {"description": "another name of expected"},
        "expected_any_of": _or_null({"type": "array", "minItems": 1, "items": path})
        | {"description": "several whole lists of calls, any of which is fine"},
        "expected_any": _or_null(accepted)
        | {"description": "calls with a list of accepted values for each argument"},
        "forbidden": rules | {"description": "calls that must not be made"},
        "expected_counts": _or_null({"type": "object", "additionalProperties": _to("times")})
        | {"description": "how often each tool is to be called"},
        "tool_calls": {"description": "the calls that were made, in any format"},
        "input": {"description": "what the agent was asked"},
        "output": {"description": "what the agent said"},
        "tools": {"description": "the tools that were offered"},
        "trial": {"type": ["integer", "null"]},
        "tags": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": ["string", "null"]}]},
        "cluster": {"type": ["string", "number", "null"]},
        "verdict": {"type": ["boolean", "string", "number", "null"]},
        "metadata": _ANYTHING,
    }


def _value(matchers: list[MatcherDeclaration]) -> Schema:
    """Any value of an argument: a plain one, or a matcher."""
    plain: list[Schema] = [
        {"type": ["string", "number", "boolean", "null"]},
        {"type": "array", "items": _to("value")},
        _to("plain"),
    ]
    return {"anyOf": [*plain, *(_to(f"matcher_{found.id}") for found in matchers)]}


def _matcher(found: MatcherDeclaration) -> Schema:
    inner = dict(found.schema)
    if found.nests and not inner:
        inner = _to("value")
    elif found.nests and inner.get("type") == "array":
        inner["items"] = _to("value")
    elif found.nests:
        inner["additionalProperties"] = _to("value")
    return {
        "description": found.meaning,
        "type": "object",
        "properties": {f"${found.id}": inner, **found.options},
        "required": [f"${found.id}"],
        "additionalProperties": False,
        "examples": [found.example],
    }


def _plain(matchers: list[MatcherDeclaration]) -> Schema:
    """An object that is no matcher: it has no key with a `$`, or also others than those that belong to a matcher."""
    options = "|".join(sorted({name for found in matchers for name in found.options}))
    return {
        "type": "object",
        "additionalProperties": _to("value"),
        "anyOf": [
            {"propertyNames": {"pattern": "^(?!\\$)"}},
            {"not": {"propertyNames": {"pattern": f"^(\\$|({options})$)"}}},
        ],
    }


def _arguments(matchers: list[MatcherDeclaration]) -> Schema:
    """An arguments object; a matcher alone can't stand for it, only `$literal` can."""
    whole = [
        {
            "required": [f"${found.id}"],
            "propertyNames": {"enum": [f"${found.id}", *found.options]},
        }
        for found in matchers
        if found.id != "literal"
    ]
    plain = {"type": "object", "additionalProperties": _to("value"), "not": {"anyOf": whole}}
    return {
        "anyOf": [plain, {"type": ["string", "null"]}],
        "description": "an object, or the JSON text of one",
    }


def _options() -> Schema:
    return {
        "description": "comparison options of this call alone",
        "type": "object",
        "properties": {
            name: {**spec.schema, "description": spec.meaning} for name, spec in CALL_OPTIONS.items()
        },
        "additionalProperties": False,
    }


def _count() -> Schema:
    """A number of calls, or a range of them."""
    bounds = {
        "type": "object",
        "properties": {
            "min": _or_null(_WHOLE | {"maximum": MOST_TIMES}),
            "max": _or_null(_WHOLE),
        },
        "minProperties": 1,
        "additionalProperties": False,
    }
    return {
        "description": "how often it is made; an end that is left out is open",
        "anyOf": [_WHOLE | {"maximum": MOST_TIMES}, bounds],
    }


def _accepted() -> Schema:
    """Lists of accepted values by argument; an object among them holds such lists again, of plain values."""
    inside = {"type": "object", "additionalProperties": {"type": "array"}}
    kinds = {"type": ["string", "number", "boolean", "null", "array"]}
    return {
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"anyOf": [kinds, inside]}},
    }


def _accepted_call() -> Schema:
    named = {
        "type": "object",
        "properties": {"name": _TEXT, "arguments": _or_null(_to("accepted"))},
        "required": ["name"],
        "additionalProperties": False,
    }
    by_name = {
        "type": "object",
        "additionalProperties": _to("accepted"),
        "minProperties": 1,
        "maxProperties": 1,
    }
    return {"anyOf": [named, by_name]}


def _written() -> dict[str, Schema]:
    """What every call has, and what may be recorded of it."""
    return {
        **dict.fromkeys(RECORD_KEYS, _ANYTHING),
        **{name: _to("arguments") for name in ARGUMENT_KEYS},
        **dict.fromkeys(NAME_KEYS, _TEXT),
        "options": _to("options"),
        "accepted": _to("accepted"),
        "group": {"type": ["string", "integer", "null"], "description": "calls of one group: any order"},
        "output": {"description": "what the tool should answer"},
    }


def _named() -> list[Schema]:
    return [{"required": [name]} for name in NAME_KEYS]


def _alternative() -> Schema:
    return {
        "type": "object",
        "properties": _written(),
        "anyOf": _named(),
        "additionalProperties": False,
    }


def _call() -> Schema:
    properties = _written() | {
        "optional": {"type": ["boolean", "null"], "description": "it may be left out"},
        "count": _or_null(_to("count")),
        "alternatives": {
            "description": "other calls, any of which is as good",
            "type": "array",
            "minItems": 1,
            "items": _to("alternative"),
        },
    }
    return {
        "type": "object",
        "properties": properties,
        "anyOf": [*_named(), {"required": ["alternatives"]}],
        "additionalProperties": False,
    }


def _rule() -> Schema:
    with_arguments = {
        "type": "object",
        "properties": {"name": _TEXT, "arguments": {"type": "object", "additionalProperties": _to("value")}},
        "required": ["name"],
        "additionalProperties": False,
    }
    return {"anyOf": [_TEXT | {"description": "a tool name or a glob"}, with_arguments]}


def _times() -> Schema:
    bounds = {
        "type": "object",
        "properties": {"min": _or_null(_WHOLE), "max": _or_null(_WHOLE)},
        "minProperties": 1,
        "additionalProperties": False,
    }
    compared = {
        "type": "array",
        "prefixItems": [{"enum": ["==", "!=", "<", "<=", ">", ">="]}, _WHOLE],
        "minItems": 2,
        "maxItems": 2,
    }
    return {"anyOf": [_WHOLE, compared, bounds]}
