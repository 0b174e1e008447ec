"""$literal: a value that looks like a matcher and is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..jsonvalue import InvalidJSONError, canonical, show
from ..matcher import ANYTHING, Matcher, MatcherDeclaration, Parsing, Same, wrong

DECLARATION = MatcherDeclaration(
    id="literal",
    meaning="this value as it is, also where it looks like a matcher",
    schema=ANYTHING,
    example={"$literal": {"$any": True}},
    accepts=({"$any": True},),
    refuses=(5, None, {"$any": False}),
)


class Exactly(Matcher):
    """Takes its value alone. In JSON the plain value serves; a Python object would be looked through again."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def accepts(self, actual: Any, same: Same) -> bool:
        return same(self.value, actual)

    def words(self) -> str:
        return show(self.value)

    def as_json(self) -> Any:
        return {"$literal": self.value}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Any:
    """From ``{"$literal": ..}``: the plain value."""
    try:
        return canonical(fields["$literal"])
    except InvalidJSONError as error:
        raise wrong("literal", f"takes a JSON value: {error}", place) from None
