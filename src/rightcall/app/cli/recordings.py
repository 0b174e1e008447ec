"""What the commands on recordings share: opening a file or standard input."""

from __future__ import annotations

import io
import sys
from typing import BinaryIO, cast

from ...run.sources import unpacked
from ...run.traces import open_source

__all__ = ["opened"]


def opened(path: str) -> io.BufferedReader:
    """The bytes of a file, or of standard input for ``-``, unpacked.

    Raises:
        PathNotFoundError, SourceError: it does not exist, or can't be read.
    """
    return unpacked(cast(BinaryIO, sys.stdin.buffer), "-") if path == "-" else open_source(path)
