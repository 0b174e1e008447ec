"""Exact counts that add up: the tally of parts, merged, is the tally of the whole, bit for bit (contract 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..ask import Answer
from ..diagnosis.calls import CONFUSED
from ..pairing.alignments import Alignments
from ..paths import any_index
from ..results import Alignment, Details, Difference, Result, case_passed
from ..types import Case
from .slices import SliceTally
from .sums import Scores, ScoreSums

__all__ = ["NOT_JUDGED", "Cause", "EvaluatorTally", "ScoreSums", "Tally"]


class Cause:
    """One kind of difference on one tool and path: how often, in how many cases, and what it cost.

    Attributes:
        differences, cases: counts.
        lost: the score points lost to it; a case's loss is shared among its differences.
        examples: the two smallest (row, case id).
        accept_with: the option that would accept it, while all its differences agree on one.
        message: of the first example.
    """

    __slots__ = ("accept_with", "cases", "differences", "examples", "lost", "message")

    def __init__(self) -> None:
        self.differences = 0
        self.cases = 0
        self.lost = ScoreSums()
        self.examples: list[tuple[int, str]] = []
        self.accept_with: str | None = None
        self.message = ""

    def add(self, difference: Difference, times: int, lost: float, row: int, case_id: str) -> None:
        """Count `times` like differences of one case, which lost `lost` points in all."""
        if self.accept_with != difference.accept_with:
            self._agree(difference.accept_with)
        self.differences += times
        self.cases += 1
        self.lost.add(lost)
        examples = self.examples
        # Rows mostly come in their order, so the first two stay the examples.
        if len(examples) < 2 or row <= examples[1][0]:
            self._example(row, case_id, difference.message)

    def _agree(self, accept_with: str | None) -> None:
        if not self.cases:
            self.accept_with = accept_with
        elif self.accept_with != accept_with:
            self.accept_with = None

    def _example(self, row: int, case_id: str, message: str) -> None:
        if len(self.examples) == 2 and (row, case_id) > self.examples[1]:
            return
        if not self.examples or (row, case_id) < self.examples[0]:
            self.message = message
        self.examples = sorted({*self.examples, (row, case_id)})[:2]

    def merge(self, other: Cause) -> None:
        """Take in another part's count of the same cause."""
        if other.cases and self.accept_with != other.accept_with:
            self._agree(other.accept_with)
        # Parts mostly come in their order, so the first two stay the examples.
        mine = self.examples
        if other.examples and (not mine or other.examples[0] < mine[0]):
            self.message = other.message
        if len(mine) < 2 or (other.examples and other.examples[0] < mine[1]):
            self.examples = sorted({*mine, *other.examples})[:2]
        self.differences += other.differences
        self.cases += other.cases
        self.lost.merge(other.lost)

    def state(self) -> tuple[Any, ...]:
        """Everything that two equal causes have in common."""
        return (
            self.differences,
            self.cases,
            self.lost.totals(),
            self.examples,
            self.accept_with,
            self.message,
        )


NOT_JUDGED = "not judged: "
"""Before the reason why a judge that was asked gave no judgement."""

CauseKey = tuple[str, str, str]
"""(kind, tool, path with ``*`` for array indexes)"""


