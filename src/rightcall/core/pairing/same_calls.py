"""Who equals whom among calls of one name: found by hash wherever it can be, else compared one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from msgspec import Raw

from ...errors import EvaluatorError
from ..equality.compare import Comparer
from ..equality.windows import near_by_a_number
from ..jsonvalue import canonical_key
from ..matcher import Matcher, matcher_key
from ..types import ExpectedCall, ToolCall
from .align import NameGroup

__all__ = ["MOST_COMPARED", "SMALL", "name_group"]

MOST_COMPARED: Final = 4_000_000
"""Comparisons of one name's calls with each other where calls can't be found by hash: about ten seconds."""

SMALL: Final = 36
"""Up to this many combinations calls are compared one by one; above, they are grouped and found by hash."""

_MOST_SHAPES: Final = 64
"""Sets of keys up to which arguments are cut down to each of them; calls of one tool have a handful."""

Arguments = dict[str, Any]
Find = Callable[[int], list[int]]
"""The positions of the expected calls that may equal an actual one."""


class Calls(Protocol):
    """The calls of a case as an evaluator sees them (:class:`~rightcall.core.pairing.alignments.Alignments`)."""

    actual: tuple[ToolCall, ...]
    expected: tuple[ExpectedCall, ...]
    actual_names: list[str]

    def comparer(self, expected: int) -> Comparer:
        """How arguments are compared with this expected call."""

    def equal(self, actual: int, expected: int) -> bool:
        """Whether two calls of one name have the same arguments."""

    def normal_of(self, index: int, comparer: Comparer, *, is_expected: bool) -> Arguments | None:
        """Normal form of one side's arguments; None when unreadable."""


def name_group(view: Calls, actual: list[int], expected: list[int]) -> NameGroup:
    """The calls of one name with who equals whom.

    Raises:
        EvaluatorError: they would have to be held against each other too often.
    """
    if not actual or not expected:
        return NameGroup(actual, expected, [[] for _ in actual], transitive=True)
    comparers = {id(comparer): comparer for comparer in map(view.comparer, expected)}
    transitive = len(comparers) == 1 and next(iter(comparers.values())).is_equivalence
    if len(actual) * len(expected) <= SMALL:
        equal = [
            [place for place, index in enumerate(expected) if view.equal(made, index)] for made in actual
        ]
    elif transitive:
        equal = _equal_by_hash(view, actual, expected)
    else:
        equal = _equal_by_parts(view, actual, expected)
    return NameGroup(actual, expected, equal, transitive)


def _equal_by_parts(view: Calls, actual: list[int], expected: list[int]) -> list[list[int]]:
    """For each actual call its equal expected ones, where these are compared in different ways or in a loose one."""
    parts: dict[int, tuple[Comparer, list[int]]] = {}
    for place, index in enumerate(expected):
        comparer = view.comparer(index)
        parts.setdefault(id(comparer), (comparer, []))[1].append(place)
    found: list[list[int]] = [[] for _ in actual]
    for comparer, places in parts.values():
        find, sure = _finder(view, comparer, actual, expected, places)
        candidates = [find(made) for made in actual]
        if not sure:
            if sum(map(len, candidates)) > MOST_COMPARED:
                name = view.actual_names[actual[0]]
                raise EvaluatorError(
                    f"too many calls of {name} to compare each with each under these options",
                    field="expected_tool_calls",
                    hint=f"at most {MOST_COMPARED} comparisons",
                )
            candidates = _judged(view, comparer, actual, expected, candidates)
        # Where calls are compared in one way, those that are found alike share one list.
        found = (
            candidates
            if len(parts) == 1
            else [[*known, *more] for known, more in zip(found, candidates, strict=True)]
        )
    return found if len(parts) == 1 else [sorted(row) for row in found]


def _finder(
    view: Calls, comparer: Comparer, actual: list[int], expected: list[int], places: list[int]
) -> tuple[Find, bool]:
    """How calls that are compared in one way are found, and whether all that is found is surely equal."""

    def everything(made: int) -> list[int]:
        return places

    wanted = [(place, view.normal_of(expected[place], comparer, is_expected=True) or {}) for place in places]

    def given(made: int) -> Arguments | None:
        return view.normal_of(made, comparer, is_expected=False)

    if comparer.matching:
        if not comparer.options.compares_as_written or comparer.options.args not in ("exact", "allow_extra"):
            return everything, False
        return _by_some_keys([(place, _without_matchers(value)) for place, value in wanted], given), False
    if comparer.numbers_alone:
        return _by_outline(comparer, wanted, given), False
    if comparer.options.numeric_tolerance:
        return everything, False
    # What is left is exact once both sides have the same keys, so what is found by its key is equal.
    if comparer.options.args == "allow_missing":
        shapes = {frozenset(value) for value in map(given, actual) if value is not None}
        found = None if len(shapes) > _MOST_SHAPES else _by_all_keys(wanted, given, shapes)
    elif comparer.options.args == "allow_extra":
        found = _by_some_keys(wanted, given)
    else:
        found = _by_key(wanted, given)
    return (everything, False) if found is None else (found, True)


