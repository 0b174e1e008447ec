"""The HTML report as a file: what it may run, what data it holds, and that both are bounded. See e2e/ for how it looks."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from rightcall.core.summing.records import CaseRecord, ReplayedCase, Reported, ResultRecord, RowPlace
from rightcall.core.summing.summary import CauseSummary, RunSummary, ToolSummary
from rightcall.errors import SourceError
from rightcall.page import document, pack_cases, pack_overview
from rightcall.page.cases import DETAILED
from rightcall.reports.html import write
from tests.e2e.comparing import comparison
from tests.reports.small_run import SMALL_RUN, cases_of, summary_of_small_run


@pytest.fixture(scope="module")
def summary() -> RunSummary:
    return summary_of_small_run()


def page_of(summary: RunSummary, cases: Sequence[CaseRecord], **more: Any) -> str:
    return "".join(write(Reported(run="runs/small", summary=summary, cases=cases, **more)))


def overview_in(page: str) -> dict[str, Any]:
    (text,) = re.findall(
        r'<script type="application/json" id="overview-data">(.*?)</script>', page, re.DOTALL
    )
    found: dict[str, Any] = json.loads(text)
    return found


def cases_in(page: str) -> dict[str, Any]:
    (text,) = re.findall(r'<script type="text/plain" id="cases-data">(.*?)</script>', page, re.DOTALL)
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(text, validate=True), wbits=31))
    return found


def case(number: int, score: float | None, reason: str = "", kinds: Sequence[str] = ()) -> CaseRecord:
    differences = [{"kind": kind, "tool": "t", "path": "/a/3", "message": "m"} for kind in kinds]
    result = ResultRecord(
        id=f"c{number}", evaluator="e", status="error" if score is None else "scored", score=score,
        label="error" if score is None else "partial", passed=None if score is None else score >= 1, threshold=1.0,
        reason=reason, details=Raw(json.dumps({"differences": differences}).encode()),
    )  # fmt: skip
    return CaseRecord(id=f"c{number}", row=RowPlace(file="f", line=number + 1, offset=0), results=(result,))


def test_only_its_own_script_and_style_may_run(summary: RunSummary):
    page = page_of(summary, list(cases_of(SMALL_RUN)))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', page)
    allowed = re.findall(r"'(sha256-[^']+)'", policy)
    inline = [
        *re.findall(r"<script>(.*?)</script>", page, re.DOTALL),
        *re.findall(r"<style>(.*?)</style>", page, re.DOTALL),
    ]
    hashes = [
        "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inline
    ]
    assert allowed == hashes
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def test_the_same_run_gives_the_same_page(summary: RunSummary):
    cases = list(cases_of(SMALL_RUN))
    assert page_of(summary, cases) == page_of(summary, cases)


def test_the_overview_is_the_summary(summary: RunSummary):
    found = overview_in(page_of(summary, list(cases_of(SMALL_RUN))))
    for name in ("cases", "passed", "failed", "errors", "not_evaluated", "signature", "version"):
        assert found[name] == getattr(summary, name), name
    assert [each["name"] for each in found["evaluators"]] == list(summary.evaluators)
    for each, own in zip(found["evaluators"], summary.evaluators.values(), strict=True):
        assert (each["mean"], each["scored"], each["errors"]) == (own.mean, own.scored, own.errors)
    assert [cause["fix"] for cause in found["causes"]] == [cause.fix for cause in summary.causes]
    assert [gate["message"] for gate in found["gates"]] == [gate.message for gate in summary.gates]


def test_the_columns_are_the_cases(summary: RunSummary):
    given = list(cases_of(SMALL_RUN))
    found = cases_in(page_of(summary, given))
    assert found["ids"] == [each.id for each in given]
    assert found["verdicts"] == "".join(
        "E" if each.has_error else {True: "P", False: "F", None: "N"}[each.passed] for each in given
    )
    for at, scores in enumerate(found["scores"]):
        assert scores == [each.results[at].score for each in given]
    assert found["trials"] == [each.trial for each in given]
    assert set(found["details"]) == {str(row) for row in range(len(given))}
    reasons = [result["reason"] for result in found["details"]["1"]["results"]]
    assert reasons == [result.reason for result in given[1].results]


def test_details_are_kept_of_the_worst():
    scores = [1.0, 0.5, None, 0.25, 1.0] * 600
    found = pack_cases([case(number, score) for number, score in enumerate(scores)], None)
    assert len(found["ids"]) == 3000
    kept = {int(row) for row in found["details"]}
    assert len(kept) == DETAILED
    wrong = {row for row, score in enumerate(scores) if score is None or score < 1}
    assert wrong <= kept
    assert kept - wrong == set(sorted(set(range(3000)) - wrong)[: DETAILED - len(wrong)])


def test_cases_that_the_page_leads_to_have_details_too():
    given = [case(number, 0.0 if number < 3000 else 1.0) for number in range(3001)]
    found = pack_cases(given, None, {"c3000", "c2999"})
    assert {"2999", "3000"} <= set(found["details"])
    assert len(found["details"]) == DETAILED


def test_a_case_is_found_by_its_differences_with_any_index():
    found = pack_cases([case(0, 0.5, kinds=("value", "case")), case(1, 0.5, kinds=("case",))], None)
    named = [[found["kinds"][at] for at in why] for why in found["why"]]
    assert named == [[["value", "t", "/a/*"], ["case", "t", "/a/*"]], [["case", "t", "/a/*"]]]


def test_sources_that_changed_leave_a_page_that_says_so(summary: RunSummary):
    def gone(cases: Sequence[CaseRecord]) -> Iterator[ReplayedCase | None]:
        raise SourceError("small.jsonl has changed since the run")
        yield None

    found = cases_in(page_of(summary, list(cases_of(SMALL_RUN)), replay=gone))
    assert found["without"] == "small.jsonl has changed since the run"
    assert found["details"]["1"]["differences"][0]["kind"] == "case"


def test_every_text_is_bounded(summary: RunSummary):
    long = "x" * 1_000_000
    cause = CauseSummary(
        kind=long, tool=long, path=long, cases=1, differences=1, lost=1.0, share=1.0, examples=(long,),
        message=long, accept_with=long, fix=long,
    )  # fmt: skip
    one = next(iter(summary.evaluators.values()))
    tools = {
        f"{number}{long[:2000]}": ToolSummary(expected=1, made=1, exact=0, name_only=1, missing=0, extra=0)
        for number in range(900)
    }
    confusion = {name: dict.fromkeys(list(tools)[:60], 1) for name in list(tools)[:60]}
    grown = replace(
        summary,
        signature=long,
        causes=(cause,) * 5,
        warnings=(long,) * 3,
        evaluators={long: replace(one, tools=tools, confusion=confusion)},
    )
    record = case(0, 0.0, reason=long)
    page = page_of(grown, [replace(record, id=long, row=RowPlace(file=long, line=1))])
    assert "1,000,000 characters" in json.dumps(overview_in(page))
    assert len(page) < 1_200_000
    assert len(overview_in(page)["evaluators"][0]["confusion"]["cells"]) == 40 * 40
    assert cases_in(page)["ids"][0].endswith("… (1,000,000 characters)")


def test_markup_in_the_data_ends_no_element(summary: RunSummary):
    nasty = "</script><script>alert(1)</script><!-- & ]]>"
    page = "".join(document(pack_overview(nasty, replace(summary, warnings=(nasty,)), None), None))
    assert page.count("<script") == page_of(summary, []).count("<script") - 1
    assert "alert(1)</script>" not in page
    assert overview_in(page)["warnings"] == [nasty]


def test_a_comparison_alone_is_a_page():
    page = "".join(document(pack_overview("before and now", None, comparison()), None))
    found = overview_in(page)
    assert set(found) == {"run", "comparison"}
    assert [each["name"] for each in found["comparison"]["evaluators"]] == [
        "tool_call_accuracy",
        "tool_call_args",
    ]
    assert found["comparison"]["evaluators"][1]["mean_difference"] == 0.0
