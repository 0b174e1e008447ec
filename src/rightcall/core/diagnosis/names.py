"""Which names are nearly the same, and how: other letters, another style, a prefix."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["letters", "near_names", "prefix_of"]


@lru_cache(maxsize=4096)
def near_names(a: str, b: str) -> bool:
    """Whether two names are near: the same letters in another style, one inside the other, or few edits."""
    short, long = sorted((letters(a), letters(b)), key=len)
    if not short:
        return False
    return (
        short == long
        or (len(short) >= 4 and short in long)
        or (len(long) <= _LONG_NAME and _few_edits(short, long, len(long) // 4))
    )


def letters(name: str) -> str:
    """The letters and digits of a name, whatever their case and what stands between them."""
    return "".join(filter(str.isalnum, name)).casefold()


_LONG_NAME: Final = 64
"""Letters above which edits are not counted."""


def _few_edits(short: str, long: str, limit: int) -> bool:
    """Whether at most `limit` edits make one of the other; most names differ by far more, which shows early."""
    if len(long) - len(short) > limit:
        return False
    start, size = 0, len(short)
    while start < size and short[start] == long[start]:
        start += 1
    end = 0
    while end < size - start and short[-1 - end] == long[-1 - end]:
        end += 1
    rest = len(long) - start - end
    # What is left begins and ends with an edit.
    return rest <= limit or (
        limit > 1 and _edits(short[start : size - end], long[start : start + rest]) <= limit
    )


def _edits(a: str, b: str) -> int:
    """Levenshtein distance; names are short."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (left != right))
    return row[-1]


_NAMESPACE: Final = re.compile(
    r"(?:.*(?:__|[.:/])|(?:mcp|tools?|functions?|default_api)[_-])\Z", re.IGNORECASE
)
"""What the part of a name before the tool's own looks like: `mcp__travel__`, `functions.`, `tool_`."""


def prefix_of(long: str, short: str) -> str | None:
    """The namespace that stands before `short` in `long`; None where `long` is not `short` in a namespace.

    A single underscore parts words as well as namespaces: `web_search` is not `search`.
    """
    if not len(short) < len(long) <= _LONGEST_PATH:
        return None
    own = letters(short)
    for found in _SEPARATOR.finditer(long):
        # The style may differ too: functions.getWeather is get_weather in a namespace.
        start = found.end()
        if letters(long[start:]) == own != "":
            return long[:start] if _NAMESPACE.match(long[:start]) else None
    return None


_SEPARATOR: Final = re.compile(r"[_.:/-]+(?=\w)")
_LONGEST_PATH: Final = 256
"""Characters above which a name is no tool's name in a namespace."""
