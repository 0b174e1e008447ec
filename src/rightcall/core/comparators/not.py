"""$not: any value but these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..jsonvalue import show
from ..matcher import ANYTHING, Matcher, MatcherDeclaration, Parsing, Same, as_json, under, wrong

DECLARATION = MatcherDeclaration(
    id="not",
    meaning="any value but this one, or but what this matcher takes; the key must be there",
    schema=ANYTHING,
    nests=True,
    example={"$not": "admin"},
    accepts=("guest", None, 5),
    refuses=("admin",),
)


class Not(Matcher):
    """Takes what its value does not."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def accepts(self, actual: Any, same: Same) -> bool:
        return not same(self.value, actual)

    def words(self) -> str:
        value = self.value
        return f"anything but {value.words() if isinstance(value, Matcher) else show(value)}"

    def as_json(self) -> Any:
        return {"$not": as_json(self.value)}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Not:
    """From ``{"$not": ..}``."""
    inner = parsing.inner(fields["$not"], under(place, "$not"))
    if isinstance(inner, Matcher) and inner.optional:
        raise wrong(
            "not",
            "can't turn around what may be left out ($optional, $absent): that is about the key, not the value",
            place,
        )
    return Not(inner)
