"""One case on the screen: results, calls side by side, differences, and the steps of the pairing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from ...core.alignments import Alignments
from ...core.jsonvalue import same_value
from ...core.jsonvalue import show as show_value
from ...core.records import CaseRecord
from ...core.results import Details, Difference, Step
from ...run.causes import as_flag
from ...run.replay import PlayedCase
from .screen import clean, short, table, text, whole

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

__all__ = ["case_parts"]


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
    yield text(f"Calls, as {chosen} pairs them ({result.details.rule})", "bold")
    yield _calls(alignments, result.details, tool)
    yield from _differences(result.details.differences, tool)
    steps = played.steps[chosen]
    if steps:
        yield text("")
        yield text("How the pairs were made", "bold")
    for number, step in enumerate(steps, 1):
        name = alignments.actual_names[step.actual]
        if tool is None or name == tool:
            yield _step(number, step, name)


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
    lost = (name for name in pairing if played.steps[name] and (played.results[name].score or 0.0) < 1.0)
    return next(lost, next(iter(pairing), None))


def _calls(alignments: Alignments, details: Details, tool: str | None) -> RenderableType:
    board = table("", "expected", "actual")
    rows: list[tuple[int, Text, Text, Text]] = []
    for pair in details.pairs:
        if tool is None or alignments.expected_names[pair.expected] == tool:
            rows += _pair(alignments, pair.actual, pair.expected, exact=pair.credit == 1.0)
    for index in details.missing:
        name = alignments.expected_names[index]
        if tool is None or name == tool:
            wanted = alignments.expected_reading(index).value
            cell = text(f"{index + 1} {name}", "bold").append(f" {clean(_short(wanted))}", "dim")
            rows.append((index, text("missing", "red"), cell, text("–", "dim")))
    for index in details.extra:
        name = alignments.actual_names[index]
        if tool is None or name == tool:
            made = alignments.reading(index).value
            cell = text(f"{index + 1} {name}", "bold").append(f" {clean(_short(made))}", "dim")
            rows.append((len(alignments.expected) + index, text("extra", "red"), text("–", "dim"), cell))
    for _, *cells in sorted(rows, key=lambda row: row[0]):
        board.add_row(*cells)
    return board


def _pair(
    alignments: Alignments, actual: int, expected: int, *, exact: bool
) -> Iterator[tuple[int, Text, Text, Text]]:
    names = alignments.expected_names[expected], alignments.actual_names[actual]
    heads = text(f"{expected + 1} {names[0]}", "bold"), text(f"{actual + 1} {names[1]}", "bold")
    wanted = alignments.expected_reading(expected).value
    made = alignments.reading(actual).value
    if exact:
        yield expected, text("equal", "green"), heads[0].append(f" {clean(_short(wanted))}", "dim"), heads[1]
        return
    yield expected, text("differs", "yellow"), *heads
    if made is None or wanted is None:
        raw = alignments.reading(actual).problem or "unreadable"
        yield expected, text(""), text(f"  {_short(wanted)}"), text(f"  {raw}", "red")
        return
    for key in dict.fromkeys((*wanted, *made)):
        same = key in wanted and key in made and same_value(wanted[key], made[key])
        style = "dim" if same else "yellow"
        yield (
            expected,
            text("" if same else "≠", style),
            _argument(wanted, key, style),
            _argument(made, key, style),
        )


def _argument(arguments: dict[str, Any], key: str, style: str) -> Text:
    return text(f"  {key}: {_short(arguments[key])}", style) if key in arguments else text("  –", style)


def _differences(found: Sequence[Difference], tool: str | None) -> Iterator[RenderableType]:
    kept = [item for item in found if tool is None or item.tool == tool]
    if not kept:
        return
    yield text("")
    yield text("Differences", "bold")
    for item in kept:
        line = text(item.kind.replace("_", " "), "bold yellow")
        line.append(f"  {clean(item.tool)}", "bold").append(
            f" {clean(item.path)}" if item.path else "", "cyan"
        )
        line.append(f"  {clean(item.message)}")
        yield line
        if item.accept_with is not None:
            yield whole(f"  accept with {as_flag(item.accept_with)}", "green")


def _step(number: int, step: Step, name: str) -> RenderableType:
    line = text(f"{number}. call {step.actual + 1} {clean(name)}: ")
    if not step.candidates:
        return line.append("no expected call of its name is left; it stays extra", "yellow")
    choice = ", ".join(f"expected {index + 1} (worth {credit:g})" for index, credit in step.candidates[:8])
    more = len(step.candidates) - 8
    line.append(f"could serve {choice}{f' and {more} more' if more > 0 else ''}; ", "dim")
    if step.taken is None:
        return line.append("took none; it stays extra", "yellow")
    return line.append(
        f"took expected {step.taken + 1}, worth {step.credit:g}", "green" if step.credit == 1 else "yellow"
    )


def _short(value: Any, limit: int = 300) -> str:
    if isinstance(value, msgspec.Raw):
        value = bytes(value).decode(errors="replace")
    return show_value(value, limit) if not isinstance(value, str) else value[:limit]
