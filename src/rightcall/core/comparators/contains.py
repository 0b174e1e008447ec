"""$contains: a text with a part, or a list with an element."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..jsonvalue import show
from ..matcher import ANYTHING, Matcher, MatcherDeclaration, Parsing, Same, as_json, under, wrong

DECLARATION = MatcherDeclaration(
    id="contains",
    meaning="a text that holds this text, or a list that holds this element",
    schema=ANYTHING,
    nests=True,
    example={"$contains": "urgent"},
    accepts=("an urgent order", ["urgent", "new"]),
    refuses=("URGENT", ["an urgent order"], 5, {"urgent": 1}),
)


class Contains(Matcher):
    """Takes a text with a part, or a list with an element that equals its value."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def accepts(self, actual: Any, same: Same) -> bool:
        if isinstance(actual, list):
            return any(same(self.value, item) for item in actual)
        return isinstance(actual, str) and isinstance(self.value, str) and self.value in actual

    def words(self) -> str:
        value = self.value
        return f"something with {value.words() if isinstance(value, Matcher) else show(value)} in it"

    def as_json(self) -> Any:
        return {"$contains": as_json(self.value)}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Contains:
    """From ``{"$contains": ..}``."""
    inner = parsing.inner(fields["$contains"], under(place, "$contains"))
    if isinstance(inner, Matcher) and inner.optional:
        raise wrong(
            "contains", "can't hold what may be left out ($optional, $absent): everything would do", place
        )
    return Contains(inner)
