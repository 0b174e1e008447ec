"""What an engine is: it takes a run's job and brings the same results, in the same order, whoever does the work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, Final, Literal

from msgspec import Struct

from ..core.registry import Registry
from ..core.results import CaseResults
from ..core.summing.tally import Tally
from ..errors import NotThereYetError, OptionError
from .dataset import Dataset
from .noticed import Noticed
from .plan import Plan
from .runner import BATCH, CaseError, Keeper, Position, Recorded, Write

__all__ = ["ENGINES", "Engine", "EngineDeclaration", "Job", "choose_engine", "parse_workers"]

Made = Literal["lines", "results", "nothing"]
"""What workers hand back of their cases: lines of results.jsonl, results as objects, or counts alone."""


class Job(Struct, frozen=True, kw_only=True):
    """A run to be made.

    Attributes:
        data: from where reading goes on.
        plan: what to run.
        workers: processes; 1 is this one.
        timeout: seconds for one case, for evaluators of somebody's own.
        write: takes the results of one case, in input order; for work that is done in this process.
        made, take: what other processes make of their cases, and what takes that, in input order.
        noticed: where it is noted what is noticed, by other processes; None where nobody asks.
        batch: how many cases are read before they are scored.
        explaining: see :func:`~rightcall.run.runner.run_cases`.
        tally, errors: what an earlier part of the same run came to.
        tell: is told what a person should know about how the work is done.
    """

    data: Dataset
    plan: Plan
    workers: int = 1
    timeout: float | None = None
    write: Write | None = None
    made: Made = "nothing"
    take: Callable[[bytes | memoryview | list[CaseResults]], None] | None = None
    noticed: Noticed | None = None
    progress: Callable[[Position], None] | None = None
    keeper: Keeper | None = None
    batch: int = BATCH
    explaining: bool = True
    tally: Tally | None = None
    errors: Iterable[CaseError] = ()
    tell: Callable[[str], None] | None = None


class EngineDeclaration(Struct, frozen=True, kw_only=True):
    """What an engine is."""

    id: str
    meaning: str


class Engine(Struct, frozen=True):
    """An engine: a file of the `engines` folder, with DECLARATION and run."""

    declaration: EngineDeclaration
    run: Callable[[Job], Recorded]


def _engine_of(module: ModuleType) -> Engine:
    held: Any = module
    return Engine(held.DECLARATION, held.run)


ENGINES: Final[Registry[Engine]] = Registry("rightcall.run.engines", "engine", _engine_of)

_TO_COME: Final = ("ray", "spark")


def choose_engine(name: str | None, workers: int) -> Engine:
    """The engine of that name; without one, processes for more than one worker.

    Raises:
        UnknownNameError, NotThereYetError: there is none of that name, or not yet.
        OptionError: it can't have so many workers.
    """
    if name in _TO_COME:
        raise NotThereYetError(f"the engine {name!r} is not there yet", field="engine", hint="use processes")
    if name is None:
        name = "processes" if workers > 1 else "local"
    elif name == "local" and workers > 1:
        raise OptionError("the engine 'local' has one worker", field="workers", hint="--engine processes")
    return ENGINES.get(name, field="engine")


_MOST: Final = 512


def parse_workers(value: int | str | None) -> int:
    """A number of processes; ``auto`` is one for each processor that this process may use.

    Raises:
        OptionError: neither a number from 1 on nor ``auto``.
    """
    if value is None:
        return 1
    if value == "auto":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        number = int(value) if isinstance(value, str) else value
    except ValueError:
        number = 0
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= _MOST:
        raise OptionError(
            f"{value!r} is not a number of processes from 1 to {_MOST}",
            field="workers",
            hint="'auto' is one for each processor",
        )
    return number
