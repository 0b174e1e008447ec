"""What a report looks up beside the results: what an option would gain, and the run before."""

from __future__ import annotations

from pathlib import Path

from rightcall.core.summing.summary import RunSummary
from rightcall.run.directory.replay import StoredRun
from tests.e2e.browsing import report, rows
from tests.e2e.conftest import Opens


def stored(page: Path) -> RunSummary:
    return StoredRun(page.parent).summary


def test_what_an_option_gains_is_what_a_run_with_it_says(opened: Opens, tmp_path: Path):
    plain = report(tmp_path / "plain", rows(40), "-e", "tool_call_accuracy")
    cause = next(cause for cause in stored(plain).causes if cause.accept_with)
    assert cause.accept_with == 'ignore_case=["/cabin"]'
    with_it = report(tmp_path / "with", rows(40), "-e", "tool_call_accuracy", "--option", cause.accept_with)
    page = opened(plain)
    (before, after) = (
        summary.evaluators["tool_call_accuracy"].mean for summary in (stored(plain), stored(with_it))
    )
    said = f"tool_call_accuracy {before:.3f} → {after:.3f}"
    page.locator(".cause", has_text="/cabin").first.get_by_text(said).wait_for()
    (passed, more) = (summary.passed for summary in (stored(plain), stored(with_it)))
    page.get_by_text(f"{passed} → {more} cases would pass").first.wait_for()


def test_a_run_against_a_baseline_shows_the_comparison(opened: Opens, tmp_path: Path):
    good = [case | {"tool_calls": case["expected_tool_calls"]} for case in rows(40)]
    before = report(tmp_path / "before", good, "-e", "tool_call_accuracy").parent
    page = opened(report(tmp_path / "now", rows(40), "-e", "tool_call_accuracy", "--baseline", str(before)))
    page.get_by_role("link", name="Comparison").click()
    page.locator("h1", has_text="Regressed").wait_for()
    changes = page.locator("section[aria-labelledby=changes] a.open")
    assert changes.count() == 25
    changes.first.click()
    page.locator("#case").wait_for()
