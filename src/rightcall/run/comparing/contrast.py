"""What pairs of judged cases add up to: the figures of a comparison, and the tests of a baseline gate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from ...core.results import NOISE
from ...core.summing.comparison import (
    Change,
    Counted,
    Direction,
    EvaluatorComparison,
    PassTable,
    Verdict,
)
from ...core.summing.summary import Interval95
from ...core.summing.sums import Scores, ScoreSums
from ...stats import (
    McNemar,
    MeanDifference,
    detectable_mean,
    detectable_pass_rate,
    holm,
    mcnemar,
    mean_difference,
)
from .pairing import Judged, JudgedCase, Pair

__all__ = ["LEVEL", "Contrast", "Regression"]

LEVEL: Final = 0.05
"""The chance of crying wolf that a test allows, over all evaluators."""

EXAMPLES: Final = 10
"""Names of cases that are kept of each kind, the first by row."""


class Regression(Struct, frozen=True, kw_only=True):
    """Whether one evaluator's scores fell by more than may be; both p are adjusted by Holm over the evaluators.

    Attributes:
        p_passes: one-sided, of the exact McNemar test.
        p_mean: two-sided, of the interval of the mean difference against the limit; below 0.05 it lies below.
    """

    p_passes: float
    p_mean: float

    @property
    def shown(self) -> bool:
        """Whether either of the two shows it."""
        return self.p_passes < LEVEL or self.p_mean < LEVEL


class _Names:
    """A count, and the names of the first few cases by their place."""

    __slots__ = ("_first", "count")

    def __init__(self) -> None:
        self.count = 0
        self._first: list[tuple[int, str]] = []

    def add(self, case: JudgedCase) -> None:
        self.count += 1
        # Cases mostly come in their order, so the first ones stay.
        if len(self._first) < EXAMPLES or case.place < self._first[-1][0]:
            self._first = sorted([*self._first, (case.place, case.name)])[:EXAMPLES]

    def counted(self) -> Counted:
        return Counted(count=self.count, examples=tuple(name for _, name in self._first))


class _Evaluator:
    """What one evaluator's judgements of pairs add up to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.left_out = 0
        self.table = [0, 0, 0, 0]  # both passed, only a, only b, neither
        self.kinds = {
            kind: _Names() for kind in ("improved", "regressed", "unchanged", "only_in_a", "only_in_b")
        }
        self.scores_a = ScoreSums()
        self.scores_b = ScoreSums()
        self.differences = Scores()
        self._mean: MeanDifference | None = None

    @property
    def paired(self) -> int:
        return sum(self.table)

    def add(self, a: Judged, b: Judged, case: JudgedCase, cluster: str | None) -> Direction | None:
        """Count a pair; says how it changed."""
        if a.passed is None or b.passed is None:
            self.left_out += 1
            return None
        self.table[(not a.passed) * 2 + (not b.passed) if a.passed == b.passed else 1 if a.passed else 2] += 1
        difference = 0.0
        if a.score is not None and b.score is not None:
            # Rounded to the float noise that never counts, so that equal changes are the same number.
            difference = round(b.score - a.score, 12) + 0.0
            self.scores_a.add(a.score)
            self.scores_b.add(b.score)
            if cluster is None:
                self.differences.add(difference)
            else:
                self.differences.add_in(cluster, difference)
        direction = _direction(a, b, difference)
        self.kinds[direction or "unchanged"].add(case)
        return direction

    def mean(self) -> MeanDifference | None:
        """What the differences say of their mean."""
        sums = self.differences
        if self._mean is None and sums.n:
            self._mean = mean_difference(sums.n, *sums.totals(), sums.counts, sums.clusters())
        return self._mean

    def passes(self) -> McNemar:
        return mcnemar(self.table[1], self.table[2])

    def lies_below(self, limit: float) -> float:
        found = self.mean()
        return 1.0 if found is None else min(1.0, found.p_below(limit))

    def lies_above(self, limit: float) -> float:
        found = self.mean()
        return 1.0 if found is None else min(1.0, found.p_above(limit))


def _direction(a: Judged, b: Judged, difference: float) -> Direction | None:
    """The verdict decides; where it is the same, the score does."""
    if a.passed != b.passed:
        return "improved" if b.passed else "regressed"
    if abs(difference) <= NOISE:
        return None
    return "improved" if difference > 0 else "regressed"


_Place = tuple[int, float, int, int]


