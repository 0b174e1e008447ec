"""$text: a text that says the same, whatever its case, blanks and punctuation."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from ..jsonvalue import show
from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, wrong

DECLARATION = MatcherDeclaration(
    id="text",
    meaning="a text with the same letters and digits; case, blanks and punctuation are ignored",
    schema={"type": "string"},
    example={"$text": "St. John's Road"},
    accepts=("st johns road", "St. John’s  Road"),
    refuses=("St. Jon's Road", "", 5),
)


class SameText(Matcher):
    """Takes texts with its letters and digits. A minus is punctuation too: -5 would be 5, so it is not for numbers."""

    __slots__ = ("_letters", "value")

    def __init__(self, value: str) -> None:
        self.value = value
        self._letters = _letters(value)

    def accepts(self, actual: Any, same: Same) -> bool:
        return isinstance(actual, str) and _letters(actual) == self._letters

    def words(self) -> str:
        return f"the text {show(self.value)}, whatever its case, blanks and punctuation"

    def as_json(self) -> Any:
        return {"$text": self.value}


def _letters(text: str) -> str:
    """What is neither blank nor punctuation, in one form. Symbols stay: $ and € are no punctuation."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if unicodedata.category(char)[0] not in "PZC")


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> SameText:
    """From ``{"$text": ".."}``."""
    value = fields["$text"]
    if not isinstance(value, str):
        raise wrong("text", "takes a text", place)
    if not _letters(value):
        raise wrong("text", f"{show(value)} has no letter or digit, so every such text would do", place)
    return SameText(value)
