"""Runs a plan over cases and hands results on as they come; whatever happens, what is finished is kept."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Final, Protocol

from msgspec import Struct

from ..core.results import CaseResults, Result
from ..core.summing.tally import Tally
from ..core.types import Case, Source
from ..errors import DataError, JudgeError, RightcallError
from .dataset import Reading
from .interrupt import Interrupt
from .judging.judges import is_remote
from .plan import Plan
from .rows import case_from_line
from .stages import BadCase, Guard, Scorer

__all__ = [
    "BATCH",
    "CaseError",
    "Keeper",
    "Position",
    "Recorded",
    "Write",
    "first_errors",
    "kept_in",
    "little_garbage",
    "results_of",
    "run_cases",
    "score_part",
]

Write = Callable[[Case | BadCase, tuple[Result, ...], bool | None], object]
"""Takes a case, its results, and its verdict: None when nothing could be evaluated."""


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
        warnings: what was odd about the run beside its data.
    """

    tally: Tally
    errors: tuple[CaseError, ...] = ()
    interrupted: bool = False
    broken: RightcallError | None = None
    warnings: tuple[str, ...] = ()


class Keeper(Protocol):
    """Keeps how far a run is, so that it can go on after whatever ends it."""

    def due(self) -> bool:
        """Whether it is time to."""

    def keep(self, tally: Tally, errors: list[CaseError], last: Source | None) -> None:
        """Keep it: all cases up to the one at `last` are counted and handed on."""


class _Work(Struct, frozen=True):
    """What a run goes on with, and what fills up on the way."""

    scorer: Scorer
    tally: Tally
    errors: list[CaseError]
    write: Write | None
    progress: Callable[[Position], None] | None
    explaining: bool
    keeper: Keeper | None = None


BATCH: Final = 128
"""Cases read before they are scored: each part's code and data stay in the processor's caches."""
_ASKED: Final = 1024
"""The same where a judge is asked over a network: enough questions for full requests, several at a time."""
_TOLD: Final = 5
"""Cases in error that are named."""


def run_cases(
    cases: Iterable[Case | BadCase],
    plan: Plan,
    *,
    write: Write | None = None,
    guard: Guard | None = None,
    progress: Callable[[Position], None] | None = None,
    explaining: bool = True,
    batch: int = BATCH,
    keeper: Keeper | None = None,
    tally: Tally | None = None,
    errors: Iterable[CaseError] = (),
) -> Recorded:
    """Score every case, hand on its results, count it.

    Args:
        cases: read in small batches, never held.
        plan: what to run.
        write: takes the results of one case, in input order.
        guard: ends evaluators that take too long.
        progress: told after every batch.
        batch: how many cases are read before they are scored; 1 for a source that may be slow.
        explaining: count the causes of lost points as the run goes on, which needs every difference. Results
            that are written down need them anyway; without, causes are worked out when they are asked for.
        keeper: keeps how far the run is; asked after every batch, and when the run ends before its data does.
        tally, errors: what an earlier part of the same run came to; it is gone on with.
    """
    tally = Tally() if tally is None else tally
    scorer = Scorer(plan, tally, guard)
    broken: RightcallError | None = None
    interrupted = False
    told = list(errors)
    last: list[Source | None] = [None]
    work = _Work(scorer, tally, told, write, progress, explaining, keeper)
    with Interrupt() as interrupt, little_garbage():
        try:
            # An evaluator of somebody else's may be slow: then cases are finished one by one.
            # So may a judge that is asked over a network: a second Ctrl-C gives up the cases in work.
            remote = is_remote(plan.model)
            interrupt.patient = plan.is_built_in and not remote
            size = _ASKED if remote and batch == BATCH else batch
            _loop(cases, work, interrupt, size if plan.is_built_in else 1, last)
            interrupted = interrupt.asked
        except KeyboardInterrupt:
            interrupted = True
        except (DataError, JudgeError) as error:
            broken = error
        finally:
            interrupt.busy = True  # what follows is short, and must not be cut in half
        scorer.settle()
        if keeper is not None and (interrupted or broken is not None) and _is_whole(tally):
            keeper.keep(tally, told, last[0])
    return Recorded(tally=tally, errors=tuple(told), interrupted=interrupted, broken=broken)


def _is_whole(tally: Tally) -> bool:
    """Whether every evaluator has counted every case: the second Ctrl-C may cut a slow one in half."""
    return all(found.cases == tally.cases for found in tally.evaluators.values())


