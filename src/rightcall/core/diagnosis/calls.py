"""What is wrong with a whole call: not made, made in vain, made twice, made under another name, unreadable."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from ..arguments import Arguments, is_cut_off
from ..results import Difference
from .names import letters, near_names, prefix_of

__all__ = [
    "CONFUSED",
    "WHOLE_CALL",
    "extra_call",
    "is_extra",
    "misnamed_call",
    "missing_call",
    "moved_call",
    "repeated_call",
    "unreadable_arguments",
]

CONFUSED: Final = frozenset({"wrong_tool", "name_case", "name_prefix", "unknown_tool"})
"""Kinds of a call that was made under another name; with an expected call they carry both names."""

_EXTRA: Final = frozenset({"extra_call", "duplicate_call", "unknown_tool"})

WHOLE_CALL: Final = CONFUSED | _EXTRA | {"missing_call", "out_of_order"}
"""Kinds that concern a call as a whole: their message names the tool."""


def is_extra(item: Difference) -> bool:
    """Whether a difference is about a call that served no expected call."""
    return item.kind in _EXTRA and item.expected_call is None


_LONGEST: Final = 120
"""Characters of a name that a message shows."""


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def unreadable_arguments(
    problem: str, arguments: Arguments, *, tool: str, pair: tuple[int, int]
) -> Difference:
    """The difference of a pair whose actual arguments can't be read, because they were cut off or otherwise."""
    cut = is_cut_off(arguments)
    return Difference(
        kind="truncated" if cut else "unreadable_arguments",
        message=f"the arguments were cut off ({problem.rpartition(': ')[2]})" if cut else problem,
        tool=tool,
        actual_call=pair[0],
        expected_call=pair[1],
    )


def moved_call(name: str, actual: int, expected: int) -> Difference:
    """A call that was made just as expected, but at another place in the order."""
    return Difference(
        kind="out_of_order",
        message=f"{_short(name)} was called at another place in the order",
        tool=name,
        actual_call=actual,
        expected_call=expected,
    )


def repeated_call(name: str, actual: int, earlier: int) -> Difference:
    """An extra call that says again what an earlier one said."""
    return Difference(
        kind="duplicate_call",
        message=f"{_short(name)} was called again with the same arguments as call {earlier + 1}",
        tool=name,
        actual_call=actual,
    )


def missing_call(name: str, expected: int, *, title: str | None = None) -> Difference:
    """An expected call that was not made. `title` is the name in words, where several would do."""
    return Difference(
        kind="missing_call",
        message=f"{title or _short(name)} was not called",
        tool=name,
        expected_call=expected,
    )


def extra_call(name: str, actual: int, offered: Collection[str] = ()) -> Difference:
    """A call that was made and not expected; where the offered tools are known, whether it is one of them."""
    message = f"{_short(name)} was called but not expected"
    if not offered or name in offered:
        return Difference(kind="extra_call", message=message, tool=name, actual_call=actual)
    near = next((each for each in offered if near_names(each, name)), None)
    hint = f" (did it mean {_short(near)}?)" if near else ""
    return Difference(
        kind="unknown_tool",
        message=f"{message}, and no such tool is offered{hint}",
        tool=name,
        actual_call=actual,
    )


def misnamed_call(
    name: str, made: str, *, expected: int, actual: int, offered: Collection[str] = ()
) -> Difference:
    """A call that was likely made under another name: as another tool, in another spelling, in a namespace.

    Args:
        name, made: the expected and the actual name; they are the difference's two values.
        offered: the names of the tools that were offered; empty where they are not known.
    """
    kind, why, accept_with = "wrong_tool", "", None
    if not (name in offered and made in offered):
        kind, why, accept_with = _name_kind(name, made)
    if kind == "wrong_tool" and offered and made not in offered:
        kind, why = "unknown_tool", ", and no such tool is offered"
    return Difference(
        kind=kind,
        message=f"{_short(made)} was called instead of {_short(name)}{why}",
        expected=name,
        actual=made,
        accept_with=accept_with,
        tool=name,
        actual_call=actual,
        expected_call=expected,
    )


@lru_cache(maxsize=4096)
def _name_kind(name: str, made: str) -> tuple[str, str, str | None]:
    """(kind, what the message adds, the option that takes one name for the other)."""
    mapped = f"name_map={json.dumps({made: name})}"
    if letters(name) == letters(made) != "":
        return "name_case", ": the same name in another spelling", mapped
    for long, short in ((made, name), (name, made)):
        prefix = prefix_of(long, short)
        if prefix is not None:
            exactly = long.endswith(short) and prefix + short == long
            strip = f"strip_name_prefix={json.dumps(re.escape(prefix))}"
            return (
                "name_prefix",
                f": the same name in the namespace {_short(prefix)}",
                strip if exactly else mapped,
            )
    return "wrong_tool", "", None
