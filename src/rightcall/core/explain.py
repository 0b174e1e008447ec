"""Why a score is not perfect, from the alignment that made it: differences, a sentence, and the steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from .arguments import Reading, repeated_keys, repeats_no_key
from .diagnosis.calls import (
    WHOLE_CALL,
    extra_call,
    misnamed_call,
    missing_call,
    moved_call,
    repeated_call,
    unreadable_arguments,
)
from .diagnosis.differences import differences_of
from .diagnosis.names import letters, near_names
from .jsonvalue import canonical_key
from .pairing.alignments import Alignments
from .results import Alignment, Difference, Step
from .types import ToolCall

__all__ = [
    "advice",
    "advice_on",
    "call_warnings",
    "confused",
    "differences",
    "pair_differences",
    "reading_warnings",
    "steps",
]

_MANY: Final = 400
"""Above this many combinations of missing and extra calls nobody looks for wrong tools among them."""


def differences(alignments: Alignments, alignment: Alignment) -> tuple[Difference, ...]:
    """The typed differences of every unequal pair and of every call without a partner, computed once a rule."""
    key = ("differences", alignments.family(alignment.rule))
    known: tuple[Difference, ...] | None = alignments.memo.get(key)
    if known is None:
        found: list[Difference] = []
        for pair in alignment.pairs:
            if pair.credit < 1.0:
                found += pair_differences(alignments, pair.actual, pair.expected)
        if alignment.missing or alignment.extra:
            found += _unpaired(alignments, alignment)
        known = alignments.memo[key] = tuple(found)
    return known


def pair_differences(alignments: Alignments, actual: int, expected: int) -> list[Difference]:
    """The differences between the arguments of two calls; nothing where they are equal."""
    tool = alignments.actual_names[actual]
    comparer, wanted = alignments.compared(actual, expected)
    reading = alignments.reading(actual)
    if reading.value is None or wanted is None:
        problem = reading.problem or "arguments can't be read"
        return [
            unreadable_arguments(problem, alignments.actual[actual].raw, tool=tool, pair=(actual, expected))
        ]
    spec = alignments.specs().get(tool) if alignments.case.tools else None
    return differences_of(
        comparer,
        wanted,
        reading.value,
        tool=tool,
        pair=(actual, expected),
        schema=None if spec is None else spec.schema,
    )


def confused(alignments: Alignments, alignment: Alignment) -> tuple[Difference, ...]:
    """The differences of an alignment by names: only calls without a partner."""
    return tuple(_unpaired(alignments, alignment))


def _unpaired(alignments: Alignments, alignment: Alignment) -> Iterator[Difference]:
    extra = alignment.extra
    names, expected_names = alignments.actual_names, alignments.expected_names
    if not extra:
        for index in alignment.missing:
            yield _missing(alignments, index)
        return
    earlier = _repeated(alignments, extra)
    fresh = [index for index in extra if index not in earlier]
    displaced = _displaced(alignments, alignment.missing, extra)
    gone = set(displaced.values())
    fresh = [index for index in fresh if index not in gone]
    wrong = _wrong_tools(alignments, [index for index in alignment.missing if index not in displaced], fresh)
    for index in alignment.missing:
        partner = wrong.get(index)
        if index in displaced:
            made = displaced[index]
            yield from pair_differences(alignments, made, index) or [
                moved_call(expected_names[index], made, index)
            ]
        elif partner is None:
            yield _missing(alignments, index)
        else:
            yield misnamed_call(
                expected_names[index],
                names[partner],
                expected=index,
                actual=partner,
                offered=alignments.offered,
            )
    replaced = set(wrong.values())
    for index in extra:
        if index in gone:
            continue
        if index in earlier:
            yield repeated_call(names[index], index, earlier[index])
        elif index not in replaced:
            yield extra_call(names[index], index, alignments.offered)


def _missing(alignments: Alignments, expected: int) -> Difference:
    return missing_call(alignments.expected_names[expected], expected, title=alignments.title(expected))


def _displaced(alignments: Alignments, missing: Sequence[int], extra: Sequence[int]) -> dict[int, int]:
    """Missing calls whose tool was called, but not where a rule about order wanted it: to the call made."""
    names, left = alignments.actual_names, list(extra)
    found: dict[int, int] = {}
    if len(missing) * len(extra) > _MANY:
        return found
    for index in missing:
        same = [made for made in left if alignments.takes(index, names[made])]
        if same:
            found[index] = next((made for made in same if alignments.equal(made, index)), same[0])
            left.remove(found[index])
    return found


def _repeated(alignments: Alignments, extra: Sequence[int]) -> dict[int, int]:
    """Extra calls that repeat an earlier call of the agent exactly, with that call's index."""
    calls, names = alignments.actual, alignments.actual_names
    if len(extra) == 1 and names.count(names[extra[0]]) == 1:
        return {}
    called = {names[index] for index in extra}
    by_name: dict[str, list[int]] = {}
    for index in alignments.actual_indexes:
        name = names[index]
        if name in called:
            by_name.setdefault(name, []).append(index)
    wanted = set(extra)
    found: dict[int, int] = {}
    for same_name in by_name.values():
        if len(same_name) == 1:
            continue
        first: dict[bytes, int] = {}
        for place, index in enumerate(same_name):
            # A retry is mostly the same bytes again; then nothing has to be decoded.
            same = same_name[max(0, place - 8) : place]
            same = [other for other in same if calls[other].raw == calls[index].raw]
            if same:
                earlier = found.get(same[0], same[0])
            elif place == 0:
                continue  # decoded when there is another to compare it with
            else:
                if not first:
                    _enter(alignments, same_name[0], first)
                known = _enter(alignments, index, first)
                if known is None:
                    continue
                earlier = known
            if earlier != index and index in wanted:
                found[index] = earlier
    return found


