"""How `rightcall run` does its work: where it writes, what it goes on with, and how many processes do it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec.structs import replace

from ...core.results import CaseResults
from ...errors import OptionError, UsageError
from ...run.dataset import Dataset
from ...run.directory.rundir import Request, RunDirectory
from ...run.engine import Job, choose_engine, parse_workers
from ...run.judging.judges import is_remote
from ...run.plan import Plan
from ...run.runner import BATCH, Recorded
from .notes import Notes
from .planning import split_words
from .progress import ProgressLine
from .screen import tell

__all__ = ["check_running", "open_directory", "running_options", "score"]

Command = TypeVar("Command", bound=Callable[..., Any])


def running_options(command: Command) -> Command:
    """The flags that decide how the work is done, never what comes of it."""
    for option in reversed(
        (
            click.option(
                "--resume",
                is_flag=True,
                help="Go on with the run in DIR after whatever ended it: the results are those of an unbroken run.",
            ),
            click.option(
                "--workers",
                metavar="N",
                envvar="RIGHTCALL_WORKERS",
                help="Processes that score (1), or auto. The results are the same; only JSON Lines are divided.",
            ),
            click.option(
                "--engine",
                metavar="ID",
                envvar="RIGHTCALL_ENGINE",
                help="Where the work is done: local (this process) or processes.",
            ),
        )
    ):
        command = option(command)
    return command


def check_running(given: dict[str, Any]) -> None:
    """Refuse flags that can't be meant, before any work.

    Raises:
        UsageError: names the flag.
    """
    if given["resume"] and given["out"] is None:
        raise UsageError(
            "only a run with a directory can be gone on with", field="resume", hint="add --out DIR"
        )
    choose_engine(given["engine"], parse_workers(given["workers"]))
    timeout = given["case_timeout"]
    if timeout is not None and not 0 < timeout < float("inf"):
        raise OptionError(f"{timeout!r} is not a time in seconds above 0", field="case-timeout")


def open_directory(
    given: dict[str, Any], words: list[str], suite: str | None, plan: Plan
) -> RunDirectory | None:
    """The run directory that was asked for; None where none was.

    Raises:
        OptionError: it can't be written, or holds a run that can't be gone on with.
    """
    if given["out"] is None:
        return None
    request = Request(
        data=given["data"],
        cwd=str(Path.cwd()),
        expected=given["expected"],
        tools=given["tools"],
        format=given["format"],
        map=given["map"],
        where=given["where"],
        tags=tuple(split_words(given["tag"])),
        evaluators=tuple(words),
        suite=suite,
        case_timeout=given["case_timeout"],
    )
    return RunDirectory(
        Path(given["out"]),
        request,
        signature=plan.signature,
        apart=tuple(sorted(map(str, plan.slices))),
        resume=given["resume"],
    )


def score(
    given: dict[str, Any], data: Dataset, plan: Plan, directory: RunDirectory | None, notes: Notes
) -> Recorded:
    """Score the cases; of a run that is gone on with, those that are left."""
    workers = parse_workers(given["workers"])
    if workers > 1 and directory is None and given["baseline"] is not None:
        tell("one process does the work: without --out DIR cases are compared with the baseline as they come")
        workers = 1
    if workers > 1 and is_remote(plan.model):
        tell("one process does the work: so budgets, limits and answers of the judge hold for the whole run")
        workers = 1
    engine = choose_engine(given["engine"], workers)
    begun = None
    if directory is not None:
        begun = directory.begin(data)
        notes.noticed = directory.noticed
        for line in directory.told if given["resume"] else ():
            tell(line)
    notes.noticed.aim(plan)
    take = None if directory is None else _lines_into(directory)
    progress = ProgressLine(data, 0 if begun is None else begun.tally.cases)
    # What an evaluator of somebody's own prints must not end up between our own output.
    with nullcontext() if plan.is_built_in else redirect_stdout(sys.stderr):
        try:
            done = engine.run(
                Job(
                    data=data,
                    plan=plan,
                    workers=workers,
                    timeout=given["case_timeout"],
                    write=notes,
                    made="nothing" if directory is None else "lines",
                    take=take,
                    noticed=notes.noticed,
                    progress=progress,
                    keeper=directory,
                    batch=1 if data.path == "-" else BATCH,  # standard input may be slow: score what is there
                    tally=None if begun is None else begun.tally,
                    errors=() if begun is None else begun.errors,
                    tell=tell,
                )
            )
        finally:
            progress.close()
    return replace(done, warnings=tuple(notes.noticed.aims.missed()))


def _lines_into(directory: RunDirectory) -> Callable[[bytes | memoryview | list[CaseResults]], None]:
    def take(made: bytes | memoryview | list[CaseResults]) -> None:
        if not isinstance(made, list):
            directory.write_lines(made)

    return take
