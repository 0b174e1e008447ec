"""junit: one test case a case; failure for a missed threshold, error for a case that could not be scored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..core.summing.records import CaseRecord, ReportDeclaration, Reported, ResultRecord

DECLARATION = ReportDeclaration(
    id="junit",
    meaning="one test case a case, for CI systems: failure, error and skipped",
    file="junit.xml",
)


def write(reported: Reported) -> Iterator[str]:
    """The document, piece by piece."""
    summary = reported.summary
    counts = (
        f'tests="{summary.cases}" failures="{summary.failed - summary.errors}" '
        f'errors="{summary.errors}" skipped="{summary.not_evaluated}"'
    )
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuites name="rightcall" {counts}>\n<testsuite name="rightcall" {counts}>\n'
    yield f'<properties><property name="signature" value="{_attribute(summary.signature)}"/></properties>\n'
    for case in reported.cases:
        yield _case(case)
    yield "</testsuite>\n</testsuites>\n"


def _case(case: CaseRecord) -> str:
    place = case.row.file or "rightcall"
    line = f' line="{case.row.line}"' if case.row.line is not None else ""
    head = f'<testcase classname="{_attribute(place)}" name="{_attribute(case.name)}"{line}'
    body = _outcome(case)
    return f"{head}>{body}</testcase>\n" if body else f"{head}/>\n"


def _outcome(case: CaseRecord) -> str:
    if case.passed:
        return ""
    if case.passed is None:
        first = next(iter(case.results), None)
        return f'<skipped message="{_attribute(first.reason if first else "no result")}"/>'
    if case.has_error:
        cause = next(result for result in case.results if result.status == "error")
        return _element("error", cause.error or "error", cause, case)
    cause = next(result for result in case.results if result.passed is False)
    return _element("failure", cause.label, cause, case)


def _element(name: str, kind: str, cause: ResultRecord, case: CaseRecord) -> str:
    text = "\n".join(_line(result) for result in case.results)
    message = _attribute(_line(cause))
    return f'<{name} type="{_attribute(kind)}" message="{message}">{_text(text)}</{name}>'


def _line(result: ResultRecord) -> str:
    if result.score is None:
        return f"{result.evaluator}: {result.status}: {result.reason}"
    mark = "passed" if result.passed else "missed"
    return f"{result.evaluator}: {result.score:.6g} ({mark} {result.threshold:g}): {result.reason}"


# XML 1.0 has no place for these, not even escaped.
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _text(text: str) -> str:
    clean = _NOT_XML.sub("\ufffd", text)
    return clean.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def _attribute(text: str) -> str:
    return _text(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
