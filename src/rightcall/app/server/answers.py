"""Shapes of answers that are made of plain objects, as the OpenAPI document declares them.

What is scored is encoded as it is, with the measures of each evaluator beside the fields that all have, so these are
never built. The tests hold every answer that they get against the document.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType

from ...core.caseview import CaseView
from ...core.results import Difference, Pair
from ...core.summing.records import RowPlace
from ...core.summing.summary import RunSummary
from .runs import RunRecord
from .shown import CallShown
from .traces import TraceRecord

__all__ = [
    "CaseShown",
    "DetailsShown",
    "Exported",
    "OPEN",
    "GoldenCase",
    "ResultPage",
    "ResultShown",
    "RunShown",
    "TraceAnswer",
]

Status = Literal["scored", "not_evaluated", "error"]
Label = Literal["match", "partial", "mismatch", "not_evaluated", "error"]


class DetailsShown(Struct, frozen=True, kw_only=True):
    """The evidence of a score; evaluators add measures of their own.

    Attributes:
        rule: by which calls were paired; None where none were.
        pairs: which actual call served which expected one, by their places in the case.
        missing, extra: places of expected and of actual calls without a partner.
        differences: of every unequal pair and every call without a partner.
    """

    rule: str | UnsetType | None = UNSET
    pairs: list[Pair] | UnsetType = UNSET
    missing: list[int] | UnsetType = UNSET
    extra: list[int] | UnsetType = UNSET
    differences: list[Difference] | UnsetType = UNSET


class ResultShown(Struct, frozen=True, kw_only=True):
    """What one evaluator says of a case. `score` is null where it could not be evaluated; `reason` says why in words."""

    evaluator: str
    kind: str
    status: Status
    score: float | None
    label: Label
    passed: bool | None
    threshold: float
    reason: str
    probabilities: list[float] | None
    details: DetailsShown
    warnings: list[str]
    cost_usd: float
    latency_ms: float | None
    error: str | UnsetType = UNSET


class StoredResult(Struct, frozen=True, kw_only=True):
    """A result of a run, with its case and the row of the data that it came from."""

    id: str
    trial: int | None
    cluster: str | None
    evaluator: str
    kind: str
    status: Status
    score: float | None
    label: Label
    passed: bool | None
    threshold: float
    reason: str
    warnings: list[str]
    error: str | None
    probabilities: list[float] | None
    details: DetailsShown
    row: RowPlace


class ResultPage(Struct, frozen=True, kw_only=True):
    """Some results of a run. `cursor` leads to the next ones; null at the end."""

    results: list[StoredResult]
    cursor: str | None


class RunShown(RunRecord, frozen=True, kw_only=True):
    """A run, and its summary once it has ended."""

    summary: RunSummary | None


class TrialShown(Struct, frozen=True, kw_only=True):
    """A case of a run, at one trial.

    Attributes:
        evaluator: as which the calls are shown; null where they can't be had again.
        view: the calls side by side, and the steps of the pairing.
    """

    id: str
    trial: int | None
    passed: bool | None
    results: list[StoredResult]
    evaluator: str | None
    view: CaseView | None


class CaseShown(Struct, frozen=True, kw_only=True):
    """A case of a run, once for each trial."""

    trials: list[TrialShown]


class OutcomeShown(Struct, frozen=True, kw_only=True):
    """What a trace came to; `error` says why it could not be scored."""

    results: list[ResultShown]
    calls: list[CallShown]
    text: str | None
    warnings: list[str]
    error: str | None


class TraceAnswer(TraceRecord, frozen=True, kw_only=True):
    """A trace, and what it came to once it was scored."""

    outcome: OutcomeShown | None


class PartialSuccess(Struct, frozen=True, kw_only=True, rename="camel"):
    """How many spans were not taken in, and why."""

    rejected_spans: str
    error_message: str


class Exported(Struct, frozen=True, kw_only=True, rename="camel"):
    """What became of spans that were sent: all were taken in unless it says otherwise."""

    partial_success: PartialSuccess | UnsetType = UNSET


class GoldenCase(Struct, frozen=True, kw_only=True):
    """A case as a line of a golden file; a recording may add what was asked and which tools were offered."""

    id: str
    expected_tool_calls: list[ExpectedCallShown]


class ExpectedCallShown(Struct, frozen=True, kw_only=True):
    """A call that is expected from now on."""

    name: str
    arguments: dict[str, Any] | UnsetType = UNSET


OPEN: Final = frozenset({"DetailsShown", "GoldenCase", "ExpectedCallShown"})
"""Names of those that may hold more than they declare."""
