"""Zipped logs (Inspect's `.eval`): their JSON members, also those packed with zstd, which Python's zipfile can't."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ...errors import MissingExtraError, SourceError
from .packed import bomb, is_too_much

__all__ = ["LINES", "MAX_UNZIPPED", "json_members"]

LINES: Final = (".jsonl", ".ndjson")
"""How the names of members end that hold JSON Lines."""
MAX_UNZIPPED: Final = 4 * 1024 * 1024 * 1024
"""Bytes that the members of one zipped log may hold together: an archive can claim to be anything."""
_ZSTD: Final = 93
_JSON: Final = (".json", *LINES)
_ENCRYPTED: Final = 1
_HEADER: Final = 30
"""Bytes of a member's own header before its name."""


def json_members(content: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """The samples of a log with their file names, in the order of these.

    All files of JSON and of JSON Lines where none is a sample: an archive of recordings may hold both.

    Raises:
        SourceError: there is none, they are too large, or the archive is damaged.
        MissingExtraError: one is packed with zstd, and zstandard is not installed.
    """
    with _said_of(name), zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [item for item in archive.infolist() if item.filename.endswith(_JSON)]
        samples = [item for item in members if _is_sample(item.filename)] or members
        if not samples:
            raise SourceError(f"{name} is an archive without JSON files", hint="unpack it and give the log")
        size = sum(item.file_size for item in samples)
        if size > MAX_UNZIPPED:
            raise SourceError(f"{name} holds more than {MAX_UNZIPPED} bytes")
        if is_too_much(size, len(content)):  # members may share their packed bytes
            raise bomb(name)
        for item in sorted(samples, key=lambda member: member.filename):
            # No more than this is unpacked; what an archive says of its own sizes may be a lie.
            if is_too_much(item.file_size, min(item.compress_size, len(content))):
                raise bomb(f"{name}: {item.filename}")
            with _said_of(f"{name}: {item.filename}"):
                data = _member(archive, content, item)
            if len(data) > item.file_size:
                raise SourceError(f"{name}: {item.filename} is larger than the archive says")
            yield item.filename, data


def _is_sample(name: str) -> bool:
    return name.startswith("samples/") and name.endswith(".json")


@contextmanager
def _said_of(what: str) -> Iterator[None]:
    """Python's zipfile has no one error for an archive that is damaged, encrypted or packed in an unknown way."""
    try:
        yield
    except ImportError:
        raise MissingExtraError(what, "zstd") from None
    except (
        *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
        *(OSError, EOFError, ValueError, OverflowError, RuntimeError),
    ) as error:
        raise SourceError(f"{what} can't be unpacked: {error}") from None


def _member(archive: zipfile.ZipFile, content: bytes, item: zipfile.ZipInfo) -> bytes:
    if item.compress_type == _ZSTD and not item.flag_bits & _ENCRYPTED:
        return _of_zstd(content, item)
    with archive.open(item) as file:
        return file.read(item.file_size + 1)


def _of_zstd(content: bytes, item: zipfile.ZipInfo) -> bytes:
    import zstandard

    header = content[item.header_offset : item.header_offset + _HEADER]
    # The name and the extra field may be longer here than in the archive's directory.
    start = item.header_offset + _HEADER
    start += int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    packed = io.BytesIO(content[start : start + item.compress_size])
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as reader:
            data = reader.read(item.file_size + 1)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    if len(data) < item.file_size or (len(data) == item.file_size and zlib.crc32(data) != item.CRC):
        raise ValueError("its data is damaged")
    return data
