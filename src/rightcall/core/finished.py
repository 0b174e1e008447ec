"""A finished run: the results of many cases, with what they add up to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from .results import CaseResults
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
        plan: what was run, so that the summary can be made.
    """

    results: list[CaseResults]
    tally: Tally
    signature: str = ""
    warnings: tuple[str, ...] = ()
    plan: Any = None

    def __iter__(self) -> Iterator[CaseResults]:
        return iter(self.results)

    def __len__(self) -> int:
        return self.tally.cases
