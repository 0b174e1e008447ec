"""$schema: a value that satisfies a JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..jsonvalue import is_finite, show
from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, Validate, wrong

DECLARATION = MatcherDeclaration(
    id="schema",
    meaning="a value that satisfies this JSON Schema; it may refer to nothing outside itself (extra: schema)",
    schema={"type": ["object", "boolean"]},
    example={"$schema": {"type": "string", "minLength": 3}},
    accepts=("abc",),
    refuses=("ab", 5, None),
)


class Satisfies(Matcher):
    """Takes values that satisfy its schema."""

    __slots__ = ("_validate", "schema")

    def __init__(self, schema: Any, validate: Validate) -> None:
        self.schema = schema
        self._validate = validate

    def accepts(self, actual: Any, same: Same) -> bool:
        # NaN and infinity, which Python may hold, are no JSON; validators take them for numbers.
        return is_finite(actual) and self._validate(self.schema, actual)

    def words(self) -> str:
        return f"a value that satisfies {show(self.schema)}"

    def as_json(self) -> Any:
        return {"$schema": self.schema}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Satisfies:
    """From ``{"$schema": {..}}``."""
    schema = fields["$schema"]
    if not isinstance(schema, Mapping | bool):
        raise wrong("schema", "takes a JSON Schema: an object, or true or false", place)
    if parsing.validate is None:
        raise wrong("schema", "needs the extra 'schema'", place)
    validate = parsing.validate
    try:
        validate(schema, None)
    except ValueError as error:
        raise wrong("schema", f"holds no valid JSON Schema: {error}", place) from None
    return Satisfies(schema, validate)
