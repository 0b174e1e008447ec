"""$optional: the key may be left out; where it is there its value must fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..jsonvalue import show
from ..matcher import ANYTHING, Matcher, MatcherDeclaration, Parsing, Same, as_json, under

DECLARATION = MatcherDeclaration(
    id="optional",
    meaning="the key may be left out; where it is there it has this value",
    schema=ANYTHING,
    nests=True,
    example={"$optional": "celsius"},
    accepts=("celsius",),
    refuses=("kelvin", None),
)


class Maybe(Matcher):
    """Takes what its value takes; its key may be left out."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def optional(self) -> bool:
        return True

    def accepts(self, actual: Any, same: Same) -> bool:
        return same(self.value, actual)

    def words(self) -> str:
        value = self.value
        return f"{value.words() if isinstance(value, Matcher) else show(value)}, or nothing"

    def as_json(self) -> Any:
        return {"$optional": as_json(self.value)}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Maybe:
    """From ``{"$optional": ..}``."""
    return Maybe(parsing.inner(fields["$optional"], under(place, "$optional")))
