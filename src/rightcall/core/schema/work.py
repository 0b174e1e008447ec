"""How much work it can be to hold a value against a schema: small schemas exist that ask for more than any machine has.

A validator goes through every alternative anew wherever a reference leads to it, so twenty definitions that each name
the one before twice are a million checks. Here they are counted without being made: what a part asks of a value is
counted once, however often it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from .document import REFERENCES, SchemaDocument

__all__ = ["looks_again", "steps_at_most", "unfolded"]

_LISTS: Final = ("allOf", "anyOf", "oneOf")
_SINGLE: Final = ("not", "if", "then", "else")
_TABLES: Final = ("dependentSchemas", "dependencies")
_LEFT_OVER: Final = ("unevaluatedProperties", "unevaluatedItems")
"""Keywords for which all that stands beside them is gone through once more."""


def unfolded(schema: Any, *, leading_back: float = math.inf) -> float:
    """How many parts a schema has once each reference is what it leads to; `leading_back` for one that leads back."""
    return _counted(_Unfolded(SchemaDocument(schema), leading_back).count, schema)


def steps_at_most(schema: Any, value: Any) -> float:
    """How many checks of a part against a value are made at most when `value` is held against `schema`."""
    work = _Work(SchemaDocument(schema))
    return _counted(lambda whole: work.count(whole, value), schema)


def _counted(count: Callable[[Any], float], schema: Any) -> float:
    try:
        return count(schema)
    except RecursionError:
        return math.inf


class _Unfolded:
    def __init__(self, document: SchemaDocument, leading_back: float) -> None:
        self._document = document
        self._leading_back = leading_back
        self._known: dict[int, float] = {}

    def count(self, part: Any) -> float:
        if not isinstance(part, Mapping):
            return 1
        known = self._known.get(id(part))
        if known is not None:
            return known
        self._known[id(part)] = self._leading_back
        total = 1 + _times(part) * sum(map(self.count, _beside(part, self._document)))
        total += sum(map(self.count, _inside(part)))
        self._known[id(part)] = total
        return total


class _Work:
    def __init__(self, document: SchemaDocument) -> None:
        self._document = document
        self._known: dict[tuple[int, int], float] = {}

    def count(self, part: Any, value: Any) -> float:
        if not isinstance(part, Mapping):
            return 1
        key = (id(part), id(value))
        known = self._known.get(key)
        if known is not None:
            return known
        self._known[key] = math.inf
        total = 1 + _times(part) * sum(self.count(each, value) for each in _beside(part, self._document))
        if isinstance(value, Mapping):
            total += sum(self.count(each, item) for each, item in _of_object(part, value))
        elif isinstance(value, list):
            total += sum(self.count(each, item) for each, item in _of_list(part, value))
        self._known[key] = total
        return total


def looks_again(schema: bytes) -> bool:
    """Whether a schema, as JSON, has keywords for which a validator writes down what stands beside them anew."""
    return any(key.encode() in schema for key in _LEFT_OVER)


def _times(part: Mapping[str, Any]) -> int:
    return 1 + sum(key in part for key in _LEFT_OVER)


def _beside(part: Mapping[str, Any], document: SchemaDocument) -> Iterator[Any]:
    """The parts that are held against the same value."""
    for key in REFERENCES:
        if isinstance(part.get(key), str):
            yield document.target(part[key], part)
    for key in _LISTS:
        if isinstance(part.get(key), list):
            yield from part[key]
    for key in _SINGLE:
        if key in part:
            yield part[key]
    for key in _TABLES:
        if isinstance(part.get(key), Mapping):
            yield from part[key].values()


def _inside(part: Mapping[str, Any]) -> Iterator[Any]:
    """The parts that are held against what is inside a value."""
    for key in ("properties", "patternProperties"):
        if isinstance(part.get(key), Mapping):
            yield from part[key].values()
    for key in (*_OF_ALL_KEYS, "propertyNames", *_OF_ALL_ITEMS, "items"):
        if isinstance(part.get(key), Mapping):
            yield part[key]
    for key in ("items", "prefixItems"):
        if isinstance(part.get(key), list):
            yield from part[key]


_OF_ALL_KEYS: Final = ("additionalProperties", "unevaluatedProperties")
_OF_ALL_ITEMS: Final = ("additionalItems", "contains", "unevaluatedItems")


def _of_object(part: Mapping[str, Any], value: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Parts and the values under keys that they may be held against."""
    properties = part.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    patterns = part.get("patternProperties")
    of_all = [*patterns.values()] if isinstance(patterns, Mapping) else []
    of_all += [part[key] for key in _OF_ALL_KEYS if isinstance(part.get(key), Mapping)]
    for key, item in value.items():
        if key in properties:
            yield properties[key], item
        for each in of_all:
            yield each, item
        if isinstance(part.get("propertyNames"), Mapping):
            yield part["propertyNames"], key


def _of_list(part: Mapping[str, Any], value: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Parts and the items that they may be held against."""
    of_all = [part[key] for key in (*_OF_ALL_ITEMS, "items") if isinstance(part.get(key), Mapping)]
    listed: list[Any] = next(
        (part[key] for key in ("prefixItems", "items") if isinstance(part.get(key), list)), []
    )
    for index, item in enumerate(value):
        if index < len(listed):
            yield listed[index], item
        for each in of_all:
            yield each, item
