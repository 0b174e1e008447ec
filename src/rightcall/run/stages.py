"""The pure middle of a run: a case goes in, finished results come out. Picklable, no IO."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..core.ask import NO_ANSWERS, Answers, Judge, Questions
from ..core.declare import BuiltIn, Input, Options
from ..core.names import EXACT_NAMES
from ..core.pairing.alignments import Alignments, Comparing, same_so_far
from ..core.results import Finished, Result, clamp
from ..core.scoring import errored, marked, not_evaluated
from ..core.summing.slices import SliceTally
from ..core.summing.tally import EvaluatorTally, Tally
from ..core.types import Case, ExpectedCall, Source
from ..core.views import view as view_of
from ..errors import DataError, EvaluatorError, JudgeError, RightcallError
from .branching import Branching, best_path, questions_on_paths
from .judging.asking import ask
from .judging.judges import LOCAL, judge_of
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


_Row = list[Result | None]
"""The results of one case, None where they are still to come."""

_Pending = tuple[Case, _Row, list[Alignments | None], int | None]
"""A case with results to come: its results, its views, and how many calls are the same bytes from the start."""


class _Item(Struct, frozen=True):
    """One planned evaluator in the order of work.

    Attributes:
        view: which of the distinct ways to see calls it uses.
        own: whether it is somebody else's, and so must be contained.
        direct: whether nothing but the two sides is needed to score.
        shares: whether cases of one length that were made just as expected share one result.
        as_expected: makes the result of such a case from its names, where its length is not enough.
        asks: whether it asks a judge; one of somebody else's is asked when it is its turn.
    """

    planned: PlannedEvaluator
    tally: EvaluatorTally
    view: int
    pairs_calls: bool
    own: bool
    direct: bool
    shares: bool
    as_expected: Callable[[Sequence[str], Options], Result | None] | None
    asks: bool


class Scorer:
    """Scores cases by a plan, and counts what comes out.

    Args:
        plan: what to run.
        tally: where to count; complete once :meth:`settle` was called.
        guard: see :data:`Guard`; None runs everything unguarded.
        raising: let an error of the family out instead of making it the case's result; where several evaluators
            score, one that can't leaves the others their results.
        judge: who answers questions; the one that the plan names where not given.
    """

    def __init__(
        self,
        plan: Plan,
        tally: Tally,
        guard: Guard | None = None,
        *,
        raising: bool = False,
        judge: Judge | None = None,
    ) -> None:
        self._raising = raising
        self._judge = judge
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
                    _from_names(planned),
                    not own and declaration.kind == "judge",
                )
            )
        self._asks = any(item.asks for item in self._items)
        self._named = [place for place, item in enumerate(self._items) if item.as_expected is not None]
        # Most cases of a good agent are just as expected: their results depend on nothing but their length.
        self._may_share = not any(_says_more(comparing) for comparing in self._distinct)
        self._groups_matter = any(
            "groups" in item.planned.evaluator.declaration.option_groups for item in self._items
        )
        self._shared = SharedResults()
        for item in self._items:
            for part in plan.slices:
                item.tally.slices.setdefault(str(part), SliceTally())

    def score(self, case: Case | BadCase) -> tuple[Result, ...]:
        """The results of one case, in the plan's order; also counted."""
        return self.score_all((case,))[0]

    def score_timed(self, case: Case, clock: Callable[[], float]) -> tuple[Result, ...]:
        """As :meth:`score`, and each result says how long it took.

        What evaluators share is made by the first that needs it, and counts as its time.

        Args:
            case: a case.
            clock: gives seconds.
        """
        marks = [clock()]
        (results,) = self.score_all((case,), told=lambda: marks.append(clock()))
        return tuple(
            replace(result, latency_ms=round(1000 * (end - start), 4))
            for result, start, end in zip(results, marks, marks[1:], strict=False)
        )

    def score_all(
        self, cases: Sequence[Case | BadCase], told: Callable[[], object] | None = None
    ) -> list[tuple[Result, ...]]:
        """The results of some cases, each in the plan's order; also counted.

        Goes evaluator by evaluator, not case by case: each evaluator's code then stays in the processor's
        caches, which is worth a quarter of the time. `told` is called after each evaluator.
        """
        rows: list[_Row] = []
        pending: list[_Pending] = []
        branching: list[Branching] = []
        before = self._shared.counted() if self._asks else None
        for case in cases:
            if isinstance(case, BadCase):
                rows.append(self._bad(case))
                continue
            row, same = self._start(case)
            rows.append(row)
            if case.expected is not None and case.expected.paths:
                branching.append(Branching(case, row, {}))
            elif None in row:
                pending.append((case, row, [None] * len(self._distinct), same))
        answered = self._asked_first(pending, branching, before)
        for place, item in enumerate(self._items):
            self._fill(place, item, pending, answered.get(place, {}))
            if branching:
                self._fill_branching(place, item, branching, answered.get(place, {}))
            if told is not None:
                told()
        found: list[tuple[Result, ...]] = [tuple(row) for row in rows]  # type: ignore[arg-type]  # all are filled
        if self._plan.slices:
            self._count_slices(cases, found)
        return found

    def _count_slices(self, cases: Sequence[Case | BadCase], rows: list[tuple[Result, ...]]) -> None:
        """Count apart what gates ask for; a row that could not become a case has neither tag nor tool."""
        for case, results in zip(cases, rows, strict=True):
            if isinstance(case, BadCase):
                continue
            for item, result in zip(self._items, results, strict=True):
                for part in self._plan.slices:
                    if part.holds(case, item.planned.options.comparing.names):
                        item.tally.slices[str(part)].add(case, result)

    def _fill(
        self, place: int, item: _Item, pending: list[_Pending], answered: Mapping[int, Answers]
    ) -> None:
        """The results of one evaluator, where they are not known yet."""
        view, comparing = item.view, self._distinct[item.view]
        score, options = item.planned.evaluator.score, item.planned.options
        column: list[tuple[Case, Result, Alignments | None]] = []
        for case, row, views, same in pending:
            if row[place] is not None:
                continue
            alignments = views[view]
            if alignments is None:
                try:
                    # Where it is known how far both sides are the same, the case is a plain one.
                    plain = same is not None
                    alignments = Alignments(case, comparing, same=same) if plain else view_of(case, comparing)
                    views[view] = alignments
                except RightcallError as error:  # an expected side that can't be
                    row[place] = failed = self._failed(item, error)
                    column.append((case, failed, None))
                    continue
            if item.direct and same is not None and not case.warnings:
                try:
                    result = score(case, alignments, answered.get(id(case), NO_ANSWERS), options)
                except RightcallError as error:
                    result = self._failed(item, error)
            else:
                result = self._one(item, case, alignments, answered.get(id(case), NO_ANSWERS))
            row[place] = result
            column.append((case, result, alignments))
        item.tally.add_all(column, pairs_calls=item.pairs_calls)

    def _fill_branching(
        self, place: int, item: _Item, branching: list[Branching], answered: Mapping[int, Answers]
    ) -> None:
        """The results of one evaluator for cases of several paths."""
        column: list[tuple[Case, Result, Alignments | None]] = []

        def one(seen: Alignments) -> Result:
            return self._checked(item, seen.case, seen, answered.get(id(seen.case), NO_ANSWERS))

        for each in branching:
            seen: Alignments | None = None
            try:
                views = each.seen(item.view, self._distinct[item.view])
                result, seen = best_path(views, one, item.planned.evaluator.declaration, own=item.own)
                result = self._finished(result, seen.case, seen)
            except JudgeError:
                raise  # the judge as a whole: no fault of this case
            except RightcallError as error:
                result = self._failed(item, error)
            each.row[place] = result
            column.append((each.case, result, seen))
        item.tally.add_all(column, pairs_calls=item.pairs_calls)

    def _asked_first(
        self,
        pending: list[_Pending],
        branching: list[Branching],
        before: tuple[Mapping[int, int], Mapping[str, int]] | None,
    ) -> dict[int, dict[int, Answers]]:
        """The answers for every evaluator that asks, before anything is scored: a judge that can't be asked leaves
        the whole batch uncounted.

        Raises:
            JudgeError: the judge as a whole can't be asked.
        """
        found: dict[int, dict[int, Answers]] = {}
        if before is None:
            return found
        try:
            for place, item in enumerate(self._items):
                if item.asks:
                    found[place] = self._answered(place, item, pending, branching)
        except BaseException:
            self._shared.take_back(before)
            raise
        for place, answers in found.items():
            for each in answers.values():
                self._items[place].tally.add_answers(each.values())
        return found

    def _answered(
        self, place: int, item: _Item, pending: list[_Pending], branching: list[Branching]
    ) -> dict[int, Answers]:
        """The answers that one evaluator needs, by identity of the case: asked in one go for all of them.

        A case whose questions can't be stated (unreadable expected calls) gets none: its scoring says why.

        Raises:
            JudgeError: the judge as a whole can't be asked.
        """
        planned = item.planned
        if planned.absent is not None:
            return {}
        wanted: list[tuple[int, Questions]] = []
        for case, row, _, _ in pending:
            if row[place] is None:
                try:
                    wanted.append((id(case), planned.evaluator.questions(case, planned.options)))
                except JudgeError:
                    raise
                except RightcallError:
                    continue
        for each in branching:
            try:
                views = each.seen(item.view, self._distinct[item.view])
                wanted += questions_on_paths(views, planned.evaluator, planned.options)
            except JudgeError:
                raise
            except RightcallError:
                continue
        found = ask([each for _, each in wanted], self._asked)
        return {case: answers for (case, _), answers in zip(wanted, found, strict=True)}

    def _asked(self) -> Judge:
        """The judge of the plan, made when the first question comes."""
        if self._judge is None:
            self._judge = judge_of(self._plan.model or LOCAL, self._plan.judging)
        return self._judge

    def _start(self, case: Case) -> tuple[_Row, int | None]:
        """The results that are known already, and how far the two sides are the same (None: not looked at)."""
        actual, expectation = case.actual, case.expected
        if not self._may_share or actual is None or expectation is None or expectation.special:
            return [None] * len(self._items), None
        expected = expectation.calls
        if expected is None:
            return [None] * len(self._items), None
        same = same_so_far(actual, expected)
        if same == len(expected) == len(actual) and same and self._is_ordinary(case, expected):
            known = self._shared.get(same)
            if known is None:
                known = tuple(self._perfect(item, case) for item in self._items)
                self._shared.keep(same, known)
            names = [call.name for call in expected]
            self._shared.count(names)
            row = list(known)
            for place in self._named:
                item = self._items[place]
                if row[place] is not None and item.as_expected is not None:
                    row[place] = item.as_expected(names, item.planned.options)
            return row, same
        return [None] * len(self._items), same

    def _is_ordinary(self, case: Case, expected: tuple[ExpectedCall, ...]) -> bool:
        """Whether nothing but the length of a case that was made just as expected decides its results."""
        if case.verdict is not None or case.trial is not None or case.cluster is not None or case.warnings:
            return False
        if case.expected is not None and case.expected.counts is not None:
            return False
        # A group can be wrongly written, which evaluators of order report.
        if self._groups_matter:
            for call in expected:
                if call.group is not None:
                    return False
        return True

    def _perfect(self, item: _Item, case: Case) -> Result | None:
        """The result that cases like this one share, or one like those that they get by their names.

        None where there is no such result, or where it is not perfect.
        """
        if not item.shares and item.as_expected is None:
            return None
        alignments = view_of(case, self._distinct[item.view])
        result = self._one(item, case, alignments)
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

    def _one(self, item: _Item, case: Case, alignments: Alignments, answers: Answers = NO_ANSWERS) -> Result:
        """One result of any evaluator for any case."""
        try:
            result = self._checked(item, case, alignments, answers)
        except JudgeError:
            raise  # the judge as a whole: no fault of this case
        except RightcallError as error:
            result = self._failed(item, error)
        return self._finished(result, case, alignments)

    def _finished(self, result: Result, case: Case, alignments: Alignments) -> Result:
        """A result that says what else there is to say of its case."""
        if alignments.slotted:
            result = marked(result, alignments)
        if case.warnings or not self._may_share:
            result = _with_warnings(result, case, alignments.comparing)
        return result

    def _failed(self, item: _Item, error: RightcallError) -> Result:
        if self._raising and (len(self._items) == 1 or not isinstance(error, EvaluatorError)):
            raise error
        return errored(item.planned.evaluator.declaration, item.planned.options.threshold, error)

    def _checked(self, item: _Item, case: Case, alignments: Alignments, answers: Answers) -> Result:
        """The result of an evaluator that needs more than the two sides, or of a case that lacks one."""
        planned = item.planned
        declaration, options = planned.evaluator.declaration, planned.options
        if planned.absent is not None:
            return not_evaluated(declaration, options.threshold, planned.absent)
        for needed in declaration.inputs:
            lacking = _lacking(case, needed)
            if lacking is not None:
                return not_evaluated(declaration, options.threshold, lacking)
        if item.own:
            return self._own(planned, case, alignments)
        return planned.evaluator.score(case, alignments, answers, options)

    def _own(self, planned: PlannedEvaluator, case: Case, alignments: Alignments) -> Result:
        """An evaluator of somebody else's: whatever it does becomes a result of this case."""
        evaluator, options = planned.evaluator, planned.options

        def call() -> Result:
            (answers,) = ask([evaluator.questions(case, options)], self._asked)
            return evaluator.score(case, alignments, answers, options)

        try:
            result = self._guard(call) if self._guard is not None else call()
        except (RightcallError, KeyboardInterrupt):
            raise
        except (
            BaseException
        ) as error:  # SystemExit too: a check that exits must not end the run as if all were well
            raise EvaluatorError(f"{planned.id} raised {type(error).__name__}: {error}") from error
        if result.score is not None:
            clamp(result.score, planned.id)
        return result

    def _bad(self, case: BadCase) -> _Row:
        empty = Case(id=case.id, row=case.row, source=case.source, trial=case.trial)
        results = [
            errored(planned.evaluator.declaration, planned.options.threshold, case.error)
            for planned in self._plan.evaluators
        ]
        for item, result in zip(self._items, results, strict=True):
            item.tally.add(empty, result, None, pairs_calls=item.pairs_calls)
        return list(results)


def _from_names(planned: PlannedEvaluator) -> Callable[[Sequence[str], Options], Result | None] | None:
    """How a result is made from names where a case was made just as expected; None where it takes more."""
    evaluator, options = planned.evaluator, planned.options
    if not isinstance(evaluator, BuiltIn) or evaluator.as_expected is None or options.comparing.ignore_failed:
        return None
    return None if evaluator.as_expected(("any",), options) is None else evaluator.as_expected


def _says_more(comparing: Comparing) -> bool:
    """Whether results of cases under this need more than equal bytes, or warnings that no evaluator gives."""
    return comparing.names is not EXACT_NAMES or _wants_tools(comparing) or comparing.matchers == "on"


def _wants_tools(comparing: Comparing) -> bool:
    options = (*comparing.layers, *(given for table in comparing.per_tool for given in table.values()))
    return any(given.get("schema_defaults") for given in options)


def _with_warnings(result: Result, case: Case, comparing: Comparing) -> Result:
    """What was odd about the case as a whole stands in each of its results."""
    clashes = comparing.names.clashes(spec.name for spec in case.tools or ())
    if case.tools is None and _wants_tools(comparing):
        clashes = (*clashes, "schema_defaults has no effect: no tool definitions are given")
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
