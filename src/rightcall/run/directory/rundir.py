"""A run directory: results.jsonl, summary.json, run.json, reports, and standard input as cases.jsonl.

Beside them lies checkpoint.bin until the run has come to the end of its data.
"""

from __future__ import annotations

import hashlib
import os
import platform
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, Final

import msgspec

from ...core.results import Result
from ...core.summing.records import Lookups, Reported
from ...core.summing.summary import RunSummary
from ...core.summing.tally import Tally
from ...core.types import Case, Source
from ...errors import SourceError
from ..dataset import Dataset, ReadFile
from ..intake.files import find_files
from ..intake.inputcopy import CopiedInput
from ..noticed import Noticed
from ..reporting import REPORTS, StoredCases, naming, write_reports
from ..runner import CaseError
from ..stages import BadCase
from .checkpoint import Checkpoint, Pace, load, packed, save, written_cases
from .lines import LineWriter
from .migrate import RUN_FORMAT
from .outplace import Lock, check_apart, check_place, clear, is_run, unwritable
from .resuming import check_same, check_unchanged
from .runrecord import (
    CASES,
    CHECKPOINT,
    RECORD,
    RESULTS,
    SUMMARY,
    Request,
    RunRecord,
    SourceRecord,
    read_record,
    read_summary,
)

__all__ = [
    "CASES",
    "RECORD",
    "RESULTS",
    "RUN_FORMAT",
    "SUMMARY",
    "Request",
    "RunDirectory",
    "RunRecord",
    "SourceRecord",
    "check_apart",
    "check_place",
    "file_record",
]

_BUFFER: Final = 1 << 20


_NOTHING: Final = Lookups()


