"""The report is read as a person with a failing job reads it: what to fix, which cases, why."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rightcall.page import document, pack_overview
from tests.e2e.browsing import report, rows
from tests.e2e.comparing import compared, comparison
from tests.e2e.conftest import Opens

if TYPE_CHECKING:
    from playwright.sync_api import Page


def text(page: Page, selector: str) -> str:
    return " ".join(page.locator(selector).first.inner_text().split())


def left(page: Page, words: str) -> None:
    """Waits until the list says that so many cases are left."""
    page.locator("#left strong", has_text=re.compile(f"^{words}$")).wait_for()


def test_the_first_screen_says_what_is_missed_and_what_to_fix(opened: Opens, forty: Path):
    page = opened(forty)
    assert "missed" in text(page, "h1")
    first = page.locator(".cause.first")
    assert "Fix this first" in first.inner_text()
    box = first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 900, "it stands below the first screen"
    assert "14 passed" in text(page, ".legend")


def test_a_cause_leads_to_its_cases_and_to_an_example(opened: Opens, forty: Path):
    page = opened(forty)
    page.get_by_role("button", name="more").first.click()
    cause = page.locator(".cause", has_text="Case book_flight /cabin").first
    count = cause.get_by_role("link", name="case").first.inner_text().split()[0]
    cause.locator("p.row > a").click()
    assert text(page, "#left").startswith(f"{count} of 40 cases")
    page.go_back()
    page.get_by_role("button", name="more").first.click()
    cause.locator("p.row > span > a").first.click()
    assert "economy" in text(page, ".pair tr.differs")


def test_the_filter_counts_what_it_leaves_and_stands_in_the_address(opened: Opens, forty: Path):
    page = opened(forty, "#view=cases")
    assert text(page, "#left") == "40 cases"
    page.get_by_label("Difference").select_option("missing_call")
    left(page, "8 of 40 cases")
    assert "kind=missing_call" in page.url
    page.get_by_label("Id contains").fill("case-00013")
    left(page, "1 of 40 cases")
    again = opened(forty, "#" + page.url.split("#")[1])
    assert text(again, "#left").startswith("1 of 40 cases")
    assert again.get_by_label("Id contains").input_value() == "case-00013"
    again.get_by_role("link", name="Clear the filter").click()
    left(again, "40 cases")
    assert again.get_by_label("Id contains").input_value() == ""


def test_every_filter_narrows_to_what_it_says(opened: Opens, forty: Path):
    page = opened(forty)
    wanted = {
        "verdict=error": 1,
        "verdict=not_evaluated": 1,
        "verdict=failed": 24,
        "label=error": 1,
        "evaluator=tool_call_count&verdict=failed": 9,
        "evaluator=tool_call_accuracy&label=partial": 16,
        "tag=short": 14,
        "kind=datetime_format&tool=convert_currency": 2,
        "text=CASE-0001": 10,
    }
    found = {}
    for place in wanted:
        page.goto(f"{forty.as_uri()}#view=cases&{place}")
        page.wait_for_timeout(50)
        found[place] = int(text(page, "#left").split()[0])
    assert found == wanted


def test_a_case_shows_its_reasons_calls_differences_and_steps(opened: Opens, forty: Path):
    page = opened(forty, "#case=case-00001")
    seen = page.locator("main").inner_text()
    for part in (
        "What about city 1?",
        "cases.jsonl:2",
        "only the case differs",
        "took expected 1",
        "short"[:0] or "long",
    ):
        assert part in seen, part
    assert text(page, ".pair tr.differs") == "≠ differs: cabin 'economy' 'Economy'"
    assert "rightcall explain" in text(page, ".copy")
    assert "--option 'ignore_case=[\"/cabin\"]'" in seen


def test_what_is_copied_is_the_option(opened: Opens, forty: Path):
    page = opened(forty, "#case=case-00001")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy option").click()
    page.wait_for_selector("button:has-text('Copied')")
    assert page.evaluate("navigator.clipboard.readText()") == "--option 'ignore_case=[\"/cabin\"]'"


def test_tools_can_be_sorted_by_each_column(opened: Opens, forty: Path):
    page = opened(forty)
    head = page.get_by_role("columnheader", name="Missing")
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    column = page.locator("section[aria-labelledby=tools] td[data-label=Missing]").all_inner_texts()
    numbers = [int(number) for number in column]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > 0


def test_the_light_can_be_switched(opened: Opens, forty: Path):
    page = opened(forty, dark=True)
    colour = "getComputedStyle(document.body.parentElement).backgroundColor"
    dark = page.evaluate(colour)
    page.get_by_role("button", name="Light colours").click()
    assert page.evaluate(colour) != dark
    page.get_by_role("button", name="Dark colours").click()
    assert page.evaluate(colour) == dark


def test_nothing_is_cut_off_at_400_pixels(opened: Opens, forty: Path):
    for place in ("", "#view=cases", "#case=case-00001", "#case=case-00007"):
        page = opened(forty, place, width=400)
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, place


def test_on_a_narrow_screen_the_list_comes_before_the_filters(opened: Opens, forty: Path):
    page = opened(forty, "#view=cases", width=400)
    assert not page.get_by_label("Difference").is_visible()
    more = page.get_by_role("button", name="More filters and order")
    more.click()
    assert not more.is_visible()
    page.get_by_label("Difference").select_option("missing_key")
    left(page, "4 of 40 cases")
    assert page.get_by_label("Difference").is_visible()


def test_a_changed_source_gives_the_page_without_calls_and_says_so(opened: Opens, tmp_path: Path):
    file = report(tmp_path, rows(20))
    (tmp_path / "cases.jsonl").write_text("{}\n", encoding="utf-8")
    from rightcall.core.summing.records import Reported
    from rightcall.run.directory.replay import StoredRun, replay_of
    from rightcall.run.reporting import StoredCases, write_reports

    out = file.parent
    stored = StoredRun(out)
    reported = Reported(
        run=str(out),
        summary=stored.summary,
        cases=StoredCases(out / "results.jsonl"),
        replay=replay_of(out, stored.plan(())),
    )
    write_reports(["html"], reported, out)
    page = opened(file, "#case=case-00001")
    assert "has changed since the run" in text(page, ".notice")
    assert "only the case differs" in page.locator("section[aria-labelledby=differences]").inner_text()


def test_a_comparison_shows_what_got_worse_and_leads_to_it(opened: Opens, tmp_path: Path):
    page = opened(compared(tmp_path, 20), "#view=comparison")
    assert "Regressed" in text(page, "h1")
    first = text(page, "section[aria-labelledby=differences-of] tbody tr")
    for part in ("tool_call_accuracy", "regressed", "→ 0.713", "−0.200", "−0.310 to −0.080"):
        assert part in first
    assert page.locator("section[aria-labelledby=changes] tbody tr").count() == 3
    page.get_by_label("Which changes").select_option("improved")
    assert "<script>gone</script>" in text(page, "section[aria-labelledby=changes] tbody")
    page.get_by_label("Which changes").select_option("regressed")
    page.locator("section[aria-labelledby=changes] a.open").first.click()
    assert text(page, "#case") == "case-00001"


def test_a_comparison_alone_is_a_page(opened: Opens, tmp_path: Path):
    file = tmp_path / "report.html"
    overview = pack_overview("runs/before and runs/now", None, comparison())
    file.write_text("".join(document(overview, None)), encoding="utf-8")
    page = opened(file)
    assert "Regressed" in text(page, "h1")
    assert page.locator("nav a").all_inner_texts() == ["Comparison"]
