"""A process that scores parts of a run. It is started as a bare interpreter, so it runs nobody's main module again."""

from __future__ import annotations

import importlib
import io
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable
from itertools import cycle
from multiprocessing.connection import Connection
from typing import Any, Final

from msgspec import Struct

from ..core.declare import BuiltIn
from ..core.results import CaseResults, Result
from ..core.summing.tally import Tally
from ..core.types import Case
from ..errors import RightcallError, UsageError
from .dataset import Dataset, Reading
from .directory.lines import LineWriter
from .engine import Made
from .intake.linewise import Part, records_of_part
from .noticed import Noticed
from .plan import Plan
from .runner import CaseError, little_garbage, results_of, score_part
from .sets import EVALUATORS
from .stages import BadCase
from .timeouts import time_limit

__all__ = ["Assignment", "Done", "Failed", "main", "packed_plan", "unpacked_plan"]


class Assignment(Struct, frozen=True, kw_only=True):
    """What a worker is told once.

    Attributes:
        plan: packed by :func:`packed_plan`.
        spool: the descriptor of a file for lines, which are too many for a pipe: its reader would have to keep up.
    """

    plan: bytes
    reading: Reading
    timeout: float | None
    made: Made
    noticing: bool
    spool: int


class Done(Struct, frozen=True, kw_only=True):
    """What came of a part; rows in it count from 0.

    Attributes:
        made: see :data:`~rightcall.run.engine.Made`; of lines where in the spool they begin, and their size.
        ids: id, trial and line of every case.
        left_out: rows that the filters left out.
        unseen: columns that no row of it had.
        seconds: how long it took.
    """

    tally: Tally
    errors: tuple[CaseError, ...]
    made: tuple[int, int] | list[CaseResults]
    ids: list[tuple[str, int | None, int | None]]
    left_out: int
    unseen: frozenset[str]
    noticed: Noticed
    seconds: float


_SLOT: Final = 1 << 36
"""The spool has two places that take turns: one is written while the other is read."""


class Failed(Struct, frozen=True, kw_only=True):
    """Why a part could not be scored: an error of the family, or the words for another one."""

    error: RightcallError | None
    message: str


# ---------------------------------------------------------------- plans between processes

_BUILT_IN: Final = "built-in"
_OWN: Final = "own"
_REPAIR: Final = "repair"


class _Packer(pickle.Pickler):
    """Evaluators are named, not copied: they are functions, and those of somebody's own may hold anything."""

    def persistent_id(self, obj: Any) -> Any:
        if isinstance(obj, BuiltIn):
            return _BUILT_IN, obj.declaration.id
        if not isinstance(obj, type) and hasattr(obj, "declaration") and hasattr(obj, "score"):
            return _OWN, *_where(obj)
        return None


class _Unpacker(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Any:
        kind, name = pid[0], pid[1]
        if kind == _BUILT_IN:
            return EVALUATORS.get(name)
        return getattr(importlib.import_module(name), pid[2])


def packed_plan(plan: Plan) -> bytes:
    """A plan as bytes for another process on this machine.

    Raises:
        UsageError: an evaluator in it can't be found by another process.
    """
    out = io.BytesIO()
    try:
        _Packer(out, protocol=5).dump(plan)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UsageError(
            f"an option can't be handed to other processes: {error}", field="workers", hint="use one worker"
        ) from None
    return out.getvalue()


def unpacked_plan(data: bytes) -> Plan:
    """The plan that :func:`packed_plan` packed."""
    plan: Plan = _Unpacker(io.BytesIO(data)).load()
    return plan


def _where(evaluator: Any) -> tuple[str, str]:
    """The module and the name under which another process finds an evaluator."""
    check = getattr(evaluator, "check", None) or getattr(evaluator, "instance", None) or evaluator
    home = getattr(check, "__module__", None) or type(check).__module__
    for module in dict.fromkeys((home, type(check).__module__)):
        if module == "__main__" or module not in sys.modules:
            continue
        for name, value in vars(sys.modules[module]).items():
            if value is evaluator:
                return module, name
    raise UsageError(
        f"other processes can't find the evaluator {evaluator.declaration.id!r}",
        field="workers",
        hint="define it at the top of a module that can be imported, or use one worker",
    )


# ---------------------------------------------------------------- the process itself


def main(descriptor: int) -> None:
    """Score parts that come in by a connection until it closes."""
    # Ctrl-C goes to all processes of a terminal; the one that asked for the work ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = Connection(descriptor)
    try:
        _serve(connection)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # whoever asked is gone
    finally:
        # What an evaluator of somebody's own left running must not keep the process.
        sys.stderr.flush()
        os._exit(0)


def _serve(connection: Connection) -> None:
    try:
        score = _scorer(connection.recv())
    except Exception as error:  # noqa: BLE001 - told to who asked
        connection.send(_failed(error))
        return
    with little_garbage():
        while True:
            part = connection.recv()
            try:
                answer: Done | Failed = score(part)
            except BaseException as error:  # noqa: BLE001 - a MemoryError too is told to who asked
                answer = _failed(error)
            connection.send(answer)


def _spooled(spool: int, offset: int, texts: list[bytes]) -> tuple[int, int]:
    data = memoryview(b"".join(texts))
    size = done = len(data)
    while done:
        done -= os.pwrite(spool, data[size - done :], offset + size - done)
    return offset, size


def _failed(error: BaseException) -> Failed:
    known = error if isinstance(error, RightcallError) else None
    return Failed(error=known, message=f"{type(error).__name__}: {error}")


def _scorer(told: Assignment) -> Callable[[Part], Done]:
    plan = unpacked_plan(told.plan)
    guard = None if told.timeout is None else time_limit(told.timeout)
    lines = LineWriter()
    slots = cycle((0, _SLOT))

    def score(part: Part) -> Done:
        start = time.perf_counter()
        data = Dataset(part.path, reading=told.reading, files=())
        noticed = Noticed(part.line)
        noticed.aim(plan)
        ids: list[tuple[str, int | None, int | None]] = []
        texts: list[bytes] = []
        kept: list[CaseResults] = []

        def write(case: Case | BadCase, results: tuple[Result, ...], passed: bool | None) -> None:  # noqa: FBT001
            ids.append((case.id, case.trial, None if case.source is None else case.source.line))
            if told.made == "lines":
                texts.append(lines.lines(case, results))
            elif told.made == "results":
                kept.append(results_of(case, results, passed=passed))
            if told.noticing:
                noticed.look(case, results)

        done = score_part(data.cases(records_of_part(part)), plan, write=write, guard=guard)
        return Done(
            tally=done.tally,
            errors=done.errors,
            made=kept if told.made == "results" else _spooled(told.spool, next(slots), texts),
            ids=ids,
            left_out=data.left_out,
            unseen=frozenset(data.unseen),
            noticed=noticed,
            seconds=time.perf_counter() - start,
        )

    return score
