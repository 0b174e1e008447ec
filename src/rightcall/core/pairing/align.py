"""Pairs actual with expected calls: greedy, optimal, in order, by groups. One-to-one in every rule.

The functions know indexes, names and who equals whom; what equality means is decided in `compare`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from ..match import maximum_matching
from ..results import Alignment, Pair

__all__ = [
    "NameGroup",
    "by_actual",
    "group_scores",
    "identity",
    "in_order",
    "pair_greedily",
    "pair_optimally",
    "to_alignment",
]


class NameGroup(Struct):
    """The calls of one name, and which of them are equal.

    Attributes:
        actual, expected: indexes, ascending.
        equal: for each actual call its equal expected calls, ascending, as positions in `expected`. Equal
            calls share one list, so that n calls take O(n) space.
        transitive: whether equality is an equivalence relation here.
    """

    actual: list[int]
    expected: list[int]
    equal: list[list[int]]
    transitive: bool


_IDENTITY: dict[tuple[str, int], Alignment] = {}


def identity(rule: str, size: int) -> Alignment:
    """The alignment of two equal lists: each call with its own double."""
    known = _IDENTITY.get((rule, size))
    if known is None:
        known = Alignment(
            rule=rule, pairs=tuple(Pair(index, index, 1.0) for index in range(size)), exact=size
        )
        if size <= 64:
            _IDENTITY[rule, size] = known
    return known


def pair_greedily(group: NameGroup) -> Iterator[tuple[int, int, bool]]:
    """Each actual call, in order, takes the first unused equal call, else the first unused one.

    Yields:
        (position in `actual`, position in `expected`, equal)
    """
    used = [False] * len(group.expected)
    unused = iter(range(len(group.expected)))
    # Used calls stay used, so one iterator for each list of equal calls never has to go back.
    pending = {id(equal): iter(equal) for equal in group.equal}
    for position, equal in enumerate(group.equal):
        partner = _first_free(pending[id(equal)], used)
        exact = partner is not None
        if partner is None:
            partner = _first_free(unused, used)
        if partner is not None:
            used[partner] = True
            yield position, partner, exact


def _first_free(candidates: Iterator[int], used: list[bool]) -> int | None:
    for candidate in candidates:
        if not used[candidate]:
            return candidate
    return None


def pair_optimally(group: NameGroup) -> Iterator[tuple[int, int, bool]]:
    """As many equal pairs as possible, then the rest by order. Yields as :func:`pair_greedily`."""
    every = group.equal, len(group.expected)
    exact = dict(_pair_equals(group)) if group.transitive else maximum_matching(*every)
    taken = set(exact.values())
    free = iter([position for position in range(len(group.expected)) if position not in taken])
    for position in range(len(group.actual)):
        partner = exact.get(position)
        if partner is not None:
            yield position, partner, True
        else:
            partner = next(free, None)
            if partner is not None:
                yield position, partner, False


def _pair_equals(group: NameGroup) -> Iterator[tuple[int, int]]:
    used = [False] * len(group.expected)
    pending = {id(equal): iter(equal) for equal in group.equal}
    for position, equal in enumerate(group.equal):
        partner = _first_free(pending[id(equal)], used)
        if partner is not None:
            used[partner] = True
            yield position, partner


def to_alignment(
    rule: str, pairs: Iterable[Pair], actual: Iterable[int], expected: Iterable[int]
) -> Alignment:
    """An alignment from its pairs and the indexes that took part."""
    ordered = tuple(sorted(pairs, key=by_actual))
    paired_actual = {pair.actual for pair in ordered}
    paired_expected = {pair.expected for pair in ordered}
    return Alignment(
        rule=rule,
        pairs=ordered,
        missing=tuple(index for index in expected if index not in paired_expected),
        extra=tuple(index for index in actual if index not in paired_actual),
        exact=sum(1 for pair in ordered if pair.credit == 1.0),
    )


def by_actual(pair: Pair) -> int:
    """Sort key: pairs stand in the order of the actual calls."""
    return pair.actual


def in_order(actual: Sequence[str], expected: Sequence[str]) -> list[tuple[int, int]]:
    """A longest common subsequence, as (position in actual, position in expected).

    What both begin and end with belongs to one; only the middle has to be searched.
    """
    start, stop = 0, min(len(actual), len(expected))
    while start < stop and actual[start] == expected[start]:
        start += 1
    end = 0
    while end < stop - start and actual[-1 - end] == expected[-1 - end]:
        end += 1
    pairs = [(place, place) for place in range(start)]
    made, wanted = actual[start : len(actual) - end], expected[start : len(expected) - end]
    if made and wanted and not set(made).isdisjoint(wanted):
        pairs += [(start + place, start + step) for place, step in _in_order(made, wanted)]
    pairs += [(len(actual) - back, len(expected) - back) for back in range(end, 0, -1)]
    return pairs


def _in_order(actual: Sequence[str], expected: Sequence[str]) -> list[tuple[int, int]]:
    """Bit-parallel (Hyyrö 2004): a row of the table is one integer, so 5,000 by 5,000 names take milliseconds."""
    where: dict[str, int] = {}
    for position, name in enumerate(actual):
        where[name] = where.get(name, 0) | (1 << position)
    full = (1 << len(actual)) - 1
    row, rows = full, []
    for name in expected:
        found = row & where.get(name, 0)
        row = ((row + found) | (row - found)) & full
        rows.append(row)
    return _trace_back(len(actual), rows)


def _trace_back(size: int, rows: list[int]) -> list[tuple[int, int]]:
    """Read the subsequence out of the rows: a zero bit is where the length grows by one."""
    pairs: list[tuple[int, int]] = []
    position = size - 1
    for step in range(len(rows) - 1, -1, -1):
        before = rows[step - 1] if step else (1 << size) - 1
        # Skip actual calls at which this row does not grow; what is left of them can't be in the answer.
        while position >= 0 and rows[step] >> position & 1:
            position -= 1
        if position < 0:
            break
        if before >> position & 1 or _grows(before, rows[step], position):
            pairs.append((position, step))
            position -= 1
    pairs.reverse()
    return pairs


def _grows(before: int, after: int, position: int) -> bool:
    """Whether the length up to `position` is larger in the row `after` than in the row `before`."""
    mask = (1 << (position + 1)) - 1
    return (~after & mask).bit_count() > (~before & mask).bit_count()


def group_scores(actual: Sequence[str], groups: Sequence[Sequence[str]]) -> list[tuple[int, int, int]]:
    """The best split of `actual` into consecutive segments, one for each group (contract 5, `tool_call_order`).

    Returns:
        for each group (start, end, names in common) of its segment.
    """
    size = len(actual)
    best = [0] * (size + 1)  # best[j]: the most that the groups so far can have in common with actual[:j]
    origins: list[list[int]] = []
    for group in groups:
        following, origin = _extend(actual, group, best)
        best = following
        origins.append(origin)
    segments: list[tuple[int, int, int]] = []
    end = size
    for index in range(len(groups) - 1, -1, -1):
        start = origins[index][end]
        common = sum((Counter(actual[start:end]) & Counter(groups[index])).values())
        segments.append((start, end, common))
        end = start
    segments.reverse()
    return segments


def _extend(actual: Sequence[str], group: Sequence[str], best: list[int]) -> tuple[list[int], list[int]]:
    """One group more. From each start only the positions where the overlap grows matter, at most len(group)."""
    size = len(actual)
    positions: dict[str, list[int]] = {name: [] for name in group}
    for position, name in enumerate(actual):
        if name in positions:
            positions[name].append(position)
    following = list(best)
    origin = list(range(size + 1))  # an empty segment
    pointers = dict.fromkeys(positions, 0)
    wanted = Counter(group)
    for start in range(size):
        if start and best[start] == best[start - 1] and actual[start - 1] not in positions:
            continue  # The start before does at least as well.
        ends: list[int] = []
        for name, places in positions.items():
            while pointers[name] < len(places) and places[pointers[name]] < start:
                pointers[name] += 1
            ends += places[pointers[name] : pointers[name] + wanted[name]]
        for common, place in enumerate(sorted(ends), 1):
            if best[start] + common > following[place + 1]:
                following[place + 1], origin[place + 1] = best[start] + common, start
    for end in range(1, size + 1):
        if following[end - 1] > following[end]:
            following[end], origin[end] = following[end - 1], origin[end - 1]
    return following, origin
