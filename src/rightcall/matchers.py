"""The matchers of expected arguments as Python objects: ``{"city": one_of("Oslo", "Bergen"), "when": any_()}``.

Each is what its JSON form says (``one_of`` is ``{"$one_of": [..]}``); see docs/reference/matchers.md. They nest, and
stand anywhere inside an argument. Names that Python has already end with an underscore.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .core.comparators.literal import Exactly
from .core.matcher import Matcher, parse_value
from .run.judging.meanings import means
from .run.schemas import satisfies

__all__ = [
    "absent",
    "any_",
    "approx",
    "at_least",
    "contains",
    "datetime",
    "literal",
    "not_",
    "one_of",
    "optional",
    "range_",
    "regex",
    "schema",
    "semantic",
    "text",
    "type_",
    "unordered",
]


def _made(written: dict[str, Any]) -> Matcher:
    made: Matcher = parse_value(written, validate=satisfies, means=means)
    return made


def _listed(values: tuple[Any, ...]) -> list[Any]:
    """What was given one by one, or as one list: nobody means a list whose one element is a list."""
    return list(values[0] if len(values) == 1 and isinstance(values[0], list | tuple | set) else values)


def any_() -> Matcher:
    """Any value; the key must be there."""
    return _made({"$any": True})


def one_of(*values: Any) -> Matcher:
    """One of these values, given one by one or as one list.

    Raises:
        ExpectationError: no value, or one that JSON does not have (as from every function here).
    """
    return _made({"$one_of": _listed(values)})


def regex(pattern: str) -> Matcher:
    """A text in which the pattern is found; ``^`` and ``$`` tie it to the ends."""
    return _made({"$regex": pattern})


def contains(value: Any) -> Matcher:
    """A text that holds this text, or a list that holds this element."""
    return _made({"$contains": value})


def approx(value: float, *, rel: float | None = None, abs: float | None = None) -> Matcher:
    """A number within `rel` (a share of `value`) or `abs` of it; within a millionth of it without either."""
    bounds = {"rel": rel, "abs": abs}
    return _made({"$approx": value} | {name: bound for name, bound in bounds.items() if bound is not None})


def range_(low: float | None, high: float | None) -> Matcher:
    """A number from `low` to `high`, both included; None leaves an end open."""
    return _made({"$range": [low, high]})


def type_(*kinds: str) -> Matcher:
    """A value of this JSON type (``string``, ``integer``, ..), or of one of several."""
    return _made({"$type": list(kinds)})


def unordered(*items: Any) -> Matcher:
    """A list of these elements in any order, repeats counted; they are given one by one or as one list."""
    return _made({"$unordered": _listed(items)})


def at_least(fields: Mapping[str, Any]) -> Matcher:
    """An object with these keys and values; other keys are allowed."""
    return _made({"$at_least": fields})


def datetime(value: str, *, day_first: bool = False) -> Matcher:
    """The same day, time or instant in any usual spelling."""
    return _made({"$datetime": value, "day_first": day_first})


def text(value: str) -> Matcher:
    """A text with the same letters and digits; case, blanks and punctuation are ignored."""
    return _made({"$text": value})


def semantic(value: str) -> Matcher:
    """A value of the same meaning, as the local judge sees it (extra: semantic)."""
    return _made({"$semantic": value})


def schema(value: Mapping[str, Any] | bool) -> Matcher:  # noqa: FBT001 - a schema may be true or false
    """A value that satisfies this JSON Schema (extra: schema)."""
    return _made({"$schema": value})


def optional(value: Any) -> Matcher:
    """The key may be left out; where it is there it has this value."""
    return _made({"$optional": value})


def absent() -> Matcher:
    """The key must be left out."""
    return _made({"$absent": True})


def not_(value: Any) -> Matcher:
    """Any value but this one, or but what this matcher takes."""
    return _made({"$not": value})


def literal(value: Any) -> Matcher:
    """This value as it is, also where it looks like a matcher."""
    return Exactly(_plain(value))


def _plain(value: Any) -> Any:
    return parse_value({"$literal": value})
