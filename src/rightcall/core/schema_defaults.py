"""The defaults that a tool's schema declares, filled into arguments (contract 2, `schema_defaults`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from .paths import join
from .schema_document import NO_DEFAULT, Part, SchemaDocument, document_of

__all__ = ["with_defaults"]

_MOST: Final = 1_000
"""Defaults inside defaults that are filled in one go: schemas can be written whose defaults never end."""


def with_defaults(value: Any, schema: Any, left_out: Callable[[Any, str], bool], path: str = "") -> Any:
    """`value` with the defaults that `schema` declares, also in nested objects that are present.

    References and ``allOf`` are followed, and of alternatives the only one that fits the value. A default that is an
    object is itself filled, except with what it would be filled with already. What another option counts as left out
    is filled in as well, else the two options together would tell apart what each takes for the same.
    """
    return _Filler(document_of(schema), left_out).fill(value, [schema], path, frozenset())


class _Filler:
    def __init__(self, document: SchemaDocument, left_out: Callable[[Any, str], bool]) -> None:
        self._document = document
        self._left_out = left_out
        self._left = _MOST

    def fill(self, value: Any, parts: Sequence[Any], path: str, within: frozenset[int]) -> Any:
        """A value filled. `within` are the parts whose defaults are being filled in around it."""
        if not parts or not isinstance(value, dict | list):
            return value
        document = self._document
        applied = document.applied(parts, value, lambda key, item: self._left_out(item, join(path, key)))
        if isinstance(value, list):
            return [
                self.fill(item, document.of_item(applied, index), join(path, index), within)
                for index, item in enumerate(value)
            ]
        filled = {
            key: self.fill(item, document.of_key(applied, key), join(path, key), within)
            for key, item in value.items()
        }
        for key in _declared(applied):
            if key not in filled or self._left_out(filled[key], join(path, key)):
                default = self._default(document.of_key(applied, key), join(path, key), within)
                if default is not NO_DEFAULT:
                    filled[key] = default
        return filled

    def _default(self, parts: Sequence[Any], path: str, within: frozenset[int]) -> Any:
        default = self._document.default(parts)
        if not isinstance(default, dict | list) or (not default and isinstance(default, list)):
            return default
        targets = frozenset(id(part) for each in parts for part in self._document.sure(each))
        if not within.isdisjoint(targets) or not self._left:
            return default
        self._left -= 1
        return self.fill(default, parts, path, within | targets)


def _declared(parts: Sequence[Part]) -> list[str]:
    """The keys that parts declare, each once."""
    found: dict[str, None] = {}
    for part in parts:
        properties = part.get("properties")
        if isinstance(properties, dict):
            found.update(dict.fromkeys(properties))
    return list(found)
