"""`rightcall lint`: faults of a golden set, before a run finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import UsageError
from ...run.dataset import tools_from_file
from ...run.golden.corrections import Correction, corrections
from ...run.golden.gold_rows import patch_of
from ...run.golden.lint import Finding, lint
from .screen import say_json, show, table, text, whole

if TYPE_CHECKING:
    from rich.console import RenderableType


@click.command("lint", short_help="Find faults of a golden set.")
@click.argument("gold", metavar="GOLD")
@click.option("--tools", metavar="FILE", help="The offered tools, for rows that carry none.")
@click.option(
    "--against",
    multiple=True,
    metavar="RUN",
    help="A run of the set: what all runs fail alike may be its fault.",
)
@click.option(
    "--patch",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the corrections there, for `patch`.",
)
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
@click.pass_context
def command(
    context: click.Context,
    gold: str,
    tools: str | None,
    against: tuple[str, ...],
    patch: Path | None,
    *,
    strict: bool,
    as_json: bool,
) -> int:
    """Look through GOLD, a file of expected calls: unknown tools, arguments that no schema allows, unreadable ones,
    misspelled matchers, those written as mere text and those that no value can meet, counts and forbidden tools that
    contradict the calls, options for arguments that are not there, repeated ids, keys, calls, tools and paths, groups
    torn apart, values made for the moment.

    With --against (once for each run of the set), also the cases that all these runs fail in the same way in every
    trial, and what the set would have to say for them to pass: it is proposed only where scoring them again with it
    makes all of them pass. --patch writes that down as a patch, which changes no more than it must: read it, then
    apply it with `patch -p0 < FILE` if the agent is right and the set is wrong.

    \b
    Exit codes: 0 no errors; 1 errors found (with --strict warnings too); 2 wrong usage; 3 unreadable.

    \b
    Example:
      rightcall lint examples/travel/cases.jsonl --tools examples/travel/tools.json
    """  # noqa: D301 - the first sentence is longer than a line; click reads the backspace
    if patch is not None and not against:
        raise UsageError("a patch comes from runs", field="patch", hint="add --against RUN")
    specs = None if tools is None else tools_from_file(tools)
    found = list(lint(gold, tools=specs))
    alike = corrections(gold, [Path(run) for run in against]) if against else []
    if patch is not None:
        patch.write_bytes(patch_of(gold, alike))
    if as_json:
        say_json({"findings": found, "alike": alike})
    else:
        show(*_findings(found), *_alike(alike, against, patch))
    errors = sum(item.severity == "error" for item in found)
    return 1 if errors or (strict and (found or alike)) else 0


_SHOWN = 100


def _findings(found: Sequence[Finding]) -> Iterator[RenderableType]:
    if found:
        board = table("", "case", "line", "kind", "what", right=("line",))
        # Errors first; within them the order of the file.
        for item in sorted(found, key=lambda item: item.severity)[:_SHOWN]:
            where = f"{item.field}: " if item.field else ""
            board.add_row(
                text(item.severity, "red" if item.severity == "error" else "yellow"),
                text(item.case),
                text("" if item.source.line is None else item.source.line),
                text(item.kind),
                text(where + item.message),
            )
        yield board
    if len(found) > _SHOWN:
        yield text(f"and {len(found) - _SHOWN:,} more; --json has all", "dim")
    errors = sum(item.severity == "error" for item in found)
    warnings = len(found) - errors
    yield text(
        f"{errors:,} error{'' if errors == 1 else 's'}, {warnings:,} warning{'' if warnings == 1 else 's'}"
    )


def _alike(
    alike: Sequence[Correction], against: Sequence[str], patch: Path | None
) -> Iterator[RenderableType]:
    if not against:
        return
    runs = f"all {len(against)} runs fail" if len(against) > 1 else "the run fails"
    yield text("")
    yield text(f"{len(alike):,} case{'' if len(alike) == 1 else 's'} that {runs} in the same way", "bold")
    if alike:
        board = table("case", "how", "the set would have to say")
        for item in alike[:_SHOWN]:
            proposed = "; ".join(item.proposed) or item.unproposed
            board.add_row(text(item.case), text("; ".join(item.differences)), text(proposed or ""))
        yield board
    if patch is not None:
        yield whole(f"read {patch}, then: patch -p0 < {patch}", "bold")
