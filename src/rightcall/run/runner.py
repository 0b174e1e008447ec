"""Runs a plan over cases: scores each, counts it, hands it to whoever wants it, and survives what goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Protocol

from msgspec import Struct

from ..core.results import CaseResults, Result
from ..core.tally import Tally
from ..core.types import Case, Source
from .dataset import Reading
from .plan import Plan
from .rows import case_from_line
from .stages import BadCase, Guard, Scorer

__all__ = ["Progress", "Sink", "run_cases"]


_BATCH = 64


class Progress(Struct, frozen=True):
    """How far a run is."""

    cases: int
    errors: int


class Sink(Protocol):
    """Takes the results of one case, in input order."""

    def __call__(self, case: Case | BadCase, results: tuple[Result, ...], passed: bool | None, /) -> None:  # noqa: FBT001
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
        progress: told after every batch of cases, and at the end.

    Returns:
        the tally, and whether every case was reached (False after Ctrl-C; what was finished is counted).
    """
    tally = Tally()
    scorer = Scorer(plan, tally, guard)
    score, count = scorer.score, tally.count_case
    complete = True
    source = iter(cases)
    try:
        # Reading some cases and then scoring them keeps each part's code and data in the processor's caches.
        while batch := list(islice(source, _BATCH)):
            for case in batch:
                results = score(case)
                sink(case, results, count(results))
            if progress is not None:
                progress(Progress(tally.cases, tally.errors))
    except KeyboardInterrupt:
        complete = False
    scorer.settle()
    if progress is not None:
        progress(Progress(tally.cases, tally.errors))
    return tally, complete


def kept_in(results: list[CaseResults], reading: Reading | None = None) -> Sink:
    """A sink that appends to a list; `reading` is how the cases were read, so that they can be read again.

    Only the bytes of a row are kept for its evidence: far less than the case.
    """
    reading = reading or Reading()

    def again(recorded: bytes, row: int, source: Source | None) -> Case:
        place = source or Source()
        return case_from_line(recorded, row=row, source=place, format=reading.format, tools=reading.tools)

    def keep(case: Case | BadCase, found: tuple[Result, ...], passed: bool | None, /) -> None:  # noqa: FBT001
        for result in found:
            result.evidence.shelve(again)
        results.append(CaseResults(id=case.id, trial=case.trial, row=case.row, results=found, passed=passed))

    return keep
