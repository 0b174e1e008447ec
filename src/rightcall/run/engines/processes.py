"""Several processes of this machine, over ranges of lines.

One process reads the files to find where lines end, hands ranges to workers, and takes what they made in the order of
the input: results, counts, ids and warnings are those of one process. Only JSON Lines can be divided so.
"""

from __future__ import annotations

import json
import mmap
import os
import socket
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Final

from msgspec.structs import replace

from ...core.results import CaseResults
from ...core.summing.tally import Tally
from ...core.types import Source
from ...errors import DataError, RightcallError, UsageError, WorkerError
from ..engine import EngineDeclaration, Job
from ..intake.linewise import Part
from ..interrupt import Interrupt
from ..noticed import Noticed
from ..runner import CaseError, Position, Recorded, first_errors
from ..worker import Assignment, Done, Failed, packed_plan
from . import local

__all__ = ["DECLARATION", "run"]

DECLARATION = EngineDeclaration(
    id="processes", meaning="several processes of this machine, each with ranges of lines"
)

_SECONDS: Final = 0.8
"""How long a part should take: what is lost when a worker dies, and what Ctrl-C waits for at most."""
_LARGEST: Final = 12 << 20
_AT_FIRST: Final = 128 << 10
_AHEAD: Final = 4
"""Parts for each worker that may be finished before it is their turn."""


def run(job: Job) -> Recorded:
    """Run it; data that can't be divided, and a single worker, in this process."""
    why = _undivided(job)
    if why is not None and job.workers > 1 and job.tell is not None:
        job.tell(f"one process does the work: {why}")
    if why is not None or job.workers == 1:
        return local.run(job)
    return _Run(job).run()


def _undivided(job: Job) -> str | None:
    """Why the data can't be divided; None where it can."""
    if job.data.joined:
        return "data that is joined by id can't be divided"
    if job.data.skip:
        return "rows have to be read over"
    for source in job.data.sources:
        if source.path == "-":
            return "standard input can't be divided"
        if not source.holds_lines():
            return f"{source.path} is not JSON Lines, and only that can be divided"
    return None


class _Pace:
    """About how many bytes the next part shall have, so that it takes about :data:`_SECONDS`."""

    def __init__(self, first: int) -> None:
        self.wanted = first

    def took(self, size: int, seconds: float) -> None:
        """A part of `size` bytes took so long."""
        aim = size * _SECONDS / max(seconds, 1e-6)
        self.wanted = int(min(max(aim, self.wanted / 4, 1), self.wanted * 4 + 1, _LARGEST))


class _Worker:
    """A process that scores."""

    def __init__(self, assignment: Assignment) -> None:
        ours, theirs = socket.socketpair()
        # The same search path, and no main module: nothing of the program that called us runs again.
        boot = (
            f"import json, sys; sys.path[:] = json.loads({json.dumps(json.dumps(sys.path))}); "
            f"from rightcall.run.worker import main; main({theirs.fileno()})"
        )
        self._spool = _memory_file()
        with theirs:
            # What it prints goes to standard error: our own output is on the other one.
            self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own code
                [sys.executable, "-c", boot],
                pass_fds=(theirs.fileno(), self._spool),
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr.fileno() if _has_descriptor(sys.stderr) else subprocess.DEVNULL,
            )
        self.connection = Connection(ours.detach())
        self.parts: deque[tuple[int, Part]] = deque()
        with suppress(OSError):  # it died at once; who waits for its answer is told
            self.connection.send(replace(assignment, spool=self._spool))

    def give(self, number: int, part: Part) -> None:
        """Hand it a part."""
        self.parts.append((number, part))
        with suppress(OSError):
            self.connection.send(part)

    def spooled(self, offset: int, size: int, *, at_once: bool) -> bytes | memoryview:
        """The lines that it made of a part.

        Args:
            offset, size: where they lie; `offset` is a multiple of the page size.
            at_once: they are used before it is given the part after the next, so they need not be copied.
        """
        if not size:
            return b""
        found = mmap.mmap(self._spool, size, prot=mmap.PROT_READ, offset=offset)
        if at_once:
            return memoryview(found)
        with found:
            return found[:]

    def end(self) -> None:
        """End it, whatever it does."""
        self.connection.close()
        os.close(self._spool)
        self.process.kill()
        self.process.wait()


