"""Flakiness: cases whose repeated trials do not agree with each other."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec


class Flaky(msgspec.Struct, frozen=True, kw_only=True):
    """One case whose trials disagree: how many trials, and how many of them passed."""

    id: str
    trials: int
    passed: int


class Flakiness(msgspec.Struct, frozen=True, kw_only=True):
    """How many cases are flaky.

    Attributes:
        repeated: cases with two trials or more; only they can be flaky.
        cases: the flaky ones among them.
        share: cases / repeated; None where no case was repeated.
        worst: those nearest to half passed, half failed; ties by id.
    """

    repeated: int
    cases: int
    share: float | None
    worst: tuple[Flaky, ...]


def flakiness(trials: Mapping[str, Sequence[int]], *, most: int = 10) -> Flakiness:
    """How far the trials of cases agree.

    Args:
        trials: case id to (number of trials, of these passed).
        most: how many of the worst are named.

    Raises:
        ValueError: more trials passed than there were.
    """
    repeated = 0
    found: list[Flaky] = []
    for case_id, (n, passed) in trials.items():
        if not 0 <= passed <= n:
            raise ValueError(f"passed trials must be in 0..n, got {passed} of {n}")
        repeated += n > 1
        if 0 < passed < n:
            found.append(Flaky(id=case_id, trials=n, passed=passed))
    found.sort(key=lambda case: (abs(Fraction(case.passed, case.trials) - Fraction(1, 2)), case.id))
    return Flakiness(
        repeated=repeated,
        cases=len(found),
        share=len(found) / repeated if repeated else None,
        worst=tuple(found[:most]),
    )
