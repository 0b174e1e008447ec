"""Runs in the background: each in a process of its own, which the server starts, listens to and goes on with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from threading import Condition, Thread
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from ...errors import StoreError
from .logs import log
from .problems import RefusedError
from .runs import GOING, RunRecord, Runs
from .store.database import now

__all__ = ["Jobs", "Progress", "Spec"]

Written = TypeVar("Written")


class Spec(Struct, frozen=True, kw_only=True):
    """What the process of a run is told on its standard input, which it also watches: it ends when that ends."""

    request: bytes
    data: str
    expected: str | None
    out: str
    resume: bool


class Progress(Struct, frozen=True, kw_only=True):
    """What it says on its standard output, a line each; at the end with `state`."""

    cases: int = 0
    errors: int = 0
    passed: int | None = None
    state: str | None = None
    message: str | None = None


_PROGRAM: Final = (
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    "from rightcall.app.server.work import main; main()"
)
"""Until it can end in good order, the process of a run lets a signal pass; what it says first is that it can."""

_decode: Final = msgspec.json.Decoder(Progress).decode
_TO_STOP: Final = 10.0
_AGAIN: Final = 1.0
_TRIES: Final = 60


class Jobs:
    """The runs that are being made.

    Args:
        runs: where it is written down.
        folder: the server's; runs name their data from there, so that it can be moved.
        most: at the same time.
    """

    def __init__(self, runs: Runs, folder: Path, *, most: int) -> None:
        self._runs = runs
        self._folder = folder.resolve()
        self._most = most
        self._waiting: deque[str] = deque()
        self._going: dict[str, subprocess.Popen[bytes]] = {}
        self._cancelled: set[str] = set()
        self._changed = Condition()
        self._stopping = False
        self._threads: list[Thread] = []
        self.said: dict[str, Progress] = {}

    def open(self) -> None:
        """Go on with what an earlier process of the server left, and wait for more."""
        self._waiting.extend(self._runs.waiting())
        for _ in range(self._most):
            thread = Thread(target=self._work, daemon=True)
            thread.start()
            self._threads.append(thread)

    def add(self, run: str) -> None:
        """Make a run that waits."""
        with self._changed:
            self._waiting.append(run)
            self._changed.notify_all()

    def cancel(self, run: str) -> RunRecord:
        """End a run; what is finished of it is kept.

        Raises:
            RefusedError: 409, it has ended.
        """
        record = self._runs.get(run)
        if record.state not in GOING:
            raise RefusedError(409, f"it is {record.state}", field="run")
        with self._changed:
            self._cancelled.add(run)
            process = self._going.get(run)
        if process is not None:
            _stop(process)
        elif self._runs.moved(run, ("queued",), "cancelled", ended=now(), resumable=True):
            self._cancelled.discard(run)
        return self._runs.get(run)

    def resume(self, run: str) -> RunRecord:
        """Go on with a run that was cancelled or failed.

        Raises:
            RefusedError: 409, it is complete or being made.
        """
        if not self._runs.moved(run, ("cancelled", "failed"), "queued", ended=None, message=None):
            raise RefusedError(409, f"it is {self._runs.get(run).state}", field="run")
        self.add(run)
        return self._runs.get(run)

    def close(self, seconds: float) -> None:
        """Stop all of them; they stay as they are in the database, so that the next server goes on with them."""
        with self._changed:
            self._stopping = True
            going = list(self._going.values())
            self._changed.notify_all()
        for process in going:
            process.send_signal(signal.SIGINT)
        for process in going:
            try:
                process.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
        for thread in self._threads:
            thread.join(timeout=2.0)

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._stopping:
                    self._changed.wait()
                if self._stopping:
                    return
                run = self._waiting.popleft()
            try:
                self._make(run)
            except Exception as error:  # noqa: BLE001 - one run must not end the thread that makes all of them
                log("run_fault", run=run, kind=type(error).__name__)
                self._kept(run, state="failed", message="a fault in rightcall", resumable=True, ended=now())

    def _make(self, run: str) -> None:
        if run in self._cancelled or self._runs.get(run).state not in GOING:
            self._cancelled.discard(run)
            return
        request = self._runs.request(run)
        assert request.dataset is not None  # noqa: S101 - stored requests name one
        _, _, data = self._runs.datasets.version(request.dataset, request.version)
        expected = None
        if request.expected is not None:
            beside = self._runs.datasets.version(request.expected, request.expected_version)[2]
            expected = os.path.relpath(beside.resolve(), data.resolve().parent)
        place = self._runs.place(run)
        spec = Spec(
            request=msgspec.json.encode(request),
            data=data.name,
            expected=expected,
            out=str(place.resolve()),
            resume=place.exists(),
        )
        if not self._taken(run):
            return  # it was cancelled in the meantime
        log("run_started", run=run, resumed=spec.resume)
        last = self._listen(run, spec, data.resolve().parent)
        if self._stopping and last.state != "complete":
            return  # the next server goes on with it
        state = "cancelled" if run in self._cancelled and last.state != "complete" else last.state or "failed"
        self._cancelled.discard(run)
        self._kept(
            run,
            state=state,
            ended=now(),
            cases=last.cases,
            errors=last.errors,
            passed=last.passed,
            message=None if last.message is None else last.message.replace(f"{self._folder}/", ""),
            resumable=state != "complete",
        )
        self.said.pop(run, None)
        log("run_ended", run=run, state=state, cases=last.cases)

    def _listen(self, run: str, spec: Spec, beside: Path) -> Progress:
        """Run the process to its end, in the folder of its data; gives the last thing that it said."""
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own code
            [sys.executable, "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=beside,
        )
        assert process.stdin is not None  # noqa: S101 - they are pipes
        assert process.stdout is not None  # noqa: S101
        with self._changed:
            self._going[run] = process
        last = Progress()
        try:
            process.stdin.write(msgspec.json.encode(spec) + b"\n")
            process.stdin.flush()
            if run in self._cancelled:
                _stop(process)
            begun = False
            for line in process.stdout:
                last = _decode(line)
                if not begun and (run in self._cancelled or self._stopping):
                    process.send_signal(signal.SIGINT)  # sent before, it was not heard
                begun = True
                self.said[run] = last
        except OSError:
            pass  # it died; its exit code says so
        finally:
            process.stdout.close()
            code = process.wait()
            process.stdin.close()
            with self._changed:
                self._going.pop(run, None)
        if last.state is None:
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            last = msgspec.structs.replace(last, state="failed", message=f"its process ended with {how}")
        return last

    def _taken(self, run: str) -> bool:
        """Write down that it is being made, unless it was cancelled."""
        return bool(self._written(run, lambda: self._runs.moved(run, GOING, "running", started=now())))

    def _kept(self, run: str, **values: object) -> None:
        """Write down how it goes."""
        self._written(run, lambda: self._runs.note(run, **values))

    def _written(self, run: str, write: Callable[[], Written]) -> Written | None:
        """Write; a database that is full or locked for a while is waited for. None where it took too long."""
        for _ in range(_TRIES):
            try:
                return write()
            except StoreError:
                if self._stopping:
                    return None
                with self._changed:
                    self._changed.wait(_AGAIN)
        log("run_not_written", run=run)
        return None


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)
    Thread(target=_kill_later, args=(process,), daemon=True).start()


def _kill_later(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(timeout=_TO_STOP)
    except subprocess.TimeoutExpired:
        process.kill()