def _enter(alignments: Alignments, index: int, first: dict[bytes, int]) -> int | None:
    """The first call that says the same as the one at `index`; None where it can't be read."""
    value = alignments.reading(index).value
    return None if value is None else first.setdefault(canonical_key(value), index)


def _wrong_tools(alignments: Alignments, missing: Sequence[int], extra: Sequence[int]) -> dict[int, int]:
    """Missing calls that were likely made under another name: expected index to actual index."""
    if not missing or not extra or len(missing) * len(extra) > _MANY:
        return {}
    if len(missing) == len(extra) == 1:
        return {missing[0]: extra[0]}
    likely: list[tuple[bool, Fraction | int, bool, int, int]] = []
    for index in missing:
        for made in extra:
            names = alignments.expected_names[index], alignments.actual_names[made]
            # One name in two spellings says more than equal arguments.
            alike, near = letters(names[0]) == letters(names[1]), near_names(*names)
            share = alignments.share(made, index)
            if near or (share and alignments.reading(made).value):
                likely.append((not alike, -share, not near, index, made))
    found: dict[int, int] = {}
    taken: set[int] = set()
    for *_, index, made in sorted(likely):
        if index not in found and made not in taken:
            found[index] = made
            taken.add(made)
    return found


def advice(found: Sequence[Difference], limit: int = 3) -> str:
    """What to do about it, in words: the first differences, grouped by call; empty when there are none."""
    parts: list[str] = []
    last: tuple[int | None, int | None] | None = None
    for difference in found[:limit]:
        call = (difference.actual_call, difference.expected_call)
        if difference.kind in WHOLE_CALL:
            parts.append(difference.message)
        elif call == last:
            parts[-1] += f", {difference.message}"
        else:
            parts.append(f"{difference.tool}: {difference.message}")
        last = call
    if not parts:
        return ""
    more = len(found) - limit
    tail = f" And {more} more difference{'s' if more > 1 else ''}." if more > 0 else ""
    return " " + "; ".join(parts) + "." + tail


def advice_on(alignments: Alignments, found: Sequence[Difference]) -> str:
    """:func:`advice`, made once for evaluators that share their differences."""
    known: tuple[Sequence[Difference], str] | None = alignments.memo.get("advice")
    if known is None or known[0] is not found:
        known = alignments.memo["advice"] = found, advice(found)
    return known[1]


def call_warnings(alignments: Alignments, alignment: Alignment) -> tuple[str, ...]:
    """What was odd in arguments that had to be read: unreadable, encoded twice, repaired, a key given twice."""
    if alignments.identical:
        return ()
    key = ("warnings", alignments.family(alignment.rule))
    known: tuple[str, ...] | None = alignments.memo.get(key)
    if known is None:
        known = alignments.memo[key] = tuple(_call_warnings(alignments, alignment))
    return known


def _call_warnings(alignments: Alignments, alignment: Alignment) -> list[str]:
    found: list[str] = []
    actual, expected = alignments.actual, alignments.expected
    for pair in alignment.pairs:
        made, wanted = actual[pair.actual], expected[pair.expected]
        if made.raw != wanted.raw:
            found += reading_warnings(alignments, pair.actual)
            texts = _oddities(wanted, alignments.expected_reading(pair.expected))
            if texts:
                number = alignments.written(pair.expected) + 1
                found += [f"expected call {number} ({wanted.name}): {text}" for text in texts]
    for index in alignment.extra:
        found += reading_warnings(alignments, index)
    return found


def reading_warnings(alignments: Alignments, actual: int) -> Iterable[str]:
    """What was odd in the arguments of one actual call."""
    call = alignments.actual[actual]
    texts = _oddities(call, alignments.reading(actual))
    return [f"call {actual + 1} ({call.name}): {text}" for text in texts] if texts else ()


def _oddities(call: ToolCall, reading: Reading) -> tuple[str, ...]:
    if getattr(call, "matching", False):
        return ()  # with matchers in it, it is no plain value that could be looked through
    if reading.value is None:
        return (reading.problem or "arguments can't be read",)
    if repeats_no_key(call.raw, reading.value):
        return reading.warnings
    return reading.warnings + repeated_keys(call.raw, reading)


def steps(alignments: Alignments, alignment: Alignment) -> tuple[Step, ...]:
    """How a pairing by name came about, call by call; recomputed from the calls, to be played frame by frame."""
    partner = {pair.actual: pair for pair in alignment.pairs}
    used: set[int] = set()
    played: list[Step] = []
    name_only = 0.0 if alignment.rule == "equal" else 0.5
    for index in alignments.actual_indexes:
        name = alignments.actual_names[index]
        candidates = tuple(
            (expected, 1.0 if alignments.equal(index, expected) else name_only)
            for expected in range(len(alignments.expected))
            if expected not in used and alignments.takes(expected, name)
        )
        pair = partner.get(index)
        if pair is not None:
            used.add(pair.expected)
        played.append(
            Step(
                actual=index,
                candidates=candidates,
                taken=None if pair is None else pair.expected,
                credit=0.0 if pair is None else pair.credit,
            )
        )
    return tuple(played)
