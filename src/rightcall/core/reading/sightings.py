"""Calls of a recording as they are met, and which of them one is that comes under an id that is known.

Histories are sent again and snapshots repeat themselves, so the same id mostly means the same call; but many servers
count ids anew in each answer, so it may be another one that looks just like it. What tells the two apart is what lies
between: a call whose answer has passed is over, and so is one of an earlier turn or of another response.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Raw, Struct

from ..arguments import Arguments, read_arguments
from ..jsonvalue import canonical_key, same_value
from ..nodes import Node

__all__ = ["Recorded", "SameId", "alike", "same_call", "told_again"]


class Recorded(Struct, gc=False):
    """A call that may still get its output.

    Attributes:
        at: its place among the calls.
        closed: its answer has passed since the call was last met.
        met: the telling in which it was last met.
        seen: the message in which it was last met; -1 is the one that made it.
        source: what the recording calls the message or response that made it.
    """

    name: str
    raw: Arguments
    id: str | None
    turn: int | None
    message: int
    at: int
    answered: bool = False
    closed: bool = False
    met: int = 0
    seen: int = -1
    source: Any = None
    output: Node = None
    error: Any = None
    status: str | None = None
    group: str | None = None
    start: float | None = None
    span_id: str | None = None


MANY: Final = 8
"""Calls of one id up to which each is compared; some servers give one id to all calls."""


class SameId:
    """The many calls of one id, found without comparing each with each."""

    def __init__(self) -> None:
        self._keyed = 0
        self._readable: dict[tuple[str, bytes], list[Recorded]] = {}
        self._unreadable: dict[str, list[Recorded]] = {}
        self._any: dict[str, list[Recorded]] = {}

    def find(
        self, name: str, raw: Arguments, earlier: Sequence[int], calls: Sequence[Recorded]
    ) -> list[Recorded]:
        """The calls with this name and no differing readable arguments."""
        for at in earlier[self._keyed :]:
            call = calls[at]
            value = read_arguments(call.raw).value
            self._any.setdefault(call.name, []).append(call)
            if value is None:
                self._unreadable.setdefault(call.name, []).append(call)
            else:
                self._readable.setdefault((call.name, canonical_key(value)), []).append(call)
        self._keyed = len(earlier)
        value = read_arguments(raw).value
        if value is None:
            return self._any.get(name, [])
        return self._readable.get((name, canonical_key(value))) or self._unreadable.get(name, [])


def same_call(a: Arguments, b: Arguments) -> bool:
    """Whether arguments do not differ; only readable ones can."""
    if isinstance(a, Raw) and isinstance(b, Raw) and bytes(a) == bytes(b):
        return True
    left, right = read_arguments(a), read_arguments(b)
    return left.value is None or right.value is None or same_value(left.value, right.value)


def alike(
    name: str,
    raw: Arguments,
    earlier: Sequence[int],
    calls: Sequence[Recorded],
    many: dict[Any, SameId],
    id: str,
) -> Sequence[Recorded]:
    """Of the earlier calls of an id those with this name and no differing readable arguments, in order."""
    if len(earlier) > MANY:
        return many.setdefault(id, SameId()).find(name, raw, earlier, calls)
    return [calls[at] for at in earlier if calls[at].name == name and same_call(calls[at].raw, raw)]


def told_again(same: Sequence[Recorded], since: int) -> Recorded | None:
    """The first of the calls that were not met since a telling began; they pass in order."""
    at = bisect_left(same, 1, key=lambda call: int(call.met < since))
    return same[at] if at < len(same) else None
