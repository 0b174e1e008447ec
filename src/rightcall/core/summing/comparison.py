"""Two runs of the same cases side by side: what changed, by how much, and how sure one can be (contract 8)."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from .summary import Interval95

__all__ = [
    "COMPARISON_FORMAT",
    "Change",
    "ComparedRun",
    "Comparison",
    "Counted",
    "Direction",
    "EvaluatorComparison",
    "PassTable",
    "Verdict",
]

COMPARISON_FORMAT: Final = 1
"""Changes when a field of the comparison changes its meaning or goes."""

Verdict = Literal["improved", "regressed", "no difference shown"]

Direction = Literal["improved", "regressed"]


class ComparedRun(Struct, frozen=True, kw_only=True):
    """One of the two runs.

    Attributes:
        name: the run directory as it was given, or ``a`` and ``b`` for runs that are kept in memory.
        cases: how many it holds, those that the other one lacks included.
        complete: False when it was interrupted or its data broke off.
    """

    name: str
    signature: str
    cases: int
    complete: bool = True


class Counted(Struct, frozen=True, kw_only=True):
    """So many cases, and the names of the first few by their row: the id, with the trial where there is one."""

    count: int = 0
    examples: tuple[str, ...] = ()


class PassTable(Struct, frozen=True, kw_only=True):
    """The pairs by pass and fail in both runs; an error is not a pass, ``not_evaluated`` leaves a pair out."""

    both_passed: int = 0
    only_a_passed: int = 0
    only_b_passed: int = 0
    neither_passed: int = 0

    @property
    def pairs(self) -> int:
        """How many pairs have a verdict in both runs."""
        return self.both_passed + self.only_a_passed + self.only_b_passed + self.neither_passed


class EvaluatorComparison(Struct, frozen=True, kw_only=True):
    """What one evaluator says of both runs. Differences are b minus a: below 0 is worse.

    A pair is improved or regressed when its verdict changed; where the verdict is the same, when both were
    scored and the score changed by more than float noise. All else is unchanged.

    Attributes:
        paired: cases, matched by id and trial, that this evaluator judged in both runs (errors included).
        scored: of these, the ones with a score in both; means and their difference are over them.
        left_out: matched cases that were not evaluated in one run or both.
        mean_a, mean_b, mean_difference: None where no pair has two scores.
        mean_interval: the 95 % interval of the mean difference; None for fewer than two scored pairs, or
            where all differ by the same amount.
        pass_rate_a, pass_rate_b: over the paired cases.
        table: the paired cases by pass and fail.
        mcnemar_p: exact, two-sided; 1 where no verdict changed.
        mcnemar_p_regression: exact, one-sided: the chance of so many lost passes, or more, if none was lost
            in truth.
        mean_p: two-sided, what the interval of the mean difference gives for "no difference": it is below
            0.05 where that interval leaves 0 out; None without pairs.
        holm_p: what decides the verdict: the smaller p of the two tests (one-sided McNemar, the interval of the
            mean), each adjusted by Holm over the evaluators, in the direction that the verdict names; below
            0.05 exactly where there is one.
        detectable_pass_rate: the smallest change of the pass rate that so many pairs show with a power of
            80 %, as a share in 0..1, in the strictest step of Holm; None without pairs, or where even the
            greatest change would not show.
        detectable_mean: the same for the mean; None where `mean_interval` is.
    """

    evaluator: str
    paired: int
    scored: int
    left_out: int = 0
    improved: Counted = Counted()
    regressed: Counted = Counted()
    unchanged: Counted = Counted()
    only_in_a: Counted = Counted()
    only_in_b: Counted = Counted()
    mean_a: float | None = None
    mean_b: float | None = None
    mean_difference: float | None = None
    mean_interval: Interval95 | None = None
    pass_rate_a: float | None = None
    pass_rate_b: float | None = None
    table: PassTable = PassTable()
    mcnemar_p: float = 1.0
    mcnemar_p_regression: float = 1.0
    mean_p: float | None = None
    holm_p: float = 1.0
    detectable_pass_rate: float | None = None
    detectable_mean: float | None = None
    verdict: Verdict = "no difference shown"


class Change(Struct, frozen=True, kw_only=True, gc=False):
    """One case that one evaluator judges otherwise. A score is None, and `passed` False, where it is an error."""

    id: str
    trial: int | None = None
    evaluator: str
    direction: Direction
    score_a: float | None
    score_b: float | None
    passed_a: bool
    passed_b: bool


class Comparison(Struct, frozen=True, kw_only=True):
    """Run b against run a, which came before.

    Attributes:
        cases: matched by id and trial.
        only_in_a, only_in_b: cases that the other run lacks.
        lost: cases that passed in a, by all evaluators that both runs have, and do not pass in b; those that b
            lacks are among them, and `lost_absent` is their number.
        evaluators: those that both runs have, in the order of run b.
        changes: the changed cases, the worst first: lost passes, then by how far the score fell; improved
            ones come last, the greatest first. At most so many of each direction as were asked for.
        changed: how many changed in all.
        verdict: regressed where an evaluator is, else improved where one is.
        warnings: where the two runs were made otherwise: options, thresholds, sources, versions, repeated ids.
    """

    format: int = COMPARISON_FORMAT
    a: ComparedRun
    b: ComparedRun
    cases: int
    only_in_a: Counted = Counted()
    only_in_b: Counted = Counted()
    lost: Counted = Counted()
    lost_absent: int = 0
    evaluators: dict[str, EvaluatorComparison] = {}
    changes: tuple[Change, ...] = ()
    changed: int = 0
    verdict: Verdict = "no difference shown"
    warnings: tuple[str, ...] = ()
