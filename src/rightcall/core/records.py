"""Results as they are written down: one line a case and evaluator, and what a report is given of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

from msgspec import Raw, Struct

from .summary import RunSummary

__all__ = ["CaseRecord", "Report", "ReportDeclaration", "ResultRecord", "RowPlace", "report_of"]


class RowPlace(Struct, frozen=True, kw_only=True, gc=False):
    """Where a row stands: file as given, line from 1, byte offset in the decompressed text."""

    file: str | None = None
    line: int | None = None
    offset: int | None = None


class ResultRecord(Struct, frozen=True, kw_only=True, gc=False):
    """One line of results.jsonl. `details` are kept as they are written until somebody asks."""

    id: str
    trial: int | None = None
    evaluator: str
    kind: str = "code"
    status: str
    score: float | None = None
    label: str
    passed: bool | None = None
    threshold: float
    reason: str = ""
    warnings: tuple[str, ...] = ()
    error: str | None = None
    probabilities: tuple[float, ...] | None = None
    details: Raw = Raw(b"{}")
    row: RowPlace = RowPlace()


class CaseRecord(Struct, frozen=True, kw_only=True, gc=False):
    """The written results of one case, in the order of the run's evaluators."""

    id: str
    trial: int | None = None
    row: RowPlace = RowPlace()
    results: tuple[ResultRecord, ...] = ()

    @property
    def name(self) -> str:
        """The id, and the trial where there is one."""
        return self.id if self.trial is None else f"{self.id} [trial {self.trial}]"

    @property
    def passed(self) -> bool | None:
        """The case's own verdict (contract 4); None when nothing could be evaluated."""
        if self.has_error:
            return False
        scored = [result.passed for result in self.results if result.status == "scored"]
        return all(scored) if scored else None

    @property
    def has_error(self) -> bool:
        """Whether a result of it is an error."""
        return any(result.status == "error" for result in self.results)


class ReportDeclaration(Struct, frozen=True, kw_only=True):
    """What a report is, and the name of its file in a run directory."""

    id: str
    meaning: str
    file: str


Write = Callable[[RunSummary, Iterable[CaseRecord]], Iterator[str]]


class Report(Struct, frozen=True):
    """A report gets a finished summary and the cases one by one, and gives its text piece by piece."""

    declaration: ReportDeclaration
    write: Write


def report_of(module: ModuleType) -> Report:
    """The report that a file of the `reports` folder holds."""
    held: Any = module
    return Report(held.DECLARATION, held.write)
