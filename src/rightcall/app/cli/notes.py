"""What is worth a line after a run: why cases were not evaluated, and what was odd about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...core.results import Result
from ...core.summary import RunSummary
from ...core.types import Case
from ...run.runner import Write
from ...run.stages import BadCase
from .screen import short

__all__ = ["Notes"]

_TOLD: Final = 3
"""Different warnings that are told."""

_LOOKED_AT: Final = 100
"""Cases whose results are asked for warnings, which would be worked out for nobody else."""


class Notes:
    """Looks at cases on their way, and hands them on.

    Args:
        write: takes the results; None where they are not written down.
    """

    def __init__(self, write: Write | None) -> None:
        self._write = write
        self._absent: dict[str, tuple[str, str]] = {}
        self._odd: dict[str, str] = {}
        self._seen = 0

    def __call__(self, case: Case | BadCase, results: tuple[Result, ...], passed: bool | None) -> None:  # noqa: FBT001
        """Take a case."""
        if self._write is not None:
            self._write(case, results, passed)
        for result in results:
            if result.status == "not_evaluated" and result.evaluator not in self._absent:
                self._absent[result.evaluator] = case.id, result.reason
        self._seen += 1
        if len(self._odd) > _TOLD or type(case) is BadCase:
            return
        if self._seen <= _LOOKED_AT:
            self._note(case.id, *(warning for result in results for warning in result.warnings))
        elif case.warnings:  # type: ignore[union-attr]  # no BadCase
            self._note(case.id, *case.warnings)  # type: ignore[union-attr]

    def _note(self, case_id: str, *warnings: str) -> None:
        for warning in warnings:
            self._odd.setdefault(warning, case_id)

    def not_evaluated(self, summary: RunSummary) -> Iterator[str]:
        """A line for evaluators that could evaluate nothing, and one for cases that could not be evaluated."""
        groups: dict[tuple[str, int], list[str]] = {}
        for name, found in summary.evaluators.items():
            if not found.not_evaluated or name not in self._absent:
                continue
            case_id, reason = self._absent[name]
            if found.not_evaluated == summary.cases:
                yield f"{name} was not evaluated: {reason}"
            else:
                groups.setdefault((case_id, found.not_evaluated), []).append(name)
        for (case_id, number), names in groups.items():
            by = "" if len(names) == len(summary.evaluators) else f" by {', '.join(names)}"
            were = "case was" if number == 1 else "cases were"
            reason = self._absent[names[0]][1]
            yield f"{number:,} {were} not evaluated{by}; the first is {short(case_id)}: {reason}"

    def warnings(self) -> Iterator[str]:
        """The first different warnings, each with the first case that has it."""
        told = list(self._odd.items())[:_TOLD]
        for number, (warning, case_id) in enumerate(told, 1):
            more = " (and more like it)" if number == _TOLD < len(self._odd) else ""
            yield f"case {short(case_id)}: {warning}{more}"
