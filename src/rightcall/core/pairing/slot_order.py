"""Order where expected calls may be left out, repeated or made in another way: the best split of the calls made.

The expected calls stand in groups, each group in one stretch of the calls made, the stretches in order. Of all splits
the one is taken that fills the most places that must be filled, then the most others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import Final

from ...errors import EvaluatorError
from ..results import Alignment, Pair
from .slot_views import SlotAlignments

__all__ = ["best_split"]

MOST_CELLS: Final = 4_000_000
"""Expected groups times calls made: about five seconds."""


def best_split(
    view: SlotAlignments, groups: Sequence[Sequence[int]], *, rule: str, by_name: bool
) -> Alignment:
    """The alignment of the best split.

    Args:
        view: the case.
        groups: the places, in the order in which they should be filled; those of one group in any order.
        rule: the name of the alignment.
        by_name: whether a name is all that is asked, or equal arguments too.

    Raises:
        EvaluatorError: too many calls.
    """
    live = list(view.actual_indexes)
    if len(groups) * (len(live) + 1) > MOST_CELLS:
        hint = f"at most {MOST_CELLS} combinations"
        raise EvaluatorError("too many calls to find their order", field="expected_tool_calls", hint=hint)
    fits = [
        frozenset(view.named_columns(view.actual_names[made])) if by_name else view.equal_columns(made)
        for made in live
    ]
    best = [0] * (len(live) + 1)  # what the groups so far can make of the first calls
    origins: list[list[int]] = []
    for group in groups:
        best, origin = _extend(view, fits, group, best)
        origins.append(origin)
    pairs: list[Pair] = []
    end = len(live)
    for group, origin in zip(reversed(groups), reversed(origins), strict=True):
        start = origin[end]
        filled = _Stretch(view, group)
        for place in range(start, end):
            filled.add(place, fits[place])
        pairs += (Pair(live[place], slot, 1.0) for slot, place in filled.holder.items())
        end = start
    return view.align(rule, pairs)


def _extend(
    view: SlotAlignments, fits: Sequence[Collection[int]], group: Sequence[int], best: list[int]
) -> tuple[list[int], list[int]]:
    """One group more: what it adds to each number of first calls, and where its stretch begins."""
    following = list(best)
    origin = list(range(len(best)))  # an empty stretch
    columns = {view.column_number(slot) for slot in group}
    alone = view.column_number(group[0]) if len(group) == 1 else None
    for start in range(len(fits)):
        if alone is not None:
            value = best[start] + view.weight(group[0])
            if alone in fits[start] and value > following[start + 1]:
                following[start + 1], origin[start + 1] = value, start
            continue
        if columns.isdisjoint(fits[start]):
            continue  # The start after does at least as well.
        if start and best[start] == best[start - 1] and not columns.isdisjoint(fits[start - 1]):
            continue  # The start before does.
        filled, value = _Stretch(view, group), best[start]
        for place in range(start, len(fits)):
            gained = filled.add(place, fits[place])
            value += gained
            if gained and value > following[place + 1]:
                following[place + 1], origin[place + 1] = value, start
            if len(filled.holder) == len(group):
                break
    for end in range(1, len(best)):
        if following[end - 1] > following[end]:
            following[end], origin[end] = following[end - 1], origin[end - 1]
    return following, origin


class _Stretch:
    """One group against a growing stretch of calls: the best matching so far.

    Calls come in one by one, and each takes the way to the most valuable place that is still free; a matching that
    grows so is a best one at every step.

    Attributes:
        holder: for each filled place the call that fills it.
    """

    def __init__(self, view: SlotAlignments, group: Sequence[int]) -> None:
        self.view = view
        self.group = sorted(group, key=lambda slot: (not view.is_required(slot), slot))
        self.holder: dict[int, int] = {}
        self._fits: dict[int, Collection[int]] = {}

    def add(self, place: int, fits: Collection[int]) -> int:
        """Take in one call more; gives what that is worth."""
        self._fits[place] = fits
        came: dict[int, int] = {}
        queue = deque([place])
        reached: int | None = None
        while queue:
            holder = queue.popleft()
            for slot in self.group:
                if slot in came or self.view.column_number(slot) not in self._fits[holder]:
                    continue
                came[slot] = holder
                if slot in self.holder:
                    queue.append(self.holder[slot])
                elif reached is None or self.view.weight(slot) > self.view.weight(reached):
                    reached = slot
        if reached is None:
            return 0
        held = {call: slot for slot, call in self.holder.items()}
        onward: int | None = reached
        while onward is not None:
            self.holder[onward] = came[onward]
            onward = held.get(came[onward])
        return self.view.weight(reached)
