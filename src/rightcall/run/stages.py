"""The pure middle of a run: a case goes in, finished results come out. Picklable, no IO."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from ..core.alignments import Alignments, Comparing, same_so_far
from ..core.ask import NO_ANSWERS
from ..core.declare import BuiltIn, Input
from ..core.names import EXACT_NAMES
from ..core.results import Finished, Result, clamp
from ..core.scoring import errored, not_evaluated
from ..core.tally import EvaluatorTally, Tally
from ..core.types import Case, ExpectedCall, Source
from ..errors import DataError, EvaluatorError, NotThereYetError, RightcallError
from .plan import Plan, PlannedEvaluator
from .sharing import SharedResults

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


class _Item(Struct, frozen=True):
    """One planned evaluator in the order of work.

    Attributes:
        view: which of the distinct ways to see calls it uses.
        own: whether it is somebody else's, and so must be contained.
        direct: whether nothing but the two sides is needed to score.
        shares: whether cases of one length that were made just as expected share one result.
    """

    planned: PlannedEvaluator
    tally: EvaluatorTally
    view: int
    pairs_calls: bool
    own: bool
    direct: bool
    shares: bool


class Scorer:
    """Scores cases by a plan, and counts what comes out.

    Args:
        plan: what to run.
        tally: where to count; complete once :meth:`settle` was called.
        guard: see :data:`Guard`; None runs everything unguarded.
        raising: let an error of the family out instead of making it the case's result.
    """

    def __init__(
        self, plan: Plan, tally: Tally, guard: Guard | None = None, *, raising: bool = False
    ) -> None:
        self._raising = raising
        self._plan = plan
        self._guard = guard
        # Evaluators that see calls alike share one view of each case, and with it every alignment.
        self._distinct: list[Comparing] = []
        self._items: list[_Item] = []
        for planned in plan.evaluators:
            comparing = planned.options.comparing
            if comparing not in self._distinct:
                self._distinct.append(comparing)
            declaration = planned.evaluator.declaration
            own = not isinstance(planned.evaluator, BuiltIn)
            self._items.append(
                _Item(
                    planned,
                    tally.of(planned.id),
                    self._distinct.index(comparing),
                    declaration.pairs_calls,
                    own,
                    not own and planned.absent is None and "tools" not in declaration.inputs,
                    declaration.length_decides and not own and not comparing.ignore_failed,
                )
            )
        # Most cases of a good agent are just as expected: their results depend on nothing but their length.
        self._may_share = all(comparing.names is EXACT_NAMES for comparing in self._distinct)
        self._groups_matter = any(
            "groups" in item.planned.evaluator.declaration.option_groups for item in self._items
        )
        self._nothing_known: tuple[Result | None, ...] = (None,) * len(self._items)
        self._shared = SharedResults()

    def score(self, case: Case | BadCase) -> tuple[Result, ...]:
        """The results of one case, in the plan's order; also counted."""
        if isinstance(case, BadCase):
            return self._bad(case)
        same: int | None = None
        if self._may_share and case.verdict is None and case.trial is None and not case.warnings:
            actual, expected = case.actual, case.expected.calls if case.expected is not None else None
            if actual and expected:
                same = same_so_far(actual, expected)
                if same == len(expected) == len(actual):
                    return self._just_as_expected(case, expected)
        return self._each(case, self._nothing_known, same)

    def _each(self, case: Case, known: tuple[Result | None, ...], same: int | None) -> tuple[Result, ...]:
        """One result after the other; a `known` one was made and counted before."""
        views: list[Alignments | None] = [None] * len(self._distinct)
        results: list[Result] = []
        for item, shared in zip(self._items, known, strict=True):
            if shared is not None:
                results.append(shared)
                continue
            alignments = views[item.view]
            if alignments is None:
                comparing = self._distinct[item.view]
                known_same = None if comparing.ignore_failed else same
                alignments = views[item.view] = Alignments(case, comparing, same=known_same)
            if item.direct and same is not None:  # then both sides are there
                try:
                    result = item.planned.evaluator.score(case, alignments, NO_ANSWERS, item.planned.options)
                except RightcallError as error:
                    result = self._error(item.planned, error)
            else:
                result = self._one(item.planned, case, alignments, own=item.own)
            if not self._may_share or case.warnings:
                result = _with_warnings(result, case, alignments.comparing)
            results.append(result)
            item.tally.add(case, result, alignments, pairs_calls=item.pairs_calls)
        return tuple(results)

    def _just_as_expected(self, case: Case, expected: tuple[ExpectedCall, ...]) -> tuple[Result, ...]:
        if self._groups_matter and any(call.group is not None for call in expected):
            # A group can be wrongly written, which evaluators of order report.
            return self._each(case, self._nothing_known, len(expected))
        size = len(expected)
        known = self._shared.get(size)
        if known is None:
            known = tuple(self._perfect(item, case) for item in self._items)
            self._shared.keep(size, known)
        self._shared.count(expected)
        if None not in known:
            return known  # type: ignore[return-value]  # every place is filled
        return self._each(case, known, size)

    def _perfect(self, item: _Item, case: Case) -> Result | None:
        """The result that cases like this one share; None where they do not, or where it is not perfect."""
        if not item.shares:
            return None
        alignments = Alignments(case, self._distinct[item.view])
        result = self._one(item.planned, case, alignments, own=False)
        return result if result.score == 1.0 else None

    def settle(self) -> None:
        """Bring the tally up to date with the cases that were just as expected."""
        for known, size, times in self._shared.drain():
            for item, result in zip(self._items, known, strict=True):
                if result is not None:
                    item.tally.add_perfect(result, size, times, pairs_calls=item.pairs_calls)
        names = self._shared.drain_names()
        for item in self._items:
            if item.shares and item.pairs_calls:
                item.tally.add_exact(names)

    def _one(self, planned: PlannedEvaluator, case: Case, alignments: Alignments, *, own: bool) -> Result:
        declaration, options = planned.evaluator.declaration, planned.options
        if planned.absent is not None:
            return not_evaluated(declaration, options.threshold, planned.absent)
        if case.actual is None or case.expected is None or "tools" in declaration.inputs:
            for needed in declaration.inputs:
                lacking = _lacking(case, needed)
                if lacking is not None:
                    return not_evaluated(declaration, options.threshold, lacking)
        try:
            if not own:
                return planned.evaluator.score(case, alignments, NO_ANSWERS, options)
            return self._own(planned, case, alignments)
        except RightcallError as error:
            return self._error(planned, error)

    def _error(self, planned: PlannedEvaluator, error: RightcallError) -> Result:
        if self._raising:
            raise error
        return errored(planned.evaluator.declaration, planned.options.threshold, error)

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
        for item, result in zip(self._items, results, strict=True):
            item.tally.add(empty, result, None, pairs_calls=item.pairs_calls)
        return results


def _with_warnings(result: Result, case: Case, comparing: Comparing) -> Result:
    """What was odd about the case as a whole stands in each of its results."""
    clashes = comparing.names.clashes(spec.name for spec in case.tools or ())
    warnings = tuple(dict.fromkeys((*case.warnings, *clashes, *result.warnings)))
    if warnings == result.warnings:
        return result
    return replace(
        result, evidence=Finished(result.evidence.alignment, result.reason, result.details, warnings)
    )


def _lacking(case: Case, needed: Input) -> str | None:
    """Why a case lacks an input; None when it has it."""
    if needed == "actual" and case.actual is None:
        return "no actual calls are recorded"
    if needed == "expected" and case.expected_calls is None:
        return "no expected calls: nothing to compare with"
    if needed == "tools" and case.tools is None:
        return "no tool definitions are given"
    return None
