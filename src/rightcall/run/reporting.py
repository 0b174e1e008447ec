"""The reports by name, and how they are written into a run directory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec

from ..core.registry import Registry
from ..core.summing.records import CaseRecord, Report, Reported, ResultRecord, report_of
from ..errors import MissingExtraError, SourceError

__all__ = ["REPORTS", "StoredCases", "check_reports", "naming", "read_cases", "report_files", "write_reports"]

REPORTS: Final[Registry[Report]] = Registry("rightcall.reports", "report", report_of)

_decode = msgspec.json.Decoder(ResultRecord).decode


def report_files() -> frozenset[str]:
    """The names of the files that reports write."""
    return frozenset(report.declaration.file for report in REPORTS)


def check_reports(names: Iterable[str]) -> None:
    """Whether reports of these names can be written here.

    Raises:
        UnknownNameError: there is none of that name.
        MissingExtraError: it needs an extra that is not installed.
    """
    for name in names:
        declared = REPORTS.get(name, field="report").declaration
        if declared.extra is not None and declared.module is not None and find_spec(declared.module) is None:
            raise MissingExtraError(f"the report {name}", declared.extra)


def write_reports(names: Iterable[str], reported: Reported, directory: Path) -> list[Path]:
    """Write reports of a run into a directory; gives the paths in order."""
    written: list[Path] = []
    for name in names:
        report = REPORTS.get(name, field="report")
        place = directory / report.declaration.file
        try:
            with place.open("wb") as file:
                for piece in report.write(reported):
                    file.write(piece if isinstance(piece, bytes) else piece.encode(errors="replace"))
        except OSError as error:
            raise naming(place, error) from None
        written.append(place)
    return written


def naming(file: Path, error: OSError) -> OSError:
    """The same error with the file it is about, which an error in writing does not name."""
    return error if error.filename is not None else OSError(error.errno, error.strerror, str(file))


class StoredCases:
    """The cases of a results file; each time they are gone through they are read anew."""

    def __init__(self, results: Path) -> None:
        self._results = results

    def __iter__(self) -> Iterator[CaseRecord]:
        return read_cases(self._results)


def read_cases(results: Path) -> Iterator[CaseRecord]:
    """The cases of a results file, one at a time.

    Raises:
        SourceError: a line that is no result.
    """
    lines: list[ResultRecord] = []
    try:
        opened = results.open("rb")
    except OSError as error:
        raise SourceError(f"{results} can't be read: {error.strerror}") from None
    with opened as file:
        for number, text in enumerate(file, 1):
            try:
                line = _decode(text)
            except msgspec.MsgspecError as error:
                raise SourceError(f"{results} line {number}: {error}") from None
            # The evaluators follow in the same order for each case, so the first one begins the next.
            if lines and line.evaluator == lines[0].evaluator:
                yield _case(lines)
                lines = []
            lines.append(line)
    if lines:
        yield _case(lines)


def _case(lines: list[ResultRecord]) -> CaseRecord:
    first = lines[0]
    return CaseRecord(id=first.id, trial=first.trial, row=first.row, results=tuple(lines))
