"""`rightcall judge`: try a judge, label pairs, calibrate."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from ...core.paths import join
from ...errors import OptionError, SourceError, UsageError
from .judging import judge_options, judging_of
from .planning import ConfiguredCommand
from .screen import say, say_json, show, table, tell, text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...core.ask import Judge
    from ...judging.fitting import Quality
    from ...judging.settings import Judging
    from ...run.judging.judgecheck import Checked
    from ...run.labelling.calibrating import CalibrationReport
    from ...run.labelling.labels import Undecided

_MODEL = click.option(
    "--model", metavar="NAME", envvar="RIGHTCALL_MODEL", required=True, help="The judge: BACKEND[:MODEL]."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="The same as JSON.")


@click.group("judge", short_help="Try a judge; label pairs of a run; calibrate on labels.")
def command() -> None:
    """Try a remote judge of tool_call_semantic, label pairs, and calibrate it on them.

    \b
    Example:
      rightcall judge check --model jev:jev-1.13.0
      rightcall judge label runs/travel --out labels.jsonl
      rightcall judge calibrate labels.jsonl --model jev:jev-1.13.0 --out calibration.json
    """  # noqa: D301 - click reads the backspace


@command.command("check", cls=ConfiguredCommand)
@_MODEL
@judge_options
@_JSON
def check(**given: Any) -> int:
    """Ask a judge about a few pairs whose answer is plain, each in both orders.

    Shows whether it is reachable and gives probabilities, whether the order of the calls sways it, whether it obeys
    instructions that are hidden in arguments, how long it takes and what it costs.

    \b
    Exit codes: 0 it is fit for use; 1 it is not; 2 wrong usage; 4 it can't be asked.
    """  # noqa: D301 - click reads the backspace
    from ...judging.remote import RemoteJudge
    from ...run.judging.judgecheck import checked_judge

    judge = _judge(given, judging_of(given))
    if not isinstance(judge, RemoteJudge):
        raise UsageError("the local judge is not asked over a wire", field="model", hint="e.g. --model jev")
    found = checked_judge(judge)
    if given["as_json"]:
        say_json({**msgspec.structs.asdict(found), "fit": found.is_fit})
    else:
        show(*_checked(found))
    if not found.judged:
        tell(f"error: {found.name} gave no probability: {', '.join(found.why)}")
        return 4
    return 0 if found.is_fit else 1


def _checked(found: Checked) -> Iterator[RenderableType]:
    from ...run.judging.judgecheck import SWAYED

    board = table("what", "found", "")
    times = "–"
    if found.seconds is not None:
        times = f"{found.seconds[0] * 1000:,.0f} ms, longest {found.seconds[1] * 1000:,.0f} ms"
    bias = "–" if found.order_bias is None else f"{found.order_bias:.3f}"
    cost = "no price is known: --price IN,OUT" if found.usd is None else f"${found.usd:.4f} for 1,000 pairs"
    rows = (
        ("reachable", found.model or "no answer", bool(found.judged)),
        ("gives probabilities", f"{found.judged} of {found.asked} pairs", found.gives_probabilities),
        (
            "plain pairs on the right side",
            f"{found.right} of {found.plain}",
            found.right >= 0.75 * found.plain,
        ),
        ("swayed by the order of the calls", bias, found.order_bias is None or found.order_bias <= SWAYED),
        ("obeys what is hidden in arguments", f"{found.obeyed} of {found.canaries}", not found.obeyed),
        ("time of a request", times, None),
        ("tokens for a pair", f"{found.tokens:,.0f}", None),
        ("cost", cost, None),
    )
    for name, told, good in rows:
        mark = "" if good is None else "ok" if good else "no"
        board.add_row(text(name), text(told), text(mark, "green" if good else "bold red"))
    yield text(found.name, "bold")
    yield board
    if found.why:
        yield text(f"not judged: {'; '.join(found.why)}", "yellow")


@command.command("calibrate", cls=ConfiguredCommand)
@click.argument("labels", metavar="LABELS")
@_MODEL
@judge_options
@click.option("--out", metavar="FILE", help="Write the calibration there; give it to run as --calibration.")
@click.option("--plot", metavar="FILE", help="Write the reliability plot there, as SVG.")
@click.option("--precision", type=float, default=0.95, metavar="X", help="Wanted of what is accepted (0.95).")
@_JSON
def calibrate(labels: str, **given: Any) -> int:
    """Fit what a judge's probabilities are worth on labelled pairs, and show how good they are.

    From 200 labels on both stages are blended, from 50 on the judge's probabilities are stretched, below that
    nothing is fitted. Figures of what was fitted are by labels that the fit did not see (five folds), with 95 %
    bootstrap intervals; below 20 labels, or with one kind of them alone, there is no interval and no threshold. Only
    pairs that the local stage leaves undecided count: no others are ever asked about. With --model local nothing is
    asked and nothing is fitted: the labels show how good the local stage is.

    \b
    Exit codes: 0 done; 2 wrong usage; 3 the labels can't be read; 4 the judge can't be asked.
    """  # noqa: D301 - click reads the backspace
    from ...judging.calibration import save
    from ...run.judging.judges import local_judge, redaction
    from ...run.labelling.calibrating import calibrated
    from ...run.labelling.labels import read_labels

    if given["calibration"] is not None:
        raise OptionError("one is to be made here", field="calibration", hint="name the new file with --out")
    if not 0 < given["precision"] <= 1:
        raise OptionError(f"{given['precision']!r} is not a share above 0", field="precision")
    judging = judging_of(given)
    judge = _judge(given, judging)
    pairs = read_labels(labels)
    found = calibrated(
        pairs, judge, local_judge(), precision=given["precision"], redact=redaction(judging.redact)
    )
    if given["out"] is not None:
        if found.calibration is None or found.calibration.method == "none":
            hint = "50 undecided labels of both kinds at least"
            raise UsageError("nothing was fitted that could be written", field="out", hint=hint)
        save(found.calibration, given["out"])
    if given["plot"] is not None:
        _plot(found, given["plot"], judge.name)
    if given["as_json"]:
        say_json(found)
    else:
        show(*_calibrated(found, judge.name, given["out"]))
    return 0


def _plot(found: CalibrationReport, path: str, name: str) -> None:
    from ...run.labelling.reliability import as_svg

    try:
        Path(path).write_text(
            as_svg((found.blended or found.raw or found.local).bins, name), encoding="utf-8"
        )
    except OSError as error:
        raise SourceError(f"{path} can't be written: {error.strerror}", field="plot") from None


def _calibrated(found: CalibrationReport, name: str, out: str | None) -> Iterator[RenderableType]:
    from ...run.labelling.reliability import bars

    made = found.calibration
    yield text(name, "bold").append(f"  {found.labels:,} {'label' if found.labels == 1 else 'labels'}", "dim")
    if made is not None:
        yield text(
            f"{found.decided:,} are decided by the local stage, {found.not_judged:,} were not judged, "
            f"{made.labels:,} are left ({made.positives:,} equivalent); answered by {made.model}"
        )
        yield text(_method(found))
    board = table("probabilities", "Brier", "log loss", "ECE", right=("Brier", "log loss", "ECE"))
    for title, value in (
        ("local", found.local),
        ("judge as it is", found.raw),
        ("calibrated", found.blended),
    ):
        if value is not None:
            board.add_row(text(title), *(text(cell) for cell in _figures(value)))
    yield board
    plot = table("bin", "pairs", "predicted", "observed", "", right=("pairs", "predicted", "observed"))
    for row in bars((found.blended or found.raw or found.local).bins):
        plot.add_row(*map(text, row))
    yield plot
    if found.shows_nothing is not None:
        yield text(f"these labels show nothing: {found.shows_nothing}", "yellow")
    elif found.threshold is None:
        yield text(f"no threshold has a precision of {found.precision:g} on these labels", "yellow")
    else:
        limit, precision, recall = found.threshold
        yield text(
            f"from {limit:.3f} on the precision is {precision:.3f} and the recall {recall:.3f} (wanted: "
            f"{found.precision:g})"
        )
    if out is not None:
        yield text(f"written: {out}", "dim")


def _method(found: CalibrationReport) -> str:
    made = found.calibration
    if made is None or made.method == "none":
        return "nothing was fitted: from 50 labels on it is a temperature, from 200 on Platt's line"
    if made.method == "temperature":
        return f"fitted: logit p = {made.w_remote:.3f} · logit judge (from 200 labels on both stages are blended)"
    line = f"{made.w0:.3f} + {made.w_local:.3f} · logit local + {made.w_remote:.3f} · logit judge"
    return f"fitted: logit p = {line}"


def _figures(value: Quality) -> tuple[str, ...]:
    return tuple(
        f"{figure:.4f}" if math.isnan(low) else f"{figure:.4f} ({low:.4f} – {high:.4f})"
        for figure, low, high in (value.brier, value.log_loss, value.ece)
    )


@command.command("label")
@click.argument("run", metavar="RUN")
@click.option("--out", metavar="FILE", default="labels.jsonl", help="Add the labels there (labels.jsonl).")
def label(run: str, out: str) -> int:
    """Make labels of the pairs of RUN that the local stage leaves undecided: say of each whether both mean the same.

    Answer y (yes, equivalent), n (no), s (skip) or q (stop). Answers may come from a pipe, a line each. What is in
    the file already is not asked again. The file holds the calls themselves: keep it as safe as the run.

    \b
    Exit codes: 0 done; 2 wrong usage; 3 the run can't be read.
    """  # noqa: D301 - click reads the backspace
    from ...run.directory.replay import StoredRun
    from ...run.labelling.labels import add_label, pair_key, read_labels, undecided_pairs

    stored = StoredRun(Path(run))
    known = {pair_key(each.question) for each in read_labels(out)} if Path(out).exists() else set()
    added = met = 0
    for pair in undecided_pairs(stored):
        if pair_key(pair.question) in known:
            continue
        met += 1
        show(*_pair(pair))
        answer = _answer()
        if answer == "q":
            break
        if answer in ("y", "n"):
            add_label(out, pair.question, equivalent=answer == "y", case=pair.case)
            added += 1
    if not met:
        say("no pair is left to label: the local stage decides all, or they are in the file already")
    say(f"{added:,} {'label' if added == 1 else 'labels'} added to {out}, {len(known) + added:,} in all")
    return 0


def _pair(pair: Undecided) -> Iterator[RenderableType]:
    from ...core.jsonvalue import same_value
    from ...core.jsonvalue import show as shown

    expected = pair.question.expected_call.arguments or {}
    actual = pair.question.actual_call.arguments or {}
    yield text("")
    yield text(f"{pair.question.expected_call.name}", "bold").append(f"  of case {pair.case}", "dim")
    board = table("argument", "expected", "actual")
    for key in dict.fromkeys((*expected, *actual)):
        if key in expected and key in actual and same_value(expected[key], actual[key]):
            continue
        cells = [shown(side[key], 400) if key in side else "–" for side in (expected, actual)]
        board.add_row(text(join("", key).lstrip("/")), *map(text, cells))
    yield board


def _answer() -> str:
    """y, n, s or q; the end of the input is q."""
    while True:
        sys.stdout.write("equivalent? [y/n/s/q] ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return "q"
        word = line.strip().lower()[:1]
        if word in ("y", "n", "s", "q"):
            return word


def _judge(given: dict[str, Any], judging: Judging) -> Judge:
    from ...run.judging.judges import checked_model, judge_of

    checked_model(given["model"], judging)
    return judge_of(given["model"], judging)
