"""Runs a plan over a data set and writes results as they come; whatever happens, what is finished is kept."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

from ..core.results import Result
from ..core.tally import Tally
from ..core.types import Case, Source
from ..errors import DataError
from .interrupt import Interrupt
from .plan import Plan
from .stages import BadCase, Guard, Scorer

__all__ = ["CaseError", "Position", "Recorded", "record"]

Write = Callable[[Case | BadCase, tuple[Result, ...]], object]


class Position(Struct, frozen=True):
    """How far a run is: cases, errors, and the place of the last row."""

    cases: int
    errors: int
    place: Source | None


class CaseError(Struct, frozen=True):
    """A case that ended in error."""

    id: str
    place: Source | None
    reason: str


class Recorded(Struct, frozen=True, kw_only=True):
    """What a run came to.

    Attributes:
        interrupted: by Ctrl-C.
        broken: what ended the data before its end; None where all of it was read.
        errors: the first cases in error, each with its place and reason.
        absent: why evaluators could not evaluate the first case, by id.
    """

    tally: Tally
    errors: tuple[CaseError, ...] = ()
    absent: dict[str, str] = {}
    interrupted: bool = False
    broken: DataError | None = None


class _Counted(Struct, frozen=True):
    """What fills up while a run goes on."""

    tally: Tally
    errors: list[CaseError]
    absent: dict[str, str]


_EVERY: Final = 255
_TOLD: Final = 5
"""Cases in error that are named."""


def record(
    cases: Iterable[Case | BadCase],
    plan: Plan,
    *,
    write: Write | None = None,
    guard: Guard | None = None,
    progress: Callable[[Position], None] | None = None,
) -> Recorded:
    """Score every case, write it, count it.

    Args:
        cases: read one at a time, never held.
        plan: what to run.
        write: takes the results of one case.
        guard: ends evaluators that take too long.
        progress: told after every 256 cases.
    """
    tally = Tally()
    scorer = Scorer(plan, tally, guard)
    broken: DataError | None = None
    interrupted = False
    errors: list[CaseError] = []
    absent: dict[str, str] = {}
    with Interrupt() as interrupt, _little_garbage():
        try:
            _loop(cases, scorer, _Counted(tally, errors, absent), interrupt, write=write, progress=progress)
            interrupted = interrupt.asked
        except KeyboardInterrupt:
            interrupted = True
        except DataError as error:
            broken = error
        finally:
            interrupt.busy = True  # what follows is short, and must not be cut in half
        scorer.settle()
        _explain(tally)
    return Recorded(tally=tally, errors=tuple(errors), absent=absent, interrupted=interrupted, broken=broken)


def _loop(
    cases: Iterable[Case | BadCase],
    scorer: Scorer,
    counted: _Counted,
    interrupt: Interrupt,
    *,
    write: Write | None,
    progress: Callable[[Position], None] | None,
) -> None:
    tally, errors, absent = counted.tally, counted.errors, counted.absent
    score, count = scorer.score, tally.count_case
    for case in cases:
        interrupt.busy = True
        results = score(case)
        count(results)
        if write is not None:
            write(case, results)
        if tally.errors > len(errors) and len(errors) < _TOLD:
            reason = next(result.reason for result in results if result.status == "error")
            errors.append(CaseError(case.id, case.source, reason))
        if tally.cases == 1:
            absent.update((item.evaluator, item.reason) for item in results if item.status == "not_evaluated")
        if not tally.cases & _EVERY:
            _explain(tally)
            if progress is not None:
                progress(Position(tally.cases, tally.errors, case.source))
        interrupt.busy = False
        if interrupt.asked:
            return


def _explain(tally: Tally) -> None:
    """Count causes now: unexplained results hold their cases in memory."""
    for found in tally.evaluators.values():
        found.explain()


@contextmanager
def _little_garbage() -> Iterator[None]:
    """Cases and results hold no cycles, so the collector would look at many objects and find nothing."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 50, 1000)
    try:
        yield
    finally:
        gc.set_threshold(*before)
