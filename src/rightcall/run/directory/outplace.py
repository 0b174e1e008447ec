"""Where a run is written: whether it may be, and that only one process does."""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec

from ...errors import OptionError
from ..reporting import report_files
from .judged import JUDGE_FILES
from .runrecord import CASES, CHECKPOINT, RECORD, RESULTS, SUMMARY

__all__ = ["Lock", "check_apart", "check_place", "clear", "unwritable"]


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
    # What a run began with when it was killed before anything was whole.
    names.discard(f"{RECORD}.part")
    foreign = _apart_from(names, {RESULTS, SUMMARY, RECORD, CASES, CHECKPOINT, *JUDGE_FILES})
    if foreign:  # the names of all reports are not had for nothing: each is a module
        foreign = _apart_from(foreign, report_files())
    if foreign or (names and not is_run(place)):
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


def _apart_from(names: set[str], whole: Collection[str]) -> set[str]:
    return {name for name in names if name.removesuffix(".part") not in whole}


def is_run(place: Path) -> bool:
    """Whether a directory holds a run, finished or not."""
    try:
        record = msgspec.json.decode((place / RECORD).read_bytes())
    except (OSError, msgspec.MsgspecError):
        return False
    return isinstance(record, dict) and "rightcall" in record


def clear(place: Path, keep: Iterable[str] = ()) -> None:
    """Remove the files of an earlier run but its record, so that a kill on the way leaves what can still be told."""
    kept = {RECORD, *keep}
    for entry in place.iterdir():
        if entry.name not in kept:
            entry.unlink()


def unwritable(place: Path, error: OSError) -> OptionError:
    """The error for a directory that can't be written."""
    return OptionError(f"{place} can't be written: {error.strerror}", field="out")


class Lock:
    """Holds a directory for this process; the system lets go of it whatever ends the process.

    Where the system or the file system has no such locks, nothing is held.

    Raises:
        OptionError: another process holds it.
    """

    def __init__(self, place: Path) -> None:
        self._held: int | None = None
        try:
            import fcntl

            self._held = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        except (ImportError, AttributeError, OSError):
            return
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            hint = "wait until it has ended, or name another folder"
            raise OptionError(f"another process is writing into {place}", field="out", hint=hint) from None
        except OSError:
            self.release()

    def release(self) -> None:
        """Let go of it."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def __del__(self) -> None:
        self.release()
