"""The report without a mouse: every place is reached, and the keys that the help line names do what it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.e2e.browsing import report, rows
from tests.e2e.conftest import Opens

if TYPE_CHECKING:
    from playwright.sync_api import Page


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.innerText || document.activeElement.id || ''"))


def test_from_the_list_into_a_case_and_back_to_where_one_was(opened: Opens, forty: Path):
    page = opened(forty)
    page.keyboard.press("/")
    page.locator("#filter-text:focus").wait_for()
    page.keyboard.type("case-0000")
    page.locator("#left strong", has_text="10 of 40 cases").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    second = focused(page)
    assert second == page.locator("a.open").nth(1).inner_text()
    page.keyboard.press("Enter")
    page.locator("#case", has_text=second).wait_for()
    page.keyboard.press("j")
    third = page.locator("nav .number")
    third.filter(has_text="3 of 10 in the filter").wait_for()
    name = page.locator("#case").inner_text()
    page.keyboard.press("Escape")
    page.locator("#list").wait_for()
    assert focused(page) == name
    assert page.locator("#left strong").inner_text() == "10 of 40 cases"
    page.keyboard.press("Escape")
    page.locator("#left strong", has_text="40 cases").wait_for()
    page.keyboard.press("Escape")
    page.locator("section[aria-labelledby=causes]").wait_for()


def test_the_keys_go_on_over_the_end_of_a_page_of_the_list(opened: Opens, tmp_path: Path):
    page = opened(report(tmp_path, rows(230)), "#view=cases")
    assert page.locator("a.open").count() == 100
    page.locator("a.open").last.focus()
    page.keyboard.press("j")
    page.locator(".pager", has_text="page 2 of 3").wait_for()
    page.locator("a.open:focus").wait_for()
    assert focused(page) == page.locator("a.open").first.inner_text()
    page.keyboard.press("k")
    page.locator(".pager", has_text="page 1 of 3").wait_for()
    assert focused(page) == page.locator("a.open").last.inner_text()


def test_tab_reaches_everything_and_shows_where_it_is(opened: Opens, forty: Path):
    page = opened(forty)
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the content"
    page.keyboard.press("Enter")
    assert focused(page).startswith("✕")
    wanted = set(page.locator(":is(main a, main button, main select):visible").all_inner_texts())
    seen: set[str] = set()
    for _ in range(150):
        page.keyboard.press("Tab")
        seen.add(focused(page))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none" or page.evaluate("document.activeElement === document.body")
    assert {text.strip() for text in wanted} <= {text.strip() for text in seen}


def test_the_help_line_names_the_keys(opened: Opens, forty: Path):
    page = opened(forty, "#view=cases")
    assert page.locator(".keys kbd").all_inner_texts() == ["/", "j", "k", "Enter", "Esc"]
