"""Standard input, copied while it is read; and read again from the copy when a run goes on."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from ...errors import SourceError
from ..reporting import naming
from .files import SourceFile

__all__ = ["CopiedInput"]


class CopiedInput(SourceFile):
    """Standard input, copied while it is read.

    Args:
        copy: where to.
        ended: told once, when the input has come to its end.
        resumed: the copy holds what an earlier process read. Input that comes again must begin with that; where
            none comes, the copy is read instead.
        whole: the copy is known to hold the input to its end.
    """

    def __init__(
        self, copy: Path, ended: Callable[[], None], *, resumed: bool = False, whole: bool = False
    ) -> None:
        super().__init__("-", None, hashing=True)
        self._copy = copy
        self._ended = ended
        self._resumed = resumed
        self._whole = whole

    def _open(self) -> BinaryIO:
        if not self._resumed or not self._copy.exists():
            return cast(BinaryIO, _Copying(sys.stdin.buffer, self._copy, self._ended))
        if self._whole or _is_nobody(sys.stdin):
            return cast(BinaryIO, _Kept(self._copy, whole=self._whole))
        return cast(BinaryIO, _Again(sys.stdin.buffer, self._copy, self._ended))


def _is_nobody(stream: Any) -> bool:
    """Whether no data can be expected from a stream: it is closed, or a person would have to type it."""
    return stream is None or stream.closed or stream.isatty()


class _Copying(io.RawIOBase):
    """A raw file whose bytes are also written elsewhere."""

    def __init__(self, raw: Any, copy: Path, ended: Callable[[], None], mode: str = "wb") -> None:
        # What is there is passed on, so that a slow producer's cases are not held back.
        self._readinto = getattr(raw, "readinto1", raw.readinto)
        self._copy: Any = copy.open(mode, buffering=0)
        self._ended: Callable[[], None] | None = ended

    def close(self) -> None:
        self._copy.close()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        length = int(self._readinto(buffer) or 0)
        if length:
            self._write(memoryview(buffer)[:length])
        elif self._ended is not None:
            self._ended()
            self._ended = None
        return length

    def _write(self, data: memoryview) -> None:
        try:
            while data:
                data = data[self._copy.write(data) :]
        except OSError as error:
            raise naming(Path(self._copy.name), error) from None


class _Again(_Copying):
    """Input that comes a second time: its start is compared with the copy, the rest is added to it."""

    def __init__(self, raw: Any, copy: Path, ended: Callable[[], None]) -> None:
        super().__init__(raw, copy, ended, "ab")
        self._known: io.BufferedReader = copy.open("rb")
        self._left = copy.stat().st_size
        self._at = 0
        self._kept: _Kept | None = None

    def close(self) -> None:
        self._known.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        if self._kept is None and self._at == 0:
            length = int(self._readinto(buffer) or 0)
            if length == 0:  # nobody gives it again
                self._kept = _Kept(Path(self._copy.name), whole=False)
        elif self._kept is None and self._left:
            length = int(self._readinto(buffer) or 0)
            if not length:
                raise SourceError(
                    f"standard input ends at byte {self._at}, but {self._left} more were read the first time",
                    hint="give it the same input as the first time, or none at all",
                )
        elif self._kept is None:
            return super().readinto(buffer)
        if self._kept is not None:
            return self._kept.readinto(buffer)
        data = memoryview(buffer)[:length]
        before = self._known.read(min(length, self._left))
        if data[: len(before)] != before:
            raise SourceError(
                f"standard input is not what was read the first time (byte {self._at} and on)",
                hint="give it the same input as the first time, or none at all",
            )
        self._left -= len(before)
        self._at += length
        self._write(data[len(before) :])
        return length


class _Kept(io.RawIOBase):
    """The copy alone. Where it is not known to be whole it ends in an error, so that no half line is taken for one."""

    def __init__(self, copy: Path, *, whole: bool) -> None:
        self._file = copy.open("rb")
        self._whole = whole
        self._size = copy.stat().st_size

    def close(self) -> None:
        self._file.close()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        length = self._file.readinto(buffer) or 0
        if length == 0 and not self._whole:
            raise SourceError(
                f"the run was stopped before standard input had ended; {self._size} bytes of it were kept",
                hint="give it the same input again with --resume",
            )
        return length
