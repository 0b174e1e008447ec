"""How often tools are to be called where an expected call may be made under several names (contract 6)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from ..counts import CountRule
from ..types import ExpectedCall
from .slots import bounds_of, choices_of

__all__ = ["CountUnit", "count_units"]


class CountUnit(Struct, frozen=True):
    """Tools that are counted together, since some expected call may be made as any of them; mostly one tool alone.

    Attributes:
        names: the tools, in the order in which they were written.
        rule: how many calls of them together are fine.
        slots: (tools, least, most) of the expected calls among them, those of the same tools together; None is open.
    """

    names: tuple[str, ...]
    rule: CountRule
    slots: tuple[tuple[frozenset[str], int, int | None], ...]

    @property
    def title(self) -> str:
        """The tools in words."""
        return " or ".join(self.names)

    def number(self, made: Mapping[str, int]) -> int:
        """How many calls of its tools were made."""
        return sum(made.get(name, 0) for name in self.names)

    def fits(self, made: Mapping[str, int]) -> bool:
        """Whether the calls that were made can be dealt out so that every expected call gets its number of them.

        Where one way of dealing places every call, and another gives every expected call its least, there is one that
        does both (Mendelsohn and Dulmage).
        """
        number = self.number(made)
        if len(self.slots) == 1 or not self.rule.fits(number):
            return self.rule.fits(number)
        supply = {name: made[name] for name in self.names if made.get(name)}
        most = [(names, number if high is None else high) for names, _, high in self.slots]
        least = [(names, low) for names, low, _ in self.slots]
        return _dealt(supply, most) == number and _dealt(supply, least) == sum(low for _, low in least)


def count_units(calls: Sequence[ExpectedCall], names: Callable[[str], str]) -> tuple[CountUnit, ...]:
    """The tools that expected calls list, in the order in which they were written.

    Args:
        calls: the expected calls as they were written.
        names: the name rule.
    """
    unit_of: dict[str, list[str]] = {}  # the names of a unit, one list for all of them
    slots: dict[frozenset[str], tuple[int, int | None]] = {}
    for call in calls:
        low, more = bounds_of(call)
        named = list(dict.fromkeys(names(each.name) for each in choices_of(call)))
        known_low, known_high = slots.get(frozenset(named), (0, 0))
        high = None if known_high is None or more is None else known_high + low + more
        slots[frozenset(named)] = known_low + low, high
        for name in named:
            joined, own = unit_of.setdefault(named[0], [named[0]]), unit_of.setdefault(name, [name])
            if own is not joined:
                joined += own
                unit_of |= dict.fromkeys(own, joined)
    of_unit: dict[int, list[tuple[frozenset[str], int, int | None]]] = {}
    for tools, (low, high) in slots.items():
        of_unit.setdefault(id(unit_of[next(iter(tools))]), []).append((tools, low, high))
    groups = {id(group): group for group in unit_of.values()}
    return tuple(
        CountUnit(tuple(group), _together(of_unit[key]), tuple(of_unit[key])) for key, group in groups.items()
    )


def _together(slots: Sequence[tuple[frozenset[str], int, int | None]]) -> CountRule:
    """How many calls slots ask for in all."""
    ends = [high for _, _, high in slots if high is not None]
    return CountRule(sum(low for _, low, _ in slots), sum(ends) if len(ends) == len(slots) else None)


def _dealt(supply: Mapping[str, int], slots: Sequence[tuple[frozenset[str], int]]) -> int:
    """How many calls can be dealt out to slots of so many places: a greatest flow, by shortest augmenting paths."""
    left = dict(supply)
    room = [places for _, places in slots]
    of_name: dict[str, list[int]] = {}
    for slot, (names, _) in enumerate(slots):
        for name in names:
            of_name.setdefault(name, []).append(slot)
    given: dict[tuple[str, int], int] = {}
    total = 0
    while True:
        came: dict[str | int, str | int | None] = {name: None for name, number in left.items() if number}
        queue: deque[str | int] = deque(came)
        end: int | None = None
        while queue and end is None:
            node = queue.popleft()
            if isinstance(node, str):
                for slot in of_name.get(node, ()):
                    if slot not in came:
                        came[slot] = node
                        queue.append(slot)
            elif room[node]:
                end = node
            else:
                for name in slots[node][0]:
                    if name not in came and given.get((name, node)):
                        came[name] = node
                        queue.append(name)
        if end is None:
            return total
        total += _augment(end, came, left, room, given)


def _augment(
    end: int,
    came: Mapping[str | int, str | int | None],
    left: dict[str, int],
    room: list[int],
    given: dict[tuple[str, int], int],
) -> int:
    """Move as many calls along a path as it holds; gives their number."""
    steps: list[tuple[str, int, int]] = []  # (tool, slot, more or fewer)
    node: str | int = end
    amount = room[end]
    while (before := came[node]) is not None:
        if isinstance(node, int):
            steps.append((str(before), node, 1))
        else:
            slot = int(before)
            steps.append((node, slot, -1))
            amount = min(amount, given[node, slot])
        node = before
    start = str(node)
    amount = min(amount, left[start])
    for name, slot, sign in steps:
        given[name, slot] = given.get((name, slot), 0) + sign * amount
    left[start] -= amount
    room[end] -= amount
    return amount
