"""The files of a run directory, and what run.json says: everything that depends on when and where a run was made."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from ..._version import __version__
from ...core.summing.summary import RunSummary
from ...errors import SourceError
from .migrate import RUN_FORMAT, migrated_run, migrated_summary

__all__ = [
    "CASES",
    "CHECKPOINT",
    "RECORD",
    "RESULTS",
    "SUMMARY",
    "Request",
    "RunRecord",
    "SourceRecord",
    "read_record",
    "read_summary",
]

Held = TypeVar("Held")

RESULTS: Final = "results.jsonl"
SUMMARY: Final = "summary.json"
RECORD: Final = "run.json"
CASES: Final = "cases.jsonl"
CHECKPOINT: Final = "checkpoint.bin"


class SourceRecord(Struct, frozen=True, kw_only=True):
    """A file that a run read. `sha256` is None where the run did not get to its end."""

    role: str
    path: str
    size: int
    sha256: str | None


class Request(Struct, frozen=True, kw_only=True):
    """What was asked for, as far as it is needed to read and score a case again. `cwd` may be relative to the run."""

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
    case_timeout: float | None = None


class RunRecord(Struct, frozen=True, kw_only=True):
    """run.json.

    Attributes:
        complete: the results cover the data.
        ended: how, in a word: ``running`` until it has ended, ``reporting`` while its reports are written, then
            ``complete``, ``interrupted`` or ``broken``.
        signature: how the numbers are made; empty in runs made before runs could be resumed.
        apart: parts of the cases that were counted apart, since gates ask for them.
        input_ended: standard input was read to its end.
    """

    format: int = RUN_FORMAT
    rightcall: str = __version__
    complete: bool = False
    ended: str = "running"
    request: Request
    signature: str = ""
    apart: tuple[str, ...] = ()
    started: str = ""
    seconds: float | None = None
    cases: int = 0
    latency_ms: dict[str, float | None] = {}
    cost_usd: float = 0.0
    sources: tuple[SourceRecord, ...] = ()
    input_ended: bool = False
    machine: dict[str, Any] = {}


def read_record(place: Path) -> RunRecord:
    """The run.json of a run directory, of this format or an earlier one.

    Raises:
        SourceError: it can't be read, or is of a later format.
    """
    return _converted(migrated_run(_read(place, RECORD), place), RunRecord, place / RECORD)


def read_summary(place: Path) -> RunSummary:
    """The summary.json of a run directory, of this format or an earlier one.

    Raises:
        SourceError: it can't be read, or is of a later format.
    """
    return _converted(migrated_summary(_read(place, SUMMARY), place), RunSummary, place / SUMMARY)


def _read(place: Path, name: str) -> Any:
    try:
        return msgspec.json.decode((place / name).read_bytes())
    except FileNotFoundError:
        hint = "the run did not end; go on with --resume, or run it again"
        raise SourceError(f"{place} has no {name}", hint=hint) from None
    except OSError as error:
        raise SourceError(f"{place / name} can't be read: {error.strerror}") from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise SourceError(f"{place / name} can't be read: {error}") from None


def _converted(value: object, kind: type[Held], file: Path) -> Held:
    try:
        return msgspec.convert(value, kind)
    except msgspec.MsgspecError as error:
        raise SourceError(f"{file} can't be read: {error}") from None
