"""What is noticed on the way and told at the end: why cases were not evaluated, and what was odd about them."""

from __future__ import annotations

from typing import Final

from ..core.results import Result
from ..core.types import Case
from .stages import BadCase

__all__ = ["TOLD", "Noticed"]

TOLD: Final = 3
"""Different warnings that are told."""

_LOOKED_AT: Final = 100
"""Cases whose results are asked for warnings, which would be worked out for nobody else."""


class Noticed:
    """Looks at cases on their way.

    Args:
        before: how many cases others have looked at, as far as it is known.

    Attributes:
        absent: for each evaluator the first case that it could not evaluate, and why.
        odd: different warnings, each with the first case that has it.
        looked: how many cases were looked at.
    """

    def __init__(self, before: int = 0) -> None:
        self.absent: dict[str, tuple[str, str]] = {}
        self.odd: dict[str, str] = {}
        self.looked = before

    def look(self, case: Case | BadCase, results: tuple[Result, ...]) -> None:
        """Take note of a case."""
        for result in results:
            if result.status == "not_evaluated" and result.evaluator not in self.absent:
                self.absent[result.evaluator] = case.id, result.reason
        self.looked += 1
        if len(self.odd) > TOLD or type(case) is BadCase:
            return
        if self.looked <= _LOOKED_AT:
            self._note(case.id, *(warning for result in results for warning in result.warnings))
        elif case.warnings:  # type: ignore[union-attr]  # no BadCase
            self._note(case.id, *case.warnings)  # type: ignore[union-attr]

    def _note(self, case_id: str, *warnings: str) -> None:
        for warning in warnings:
            self.odd.setdefault(warning, case_id)

    def merge(self, later: Noticed) -> None:
        """Take in what was noticed of the cases that follow."""
        self.absent = later.absent | self.absent
        for warning, case_id in later.odd.items():
            self.odd.setdefault(warning, case_id)
        self.looked += later.looked
