"""axe-core finds nothing against WCAG 2.2 AA and its best practices, in any view, light, or width."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from tests.e2e.browsing import call, report
from tests.e2e.comparing import compared
from tests.e2e.conftest import Opens

AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")

PLACES = (
    *("#", "#view=cases", "#view=cases&text=none-of-that", "#case=case-00001", "#case=case-00002"),
    *("#case=case-00006", "#case=case-00003", "#view=comparison"),
)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_axe_finds_nothing(opened: Opens, tmp_path: Path, width: int, dark: bool):
    page = opened(compared(tmp_path, 40), width=width, dark=dark)
    page.evaluate(AXE)
    found: dict[str, list[str]] = {}
    for place in PLACES:
        page.evaluate(f"location.hash = '{place}'")
        page.wait_for_timeout(60)
        done = page.evaluate("axe.run({resultTypes: ['violations']})")
        assert done["passes"], "axe looked at nothing"
        violations = [
            f"{each['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
            for each in done["violations"]
            for node in each["nodes"][:2]
        ]
        if violations:
            found[place] = violations
    assert not found


def test_axe_finds_nothing_in_trials_parts_and_a_large_heat_map(opened: Opens, tmp_path: Path):
    names = [f"{verb}_{noun}" for verb in ("search", "book", "cancel", "list", "get") for noun in "abcdefgh"]
    cases = [
        {
            "id": f"case-{number // 3}",
            "trial": number % 3,
            "tags": ["short" if number % 2 else "long"],
            "verdict": number % 4 > 0,
            "tool_calls": [call(names[(number * 7) % 40 if number % 4 else number % 40], at=number)],
            "expected_tool_calls": [call(names[number % 40], at=number)],
        }
        for number in range(240)
    ]
    gates = ("--fail-under", "tool_call_accuracy@tag:short=0.9", "--min-pass-rate", "0.5")
    page = opened(report(tmp_path, cases, "--suite", "everything", *gates))
    for heading in ("Trials", "Parts that gates ask for", "Against the verdicts in the data"):
        page.get_by_role("heading", name=heading).wait_for()
    page.evaluate(AXE)
    done = page.evaluate("axe.run({resultTypes: ['violations']})")
    assert [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in done["violations"]] == []
    box = page.locator("svg.heat").bounding_box()
    assert box is not None
    assert box["width"] < 1140
