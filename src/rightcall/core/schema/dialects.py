"""Schemas in the dialects of OpenAPI 3.0 and of Gemini, as the JSON Schema that they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .document import NO_SCHEMAS

__all__ = ["as_json_schema"]

_TYPES: Final = ("string", "number", "integer", "boolean", "array", "object", "null")
_NAMED: Final = {name.upper(): name for name in _TYPES}
_NO_TYPE: Final = "TYPE_UNSPECIFIED"
_NUMBERED: Final = dict(enumerate((_NO_TYPE, *_TYPES)))
"""The types as Gemini's first client dumps them: members of an enum."""

_COUNTS: Final = tuple(f"{end}{what}" for end in ("min", "max") for what in ("Items", "Length", "Properties"))
"""Keywords of an int64, which protobuf writes as text in JSON."""

_SPELLED: Final = {
    "type_": "type",
    "format_": "format",
    "additional_properties": "additionalProperties",
    "any_of": "anyOf",
    **{f"{key[:3]}_{key[3:].lower()}": key for key in _COUNTS},
}
"""How Gemini's clients spell keywords in Python."""
_OF_NAMES: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
"""Keywords that hold a table of schemas by name."""


def as_json_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema of a tool's arguments as JSON Schema; one that names its draft in ``$schema`` is taken as it is.

    Capital types, ``nullable``, counts written as text, ``type_`` and Python's names for keywords, and OpenAPI's
    ``exclusiveMinimum: true`` mean nothing in JSON Schema, so nothing else can be meant by them.
    """
    if isinstance(schema.get("$schema"), str):
        return dict(schema)
    made: dict[str, Any] = _converted(schema)
    return made


def _converted(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_converted(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    found = {key: _value(key, value) for key, value in _respelled(schema).items()}
    if found.get("type") == _NO_TYPE:
        del found["type"]
    for key in _COUNTS:
        if isinstance(found.get(key), str) and found[key].isdecimal():
            found[key] = int(found[key])
    for end in ("Minimum", "Maximum"):
        _bound(found, f"exclusive{end}", end.lower())
    return _nullable(found) if found.pop("nullable", False) is True else found


def _respelled(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Keywords by their names in JSON Schema, without those that a client of Gemini's dumps because it has them."""
    if "type_" in schema:  # the first client dumps what was not given as what is empty
        kept = {
            key: value for key, value in schema.items() if value or (value is False and key != "nullable")
        }
        kept = {key: value for key, value in kept.items() if key not in _COUNTED or value != "0"}
        return {_SPELLED.get(key, key): value for key, value in kept.items()} | _numbered(schema["type_"])
    capital = schema.get("type") in _NAMED if isinstance(schema.get("type"), str) else False
    # One null may be a default; a client's dump has many.
    capital = capital and [key for key, value in schema.items() if value is None] != ["default"]
    if capital or not _SPELLED.keys().isdisjoint(schema):
        return {_SPELLED.get(key, key): value for key, value in schema.items() if value is not None}
    return schema


def _numbered(kind: Any) -> dict[str, Any]:
    return {"type": _NUMBERED.get(kind, kind)} if isinstance(kind, int) else {}


_COUNTED: Final = frozenset(key for key, name in _SPELLED.items() if name in _COUNTS)


def _value(key: str, value: Any) -> Any:
    if key == "type":
        return [_type(each) for each in value] if isinstance(value, list) else _type(value)
    if key in _OF_NAMES and isinstance(value, Mapping):
        return {name: _converted(item) for name, item in value.items()}  # names, not keywords
    return value if key in NO_SCHEMAS else _converted(value)


def _type(written: Any) -> Any:
    return _NAMED.get(written, written) if isinstance(written, str) else written


def _bound(found: dict[str, Any], exclusive: str, bound: str) -> None:
    """OpenAPI says whether a bound is exclusive; JSON Schema has it as the bound."""
    if not isinstance(found.get(exclusive), bool):
        return
    said = found.pop(exclusive)
    if said and bound in found:
        found[exclusive] = found.pop(bound)


_BESIDE: Final = (
    "title",
    "description",
    "default",
    "example",
    "examples",
    "deprecated",
    "$defs",
    "definitions",
)
"""Keywords that stay beside an alternative."""


def _nullable(found: dict[str, Any]) -> dict[str, Any]:
    """What `found` allows, and null."""
    kind = found.get("type")
    if kind is not None and not {"$ref", "allOf", "anyOf", "oneOf", "const"} & found.keys():
        kinds = kind if isinstance(kind, list) else [kind]
        found["type"] = kinds if "null" in kinds else [*kinds, "null"]
        if isinstance(found.get("enum"), list) and None not in found["enum"]:
            found["enum"] = [*found["enum"], None]
        return found
    beside: dict[str, Any] = {key: found.pop(key) for key in _BESIDE if key in found}
    return {**beside, "anyOf": [found, {"type": "null"}]} if found else beside
