"""github: the summary of a workflow step, and annotations at the rows of the worst cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..core.summing.records import CaseRecord, ReportDeclaration, Reported
from .md import cause_of, page, worst

DECLARATION = ReportDeclaration(
    id="github",
    meaning="the summary of a GitHub workflow step; in a workflow it is shown there, with annotations",
    file="github.md",
)

SHOWN: Final = 50
CAUSES: Final = 20
MOST: Final = 900_000
"""Characters of the page. A step's summary takes a mebibyte."""

ANNOTATIONS: Final = 10
"""As many as a step shows of one kind."""


def write(reported: Reported) -> Iterator[str]:
    """The page; longer than a comment, as a step's summary may be."""
    yield page(reported, cases=SHOWN, causes=CAUSES, most=MOST)


def workflow_commands(reported: Reported) -> Iterator[str]:
    """Workflow commands, a line each: an error for each missed gate and for the worst cases, where they stand.

    A runner takes every line that begins with two colons for a command, so each value is escaped as it asks.
    """
    missed = [gate for gate in reported.summary.gates if not gate.met][:ANNOTATIONS]
    for gate in missed:
        yield _command({"title": f"rightcall: {gate.gate.replace('_', ' ')} missed"}, gate.message)
    left = ANNOTATIONS - len(missed)
    if left > 0:
        for case in worst(reported.cases, left)[0]:
            yield _command(_place(case) | {"title": f"rightcall: {case.name}"}, cause_of(case).reason)


def _place(case: CaseRecord) -> dict[str, str]:
    row = case.row
    if row.file is None or row.file == "-":
        return {}
    return {"file": row.file} | ({} if row.line is None else {"line": str(row.line)})


_LONGEST: Final = 1000


def _command(properties: dict[str, str], message: str) -> str:
    named = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::error {named}::{_data(message)}"


def _data(text: str) -> str:
    return text[:_LONGEST].replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
