"""Runs a plan over cases: scores each, counts it, hands it to whoever wants it, and survives what goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec import Struct

from ..core.results import CaseResults, Result
from ..core.tally import Tally
from ..core.types import Case
from .plan import Plan
from .stages import BadCase, Guard, Scorer

__all__ = ["Progress", "Sink", "run_cases"]


class Progress(Struct, frozen=True):
    """How far a run is."""

    cases: int
    errors: int


class Sink(Protocol):
    """Takes the results of one case, in input order."""

    def __call__(self, case: Case | BadCase, results: tuple[Result, ...], passed: bool | None, /) -> None:
        """Keep or write them."""


def run_cases(
    cases: Iterable[Case | BadCase],
    plan: Plan,
    sink: Sink,
    *,
    guard: Guard | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Tally, bool]:
    """Score every case.

    Args:
        cases: read one at a time, never held.
        plan: what to run.
        sink: takes the results.
        guard: ends evaluators that take too long.
        progress: told after every 256 cases, and at the end.

    Returns:
        the tally, and whether every case was reached (False after Ctrl-C; what was finished is counted).
    """
    tally = Tally()
    scorer = Scorer(plan, tally, guard)
    score, count = scorer.score, tally.count_case
    complete = True
    try:
        for case in cases:
            results = score(case)
            sink(case, results, count(results))
            if progress is not None and not tally.cases & 255:
                progress(Progress(tally.cases, tally.errors))
    except KeyboardInterrupt:
        complete = False
    scorer.settle()
    if progress is not None:
        progress(Progress(tally.cases, tally.errors))
    return tally, complete


def kept_in(results: list[CaseResults]) -> Sink:
    """A sink that appends to a list."""

    def keep(case: Case | BadCase, found: tuple[Result, ...], passed: bool | None, /) -> None:
        for result in found:
            result.evidence.shelve()
        results.append(CaseResults(id=case.id, trial=case.trial, row=case.row, results=found, passed=passed))

    return keep
