"""The last screen of a run: figures, what points were lost to, gates, and where to look next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from ...core.summing.summary import (
    CauseSummary,
    EvaluatorSummary,
    GateOutcome,
    Interval95,
    RunSummary,
    WhatIf,
)
from ...run.causes import as_flag
from .screen import clean, screen_width, short, table, text, whole

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

__all__ = ["causes_board", "figures", "gates_board", "headline", "repeats_board", "scored_by"]


def headline(summary: RunSummary, source: str) -> Text:
    """What was run, and how the cases came out."""
    line = text(source, "bold")
    cases = "1 case" if summary.cases == 1 else f"{summary.cases:,} cases"
    parts = [(cases, ""), (f"{summary.passed:,} passed", "green")]
    if summary.failed - summary.errors:
        parts.append((f"{summary.failed - summary.errors:,} failed", "red"))
    if summary.errors:
        parts.append((f"{summary.errors:,} in error", "red"))
    if summary.not_evaluated:
        parts.append((f"{summary.not_evaluated:,} not evaluated", "yellow"))
    for words, style in parts:
        line.append(" · ", "dim").append(words, style)
    return line


def figures(summary: RunSummary) -> RenderableType:
    """The table of evaluators."""
    has_absent = any(found.not_evaluated for found in summary.evaluators.values())
    has_errors = any(found.errors for found in summary.evaluators.values())
    columns = ["evaluator", "mean", "95 % interval", "pass rate", "95 % interval ", "passed", "scored"]
    columns += ["errors"] if has_errors else []
    columns += ["not evaluated"] if has_absent else []
    # Where there is no room for all of them the intervals go; files hold them.
    needed = (
        max(map(len, summary.evaluators), default=0) + _FIGURES + sum(len(name) + 3 for name in columns[7:])
    )
    roomy = needed <= screen_width()
    columns = [name for name in columns if roomy or not name.startswith("95 %")]
    board = table(*columns, right=tuple(columns[1:]))
    for name, found in summary.evaluators.items():
        cells: list[Any] = [
            text(name, "bold" if found.scored else "dim"),
            text("–" if found.mean is None else f"{found.mean:.3f}", _tone(found)),
            *([text(_interval(found.mean_interval, ".3f"), "dim")] if roomy else []),
            text("–" if found.pass_rate is None else f"{found.pass_rate:.1%}", _tone(found)),
            *([text(_interval(found.pass_rate_interval, ".1%"), "dim")] if roomy else []),
            text(f"{found.passed:,}"),
            text(f"{found.scored:,}"),
        ]
        cells += [text(f"{found.errors:,}", "red" if found.errors else "dim")] if has_errors else []
        cells += [text(f"{found.not_evaluated:,}", "dim")] if has_absent else []
        board.add_row(*cells)
    return board


_FIGURES: Final = 71
"""Columns that the figures take beside the name, with both intervals."""


def _tone(found: EvaluatorSummary) -> str:
    if not found.scored:
        return "dim"
    return "green" if found.passed == found.scored + found.errors else ""


def _interval(interval: Interval95 | None, form: str) -> str:
    return "–" if interval is None else f"{interval.low:{form}} – {interval.high:{form}}"


def repeats_board(summary: RunSummary) -> Iterator[RenderableType]:
    """One line each on repeated trials and on the cases' own verdicts, where there are any."""
    for name, found in summary.evaluators.items():
        trials = found.trials
        if trials is not None and len(trials["pass_at_k"]) > 1:
            yield from _trials(name, trials)
        if found.verdict is not None:
            wrong = found.verdict["wrong"]
            yield text(
                f"{name}: agrees with the cases' own verdict in {found.verdict['agreement']:.1%} of "
                f"{found.verdict['cases']}; of what was wrong it caught {_share(wrong['recall'])}, "
                f"of what it failed {_share(wrong['precision'])} was wrong",
                "dim",
            )


def _trials(name: str, trials: dict[str, Any]) -> Iterator[Text]:
    """How far repeated trials agree; nothing where they all do."""
    k = next(reversed(trials["pass_at_k"]))
    at, hat = trials["pass_at_k"][k], trials["pass_hat_k"][k]
    if at["value"] != hat["value"]:
        words = f"{name}: pass@{k} {at['value']:.3f}, pass^{k} {hat['value']:.3f}"
        yield text(f"{words} ({at['cases']} cases with {k} trials)", "dim")
    flaky = trials.get("flaky")  # a run of an earlier version has none
    if flaky and flaky["cases"]:
        worst = ", ".join(
            f"{clean(short(case['id']))} ({case['passed']} of {case['trials']})"
            for case in flaky["worst"][:_FLAKY]
        )
        verb = "is" if flaky["cases"] == 1 else "are"
        yield text(
            f"{name}: {flaky['cases']:,} of {flaky['repeated']:,} repeated cases {verb} flaky; the worst: {worst}",
            "dim",
        )


