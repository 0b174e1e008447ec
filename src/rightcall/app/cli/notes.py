"""What is worth a line after a run: why cases were not evaluated, and what was odd about them."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.results import Result
from ...core.summing.summary import RunSummary
from ...core.types import Case
from ...run.noticed import Noticed
from ...run.runner import Write
from ...run.stages import BadCase
from .screen import short

__all__ = ["Notes"]


class Notes:
    """Looks at cases on their way, and hands them on.

    Args:
        write: takes the results; None where they are not written down.

    Attributes:
        noticed: what was noticed so far.
    """

    def __init__(self, write: Write | None) -> None:
        self._write = write
        self.noticed = Noticed()

    def __call__(self, case: Case | BadCase, results: tuple[Result, ...], passed: bool | None) -> None:  # noqa: FBT001
        """Take a case."""
        if self._write is not None:
            self._write(case, results, passed)
        self.noticed.look(case, results)

    def not_evaluated(self, summary: RunSummary) -> Iterator[str]:
        """A line for evaluators that could evaluate nothing, and one for cases that could not be evaluated."""
        groups: dict[tuple[str, int], list[str]] = {}
        for name, found in summary.evaluators.items():
            if not found.not_evaluated or name not in self.noticed.absent:
                continue
            case_id, reason = self.noticed.absent[name]
            if found.not_evaluated == summary.cases:
                yield f"{name} was not evaluated: {reason}"
            else:
                groups.setdefault((case_id, found.not_evaluated), []).append(name)
        for (case_id, number), names in groups.items():
            by = "" if len(names) == len(summary.evaluators) else f" by {', '.join(names)}"
            were = "case was" if number == 1 else "cases were"
            reason = self.noticed.absent[names[0]][1]
            yield f"{number:,} {were} not evaluated{by}; the first is {short(case_id)}: {reason}"

    def warnings(self) -> Iterator[str]:
        """The first different warnings, each with the first case that has it, and with how many have it."""
        yield from self.noticed.told(short)
