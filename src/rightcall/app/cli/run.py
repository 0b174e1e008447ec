"""`rightcall run`: score a file or folder, show what came out, gate on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from ...core.summing.summary import RunSummary
from ...core.summing.tally import Tally
from ...core.types import Source
from ...errors import InterruptedRunError, JudgeError, OptionError, UsageError
from ...run.dataset import Dataset, Reading, parse_map, parse_where, tools_from_file
from ...run.directory.judged import judged_in, remote_of
from ...run.directory.rundir import RunDirectory, check_apart, check_place
from ...run.finishing import finish, finish_again
from ...run.gates import Gates, exit_code
from ...run.plan import Plan, make_plan
from ...run.reporting import REPORTS, check_reports
from ...run.rows import CASE_FIELDS
from ...run.runner import Recorded
from ...run.sets import FORMATS
from .gating import baseline_asked, gate_options, gates_asked
from .hints import error_line, explain_command, next_command
from .judging import judge_line, judge_options, judged_nothing, judging_of
from .notes import Notes
from .planning import (
    ConfiguredCommand,
    choose,
    parse_options,
    parse_thresholds,
    resolve,
    scoring_options,
    split_words,
)
from .running import check_running, open_directory, running_options, score
from .screen import say_json, show, tell, text, whole

if TYPE_CHECKING:
    from ...judging.remote import RemoteJudge
    from ...run.comparing.baseline import Baseline

TOP_CAUSES = 5

_FIELDS = list(CASE_FIELDS)
_MAP_HELP = f"Where a field stands: expected=gold.calls. Fields: {', '.join(_FIELDS)}."


@click.command(
    "run", cls=ConfiguredCommand, short_help="Score a file or folder, show what came out, gate on it."
)
@click.argument("data")
@click.option(
    "-e",
    "--evaluator",
    multiple=True,
    envvar="RIGHTCALL_EVALUATOR",
    metavar="ID",
    help="An evaluator, or module:attribute for one of your own. Repeat it, or use commas.",
)
@click.option(
    "--suite", envvar="RIGHTCALL_SUITE", metavar="NAME", help="A suite of evaluators; see `rightcall suites`."
)
@click.option(
    "--preset",
    envvar="RIGHTCALL_PRESET",
    metavar="ID",
    help="Another tool's rules, such as uipath: all, or with -e those that stand for the ones named.",
)
@click.option(
    "--expected",
    envvar="RIGHTCALL_EXPECTED",
    metavar="GOLD",
    help="A second file with the expected calls, joined by id.",
)
@click.option(
    "--tools", envvar="RIGHTCALL_TOOLS", metavar="FILE", help="Tool definitions, for rows that carry none."
)
@click.option("--map", "map", multiple=True, metavar="FIELD=COLUMN", help=_MAP_HELP)
@click.option("--tag", multiple=True, metavar="TAG", help="Only rows with this tag (or another one given).")
@click.option("--where", multiple=True, metavar="FIELD=VALUE", help="Only rows whose column has this value.")
@scoring_options
@judge_options
@running_options
@click.option(
    "--out", envvar="RIGHTCALL_OUT", metavar="DIR", help="Write results, summary and reports there."
)
@click.option(
    "--report",
    multiple=True,
    envvar="RIGHTCALL_REPORT",
    metavar="ID,..",
    help="Reports in DIR: csv, github, html, json, junit, md, parquet.",
)
@click.option(
    "--case-timeout",
    type=float,
    envvar="RIGHTCALL_CASE_TIMEOUT",
    metavar="S",
    help="Seconds for one case, for evaluators of your own.",
)
@gate_options
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON.")
@click.pass_context
def command(context: click.Context, /, **given: Any) -> int:
    """Score the cases of DATA: a file or folder (JSONL, JSON, CSV, Parquet; .gz, .zst), or - for standard input.
    Standard input is JSON Lines or JSON; name a file for CSV and Parquet.

    Without a gate option every case must pass. With one (--fail-under, --min-pass-rate, --baseline) only what it
    asks for counts; --max-errors alone only says how many errors are let through. A case that nothing was recorded
    of, or nothing is expected of, has no score and misses none of these gates; --max-not-evaluated limits such cases.

    --baseline matches cases by id and trial. It is missed where more passes were lost than chance explains (exact
    McNemar test, p < 0.05), or where the 95 % interval of the mean difference lies below --max-regression; both by
    Holm over the evaluators.

    \b
    Example:
      rightcall run examples/travel/cases.jsonl --tools examples/travel/tools.json \\
        --suite agent --fail-under tool_call_accuracy=0.8 --out runs/travel --report html,junit

    \b
    Any option may stand in rightcall.toml, or under [tool.rightcall] in pyproject.toml, here or in a folder
    above; those of --option in a table [options]. Flags win, then the environment (RIGHTCALL_SUITE,
    RIGHTCALL_FAIL_UNDER ..), then the file:
      suite = "agent"
      fail_under = { tool_call_accuracy = 0.8 }
    What is asked of a run may stand in a table of its own:
      [gates]
      baseline = "runs/main"
      min_pass_rate = { "tool_call_args@tag:refunds" = 0.9 }

    \b
    Exit codes: 0 all gates met; 1 a gate missed; 2 wrong usage; 3 data could not be read,
    held no case, or more cases in error than --max-errors; 4 a fault, a worker died, or a
    judge failed or has spent its budget; 130 interrupted (--resume goes on).
    """  # noqa: D301 - click reads the backspace
    words, suite = choose(context)
    plan = make_plan(
        resolve(words),
        suite=suite,
        options=parse_options(context, given["option"], given["config_json"]),
        thresholds=parse_thresholds(given["threshold"]),
        model=given["model"],
        judging=judging_of(given),
    )
    gates = gates_asked(given, plan.ids)
    plan = msgspec.structs.replace(plan, slices=gates.slices)
    reports = _reports(given)
    check_running(given)
    data = _dataset(given)
    baseline = _baseline(given, plan)
    directory = open_directory(given, words, suite, plan)
    plan = judged_in(plan, None if directory is None else directory.place)
    if directory is not None and directory.is_done:
        return _done_already(directory, plan, given, gates, baseline, reports)
    notes = Notes(
        directory.write if directory is not None else baseline.watch if baseline is not None else None
    )
    done = score(given, data, plan, directory, notes)
    summary = finish(done, data, plan, gates, directory, baseline=baseline, reports=reports)
    _present(summary, notes, given, gates, reports, remote_of(plan))
    _tell_errors(done, summary, given["out"])
    return _ending(done, summary, given["out"])


def _reports(given: dict[str, Any]) -> list[str]:
    names = list(dict.fromkeys(split_words(given["report"])))
    check_reports(names)
    if names and given["out"] is None:
        raise UsageError("a report is written into a run directory", field="report", hint="add --out DIR")
    return names


def _baseline(given: dict[str, Any], plan: Plan) -> Baseline | None:
    """The earlier run, checked before any work; the data's ids too, where it can be read twice. None without one."""
    earlier = baseline_asked(given, given["baseline"])
    if earlier is None:
        return None
    from ...run.comparing.baseline import open_baseline

    baseline = open_baseline(earlier, plan.ids, plan.signature, given["out"])
    if given["data"] != "-":
        baseline.check_data(_dataset({**given, "out": None}))
    return baseline


