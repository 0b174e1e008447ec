"""A finished run: the results of many cases, with what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from ..results import CaseResults
from .summary import RunSummary
from .tally import Tally

__all__ = ["Run"]


class Run(Struct, kw_only=True):
    """Results of many cases, with what they add up to.

    Attributes:
        results: (case id, trial, results by evaluator) in input order; empty when they were written to a
            run directory instead of kept.
        tally: everything that is counted.
        signature: how the numbers were made, one line that parses back.
        warnings: what was odd about the data as a whole, e.g. repeated ids.
        plan: what was run.
        summarize: makes the summary; given by who ran it, since statistics live above this floor.
    """

    results: list[CaseResults]
    tally: Tally
    signature: str = ""
    warnings: tuple[str, ...] = ()
    plan: Any = None
    summarize: Callable[[Run], RunSummary] | None = None

    def __iter__(self) -> Iterator[CaseResults]:
        return iter(self.results)

    def summary(self) -> RunSummary:
        """What the run adds up to: means, intervals, pass rates, tools and causes."""
        if self.summarize is None:
            raise RuntimeError("this run was not made by evaluate_cases")
        return self.summarize(self)

    def __repr__(self) -> str:
        tally = self.tally
        return f"<Run of {tally.cases} cases: {tally.passed} passed, {tally.failed} failed, {tally.errors} in error>"

    def __len__(self) -> int:
        return self.tally.cases
