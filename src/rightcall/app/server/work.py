"""The process of one run of the server: told what to do on standard input, says how far it is on standard output."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Final

import msgspec

from ...core.results import Result
from ...core.summing.summary import RunSummary
from ...core.types import Case
from ...errors import RightcallError
from ...run.dataset import Dataset, Reading
from ...run.directory.judged import judged_in
from ...run.directory.rundir import Request, RunDirectory
from ...run.engine import Job, choose_engine
from ...run.finishing import ended, finish
from ...run.plan import Plan
from ...run.runner import Position, Recorded
from ...run.stages import BadCase
from .asked import gates_of, plan_of
from .jobs import Progress, Spec
from .logs import log_request, open_log
from .runs import RunRequest

__all__ = ["main"]

_EVERY: Final = 0.2
"""Seconds between two lines of progress."""


def main() -> None:
    """Make the run."""
    open_log()
    spec = msgspec.json.decode(sys.stdin.buffer.readline(), type=Spec)
    Thread(target=_watch, daemon=True).start()
    try:
        # From the first word on somebody may end it, and nothing may lie between that and the way it is told.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _say(Progress())
        said = _run(spec)
    except KeyboardInterrupt:
        said = Progress(state="cancelled")  # before anything was scored, or while reports were made
    except RightcallError as error:
        said = Progress(state="failed", message=str(error))
    except OSError as error:
        said = Progress(state="failed", message=f"the disk can't be used: {error.strerror}")
    except Exception as error:  # noqa: BLE001 - told without what it holds, and noted with its place
        log_request.fault(Path(spec.out).name, error)
        said = Progress(state="failed", message="a fault in rightcall; its log says where")
    _say(said)
    os._exit(0)  # the thread that watches would keep the interpreter from ending


def _watch() -> None:
    """The server is gone when its end of the pipe is: then nobody would read what else came of this."""
    sys.stdin.buffer.read()
    os._exit(0)


def _say(progress: Progress) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(progress) + b"\n")
    sys.stdout.buffer.flush()


def _run(spec: Spec) -> Progress:
    request = msgspec.json.decode(spec.request, type=RunRequest)
    plan = plan_of(request, None)
    gates = gates_of(request.gates, plan.ids)
    plan = msgspec.structs.replace(plan, slices=gates.slices)
    reading = Reading(format=request.format, tags=request.tags, where=tuple(request.where.items()))
    data = Dataset(spec.data, expected=spec.expected, reading=reading, hashing=True)
    directory = RunDirectory(
        Path(spec.out),
        _request(spec, request),
        signature=plan.signature,
        apart=tuple(sorted(map(str, plan.slices))),
        resume=spec.resume,
    )
    if directory.is_done:
        summary = directory.summary()
        return Progress(cases=summary.cases, errors=summary.errors, passed=summary.passed, state="complete")
    plan = judged_in(plan, directory.place)
    done = _scored(directory, data, plan)
    summary = finish(done, data, plan, gates, directory)
    return Progress(
        cases=summary.cases,
        errors=summary.errors,
        passed=summary.passed,
        state={"complete": "complete", "interrupted": "cancelled"}.get(ended(done), "failed"),
        message=_why(done, summary, data),
    )


def _why(done: Recorded, summary: RunSummary, data: Dataset) -> str | None:
    """What is to be said of how it ended."""
    if done.broken is not None:
        return str(done.broken)
    return (
        None if summary.cases else f"no case was scored; {'; '.join(data.warnings) or 'the data holds none'}"
    )


def _scored(directory: RunDirectory, data: Dataset, plan: Plan) -> Recorded:
    begun = directory.begin(data)
    noticed = directory.noticed
    noticed.aim(plan)
    told = [0.0]

    def write(case: Case | BadCase, results: tuple[Result, ...], passed: bool | None) -> None:  # noqa: FBT001
        if isinstance(case, Case):
            noticed.look_at(case)
        directory.write(case, results, passed)

    def progress(position: Position) -> None:
        moment = time.monotonic()
        if moment - told[0] >= _EVERY:
            told[0] = moment
            _say(Progress(cases=position.cases, errors=position.errors))

    done = choose_engine(None, 1).run(
        Job(
            data=data,
            plan=plan,
            write=write,
            progress=progress,
            keeper=directory,
            tally=None if begun is None else begun.tally,
            errors=() if begun is None else begun.errors,
        )
    )
    return msgspec.structs.replace(done, warnings=tuple(noticed.of_the_run()))


def _request(spec: Spec, request: RunRequest) -> Request:
    return Request(
        data=spec.data,
        cwd=os.path.relpath(Path.cwd(), spec.out),  # so that the whole folder may be moved
        expected=spec.expected,
        format=request.format,
        where=tuple(f"{name}={value}" for name, value in request.where.items()),
        tags=request.tags,
        evaluators=request.evaluators,
        suite=request.suite,
    )
