"""csv: a line a case and evaluator, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Final

from ..core.summing.records import CaseRecord, ReportDeclaration, Reported, ResultRecord

DECLARATION = ReportDeclaration(
    id="csv",
    meaning="a line a case and evaluator, for spreadsheets and data frames",
    file="report.csv",
)

COLUMNS: Final = (
    *("id", "trial", "file", "line", "case_passed", "evaluator", "kind", "status", "score", "label"),
    *("passed", "threshold", "kinds", "reason", "error", "warnings"),
)
"""`kinds` are those of the differences, each once, with a blank between; a boolean is ``true`` or ``false``, and a
cell is empty where there is no value."""


def write(reported: Reported) -> Iterator[str]:
    """The table, line by line."""
    buffer = io.StringIO()
    lines = csv.writer(buffer, lineterminator="\n")
    lines.writerow(COLUMNS)
    for case in reported.cases:
        for result in case.results:
            lines.writerow([_cell(value) for value in _values(case, result)])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _values(case: CaseRecord, result: ResultRecord) -> tuple[object, ...]:
    return (
        *(case.id, case.trial, case.row.file, case.row.line, case.passed),
        *(result.evaluator, result.kind, result.status, result.score, result.label),
        *(result.passed, result.threshold, " ".join(kinds_of(result)), result.reason, result.error),
        "\n".join(result.warnings),
    )


def kinds_of(result: ResultRecord) -> list[str]:
    """The kinds of a result's differences, each once, as they first come."""
    if b'"differences"' not in bytes(result.details):
        return []
    found = json.loads(bytes(result.details)).get("differences") or ()
    return list(dict.fromkeys(item["kind"] for item in found))


_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the start of a formula, and would run."""


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = value.replace("\x00", "\ufffd")
        return f"'{text}" if text.startswith(_FORMULA) else text
    return value
