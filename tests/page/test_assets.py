"""What the page is made of: only text nodes, nothing from elsewhere, and no part that is left out."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from rightcall.page.document import SCRIPTS, asset

FILES = sorted(entry.name for entry in (resources.files("rightcall.page") / "assets").iterdir())
MARKUP = (
    r"\b(inner|outer)HTML\b|insertAdjacentHTML|createContextualFragment|DOMParser|parseFromString|srcdoc|"
    r"document\.write|setHTML|\beval\b|\bFunction\(|set(Timeout|Interval)\(\s*[\"'`]|\bimport\b|\bfetch\b|XMLHttp|"
    r"WebSocket|sendBeacon|\.style\s*=|javascript:"
)


def test_every_part_is_used():
    assert {*SCRIPTS, "page.css", "page.html"} == set(FILES)


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_script_makes_no_markup_of_text_and_loads_nothing(name: str):
    found = re.search(MARKUP, re.sub(r"/\*.*?\*/", "", asset(name), flags=re.DOTALL))
    assert found is None, found


@pytest.mark.parametrize("name", FILES)
def test_nothing_comes_from_elsewhere(name: str):
    addresses = re.findall(r"[a-z]+://[^\"'\s]+", asset(name))
    assert addresses in ([], ["http://www.w3.org/2000/svg"])
    assert not re.search(r"url\(|@import|@font-face|<link|src=", asset(name))


@pytest.mark.parametrize("name", FILES)
def test_no_part_is_too_long(name: str):
    assert len(asset(name).splitlines()) <= 500