def _done_already(
    directory: RunDirectory,
    plan: Plan,
    given: dict[str, Any],
    gates: Gates,
    baseline: Baseline | None,
    reports: list[str],
) -> int:
    """The end of a run that was to be gone on with and has nothing left to do."""
    summary = finish_again(plan, gates, directory, baseline=baseline, reports=reports)
    tell(f"the run in {given['out']} is complete: no case was left to score")
    _present(summary, Notes(None), given, gates, reports)
    done = Recorded(tally=Tally())
    _tell_errors(done, summary, given["out"])
    return _ending(done, summary, given["out"])


def _dataset(given: dict[str, Any]) -> Dataset:
    if given["format"] != "auto":
        FORMATS.get(given["format"], field="format")
    reading = Reading(
        format=given["format"],
        columns=parse_map(given["map"]),
        tools=None if given["tools"] is None else tools_from_file(given["tools"]),
        tags=tuple(split_words(given["tag"])),
        where=parse_where(given["where"]),
    )
    if given["out"] is not None:
        if not given["out"]:
            raise OptionError("an empty path", field="out", hint="is a variable unset?")
        check_place(Path(given["out"]))
        check_apart(Path(given["out"]), (given["data"], given["expected"], given["tools"]))
    return Dataset(
        given["data"], expected=given["expected"], reading=reading, hashing=given["out"] is not None
    )


