"""Runs in which something is not there: each says so in words, and no part of the page is left blank."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rightcall.page import document, pack_cases, pack_overview
from tests.e2e.browsing import report, row
from tests.e2e.conftest import Opens
from tests.reports.small_run import summary_of_small_run

ERRORS = [row(number) | {"tool_calls": 42} for number in range(5)]
NOTHING = [
    {key: value for key, value in row(number).items() if key != "expected_tool_calls"} for number in range(5)
]
GOOD = [row(10 * number) for number in range(5)]


@pytest.mark.parametrize(
    ("cases", "options", "words"),
    [
        (ERRORS, (), ("No case could be scored", "5 × tool_calls: a number where calls should be")),
        (NOTHING, (), ("No case was scored, so no point could be lost", "nothing scored")),
        (GOOD, (), ("The gate is met", "No point was lost.", "None was: every call was of the tool")),
        ([row(1)], (), ("A gate is missed", "Fix this first", "100 %")),
        (GOOD, ("-e", "redundant_calls"), ("No evaluator of this run pairs calls",)),
    ],
    ids=["errors", "nothing", "good", "one", "no pairs"],
)
def test_what_is_not_there_is_said(
    opened: Opens,
    tmp_path: Path,
    cases: list[dict[str, Any]],
    options: tuple[str, ...],
    words: tuple[str, ...],
):
    page = opened(report(tmp_path, cases, *options))
    page.wait_for_timeout(50)
    seen = " ".join(page.locator("main").inner_text().split())
    for part in words:
        assert part in seen, seen
    for card in page.locator("section.card").all():
        assert len(card.inner_text().split("\n")) > 1, "a heading without anything below it"
    for text in ("undefined", "NaN", "null", "[object"):
        assert text not in seen


def test_no_case_at_all(opened: Opens, tmp_path: Path):
    from msgspec.structs import replace

    empty = replace(
        summary_of_small_run(), cases=0, passed=0, failed=0, errors=0, not_evaluated=0, gates=(), causes=(), evaluators={}
    )  # fmt: skip
    file = tmp_path / "report.html"
    file.write_text(
        "".join(document(pack_overview("r", empty, None), pack_cases([], None))), encoding="utf-8"
    )
    page = opened(file)
    assert "No case was scored" in page.locator("h1").inner_text()
    page.goto(file.as_uri() + "#view=cases")
    page.locator(".notice", has_text="This run has no case").wait_for()
    page.goto(file.as_uri() + "#case=gone")
    page.locator("h1", has_text="No such case").wait_for()
