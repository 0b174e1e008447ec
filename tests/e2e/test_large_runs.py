"""The report of a large run: small enough to be sent, and open before one has lost patience."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from rightcall.page.cases import DETAILED
from tests.e2e.browsing import report, row, rows
from tests.e2e.conftest import Opens

WORDS = tuple(
    "quartz lantern harbour violet ember falcon meadow cinder orchid walnut pebble cobalt thistle raven maple".split()  # noqa: SIM905 - words
)


def varied(number: int) -> dict[str, object]:
    """A case that has little in common with its neighbours, so that packing does not flatter."""
    rng = random.Random(number)  # noqa: S311 - no secret
    found = row(number if number % 10 in (1, 3, 5, 6, 7, 9) else number + 1)
    found["id"] = f"{rng.choice(WORDS)}-{rng.choice(WORDS)}-{rng.randrange(10**6)}"
    found["input"] = " ".join(rng.choices(WORDS, k=25)) + f" {rng.random()}"
    for side in ("tool_calls", "expected_tool_calls"):
        for each in found[side]:
            each["arguments"] |= {
                "note": f"{rng.choice(WORDS)} {rng.random()}",
                "key": f"{rng.getrandbits(64):x}",
            }
    return found


def test_the_page_of_200_failed_cases_with_four_evaluators_is_under_300_kb(tmp_path: Path):
    file = report(tmp_path, [varied(number) for number in range(200)], "--suite", "agent")
    assert file.stat().st_size < 300_000


@pytest.mark.slow
def test_50_000_cases_can_be_used_within_three_seconds(opened: Opens, tmp_path: Path):
    file = report(
        tmp_path, rows(50_000), "-e", "tool_call_accuracy,tool_call_args,tool_call_order,tool_call_count"
    )
    assert file.stat().st_size < 4_000_000
    begin = time.perf_counter()
    page = opened(file, "#view=cases")
    page.locator("a.open").first.wait_for()
    assert time.perf_counter() - begin < 3
    begin = time.perf_counter()
    page.get_by_label("Difference").select_option("missing_call")
    page.locator("#left strong", has_text="of 50,000 cases").wait_for()
    page.get_by_label("Id contains").fill("case-40013")
    page.locator("#left strong", has_text="1 of 50,000 cases").wait_for()
    assert time.perf_counter() - begin < 3
    assert page.locator("a.open").count() == 1
    page.goto(file.as_uri() + "#case=case-49999")
    page.locator(".notice", has_text=f"the worst {DETAILED:,} cases").wait_for()
    page.goto(file.as_uri() + "#case=case-00003")
    page.locator(".pair.missing").wait_for()
