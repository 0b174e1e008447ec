"""Scoring on request: a body becomes cases, cases become results, results become the answer. Pure but for the clock."""

from __future__ import annotations

import time
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ...core.results import Result
from ...core.summing.tally import Tally
from ...core.types import Case, Source
from ...run.dataset import Dataset, Reading
from ...run.intake.linewise import Record
from ...run.noticed import Noticed
from ...run.rows import case_from_line
from ...run.sets import FORMATS
from ...run.stages import BadCase, Scorer
from ...run.summarize import summarize
from .asked import Asked, plan_of
from .problems import RefusedError
from .settings import Settings

__all__ = ["BatchRequest", "EvaluateRequest", "score_batch", "score_one"]

_Any = Raw | UnsetType


class EvaluateRequest(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One case, and what to score it with. Sides are as in Python: calls, one call, a message, or the JSON text of any.

    Attributes:
        format: of the actual calls; told by their structure when left out.
        output: the calls made; with `tool_calls` given it is the agent's text.
        tool_calls: the calls made, under their other name.
        expected, expected_tool_calls: the calls that should have been made.
        expected_any, expected_any_of: accepted values for each argument; whole lists any of which is fine.
        forbidden: tools that must not be called.
        expected_counts: how often tools must be called.
        tools: definitions of the tools that were offered.
        input: what the agent was asked.
    """

    format: str = "auto"
    id: str | UnsetType = UNSET
    output: _Any = UNSET
    tool_calls: _Any = UNSET
    expected: _Any = UNSET
    expected_tool_calls: _Any = UNSET
    expected_any: _Any = UNSET
    expected_any_of: _Any = UNSET
    forbidden: _Any = UNSET
    expected_counts: _Any = UNSET
    tools: _Any = UNSET
    input: _Any = UNSET


_CASE: Final = tuple(
    name for name in EvaluateRequest.__struct_fields__ if name not in (*Asked.__struct_fields__, "format")
)
_CaseFields: Final = msgspec.defstruct("_CaseFields", [(name, Any, UNSET) for name in _CASE], frozen=True)
"""A request without what is no part of its case."""


class BatchRequest(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Many cases, and what to score them with.

    Attributes:
        cases: rows as in a file of cases: `id`, `tool_calls`, `expected_tool_calls`, ..
        format: of the actual calls; told by their structure when left out.
        summarize: whether to sum up.
    """

    cases: list[Raw]
    format: str = "auto"
    summarize: bool = True


def score_one(request: EvaluateRequest, settings: Settings) -> dict[str, Any]:
    """The answer to one case.

    Raises:
        UsageError: what is asked for can't be.
        DataError: the calls can't be read; `field` says where.
        RefusedError: too many calls.
    """
    start = time.perf_counter()
    plan = plan_of(request, settings.judges)
    _check_format(request.format)
    line = msgspec.json.encode(_CaseFields(*[getattr(request, name) for name in _CASE]))
    case = case_from_line(line, row=0, source=Source(), format=request.format)
    _check_size(case, settings, "")
    results = Scorer(plan, Tally(), raising=True).score_timed(case, time.perf_counter)
    shown = [result.as_dict() for result in results]
    spent = round(1000 * (time.perf_counter() - start), 4)
    return {"results": shown, "usage": {"cost_usd": sum(r.cost_usd for r in results), "latency_ms": spent}}


def score_batch(request: BatchRequest, settings: Settings) -> dict[str, Any]:
    """The answer to many cases; one that can't be read is an error of that case and nothing else.

    Raises:
        UsageError, RefusedError: as :func:`score_one`; nothing was scored.
    """
    start = time.perf_counter()
    plan = plan_of(request, settings.judges)
    _check_format(request.format)
    if len(request.cases) > settings.most_cases:
        raise RefusedError(
            413, f"{len(request.cases):,} cases; {settings.most_cases:,} may be sent", field="cases"
        )
    data = Dataset("cases", reading=Reading(format=request.format), files=())
    records = (Record(Source(line=row + 1), bytes(line)) for row, line in enumerate(request.cases))
    cases = list(data.cases(records))
    for case in cases:
        if isinstance(case, Case):
            _check_size(case, settings, f"cases[{case.row}].")
    tally = Tally()
    scorer = Scorer(plan, tally)
    noticed = Noticed()
    noticed.aim(plan)
    shown: list[dict[str, Any]] = []
    cost = 0.0
    for at in range(0, len(cases), _AT_ONCE):
        part = cases[at : at + _AT_ONCE]
        for case, results in zip(part, scorer.score_all(part), strict=True):
            passed = tally.count_case(results)
            if isinstance(case, Case):
                noticed.look_at(case)
            cost += sum(result.cost_usd for result in results)
            shown.append(_case_shown(case, results, passed=passed))
    scorer.settle()
    answer: dict[str, Any] = {"cases": shown, "warnings": [*data.warnings, *noticed.of_the_run()]}
    if request.summarize:
        answer["summary"] = summarize(tally, plan)
    answer["usage"] = {"cost_usd": cost, "latency_ms": round(1000 * (time.perf_counter() - start), 4)}
    return answer


_AT_ONCE: Final = 128


def _case_shown(case: Case | BadCase, results: tuple[Result, ...], *, passed: bool | None) -> dict[str, Any]:
    return {
        "id": case.id,
        "trial": case.trial,
        "passed": passed,
        "results": [result.as_dict() for result in results],
    }


def _check_format(name: str) -> None:
    if name != "auto":
        FORMATS.get(name, field="format")


def _check_size(case: Case, settings: Settings, place: str) -> None:
    most = settings.most_calls
    expected = case.expected.calls if case.expected is not None else None
    for calls, side in ((case.actual, "tool_calls"), (expected, "expected_tool_calls")):
        if calls is not None and len(calls) > most:
            raise RefusedError(
                413, f"{len(calls):,} calls on one side; {most:,} may be sent", field=f"{place}{side}"
            )
