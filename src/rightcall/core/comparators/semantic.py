"""$semantic: a value of the same meaning, as the local judge sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..jsonvalue import show
from ..matcher import Matcher, MatcherDeclaration, Means, Parsing, Same, wrong

DECLARATION = MatcherDeclaration(
    id="semantic",
    meaning=(
        "a value of the same meaning, written otherwise: taken where the local judge finds it at least as likely "
        "as not; what is a date or an amount it tells by the shape (extra: semantic)"
    ),
    schema={"type": "string"},
    example={"$semantic": "Nov 12 2025"},
    accepts=("2025-11-12", "12 November 2025", "Nov 12 2025"),
    refuses=("2025-11-13", "2025-11-13 which equals Nov 12 2025", "soon", None),
)


class SameMeaning(Matcher):
    """Takes what means the same. No judge over a network is asked here: a matcher says yes or no at once."""

    __slots__ = ("_means", "value")

    def __init__(self, value: str, means: Means) -> None:
        self.value = value
        self._means = means

    def accepts(self, actual: Any, same: Same) -> bool:
        return actual is not None and self._means(self.value, actual)

    def words(self) -> str:
        return f"the meaning of {show(self.value)}"

    def as_json(self) -> Any:
        return {"$semantic": self.value}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> SameMeaning:
    """From ``{"$semantic": ".."}``."""
    value = fields["$semantic"]
    if not isinstance(value, str) or not value.strip():
        raise wrong("semantic", "takes a text", place)
    if parsing.means is None:
        raise wrong("semantic", "needs the extra 'semantic'", place)
    parsing.means(value, value)  # says early that a library is missing
    return SameMeaning(value, parsing.means)
