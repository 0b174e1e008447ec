"""What the commands on recordings share: opening a file or standard input, and writing what came of it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from ...run.packed import unpacked
from ...run.traces import open_source

__all__ = ["opened", "write_file"]


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
