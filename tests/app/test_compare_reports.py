"""Reports of `rightcall compare`: what is refused before any work, and what is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TRAVEL = str(ROOT / "examples" / "travel" / "cases.jsonl")


@pytest.fixture
def two_runs(call: Callable[..., Any]) -> None:
    for out, more in (("before", ()), ("after", ("--option", "ignore_case=true"))):
        done = call("run", TRAVEL, "-e", "tool_call_args", "--no-gate", "--out", out, *more)
        assert done.code == 0


def test_the_reports_hold_the_comparison(call: Callable[..., Any], two_runs: None):
    done = call("compare", "before", "after", "--report", "html,md", "--out", "new/compared")
    assert done.code == 0, done.err
    assert "report: new/compared/report.html" in done.out
    assert "improved" in Path("new/compared/report.html").read_text(encoding="utf-8")
    assert "before" in Path("new/compared/report.md").read_text(encoding="utf-8")
    again = call("compare", "before", "after", "--report", "html", "--out", "new/compared")
    assert again.code == 0, again.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--report", "junit", "--out", "x"), "the report junit shows no comparison"),
        (("--report", "htlm", "--out", "x"), "html"),
        (("--report", "html"), "add --out DIR"),
        (("--out", "x"), "add --report html"),
        (("--report", "html", "--out", "after"), "after holds"),
    ],
)
def test_a_wrong_request_is_refused(
    call: Callable[..., Any], two_runs: None, arguments: tuple[str, ...], words: str
):
    done = call("compare", "before", "after", *arguments)
    assert done.code == 2
    assert words in done.err
    assert not Path("x").exists()
