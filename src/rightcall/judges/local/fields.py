"""Two objects field by field, as whole calls and as values."""

from __future__ import annotations

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
    a: Mapping[str, Any], b: Mapping[str, Any], schema: Mapping[str, Any] | None, inner: Inner
) -> Iterator[tuple[str, Verdict]]:
    """The fields in which two objects are not equal, each with its verdict."""
    properties = schema.get("properties") if schema is not None else None
    properties = properties if isinstance(properties, Mapping) else {}
    for name in sorted({*a, *b}):
        declared = properties.get(name)
        if name in a and name in b:
            if not same_value(a[name], b[name]):
                yield name, inner(a[name], b[name], about(name, declared))
            continue
        value = a[name] if name in a else b[name]
        if isinstance(declared, Mapping) and "default" in declared:
            default = declared["default"]
            if same_value(value, default):
                continue
            yield (
                name,
                replace(
                    inner(value, default, about(name, declared)),
                    words="left out once, and it is not its default",
                ),
            )
        else:
            yield name, _MISSING
