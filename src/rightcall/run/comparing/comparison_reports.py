"""Reports of a comparison of two written runs: those of the later run, held against the earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...core.summing.comparison import Comparison
from ...core.summing.records import Reported
from ...errors import OptionError, UsageError
from ..directory.replay import StoredRun, replay_of
from ..directory.rundir import RESULTS
from ..plan import Plan
from ..reporting import REPORTS, StoredCases, check_reports, write_reports
from ..what_if import what_ifs_of

__all__ = ["check_comparison_reports", "write_comparison_reports"]


def check_comparison_reports(names: Sequence[str], place: Path | None) -> None:
    """Whether these reports can be made of a comparison and written there.

    Raises:
        UsageError: a report that shows none, no place, or a place that holds something else.
    """
    check_reports(names)
    showing = [report.declaration.id for report in REPORTS if report.declaration.compares]
    for name in names:
        if name not in showing:
            hint = f"these do: {', '.join(showing)}"
            raise UsageError(f"the report {name} shows no comparison", field="report", hint=hint)
    if names and place is None:
        raise UsageError("a report is written into a folder", field="report", hint="add --out DIR")
    if place is None:
        return
    if not names:
        raise UsageError("nothing would be written there", field="out", hint="add --report html")
    try:
        there = {entry.name for entry in place.iterdir()} if place.exists() else set()
    except OSError as error:
        raise OptionError(f"{place} can't be read: {error.strerror}", field="out") from None
    foreign = there - {REPORTS.get(name).declaration.file for name in showing}
    if foreign:
        hint = "name a folder that is new, empty, or holds reports of a comparison"
        raise OptionError(f"{place} holds {min(foreign)}", field="out", hint=hint)


def write_comparison_reports(
    names: Sequence[str], found: Comparison, later: StoredRun, plan: Plan | None, place: Path
) -> list[Path]:
    """Write the reports of `later` with the comparison in them; gives the paths in order.

    Args:
        names: ids, checked.
        found: `later` is its run b.
        plan: of `later`, to read its cases again; without one the reports show no calls.
        place: made if it does not exist.

    Raises:
        OptionError: it can't be written.
    """
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"{place} can't be written: {error.strerror}", field="out") from None
    reported = Reported(
        run=found.b.name,
        summary=later.summary,
        cases=StoredCases(later.place / RESULTS),
        replay=None if plan is None else replay_of(later.place, plan),
        what_ifs=None if plan is None else what_ifs_of(later.place, plan, later.summary),
        comparison=found,
    )
    return write_reports(names, reported, place)
