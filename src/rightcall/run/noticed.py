"""What is noticed on the way and told at the end: why cases were not evaluated, and what was odd about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ..core.results import Result
from ..core.types import Case
from .aims import Aims
from .plan import Plan
from .stages import BadCase

__all__ = ["TOLD", "Noticed"]

TOLD: Final = 3
"""Different warnings that are told."""

_COUNTED: Final = 100
"""Different warnings of cases that are counted."""

_OF_CASES: Final = 20
"""Those that are told where results are read by programs."""

_LOOKED_AT: Final = 100
"""Cases whose results are asked for warnings, which would be worked out for nobody else."""


class Noticed:
    """Looks at cases on their way.

    Args:
        before: how many cases others have looked at, as far as it is known.

    Attributes:
        absent: for each evaluator the first case that it could not evaluate, and why.
        odd: different warnings, each with the first case that has it.
        times: for warnings about cases as a whole, the first case that has each, and how many have it.
        aims: what options aim at, and whether it was there.
        looked: how many cases were looked at.
    """

    def __init__(self, before: int = 0) -> None:
        self.times: dict[str, tuple[str, int]] = {}
        self.aims = Aims()
        self.absent: dict[str, tuple[str, str]] = {}
        self.odd: dict[str, str] = {}
        self.looked = before

    def look(self, case: Case | BadCase, results: tuple[Result, ...]) -> None:
        """Take note of a case."""
        for result in results:
            if result.status == "not_evaluated" and result.evaluator not in self.absent:
                self.absent[result.evaluator] = case.id, result.reason
        self.looked += 1
        if isinstance(case, BadCase):
            return
        self.look_at(case)
        if len(self.odd) > TOLD:
            return
        if self.looked <= _LOOKED_AT:
            self._note(case.id, *(warning for result in results for warning in result.warnings))
        elif case.warnings:
            self._note(case.id, *case.warnings)

    def look_at(self, case: Case) -> None:
        """Take note of a case alone, whose results somebody else looks at."""
        self.aims.look(case)
        for warning in case.warnings:
            if warning in self.times or len(self.times) < _COUNTED:
                self._count(warning, case.id, 1)

    def aim(self, plan: Plan) -> None:
        """Look out for what the options of a plan aim at."""
        before, self.aims = self.aims, Aims(plan)
        self.aims.merge(before)

    def _note(self, case_id: str, *warnings: str) -> None:
        for warning in warnings:
            self.odd.setdefault(warning, case_id)

    def merge(self, later: Noticed) -> None:
        """Take in what was noticed of the cases that follow."""
        self.absent = later.absent | self.absent
        for warning, case_id in later.odd.items():
            self.odd.setdefault(warning, case_id)
        for warning, (case_id, times) in later.times.items():
            self._count(warning, case_id, times)
        self.aims.merge(later.aims)
        self.looked += later.looked

    def _count(self, warning: str, case_id: str, times: int) -> None:
        first, before = self.times.get(warning, (case_id, 0))
        self.times[warning] = first, before + times

    def told(self, shown: Callable[[str], str] = str) -> Iterator[str]:
        """The first different warnings, each with the first case that has it, its id as `shown`, and how many have it."""
        for number, (warning, case_id) in enumerate(list(self.odd.items())[:TOLD], 1):
            more = " (and more like it)" if number == TOLD < len(self.odd) else ""
            yield f"{_where(shown(case_id), self.times.get(warning, ('', 1))[1])}: {warning}{more}"

    def of_the_run(self) -> Iterator[str]:
        """What is said of cases as a whole and of options, where nobody looks at results."""
        for warning, (case_id, times) in list(self.times.items())[:_OF_CASES]:
            yield f"{_where(case_id, times)}: {warning}"
        if len(self.times) > _OF_CASES:
            yield "and more warnings of cases; they are in their results"
        yield from self.aims.missed()


def _where(case_id: str, times: int) -> str:
    return f"case {case_id}" if times == 1 else f"{times:,} cases, first {case_id}"
