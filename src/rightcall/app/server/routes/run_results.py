"""What came of a run: results a page at a time, one case in full, causes, what an option would gain, reports."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from fastapi import Query
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from ....core.diagnosis.kinds import KINDS
from ....core.summing.comparison import Comparison
from ....core.summing.records import Lookups, Reported
from ....core.summing.summary import CauseSummary, WhatIf
from ....errors import PathNotFoundError, UnknownNameError
from ....run.comparing.compare import compare_sides, stored_side
from ....run.directory.judged import kept_judging
from ....run.directory.replay import StoredRun, replay_of
from ....run.directory.runrecord import RESULTS
from ....run.plan import Plan
from ....run.reporting import REPORTS, StoredCases, write_reports
from ....run.what_if import what_ifs, what_ifs_of
from ..answers import CaseShown, ResultPage
from ..asked import plan_of
from ..endpoint import Endpoint, answer, body_of, in_thread, services_of
from ..services import Services

__all__ = ["ENDPOINTS"]


def results(
    request: Request,
    id: str,
    cursor: Annotated[
        str, Query(pattern=r"^\d{1,15}$", description="what `cursor` of the last answer said")
    ] = "0",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    label: Literal["match", "partial", "mismatch", "not_evaluated", "error"] | None = None,
    evaluator: str | None = None,
    tool: Annotated[str | None, Query(description="with a difference on this tool")] = None,
    kind: Annotated[str | None, Query(description="with a difference of this kind")] = None,
) -> Response:
    """Results in the order of the cases, a page at a time, those that the filters leave."""
    services = services_of(request)
    if kind is not None and kind not in KINDS:
        raise UnknownNameError("kind of difference", kind, KINDS, field="kind")
    if evaluator is not None and evaluator not in (ids := _plan(services, id).ids):
        raise UnknownNameError("evaluator of this run", evaluator, ids, field="evaluator")
    return answer(
        services.runs.page(
            id, cursor=int(cursor), limit=limit, label=label, tool=tool, kind=kind, evaluator=evaluator
        )
    )


def case(request: Request, id: str, case: str, evaluator: str | None = None) -> Response:
    """One case: its results, its calls side by side, and the steps of the pairing; once for each trial."""
    services = services_of(request)
    stored = services.runs.stored(id)
    plan = _plan(services, id)
    shown: list[dict[str, Any]] = []
    try:
        trials = stored.find(case)
    except UnknownNameError as error:
        raise PathNotFoundError(error.message, field=error.field, hint=error.hint) from None
    for found in trials:
        results = [_plain(result) for result in found.results]
        played = stored.play(found, plan)
        name = None if played is None else evaluator or played.to_show
        if played is not None and name is not None and name not in played.results:
            raise UnknownNameError("evaluator of this run", name, played.results, field="evaluator")
        shown.append(
            {
                "id": found.id,
                "trial": found.trial,
                "passed": found.passed,
                "results": results,
                "evaluator": name,
                "view": None if played is None or name is None else played.view(name),
            }
        )
    return answer({"trials": shown})


def _plain(result: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.structs.asdict(result)
    plain["details"] = msgspec.json.decode(result.details)
    return plain


def _plan(services: Services, run: str) -> Plan:
    plan = plan_of(services.runs.request(run), None)
    kept = kept_judging(services.runs.place(run))
    return plan if kept is None else msgspec.structs.replace(plan, judging=kept)


def causes(request: Request, id: str) -> Response:
    """What the points were lost to, the costliest first."""
    return answer(services_of(request).runs.stored(id).summary.causes)


def what_if(
    request: Request,
    id: str,
    option: Annotated[
        list[str] | None, Query(description="NAME=JSON; those of the costliest causes unless given")
    ] = None,
) -> Response:
    """What the run would come to with an option more, computed by scoring it again."""
    services = services_of(request)
    stored, plan = services.runs.stored(id), _plan(services, id)
    ended = services.runs.get(id).ended

    def make() -> Sequence[WhatIf]:
        if option:
            return what_ifs(stored, plan, option, asked=True)
        return what_ifs_of(stored.place, plan, stored.summary)()

    return answer(services.making.get(("what-if", id, ended, tuple(option or ())), make))


_MEDIA: Final = {
    "html": ("html", "text/html; charset=utf-8"),
    "md": ("md", "text/markdown; charset=utf-8"),
    "json": ("json", "application/json"),
    "xml": ("junit", "application/xml"),
}
_PAGE_POLICY: Final = {
    "Content-Security-Policy": (
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data:"
    )
}


def report(request: Request, id: str, ending: Literal["html", "md", "json", "xml"]) -> Response:
    """A report of a run that has ended. One that is not there yet is made; a large one is asked for again."""
    services = services_of(request)
    stored = services.runs.stored(id)
    name, media = _MEDIA[ending]
    file = stored.place / REPORTS.get(name).declaration.file
    if not file.exists() or file.stat().st_mtime < (stored.place / "summary.json").stat().st_mtime:
        plan, ended = _plan(services, id), services.runs.get(id).ended
        services.making.get(("report", id, ended, name), lambda: _write(stored, plan, name, id))
    headers = {"Content-Disposition": f'inline; filename="{id}.{ending}"'}
    return FileResponse(
        file, media_type=media, headers={**headers, **(_PAGE_POLICY if ending == "html" else {})}
    )


def _write(stored: StoredRun, plan: Plan, name: str, run: str) -> None:
    lookups = Lookups(
        replay=replay_of(stored.place, plan), what_ifs=what_ifs_of(stored.place, plan, stored.summary)
    )
    reported = Reported(
        run=run,
        summary=stored.summary,
        cases=StoredCases(stored.place / RESULTS),
        replay=lookups.replay,
        what_ifs=lookups.what_ifs,
    )
    # Whole before it is seen: two may ask at the same time.
    with tempfile.TemporaryDirectory(dir=stored.place.parent) as folder:
        for file in write_reports((name,), reported, Path(folder)):
            file.replace(stored.place / file.name)


class CompareRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two runs; `a` came before."""

    a: str
    b: str
    most: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 1000


