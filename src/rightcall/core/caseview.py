"""One case ready to be shown: calls side by side, argument by argument, and the pairing step by step.

The screen, the reports and a failing test all show what is made here, so they say the same. Everything is bounded:
of very many calls those that are not equal are kept, and the rest is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

from msgspec import Raw, Struct

from .equality.compare import Comparer
from .jsonvalue import show, show_apart
from .matcher import as_json
from .pairing.alignments import Alignments
from .pairing.slot_views import SlotAlignments
from .results import Details, Difference, Result, Step
from .written import written_arguments, written_words

__all__ = ["ArgumentView", "CallView", "CaseView", "RowView", "StepView", "case_view"]

SHOWN: Final = 40
"""Calls, arguments of a call, differences and steps that are shown; the rest is counted."""

_TEXT: Final = 300
"""Characters of a value that are shown."""

_CHOICES: Final = 8
"""Expected calls that a step names as candidates."""

Mark = Literal["equal", "differs", "missing", "extra", "not made"]
"""``not made`` is an optional call that was left out: nothing is wrong with it."""


class CallView(Struct, frozen=True, kw_only=True, gc=False):
    """A call.

    Attributes:
        number: from 1, as it was recorded or written.
        arguments: as JSON, cut where they are long.
        says: what an expected call says of itself beside its arguments (``optional``, ``2 times``); else empty.
    """

    number: int
    name: str
    arguments: str
    says: str = ""


class ArgumentView(Struct, frozen=True, kw_only=True, gc=False):
    """One argument on both sides, as JSON; None where that side has none. `same` is the plain comparison."""

    name: str
    expected: str | None
    actual: str | None
    same: bool


class RowView(Struct, frozen=True, kw_only=True, gc=False):
    """A pair, or a call without a partner.

    Attributes:
        arguments: of a pair that is not equal, the differing ones first to be kept.
        arguments_left_out: how many are not shown.
        problem: why the actual arguments can't be read; None where they can.
    """

    mark: Mark
    expected: CallView | None = None
    actual: CallView | None = None
    arguments: tuple[ArgumentView, ...] = ()
    arguments_left_out: int = 0
    problem: str | None = None


class StepView(Struct, frozen=True, kw_only=True, gc=False):
    """A step of the pairing in words. `tone` says how it went: ``equal``, ``partial`` or ``none`` taken."""

    number: int
    call: str
    could: str
    took: str
    tone: Literal["equal", "partial", "none"]


class CaseView(Struct, frozen=True, kw_only=True, gc=False):
    """A case as one evaluator saw it.

    Attributes:
        rule: how it pairs calls.
        path: which of several expected paths was taken, from 1; None where there is one.
        rows: in the order of the expected calls, extra calls last.
        equal_left_out: of `rows_left_out`, those that are equal.
        steps: None where there are too many calls to play them; empty where the rule has none.
    """

    evaluator: str
    rule: str
    path: int | None = None
    rows: tuple[RowView, ...] = ()
    rows_left_out: int = 0
    equal_left_out: int = 0
    differences: tuple[Difference, ...] = ()
    differences_left_out: int = 0
    steps: tuple[StepView, ...] | None = ()
    steps_left_out: int = 0


def case_view(
    result: Result,
    alignments: Alignments,
    steps: Sequence[Step] | None,
    *,
    tool: str | None = None,
    limit: int = SHOWN,
) -> CaseView | None:
    """What there is to see of a case; None where the evaluator pairs no calls.

    Args:
        result: of the evaluator that is shown.
        alignments: how it saw the calls.
        steps: how its pairs came about; None where that would be too long.
        tool: only what concerns this tool.
        limit: rows, arguments of a row, differences and steps that are kept.
    """
    details = result.details
    if details.rule is None:
        return None
    rows, left_out, equal = _rows(alignments, details, tool, limit)
    found = [item for item in details.differences if tool is None or item.tool == tool]
    played = None if steps is None else list(_steps(steps, alignments, tool))
    return CaseView(
        evaluator=result.evaluator,
        rule=details.rule,
        path=details.measures["path"] + 1 if "path" in details.measures else None,
        rows=tuple(rows),
        rows_left_out=left_out,
        equal_left_out=equal,
        differences=tuple(found[:limit]),
        differences_left_out=max(0, len(found) - limit),
        steps=None if played is None else tuple(played[:limit]),
        steps_left_out=0 if played is None else max(0, len(played) - limit),
    )


class _Place(Struct, frozen=True):
    """A pair or a lone call, before it is put in words; `order` is where it stands."""

    order: int
    exact: bool
    expected: int | None
    actual: int | None


def _rows(
    alignments: Alignments, details: Details, tool: str | None, limit: int
) -> tuple[list[RowView], int, int]:
    """The rows that are kept, how many are not, and how many of these are equal."""
    after = len(alignments.expected)
    places = [
        *(_Place(pair.expected, pair.credit == 1.0, pair.expected, pair.actual) for pair in details.pairs),
        *(_Place(index, False, index, None) for index in _unmade(alignments, details)),  # noqa: FBT003
        *(_Place(after + index, False, None, index) for index in details.extra),  # noqa: FBT003
    ]
    if tool is not None:
        places = [place for place in places if _concerns(place, tool, alignments)]
    # Of very many calls those that are not equal are kept.
    kept = sorted(places, key=lambda place: (place.exact, place.order))[:limit]
    rows = [_row(alignments, place, limit) for place in sorted(kept, key=lambda place: place.order)]
    equal = sum(place.exact for place in places) - sum(place.exact for place in kept)
    return rows, len(places) - len(kept), equal


def _unmade(alignments: Alignments, details: Details) -> Iterator[int]:
    """Expected calls without a partner: what is missing, and what may be left out or made more often, once each."""
    yield from details.missing
    if not isinstance(alignments, SlotAlignments):
        return
    filled = {pair.expected for pair in details.pairs}
    for column in alignments.columns:
        places = range(column.start, column.start + column.size)
        if not column.required and not any(place in filled for place in places):
            yield column.start


def _concerns(place: _Place, tool: str, alignments: Alignments) -> bool:
    if place.expected is not None:
        return alignments.takes(place.expected, tool)
    return place.actual is not None and alignments.actual_names[place.actual] == tool


def _row(alignments: Alignments, place: _Place, limit: int) -> RowView:
    expected = None if place.expected is None else _expected_call(alignments, place.expected)
    actual = None if place.actual is None else _actual_call(alignments, place.actual)
    if place.expected is None:
        return RowView(mark="extra", actual=actual)
    if place.actual is None:
        optional = isinstance(alignments, SlotAlignments) and not alignments.is_required(place.expected)
        return RowView(mark="not made" if optional else "missing", expected=expected)
    if place.exact:
        return RowView(mark="equal", expected=expected, actual=actual)
    reading = alignments.reading(place.actual)
    wanted = alignments.compared(place.actual, place.expected)[1]
    if reading.value is None or wanted is None:
        problem = reading.problem or "unreadable"
        return RowView(mark="differs", expected=expected, actual=actual, problem=problem)
    arguments = _arguments(alignments, place, wanted, reading.value)
    # Those that differ are the last to be left out.
    kept = {id(each) for each in sorted(arguments, key=lambda each: each.same)[:limit]}
    return RowView(
        mark="differs",
        expected=expected,
        actual=actual,
        arguments=tuple(each for each in arguments if id(each) in kept),
        arguments_left_out=len(arguments) - len(kept),
    )


def _expected_call(alignments: Alignments, expected: int) -> CallView:
    """An expected call as it was written."""
    slotted = isinstance(alignments, SlotAlignments)
    call = alignments.written_call(expected) if slotted else alignments.expected[expected]  # type: ignore[attr-defined]
    return CallView(
        number=alignments.written(expected) + 1,
        name=alignments.expected_names[expected],
        arguments=_short(written_arguments(call)),
        says=written_words(call) if slotted else "",
    )


def _actual_call(alignments: Alignments, actual: int) -> CallView:
    value: Any = alignments.reading(actual).value
    if value is None:
        raw = alignments.actual[actual].raw
        value = bytes(raw) if isinstance(raw, Raw | bytes) else str(raw)
    return CallView(number=actual + 1, name=alignments.actual_names[actual], arguments=_short(value))


def _arguments(
    alignments: Alignments, place: _Place, wanted: dict[str, Any], made: dict[str, Any]
) -> list[ArgumentView]:
    assert place.expected is not None and place.actual is not None  # noqa: S101, PT018 - of a pair
    shown = {key: as_json(value) for key, value in wanted.items()}
    accepted = alignments.expected[place.expected].accepted
    one_name = alignments.expected_names[place.expected] == alignments.actual_names[place.actual]
    if isinstance(accepted, dict) and one_name:
        shown = accepted  # as it was written
    found: list[ArgumentView] = []
    for key in dict.fromkeys((*wanted, *made)):
        same = _same_argument(wanted, made, key)
        if same or key not in shown or key not in made:
            left = _short(shown[key]) if key in shown else None
            right = _short(made[key]) if key in made else None
        else:
            left, right = show_apart(shown[key], made[key], _TEXT)
        found.append(ArgumentView(name=key, expected=left, actual=right, same=same))
    return found


def _same_argument(wanted: dict[str, Any], made: dict[str, Any], key: str) -> bool:
    """Whether an argument is just as expected, whatever options say; a matcher is asked."""
    one = {key: wanted[key]} if key in wanted else {}, {key: made[key]} if key in made else {}
    return _AS_WRITTEN.same(*one)


_AS_WRITTEN: Final = Comparer(matching=True)


def _steps(steps: Sequence[Step], alignments: Alignments, tool: str | None) -> Iterator[StepView]:
    names = alignments.actual_names
    for number, step in enumerate(steps, 1):
        if tool is None or names[step.actual] == tool:
            yield _step(number, step, alignments)


def _step(number: int, step: Step, alignments: Alignments) -> StepView:
    call = f"call {step.actual + 1} {alignments.actual_names[step.actual]}"
    if not step.candidates:
        took = "no expected call of its name is left; it stays extra"
        return StepView(number=number, call=call, could="", took=took, tone="none")
    # Several places of one expected call are one choice.
    choices = list(dict.fromkeys((alignments.written(index), credit) for index, credit in step.candidates))
    could = ", ".join(f"expected {index + 1} (worth {credit:g})" for index, credit in choices[:_CHOICES])
    more = len(choices) - _CHOICES
    could = f"could serve {could}{f' and {more} more' if more > 0 else ''}"
    if step.taken is None:
        return StepView(number=number, call=call, could=could, took="took none; it stays extra", tone="none")
    took = f"took expected {alignments.written(step.taken) + 1}, worth {step.credit:g}"
    tone: Literal["equal", "partial"] = "equal" if step.credit == 1 else "partial"
    return StepView(number=number, call=call, could=could, took=took, tone=tone)


def _short(value: Any) -> str:
    if isinstance(value, Raw | bytes):
        value = bytes(value[: 4 * _TEXT]).decode(errors="replace")
    return show(value, _TEXT)
