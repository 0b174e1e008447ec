"""$literal: a value that looks like a matcher and is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..jsonvalue import InvalidJSONError, canonical
from ..matcher import ANYTHING, MatcherDeclaration, Parsing, wrong

DECLARATION = MatcherDeclaration(
    id="literal",
    meaning="this value as it is, also where it looks like a matcher",
    schema=ANYTHING,
    example={"$literal": {"$any": True}},
    accepts=({"$any": True},),
    refuses=(5, None, {"$any": False}),
)


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Any:
    """From ``{"$literal": ..}``: the plain value."""
    try:
        return canonical(fields["$literal"])
    except InvalidJSONError as error:
        raise wrong("literal", f"takes a JSON value: {error}", place) from None
