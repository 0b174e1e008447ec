"""What the commands on recordings share: reading a file or standard input, telling what is wrong in it, and writing."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from ...errors import SourceError
from ...run.intake.packed import unpacked
from ...run.intake.traces import open_source
from ...run.recordings import Recordings, Unread, recordings_in
from .screen import tell

__all__ = ["read_file", "said", "tell_unread", "write_file"]

_TOLD = 5
"""Of what can't be read so many are named, as of the cases of a run."""


def read_file(path: str, format: str = "auto") -> Recordings:
    """The recordings of a file, or of standard input for ``-``.

    Raises:
        PathNotFoundError: it does not exist.
        SourceError: it can't be read, or nothing in it can.
    """
    with opened(path) as stream:
        found = recordings_in(stream, path, format)
    if found.unread and all(trace.problem is not None for trace in found.traces):
        first, *others = found.unread
        more = f"; and {_more(len(others))} can't be read" if others else ""
        raise SourceError(f"{said(first)}{more}")
    return found


def tell_unread(found: Recordings) -> bool:
    """Say on standard error what can't be read; whether there is anything."""
    unread = found.unread
    for each in unread[:_TOLD]:
        tell(f"error: {said(each)}")
    if len(unread) > _TOLD:
        tell(f"and {_more(len(unread) - _TOLD)} can't be read")
    return bool(unread)


def said(unread: Unread) -> str:
    """What is wrong, with its file and line."""
    source = unread.source
    return f"{source.path}{'' if source.line is None else f' line {source.line}'}: {unread.problem}"


def _more(number: int) -> str:
    return f"{number:,} more {'item' if number == 1 else 'items'}"


@contextmanager
def opened(path: str) -> Iterator[io.BufferedReader]:
    """The bytes of a file, or of standard input for ``-``, unpacked.

    Raises:
        PathNotFoundError, SourceError: it does not exist, or can't be read.
    """
    if path == "-":
        yield unpacked(cast(BinaryIO, sys.stdin.buffer), "-")
        return
    with open_source(path) as stream:
        yield stream


def write_file(data: bytes, out: Path | None) -> None:
    """Write bytes to a file, or to standard output for None."""
    if out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(data)