class EvaluatorTally:
    """What one evaluator's results add up to. Plain counters; ratios are derived by who reads them."""

    def __init__(self) -> None:
        self.cases = 0
        self.scored = 0
        self.not_evaluated = 0
        self.errors = 0
        self.passed = 0
        self.scores = Scores()
        self.slices: dict[str, SliceTally] = {}  # parts that a gate asks for, by `str` of their Slice
        self.found: dict[tuple[int, int, int], int] = {}  # cases by (true, false positives, false negatives)
        self.exact: dict[str, int] = {}
        self.tools: dict[str, list[int]] = {}  # name-only, missing, extra; exact pairs are in `exact`
        self._confused: dict[tuple[str, str], int] = {}
        self.verdicts: dict[tuple[bool, bool], int] = {}  # (passed, the case's own verdict)
        self.trials: dict[str, list[int]] = {}  # case id: trials, passed
        self.judged: dict[
            str, int
        ] = {}  # pairs of calls by who judged them, or why nobody but the local judge did
        self._causes: dict[CauseKey, Cause] = {}
        self._unexplained: list[tuple[int, str, Result]] = []

    def add(self, case: Case, result: Result, alignments: Alignments | None, *, pairs_calls: bool) -> None:
        """Count one result; `alignments` is how the evaluator saw the case, None where it did not."""
        self.cases += 1
        if result.status == "not_evaluated":
            self.not_evaluated += 1
            return
        if case.trial is not None or case.verdict is not None:
            self._add_verdicts(case, passed=bool(result.passed))
        score = result.score
        if score is None:
            self.errors += 1
            return
        self.scored += 1
        if result.passed:
            self.passed += 1
        if case.cluster is None:
            self.scores.add(score)
        else:
            self.scores.add_in(case.cluster, score)
        alignment = result.evidence.alignment
        if pairs_calls and alignments is not None and alignment is not None:
            self._add_calls(alignment, alignments)
        if score < 1.0:
            self._unexplained.append((case.row, case.id, result))

    def add_all(self, column: Iterable[tuple[Case, Result, Alignments | None]], *, pairs_calls: bool) -> None:
        """Count the results of many cases: as :meth:`add`, with less to do for each."""
        scores: dict[float, int] = {}
        passed = 0
        for case, result, alignments in column:
            score = result.score
            if (
                score is None
                or case.trial is not None
                or case.verdict is not None
                or case.cluster is not None
            ):
                self.add(case, result, alignments, pairs_calls=pairs_calls)
                continue
            scores[score] = scores.get(score, 0) + 1
            if result.passed:
                passed += 1
            if pairs_calls and alignments is not None:
                alignment = result.evidence.alignment
                if alignment is not None:
                    self._add_calls(alignment, alignments)
            if score < 1.0:
                self._unexplained.append((case.row, case.id, result))
        count = sum(scores.values())
        self.cases += count
        self.scored += count
        self.passed += passed
        for score, times in scores.items():
            self.scores.add(score, times)

    def _add_verdicts(self, case: Case, *, passed: bool) -> None:
        if case.trial is not None:
            trials = self.trials.setdefault(case.id, [0, 0])
            trials[0] += 1
            trials[1] += passed
        if case.verdict is not None:
            key = (passed, case.verdict)
            self.verdicts[key] = self.verdicts.get(key, 0) + 1

    def explain(self) -> None:
        """Work out the causes of what was counted so far.

        Differences take longer than everything else together, so they are only looked for when somebody
        reads the causes, or when results are written down anyway.
        """
        pending, self._unexplained = self._unexplained, []
        for row, case_id, result in pending:
            details = result.evidence.finish().found
            if details.differences:
                self._add_causes(row, case_id, 1.0 - (result.score or 0.0), details)
                for item in details.differences:
                    if item.kind in CONFUSED and item.expected_call is not None:
                        both = (item.tool, str(item.actual))
                        self._confused[both] = self._confused.get(both, 0) + 1

    def forget_causes(self) -> None:
        """Give up what the points counted so far were lost to: for who asks for scores alone."""
        self._unexplained.clear()

    @property
    def causes(self) -> dict[CauseKey, Cause]:
        """What was lost to what, by kind, tool and path."""
        self.explain()
        return self._causes

    @property
    def confused(self) -> dict[tuple[str, str], int]:
        """(expected tool, tool made in its place) with the number of times."""
        self.explain()
        return self._confused

    def _add_calls(self, alignment: Alignment, alignments: Alignments) -> None:
        exact, wanted, made = self.exact, alignments.expected_names, alignments.actual_names
        for pair in alignment.pairs:
            name = made[pair.actual]  # both have one name; of an expected call with alternatives it is this
            if pair.credit == 1.0:
                exact[name] = exact.get(name, 0) + 1
            else:
                self._tool(name)[0] += 1
        for index in alignment.missing:
            self._tool(wanted[index])[1] += 1
        for index in alignment.extra:
            self._tool(made[index])[2] += 1
        unequal = len(alignment.pairs) - alignment.exact
        lacking = unequal + len(alignment.missing)
        if alignments.slotted:
            lacking = alignments.wanted - alignments.served(alignment)
        key = (alignment.exact, unequal + len(alignment.extra), lacking)
        self.found[key] = self.found.get(key, 0) + 1

    def add_perfect(self, result: Result, size: int, times: int, *, pairs_calls: bool) -> None:
        """Count `times` cases whose `size` calls were all made just as expected; names are added apart."""
        self.cases += times
        self.scored += times
        self.passed += times * bool(result.passed)
        self.scores.add(1.0, times)
        if pairs_calls:
            key = (size, 0, 0)
            self.found[key] = self.found.get(key, 0) + times

    def add_answers(self, answers: Iterable[Answer]) -> None:
        """Count what judges said: by whom, or why the one that was asked gave no judgement."""
        for answer in answers:
            who = answer.by if answer.not_judged is None else f"{NOT_JUDGED}{answer.not_judged}"
            self.judged[who] = self.judged.get(who, 0) + 1

    def add_exact(self, names: Mapping[str, int]) -> None:
        """Count calls that were made just as expected, by tool."""
        _add_counts(self.exact, names)

    def _tool(self, name: str) -> list[int]:
        return self.tools.setdefault(name, [0, 0, 0])

    def _add_causes(self, row: int, case_id: str, lost: float, details: Details) -> None:
        """Share the case's loss: over calls by what each lacks, within a call evenly over its differences."""
        found = details.differences
        if len(found) == 1:
            self._cause(found[0], 1, lost, row, case_id)
            return
        credit = {(pair.actual, pair.expected): pair.credit for pair in details.pairs}
        by_call: dict[tuple[int | None, int | None, int], list[Difference]] = {}
        for place, item in enumerate(found):
            # Differences of no single call (a count of a tool) stand for themselves.
            lone = place if item.actual_call is None and item.expected_call is None else -1
            by_call.setdefault((item.actual_call, item.expected_call, lone), []).append(item)
        weights = {call: 1.0 - credit.get(call[:2], 0.0) for call in by_call}  # type: ignore[arg-type]
        whole = sum(weights.values()) or 1.0
        grouped: dict[CauseKey, tuple[Difference, int, float]] = {}
        for call, items in by_call.items():
            share = lost * weights[call] / whole / len(items)
            for item in items:
                key = (item.kind, item.tool, any_index(item.path))
                first, times, sum_ = grouped.get(key, (item, 0, 0.0))
                grouped[key] = (first, times + 1, sum_ + share)
        for key, (item, times, points) in grouped.items():
            self._cause(item, times, points, row, case_id, key)

    def _cause(
        self, item: Difference, times: int, points: float, row: int, case_id: str, key: CauseKey | None = None
    ) -> None:
        key = key or (item.kind, item.tool, any_index(item.path) if item.path else "")
        cause = self._causes.get(key)
        if cause is None:
            cause = self._causes[key] = Cause()
        cause.add(item, times, points, row, case_id)

    def merge(self, other: EvaluatorTally) -> None:
        """Take in another part."""
        for name in ("cases", "scored", "not_evaluated", "errors", "passed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.scores.merge(other.scores)
        _add_counts(self.found, other.found)
        _add_counts(self.exact, other.exact)
        self.explain()
        _add_counts(self._confused, other.confused)
        _add_counts(self.verdicts, other.verdicts)
        _add_counts(self.judged, other.judged)
        _add_lists(self.tools, other.tools)
        _add_lists(self.trials, other.trials)
        for name, part in other.slices.items():
            self.slices.setdefault(name, SliceTally()).merge(part)
        for key, cause in other.causes.items():
            mine = self._causes.get(key)
            if mine is None:
                mine = self._causes[key] = Cause()
            mine.merge(cause)

    def state(self) -> dict[str, Any]:
        """Everything that two equal tallies have in common."""
        self.explain()
        plain = dict(vars(self))
        plain["_causes"] = {key: cause.state() for key, cause in self._causes.items()}
        return plain

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EvaluatorTally) and self.state() == other.state()

    __hash__ = None  # type: ignore[assignment]  # mutable


