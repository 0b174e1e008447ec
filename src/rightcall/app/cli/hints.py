"""Commands to go on with, as they can be pasted into a shell."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.summing.summary import CauseSummary
from .screen import ID_SHOWN, short

__all__ = ["error_line", "explain_command", "next_command"]


def explain_command(run: str, case: str | None = None) -> str | None:
    """`rightcall explain RUN [CASE]`; None where a word of it can't be copied from a screen."""
    import shlex

    words = [run] if case is None else [run, case]
    if not all(word.isprintable() for word in words):
        return None
    dashes = "-- " if any(word.startswith("-") for word in words) else ""
    return f"rightcall explain {dashes}{shlex.join(words)}"


def error_line(case: str, file: str | None, line: int | None, reason: str) -> str:
    """A case in error: its id, its place and why."""
    place = file if line is None else f"{file} line {line}"
    where = "" if file is None else f"{place}: "
    return f"error in case {short(case)}: {where}{reason}"


def next_command(run: str, causes: Iterable[CauseSummary]) -> str | None:
    """The command that explains an example of the costliest cause that has one which can be typed."""
    for cause in causes:
        for case in cause.examples:
            command = explain_command(run, case) if 0 < len(case) <= ID_SHOWN else None
            if command is not None:
                return command
    return None
