"""One case on the screen: results, calls side by side, differences, and the steps of the pairing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from ...core.alignments import Alignments
from ...core.compare import Comparer
from ...core.jsonvalue import show as show_value
from ...core.matcher import as_json
from ...core.records import CaseRecord
from ...core.results import Details, Difference, Step
from ...core.slot_views import SlotAlignments
from ...core.written import written_arguments, written_words
from ...run.causes import as_flag
from ...run.replay import PlayedCase
from .screen import clean, short, table, text, whole

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

__all__ = ["case_parts"]

SHOWN: Final = 40
"""Calls, arguments of a call, differences and steps that are shown; the rest is counted."""


def case_parts(found: CaseRecord, played: PlayedCase | None, tool: str | None) -> Iterator[RenderableType]:
    """Everything about a case."""
    place = found.row
    line = text(short(found.name), "bold")
    line.append(f"  {clean(str(place.file))} line {place.line}", "dim")
    yield line
    if played is not None and played.case.input is not None:
        yield text(_short(played.case.input), "italic")
    yield text("")
    yield from _results(found)
    if played is None:
        return
    chosen = _to_show(played)
    if chosen is None:
        return
    result, alignments = played.results[chosen], played.alignments[chosen]
    yield text("")
    path = "" if "path" not in result.details.measures else f", expected path {result.details['path'] + 1}"
    yield text(f"Calls, as {chosen} pairs them ({result.details.rule}){path}", "bold")
    yield from _calls(alignments, result.details, tool)
    yield from _differences(result.details.differences, tool)
    yield from _steps(played.steps[chosen], alignments, tool)


def _results(found: CaseRecord) -> Iterator[RenderableType]:
    board = table("evaluator", "score", "", "reason", right=("score",))
    for result in found.results:
        score = "–" if result.score is None else f"{result.score:.6g}"
        verdict = (
            result.status.replace("_", " ")
            if result.passed is None
            else "passed"
            if result.passed
            else "missed"
        )
        style = {"passed": "green", "missed": "red", "error": "red"}.get(verdict, "yellow")
        reason = text(result.reason)
        for warning in result.warnings:
            reason.append(f"\nwarning: {clean(warning)}", "yellow")
        board.add_row(text(result.evaluator, "bold"), text(score, style), text(verdict, style), reason)
    yield board


def _to_show(played: PlayedCase) -> str | None:
    """The evaluator whose pairing is shown: the first that pairs calls, one that lost points before others."""
    pairing = [name for name, result in played.results.items() if result.details.rule is not None]
    lost = (
        name for name in pairing if played.steps[name] != () and (played.results[name].score or 0.0) < 1.0
    )
    return next(lost, next(iter(pairing), None))


class _Row(NamedTuple):
    """A pair, or a call without a partner; `exact` ones are the first to be left out."""

    place: int
    exact: bool
    expected: int | None
    actual: int | None


def _calls(alignments: Alignments, details: Details, tool: str | None) -> Iterator[RenderableType]:
    made = alignments.actual_names
    after = len(alignments.expected)
    rows = [
        *(_Row(pair.expected, pair.credit == 1.0, pair.expected, pair.actual) for pair in details.pairs),
        *(_Row(index, exact=False, expected=index, actual=None) for index in _unmade(alignments, details)),
        *(_Row(after + index, exact=False, expected=None, actual=index) for index in details.extra),
    ]
    if tool is not None:
        rows = [row for row in rows if _concerns(row, tool, alignments, made)]
    # Of very many calls those that are not equal are shown.
    kept = sorted(sorted(rows, key=lambda row: (row.exact, row.place))[:SHOWN], key=lambda row: row.place)
    board = table("", "expected", "actual")
    for row in kept:
        for cells in _cells(alignments, row):
            board.add_row(*cells)
    yield board
    left_out = len(rows) - len(kept)
    if left_out:
        equal = sum(row.exact for row in rows) - sum(row.exact for row in kept)
        yield text(f"and {left_out:,} more calls, {equal:,} of them equal", "dim")


def _unmade(alignments: Alignments, details: Details) -> Iterator[int]:
    """Expected calls without a partner: what is missing, and once for each what may be left out or made more often."""
    yield from details.missing
    if not isinstance(alignments, SlotAlignments):
        return
    filled = {pair.expected for pair in details.pairs}
    for column in alignments.columns:
        places = range(column.start, column.start + column.size)
        if not column.required and not any(place in filled for place in places):
            yield column.start


def _concerns(row: _Row, tool: str, alignments: Alignments, made: Sequence[str]) -> bool:
    if row.expected is not None:
        return alignments.takes(row.expected, tool)
    return row.actual is not None and made[row.actual] == tool


def _wanted(alignments: Alignments, expected: int) -> tuple[str, str, str]:
    """An expected call as it was written: number and name, arguments, and what else it says of itself."""
    number = f"{alignments.written(expected) + 1} {alignments.expected_names[expected]}"
    if isinstance(alignments, SlotAlignments):
        call = alignments.written_call(expected)
        return number, _short(written_arguments(call)), written_words(call)
    return number, _short(written_arguments(alignments.expected[expected])), ""


def _cells(alignments: Alignments, row: _Row) -> Iterator[tuple[Text, Text, Text]]:
    none = text("–", "dim")
    if row.actual is not None and row.expected is not None:
        yield from _pair(alignments, row.actual, row.expected, exact=row.exact)
    elif row.expected is not None:
        name, value, words = _wanted(alignments, row.expected)
        head = text(name, "bold").append(f" {clean(value)}", "dim")
        if words:
            head.append(f" ({clean(words)})", "cyan")
        optional = isinstance(alignments, SlotAlignments) and not alignments.is_required(row.expected)
        yield text("not made", "dim") if optional else text("missing", "red"), head, none
    elif row.actual is not None:
        name, made = alignments.actual_names[row.actual], alignments.reading(row.actual).value
        head = text(f"{row.actual + 1} {name}", "bold").append(f" {clean(_short(made))}", "dim")
        yield text("extra", "red"), none, head


def _pair(
    alignments: Alignments, actual: int, expected: int, *, exact: bool
) -> Iterator[tuple[Text, Text, Text]]:
    name, written, words = _wanted(alignments, expected)
    heads = text(name, "bold"), text(f"{actual + 1} {alignments.actual_names[actual]}", "bold")
    if exact:
        heads[0].append(f" {clean(written)}", "dim")
    if words:
        heads[0].append(f" ({clean(words)})", "cyan")
    if exact:
        yield text("equal", "green"), *heads
        return
    wanted = alignments.compared(actual, expected)[1]
    made = alignments.reading(actual).value
    yield text("differs", "yellow"), *heads
    if made is None or wanted is None:
        raw = alignments.reading(actual).problem or "unreadable"
        yield text(""), text(f"  {written}"), text(f"  {raw}", "red")
        return
    shown = {key: as_json(value) for key, value in wanted.items()}
    accepted = alignments.expected[expected].accepted
    if isinstance(accepted, dict) and alignments.expected_names[expected] == alignments.actual_names[actual]:
        shown = accepted  # as it was written
    keys = {key: _same_argument(wanted, made, key) for key in dict.fromkeys((*wanted, *made))}
    kept = set(sorted(keys, key=keys.__getitem__)[:SHOWN])
    for key, same in keys.items():
        if key in kept:
            style = "dim" if same else "yellow"
            mark = text("" if same else "≠", style)
            yield mark, _argument(shown, key, style), _argument(made, key, style)
    if len(keys) > len(kept):
        yield text(""), text(f"  and {len(keys) - len(kept):,} more arguments", "dim"), text("")


def _same_argument(wanted: dict[str, Any], made: dict[str, Any], key: str) -> bool:
    """Whether an argument is just as expected, whatever options say; a matcher is asked."""
    one = {key: wanted[key]} if key in wanted else {}, {key: made[key]} if key in made else {}
    return _AS_WRITTEN.same(*one)


_AS_WRITTEN: Final = Comparer(matching=True)


def _argument(arguments: dict[str, Any], key: str, style: str) -> Text:
    return text(f"  {key}: {_short(arguments[key])}", style) if key in arguments else text("  –", style)


def _differences(found: Sequence[Difference], tool: str | None) -> Iterator[RenderableType]:
    kept = [item for item in found if tool is None or item.tool == tool]
    if not kept:
        return
    yield text("")
    yield text("Differences", "bold")
    for item in kept[:SHOWN]:
        line = text(item.kind.replace("_", " "), "bold yellow")
        line.append(f"  {clean(item.tool)}", "bold").append(
            f" {clean(item.path)}" if item.path else "", "cyan"
        )
        line.append(f"  {clean(item.message)}")
        yield line
        if item.accept_with is not None:
            yield whole(f"  accept with {as_flag(item.accept_with)}", "green")
    if len(kept) > SHOWN:
        yield text(f"and {len(kept) - SHOWN:,} more differences", "dim")


def _steps(
    steps: Sequence[Step] | None, alignments: Alignments, tool: str | None
) -> Iterator[RenderableType]:
    if steps == ():
        return
    yield text("")
    yield text("How the pairs were made", "bold")
    if steps is None:
        yield text("There are too many calls to play the pairing step by step.", "dim")
        return
    names = alignments.actual_names
    kept = [
        (number, step) for number, step in enumerate(steps, 1) if tool is None or names[step.actual] == tool
    ]
    for number, step in kept[:SHOWN]:
        yield _step(number, step, names[step.actual], alignments.written)
    if len(kept) > SHOWN:
        yield text(f"and {len(kept) - SHOWN:,} more steps", "dim")


def _step(number: int, step: Step, name: str, written: Callable[[int], int]) -> RenderableType:
    line = text(f"{number}. call {step.actual + 1} {clean(name)}: ")
    if not step.candidates:
        return line.append("no expected call of its name is left; it stays extra", "yellow")
    # Several places of one expected call are one choice.
    choices = list(dict.fromkeys((written(index), credit) for index, credit in step.candidates))
    choice = ", ".join(f"expected {index + 1} (worth {credit:g})" for index, credit in choices[:8])
    more = len(choices) - 8
    line.append(f"could serve {choice}{f' and {more} more' if more > 0 else ''}; ", "dim")
    if step.taken is None:
        return line.append("took none; it stays extra", "yellow")
    return line.append(
        f"took expected {written(step.taken) + 1}, worth {step.credit:g}",
        "green" if step.credit == 1 else "yellow",
    )


def _short(value: Any, limit: int = 300) -> str:
    if isinstance(value, msgspec.Raw):
        value = bytes(value).decode(errors="replace")
    return show_value(value, limit) if not isinstance(value, str) else value[:limit]
