"""The text behind gzip or zstd, told by the first bytes; and how much of it may come out of a small file."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import Any, BinaryIO, Final, cast

from ...errors import MissingExtraError, SourceError

__all__ = ["BLOCK", "bomb", "is_too_much", "skip_blanks", "unpacked"]

BLOCK: Final = 1 << 18
"""Bytes that are read at a time."""
_FREE: Final = 64 * 1024 * 1024
"""Bytes that may come out of any file, however small: a short file of equal rows is no attack."""
_MOST: Final = 200
"""Bytes that may come out of one packed byte beyond that. JSON Lines packs 5 to 50 times, blanks a thousand times."""


def is_too_much(size: int, packed: int) -> bool:
    """Whether no honest data of `size` bytes packs into `packed` bytes."""
    return size > max(_FREE, _MOST * packed)


def bomb(name: str) -> SourceError:
    """The error for a file that unpacks to far too much."""
    return SourceError(f"{name} unpacks to more than {_MOST} times its size", hint="unpack it yourself")


def unpacked(raw: BinaryIO, path: str) -> io.BufferedReader:
    """The text behind gzip or zstd, told by the first bytes.

    What is damaged or far too large is an error while it is read: OSError, or a SourceError.

    Raises:
        SourceError: it can't be read at all.
        MissingExtraError: it is packed with zstd, and zstandard is not installed.
    """
    buffered: io.BufferedReader = io.BufferedReader(cast(io.RawIOBase, raw), BLOCK)
    try:
        start = buffered.peek(4)[:4]
    except OSError as error:
        raise SourceError(f"{path} can't be read: {error.strerror or error}") from None
    counted = _Counting(buffered)
    if start[:2] == b"\x1f\x8b":
        packed: Any = gzip.GzipFile(fileobj=cast(BinaryIO, counted))
        return io.BufferedReader(_Unpacking(packed, zlib.error, counted, path), BLOCK)
    if start == b"\x28\xb5\x2f\xfd":
        try:
            import zstandard
        except ImportError:
            raise MissingExtraError(path, "zstd") from None
        packed = zstandard.ZstdDecompressor().stream_reader(cast(BinaryIO, counted), read_across_frames=True)
        return io.BufferedReader(_Unpacking(packed, zstandard.ZstdError, counted, path), BLOCK)
    return buffered


class _Counting(io.RawIOBase):
    """A file that counts the bytes read from it."""

    def __init__(self, raw: io.BufferedReader) -> None:
        self._raw = raw
        self.size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        length = self._raw.readinto(buffer)
        self.size += length
        return length


class _Unpacking(io.RawIOBase):
    """What unpacks while it is read; damage is an OSError, as it is of any other file that can't be read."""

    def __init__(self, packed: Any, damage: type[Exception], source: _Counting, path: str) -> None:
        self._packed = packed
        self._damage = damage
        self._source = source
        self._path = path
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            length = int(self._packed.readinto(buffer))
        except self._damage as error:
            raise OSError(f"its packed data is damaged ({error})") from None
        self._size += length
        if is_too_much(self._size, self._source.size):
            raise bomb(self._path)
        return length


def skip_blanks(stream: io.BufferedReader) -> tuple[int, int]:
    """Pass over blocks that hold nothing but blanks: how many bytes and line ends these were.

    A block with anything else is left whole, so what is skipped matters only where blanks have no end.
    """
    size = lines = 0
    # A vertical tab is no text: it stands at the start of some protobuf.
    while (block := stream.peek()).isspace() and b"\v" not in block:
        stream.read(len(block))
        size += len(block)
        lines += block.count(b"\n")
    return size, lines
