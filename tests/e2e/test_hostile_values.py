"""Ids, names and values that would be markup, script or a turned-round line elsewhere are text in the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.browsing import call, report
from tests.e2e.conftest import Opens

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "end": "</script><script>alert(2)</script>",
    "comment": "<!-- <script>",
    "cdata": '"]]>',
    "image": "<img src=x onerror=alert(3)>",
    "attribute": "\" onmouseover='alert(4)' x=\"",
    "style": "</style><svg onload=alert(5)>",
    "template": "${alert(6)} {{alert(7)}} {script} {title} {style} <!--data-->",
    "address": "javascript:alert(8)",
    "proto": "__proto__",
    "separators": "a\u2028b\u2029c",
    "hash": "#case=x&view=cases %00 %zz +",
}
TURNED = {
    "override": "abc\u202egnp.exe",
    "isolate": "a\u2066b\u2067c\u2068d\u2069e",
    "embedding": "a\u202ab\u202bc\u202cd\u202de",
    "nul": "a\x00b",
    "escape": "a\x1b[31mb",
}


def cases(values: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "id": value,
            "input": f"about {value}",
            "tags": [value],
            "tool_calls": [call(value, **{value: value, "other": 1})],
            "expected_tool_calls": [
                call(value, **{value: f"{value} not", "other": 1}),
                call("next", a=value),
            ],
        }
        for value in values.values()
    ]


def test_markup_stays_text_everywhere(opened: Opens, tmp_path: Path):
    file = report(tmp_path, cases(HOSTILE), "-e", "tool_call_accuracy,tool_call_args")
    page = opened(file)
    scripts = page.locator("script").count()
    assert "<script>alert(1)</script>" in page.locator("main").inner_text()
    page.goto(file.as_uri() + "#view=cases")
    links = page.locator("a.open")
    assert set(links.all_inner_texts()) == {
        value.replace("\u2028", "U+2028").replace("\u2029", "U+2029") for value in HOSTILE.values()
    }
    for number, value in enumerate(HOSTILE.values()):
        page.goto(file.as_uri() + f"#row={number}")
        seen = value.replace("\u2028", "U+2028").replace("\u2029", "U+2029")
        page.locator("h1", has_text=seen).wait_for()
        assert seen in page.locator(".pair").first.inner_text()
        assert seen in page.locator(".said").inner_text()
    assert page.locator("script").count() == scripts
    assert page.locator("img, iframe, object, embed, link, main style, main svg[onload]").count() == 0


def test_a_link_to_a_hostile_id_leads_to_its_case(opened: Opens, tmp_path: Path):
    page = opened(report(tmp_path, cases(HOSTILE), "-e", "tool_call_accuracy"), "#view=cases")
    for value in HOSTILE.values():
        seen = value.replace("\u2028", "U+2028").replace("\u2029", "U+2029")
        page.locator("a.open", has_text=seen).first.click()
        page.locator("h1", has_text=seen).wait_for()
        page.locator("#back").click()
        page.locator("#list").wait_for()


def test_what_turns_text_round_or_can_not_be_seen_is_named(opened: Opens, tmp_path: Path):
    page = opened(report(tmp_path, cases(TURNED), "-e", "tool_call_accuracy"), "#view=cases")
    seen = page.locator("main").inner_text()
    for code in (
        "U+202E",
        "U+2066",
        "U+2067",
        "U+2068",
        "U+2069",
        "U+202A",
        "U+202B",
        "U+202C",
        "U+202D",
        "U+0000",
        "U+001B",
    ):
        assert code in seen, code
    for number in range(len(TURNED)):
        page.goto(page.url.split("#", maxsplit=1)[0] + f"#row={number}")
        page.locator("#case").wait_for()
        whole = page.evaluate("document.documentElement.textContent")
        assert not set(whole) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\x00\x1b")


def test_a_text_of_a_megabyte_is_cut_and_says_so(opened: Opens, tmp_path: Path):
    long = "x" * 1_000_000
    given = cases({"long": long})
    file = report(tmp_path, given, "-e", "tool_call_accuracy")
    assert file.stat().st_size < 200_000
    page = opened(file, "#view=cases")
    page.locator("a.open").first.click()
    page.locator("#case", has_text="(1,000,000 characters)").wait_for()
    assert len(page.locator("body").inner_text()) < 60_000


@pytest.mark.parametrize("width", [1280, 400])
def test_long_names_do_not_break_the_page(opened: Opens, tmp_path: Path, width: int):
    page = opened(report(tmp_path, cases({"long": "n" * 3000, "words": "wide " * 400})), width=width)
    for place in ("#", "#view=cases", "#row=0", "#row=1"):
        page.goto(page.url.split("#", maxsplit=1)[0] + place)
        page.wait_for_timeout(50)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, place


def test_a_half_of_a_letter_is_named(opened: Opens, tmp_path: Path):
    """Half a surrogate pair can't be in a results file, but a judge's or an own evaluator's reason may hold one."""
    from msgspec import Raw

    from rightcall.core.summing.records import CaseRecord, ResultRecord
    from rightcall.page import document, pack_cases, pack_overview
    from tests.reports.small_run import summary_of_small_run

    half = "a\ud83db"
    result = ResultRecord(
        id=half, evaluator="tool_call_args", status="scored", score=0.0, label="mismatch", passed=False,
        threshold=1.0, reason=half, details=Raw(b"{}"),
    )  # fmt: skip
    overview = pack_overview(half, summary_of_small_run(), None)
    packed = pack_cases([CaseRecord(id=half, results=(result,))], None)
    file = tmp_path / "report.html"
    file.write_text("".join(document(overview, packed)), encoding="utf-8")
    page = opened(file, "#view=cases")
    page.locator("a.open", has_text="aU+D83Db").click()
    page.locator("h1", has_text="aU+D83Db").wait_for()
    assert "U+D83D" in page.locator("section[aria-labelledby=results]").inner_text()
    assert page.url.endswith("row=0")
