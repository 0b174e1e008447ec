"""Run directories of earlier formats: one function for each step from a format to the next.

`RUN_FORMAT` covers run.json and the lines of results.jsonl, `SUMMARY_FORMAT` summary.json. A field that is added with
a default is no new format. A field that goes, or changes its meaning, is one: raise the number, and write the step
here that makes the new form of the old one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from ...core.summing.summary import SUMMARY_FORMAT
from ...errors import SourceError

__all__ = ["RUN_FORMAT", "RUN_STEPS", "SUMMARY_STEPS", "Step", "migrated_run", "migrated_summary"]

Fields = dict[str, Any]
Step = Callable[[Fields], Fields]
"""Makes the decoded JSON of one format that of the next; it may change what it is given."""

RUN_FORMAT: Final = 1
"""Changes when a field of run.json or of a line of results.jsonl changes its meaning or goes."""

RUN_STEPS: Final[Mapping[int, Step]] = {}
"""By the format that a step begins with. Nothing has changed yet."""

SUMMARY_STEPS: Final[Mapping[int, Step]] = {}
"""The same for summary.json."""


def migrated_run(found: Any, place: Path) -> Fields:
    """A decoded run.json in the present format.

    Raises:
        SourceError: it is no record of a run, or one of a later format.
    """
    return _migrated(found, RUN_FORMAT, RUN_STEPS, place)


def migrated_summary(found: Any, place: Path) -> Fields:
    """A decoded summary.json in the present format.

    Raises:
        SourceError: it is no summary, or one of a later format.
    """
    return _migrated(found, SUMMARY_FORMAT, SUMMARY_STEPS, place)


def _migrated(found: Any, present: int, steps: Mapping[int, Step], place: Path) -> Fields:
    number = found.get("format") if isinstance(found, dict) else None
    if not isinstance(number, int) or isinstance(number, bool):
        raise SourceError(f"{place} is no run directory of rightcall: no format number")
    if number > present:
        version = found.get("rightcall") or found.get("version") or "a later version"
        raise SourceError(
            f"{place} is of format {number}; this version reads up to {present}",
            hint=f"it was written by rightcall {version}: install that version, or a later one",
        )
    for step in range(number, present):
        if step not in steps:
            raise SourceError(f"{place} is of format {number}, which no version has written")
        found = steps[step](found)
    return {**found, "format": present}
