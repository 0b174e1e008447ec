"""$any: any value at all; the key must be there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, wrong

DECLARATION = MatcherDeclaration(
    id="any",
    meaning="any value; the key must be there",
    schema={"const": True},
    example={"$any": True},
    accepts=(1, None, "x", {}),
)


class AnyValue(Matcher):
    """Takes every value."""

    __slots__ = ()

    def accepts(self, actual: Any, same: Same) -> bool:
        return True

    def words(self) -> str:
        return "any value"

    def as_json(self) -> Any:
        return {"$any": True}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> AnyValue:
    """From ``{"$any": true}``."""
    if fields["$any"] is not True:
        raise wrong("any", "takes true alone", place)
    return AnyValue()
