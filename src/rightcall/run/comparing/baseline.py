"""The gate against an earlier run: is this run worse, by more than chance explains (contract 8)?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from ...core.results import Result
from ...core.summing.comparison import Comparison, EvaluatorComparison
from ...core.summing.summary import GateOutcome
from ...core.types import Case
from ...errors import DataError, OptionError, PathNotFoundError, SourceError
from ..directory.replay import StoredRun
from ..directory.rundir import RESULTS
from ..gates import EXIT_GATE, apart
from ..stages import BadCase
from .compare import RunSide, comparison_of, shared_evaluators, stored_side
from .contrast import LEVEL, Contrast, Regression
from .pairing import Pairing, scored_case, written_cases

__all__ = ["Baseline", "BaselineGate", "against_baseline", "open_baseline"]


class BaselineGate(Struct, frozen=True, kw_only=True):
    """What is asked of a run that is held against an earlier one.

    Attributes:
        name: the earlier run, as it was given.
        max_regression: so much may the mean fall, in 0..1.
        strict: a single case that passed then and does not pass now is too many.
        enforced: False measures and lets nothing be missed.
    """

    name: str
    max_regression: float = 0.0
    strict: bool = False
    enforced: bool = True

    def __post_init__(self) -> None:
        most = self.max_regression
        if not math.isfinite(most) or not 0 <= most <= 1:
            raise OptionError(f"{most!r} is not a number from 0 to 1", field="max-regression")


_CHANGES: Final = 2000
"""Changed cases that reports are given, the worst."""


class Baseline:
    """An earlier run that was looked at and is ready; a run that is not written down is compared as it goes.

    Args:
        gate: what is asked.
        stored: the earlier run, found to be whole.
        plan_ids: the evaluators of the new run, and its signature.

    Attributes:
        comparison: what :meth:`outcomes` found; None before.
    """

    def __init__(
        self,
        gate: BaselineGate,
        stored: StoredRun,
        plan_ids: Sequence[str],
        signature: str,
        ids: frozenset[str],
    ) -> None:
        self.gate = gate
        self._stored = stored
        self._ids = ids
        self._new = RunSide(
            name="this run", signature=signature, evaluators=tuple(plan_ids), cases=iter(()), count=0
        )
        self._place = 0
        self._old = stored_side(stored, gate.name)
        self._contrast = Contrast(shared_evaluators(self._old, self._new), most=_CHANGES)
        self.comparison: Comparison | None = None
        self._pairing = Pairing(self._old.cases)

    def check_data(self, data: Iterable[Case | BadCase]) -> None:
        """Whether the data has a case of the baseline; stops at the first.

        Raises:
            OptionError: it has none.
        """
        try:
            if any(case.id in self._ids for case in data):
                return
        except DataError:
            return  # the run itself will say what is wrong with the data
        raise OptionError(
            f"{self.gate.name} has none of the ids of this data",
            field="baseline",
            hint="cases are matched by id; name a run of the same data set",
        )

    def watch(self, case: Case | BadCase, results: tuple[Result, ...], passed: bool | None) -> None:  # noqa: FBT001
        """Take in the next case of the new run."""
        self._contrast.add(self._pairing.push(scored_case(case, results, self._place)))
        self._place += 1

    def read(self, results: Path) -> None:
        """Take in a new run that was written.

        Raises:
            SourceError: it can't be read.
        """
        for case in written_cases(results):
            self._contrast.add(self._pairing.push(case))

    def outcomes(self) -> tuple[tuple[GateOutcome, ...], tuple[str, ...]]:
        """What came out, when all cases were taken in, and what was odd."""
        self._contrast.add(self._pairing.finish())
        found = comparison_of(self._old, self._new, self._contrast, self._pairing)
        self.comparison = found
        outcomes = tuple(against_baseline(found, self._contrast, self.gate))
        warnings = [*found.warnings]
        if (gone := found.only_in_a).count:
            named = ", ".join(gone.examples[:3]) + (" .." if gone.count > 3 else "")
            some = "1 case" if gone.count == 1 else f"{gone.count:,} cases"
            warnings.append(f"{some} of {self.gate.name} are not in this run, and count for nothing: {named}")
        return outcomes, tuple(f"baseline: {warning}" for warning in warnings)


def open_baseline(gate: BaselineGate, plan_ids: Sequence[str], signature: str, out: str | None) -> Baseline:
    """The earlier run, read once to its end before any work.

    Args:
        gate: what is asked.
        plan_ids: the evaluators of the new run.
        signature: of the new run.
        out: the directory of the new run, which can't be the same.

    Raises:
        OptionError: the baseline is incomplete, has no case or none of the evaluators, or would be replaced.
        PathNotFoundError, SourceError: it is no run, or can't be read.
    """
    place = Path(gate.name)
    if out is not None and place.resolve().is_relative_to(Path(out).resolve()):
        raise OptionError(
            f"{gate.name} is what --out would replace", field="baseline", hint="name another --out"
        )
    try:
        stored = StoredRun(place)
    except PathNotFoundError as error:
        error.field = "baseline"
        raise
    if stored.incomplete is not None:
        raise OptionError(
            f"{gate.name} is incomplete: {stored.incomplete}",
            field="baseline",
            hint="run it again to its end",
        )
    shared = set(plan_ids) & set(stored.summary.evaluators)
    if not shared:
        has = ", ".join(stored.summary.evaluators) or "none"
        raise OptionError(
            f"{gate.name} has none of the chosen evaluators", field="baseline", hint=f"it has {has}"
        )
    ids: set[str] = set()
    cases = 0
    for case in written_cases(place / RESULTS):
        ids.add(case.id)
        cases += 1
    if cases != stored.summary.cases:
        raise SourceError(
            f"{place / RESULTS} holds {cases:,} cases, its summary {stored.summary.cases:,}",
            field="baseline",
            hint="run it again",
        )
    if not cases:
        raise OptionError(f"{gate.name} holds no case", field="baseline")
    return Baseline(gate, stored, plan_ids, signature, frozenset(ids))


def against_baseline(found: Comparison, contrast: Contrast, gate: BaselineGate) -> Iterator[GateOutcome]:
    """One outcome for each evaluator that both runs have, and one for single cases where that is asked."""
    regressions = contrast.regressions(-gate.max_regression)
    if not regressions:
        yield _outcome(gate, None, None, f"no case of this run can be held against {gate.name}", met=False)
    for name, regression in regressions.items():
        yield _of_evaluator(found.evaluators[name], regression, gate, len(regressions))
    if gate.strict:
        yield _strict(found, gate)


def _of_evaluator(
    found: EvaluatorComparison, regression: Regression, gate: BaselineGate, tests: int
) -> GateOutcome:
    interval = found.mean_interval
    how = "one-sided exact McNemar test"
    if interval is not None:
        how += f", {interval.method} interval of the mean difference"
    if tests > 1:
        how += f", Holm over {tests} evaluators"
    return GateOutcome(
        gate="baseline",
        evaluator=found.evaluator,
        asked=-gate.max_regression or 0.0,
        measured=found.mean_difference,
        met=not regression.shown,
        message=_message(found, regression, gate, tests),
        exit_code=EXIT_GATE if regression.shown and gate.enforced else 0,
        interval=interval,
        method=how,
    )


def _message(found: EvaluatorComparison, regression: Regression, gate: BaselineGate, tests: int) -> str:
    """First the verdict and why, then the numbers, then what so many cases could have shown."""
    parts = [f"{found.evaluator} {_verdict(regression, gate)}"]
    if found.mean_difference is not None:
        words = f"mean {found.mean_a:.3f} → {found.mean_b:.3f} ({found.mean_difference:+.4f}"
        ends = found.mean_interval
        words += f", 95 % {ends.low:+.4f} to {ends.high:+.4f}" if ends is not None else ""
        limit = f"; {-gate.max_regression:+.4g} may be" if gate.max_regression else ""
        parts.append(f"{words}{limit})")
    lost, won = found.table.only_a_passed, found.table.only_b_passed
    adjusted = f", {_p(regression.p_passes)} by Holm" if tests > 1 else ""
    parts.append(f"{lost:,} passes lost, {won:,} won (p {_p(found.mcnemar_p_regression)}{adjusted})")
    return "; ".join([*parts, _could_show(found)])


def _verdict(regression: Regression, gate: BaselineGate) -> str:
    why = []
    if regression.p_passes < LEVEL:
        why.append("more passes were lost than chance explains")
    if regression.p_mean < LEVEL:
        why.append("the mean fell" + (" by more than may be" if gate.max_regression else ""))
    if why:
        return f"is worse than {gate.name}: {' and '.join(why)}"
    return f"is not shown to be worse than {gate.name}"


def _p(value: float) -> str:
    """A p-value in few digits, but never such that 0.04999 looks like the 0.05 that it is held against."""
    if value < 0.001:
        return f"{value:.1e}"
    return apart(value, LEVEL)[0] if value < LEVEL else f"{value:.3f}"


def _could_show(found: EvaluatorComparison) -> str:
    """The smallest differences that so many pairs show four times in five."""
    shown = []
    if found.detectable_mean is not None and found.detectable_mean <= 1:
        shown.append(f"{found.detectable_mean:.3f} of the mean")
    if found.detectable_pass_rate is not None:
        shown.append(f"{found.detectable_pass_rate:.1%} of the passes")
    pairs = f"{found.paired:,} pairs"
    if not shown:
        return f"{pairs} are too few to show any loss"
    return f"{pairs} could show a loss of {' or '.join(shown)}"


def _strict(found: Comparison, gate: BaselineGate) -> GateOutcome:
    lost = found.lost
    message = f"no case that passed in {gate.name} fails now"
    if lost.count:
        named = ", ".join(lost.examples[:5]) + (" ..." if lost.count > 5 else "")
        some = "1 case" if lost.count == 1 else f"{lost.count:,} cases"
        verb = "does" if lost.count == 1 else "do"
        message = f"{some} that passed in {gate.name} {verb} not pass now: {named}"
        if found.lost_absent:
            message += f" ({found.lost_absent:,} of them not in this run)"
    return _outcome(gate, 0, lost.count, message, met=not lost.count, name="strict_baseline")


def _outcome(
    gate: BaselineGate,
    asked: int | None,
    measured: int | None,
    message: str,
    *,
    met: bool,
    name: str = "baseline",
) -> GateOutcome:
    return GateOutcome(
        gate=name,
        evaluator=None,
        asked=asked,
        measured=measured,
        met=met,
        message=message,
        exit_code=0 if met or not gate.enforced else EXIT_GATE,
    )
