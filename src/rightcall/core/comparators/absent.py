"""$absent: the key must be left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, wrong

DECLARATION = MatcherDeclaration(
    id="absent",
    meaning="the key must be left out",
    schema={"const": True},
    example={"$absent": True},
    refuses=(None, 0, "", "x"),
)


class Absent(Matcher):
    """Takes no value: its key must be left out."""

    __slots__ = ()

    @property
    def optional(self) -> bool:
        return True

    @property
    def absent(self) -> bool:
        return True

    def accepts(self, actual: Any, same: Same) -> bool:
        return False

    def words(self) -> str:
        return "nothing"

    def as_json(self) -> Any:
        return {"$absent": True}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Absent:
    """From ``{"$absent": true}``."""
    if fields["$absent"] is not True:
        raise wrong("absent", "takes true alone", place)
    return Absent()
