"""Order of calls: which expected calls were made in order, and whether calls stand in the expected sequence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from ...errors import ExpectationError
from ..diagnosis.calls import extra_call, missing_call
from ..match import maximum_matching
from ..results import Alignment, Difference, Pair
from .align import group_scores, identity, in_order, to_alignment
from .alignments import Alignments
from .slot_order import best_split
from .slot_views import SlotAlignments

__all__ = ["expected_groups", "missed_order", "name_order", "same_names", "same_sequence", "subsequence"]


def expected_groups(alignments: Alignments, use: Literal["use", "ignore"]) -> list[list[int]]:
    """The expected calls as groups of indexes; a call without a group is one of its own.

    Raises:
        ExpectationError: calls of one group do not stand next to each other.
    """
    groups: list[list[int]] = []
    seen: dict[str, list[int]] = {}
    last: str | None = None
    for index, call in enumerate(alignments.expected):
        name = call.group if use == "use" else None
        if name is not None and name == last:
            groups[-1].append(index)
        else:
            if name is not None and name in seen:
                raise ExpectationError(
                    f"the calls of group {name!r} do not stand next to each other",
                    field=f"expected_tool_calls[{alignments.written(index)}].group",
                    hint="put them side by side, or set groups=ignore",
                )
            groups.append([index])
            if name is not None:
                seen[name] = groups[-1]
        last = name
    return groups


def name_order(alignments: Alignments, use: Literal["use", "ignore"]) -> Alignment:
    """The most expected calls whose names were made in order; calls of one group in any order."""
    if isinstance(alignments, SlotAlignments):
        every = expected_groups(alignments, use)
        return best_split(alignments, every, rule="in_order", by_name=True)
    grouped = use == "use" and _has_groups(alignments)
    groups = expected_groups(alignments, use) if grouped else None
    names, wanted = alignments.actual_names, alignments.expected_names
    live = alignments.actual_indexes
    if len(live) < len(names):
        names = [names[index] for index in live]
    elif names == wanted:
        return identity("in_order", len(wanted))
    found = in_order(names, wanted) if groups is None else _by_segments(names, wanted, groups)
    pairs = tuple([Pair(live[position], expected, 1.0) for position, expected in found])
    missing: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()
    if len(found) < len(wanted):
        right = {pair.expected for pair in pairs}
        missing = tuple([index for index in range(len(wanted)) if index not in right])
    if len(found) < len(live):
        made = {pair.actual for pair in pairs}
        extra = tuple([index for index in live if index not in made])
    return Alignment(rule="in_order", pairs=pairs, missing=missing, extra=extra, exact=len(found))


def _has_groups(alignments: Alignments) -> bool:
    # A loop is faster than a generator for the few calls that there are.
    for call in alignments.expected:  # noqa: SIM110
        if call.group is not None:
            return True
    return False


def _by_segments(names: list[str], wanted: list[str], groups: list[list[int]]) -> list[tuple[int, int]]:
    segments = group_scores(names, [[wanted[index] for index in group] for group in groups])
    pairs: list[tuple[int, int]] = []
    for group, (start, end, _) in zip(groups, segments, strict=True):
        free: dict[str, list[int]] = {}
        for index in reversed(group):
            free.setdefault(wanted[index], []).append(index)
        pairs.extend(
            (position, free[names[position]].pop())
            for position in range(start, end)
            if free.get(names[position])
        )
    return pairs


def same_names(alignments: Alignments, use: Literal["use", "ignore"]) -> bool:
    """Whether the names were made in just the expected sequence, groups in any order among themselves."""
    groups = expected_groups(alignments, use)
    names = [alignments.actual_names[index] for index in alignments.actual_indexes]
    wanted = alignments.expected_names
    if len(names) != len(wanted):
        return False
    return all(
        Counter(names[group[0] : group[-1] + 1]) == Counter(wanted[index] for index in group)
        for group in groups
    )


def same_sequence(alignments: Alignments, use: Literal["use", "ignore"]) -> Alignment:
    """Position by position, a group as a whole: which equal calls stand where they should."""
    if isinstance(alignments, SlotAlignments):
        # Where calls may be left out there are no positions: all are in place if a split leaves nothing over.
        return best_split(alignments, expected_groups(alignments, use), rule="sequence", by_name=False)
    live = list(alignments.actual_indexes)
    pairs: list[Pair] = []
    for group in expected_groups(alignments, use):
        segment = live[group[0] : group[-1] + 1]
        pairs += _pairs_in(alignments, segment, group)
    return to_alignment("sequence", pairs, live, range(len(alignments.expected)))


def subsequence(alignments: Alignments, use: Literal["use", "ignore"]) -> Alignment:
    """The expected calls found in order, extra calls allowed in between.

    Each group takes the earliest stretch that completes it; if any choice leads to the end, the earliest does.
    """
    if isinstance(alignments, SlotAlignments):
        return best_split(alignments, expected_groups(alignments, use), rule="subsequence", by_name=False)
    live = list(alignments.actual_indexes)
    pairs: list[Pair] = []
    start = 0
    for group in expected_groups(alignments, use):
        found, end = _earliest(alignments, live, start, group)
        pairs += found
        if end is None:
            break
        start = end
    return to_alignment("subsequence", pairs, live, range(len(alignments.expected)))


def _earliest(
    alignments: Alignments, live: Sequence[int], start: int, group: list[int]
) -> tuple[list[Pair], int | None]:
    """The shortest stretch from `start` in which a whole group can be paired; its end is None if there is none."""
    if len(group) == 1:
        for position in range(start, len(live)):
            if _equal(alignments, live[position], group[0]):
                return [Pair(live[position], group[0], 1.0)], position + 1
        return [], None
    best: list[Pair] = []
    for end in range(start + len(group), len(live) + 1):
        best = _pairs_in(alignments, live[start:end], group)
        if len(best) == len(group):
            return best, end
    return best, None


def _pairs_in(alignments: Alignments, segment: Sequence[int], group: Sequence[int]) -> list[Pair]:
    edges = [
        [place for place, made in enumerate(segment) if _equal(alignments, made, wanted)] for wanted in group
    ]
    matching = maximum_matching(edges, len(segment))
    return [Pair(segment[place], group[row], 1.0) for row, place in matching.items()]


def _equal(alignments: Alignments, actual: int, expected: int) -> bool:
    same_name = alignments.actual_names[actual] == alignments.expected_names[expected]
    return same_name and alignments.equal(actual, expected)


def missed_order(alignments: Alignments, alignment: Alignment) -> tuple[Difference, ...]:
    """The expected calls that were not made in order: ``out_of_order`` where a call of that name is left over."""
    if not alignment.missing and not alignments.expects_nothing:
        return ()
    left_over = [alignments.actual_names[index] for index in alignment.extra]
    found: list[Difference] = []
    for index in alignment.missing:
        name = next((name for name in left_over if alignments.takes(index, name)), None)
        if name is not None:
            left_over.remove(name)
            message = f"{name} was called at another place in the order"
            found.append(Difference(kind="out_of_order", message=message, tool=name, expected_call=index))
        else:
            name, title = alignments.expected_names[index], alignments.title(index)
            found.append(missing_call(name, index, title=title))
    if alignments.expects_nothing:
        offered = alignments.offered
        found += (extra_call(alignments.actual_names[i], i, offered) for i in alignment.extra)
    return tuple(found)
