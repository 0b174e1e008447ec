"""`rightcall compare`: two runs of the same cases side by side, with a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec

from ...core.summing.comparison import Change, Comparison, Counted, Direction, EvaluatorComparison
from ...core.summing.summary import GateOutcome
from ...errors import RightcallError
from ...run.comparing.baseline import against_baseline
from ...run.comparing.compare import compare_sides, stored_side
from ...run.comparing.comparison_reports import check_comparison_reports, write_comparison_reports
from ...run.directory.replay import StoredRun
from ...run.gates import exit_code
from ...run.plan import Plan
from .gating import baseline_asked, baseline_options
from .hints import explain_command
from .planning import ConfiguredCommand, resolve, split_words
from .screen import clean, say_json, screen_width, short, show, table, text, whole

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text


@click.command(
    "compare",
    cls=ConfiguredCommand,
    short_help="Compare two runs: what improved, what regressed, how sure that is.",
)
@click.argument("run_a", metavar="A")
@click.argument("run_b", metavar="B")
@baseline_options
@click.option(
    "--report", multiple=True, metavar="ID,..", help="Reports of B with the comparison in DIR: html, md."
)
@click.option("--out", metavar="DIR", help="A folder for the reports.")
@click.option("--json", "as_json", is_flag=True, help="The comparison as JSON, with the changed cases.")
def command(run_a: str, run_b: str, *, as_json: bool, **given: Any) -> int:
    """Hold run B against run A, which came before; both are directories that `rightcall run --out` wrote.

    Cases are matched by id and trial. For each evaluator: both means over the cases that both runs scored, their
    difference with its 95 % interval, passes lost and won, the p of both tests (passes by the exact McNemar test, the
    mean by its interval), and the p that decides: the smaller one, adjusted by Holm over the evaluators. Below: the
    smallest change that so many cases could have shown (four times in five), the changed cases, and in what the runs
    differ beside them.

    B has regressed where more passes were lost than chance explains (one-sided p < 0.05), or where the interval of
    the mean difference lies below --max-regression. These flags may stand in the configuration file, as for `run`.

    \b
    Exit codes: 0 no regression shown; 1 regressed; 2 wrong usage; 3 a run could not be read, or no case is in both.

    \b
    Example:
      rightcall run examples/travel/cases.jsonl -e tool_call_args --no-gate --out runs/before
      rightcall run examples/travel/cases.jsonl -e tool_call_args --no-gate --out runs/after --option ignore_case=true
      rightcall compare runs/before runs/after --report html --out runs/compared
    """  # noqa: D301 - click reads the backspace
    reports = list(dict.fromkeys(split_words(given["report"])))
    place = None if given["out"] is None else Path(given["out"])
    check_comparison_reports(reports, place)
    gate = baseline_asked(given, run_a)
    assert gate is not None  # noqa: S101 - an argument is always there
    a, b = (StoredRun(Path(run)) for run in (run_a, run_b))
    found, contrast = compare_sides(stored_side(a, run_a), stored_side(b, run_b))
    outcomes = tuple(against_baseline(found, contrast, gate))
    written = [] if place is None else write_comparison_reports(reports, found, b, _plan(b), place)
    if as_json:
        say_json({**msgspec.to_builtins(found), "gates": outcomes})
    else:
        show(*_boards(found, outcomes), *(whole(f"report: {file}", "dim") for file in written))
    return exit_code(outcomes)


def _plan(stored: StoredRun) -> Plan | None:
    """The plan of a run; None where it can't be had here, as when an evaluator of one's own is not at hand."""
    try:
        return stored.plan(tuple(resolve(stored.record.request.evaluators)))
    except RightcallError:
        return None


def _boards(found: Comparison, outcomes: tuple[GateOutcome, ...]) -> Iterator[RenderableType]:
    from .board import gates_board

    yield text("")
    yield _headline(found)
    yield text("")
    yield from _figures(found)
    yield from _could_show(found)
    for direction, title in (("regressed", "Regressed"), ("improved", "Improved")):
        yield from _changed(found, direction, title)  # type: ignore[arg-type]  # a literal in a tuple
    yield from _alone(found.only_in_a, found.a.name)
    yield from _alone(found.only_in_b, found.b.name)
    # What the verdict says already is not said again.
    said = [outcome for outcome in outcomes if outcome.gate == "strict_baseline" or outcome.asked]
    missed = [outcome for outcome in said if not outcome.met]
    if missed:
        yield text("")
        yield from gates_board(missed, enforced=any(outcome.exit_code for outcome in missed))
    yield from (text(f"warning: {warning}", "yellow") for warning in found.warnings)
    worst = next((change for change in found.changes if change.direction == "regressed"), None)
    command = explain_command(found.b.name)
    if worst is not None and command is not None:
        yield text("")
        yield whole(f"next: {command} {_quoted(worst.id)}", "bold")


def _quoted(case_id: str) -> str:
    import shlex

    return shlex.quote(clean(case_id))


_WORDS: Final = {
    "regressed": ("is worse than", "bold red"),
    "improved": ("is better than", "bold green"),
    "no difference shown": ("is not shown to differ from", "bold"),
}


def _headline(found: Comparison) -> Text:
    words, style = _WORDS[found.verdict]
    line = text(f"{clean(found.b.name)} {words} {clean(found.a.name)}", style)
    names = [name for name, item in found.evaluators.items() if item.verdict == found.verdict]
    if found.verdict != "no difference shown":
        every = len(names) == len(found.evaluators) > _FEW
        line.append(f" in all {len(names)} evaluators" if every else f" in {', '.join(names)}")
    cases = "1 case" if found.cases == 1 else f"{found.cases:,} cases"
    return line.append(f" · {cases} in both", "dim")


_FEW: Final = 2
"""Evaluators that are named even where it is all of them."""


def _columns(found: Comparison) -> list[str]:
    """The columns for which there is room; --json holds what the others would say."""
    columns = [
        *("evaluator", "mean", "change", "95 % interval", "lost", "won"),
        *("p passes", "p mean", "Holm p", "verdict"),
    ]
    room = screen_width() - max(map(len, found.evaluators), default=0) - _BARE
    # One p beside Holm's would pass for the one that Holm adjusted, so they come and go together.
    for names in (("95 % interval",), ("change",), ("p passes", "p mean")):
        needed = sum(_WIDTHS[name] for name in names)
        if needed <= room:
            room -= needed
        else:
            columns = [column for column in columns if column not in names]
    return columns


_BARE: Final = 49
"""Columns of a screen that the table takes beside the longest name, without those of `_WIDTHS`."""

_WIDTHS: Final = {"p passes": 11, "p mean": 9, "95 % interval": 18, "change": 9}

_LEGEND: Final = (
    "Holm p decides: the smaller p of two tests, of passes lost or won (exact McNemar, one-sided) and of the mean, "
    "adjusted over the evaluators; p passes and p mean are these tests alone, two-sided"
)


def _figures(found: Comparison) -> Iterator[RenderableType]:
    columns = _columns(found)
    board = table(*columns, right=tuple(columns[1:-1]))
    for name, item in found.evaluators.items():
        cells = {
            "evaluator": text(name, "bold" if item.paired else "dim"),
            "mean": text(f"{_number(item.mean_a)} → {_number(item.mean_b)}"),
            "change": text(
                "–" if item.mean_difference is None else f"{item.mean_difference:+.3f}", _tone(item)
            ),
            "95 % interval": text(_interval(item), "dim"),
            "lost": text(f"{item.table.only_a_passed:,}", "red" if item.table.only_a_passed else "dim"),
            "won": text(f"{item.table.only_b_passed:,}", "green" if item.table.only_b_passed else "dim"),
            "p passes": text(_p(item.mcnemar_p)),
            "p mean": text("–" if item.mean_p is None else _p(item.mean_p)),
            "Holm p": text(_p(item.holm_p)),
            "verdict": text(
                _SHORT.get(item.verdict, item.verdict) if item.paired else "no pair", _tone(item)
            ),
        }
        board.add_row(*(cells[column] for column in columns))
    yield board
    yield text(_LEGEND if "p passes" in columns else _LEGEND.partition(";")[0], "dim")


_SHORT: Final = {"no difference shown": "not shown"}


def _tone(item: EvaluatorComparison) -> str:
    return {"regressed": "red", "improved": "green"}.get(item.verdict, "")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(item: EvaluatorComparison) -> str:
    ends = item.mean_interval
    return "–" if ends is None else f"{ends.low:+.3f} – {ends.high:+.3f}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}" if not 0.0495 <= value < 0.05 else f"{value:.4g}"


def _could_show(found: Comparison) -> Iterator[RenderableType]:
    """The smallest change that could have been shown; evaluators that say the same share a line."""
    by_words: dict[str, list[str]] = {}
    for name, item in found.evaluators.items():
        parts = []
        if item.detectable_mean is not None and item.detectable_mean <= 1:
            parts.append(f"{item.detectable_mean:.3f} of the mean")
        if item.detectable_pass_rate is not None:
            parts.append(f"{item.detectable_pass_rate:.1%} of the passes")
        if item.paired:
            by_words.setdefault(" or ".join(parts) or "none", []).append(name)
    for words, names in by_words.items():
        yield text(f"smallest change that could have been shown: {words} ({', '.join(names)})", "dim")


_SHOWN: Final = 8
"""Changed cases of one direction on the screen; --json has more."""


def _changed(found: Comparison, direction: Direction, title: str) -> Iterator[RenderableType]:
    cases: dict[tuple[str, int | None], list[Change]] = {}
    for change in found.changes:
        if change.direction == direction:
            cases.setdefault((change.id, change.trial), []).append(change)
    if not cases:
        return
    counts = {name: getattr(item, direction).count for name, item in found.evaluators.items()}
    yield text("")
    by = ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)
    yield text(f"{title} cases: {by}", "bold")
    for (case_id, trial), changes in list(cases.items())[:_SHOWN]:
        line = text(f"  {clean(short(case_id))}", "red" if direction == "regressed" else "green")
        line.append("" if trial is None else f" [trial {trial}]")
        line.append("  " + "; ".join(_moved(changes)), "dim")
        yield line
    if len(cases) > _SHOWN:
        yield text("  and more: --json lists them", "dim")


def _moved(changes: list[Change]) -> Iterator[str]:
    """How the scores of a case moved; evaluators that moved alike share the words."""
    by_move: dict[str, list[str]] = {}
    for change in changes:
        was, now = (
            "error" if score is None else f"{score:.3f}" for score in (change.score_a, change.score_b)
        )
        by_move.setdefault(f"{was} → {now}", []).append(change.evaluator)
    for move, names in by_move.items():
        yield f"{', '.join(names)} {move}"


def _alone(only: Counted, name: str) -> Iterator[RenderableType]:
    if only.count:
        cases = "1 case is" if only.count == 1 else f"{only.count:,} cases are"
        named = ", ".join(clean(short(example)) for example in only.examples[:3])
        yield text(f"{cases} only in {clean(name)}, and counted nowhere: {named}", "yellow")
