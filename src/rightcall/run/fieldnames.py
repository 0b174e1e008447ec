"""Fields of a row that mean nothing, but look like one that would: a misspelled rule must not pass for no rule.

Rows may have columns of any name, so not every unknown one is a fault. One that would change the score, and without
which the case asks for less than its author wrote, is an error of the case where it is a letter away from its name, or
a known other word for it (`forbid`); of other fields it is a warning.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from ..core.jsonvalue import show
from ..core.nodes import Node, opened
from ..errors import ExpectationError, nearest

__all__ = ["DECIDING", "Misspelled", "check_field_names", "misspelled"]

DECIDING: Final = ("forbidden", "expected_counts", "expected_any_of", "expected_any")
"""Fields of the expected side that a case may do without, so that nobody would miss them."""

ASIDE: Final = ("id", "tools", "input", "trial", "tags", "cluster", "verdict", "metadata")
"""Fields that change no score by themselves, or whose lack is told (`tools`)."""

_OTHER_WORDS: Final = {
    "forbid": "forbidden",
    "forbids": "forbidden",
    "forbidden_tool": "forbidden",
    "forbidden_tools": "forbidden",
    "forbidden_call": "forbidden",
    "forbidden_calls": "forbidden",
    "forbidden_tool_calls": "forbidden",
    "disallowed_tools": "forbidden",
    "expected_call_counts": "expected_counts",
    "expected_tool_counts": "expected_counts",
    "expected_tool_call_counts": "expected_counts",
    "expected_tool_calls_any_of": "expected_any_of",
}
"""Words that people write for a field, by its name."""

_SHORT: Final = 3
"""Letters up to which a word is soon like another one: it has to be the same but for its style (`ID`)."""


class Misspelled(Struct, frozen=True):
    """A field that has no meaning, and the one that was probably meant."""

    field: str
    meant: str

    @property
    def decides(self) -> bool:
        """Whether the field that was meant would change the score."""
        return self.meant in DECIDING

    @property
    def words(self) -> str:
        """What is told."""
        return f"the field {show(self.field)} has no meaning here; did you mean {self.meant!r}?"


@lru_cache(maxsize=1024)
def misspelled(fields: frozenset[str]) -> tuple[Misspelled, ...]:
    """The fields that look like one that is lacking, in the order of their names.

    Args:
        fields: the names of all fields of a row.
    """
    lacking = [name for name in (*DECIDING, *ASIDE) if name not in fields]
    words = {name: name for name in lacking}
    words |= {word: name for word, name in _OTHER_WORDS.items() if name in words}
    found = []
    for field in sorted(str(name) for name in fields.difference(DECIDING, ASIDE, _SIDES)):
        close = [word for word in words if len(word) > _SHORT or word == field.lower()]
        near = nearest(field, close, edits=1)
        if near is not None and field in fields:
            found.append(Misspelled(field, words[near]))
    return tuple(found)


_SIDES: Final = ("tool_calls", "actual", "output", "expected_tool_calls", "expected")
"""Fields that hold a whole side: that one is lacking is told by who reads them."""


def check_field_names(fields: Mapping[str, Node]) -> tuple[str, ...]:
    """A warning for each field that looks like one that is lacking.

    Raises:
        ExpectationError: the one that was meant would change the score, and could hold what stands there.
    """
    told = []
    for found in misspelled(frozenset(fields)):
        value = opened(fields[found.field])
        could_be = _could_be(found.meant, value)
        if could_be and found.decides:
            raise ExpectationError(
                f"there is no such field, and without {found.meant!r} this case would ask for less than it says",
                field=found.field,
                hint=f"did you mean {found.meant!r}? A column of another meaning needs another name",
            )
        if could_be or found.decides:
            told.append(found.words)
    return tuple(told)


def _could_be(meant: str, value: Any) -> bool:
    """Whether a value could be that of a field: the number in a column `expected_count` is no table of counts."""
    begin = value.lstrip()[:1] if isinstance(value, str) else ""
    if meant == "forbidden":
        return value not in ("", [], {}) and isinstance(value, str | list | tuple | Mapping)
    if meant == "expected_counts":
        return begin == "{" or (isinstance(value, Mapping) and bool(value))
    if meant in ("expected_any_of", "expected_any"):
        return begin == "[" or (isinstance(value, list | tuple) and bool(value))
    return meant != "tools" or begin in ("[", "{") or isinstance(value, list | tuple | Mapping)