class Contrast:
    """Adds up pairs of cases, for the evaluators that both runs have.

    Args:
        evaluators: their ids, in order.
        most: how many changed cases of each direction are kept, the worst and the best.
    """

    def __init__(self, evaluators: Sequence[str], *, most: int) -> None:
        self.evaluators = tuple(evaluators)
        self.cases = 0
        self.changed = 0
        self.dependent = 0  # pairs that share a cluster, or are trials of a case
        self._most = most
        self._found = {name: _Evaluator(name) for name in evaluators}
        self._only_a, self._only_b, self._lost = _Names(), _Names(), _Names()
        self.lost_absent = 0
        self._changes: dict[Direction, list[tuple[_Place, Change]]] = {"regressed": [], "improved": []}

    def add(self, pairs: Iterable[Pair]) -> None:
        """Count pairs; either side may be None."""
        for a, b in pairs:
            if a is not None and b is not None:
                self._pair(a, b)
            elif a is not None:
                self._only_a.add(a)
                self._alone(a, "only_in_a")
                if a.passed(self.evaluators):
                    self._lost.add(a)
                    self.lost_absent += 1
            elif b is not None:
                self._only_b.add(b)
                self._alone(b, "only_in_b")

    def _alone(self, case: JudgedCase, kind: str) -> None:
        for name, found in self._found.items():
            judged = case.results.get(name)
            if judged is not None and judged.passed is not None:
                found.kinds[kind].add(case)

    def _pair(self, a: JudgedCase, b: JudgedCase) -> None:
        self.cases += 1
        cluster = b.cluster or a.cluster
        if cluster is None and b.trial is not None:
            cluster = f"\0{b.id}"  # trials of one case are no independent cases
        for number, (name, found) in enumerate(self._found.items()):
            was, now = a.results.get(name), b.results.get(name)
            if was is None or now is None:
                found.left_out += 1
                continue
            direction = found.add(was, now, b, cluster)
            if direction is not None:
                self._changed(number, name, was, now, b, direction)
        if a.passed(self.evaluators) and not b.passed(self.evaluators):
            self._lost.add(b)

    def _changed(
        self, number: int, name: str, was: Judged, now: Judged, case: JudgedCase, direction: Direction
    ) -> None:
        self.changed += 1
        moved = (now.score or 0.0) - (was.score or 0.0)
        rank = 2 if direction == "improved" else int(was.passed == now.passed)
        place = (rank, -moved if direction == "improved" else moved, case.place, number)
        held = self._changes[direction]
        if len(held) >= 2 * self._most:
            held.sort(key=lambda item: item[0])
            del held[self._most :]
        change = Change(
            id=case.id,
            trial=case.trial,
            evaluator=name,
            direction=direction,
            score_a=was.score,
            score_b=now.score,
            passed_a=bool(was.passed),
            passed_b=bool(now.passed),
        )
        held.append((place, change))

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changed cases, the worst first: lost passes, then by how far the score fell, then improved ones."""
        kept = (sorted(held, key=lambda item: item[0])[: self._most] for held in self._changes.values())
        return tuple(change for held in kept for _, change in held)

    @property
    def only_in_a(self) -> Counted:
        """Cases that b lacks."""
        return self._only_a.counted()

    @property
    def only_in_b(self) -> Counted:
        """Cases that a lacks."""
        return self._only_b.counted()

    @property
    def lost(self) -> Counted:
        """Cases that passed in a and do not in b, those that b lacks included."""
        return self._lost.counted()

    @property
    def clustered(self) -> bool:
        """Whether pairs hang together, so that clusters were resampled."""
        return any(found.differences.clusters() is not None for found in self._found.values())

    def regressions(self, limit: float = 0.0) -> dict[str, Regression]:
        """For each evaluator with a pair: whether passes were lost, or the mean fell by more than -`limit`."""
        judged = [found for found in self._found.values() if found.paired]
        by_pass = holm([found.passes().regression for found in judged])
        by_mean = holm([found.lies_below(limit) for found in judged])
        return {
            found.name: Regression(p_passes=p, p_mean=q)
            for found, p, q in zip(judged, by_pass, by_mean, strict=True)
        }

    def _improvements(self) -> dict[str, Regression]:
        judged = [found for found in self._found.values() if found.paired]
        by_pass = holm([found.passes().improvement for found in judged])
        by_mean = holm([found.lies_above(0.0) for found in judged])
        return {
            found.name: Regression(p_passes=p, p_mean=q)
            for found, p, q in zip(judged, by_pass, by_mean, strict=True)
        }

    def compared(self) -> dict[str, EvaluatorComparison]:
        """The figures of each evaluator."""
        worse, better = self.regressions(), self._improvements()
        tests = len(worse)
        return {
            name: _compared(found, worse.get(name), better.get(name), tests)
            for name, found in self._found.items()
        }


def _compared(
    found: _Evaluator, worse: Regression | None, better: Regression | None, tests: int
) -> EvaluatorComparison:
    passes, mean, paired = found.passes(), found.mean(), found.paired
    ends = None if mean is None else mean.interval()
    scored, alpha = found.differences.n, LEVEL / max(tests, 1)
    holm_p, verdict = _verdict(worse, better)
    both, only_a, only_b, neither = found.table
    return EvaluatorComparison(
        evaluator=found.name,
        paired=paired,
        scored=scored,
        left_out=found.left_out,
        **{kind: names.counted() for kind, names in found.kinds.items()},
        mean_a=float(found.scores_a.totals()[0] / scored) if scored else None,
        mean_b=float(found.scores_b.totals()[0] / scored) if scored else None,
        mean_difference=None if mean is None else mean.mean,
        mean_interval=None
        if mean is None or ends is None or mean.method is None
        else Interval95(low=ends[0], high=ends[1], method=mean.method),
        pass_rate_a=(both + only_a) / paired if paired else None,
        pass_rate_b=(both + only_b) / paired if paired else None,
        table=PassTable(both_passed=both, only_a_passed=only_a, only_b_passed=only_b, neither_passed=neither),
        mcnemar_p=passes.two_sided,
        mcnemar_p_regression=passes.regression,
        mean_p=None if mean is None else min(found.lies_below(0.0), found.lies_above(0.0)),
        holm_p=holm_p,
        detectable_pass_rate=detectable_pass_rate(paired, only_a + only_b, alpha=alpha),
        detectable_mean=None if ends is None or mean is None else detectable_mean(mean.error, alpha=alpha),
        verdict=verdict,
    )


def _verdict(worse: Regression | None, better: Regression | None) -> tuple[float, Verdict]:
    """What decides, and the word; where both are shown (passes won, points lost), the worse is said."""
    if worse is None or better is None:
        return 1.0, "no difference shown"
    fell, rose = min(worse.p_passes, worse.p_mean), min(better.p_passes, better.p_mean)
    if worse.shown:
        return fell, "regressed"
    return (rose, "improved") if better.shown else (min(fell, rose), "no difference shown")
