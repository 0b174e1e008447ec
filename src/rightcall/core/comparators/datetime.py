"""$datetime: the same instant or day, in another spelling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..jsonvalue import show
from ..matcher import Matcher, MatcherDeclaration, Parsing, Same, wrong
from ..moments import read_moment

DECLARATION = MatcherDeclaration(
    id="datetime",
    meaning="the same day, time or instant in any usual spelling; day_first reads 03/04 as 3 April, else March 4",
    schema={"type": "string"},
    options={"day_first": {"type": "boolean"}},
    example={"$datetime": "2026-03-05T15:00:00Z"},
    accepts=("2026-03-05T16:00:00+01:00", "March 5, 2026 3pm UTC", "2026-03-05 15:00:00.000Z", 1772722800),
    refuses=("2026-03-05", "2026-03-05T15:00:00", "2026-03-05T15:00:01Z", "soon", None),
)


class SameMoment(Matcher):
    """Takes spellings of its moment.

    A day equals only a day (or that day's midnight), a moment without a zone only one without, since which zone
    was meant is not known. Numbers are seconds or milliseconds since 1970 and have a zone, UTC.
    """

    __slots__ = ("_moment", "day_first", "value")

    def __init__(self, value: str, *, day_first: bool = False) -> None:
        self.value = value
        self.day_first = day_first
        self._moment = read_moment(value, day_first=day_first)

    def accepts(self, actual: Any, same: Same) -> bool:
        return self._moment is not None and read_moment(actual, day_first=self.day_first) == self._moment

    def words(self) -> str:
        return f"the moment {show(self.value)} in any spelling"

    def as_json(self) -> Any:
        return {"$datetime": self.value} | ({"day_first": True} if self.day_first else {})


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> SameMoment:
    """From ``{"$datetime": "..", "day_first": false}``."""
    value, day_first = fields["$datetime"], fields.get("day_first", False)
    if not isinstance(value, str):
        raise wrong("datetime", "takes a text", place)
    if not isinstance(day_first, bool):
        raise wrong("datetime", "takes day_first as true or false", place)
    found = SameMoment(value, day_first=day_first)
    if read_moment(value, day_first=day_first) is None:
        raise wrong("datetime", f"{show(value)} is no day or time that is known", place)
    return found
