"""$type: any value of a kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...errors import nearest
from ..jsonvalue import is_finite, show
from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, wrong

KINDS: Final = ("string", "number", "integer", "boolean", "null", "array", "object")

DECLARATION = MatcherDeclaration(
    id="type",
    meaning="a value of this JSON type, or of one of several",
    schema={
        "anyOf": [{"enum": list(KINDS)}, {"type": "array", "items": {"enum": list(KINDS)}, "minItems": 1}]
    },
    example={"$type": "integer"},
    accepts=(5, 5.0),
    refuses=(5.5, "5", True, None),
)


class OfType(Matcher):
    """Takes values of its JSON types; 5.0 is an integer, true is no number."""

    __slots__ = ("kinds",)

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self.kinds = kinds

    def accepts(self, actual: Any, same: Same) -> bool:
        return not _kinds_of(actual).isdisjoint(self.kinds)

    def words(self) -> str:
        return f"a value of type {' or '.join(self.kinds)}"

    def as_json(self) -> Any:
        return {"$type": self.kinds[0] if len(self.kinds) == 1 else list(self.kinds)}


def _kinds_of(value: Any) -> frozenset[str]:
    if isinstance(value, bool):
        return frozenset({"boolean"})
    if value is None:
        return frozenset({"null"})
    for kind, name in ((str, "string"), (list, "array"), (dict, "object")):
        if isinstance(value, kind):
            return frozenset({name})
    if not is_finite(value):
        return frozenset()  # NaN and infinity are no JSON
    return frozenset({"number", "integer"} if isinstance(value, int) else {"number"})


_OF_PYTHON: Final[dict[type, str]] = {
    str: "string",
    float: "number",
    int: "integer",
    bool: "boolean",
    list: "array",
    dict: "object",
    type(None): "null",
}


def _meant(near: str | None) -> str:
    return f"; did you mean {near!r}?" if near else ""


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> OfType:
    """From ``{"$type": ".."}``."""
    written = fields["$type"]
    kinds = tuple(written) if isinstance(written, list | tuple) else (written,)
    for kind in kinds:
        if kind not in KINDS:
            if not isinstance(kind, str):
                near = _OF_PYTHON.get(kind) if isinstance(kind, type) else None
                seen = f"Python's {kind.__name__}" if isinstance(kind, type) else show(kind)
                raise wrong("type", f"takes the name of a JSON type, not {seen}" + _meant(near), place)
            raise wrong("type", f"has no {show(kind)}" + _meant(nearest(kind, KINDS)), place)
    if not kinds:
        raise wrong("type", "takes at least one type", place)
    return OfType(kinds)
