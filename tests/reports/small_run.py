"""A run with one case of every outcome, as it would be read back from a run directory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from rightcall import Run, evaluate_cases
from rightcall.core.summing.records import CaseRecord, ResultRecord, RowPlace
from rightcall.core.summing.summary import RunSummary
from rightcall.run.gates import Gates, check_gates
from rightcall.run.summarize import summary_of


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


_SEARCH = _call("search", q="kettle", limit=5)

SMALL_RUN: Run = evaluate_cases(
    [
        {"id": "right", "tool_calls": [_SEARCH], "expected_tool_calls": [_SEARCH]},
        {
            "id": "case",
            "tool_calls": [_call("search", q="Kettle", limit=5)],
            "expected_tool_calls": [_SEARCH],
        },
        {"id": "a|b <c>", "tool_calls": [], "expected_tool_calls": [_SEARCH], "trial": 0},
        {"id": "broken", "tool_calls": 42, "expected_tool_calls": [_SEARCH]},
        {"id": "no gold", "tool_calls": [_SEARCH]},
    ],
    ["tool_call_accuracy", "tool_call_args"],
    threshold={"tool_call_accuracy": 0.5},
)


def summary_of_small_run() -> RunSummary:
    """Its summary, with the default gate; the version is taken out, since it would change every golden file."""
    summary = summary_of(SMALL_RUN)
    summary = replace(summary, gates=check_gates(summary, Gates(max_errors=1)))
    return replace(summary, version="0", signature=re.sub(r"/\S+", "/0", summary.signature, count=1))


def cases_of(run: Run) -> Iterator[CaseRecord]:
    """The cases of a run as reports are given them."""
    for case in run:
        place = RowPlace(file="small.jsonl", line=case.row + 1, offset=0)
        yield CaseRecord(
            id=case.id,
            trial=case.trial,
            row=place,
            results=tuple(
                ResultRecord(
                    id=case.id,
                    trial=case.trial,
                    evaluator=result.evaluator,
                    status=result.status,
                    score=result.score,
                    label=result.label,
                    passed=result.passed,
                    threshold=result.threshold,
                    reason=result.reason,
                    warnings=result.warnings,
                    error=result.error,
                    details=msgspec.Raw(msgspec.json.encode(result.details.as_dict())),
                    row=place,
                )
                for result in case.results
            ),
        )
