"""The pure middle of a run: a case goes in, finished results come out. Picklable, no IO."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from ..core.alignments import Alignments, Comparing
from ..core.ask import NO_ANSWERS
from ..core.declare import BuiltIn, Input
from ..core.results import Result, clamp
from ..core.scoring import errored, not_evaluated
from ..core.tally import Tally
from ..core.types import Case, Source
from ..errors import DataError, EvaluatorError, NotThereYetError, RightcallError
from .plan import Plan, PlannedEvaluator

__all__ = ["BadCase", "Scorer"]

Guard = Callable[[Callable[[], Result]], Result]
"""Runs an evaluator of one's own, and may end it when it takes too long."""


class BadCase(Struct, frozen=True, kw_only=True):
    """A row that could not become a case."""

    id: str
    row: int
    source: Source
    error: DataError
    trial: int | None = None


class Scorer:
    """Scores cases by a plan, and counts what comes out.

    Args:
        plan: what to run.
        tally: where to count.
        guard: see :data:`Guard`; None runs everything unguarded.
        raising: let an error of the family out instead of making it the case's result.
    """

    def __init__(self, plan: Plan, tally: Tally, guard: Guard | None = None, *, raising: bool = False) -> None:
        self._raising = raising
        self._plan = plan
        self._tally = tally
        self._guard = guard
        # Evaluators that see calls alike share one view of each case, and with it every alignment.
        distinct: list[Comparing] = []
        self._items: list[tuple[PlannedEvaluator, int, bool, bool]] = []
        for planned in plan.evaluators:
            comparing = planned.options.comparing
            if comparing not in distinct:
                distinct.append(comparing)
            pairs_calls = planned.evaluator.declaration.pairs_calls
            own = not isinstance(planned.evaluator, BuiltIn)
            self._items.append((planned, distinct.index(comparing), pairs_calls, own))
        self._distinct = distinct
        self._tallies = [tally.of(planned.id) for planned in plan.evaluators]

    def score(self, case: Case | BadCase) -> tuple[Result, ...]:
        """The results of one case, in the plan's order; also counted."""
        if isinstance(case, BadCase):
            return self._bad(case)
        views: list[Alignments | None] = [None] * len(self._distinct)
        results: list[Result] = []
        for (planned, place, pairs_calls, own), tally in zip(self._items, self._tallies, strict=True):
            alignments = views[place]
            if alignments is None:
                alignments = views[place] = Alignments(case, self._distinct[place])
            result = self._one(planned, case, alignments, own=own)
            if case.warnings or not self._distinct[place].names.is_exact:
                result = _with_warnings(result, case, self._distinct[place])
            results.append(result)
            tally.add(case, result, alignments, pairs_calls=pairs_calls)
        return tuple(results)

    def _one(self, planned: PlannedEvaluator, case: Case, alignments: Alignments, *, own: bool) -> Result:
        declaration, options = planned.evaluator.declaration, planned.options
        if planned.absent is not None:
            return not_evaluated(declaration, options.threshold, planned.absent)
        for needed in declaration.inputs:
            lacking = _lacking(case, needed)
            if lacking is not None:
                return not_evaluated(declaration, options.threshold, lacking)
        try:
            if not own:
                return planned.evaluator.score(case, alignments, NO_ANSWERS, options)
            return self._own(planned, case, alignments)
        except RightcallError as error:
            if self._raising:
                raise
            return errored(declaration, options.threshold, error)

    def _own(self, planned: PlannedEvaluator, case: Case, alignments: Alignments) -> Result:
        """An evaluator of somebody else's: whatever it does becomes a result of this case."""
        evaluator, options = planned.evaluator, planned.options

        def call() -> Result:
            if evaluator.questions(case, options):
                raise NotThereYetError("evaluators that ask a judge are not there yet", field=planned.id)
            return evaluator.score(case, alignments, NO_ANSWERS, options)

        try:
            result = self._guard(call) if self._guard is not None else call()
        except RightcallError:
            raise
        except Exception as error:
            raise EvaluatorError(f"{planned.id} raised {type(error).__name__}: {error}") from error
        if result.score is not None:
            clamp(result.score, planned.id)
        return result

    def _bad(self, case: BadCase) -> tuple[Result, ...]:
        empty = Case(id=case.id, row=case.row, source=case.source, trial=case.trial)
        results = tuple(
            errored(planned.evaluator.declaration, planned.options.threshold, case.error)
            for planned in self._plan.evaluators
        )
        for (_, _, pairs_calls, _), tally, result in zip(self._items, self._tallies, results, strict=True):
            tally.add(empty, result, None, pairs_calls=pairs_calls)
        return results


def _with_warnings(result: Result, case: Case, comparing: Comparing) -> Result:
    """What was odd about the case as a whole stands in each of its results."""
    clashes = comparing.names.clashes(spec.name for spec in case.tools or ())
    warnings = tuple(dict.fromkeys((*case.warnings, *clashes, *result.warnings)))
    return result if warnings == result.warnings else replace(result, warnings=warnings)


def _lacking(case: Case, needed: Input) -> str | None:
    """Why a case lacks an input; None when it has it."""
    if needed == "actual" and case.actual is None:
        return "no actual calls are recorded"
    if needed == "expected" and case.expected_calls is None:
        return "no expected calls: nothing to compare with"
    if needed == "tools" and case.tools is None:
        return "no tool definitions are given"
    return None
