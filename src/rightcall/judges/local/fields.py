"""Two objects field by field, as whole calls and as values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from ...core.jsonvalue import same_value
from .verdict import DIFFERS, About, Verdict, about

__all__ = ["Inner", "fields_of"]

Inner = Callable[[Any, Any, About], Verdict]
"""Judges two parts of values."""

_MISSING: Final = Verdict(DIFFERS, "given on one side only, and it equals no default", by="missing")


def fields_of(
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    schema: Mapping[str, Any] | None,
    inner: Inner,
    tool: str = "",
) -> Iterator[tuple[str, Verdict]]:
    """The fields in which two objects are not equal, each with its verdict."""
    properties = schema.get("properties") if schema is not None else None
    properties = properties if isinstance(properties, Mapping) else {}
    for name in sorted({*a, *b}):
        declared = properties.get(name)
        if name in a and name in b:
            if not same_value(a[name], b[name]):
                yield name, inner(a[name], b[name], about(name, declared, tool))
            continue
        value = a[name] if name in a else b[name]
        if isinstance(declared, Mapping) and "default" in declared:
            if not same_value(value, declared["default"]):
                found = inner(value, declared["default"], about(name, declared, tool))
                yield name, replace(found, words="left out once, and it is not its default")
        elif _said_default(value, declared):
            yield (
                name,
                Verdict(0.97, "left out once, and its description names it as the default", by="default"),
            )
        else:
            yield name, _MISSING


_DEFAULT: Final = re.compile(
    r"\bdefault(?:s|ed|ing)?(?: value)?(?: is| to|:| =|=)? (?:set to |is |to )?"
    r"[\"'`]?([\w.%/+ -]*?\w%?)[\"'`]?(?=[.,;:)\n\"'`]|$)",
    re.IGNORECASE,
)

_LARGEST: Final = 10**25


def _said_default(value: Any, declared: Any) -> bool:
    """Whether the description says in words that this is the default: schemas often do so instead of declaring it."""
    text = declared.get("description") if isinstance(declared, Mapping) else None
    if not isinstance(text, str) or not isinstance(value, str | int | float | bool):
        return False
    found = _DEFAULT.search(text)
    return found is not None and found[1].strip().casefold() in _spellings(value)


def _spellings(value: str | float) -> set[str]:
    if isinstance(value, bool):
        return {str(value).casefold()}
    if isinstance(value, float | int):
        return {str(value), f"{value:g}"} if abs(value) < _LARGEST else set()
    return {value.strip().casefold()}