class RunDirectory:
    """A directory being written, by this process alone.

    Args:
        place: made if it does not exist; an earlier run in it is replaced, unless it is to be gone on with.
        request: what was asked for.
        signature: how the numbers are made.
        apart: parts of the cases that are counted apart, since gates ask for them.
        resume: go on with the run that lies there.
        pace: when checkpoints are kept; left out, often enough.

    Attributes:
        noticed: what is noticed on the way, kept with the checkpoints.
        told: what a person should know about how the run goes on.

    Raises:
        OptionError: it holds files that are no run's, it is no directory, another process writes into it, or
            the run that is to be gone on with asked for something else.
        SourceError: the record of that run can't be read.
    """

    def __init__(
        self,
        place: Path,
        request: Request,
        *,
        signature: str = "",
        apart: tuple[str, ...] = (),
        resume: bool = False,
        pace: Pace | None = None,
    ) -> None:
        self.place = place
        self.noticed = Noticed()
        self.told: list[str] = []
        self._request = request
        self._signature = signature
        self._apart = apart
        self._started = datetime.now(UTC)
        self._pace = pace
        self._clock = time.monotonic()
        self._lines = LineWriter()
        self._data: Dataset | None = None
        self._saving: Thread | None = None
        self._beside: tuple[ReadFile, ...] | None = None
        check_place(place)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(place, error) from None
        self._lock = Lock(place)
        self._results: BinaryIO | None = None
        self._earlier: RunRecord | None = None
        self._input_whole = False
        if resume and is_run(place):
            self._earlier = read_record(place)
            check_same(self._earlier, request, signature, apart)
            self._input_whole = self._earlier.input_ended
        elif resume:
            self.told.append(f"nothing of a run lies in {place} yet: it begins anew")
        if self._earlier is None:
            self._anew()

    @property
    def is_done(self) -> bool:
        """Whether the run that is to be gone on with has come to the end of its data already."""
        return self._earlier is not None and self._earlier.ended in ("complete", "reporting")

    def begin(self, data: Dataset) -> Checkpoint | None:
        """Get ready to write: gives what the earlier part of a run came to, and lets `data` go on behind it.

        Raises:
            SourceError: the data is not what the earlier part read; nothing was changed.
        """
        self._data = data
        begun = None
        if self._earlier is not None:
            begun = self._go_on(data)
            if begun is None:
                self.told.append("the earlier part can't be gone on with: it begins anew")
                self._anew(keep=(CASES,))
        for index, source in enumerate(data.sources):
            if source.path == "-":
                copied = CopiedInput(
                    self.place / CASES,
                    self._input_ended,
                    resumed=self._earlier is not None,
                    whole=self._input_whole,
                )
                copied.recordings = source.recordings
                data.sources[index] = copied
        return begun

    def _anew(self, keep: Iterable[str] = ()) -> None:
        """Begin with nothing. What a kill leaves on the way is never taken for more than it is."""
        try:
            (self.place / CHECKPOINT).unlink(missing_ok=True)
            self._write(RECORD, self._record(ended="running"))
            clear(self.place, keep)
            self._results = (self.place / RESULTS).open("wb", buffering=_BUFFER)
        except OSError as error:
            raise unwritable(self.place, error) from None

    def _go_on(self, data: Dataset) -> Checkpoint | None:
        """Open the results behind the last checkpoint; None where there is none that can be used."""
        begun = load(self.place / CHECKPOINT)
        if begun is None:
            return None
        check_unchanged(begun.files, [source.path for source in data.sources])
        check_unchanged(begun.beside, [each.path for each in self._files_beside()])
        each = len(begun.tally.evaluators)
        try:
            for case in written_cases(self.place / RESULTS, begun.size, each):
                if begun.mark is not None:
                    data.saw([(case.id, case.trial, case.row.line)], case.row.file)
        except (OSError, ValueError):
            data.forget()
            return None
        if begun.mark is not None:
            data.go_to(begun.mark)
        else:
            data.skip = begun.tally.cases
        try:
            results = (self.place / RESULTS).open("r+b", buffering=_BUFFER)
            results.truncate(begun.size)
            results.seek(begun.size)
            self._results = results
            self._write(RECORD, self._record(ended="running"))
        except OSError as error:
            raise unwritable(self.place, error) from None
        self.noticed.merge(begun.noticed)
        self._clock -= begun.seconds
        self.told.append(f"goes on after {begun.tally.cases:,} cases")
        return begun

    def _input_ended(self) -> None:
        """Standard input was read to its end: who goes on after a kill need not ask for more of it."""
        self._input_whole = True
        self._write(RECORD, self._record(ended="running"))

    def write(self, case: Case | BadCase, results: tuple[Result, ...], passed: bool | None) -> None:  # noqa: FBT001
        """Write the results of one case.

        Raises:
            OSError: names the file, which the system's own error does not.
        """
        self.write_lines(self._lines.lines(case, results))

    def write_lines(self, lines: bytes | memoryview) -> None:
        """Write lines of results that are made already.

        Raises:
            OSError: as from :meth:`write`.
        """
        if self._results is None:
            raise ValueError("the run was not begun")
        try:
            self._results.write(lines)
        except OSError as error:
            self._give_up()
            raise naming(self.place / RESULTS, error) from None

    def _give_up(self) -> None:
        if self._results is not None:
            with suppress(OSError):
                self._results.close()  # it would be tried again at the end, and fail again

    def due(self) -> bool:
        """Whether it is time for a checkpoint."""
        if self._pace is None:
            self._pace = Pace()
        return self._pace.due() and (self._saving is None or not self._saving.is_alive())

    def keep(self, tally: Tally, errors: list[CaseError], last: Source | None) -> None:
        """Keep how far the run is, so that it can go on after whatever ends it.

        The disk may take its time: a thread waits for it, while the run goes on.

        Raises:
            OSError: as from :meth:`write`.
        """
        data, results = self._data, self._results
        if data is None or results is None or self._pace is None:
            return
        self._saved()
        start = time.monotonic()
        try:
            results.flush()
            if self._beside is None:
                self._beside = self._files_beside()
            found = packed(
                Checkpoint(
                    size=results.tell(),
                    mark=data.mark(last),
                    files=data.files_read(),
                    beside=self._beside,
                    seconds=start - self._clock,
                    tally=tally,
                    errors=tuple(errors),
                    noticed=self.noticed,
                )
            )
            self._saving = Thread(target=self._save, args=(found, os.dup(results.fileno())))
        except OSError as error:
            self._give_up()
            raise naming(self.place / RESULTS, error) from None
        self._saving.start()
        if self._pace.waiting:
            self._saved()
        self._pace.done(time.monotonic() - start)

    def _save(self, found: bytes, results: int) -> None:
        # A checkpoint that can't be written costs what would have been saved by it, and no run.
        with suppress(OSError):
            save(self.place / CHECKPOINT, found, results)
        with suppress(OSError):
            os.close(results)

    def _saved(self) -> None:
        """Wait until the last checkpoint is on the disk."""
        if self._saving is not None:
            self._saving.join()

    def close(self) -> None:
        """Results are finished; reports may be made from them.

        Raises:
            OSError: as from :meth:`write`.
        """
        self._saved()
        try:
            if self._results is not None:
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
        lookups: Lookups = _NOTHING,
        cost_usd: float = 0.0,
    ) -> list[Path]:
        """Write everything beside the results; gives the paths of the reports.

        Args:
            summary: with its gates.
            data: after iterating.
            reports: ids.
            ended: how, in a word: ``complete``, ``interrupted`` or ``broken``.
            lookups: what reports can be told beside; they may read this directory, whose record is written first.
            cost_usd: what a judge cost; of a run that was gone on with, since then.
        """
        self.close()
        self._write(SUMMARY, summary)
        seconds = time.monotonic() - self._clock
        record = self._record(
            complete=summary.complete,
            ended=ended,
            seconds=round(seconds, 3),
            cases=summary.cases,
            cost_usd=cost_usd + (0.0 if self._earlier is None else self._earlier.cost_usd),
            latency_ms={
                "mean_of_a_case": round(1000 * seconds / summary.cases, 6) if summary.cases else None
            },
            sources=tuple(_sources(data, self._request, self.place)),
            machine=_machine(),
        )
        return self._end(record, summary, reports, lookups)

    def finish_again(
        self,
        summary: RunSummary,
        *,
        reports: Sequence[str],
        lookups: Lookups = _NOTHING,
    ) -> list[Path]:
        """Write what is asked of a run that has come to the end of its data already, as far as it is not there."""
        if self._earlier is None:
            raise ValueError("there is no run to finish")
        files = {report.declaration.file for report in map(REPORTS.get, reports)}
        there = all((self.place / file).exists() for file in files)
        if self._earlier.ended == "complete" and there and summary == read_summary(self.place):
            return []
        self._write(SUMMARY, summary)
        return self._end(msgspec.structs.replace(self._earlier, ended="complete"), summary, reports, lookups)

    def _end(
        self,
        record: RunRecord,
        summary: RunSummary,
        reports: Sequence[str],
        lookups: Lookups,
    ) -> list[Path]:
        # Reports read the record; a kill while they are written leaves one that says so.
        reporting = bool(reports) and record.ended == "complete"
        self._write(RECORD, msgspec.structs.replace(record, ended="reporting") if reporting else record)
        if record.ended == "complete":
            (self.place / CHECKPOINT).unlink(missing_ok=True)
        reported = Reported(
            run=str(self.place),
            summary=summary,
            cases=StoredCases(self.place / RESULTS),
            replay=lookups.replay,
            what_ifs=lookups.what_ifs,
            comparison=lookups.comparison,
        )
        written = write_reports(reports, reported, self.place)
        if reporting:
            self._write(RECORD, record)
        return written

    def summary(self) -> RunSummary:
        """The summary of a run that has come to the end of its data already.

        Raises:
            SourceError: it can't be read.
        """
        return read_summary(self.place)

    def _record(self, **said: Any) -> RunRecord:
        started = _time(self._started) if self._earlier is None else self._earlier.started
        return RunRecord(
            request=self._request,
            signature=self._signature,
            apart=self._apart,
            started=started,
            input_ended=self._input_whole,
            **said,
        )

    def _files_beside(self) -> tuple[ReadFile, ...]:
        found: list[ReadFile] = []
        for role, named in (("expected", self._request.expected), ("tools", self._request.tools)):
            for file in () if named is None else find_files(named):
                record = file_record(role, file, str(file))
                found.append(
                    ReadFile(path=record.path, size=record.size, sha256=record.sha256 or "", whole=True)
                )
        return tuple(found)

    def _write(self, name: str, value: object) -> None:
        text = msgspec.json.format(msgspec.json.encode(value), indent=2)
        # A reader never sees half a file: it is put in its place when it is whole.
        part = self.place / f"{name}.part"
        try:
            part.write_bytes(text + b"\n")
            part.replace(self.place / name)
        except OSError as error:
            raise naming(self.place / name, error) from None


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
