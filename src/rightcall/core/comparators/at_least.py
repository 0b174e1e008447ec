"""$at_least: an object with these keys; others are allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..jsonvalue import show
from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, as_json, under, wrong

DECLARATION = MatcherDeclaration(
    id="at_least",
    meaning="an object with these keys and values; other keys are allowed",
    schema={"type": "object"},
    nests=True,
    example={"$at_least": {"city": "Oslo"}},
    accepts=({"city": "Oslo"}, {"city": "Oslo", "zip": "0150"}),
    refuses=({"zip": "0150"}, {"city": "Bergen"}, "Oslo", []),
)


class AtLeast(Matcher):
    """Takes objects that hold its own."""

    __slots__ = ("fields",)

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    def accepts(self, actual: Any, same: Same) -> bool:
        return isinstance(actual, dict) and same(
            self.fields, {key: actual[key] for key in self.fields if key in actual}
        )

    def words(self) -> str:
        return f"an object with at least {show(self.as_json()['$at_least'])}"

    def as_json(self) -> Any:
        return {"$at_least": {key: as_json(value) for key, value in self.fields.items()}}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> AtLeast:
    """From ``{"$at_least": {..}}``; the object under it is no matcher, its values may be."""
    inner = fields["$at_least"]
    if not isinstance(inner, Mapping):
        raise wrong("at_least", "takes an object", place)
    return AtLeast(parsing.fields(inner, under(place, "$at_least")))
