"""The reports that are tables: what stands in them, and that no text of the data does anything in them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from rightcall.core.summing.records import CaseRecord, Reported, ResultRecord, RowPlace
from rightcall.core.summing.summary import RunSummary
from rightcall.errors import MissingExtraError
from rightcall.reports import csv as csv_report
from rightcall.reports import parquet as parquet_report
from rightcall.run import reporting
from tests.reports.small_run import SMALL_RUN, cases_of, summary_of_small_run


@pytest.fixture(scope="module")
def summary() -> RunSummary:
    return summary_of_small_run()


def table(reported: Reported) -> list[dict[str, str]]:
    text = "".join(csv_report.write(reported))
    return list(csv.DictReader(io.StringIO(text, newline="")))


def of_small_run(summary: RunSummary) -> Reported:
    return Reported(run="r", summary=summary, cases=list(cases_of(SMALL_RUN)))


def test_csv_holds_every_result(summary: RunSummary) -> None:
    reported = of_small_run(summary)
    rows = table(reported)
    results = [(case, result) for case in reported.cases for result in case.results]
    assert len(rows) == len(results)
    for row, (case, result) in zip(rows, results, strict=True):
        assert (row["id"], row["evaluator"], row["status"]) == (case.id, result.evaluator, result.status)
        assert row["score"] == ("" if result.score is None else repr(result.score))
        assert row["passed"] == {True: "true", False: "false", None: ""}[result.passed]
        found = json.loads(bytes(result.details)).get("differences", ())
        assert set(row["kinds"].split()) == {item["kind"] for item in found}


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "=cmd|' /C calc'!A0"]
TEXTS = [
    *FORMULAS,
    'a"b',
    "a,b",
    "a\nb",
    "a\r\nb",
    "\x00",
    "\u202e",
    "]]>",
    "<script>alert(1)</script>",
    "x" * 1_000_000,
]


def of_text(text: str, summary: RunSummary) -> Reported:
    result = ResultRecord(
        id=text, evaluator="tool_call_args", status="scored", score=0.0, label="mismatch", passed=False,
        threshold=1.0, reason=text, warnings=(text,), row=RowPlace(file=text, line=1, offset=0),
    )  # fmt: skip
    return Reported(run="r", summary=summary, cases=[CaseRecord(id=text, row=result.row, results=(result,))])


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:12]))
def test_csv_keeps_any_text_and_runs_none(text: str, summary: RunSummary) -> None:
    csv.field_size_limit(10_000_000)
    (row,) = table(of_text(text, summary))
    for value in (row["id"], row["file"], row["reason"], row["warnings"]):
        assert not value.startswith(("=", "+", "-", "@", "\t", "\r"))
        assert value.removeprefix("'") == text.replace("\x00", "\ufffd")


def test_parquet_holds_every_result(summary: RunSummary, tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    reported = of_small_run(summary)
    file = tmp_path / "r.parquet"
    file.write_bytes(b"".join(parquet_report.write(reported)))
    read = pq.read_table(file)
    assert read.schema.metadata[b"rightcall.signature"].decode() == summary.signature
    results = [(case, result) for case in reported.cases for result in case.results]
    rows = read.to_pylist()
    assert len(rows) == len(results)
    for row, (case, result) in zip(rows, results, strict=True):
        assert (row["id"], row["trial"], row["case_passed"]) == (case.id, case.trial, case.passed)
        for name in ("evaluator", "status", "score", "label", "passed", "threshold", "reason", "error"):
            assert row[name] == getattr(result, name)
        assert json.loads(row["details"]) == json.loads(bytes(result.details))


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:12]))
def test_parquet_keeps_any_text(text: str, summary: RunSummary, tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "r.parquet"
    file.write_bytes(b"".join(parquet_report.write(of_text(text, summary))))
    (row,) = pq.read_table(file).to_pylist()
    assert (row["id"], row["reason"], row["warnings"]) == (text, text, [text])


def test_parquet_writes_many_cases_in_parts(summary: RunSummary) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    (case,) = of_text("x", summary).cases
    pieces = list(parquet_report.write(Reported(run="r", summary=summary, cases=[case] * 25_000)))
    assert len(pieces) == 4, "three groups of rows, and the foot"
    assert pq.ParquetFile(io.BytesIO(b"".join(pieces))).metadata.num_rows == 25_000


def test_a_report_without_its_extra_is_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"rightcall\[parquet\]"):
        reporting.check_reports(["json", "parquet"])
