"""Matchers that no value can meet which the tool's schema allows: a golden set that holds one is never satisfied."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from ...core.comparators.approx import Approx
from ...core.comparators.at_least import AtLeast
from ...core.comparators.one_of import OneOf
from ...core.comparators.optional import Maybe
from ...core.comparators.range import Range
from ...core.comparators.schema import Satisfies
from ...core.comparators.type import OfType
from ...core.equality.compare import Comparer
from ...core.equality.numbers import order
from ...core.jsonvalue import show
from ...core.matcher import Matcher
from ...core.paths import join
from ...core.schema.document import SchemaDocument, document_of
from ...errors import RightcallError

__all__ = ["kind_of_matcher", "unmeetable"]

_ALL: Final = frozenset({"string", "number", "integer", "boolean", "null", "array", "object"})
_NUMBERS: Final = frozenset({"number", "integer"})
_OF_KIND: Final[dict[str, frozenset[str]]] = {
    "$range": _NUMBERS,
    "$approx": _NUMBERS,
    "$regex": frozenset({"string"}),
    "$text": frozenset({"string"}),
    "$datetime": _NUMBERS | {"string"},
    "$contains": frozenset({"string", "array"}),
    "$unordered": frozenset({"array"}),
    "$at_least": frozenset({"object"}),
}
"""The JSON types of the values that a matcher can take at all."""


def kind_of_matcher(matcher: Matcher) -> str:
    """Its name as it is written, ``$`` included."""
    written = matcher.as_json()
    return str(next(iter(written))) if isinstance(written, Mapping) else "a matcher"


def unmeetable(value: Mapping[str, Any], schema: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """(JSON pointer, why) of each matcher in expected arguments that nothing can meet.

    What is found holds for certain; not all that can't be met is found.

    Args:
        value: the arguments with their matchers made.
        schema: of the tool's arguments; None where it is not known.
    """
    root = {} if schema is None else schema
    yield from _Search(document_of(root)).inside(value, [root], "")


class _Facts(Struct, frozen=True):
    """What is known for certain of the values that a schema allows; None where nothing is."""

    kinds: frozenset[str] | None = None
    listed: tuple[Any, ...] | None = None
    low: Any = None
    high: Any = None


class _Search:
    def __init__(self, document: SchemaDocument) -> None:
        self._document = document

    def inside(self, value: Any, parts: Sequence[Any], path: str) -> Iterator[tuple[str, str]]:
        """What can't be met at and below a place of which the schema says `parts`."""
        if isinstance(value, Matcher):
            why = _why(value, self.facts(parts))
            if why is not None:
                yield path, why
            elif isinstance(value, AtLeast):
                yield from self.inside(value.fields, parts, path)
            return
        if isinstance(value, Mapping):
            applied = self._document.applied(parts, value)
            for key, item in value.items():
                yield from self.inside(item, self._document.of_key(applied, key), join(path, key))
        elif isinstance(value, list):
            applied = self._document.applied(parts, value)
            for index, item in enumerate(value):
                yield from self.inside(item, self._document.of_item(applied, index), join(path, index))

    def facts(self, parts: Sequence[Any], depth: int = 0) -> _Facts:
        """What is known of the values at a place of which the schema says `parts`."""
        kinds: frozenset[str] | None = None
        listed: tuple[Any, ...] | None = None
        low: Any = None
        high: Any = None
        for part in parts:
            if part is False:
                return _Facts(frozenset())
            for each in self._document.sure(part):
                for found in (_types(each), *self._branches(each, depth)):
                    kinds = found if kinds is None or found is None else kinds & found
                if isinstance(each.get("enum"), list):
                    listed = tuple(each["enum"])
                elif "const" in each:
                    listed = (each["const"],)
                low = _tighter(low, (each.get("minimum"), each.get("exclusiveMinimum")), 1)
                high = _tighter(high, (each.get("maximum"), each.get("exclusiveMaximum")), -1)
        return _Facts(kinds, listed, low, high)

    def _branches(self, part: Mapping[str, Any], depth: int) -> Iterator[frozenset[str] | None]:
        """For each list of alternatives the types that some of them allows."""
        for key in ("anyOf", "oneOf"):
            branches = part.get(key)
            if isinstance(branches, list) and branches and depth < _DEEPEST:
                found = [self.facts([branch], depth + 1).kinds for branch in branches]
                if None not in found:
                    yield frozenset[str]().union(*(kinds for kinds in found if kinds is not None))


