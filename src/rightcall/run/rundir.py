"""A run directory: results.jsonl, summary.json, run.json, reports, and standard input as cases.jsonl."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import platform
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import msgspec
from msgspec import Struct

from .._version import __version__
from ..core.comparison import Comparison
from ..core.records import Replay, Reported
from ..core.results import Result
from ..core.summary import RunSummary
from ..core.types import Case
from ..errors import OptionError, SourceError
from .dataset import Dataset
from .lines import LineWriter
from .reporting import StoredCases, naming, report_files, write_reports
from .sources import SourceFile, find_files
from .stages import BadCase

__all__ = ["RUN_FORMAT", "Request", "RunDirectory", "RunRecord", "SourceRecord", "file_record"]

RUN_FORMAT: Final = 1
"""Changes when a field of run.json changes its meaning or goes."""

RESULTS: Final = "results.jsonl"
SUMMARY: Final = "summary.json"
RECORD: Final = "run.json"
CASES: Final = "cases.jsonl"
_BUFFER: Final = 1 << 20


class SourceRecord(Struct, frozen=True, kw_only=True):
    """A file that a run read. `sha256` is None where the run did not get to its end."""

    role: str
    path: str
    size: int
    sha256: str | None


class Request(Struct, frozen=True, kw_only=True):
    """What was asked for, as far as it is needed to read and score a case again."""

    data: str
    cwd: str
    expected: str | None = None
    tools: str | None = None
    format: str = "auto"
    map: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    evaluators: tuple[str, ...] = ()
    suite: str | None = None


class RunRecord(Struct, frozen=True, kw_only=True):
    """run.json: everything about a run that depends on when and where it was made."""

    format: int = RUN_FORMAT
    rightcall: str = __version__
    complete: bool = False
    ended: str = "running"
    request: Request
    started: str = ""
    seconds: float | None = None
    cases: int = 0
    latency_ms: dict[str, float | None] = {}
    cost_usd: float = 0.0
    sources: tuple[SourceRecord, ...] = ()
    machine: dict[str, Any] = {}


class RunDirectory:
    """A directory being written.

    Args:
        place: made if it does not exist; an earlier run in it is replaced.
        request: what was asked for.

    Raises:
        OptionError: it holds files that are no run's, or it is no directory.
    """

    def __init__(self, place: Path, request: Request) -> None:
        self.place = place
        self._request = request
        self._started = datetime.now(UTC)
        _clear(place)
        try:
            self._write(RECORD, RunRecord(request=request, started=_time(self._started)))
            self._results = (place / RESULTS).open("wb", buffering=_BUFFER)
        except OSError as error:
            raise _unwritable(place, error) from None
        self._lines = LineWriter()

    def copy_input(self, data: Dataset) -> None:
        """Keep what comes from standard input."""
        for index, source in enumerate(data.sources):
            if source.path == "-":
                data.sources[index] = _Copied(self.place / CASES)
                data.sources[index].recordings = source.recordings

    def write(self, case: Case | BadCase, results: tuple[Result, ...], passed: bool | None) -> None:  # noqa: FBT001
        """Write the results of one case.

        Raises:
            OSError: names the file, which the system's own error does not.
        """
        try:
            self._results.write(self._lines.lines(case, results))
        except OSError as error:
            with suppress(OSError):
                self._results.close()  # it would be tried again at the end, and fail again
            raise naming(self.place / RESULTS, error) from None

    def close(self) -> None:
        """Results are finished; reports may be made from them.

        Raises:
            OSError: as from :meth:`write`.
        """
        try:
            self._results.close()
        except OSError as error:
            raise naming(self.place / RESULTS, error) from None

    def finish(
        self,
        summary: RunSummary,
        *,
        data: Dataset,
        reports: Sequence[str],
        ended: str = "complete",
        replay: Replay | None = None,
        comparison: Comparison | None = None,
    ) -> list[Path]:
        """Write everything beside the results; gives the paths of the reports.

        Args:
            summary: with its gates.
            data: after iterating.
            reports: ids.
            ended: how, in a word: ``complete``, ``interrupted`` or ``broken``.
            replay: how reports get cases again from their source, which this directory's record names.
            comparison: with an earlier run, for the reports.
        """
        self.close()
        self._write(SUMMARY, summary)
        seconds = (datetime.now(UTC) - self._started).total_seconds()
        record = RunRecord(
            complete=summary.complete,
            ended=ended,
            request=self._request,
            started=_time(self._started),
            seconds=round(seconds, 3),
            cases=summary.cases,
            latency_ms={
                "mean_of_a_case": round(1000 * seconds / summary.cases, 6) if summary.cases else None
            },
            sources=tuple(_sources(data, self._request, self.place)),
            machine=_machine(),
        )
        self._write(RECORD, record)
        reported = Reported(
            run=str(self.place),
            summary=summary,
            cases=StoredCases(self.place / RESULTS),
            replay=replay,
            comparison=comparison,
        )
        return write_reports(reports, reported, self.place)

    def _write(self, name: str, value: object) -> None:
        text = msgspec.json.format(msgspec.json.encode(value), indent=2)
        # A reader never sees half a file: it is put in its place when it is whole.
        part = self.place / f"{name}.part"
        try:
            part.write_bytes(text + b"\n")
            part.replace(self.place / name)
        except OSError as error:
            raise naming(self.place / name, error) from None


def check_place(place: Path) -> None:
    """Whether a directory can take a run.

    Raises:
        OptionError: it holds files that are no run's, or it is no directory.
    """
    try:
        if not place.exists():
            return
        if not place.is_dir():
            raise OptionError(f"{place} is a file", field="out", hint="name a folder")
        names = {entry.name for entry in place.iterdir()}
    except OSError as error:
        raise OptionError(f"{place} can't be read: {error.strerror}", field="out") from None
    if not os.access(place, os.W_OK | os.X_OK):
        raise OptionError(f"{place} can't be written: {os.strerror(errno.EACCES)}", field="out")
    foreign = names - _ours()
    if foreign or (names and not _is_run(place)):
        shown = min(foreign or names)
        hint = "name a folder that is new, empty, or an earlier run"
        raise OptionError(f"{place} holds {shown}, which is not of a run", field="out", hint=hint)


def check_apart(place: Path, files: Iterable[str | None]) -> None:
    """Refuse to replace a run by one that reads from it.

    Raises:
        OptionError: a source lies in the directory.
    """
    for file in files:
        if file is not None and file != "-" and Path(file).resolve().is_relative_to(place.resolve()):
            raise OptionError(f"{file} lies in {place}, which would be replaced", field="out")


def _ours() -> frozenset[str]:
    whole = {RESULTS, SUMMARY, RECORD, CASES} | report_files()
    return frozenset(whole | {f"{name}.part" for name in whole})


def _is_run(place: Path) -> bool:
    try:
        record = msgspec.json.decode((place / RECORD).read_bytes())
    except (OSError, msgspec.MsgspecError):
        return False
    return isinstance(record, dict) and "rightcall" in record


def _clear(place: Path) -> None:
    check_place(place)
    try:
        place.mkdir(parents=True, exist_ok=True)
        for entry in place.iterdir():
            entry.unlink()
    except OSError as error:
        raise _unwritable(place, error) from None


def _unwritable(place: Path, error: OSError) -> OptionError:
    return OptionError(f"{place} can't be written: {error.strerror}", field="out")


class _Tee(io.RawIOBase):
    """A raw file whose bytes are also written elsewhere."""

    def __init__(self, raw: Any, copy: Path) -> None:
        # What is there is passed on, so that a slow producer's cases are not held back.
        self._readinto = getattr(raw, "readinto1", raw.readinto)
        self._copy = copy.open("wb", buffering=0)

    def close(self) -> None:
        self._copy.close()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        length = self._readinto(buffer) or 0
        try:
            self._copy.write(memoryview(buffer)[:length])
        except OSError as error:
            raise naming(Path(self._copy.name), error) from None
        return int(length)


class _Copied(SourceFile):
    """Standard input, copied while it is read."""

    def __init__(self, copy: Path) -> None:
        super().__init__("-", None, hashing=True)
        self._copy = copy

    def _open(self) -> BinaryIO:
        return cast(BinaryIO, _Tee(sys.stdin.buffer, self._copy))


def file_record(role: str, path: Path, shown: str) -> SourceRecord:
    """Size and hash of a file as it lies there."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return SourceRecord(role=role, path=shown, size=file.tell(), sha256=digest)
    except OSError as error:
        raise SourceError(f"{shown} can't be read: {error.strerror}") from None


def _sources(data: Dataset, request: Request, place: Path) -> Iterable[SourceRecord]:
    for source in data.sources:
        path = place / CASES if source.path == "-" else Path(source.path)
        size = path.stat().st_size if path.exists() else source.size
        read_whole = source.size == size and source.sha256
        yield SourceRecord(
            role="data", path=source.path, size=size, sha256=source.sha256 if read_whole else None
        )
    for role, named in (("expected", request.expected), ("tools", request.tools)):
        if named is not None:
            for file in find_files(named):
                yield file_record(role, file, str(file))


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "release": platform.release(),
        "processor": platform.machine(),
        "cpus": os.cpu_count(),
    }
