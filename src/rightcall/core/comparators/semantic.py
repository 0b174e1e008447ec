"""$semantic: a value of the same meaning. Its judge is still to come, so it is refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from ...errors import ExpectationError
from ..matcher import MatcherDeclaration, Parsing

DECLARATION = MatcherDeclaration(
    id="semantic",
    meaning="a value of the same meaning; not there yet",
    schema={"type": "string"},
    example={"$semantic": "next Friday"},
)


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> NoReturn:
    """Refuses."""
    raise ExpectationError("$semantic is not there yet", field=place, hint="$text or $one_of may do")