def _add_counts(mine: dict[Any, int], other: Mapping[Any, int]) -> None:
    for key, number in other.items():
        mine[key] = mine.get(key, 0) + number


def _add_lists(mine: dict[str, list[int]], other: Mapping[str, list[int]]) -> None:
    for key, numbers in other.items():
        held = mine.setdefault(key, [0] * len(numbers))
        mine[key] = [a + b for a, b in zip(held, numbers, strict=True)]


class Tally:
    """What a run adds up to. Cases are passed, failed (errors among them) or not evaluated."""

    def __init__(self) -> None:
        self.cases = 0
        self.passed = 0
        self.not_evaluated = 0
        self.errors = 0
        self.evaluators: dict[str, EvaluatorTally] = {}

    def of(self, evaluator: str) -> EvaluatorTally:
        """The tally of one evaluator, made when first asked for."""
        tally = self.evaluators.get(evaluator)
        if tally is None:
            tally = self.evaluators[evaluator] = EvaluatorTally()
        return tally

    def count_case(self, results: tuple[Result, ...]) -> bool | None:
        """Count a case by the verdict over its results, which is returned."""
        self.cases += 1
        if len(results) == 1 and results[0].passed:
            self.passed += 1
            return True
        verdict = case_passed(results)
        if verdict is None:
            self.not_evaluated += 1
        elif verdict:
            self.passed += 1
        else:
            for result in results:
                if result.status == "error":
                    self.errors += 1
                    break
        return verdict

    @property
    def failed(self) -> int:
        """Cases that did not pass, errors included."""
        return self.cases - self.passed - self.not_evaluated

    def merge(self, other: Tally) -> None:
        """Take in another part of the same run."""
        self.cases += other.cases
        self.passed += other.passed
        self.not_evaluated += other.not_evaluated
        self.errors += other.errors
        for name, tally in other.evaluators.items():
            self.of(name).merge(tally)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # mutable

    @classmethod
    def total(cls, parts: Iterable[Tally]) -> Tally:
        """The tally of all parts."""
        whole = cls()
        for part in parts:
            whole.merge(part)
        return whole
