"""Scoring on request: decoded from the raw body, in the loop where it is short, in a thread where it is not."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ....core.summing.summary import RunSummary
from ..answers import ResultShown
from ..bodies import check_depth, decoded, read_body
from ..endpoint import Endpoint, answer, in_thread, services_of
from ..scoring import BatchRequest, EvaluateRequest, score_batch, score_one

__all__ = ["ENDPOINTS"]

_SHORT: Final = 32 * 1024
"""Bytes up to which scoring takes less time than handing it to a thread is worth."""


class Usage(Struct, frozen=True, kw_only=True):
    """What it took. Free evaluators cost nothing."""

    cost_usd: float
    latency_ms: float


class Evaluated(Struct, frozen=True, kw_only=True):
    """The results of a case, in the order of the evaluators."""

    results: list[ResultShown]
    usage: Usage


class CaseEvaluated(Struct, frozen=True, kw_only=True):
    """The results of a case of a batch. `passed` is null where nothing could be evaluated."""

    id: str
    trial: int | None
    passed: bool | None
    results: list[ResultShown]


class BatchEvaluated(Struct, frozen=True, kw_only=True):
    """The results of many cases, in their order, and what they sum up to."""

    cases: list[CaseEvaluated]
    warnings: list[str]
    usage: Usage
    summary: RunSummary | None = None


async def evaluate(request: Request) -> Response:
    """Score one case."""
    services = services_of(request)
    settings = services.settings
    body = await read_body(request, settings)
    check_depth(body, settings.most_depth)
    asked = decoded(body, EvaluateRequest)
    short = len(body) <= _SHORT and asked.model is None
    found = score_one(asked, settings) if short else await in_thread(score_one, asked, settings)
    services.metrics.counted([_passed(found["results"])])
    return answer(found)


async def batch(request: Request) -> Response:
    """Score many cases."""
    services = services_of(request)
    body = await read_body(request, services.settings)

    def work() -> tuple[Response, list[bool | None]]:
        check_depth(body, services.settings.most_depth)
        found = score_batch(decoded(body, BatchRequest), services.settings)
        return answer(found), [case["passed"] for case in found["cases"]]

    response, verdicts = await in_thread(work)
    services.metrics.counted(verdicts)
    return response


def _passed(results: list[dict[str, Any]]) -> bool | None:
    scored = [result["passed"] for result in results if result["status"] == "scored"]
    return all(scored) if scored else None


_CASE: Final[dict[str, Any]] = {
    "tool_calls": [{"name": "book_flight", "args": {"flight_id": "UA-873", "passenger": "Priya"}}],
    "expected_tool_calls": [{"name": "book_flight", "args": {"flight_id": "UA-873", "passenger": "Priya"}}],
}

ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/api/v1/evaluate",
        name="evaluate",
        scope="evaluate",
        handler=evaluate,
        summary="Score one case",
        body=EvaluateRequest,
        gives=Evaluated,
        example={"evaluators": ["tool_call_args"], "output": "Booked.", **_CASE},
    ),
    Endpoint(
        method="POST",
        path="/api/v1/evaluate/batch",
        name="evaluate_batch",
        scope="evaluate",
        handler=batch,
        summary="Score up to 1,000 cases",
        body=BatchRequest,
        gives=BatchEvaluated,
        example={"suite": "agent", "cases": [{"id": "c1", **_CASE}]},
    ),
)
