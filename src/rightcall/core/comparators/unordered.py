"""$unordered: a list whose order does not matter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...errors import EvaluatorError
from ..equality.unordered import TooManyPairsError, fits_in_any_order
from ..jsonvalue import show
from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, as_json, under, wrong

DECLARATION = MatcherDeclaration(
    id="unordered",
    meaning="a list of these elements in any order, repeats counted; $optional ones may be left out",
    schema={"type": "array"},
    nests=True,
    example={"$unordered": ["a", "b"]},
    accepts=(["a", "b"], ["b", "a"]),
    refuses=(["a"], ["a", "b", "b"], "ab"),
)

_SHOWN: Final = 6


class Unordered(Matcher):
    """Takes lists whose elements can be paired with its own, one to one."""

    __slots__ = ("_place", "items")

    def __init__(self, items: tuple[Any, ...], place: str | None = None) -> None:
        self.items = items
        self._place = place

    def accepts(self, actual: Any, same: Same) -> bool:
        """Whether every element has a partner.

        Raises:
            EvaluatorError: too many elements would have to be held against each other.
        """
        if not isinstance(actual, list):
            return False
        try:
            return fits_in_any_order(self.items, actual, same)
        except TooManyPairsError as error:
            raise EvaluatorError(f"$unordered: {error}", field=self._place) from None

    def words(self) -> str:
        shown = show([as_json(item) for item in self.items[:_SHOWN]])
        more = f" and {len(self.items) - _SHOWN} more" if len(self.items) > _SHOWN else ""
        return f"{shown}{more} in any order"

    def as_json(self) -> Any:
        return {"$unordered": [as_json(item) for item in self.items]}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Unordered:
    """From ``{"$unordered": [..]}``."""
    items = fields["$unordered"]
    if not isinstance(items, list | tuple):
        raise wrong("unordered", "takes a list", place)
    inner = tuple(parsing.inner(item, under(place, "$unordered", index)) for index, item in enumerate(items))
    return Unordered(inner, place)