def _memory_file() -> int:
    """The descriptor of a file without a name, in memory where the system has such."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("rightcall")
    descriptor, name = tempfile.mkstemp()
    os.unlink(name)  # noqa: PTH108 - it lives on as long as its descriptors
    return descriptor


def _has_descriptor(stream: object) -> bool:
    try:
        stream.fileno()  # type: ignore[attr-defined]  # what has none raises
    except (AttributeError, OSError, ValueError):
        return False
    return True


class _Run:
    """One run, while it goes on."""

    def __init__(self, job: Job) -> None:
        if os.name != "posix":
            raise UsageError("several processes need a POSIX system", field="workers", hint="use one worker")
        self._job = job
        self._tally = Tally() if job.tally is None else job.tally
        self._errors: list[CaseError] = list(job.errors)
        self._last: Source | None = None
        self._pace = _Pace(_AT_FIRST if job.plan.is_built_in else 1)
        self._ready: dict[int, tuple[Part, Done, bytes | memoryview | list[CaseResults]]] = {}
        self._next = 0
        self._workers: list[_Worker] = []
        self._given = 0

    def run(self) -> Recorded:
        job = self._job
        assignment = Assignment(
            plan=packed_plan(job.plan),
            reading=job.data.reading,
            timeout=job.timeout,
            made=job.made,
            noticing=job.noticed is not None,
            spool=-1,
        )
        broken: RightcallError | None = None
        interrupted = False
        with Interrupt() as interrupt:
            # What is done here between two answers is short, and must not be cut in half.
            interrupt.patient = True
            try:
                for _ in range(job.workers):
                    self._workers.append(_Worker(assignment))
                self._loop(interrupt)
                interrupted = interrupt.asked
            except KeyboardInterrupt:
                interrupted = True
            except (DataError, WorkerError) as error:
                broken = error
            finally:
                interrupt.busy = True
                for worker in self._workers:
                    worker.end()
            if job.keeper is not None and (interrupted or broken) and self._last is not None:
                job.keeper.keep(self._tally, self._errors, self._last)
        return Recorded(tally=self._tally, errors=tuple(self._errors), interrupted=interrupted, broken=broken)

    def _loop(self, interrupt: Interrupt) -> None:
        parts = enumerate(self._parts())
        broken: DataError | None = None
        more = True
        while not interrupt.asked:
            while more and broken is None and (worker := self._idle()) is not None:
                try:
                    number, part = next(parts)
                except StopIteration:
                    more = False
                except DataError as error:
                    broken = error  # what was read before is still scored
                else:
                    self._given += 1
                    worker.give(number, part)
            if not any(worker.parts for worker in self._workers):
                break
            self._receive()
            interrupt.busy = True
            self._take_ready()
            interrupt.busy = False
        if broken is not None:
            raise broken
        if not interrupt.asked:
            for _ in self._job.data.end():  # without a join no case comes of it, only warnings
                pass

    def _parts(self) -> Iterator[Part]:
        left = self._job.data.plain_size()

        def wanted() -> int:
            # Towards the end parts get smaller, so that no worker has a large one when the others are done.
            share = max(left // (3 * self._job.workers), _AT_FIRST) if left else _LARGEST
            return min(self._pace.wanted, share)

        for part in self._job.data.parts(wanted):
            left = max(1, left - part.size) if left else 0
            yield part

    def _idle(self) -> _Worker | None:
        """A worker that can take a part: one more than it works on, where a part is only named."""
        if self._given - self._next >= _AHEAD * len(self._workers):
            return None
        least = min(self._workers, key=lambda worker: len(worker.parts))
        if not least.parts:
            return least
        named = all(part.place is not None for _, part in least.parts)
        return least if named and len(least.parts) < 2 else None

    def _receive(self) -> None:
        """Wait for an answer, and take it in."""
        by_connection = {worker.connection: worker for worker in self._workers if worker.parts}
        for connection in wait(list(by_connection)):
            worker = by_connection[connection]  # type: ignore[index]  # only these were waited for
            try:
                answer: Done | Failed = worker.connection.recv()
            except (EOFError, OSError):
                raise _died(worker) from None
            number, part = worker.parts.popleft()
            if isinstance(answer, Failed):
                raise answer.error or WorkerError(f"a worker failed at {_place(part)}: {answer.message}")
            self._pace.took(part.size, answer.seconds)
            made: tuple[int, int] | bytes | memoryview | list[CaseResults] = answer.made
            if not isinstance(made, list):
                made = worker.spooled(*made, at_once=number == self._next)
            self._ready[number] = part, answer, made

    def _take_ready(self) -> None:
        """Take what workers made, as far as it is its turn."""
        job, tally = self._job, self._tally
        while self._next in self._ready:
            part, done, made = self._ready.pop(self._next)
            self._next += 1
            if job.take is not None and made:
                job.take(_moved_results(made, tally.cases) if isinstance(made, list) else made)
            _move_rows(done.tally, tally.cases)
            tally.merge(done.tally)
            self._errors = first_errors(self._errors, done.errors)
            job.data.saw(done.ids, part.path)
            job.data.counted(len(done.ids), done.left_out, done.unseen)
            if job.noticed is not None:
                _take_noticed(job.noticed, done.noticed, len(done.ids))
            self._last = Source(part.path)
            if part.problem is None:
                self._last = Source(part.path, part.line + part.count, part.offset, part.size - 1)
            if job.progress is not None:
                job.progress(Position(tally.cases, tally.errors, self._last))
            if job.keeper is not None and job.keeper.due():
                job.keeper.keep(tally, self._errors, self._last)


def _take_noticed(all_of_it: Noticed, part: Noticed, cases: int) -> None:
    part.looked = cases
    all_of_it.merge(part)


def _moved_results(results: list[CaseResults], rows: int) -> list[CaseResults]:
    return [replace(result, row=result.row + rows) for result in results]


def _move_rows(tally: Tally, rows: int) -> None:
    """Let the rows of a part count from where the part begins in its run."""
    for found in tally.evaluators.values():
        for cause in found.causes.values():
            cause.examples = [(row + rows, case_id) for row, case_id in cause.examples]


def _place(part: Part) -> str:
    last = part.line + part.count
    return f"{part.path} line {last}" if part.count == 1 else f"{part.path} lines {part.line + 1} to {last}"


def _died(worker: _Worker) -> WorkerError:
    with suppress(subprocess.TimeoutExpired):
        worker.process.wait(timeout=5)
    code = worker.process.poll()
    how = "closed its connection"
    if code is not None:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    hint = "what was finished is kept: go on with --resume"
    if code == -9:
        hint = f"the system may have run out of memory; {hint}"
    _, part = worker.parts[0]
    return WorkerError(f"a worker process {how} at {_place(part)}", hint=hint)
