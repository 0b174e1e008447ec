"""$regex: a text in which a pattern is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import EvaluatorError
from ..jsonvalue import show
from ..linear_regex import LinearPattern, TooMuchWorkError, UnsupportedPatternError
from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, wrong

DECLARATION = MatcherDeclaration(
    id="regex",
    meaning="a text in which the pattern is found; ^ and $ tie it to the ends",
    schema={"type": "string"},
    example={"$regex": "^T-[0-9]{4}$"},
    accepts=("T-9001",),
    refuses=("T-90", "xT-9001", 9001, None),
)


class Regex(Matcher):
    """Takes a text in which its pattern is found. Time grows with the text's length, whatever the pattern."""

    __slots__ = ("_pattern", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._pattern = LinearPattern(pattern)

    def accepts(self, actual: Any, same: Same) -> bool:
        try:
            return isinstance(actual, str) and self._pattern.found_in(actual)
        except TooMuchWorkError as error:
            raise EvaluatorError(f"$regex {show(self.pattern)}: {error}") from None

    def words(self) -> str:
        return f"a text that matches {show(self.pattern)}"

    def as_json(self) -> Any:
        return {"$regex": self.pattern}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Regex:
    """From ``{"$regex": ".."}``."""
    pattern = fields["$regex"]
    if not isinstance(pattern, str):
        raise wrong("regex", "takes a pattern as text", place)
    try:
        return Regex(pattern)
    except UnsupportedPatternError as error:
        raise wrong("regex", f"{show(pattern)} can't be used: {error}", place) from None
