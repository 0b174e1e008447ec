"""$unordered: a list whose order does not matter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...errors import EvaluatorError
from ..jsonvalue import show
from ..match import maximum_matching
from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, as_json, wrong

DECLARATION = MatcherDeclaration(
    id="unordered",
    meaning="a list of these elements in any order, repeats counted",
    schema={"type": "array"},
    nests=True,
    example={"$unordered": ["a", "b"]},
    accepts=(["a", "b"], ["b", "a"]),
    refuses=(["a"], ["a", "b", "b"], "ab"),
)


_MOST: Final = 250_000
"""Pairs of elements that are held against each other."""


class Unordered(Matcher):
    """Takes lists whose elements can be paired with its own, one to one."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Any, ...]) -> None:
        self.items = items

    def accepts(self, actual: Any, same: Same) -> bool:
        if not isinstance(actual, list) or len(actual) != len(self.items):
            return False
        if len(actual) ** 2 > _MOST:
            raise EvaluatorError(
                f"$unordered: {len(actual)} elements are too many", hint=f"at most {_MOST} pairs"
            )
        edges = [[index for index, made in enumerate(actual) if same(item, made)] for item in self.items]
        return len(maximum_matching(edges, len(actual))) == len(self.items)

    def words(self) -> str:
        return f"{show([as_json(item) for item in self.items])} in any order"

    def as_json(self) -> Any:
        return {"$unordered": [as_json(item) for item in self.items]}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Unordered:
    """From ``{"$unordered": [..]}``."""
    items = fields["$unordered"]
    if not isinstance(items, list | tuple):
        raise wrong("unordered", "takes a list", place)
    return Unordered(
        tuple(parsing.inner(item, f"{place}.$unordered[{index}]") for index, item in enumerate(items))
    )
