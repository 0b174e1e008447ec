"""On which line of its file an item of a recording stands, told from the place that errors name.

Of JSON Lines the place is the line. Items of one document, or of documents one after the other, are numbered; on which
line each begins is noted while they are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Raw

__all__ = ["ItemLines", "line_of", "lines_of_items", "without_line"]

ItemLines = dict[str, int]
"""The line on which an item begins whose place does not say it, by place."""

_LINE: Final = re.compile(r"line (\d+)")
_STEP: Final = re.compile(r"(?:\[[^\[\]]*\]|\.[^.\[\]]*)\Z")


def line_of(place: str | None, lines: ItemLines) -> int | None:
    """The line of an item, or of something in it; None where it stands on none, as in protobuf."""
    if place is None:
        return None
    found = _LINE.match(place)
    if found is not None:
        return int(found[1])
    while place not in lines:
        step = _STEP.search(place)
        if step is None:
            return None
        place = place[: step.start()]
    return lines[place]


def without_line(said: str, line: int | None) -> str:
    """What is said of a place, without the line where it stands beside it already."""
    return said if line is None else re.sub(rf"\Aline {line}(?:\.|: |\Z|(?=\[))", "", said)


def lines_of_items(data: bytes, items: list[Any], line: int) -> Iterator[int]:
    """The line on which each item of a JSON list begins, the list's text beginning on line `line`."""
    several = b"\n" in data
    position = 0
    for item in items:
        if several and isinstance(item, Raw):
            body = bytes(item)
            # Between two items stand a comma and blanks alone, so the first place found is the item's.
            found = data.find(body, position)
            line += data.count(b"\n", position, found)
            yield line
            line += body.count(b"\n")
            position = found + len(body)
        else:
            yield line
