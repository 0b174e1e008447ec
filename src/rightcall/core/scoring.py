"""How evaluators make results: one rule for thresholds, labels, empty sides and refusals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from ..errors import RightcallError
from .declare import Declaration, Options
from .diagnosis.calls import is_extra
from .explain import advice_on, call_warnings, differences
from .pairing.alignments import Alignments, Comparing
from .pairing.slot_views import SlotAlignments
from .results import NOISE, Alignment, Details, Evidence, Finished, Result, clamp, label_of
from .types import Case, Source
from .views import view, with_path

__all__ = [
    "count_of",
    "empty_reason",
    "empty_sides",
    "errored",
    "f1_of",
    "marked",
    "not_evaluated",
    "paired",
    "precision_recall",
    "scored",
    "seen_by",
]


def scored(
    declaration: Declaration,
    options: Options,
    score: float | Fraction,
    reason: str | Evidence,
    *,
    details: Details | None = None,
    warnings: tuple[str, ...] = (),
) -> Result:
    """A result with a score; threshold and label by contract 4."""
    value = float(score)
    if not 0.0 <= value <= 1.0:
        value = clamp(value, declaration.id)
    return Result(
        evaluator=declaration.id,
        kind=declaration.kind,
        score=value,
        label=label_of(value),
        passed=value >= options.threshold - NOISE,
        threshold=options.threshold,
        evidence=Finished(None, reason, details or Details(), warnings)
        if isinstance(reason, str)
        else reason,
    )


def paired(
    declaration: Declaration,
    options: Options,
    score: float | Fraction,
    reason: str | Callable[[], str],
    alignments: Alignments,
    alignment: Alignment,
    measures: dict[str, Any] | None = None,
    *,
    extras_cost: bool = True,
) -> Result:
    """A result of an evaluator that pairs calls: the alignment is its evidence, the differences its advice.

    Args:
        reason: what was counted, or a function that says so when it is read.
        extras_cost: False leaves extra calls out of the differences, where they cost nothing.
    """
    if alignments.identical:
        details = Details(rule=alignment.rule, pairs=alignment.pairs, measures=measures or {})
        told = reason if isinstance(reason, str) else reason()
        return scored(declaration, options, score, Finished(alignment, told, details))
    # A call that was missed is named even where another one makes up for it.
    perfect = score == 1 and not (alignments.slotted and alignment.missing)
    evidence = _Paired(alignment, alignments, reason, measures, extras_cost, perfect)
    return scored(declaration, options, score, evidence)


Again = Callable[[bytes, int, Source | None], Case]


class _Paired(Evidence, eq=False, gc=False):
    """Evidence worked out from an alignment, of the calls of a case."""

    calls: Alignments | None
    counted: str | Callable[[], str]
    measures: dict[str, Any] | None
    extras_cost: bool
    perfect: bool
    shelved: tuple[Again, bytes, int, Source | None, Comparing] | None = None
    finished: Finished | None = None

    def shelve(self, again: Again) -> None:
        calls = self.calls
        if calls is None:
            return
        recorded = calls.case.recorded
        if recorded is None:
            self.finish()  # Python objects may change under us later
        else:
            self.shelved = again, recorded, calls.case.row, calls.case.source, calls.comparing
            self.calls = None

    def finish(self) -> Finished:
        """Look for the differences and say what they are; done once."""
        if self.finished is not None:
            return self.finished
        calls, alignment = self.calls, self.alignment
        if calls is None and self.shelved is not None:
            again, recorded, row, source, comparing = self.shelved
            calls = view(again(recorded, row, source), comparing)
        if calls is None or alignment is None:
            raise RuntimeError("evidence without calls")  # both are given, and dropped only below
        found = differences(calls, alignment)
        if not self.extras_cost and alignment.extra:
            found = tuple(item for item in found if not is_extra(item))
        details = Details(
            rule=alignment.rule,
            pairs=alignment.pairs,
            missing=alignment.missing,
            extra=alignment.extra,
            differences=found,
            measures=self.measures or {},
        )
        counted = self.counted if isinstance(self.counted, str) else self.counted()
        reason = counted if self.perfect or not found else counted + advice_on(calls, found)
        self.finished = Finished(alignment, reason, details, call_warnings(calls, alignment))
        self.calls = self.shelved = None
        return self.finished

    @property
    def reason(self) -> str:
        return self.finish().reason

    @property
    def details(self) -> Details:
        return self.finish().details

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.finish().warnings


def empty_sides(alignments: Alignments) -> int | None:
    """The score when a side is empty: both 1, one 0; None when both have calls (contract 5).

    Calls that may be left out are none that were missed; made, they are held against what was made.
    """
    if alignments.expected and alignments.actual_count:
        return None
    if alignments.actual_count and not alignments.expects_nothing:
        return None
    return int(not alignments.wanted and not alignments.actual_count)


def empty_reason(alignments: Alignments) -> str:
    """What to say when at least one side has no calls."""
    wanted, made = alignments.wanted, alignments.actual_count
    if not wanted and not made:
        if not alignments.expects_nothing:
            return "No call had to be made and none was made."
        return "No call was expected and none was made."
    if not wanted:
        return f"No call was expected; {count_of(made, 'call')} made."
    return f"No call was made; {count_of(wanted, 'call')} expected."


def marked(result: Result, alignments: Alignments) -> Result:
    """A result whose details say which expected path was taken and which call each place belongs to."""
    marks = alignments.marks() if isinstance(alignments, SlotAlignments) else None
    if not marks or result.status != "scored":
        return result
    held = result.evidence.finish()
    details = replace(held.found, measures=held.found.measures | marks)
    return replace(result, evidence=Finished(held.alignment, held.told, details, held.noticed))


def seen_by(result: Result, case: Case, comparing: Comparing) -> Alignments:
    """A case as the evaluator of a result saw it: of several expected paths with the one that it took."""
    return view(with_path(case, result.details.measures.get("path")), comparing)


def not_evaluated(
    declaration: Declaration, threshold: float, reason: str, *, warnings: tuple[str, ...] = ()
) -> Result:
    """A result without a score, since an input that is needed is absent. Never a pass and never a fail."""
    return Result(
        evaluator=declaration.id,
        kind=declaration.kind,
        status="not_evaluated",
        label="not_evaluated",
        threshold=threshold,
        evidence=Finished(None, reason, Details(), warnings),
    )


def errored(declaration: Declaration, threshold: float, error: RightcallError) -> Result:
    """A result without a score, since something went wrong with this case."""
    return Result(
        evaluator=declaration.id,
        kind=declaration.kind,
        status="error",
        label="error",
        threshold=threshold,
        evidence=Finished(None, str(error)),
        error=error.slug,
    )


def f1_of(found: int, made: int, served: int, wanted: int) -> Fraction:
    """F1 of precision over the calls made and recall over those that had to be; with none of these recall is 1."""
    precision = Fraction(found, made) if made else Fraction(0)
    recall = Fraction(served, wanted) if wanted else Fraction(1)
    return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)


def precision_recall(found: int, wrong: int, missed: int, served: int | None = None) -> dict[str, Any]:
    """Counts and what follows from them; undefined is None, never 0 by accident.

    Args:
        found: right calls made.
        wrong: other calls made.
        missed: calls that had to be made and were not.
        served: those of the right calls that had to be made; all, where not given.
    """
    served = found if served is None else served
    return {
        "true_positives": found,
        "false_positives": wrong,
        "false_negatives": missed,
        "precision": found / (found + wrong) if found + wrong else None,
        "recall": served / (served + missed) if served + missed else None,
    }


def count_of(number: int, what: str) -> str:
    """`1 call`, `2 calls`, `2 exact matches`."""
    if number == 1:
        return f"1 {what}"
    plural = what + ("es" if what.endswith("ch") else "s")
    return f"{number} {plural}"
