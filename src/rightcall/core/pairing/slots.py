"""What an expected call asks for, taken apart: places that must be filled, places that may be, and by which calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..types import ExpectedCall

__all__ = ["Column", "Slots", "bounds_of", "choices_of", "needs_slots", "take_apart"]


class Column(Struct, frozen=True):
    """Places of one expected call that are filled alike.

    Attributes:
        call: index of the expected call as it was written.
        required: whether they must be filled.
        choices: the calls any of which fills a place, as indexes into :attr:`Slots.choices`.
        names: the names of those calls, in words for people, in their order.
        start, size: the first place among all, and how many there are.
    """

    call: int
    required: bool
    choices: tuple[int, ...]
    names: tuple[str, ...]
    start: int
    size: int


class Slots(Struct, frozen=True):
    """The expected calls of a case, taken apart.

    Attributes:
        columns: in the order in which the calls were written; what must be made before what may be.
        choices: every call that fills some place, once.
        fields: where each of the choices was written, for errors.
    """

    columns: tuple[Column, ...]
    choices: tuple[ExpectedCall, ...]
    fields: tuple[str, ...]


def needs_slots(calls: Sequence[ExpectedCall]) -> bool:
    """Whether some expected call may be left out, repeated or made in another way."""
    return any(call.optional or call.count is not None or call.alternatives for call in calls)


def take_apart(
    calls: Sequence[ExpectedCall], made: Mapping[str, int], names: Callable[[str], str], field: str
) -> Slots:
    """The places of expected calls (contract 6).

    Args:
        calls: the expected calls as they were written.
        made: how often each tool was called, after the name rule.
        names: the name rule.
        field: the field that they stand in, for errors.
    """
    columns: list[Column] = []
    choices: list[ExpectedCall] = []
    fields: list[str] = []
    start = 0
    for index, call in enumerate(calls):
        first = len(choices)
        choices += [replace(each, alternatives=(), count=None, optional=False) for each in choices_of(call)]
        fields += [
            f"{field}[{index}]" + (f".alternatives[{place - 1}]" if place else "")
            for place in range(len(choices) - first)
        ]
        own = tuple(range(first, len(choices)))
        named = tuple(dict.fromkeys(names(choices[place].name) for place in own))
        must, may = bounds_of(call)
        # More places than there are calls of these tools can't be filled anyway; one is kept, to be seen.
        fillable = max(1, sum(made.get(name, 0) for name in named) - must)
        may = fillable if may is None else min(may, fillable)
        for size, required in ((must, True), (may, False)):
            if size:
                columns.append(Column(index, required, own, named, start, size))
                start += size
    return Slots(tuple(columns), tuple(choices), tuple(fields))


def choices_of(call: ExpectedCall) -> tuple[ExpectedCall, ...]:
    """The calls any of which is as good: itself, then its alternatives."""
    return (call, *call.alternatives)


def bounds_of(call: ExpectedCall) -> tuple[int, int | None]:
    """How many places must be filled, and how many more may be (None: any number)."""
    if call.count is None:
        return (0, 1) if call.optional else (1, 0)
    low = call.count.min or 0
    return low, None if call.count.max is None else call.count.max - low