_DEEPEST: Final = 3
"""Alternatives inside alternatives that are looked into."""


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _types(part: Mapping[str, Any]) -> frozenset[str] | None:
    written = part.get("type")
    names = [written] if isinstance(written, str) else _texts(written)
    return _whole(names) if names else None


def _whole(names: Sequence[str]) -> frozenset[str]:
    return frozenset(names) | (_NUMBERS if "number" in names else frozenset())


def _tighter(known: Any, bounds: Sequence[Any], sign: int) -> Any:
    for bound in bounds:
        if isinstance(bound, int | float) and not isinstance(bound, bool):
            known = bound if known is None or order(known, bound) == -sign else known
    return known


def _why(matcher: Matcher, facts: _Facts) -> str | None:
    """Why no allowed value meets a matcher; None where one may."""
    inner = matcher.value if isinstance(matcher, Maybe) else matcher
    if not isinstance(inner, Matcher):
        return None
    name = kind_of_matcher(inner)
    if inner.absent or inner.optional:
        return None
    kinds = _takes(inner)
    if kinds is not None and not kinds:
        return f"{name} takes no value at all"
    if facts.listed is not None:
        if any(_meets(inner, value) for value in facts.listed):
            return None
        return f"{name} takes none of the values that the schema lists"
    if facts.kinds is not None and kinds is not None and not kinds & facts.kinds:
        allowed = " or ".join(sorted(facts.kinds - ({"integer"} if "number" in facts.kinds else set())))
        return f"{name} takes no value of the schema's type ({allowed or 'none'})"
    if facts.kinds == _INTEGER and isinstance(inner, Range | Approx) and not _takes_an_integer(inner):
        return f"{name} takes no whole number, and the schema allows no other"
    if isinstance(inner, Range) and _apart(inner, facts):
        ends = f"{'' if facts.low is None else show(facts.low)}..{'' if facts.high is None else show(facts.high)}"
        return f"$range ends outside the schema's bounds ({ends})"
    return None


_INTEGER: Final = frozenset({"integer"})


def _takes_an_integer(wanted: Range | Approx) -> bool:
    """Whether there is a whole number among those that a matcher takes: if there is, one next to an end is."""
    ends = (wanted.low, wanted.high) if isinstance(wanted, Range) else (wanted.value,)
    near = [step(end) for end in ends if end is not None for step in (math.floor, math.ceil)]
    return not near or any(_meets(wanted, value) for value in near)


def _apart(wanted: Range, facts: _Facts) -> bool:
    above = wanted.low is not None and facts.high is not None and order(wanted.low, facts.high) == 1
    below = wanted.high is not None and facts.low is not None and order(wanted.high, facts.low) == -1
    return above or below


def _takes(value: Any) -> frozenset[str] | None:
    """The JSON types of what a matcher, or a plain value, can take; None where that may be any."""
    if not isinstance(value, Matcher):
        return _kinds_of(value)
    if isinstance(value, OfType):
        return _whole(value.kinds)
    if isinstance(value, OneOf):
        found = [_takes(each) for each in value.values]
        return (
            None if None in found else frozenset[str]().union(*(each for each in found if each is not None))
        )
    if isinstance(value, Satisfies):
        if isinstance(value.schema, bool):
            return None if value.schema else frozenset()
        return _Search(document_of(value.schema)).facts([value.schema]).kinds
    name = kind_of_matcher(value)
    if name == "$not":
        return _left_by(getattr(value, "value", None))
    return _OF_KIND.get(name)


def _left_by(refused: Any) -> frozenset[str] | None:
    if isinstance(refused, OfType):
        taken = _whole(refused.kinds)
        return _ALL - taken
    return frozenset() if isinstance(refused, Matcher) and kind_of_matcher(refused) == "$any" else None


def _kinds_of(value: Any) -> frozenset[str]:
    if isinstance(value, bool):
        return frozenset({"boolean"})
    if value is None:
        return frozenset({"null"})
    for kind, name in ((str, "string"), (list, "array"), (Mapping, "object")):
        if isinstance(value, kind):
            return frozenset({name})
    return _NUMBERS if isinstance(value, int) else frozenset({"number"})


_WITH_MATCHERS: Final = Comparer(matching=True)


def _meets(matcher: Matcher, value: Any) -> bool:
    try:
        return _WITH_MATCHERS.same({"value": matcher}, {"value": value})
    except RightcallError:
        return True  # it can't be told
