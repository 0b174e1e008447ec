"""json: the summary and every result in one document, for other programs."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ..core.summing.records import ReportDeclaration, Reported

DECLARATION = ReportDeclaration(
    id="json",
    meaning="the summary and every result in one document, for other programs",
    file="report.json",
)

FORMAT = 1
"""Changes when a field changes its meaning or goes."""


def write(reported: Reported) -> Iterator[str]:
    """The document, piece by piece."""
    head = msgspec.json.encode({"format": FORMAT, "summary": reported.summary}).decode()
    yield head[:-1] + ',"results":['
    between = "\n"
    for case in reported.cases:
        for result in case.results:
            yield between + msgspec.json.encode(result).decode()
            between = ",\n"
    yield "\n]}\n"
