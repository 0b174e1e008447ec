"""The defaults that a tool's schema declares, filled into arguments (contract 2, `schema_defaults`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ..paths import join
from .document import NO_DEFAULT, Part, SchemaDocument, document_of

__all__ = ["with_defaults", "with_defaults_of_both"]

_MOST: Final = 1_000
"""Defaults inside defaults that are filled in one go: schemas can be written whose defaults never end."""


def with_defaults(value: Any, schema: Any, left_out: Callable[[Any, str], bool], path: str = "") -> Any:
    """`value` with the defaults that `schema` declares, also in nested objects that are present.

    References and ``allOf`` are followed, and of alternatives the only one that fits the value. A default that is an
    object is itself filled, except with what it would be filled with already. What another option counts as left out
    is filled in as well, else the two options together would tell apart what each takes for the same.
    """
    return _Filler(document_of(schema), left_out).fill(value, [schema], path, frozenset())


def with_defaults_of_both(
    expected: Any, actual: Any, schema: Any, left_out: Callable[[Any, str], bool]
) -> tuple[Any, Any]:
    """Both sides with defaults, where the expected one holds matchers.

    A matcher may stand where a value tells which alternative is meant, so of alternatives the one is taken that fits
    both sides. Else one side would be filled with what the other lacks.
    """
    filler = _Filler(document_of(schema), left_out)
    return filler.both(expected, actual, [schema], "")


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
        applied = document.applied(
            parts, value, left_out=lambda key, item: self._left_out(item, join(path, key))
        )
        if isinstance(value, list):
            return [
                self.fill(item, document.of_item(applied, index), join(path, index), within)
                for index, item in enumerate(value)
            ]
        filled = {
            key: self.fill(item, document.of_key(applied, key), join(path, key), within)
            for key, item in value.items()
        }
        self._add_missing(filled, applied, path, within)
        return filled

    def _add_missing(
        self, filled: dict[str, Any], applied: Sequence[Part], path: str, within: frozenset[int]
    ) -> None:
        for key in _declared(applied):
            if key not in filled or self._left_out(filled[key], join(path, key)):
                default = self._default(self._document.of_key(applied, key), join(path, key), within)
                if default is not NO_DEFAULT:
                    filled[key] = default

    def both(self, expected: Any, actual: Any, parts: Sequence[Any], path: str) -> tuple[Any, Any]:
        """Two values that stand at one place, filled as the alternatives say that fit both."""
        document = self._document
        lists = isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual)
        if not parts or not (lists or (isinstance(expected, dict) and isinstance(actual, dict))):
            nowhere: frozenset[int] = frozenset()
            return self.fill(expected, parts, path, nowhere), self.fill(actual, parts, path, nowhere)
        applied = document.applied(
            parts, expected, actual, left_out=lambda key, item: self._left_out(item, join(path, key))
        )
        if lists:
            pairs = [
                self.both(one, other, document.of_item(applied, index), join(path, index))
                for index, (one, other) in enumerate(zip(expected, actual, strict=True))
            ]
            return [one for one, _ in pairs], [other for _, other in pairs]
        sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
        for key in dict.fromkeys((*expected, *actual, *_declared(applied))):
            of_key, where = document.of_key(applied, key), join(path, key)
            default = document.default(of_key)
            there = [
                default if self._lacks(side, key, where, default) else side[key]
                for side in (expected, actual)
            ]
            if there[0] is default is there[1]:
                there = [self._default(of_key, where, frozenset())] * 2
            elif all(value is not NO_DEFAULT for value in there):
                there = list(self.both(there[0], there[1], of_key, where))
            else:
                there = [self.fill(value, of_key, where, frozenset()) for value in there]
            for side, value in zip(sides, there, strict=True):
                if value is not NO_DEFAULT:
                    side[key] = value
        return sides

    def _lacks(self, side: dict[str, Any], key: str, path: str, default: Any) -> bool:
        """Whether a side has nothing under a key, or what counts as left out where there is a default."""
        return key not in side or (default is not NO_DEFAULT and self._left_out(side[key], path))

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
