"""One case on the screen: results, calls side by side, differences, and the steps of the pairing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ...core.caseview import CallView, CaseView, RowView
from ...core.jsonvalue import show as show_value
from ...core.summing.records import CaseRecord
from ...run.causes import as_flag
from ...run.directory.replay import PlayedCase
from .screen import clean, short, table, text, whole

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

__all__ = ["case_parts"]


def case_parts(found: CaseRecord, played: PlayedCase | None, tool: str | None) -> Iterator[RenderableType]:
    """Everything about a case."""
    place = found.row
    line = text(short(found.name), "bold")
    at = "" if place.line is None else f" line {place.line}"
    line.append(f"  {clean(str(place.file))}{at}", "dim")
    yield line
    if played is not None and played.case.input is not None:
        yield text(_short(played.case.input), "italic")
    yield text("")
    yield from _results(found)
    if played is None:
        return
    name = played.to_show
    view = None if name is None else played.view(name, tool)
    if view is None:
        return
    yield text("")
    path = "" if view.path is None else f", expected path {view.path}"
    yield text(f"Calls, as {name} pairs them ({view.rule}){path}", "bold")
    yield from _calls(view)
    yield from _differences(view)
    yield from _steps(view)


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


def _calls(view: CaseView) -> Iterator[RenderableType]:
    board = table("", "expected", "actual")
    for row in view.rows:
        for cells in _cells(row):
            board.add_row(*cells)
    yield board
    if view.rows_left_out:
        yield text(f"and {view.rows_left_out:,} more calls, {view.equal_left_out:,} of them equal", "dim")


_MARKS: Final = {"equal": "green", "differs": "yellow", "missing": "red", "extra": "red", "not made": "dim"}


def _cells(row: RowView) -> Iterator[tuple[Text, Text, Text]]:
    """A line for the calls, and below it one for each argument of a pair that is not equal."""
    paired = row.expected is not None and row.actual is not None
    with_arguments = row.mark == "equal" or not paired
    yield (
        text(row.mark, _MARKS[row.mark]),
        _call(row.expected, arguments=with_arguments or row.problem is not None),
        _call(row.actual, arguments=with_arguments and row.mark != "equal"),
    )
    if row.problem is not None:
        yield text(""), text(""), text(f"  {row.problem}", "red")
    for each in row.arguments:
        style = "dim" if each.same else "yellow"
        mark = text("" if each.same else "≠", style)
        yield mark, _argument(each.name, each.expected, style), _argument(each.name, each.actual, style)
    if row.arguments_left_out:
        yield text(""), text(f"  and {row.arguments_left_out:,} more arguments", "dim"), text("")


def _call(call: CallView | None, *, arguments: bool) -> Text:
    if call is None:
        return text("–", "dim")
    head = text(f"{call.number} {short(call.name)}", "bold")
    if arguments:
        head.append(f" {clean(call.arguments)}", "dim")
    if call.says:
        head.append(f" ({clean(call.says)})", "cyan")
    return head


def _argument(name: str, value: str | None, style: str) -> Text:
    return text("  –" if value is None else f"  {short(name)}: {value}", style)


def _differences(view: CaseView) -> Iterator[RenderableType]:
    if not view.differences:
        return
    yield text("")
    yield text("Differences", "bold")
    for item in view.differences:
        line = text(item.kind.replace("_", " "), "bold yellow")
        line.append(f"  {clean(short(item.tool))}", "bold").append(
            f" {clean(short(item.path))}" if item.path else "", "cyan"
        )
        line.append(f"  {clean(item.message)}")
        yield line
        if item.accept_with is not None:
            yield whole(f"  accept with {as_flag(item.accept_with)}", "green")
    if view.differences_left_out:
        yield text(f"and {view.differences_left_out:,} more differences", "dim")


_TONES: Final = {"equal": "green", "partial": "yellow", "none": "yellow"}


def _steps(view: CaseView) -> Iterator[RenderableType]:
    if view.steps == ():
        return
    yield text("")
    yield text("How the pairs were made", "bold")
    if view.steps is None:
        yield text("There are too many calls to play the pairing step by step.", "dim")
        return
    for step in view.steps:
        line = text(f"{step.number}. {clean(short(step.call))}: ")
        line.append(f"{clean(step.could)}; " if step.could else "", "dim")
        yield line.append(clean(step.took), _TONES[step.tone])
    if view.steps_left_out:
        yield text(f"and {view.steps_left_out:,} more steps", "dim")


def _short(value: Any, limit: int = 300) -> str:
    return value[:limit] if isinstance(value, str) else show_value(value, limit)
