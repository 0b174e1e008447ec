"""$one_of: one of some values, each of which may be a matcher itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..jsonvalue import show
from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, as_json, under, wrong

DECLARATION = MatcherDeclaration(
    id="one_of",
    meaning="one of these values; with $optional or $absent among them the key may be left out",
    schema={"type": "array", "minItems": 1},
    nests=True,
    example={"$one_of": ["Oslo", "Bergen"]},
    accepts=("Oslo", "Bergen"),
    refuses=("oslo", None, ["Oslo"]),
)


class OneOf(Matcher):
    """Takes what equals one of its values."""

    __slots__ = ("values",)

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values

    @property
    def optional(self) -> bool:
        return any(isinstance(value, Matcher) and value.optional for value in self.values)

    def accepts(self, actual: Any, same: Same) -> bool:
        return any(same(value, actual) for value in self.values)

    def words(self) -> str:
        shown = ", ".join(
            value.words() if isinstance(value, Matcher) else show(value, 30) for value in self.values[:6]
        )
        return f"one of {shown}" + (f" and {len(self.values) - 6} more" if len(self.values) > 6 else "")

    def as_json(self) -> Any:
        return {"$one_of": [as_json(value) for value in self.values]}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> OneOf:
    """From ``{"$one_of": [..]}``."""
    values = fields["$one_of"]
    if not isinstance(values, list | tuple) or not values:
        raise wrong("one_of", "takes a list of at least one value", place)
    return OneOf(
        tuple(parsing.inner(value, under(place, "$one_of", index)) for index, value in enumerate(values))
    )
