"""The summary of a run: what a person and a gate read. Made from a tally; holds no clock and no machine."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

__all__ = [
    "CauseSummary",
    "EvaluatorSummary",
    "GateOutcome",
    "Interval95",
    "RunSummary",
    "SliceSummary",
    "ToolSummary",
    "WhatIf",
    "WhatIfChange",
]

SUMMARY_FORMAT = 1
"""Changes when a field of the summary changes its meaning or goes."""


class Interval95(Struct, frozen=True, kw_only=True):
    """A 95 % interval and the method that made it."""

    low: float
    high: float
    method: str


class ToolSummary(Struct, frozen=True, kw_only=True):
    """One tool's calls: expected and made, and of these equal, equal in name only, missing and extra."""

    expected: int
    made: int
    exact: int
    name_only: int
    missing: int
    extra: int


class WhatIfChange(Struct, frozen=True, kw_only=True):
    """What one evaluator says of a run without and with one more option. Means are None without a scored case."""

    mean: float | None
    mean_with: float | None
    passed: int
    passed_with: int

    @property
    def gained(self) -> float:
        """How much the mean rises."""
        return 0.0 if self.mean is None or self.mean_with is None else self.mean_with - self.mean


class WhatIf(Struct, frozen=True, kw_only=True):
    """What a run would come to with one more option, by scoring its cases again.

    Attributes:
        option: as causes name it in `accept_with`.
        written: as it has to be given beside the options of the run, to hold together with them.
        evaluators: by id; those of somebody's own are left out.
        passed, passed_with: cases that pass; None where an evaluator was left out, which might say otherwise.
    """

    option: str
    written: str
    evaluators: dict[str, WhatIfChange]
    passed: int | None
    passed_with: int | None


class CauseSummary(Struct, frozen=True, kw_only=True):
    """One cause of lost points, ready to be read.

    Attributes:
        lost: the score points it cost, of 1 a case.
        share: of all points that the evaluator's scored cases lost, in 0..1.
        examples: the ids of up to two cases, the smallest by file and row.
        fix: what to try first.
    """

    kind: str
    tool: str
    path: str
    cases: int
    differences: int
    lost: float
    share: float
    examples: tuple[str, ...]
    message: str
    accept_with: str | None
    fix: str


class SliceSummary(Struct, frozen=True, kw_only=True):
    """What one evaluator says of the cases of one tag or tool; fields as in :class:`EvaluatorSummary`."""

    cases: int
    scored: int
    not_evaluated: int
    errors: int
    passed: int
    mean: float | None
    mean_interval: Interval95 | None
    pass_rate: float | None
    pass_rate_interval: Interval95 | None


class EvaluatorSummary(Struct, frozen=True, kw_only=True):
    """What one evaluator says of the whole run. Every mean stands beside its counts.

    Attributes:
        passed: number of scored cases that passed.
        pass_rate: over scored and errored cases; None where there are none.
        mean: of the scored; None where there are none.
        micro, macro: precision, recall and F1 where the evaluator pairs calls; None where undefined.
        confusion: expected tool to made tool to count; ``""`` stands for "none".
        verdict: how `passed` agrees with the cases' own verdicts; None where none is given.
        trials: pass@k and pass^k by k, and the cases whose trials disagree; None where no case has trials.
        causes: of the lost points, the hundred costliest, the costliest first.
        slices: the parts of the cases that a gate asks for, by ``tag:NAME`` or ``tool:NAME``.
        judged: pairs of unequal calls by who judged them: ``local``, ``BACKEND:VERSION``, or ``not judged: WHY``
            where the judge that was asked gave no judgement and the local one counts.
    """

    cases: int
    scored: int
    not_evaluated: int
    errors: int
    passed: int
    threshold: float
    mean: float | None
    mean_interval: Interval95 | None
    pass_rate: float | None
    pass_rate_interval: Interval95 | None
    micro: dict[str, Any] | None
    macro: dict[str, Any] | None
    tools: dict[str, ToolSummary]
    confusion: dict[str, dict[str, int]]
    verdict: dict[str, Any] | None
    trials: dict[str, Any] | None
    causes: tuple[CauseSummary, ...]
    slices: dict[str, SliceSummary] = {}
    judged: dict[str, int] = {}


class GateOutcome(Struct, frozen=True, kw_only=True):
    """One gate: what was asked, what was measured, and whether it is met. `exit_code` is 0 where it is.

    Attributes:
        on: the part of the cases it looks at, ``tag:NAME`` or ``tool:NAME``; None for all of them.
        interval: the 95 % interval of what was measured; None where it has none.
        method: how it was decided, where that is more than holding two numbers against each other.
    """

    gate: str
    evaluator: str | None
    asked: float | int | None
    measured: float | int | None
    met: bool
    message: str
    exit_code: int = 0
    on: str | None = None
    interval: Interval95 | None = None
    method: str | None = None


class RunSummary(Struct, frozen=True, kw_only=True):
    """The summary of a run.

    Attributes:
        signature: how the numbers were made; `options` and `thresholds` are what it says, as written.
        complete: False when the run was interrupted or its data broke off.
        failed: cases that did not pass, errors among them.
        causes: of the points lost over all evaluators, the hundred costliest, the costliest first.
    """

    format: int = SUMMARY_FORMAT
    version: str
    signature: str
    options: dict[str, Any] = {}
    thresholds: dict[str, float] = {}
    complete: bool = True
    cases: int
    passed: int
    failed: int
    not_evaluated: int
    errors: int
    evaluators: dict[str, EvaluatorSummary]
    causes: tuple[CauseSummary, ...] = ()
    gates: tuple[GateOutcome, ...] = ()
    warnings: tuple[str, ...] = ()
