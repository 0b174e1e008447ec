"""`rightcall explain`: what the points of a run were lost to, and one case call by call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ...core.results import Result
from ...core.summing.records import CaseRecord
from ...core.summing.summary import CauseSummary, WhatIf
from ...core.types import Case
from ...core.written import written_call
from ...run.directory.replay import PlayedCase, StoredRun
from ...run.intake.reading import as_builtin
from .hints import error_line, next_command
from .planning import resolve
from .screen import say_json, show, text, whole

if TYPE_CHECKING:
    from rich.text import Text


SHOWN = 20
"""Causes that are shown unless all are asked for."""

MOST_CASES: Final = 50_000
"""Cases of a run up to which what-ifs are computed without being asked for: some ten seconds."""


@click.command("explain", short_help="Rank what points were lost to; show one case call by call.")
@click.argument("run", metavar="RUN")
@click.argument("case", metavar="[CASE]", required=False)
@click.option("--tool", metavar="T", help="Only what concerns this tool.")
@click.option(
    "--all", "whole_list", is_flag=True, help=f"All causes that are kept, not the first {SHOWN} only."
)
@click.option(
    "--what-if/--no-what-if",
    "tried",
    default=None,
    help=f"Score the cases again with options; by default up to {MOST_CASES:,} cases.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def command(
    run: str, case: str | None, tool: str | None, *, whole_list: bool, tried: bool | None, as_json: bool
) -> int:
    """Rank what the points of the run in directory RUN were lost to; or show one CASE of it, call by call.

    Where an option would accept a cause, the run's cases are scored again with it, and what that would come to is
    said: for the first five options, and of a large run only with --what-if, since it takes its time. The calls of a
    case are read again from the source; one that changed since the run is an error.

    \b
    Example:
      rightcall run examples/travel/cases.jsonl --suite agent --no-gate --out runs/travel
      rightcall explain runs/travel
      rightcall explain runs/travel travel-13-ask-before-cancel
    """  # noqa: D301 - click reads the backspace
    stored = StoredRun(Path(run))
    if case is None:
        limit = None if whole_list else SHOWN
        return _causes(stored, run, tool, limit=limit, tried=tried, as_json=as_json)
    shown: list[Any] = []
    for found in stored.find(case):
        played = None
        if not all(result.status == "error" for result in found.results):
            played = stored.play(found, stored.plan(tuple(resolve(stored.record.request.evaluators))))
        if as_json:
            shown.append(_as_json(found, played, tool) | _ended(stored))
        else:
            from .casefile import case_parts

            show(*_incomplete(stored), *case_parts(found, played, tool))
    if as_json:
        say_json(shown[0] if len(shown) == 1 else shown)
    return 0


def _causes(
    stored: StoredRun, run: str, tool: str | None, *, limit: int | None, tried: bool | None, as_json: bool
) -> int:
    from ...errors import UnknownNameError

    summary = stored.summary
    causes = [cause for cause in summary.causes if tool is None or cause.tool == tool]
    if tool is not None and not causes:
        known = {name for found in summary.evaluators.values() for name in found.tools}
        if tool not in known:
            raise UnknownNameError(
                "tool", tool, known | {cause.tool for cause in summary.causes}, field="tool"
            )
    errors = stored.errors(ERRORS) if tool is None else []
    gains, why_not = _what_ifs(stored, causes, tried=tried)
    if as_json:
        say_json(
            {"run": run, "signature": summary.signature, "causes": causes}
            | _ended(stored)
            | {"what_if": gains if why_not is None else None, "what_if_absent": why_not}
            | {"errors": [_error(case) for case in errors], "error_count": summary.errors}
        )
        return 0
    from .board import causes_board, figures, headline, scored_by

    parts = [headline(summary, run), *_incomplete(stored), text(""), figures(summary), text("")]
    board = causes_board(causes, limit, evaluators=scored_by(summary), more=": add --all", what_ifs=gains)
    parts += list(board) or ([] if errors else [text(_nothing(tool), "green")])
    if why_not is not None:
        parts.append(text(f"What options would gain is not computed: {why_not}", "yellow"))
    elif gains:
        parts += _untried(causes)
    parts += _error_lines(errors, summary.errors)
    command = next_command(run, causes)
    if command is not None:
        parts += [text(""), whole(f"next: {command}", "bold")]
    show(*parts)
    return 0


def _what_ifs(
    stored: StoredRun, causes: Sequence[CauseSummary], *, tried: bool | None
) -> tuple[list[WhatIf], str | None]:
    """What the options that would accept the costliest causes would gain, or why that is not told.

    Args:
        tried: whether it was asked for; None leaves it to the size of the run.
    """
    from ...errors import SourceError
    from ...run.what_if import options_of, what_ifs
    from .progress import CountLine

    options, cases = options_of(causes), stored.summary.cases
    if not options:
        return [], None
    if tried is False:
        return [], "--no-what-if"
    if tried is None and cases > MOST_CASES:
        return [], f"{cases:,} cases would be scored again with each option; add --what-if"
    line = CountLine("what options would gain", cases)
    try:
        plan = stored.plan(tuple(resolve(stored.record.request.evaluators)))
        return what_ifs(stored, plan, options, line), None
    except SourceError as error:
        return [], str(error)
    finally:
        line.close()


def _untried(causes: Sequence[CauseSummary]) -> Iterator[Text]:
    """A line on the options that were not tried, where there are any."""
    from ...run.what_if import MOST_OPTIONS, options_of

    offered = len(options_of(causes, len(causes)))
    if offered > MOST_OPTIONS:
        words = f"what options would gain is computed for the first {MOST_OPTIONS} of {offered} options"
        yield text(f"{words}; --tool T computes it for those of one tool", "dim")


ERRORS: Final = 10
"""Cases in error that are listed."""


def _incomplete(stored: StoredRun) -> Iterator[Text]:
    why = stored.incomplete
    if why is not None:
        yield text(f"incomplete: {why}; only what was finished is counted", "bold yellow")


def _ended(stored: StoredRun) -> dict[str, Any]:
    return {"complete": stored.incomplete is None, "ended": stored.record.ended}


def _error(case: CaseRecord) -> dict[str, Any]:
    return {"id": case.id, "trial": case.trial, "row": case.row, "reason": _reason(case)}


def _reason(case: CaseRecord) -> str:
    return next(result.reason for result in case.results if result.status == "error")


def _error_lines(errors: list[CaseRecord], count: int) -> Iterator[Text]:
    if not errors:
        return
    yield text("")
    yield text("Cases in error", "bold")
    for case in errors:
        yield text(error_line(case.name, case.row.file, case.row.line, _reason(case)), "red")
    if count > len(errors):
        yield text(f"and {count - len(errors):,} more; results.jsonl has all", "dim")


def _nothing(tool: str | None) -> str:
    return "No points were lost." if tool is None else f"No points were lost on {tool}."


def _as_json(found: CaseRecord, played: PlayedCase | None, tool: str | None) -> dict[str, Any]:
    if played is None:
        return {"id": found.id, "trial": found.trial, "row": found.row, "results": found.results}
    case = played.case
    return {
        "id": found.id,
        "trial": found.trial,
        "row": found.row,
        "input": case.input,
        "actual": None if case.actual is None else as_builtin(case.actual),
        **_expected(case),
        "results": [_result(result, tool) for result in played.results.values()],
        "steps": played.steps,
    }


def _expected(case: Case) -> dict[str, Any]:
    """What was expected, as it was written; every path where there are several."""
    expected = case.expected
    if expected is not None and expected.paths:
        return {"expected_any_of": [[written_call(call) for call in path] for path in expected.paths]}
    calls = case.expected_calls
    return {"expected": None if calls is None else [written_call(call) for call in calls]}


def _result(result: Result, tool: str | None) -> dict[str, Any]:
    plain = result.as_dict()
    if tool is not None:
        plain["details"]["differences"] = [item for item in result.details.differences if item.tool == tool]
    return plain