_FLAKY: Final = 3
"""Flaky cases that are named."""


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def causes_board(
    causes: Iterable[CauseSummary],
    limit: int | None = None,
    *,
    evaluators: int = 1,
    more: str = "",
    what_ifs: Iterable[WhatIf] = (),
) -> Iterator[RenderableType]:
    """What points were lost to, the costliest first, each with examples, what to try and what that would gain."""
    known = list(causes)
    if not known:
        return
    over = f", over all {evaluators} evaluators" if evaluators > 1 else ""
    yield text(f"What the points were lost to{over}", "bold")
    gains = {what_if.option: what_if for what_if in what_ifs}
    counts = ["1 case" if cause.cases == 1 else f"{cause.cases:,} cases" for cause in known[:limit]]
    for cause, cases in zip(known, counts):  # noqa: B905 - the limit ends it
        gain = gains.get(cause.accept_with or "")
        yield from _cause(cause, cases.rjust(max(map(len, counts))), gain)
    if limit is not None and len(known) > limit:
        yield whole(f"and {len(known) - limit} more causes{more}", "dim")


def scored_by(summary: RunSummary) -> int:
    """How many evaluators have scored a case; the shares of a run's causes are over all of them."""
    return sum(found.scored > 0 for found in summary.evaluators.values())


def _cause(cause: CauseSummary, cases: str, gain: WhatIf | None) -> Iterator[RenderableType]:
    """A table of its own for each cause, and below it the flag, which a table might break."""
    board = table("share", "cause", "cases", right=("share",))
    board.show_header = False
    board.box = None
    board.expand = True
    for column, width in zip(board.columns, (_SHARE, None, len(cases)), strict=True):
        column.width = width
        column.ratio = 1 if width is None else None
    where = text(cause.kind.replace("_", " "), "bold yellow")
    where.append(f"  {clean(short(cause.tool))}", "bold")
    where.append(f" {clean(short(cause.path))}" if cause.path else "", "cyan")
    where.append(f"\n{clean(cause.message)}")
    where.append(f"\ne.g. {', '.join(clean(short(case)) for case in cause.examples)}", "dim")
    flag = "" if cause.accept_with is None else as_flag(cause.accept_with)
    at_end = bool(flag) and cause.fix.endswith(flag)
    where.append(f"\ntry: {clean(cause.fix.removesuffix(flag).rstrip())}", "green")
    board.add_row(text(f"{cause.share:.1%}", "bold"), where, text(cases))
    yield board
    if at_end:
        yield whole(f"{' ' * (_SHARE + 4)}{flag}", "green")
    if gain is not None:
        from rich.padding import Padding

        yield Padding(text(_gain(gain), "cyan"), (0, 0, 0, _SHARE + 2))
        if gain.written != gain.option:
            yield whole(f"{' ' * (_SHARE + 4)}{as_flag(gain.written)}", "cyan")


def _gain(what_if: WhatIf) -> str:
    """What an option would gain, in words; computed, so it may also be nothing."""
    changed = {name: change for name, change in what_if.evaluators.items() if change.gained}
    if not changed:
        return "with that option alone no mean would change"
    most = sorted(changed, key=lambda name: -abs(changed[name].gained))
    parts = [f"{name} {changed[name].mean:.3f} → {changed[name].mean_with:.3f}" for name in most[:_GAINS]]
    if len(most) > _GAINS:
        parts.append(f"{len(most) - _GAINS} more")
    words = f"with that option the mean would be: {', '.join(parts)}"
    if what_if.passed is None or what_if.passed_with is None or what_if.passed_with == what_if.passed:
        return words
    return f"{words}; {what_if.passed:,} → {what_if.passed_with:,} cases would pass"


_GAINS: Final = 3
"""Evaluators whose gain is said."""


_SHARE: Final = 6
"""Columns of a share: 100.0%."""


def gates_board(gates: Iterable[GateOutcome], *, enforced: bool) -> Iterator[RenderableType]:
    """Each gate: what was asked and what was measured."""
    for gate in gates:
        if gate.gate == "max_errors" and gate.met:
            continue
        if gate.met:
            mark, style = "met   ", "green"
        else:
            mark, style = (
                ("missed", "bold red")
                if enforced or gate.gate == "max_errors"
                else ("missed, not enforced", "yellow")
            )
        line = text(f"gate {mark}  ", style)
        line.append(f"{gate.gate.replace('_', ' ')}: {clean(gate.message)}")
        yield line
