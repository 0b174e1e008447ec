"""The end of a run: what it came to, against which gates, and what is written down of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..core.summing.records import Lookups
from ..core.summing.summary import GateOutcome, RunSummary
from .dataset import Dataset
from .directory.judged import kept_judging, remote_of
from .directory.replay import replay_of
from .directory.rundir import RESULTS, RunDirectory
from .gates import Gates, check_gates
from .plan import Plan
from .runner import Recorded
from .summarize import summarize
from .what_if import what_ifs_of

if TYPE_CHECKING:
    from .comparing.baseline import Baseline  # what it needs is loaded where a baseline is asked for

__all__ = ["ended", "finish", "finish_again"]


def ended(done: Recorded) -> str:
    """How a run ended, in a word: ``complete``, ``interrupted`` or ``broken``."""
    return "interrupted" if done.interrupted else "complete" if done.broken is None else "broken"


def finish(
    done: Recorded,
    data: Dataset,
    plan: Plan,
    gates: Gates,
    directory: RunDirectory | None,
    *,
    baseline: Baseline | None = None,
    reports: Sequence[str] = (),
) -> RunSummary:
    """What the run came to, with its gates; written down where it has a directory.

    Args:
        done: what was scored.
        data: after it was read.
        plan: how it was scored.
        gates: what is asked of it.
        directory: where it is written down; None for nowhere.
        baseline: the earlier run that it is held against.
        reports: ids of reports to write.
    """
    against, odd = _against(baseline, directory)
    how = ended(done)
    told = (*data.warnings, *done.warnings, *odd)
    summary = summarize(done.tally, plan, warnings=told, complete=how == "complete")
    summary = replace(summary, gates=check_gates(summary, gates, against))
    if directory is not None:
        lookups = _lookups(directory, plan, summary, baseline)
        judge = remote_of(plan)
        cost = 0.0 if judge is None else judge.spent.cost_usd
        directory.finish(summary, data=data, reports=reports, ended=how, lookups=lookups, cost_usd=cost)
    return summary


def finish_again(
    plan: Plan,
    gates: Gates,
    directory: RunDirectory,
    *,
    baseline: Baseline | None = None,
    reports: Sequence[str] = (),
) -> RunSummary:
    """The end of a run that was to be gone on with and has nothing left to do: its gates and reports are made anew."""
    summary = directory.summary()
    against, _ = _against(baseline, directory)
    summary = replace(summary, gates=check_gates(summary, gates, against))
    lookups = _lookups(directory, plan, summary, baseline)
    directory.finish_again(summary, reports=reports, lookups=lookups)
    return summary


def _lookups(directory: RunDirectory, plan: Plan, summary: RunSummary, baseline: Baseline | None) -> Lookups:
    # Shown again, a case is judged by what was answered, never asked about anew.
    kept = kept_judging(directory.place)
    plan = plan if kept is None else replace(plan, judging=kept)
    return Lookups(
        replay=replay_of(directory.place, plan),
        what_ifs=what_ifs_of(directory.place, plan, summary),
        comparison=None if baseline is None else baseline.comparison,
    )


def _against(
    baseline: Baseline | None, directory: RunDirectory | None
) -> tuple[tuple[GateOutcome, ...], tuple[str, ...]]:
    """The gates against the earlier run, and what was odd about comparing with it."""
    if baseline is None:
        return (), ()
    if directory is not None:
        directory.close()
        baseline.read(directory.place / RESULTS)
    return baseline.outcomes()