async def compare(request: Request) -> Response:
    """Two runs side by side: which cases changed, by how much scores differ, and how sure that is."""
    asked = await body_of(request, CompareRequest)
    runs = services_of(request).runs

    def work() -> Comparison:
        sides = (stored_side(runs.stored(run), run) for run in (asked.a, asked.b))
        return compare_sides(*sides, most=asked.most)[0]

    return answer(await in_thread(work))


ENDPOINTS: Final = (
    Endpoint(
        path="/api/v1/runs/{id}/results",
        name="run_results",
        scope="read",
        handler=results,
        summary="Results, a page at a time",
        gives=ResultPage,
        refuses=(404,),
    ),
    Endpoint(
        path="/api/v1/runs/{id}/cases/{case:path}",
        name="run_case",
        scope="read",
        handler=case,
        summary="One case, call by call",
        gives=CaseShown,
        refuses=(404, 409),
    ),
    Endpoint(
        path="/api/v1/runs/{id}/causes",
        name="run_causes",
        scope="read",
        handler=causes,
        summary="What the points were lost to",
        gives=list[CauseSummary],
        refuses=(404, 409),
    ),
    Endpoint(
        path="/api/v1/runs/{id}/what-if",
        name="run_what_if",
        scope="read",
        handler=what_if,
        summary="What an option would gain",
        gives=list[WhatIf],
        refuses=(404, 409),
    ),
    Endpoint(
        path="/api/v1/runs/{id}/report.{ending}",
        name="run_report",
        scope="read",
        handler=report,
        summary="A report: html, md, json or xml (JUnit)",
        media="*/*",
        refuses=(404, 409),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/compare",
        name="compare",
        scope="read",
        handler=compare,
        summary="Two runs side by side",
        body=CompareRequest,
        gives=Comparison,
        refuses=(404, 409),
    ),
)