def score_part(
    cases: Iterable[Case | BadCase],
    plan: Plan,
    *,
    write: Write | None = None,
    guard: Guard | None = None,
) -> Recorded:
    """Score some cases of a run that somebody else runs; see :func:`run_cases`. Causes are counted too.

    Raises:
        DataError: the cases can't be read to their end.
    """
    tally, told = Tally(), list[CaseError]()
    work = _Work(Scorer(plan, tally, guard), tally, told, write, None, explaining=True)
    source, size = iter(cases), BATCH if plan.is_built_in else 1
    while batch := list(islice(source, size)):
        _take(batch, work)
    work.scorer.settle()
    return Recorded(tally=tally, errors=tuple(told))


def _loop(
    cases: Iterable[Case | BadCase], work: _Work, interrupt: Interrupt, size: int, last: list[Source | None]
) -> None:
    tally, keeper = work.tally, work.keeper
    source = iter(cases)
    broken: RightcallError | None = None
    while broken is None:
        batch: list[Case | BadCase] = []
        try:
            batch.extend(islice(source, size))
        except DataError as error:
            broken = error  # what was read before is in the batch
        interrupt.busy = True
        try:
            _take(batch, work)
        except JudgeError:
            batch, broken = _as_far_as_possible(batch, work)
        if batch:
            last[0] = batch[-1].source
        if keeper is not None and batch and keeper.due():
            work.scorer.settle()
            keeper.keep(tally, work.errors, last[0])
        interrupt.busy = False
        if interrupt.asked or not batch:
            break
        if work.progress is not None:
            work.progress(Position(tally.cases, tally.errors, batch[-1].source))
    if broken is not None:
        raise broken


def _take(batch: list[Case | BadCase], work: _Work) -> None:
    """Score a batch, count it and hand it on."""
    count, write = work.tally.count_case, work.write
    scored = work.scorer.score_all(batch)
    if work.explaining:
        # Before anything is written: so differences are found evaluator by evaluator, like scores.
        _explain(work.tally)
    for case, results in zip(batch, scored, strict=True):
        passed = count(results)
        if write is not None:
            write(case, results, passed)
        if passed is not True:
            _note(case, results, work)


def _as_far_as_possible(
    batch: list[Case | BadCase], work: _Work
) -> tuple[list[Case | BadCase], JudgeError | None]:
    """Score a batch case by case up to the first one that the judge can't be asked about, which is told why.

    What the judge has answered already it answers again without being paid.
    """
    for number, case in enumerate(batch):
        try:
            _take([case], work)
        except JudgeError as error:
            return batch[:number], error
    return batch, None


def _note(case: Case | BadCase, results: tuple[Result, ...], work: _Work) -> None:
    """Remember the first cases in error."""
    errors, tally = work.errors, work.tally
    if tally.errors > len(errors) and len(errors) < _TOLD:
        reason = next(result.reason for result in results if result.status == "error")
        errors.append(CaseError(case.id, case.source, reason))


def first_errors(before: Iterable[CaseError], more: Iterable[CaseError]) -> list[CaseError]:
    """The first cases in error of two parts that follow each other."""
    return [*before, *more][:_TOLD]


def _explain(tally: Tally) -> None:
    """Count causes now: unexplained results hold their cases in memory."""
    for found in tally.evaluators.values():
        found.explain()


@contextmanager
def little_garbage() -> Iterator[None]:
    """Cases and results hold no cycles, so the collector would look at many objects and find nothing."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 50, 1000)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def results_of(case: Case | BadCase, found: tuple[Result, ...], *, passed: bool | None) -> CaseResults:
    """A case with its results and its verdict."""
    return CaseResults(
        id=case.id,
        trial=case.trial,
        row=case.row,
        results=found,
        passed=passed,
        cluster=case.cluster if isinstance(case, Case) else None,
    )


def kept_in(results: list[CaseResults], reading: Reading | None = None) -> Write:
    """A sink that appends to a list; `reading` is how the cases were read, so that they can be read again.

    Only the bytes of a row are kept for its evidence: far less than the case.
    """
    reading = reading or Reading()

    def again(recorded: bytes, row: int, source: Source | None) -> Case:
        place = source or Source()
        return case_from_line(recorded, row=row, source=place, format=reading.format, tools=reading.tools)

    def keep(case: Case | BadCase, found: tuple[Result, ...], passed: bool | None) -> None:  # noqa: FBT001
        for result in found:
            result.evidence.shelve(again)
        results.append(results_of(case, found, passed=passed))

    return keep
