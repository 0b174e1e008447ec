"""A browser for the tests of the HTML report: the system's chromium, without network."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.browsing import report, rows

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"NO BROWSER, so the HTML report is not looked at: install one of {', '.join(NAMES)}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Root has no sandbox, and a container little shared memory.
        browser = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


Opens = Callable[..., "Page"]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opens]:
    """Opens a page; fails at the end when it asked for anything, or said something on the console."""
    contexts = []
    faults: list[str] = []

    def opens(file: Path, place: str = "", *, width: int = 1280, dark: bool = False) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8000)
        page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("console", lambda message: faults.append(f"console: {message.text}"))
        page.on("request", lambda request: asked(request.url))
        page.goto(file.as_uri() + place)
        page.wait_for_selector("html[data-ready]")
        return page

    def asked(url: str) -> None:
        if not url.split("#", maxsplit=1)[0].endswith("/report.html"):
            faults.append(f"request: {url}")

    yield opens
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture(scope="session")
def forty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of 40 cases of every outcome."""
    return report(tmp_path_factory.mktemp("forty"), rows(40))
