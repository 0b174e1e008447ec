"""What there is: evaluators with all that is known of them, suites, formats; and which format a text is in."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Raw, Struct
from starlette.requests import Request
from starlette.responses import Response

from ....errors import PathNotFoundError, UnknownNameError
from ....run.intake.traces import traces_of
from ....run.pages import EvaluatorPage, page_of
from ....run.sets import EVALUATORS, FORMATS, list_evaluators, list_formats, list_suites
from ..endpoint import Endpoint, answer, body_of, in_thread, services_of
from ..problems import RefusedError
from ..shown import TraceShown, trace_shown

__all__ = ["ENDPOINTS"]


class EvaluatorShown(Struct, frozen=True, kw_only=True):
    """An evaluator in a list."""

    id: str
    meaning: str
    kind: str
    threshold: float
    suites: list[str]


class SuiteShown(Struct, frozen=True, kw_only=True):
    """A suite and its evaluators, in order."""

    id: str
    evaluators: list[str]


class FormatShown(Struct, frozen=True, kw_only=True):
    """A format of recordings."""

    id: str
    meaning: str


class ReadRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A recording to be read.

    Attributes:
        source: the recording: JSON as it is, or a text that holds it.
        format: told by its structure when left out.
    """

    source: Raw
    format: str = "auto"


class ReadAnswer(Struct, frozen=True, kw_only=True):
    """The recordings of a text, in their order."""

    traces: list[TraceShown]


def evaluators(request: Request) -> Response:
    """All evaluators, in the order of listings."""
    found = (EVALUATORS.get(name).declaration for name in list_evaluators())
    return answer(
        [
            EvaluatorShown(
                id=each.id,
                meaning=each.meaning,
                kind=each.kind,
                threshold=each.threshold,
                suites=list(each.suites),
            )
            for each in found
        ]
    )


def evaluator(request: Request, id: str) -> Response:
    """One evaluator: its rule, options, advice and example."""
    try:
        return answer(page_of(EVALUATORS.get(id, field="id").declaration))
    except UnknownNameError as error:
        raise _not_found(error) from None


def suites(request: Request) -> Response:
    """All suites."""
    return answer([SuiteShown(id=name, evaluators=list(members)) for name, members in list_suites().items()])


def formats(request: Request) -> Response:
    """All formats that recordings are read from."""
    found = (FORMATS.get(name).declaration for name in list_formats())
    return answer([FormatShown(id=each.id, meaning=each.meaning) for each in found])


async def read(request: Request) -> Response:
    """Which format a recording is in, and its calls."""
    asked = await body_of(request, ReadRequest)
    most = services_of(request).settings.most_calls

    def work() -> Response:
        source: Any = msgspec.json.decode(asked.source)
        if isinstance(source, str):
            source = source.encode()
        found = traces_of(source, asked.format)
        if sum(len(trace.calls or ()) for trace in found) > most * 10:
            raise RefusedError(413, "too many calls to be shown", hint="read it with rightcall.read_all")
        return answer(ReadAnswer(traces=[trace_shown(trace) for trace in found]))

    return await in_thread(work)


def _not_found(error: UnknownNameError) -> PathNotFoundError:
    return PathNotFoundError(error.message, field=error.field, hint=error.hint)


ENDPOINTS: Final = (
    Endpoint(
        path="/api/v1/evaluators",
        name="list_evaluators",
        scope="evaluate",
        handler=evaluators,
        summary="All evaluators",
        gives=list[EvaluatorShown],
    ),
    Endpoint(
        path="/api/v1/evaluators/{id}",
        name="get_evaluator",
        scope="evaluate",
        handler=evaluator,
        summary="One evaluator: rule, options, advice, example",
        gives=EvaluatorPage,
        refuses=(404,),
    ),
    Endpoint(
        path="/api/v1/suites",
        name="list_suites",
        scope="evaluate",
        handler=suites,
        summary="All suites",
        gives=list[SuiteShown],
    ),
    Endpoint(
        path="/api/v1/formats",
        name="list_formats",
        scope="evaluate",
        handler=formats,
        summary="All formats",
        gives=list[FormatShown],
    ),
    Endpoint(
        method="POST",
        path="/api/v1/read",
        name="read",
        scope="evaluate",
        handler=read,
        summary="Tell the format of a recording and read its calls",
        body=ReadRequest,
        gives=ReadAnswer,
        example={
            "source": {
                "role": "assistant",
                "tool_calls": [
                    {
                        "id": "1",
                        "type": "function",
                        "function": {"name": "get_weather", "arguments": '{"city": "Paris"}'},
                    }
                ],
            }
        },
    ),
)