def _present(
    summary: RunSummary,
    notes: Notes,
    given: dict[str, Any],
    gates: Gates,
    reports: list[str],
    judge: RemoteJudge | None = None,
) -> None:
    if given["as_json"]:
        say_json(summary)
    elif summary.cases:
        _show(summary, notes, given, gates, judge)
    if "github" in reports:
        from .github import show_on_github

        show_on_github(Path(given["out"]), summary)


def _show(
    summary: RunSummary, notes: Notes, given: dict[str, Any], gates: Gates, judge: RemoteJudge | None
) -> None:
    from .board import causes_board, figures, gates_board, headline, repeats_board, scored_by

    out = given["out"]
    listing = explain_command(out) if out else None
    more = f": {listing}" if listing else ""
    parts = [text(""), headline(summary, given["data"]), text(""), figures(summary), *repeats_board(summary)]
    parts += [text(judge_line(judge), "dim")] if judge is not None else []
    causes = list(causes_board(summary.causes, TOP_CAUSES, evaluators=scored_by(summary), more=more))
    parts += [text(""), *causes] if causes else []
    outcome = list(gates_board(summary.gates, enforced=gates.enforced))
    parts += [text(""), *outcome] if outcome else []
    parts += [text(f"warning: {warning}", "yellow") for warning in summary.warnings]
    parts += [text(f"warning: {warning}", "yellow") for warning in notes.warnings()]
    parts += [text(line, "yellow") for line in notes.not_evaluated(summary)]
    names = split_words(given["report"])
    parts += [whole(f"report: {Path(out) / REPORTS.get(name).declaration.file}", "dim") for name in names]
    command = next_command(out, summary.causes) if out else None
    if command is not None:
        parts += [text(""), whole(f"next: {command}", "bold")]
    elif not out and any(cause.examples for cause in summary.causes):
        parts += [
            text(""),
            text("next: add --out DIR, then `rightcall explain DIR CASE` shows a case call by call", "dim"),
        ]
    show(*parts)


def _tell_errors(done: Recorded, summary: RunSummary, out: str | None) -> None:
    for case in done.errors:
        place = case.place or Source()
        tell(error_line(case.id, place.path, place.line, case.reason))
    more = summary.errors - len(done.errors)
    if more > 0:
        command = explain_command(out) if out else None
        how = f"{command} lists more" if command else "add --out DIR, then `rightcall explain DIR` lists more"
        tell(f"and {more:,} more {'case' if more == 1 else 'cases'} in error: {how}; results.jsonl has all")


def _ending(done: Recorded, summary: RunSummary, out: str | None) -> int:
    if done.interrupted:
        kept = f"; they are in {out}" if out else ""
        tell(f"interrupted: {summary.cases:,} cases were finished{kept}")
        return InterruptedRunError.exit_code
    if done.broken is not None:
        tell(f"error: {done.broken}" + (f" (after {summary.cases:,} cases)" if summary.cases else ""))
        return done.broken.exit_code
    if not summary.cases:
        tell("error: the data held no case" + "".join(f"; {warning}" for warning in summary.warnings))
    silent = judged_nothing(summary)
    if silent is not None:
        tell(f"error: {silent}")
        return JudgeError.exit_code
    return exit_code(summary.gates)
