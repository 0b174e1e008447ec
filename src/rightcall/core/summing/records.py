"""Results as they are written down: one line a case and evaluator, and what a report is given of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

from msgspec import Raw, Struct

from ..caseview import CaseView
from .comparison import Comparison
from .summary import RunSummary, WhatIf

__all__ = [
    "CaseRecord",
    "Lookups",
    "Replay",
    "ReplayedCase",
    "Report",
    "ReportDeclaration",
    "Reported",
    "ResultRecord",
    "RowPlace",
    "WhatIfs",
    "report_of",
]


class RowPlace(Struct, frozen=True, kw_only=True, gc=False):
    """Where a row stands: file as given, line from 1, byte offset in the decompressed text."""

    file: str | None = None
    line: int | None = None
    offset: int | None = None


class ResultRecord(Struct, frozen=True, kw_only=True, gc=False):
    """One line of results.jsonl. `details` are kept as they are written until somebody asks."""

    id: str
    trial: int | None = None
    cluster: str | None = None
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
    """What a report is, and the name of its file in a run directory.

    Attributes:
        compares: whether it shows a comparison where it is given one.
        extra, module: the extra that it needs, and a module by which that is told; None where it needs none.
    """

    id: str
    meaning: str
    file: str
    compares: bool = False
    extra: str | None = None
    module: str | None = None


class ReplayedCase(Struct, frozen=True, kw_only=True, gc=False):
    """What the source says of a case beside its results.

    Attributes:
        input: what the agent was asked, as text, cut where it is long; None where it was not recorded.
        view: the calls side by side; None where no evaluator of the run pairs calls.
    """

    input: str | None = None
    tags: tuple[str, ...] = ()
    view: CaseView | None = None


Replay = Callable[[Sequence[CaseRecord]], Iterator[ReplayedCase | None]]
"""Reads cases again from their source, in one go through it; one for each case, in the order given, None where
nothing can be read of it. Raises SourceError, at the first one asked for, when a source has changed since the run."""


WhatIfs = Callable[[], Sequence[WhatIf]]
"""Scores the cases again with the options that would accept the costliest causes. Raises SourceError, as `Replay`."""


class Lookups(Struct, frozen=True, kw_only=True):
    """What reports can be told beside summary and results, where somebody asks.

    Attributes:
        replay: how cases are had again from their source; None where there is none.
        what_ifs: how it is found out what an option would gain; None where it can't be.
        comparison: with an earlier run; None where there is none.
    """

    replay: Replay | None = None
    what_ifs: WhatIfs | None = None
    comparison: Comparison | None = None


class Reported(Lookups, frozen=True, kw_only=True):
    """A finished run, as a report is given it.

    Attributes:
        run: the run directory as it was named, for commands that a reader can copy.
        cases: with their results, in the order of the input. They may be gone through more than once: each time
            they are read anew, so a report that keeps none of them needs no memory for them.
    """

    run: str
    summary: RunSummary
    cases: Iterable[CaseRecord]


Write = Callable[[Reported], Iterator[str] | Iterator[bytes]]


class Report(Struct, frozen=True):
    """A report gets a finished run, and gives its file piece by piece, as text or as bytes."""

    declaration: ReportDeclaration
    write: Write


def report_of(module: ModuleType) -> Report:
    """The report that a file of the `reports` folder holds."""
    held: Any = module
    return Report(held.DECLARATION, held.write)
