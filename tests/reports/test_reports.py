"""Reports of one small run, compared with golden files; see golden/README.md for how to renew them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec import Raw

from rightcall.core.summing.records import CaseRecord, Reported, ResultRecord, RowPlace
from rightcall.core.summing.summary import RunSummary
from rightcall.run.reporting import REPORTS
from tests.reports.small_run import SMALL_RUN, cases_of, summary_of_small_run

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def summary() -> RunSummary:
    return summary_of_small_run()


def text_of(name: str, summary: RunSummary, cases: Iterator[CaseRecord]) -> str:
    reported = Reported(run="runs/small", summary=summary, cases=list(cases))
    pieces = list(REPORTS.get(name).write(reported))
    assert all(isinstance(piece, str) for piece in pieces)
    return "".join(map(str, pieces))


# The page packs its data, and how it does is the business of test_html.py.
# Parquet is no text; see test_tables.py.
TEXTS = [name for name in REPORTS.ids() if name not in ("html", "parquet")]


@pytest.mark.parametrize("name", TEXTS)
def test_a_report_is_as_it_was(name: str, summary: RunSummary):
    text = text_of(name, summary, cases_of(SMALL_RUN))
    golden = GOLDEN / REPORTS.get(name).declaration.file
    if os.environ.get("RIGHTCALL_GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8"), "see golden/README.md"


@pytest.mark.parametrize("name", [name for name in REPORTS.ids() if name != "parquet"])
def test_a_report_is_declared_under_its_file_name_and_ends_its_last_line(name: str, summary: RunSummary):
    declaration = REPORTS.get(name).declaration
    assert (declaration.id, bool(declaration.meaning)) == (name, True)
    assert text_of(name, summary, cases_of(SMALL_RUN)).endswith("\n")
    assert text_of(name, summary, iter(())).endswith("\n")


def test_json_is_one_document(summary: RunSummary):
    document = json.loads(text_of("json", summary, cases_of(SMALL_RUN)))
    assert document["format"] == 1
    assert len(document["results"]) == summary.cases * len(summary.evaluators)
    assert json.loads(text_of("json", summary, iter(())))["results"] == []


def test_junit_counts_what_it_holds(summary: RunSummary):
    root = ET.fromstring(text_of("junit", summary, cases_of(SMALL_RUN)))  # noqa: S314 - our own text
    held = {
        name: len(list(root.iter(tag)))
        for name, tag in (
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        )
    }
    assert held == {name: int(root.get(name, "")) for name in held}
    assert all(held.values()), "the small run should show every outcome"


NASTY = "\x00\x1b[31m ]]> <b>&amp;\"'|`@here\r\n\u2028\ufffe\U0001f600 [x](http://y) #1 *s* ~~t~~"


def nasty() -> Iterator[CaseRecord]:
    result = ResultRecord(
        id=NASTY, evaluator="tool_call_args", status="scored", score=0.0, label="mismatch", passed=False,
        threshold=1.0, reason=NASTY, details=Raw(b"{}"), row=RowPlace(file=NASTY, line=1, offset=0),
    )  # fmt: skip
    yield CaseRecord(id=NASTY, row=result.row, results=(result,))


def test_junit_survives_any_text(summary: RunSummary):
    root = ET.fromstring(text_of("junit", summary, nasty()))  # noqa: S314 - our own text
    (case,) = root.iter("testcase")
    assert "\U0001f600" in case.get("name", "")
    assert "<b>&amp;" in case.get("name", "")


def test_markdown_survives_any_text(summary: RunSummary):
    text = text_of("md", summary, nasty())
    (line,) = [line for line in text.splitlines() if line.startswith("- `")]
    prose = line.rpartition("`` ")[2]
    assert "<b>" not in prose
    assert "@here" not in prose
    assert "[x](" not in prose
    assert "\x1b" not in text
    assert "\x00" not in text


def test_markdown_is_about_one_screen(summary: RunSummary):
    (record,) = nasty()
    text = text_of("md", summary, iter([record] * 500))
    assert len(text.splitlines()) < 60
    assert "and 490 more" in text
