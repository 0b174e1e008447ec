"""Within a GitHub workflow: the summary of the step, and annotations in the log."""

from __future__ import annotations

import os
from pathlib import Path

from ...core.summing.records import Reported
from ...core.summing.summary import RunSummary
from ...reports import github
from ...run.reporting import StoredCases
from .screen import say_commands, tell

__all__ = ["show_on_github"]


def show_on_github(directory: Path, summary: RunSummary) -> None:
    """Show the report `github` of a run directory where the runner asks for it; elsewhere do nothing."""
    place = os.environ.get("GITHUB_STEP_SUMMARY")
    if place:
        try:
            page = (directory / github.DECLARATION.file).read_text(encoding="utf-8")
            with Path(place).open("a", encoding="utf-8") as file:
                file.write(page)
        except OSError as error:
            tell(f"warning: the summary of the step can't be written: {error}")
    if os.environ.get("GITHUB_ACTIONS") == "true":
        reported = Reported(
            run=str(directory), summary=summary, cases=StoredCases(directory / "results.jsonl")
        )
        say_commands(github.workflow_commands(reported))