def _judged(
    view: Calls, comparer: Comparer, actual: list[int], expected: list[int], candidates: list[list[int]]
) -> list[list[int]]:
    """Of the calls that may be equal those that are. What is the same on both sides is asked once."""
    alike: dict[Any, int] = {}
    kinds: dict[int, int] = {}
    wanted: dict[int, Arguments] = {}
    for place in {place for near in {id(near): near for near in candidates}.values() for place in near}:
        value = wanted[place] = view.normal_of(expected[place], comparer, is_expected=True) or {}
        kinds[place] = alike.setdefault(
            matcher_key(value) if comparer.matching else canonical_key(value), len(alike)
        )
    verdicts: dict[tuple[bytes, int], bool] = {}
    rows: dict[tuple[bytes, int], list[int]] = {}
    lists: dict[tuple[int, ...], list[int]] = {}
    found: list[list[int]] = []
    for made, near in zip(actual, candidates, strict=True):
        given = view.normal_of(made, comparer, is_expected=False) if near else None
        if given is None:
            found.append([])
            continue
        key = canonical_key(given)
        row = rows.get((key, id(near)))
        if row is None:
            row = []
            for place in near:
                asked = key, kinds[place]
                verdict = verdicts.get(asked)
                if verdict is None:
                    verdict = verdicts[asked] = comparer.same(wanted[place], given)
                if verdict:
                    row.append(place)
            # Calls that are found alike share one list.
            row = rows[key, id(near)] = lists.setdefault(tuple(row), row)
        found.append(row)
    return found


def _by_outline(
    comparer: Comparer, wanted: list[tuple[int, Arguments]], given: Callable[[int], Arguments | None]
) -> Find:
    """Expected calls that differ in numbers alone, and these not by too much."""
    outlines: dict[bytes, list[tuple[int, Arguments]]] = {}
    for place, value in wanted:
        outlines.setdefault(comparer.outline(value), []).append((place, value))
    tolerance = comparer.options.numeric_tolerance
    near = {outline: near_by_a_number(values, tolerance) for outline, values in outlines.items()}

    def find(made: int) -> list[int]:
        value = given(made)
        search = None if value is None else near.get(comparer.outline(value))
        return [] if search is None else search(value)

    return find


def _by_key(wanted: list[tuple[int, Arguments]], given: Callable[[int], Arguments | None]) -> Find:
    table: dict[bytes, list[int]] = {}
    for place, value in wanted:
        table.setdefault(canonical_key(value), []).append(place)

    def find(made: int) -> list[int]:
        value = given(made)
        return [] if value is None else table.get(canonical_key(value), [])

    return find


def _by_some_keys(wanted: list[tuple[int, Arguments]], given: Callable[[int], Arguments | None]) -> Find:
    """Expected calls whose keys are all there with the same values; there may be other keys."""
    tables: dict[frozenset[str], dict[bytes, list[int]]] = {}
    for place, value in wanted:
        tables.setdefault(frozenset(value), {}).setdefault(canonical_key(value), []).append(place)

    def find(made: int) -> list[int]:
        value = given(made)
        if value is None:
            return []
        found: list[int] = []
        for keys, table in tables.items():
            if keys <= value.keys():
                found += table.get(_key_of(value, keys), [])
        return found if len(tables) == 1 else sorted(found)

    return find


def _by_all_keys(
    wanted: list[tuple[int, Arguments]],
    given: Callable[[int], Arguments | None],
    shapes: set[frozenset[str]],
) -> Find:
    """Expected calls that have every key of the actual one with the same value; they may have others."""
    tables: dict[frozenset[str], dict[bytes, list[int]]] = {keys: {} for keys in shapes}
    for keys, table in tables.items():
        for place, value in wanted:
            if keys <= value.keys():
                table.setdefault(_key_of(value, keys), []).append(place)

    def find(made: int) -> list[int]:
        value = given(made)
        return [] if value is None else tables[frozenset(value)].get(canonical_key(value), [])

    return find


def _key_of(value: Arguments, keys: frozenset[str]) -> bytes:
    return canonical_key({key: item for key, item in value.items() if key in keys})


def _without_matchers(value: Arguments) -> Arguments:
    """The arguments that are plain values, which an equal call must have just so."""
    return {key: item for key, item in value.items() if not _matches(item)}


def _matches(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_matches, value.values()))
    if isinstance(value, list):
        return any(map(_matches, value))
    return isinstance(value, Matcher)


def _equal_by_hash(view: Calls, actual: list[int], expected: list[int]) -> list[list[int]]:
    """For each actual call its equal expected ones; calls that are equal share one list."""
    comparer = view.comparer(expected[0])
    classes: dict[bytes, list[tuple[Arguments, list[int]]]] = {}
    by_bytes: dict[bytes, list[int]] = {}
    for position, index in enumerate(expected):
        raw = view.expected[index].raw
        recorded = bytes(raw) if isinstance(raw, Raw) else None
        known = None if recorded is None else by_bytes.get(recorded)
        if known is None:
            normal = view.normal_of(index, comparer, is_expected=True)
            if normal is None:
                continue
            known = _class_of(classes, comparer, normal)
            if recorded is not None:
                by_bytes[recorded] = known
        known.append(position)
    nothing: list[int] = []
    equal: list[list[int]] = []
    for index in actual:
        raw = view.actual[index].raw
        # Equal bytes are equal values, under every option: nothing has to be decoded.
        known = by_bytes.get(bytes(raw)) if isinstance(raw, Raw) else None
        if known is None:
            normal = view.normal_of(index, comparer, is_expected=False)
            known = nothing if normal is None else _class_of(classes, comparer, normal)
        equal.append(known)
    return equal


def _class_of(
    classes: dict[bytes, list[tuple[Arguments, list[int]]]], comparer: Comparer, normal: Arguments
) -> list[int]:
    """The positions of the expected calls that are the same as `normal`; a new class where there are none."""
    bucket = classes.setdefault(comparer.key(normal), [])
    for representative, positions in bucket:
        if comparer.same(representative, normal):
            return positions
    fresh: list[int] = []
    bucket.append((normal, fresh))
    return fresh
