"""html: one page that needs no network: what to fix first, every figure, and the worst cases call by call."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.summing.records import ReportDeclaration, Reported
from ..page import document, pack_cases, pack_overview, pointed_at

DECLARATION = ReportDeclaration(
    id="html",
    meaning="a page to open in a browser: what to fix first, and the worst cases call by call",
    file="report.html",
    compares=True,
)


def write(reported: Reported) -> Iterator[str]:
    """The page, piece by piece."""
    overview = pack_overview(reported.run, reported.summary, reported.comparison, reported.what_ifs)
    shown = pointed_at(reported.summary, reported.comparison)
    yield from document(overview, pack_cases(reported.cases, reported.replay, shown))
