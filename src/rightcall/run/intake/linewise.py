"""Text as numbered lines: rows with their place, some lines at a time, and never more in memory than a line may have."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from msgspec import Struct
from msgspec.structs import replace

from ...core.types import Source
from ...errors import RecordError, SourceError
from .packed import BLOCK

__all__ = [
    "MAX_LINE",
    "Blanks",
    "Lines",
    "Part",
    "Record",
    "extent",
    "numbered",
    "parts_of",
    "plain_parts",
    "records_of_part",
    "whole_lines",
]

MAX_LINE: Final = 256 * 1024 * 1024
"""Bytes of one line; a longer one is an error of that row and is skipped."""

_BLANK: Final = 32


class Record(Struct, frozen=True, gc=False):
    """One row, not yet read: bytes of a JSON object, or fields of a table, or what is wrong with it."""

    source: Source
    data: bytes | None = None
    fields: dict[str, Any] | None = None
    problem: RecordError | None = None


class Blanks(Struct, frozen=True, gc=False):
    """Blanks in the place of lines: blank lines, and the begin of the next one."""

    size: int
    lines: int


Lines = Sequence[bytes | int] | Blanks
"""Lines without their newline, in the place of one that is too long its length; or blanks."""


class Part(Struct, frozen=True, kw_only=True, gc=False):
    """Some lines that follow each other in a file of JSON Lines.

    Attributes:
        path: as it was given.
        place: where to read them; None where they are in `lines`.
        offset, size: bytes in the unpacked text.
        line: how many lines stand before it.
        lines: themselves, where they can't be had from the file by offset, since it is packed.
        count: how many lines it holds, blank ones among them.
        problem: why the file can't be read, or not further: that is a row of its own.
    """

    path: str
    place: str | None
    offset: int
    line: int
    size: int = 0
    count: int = 0
    lines: tuple[Lines, ...] = ()
    problem: RecordError | None = None


class _Limited(io.RawIOBase):
    """So many bytes of a raw file."""

    def __init__(self, raw: BinaryIO, size: int) -> None:
        self._raw = cast(io.RawIOBase, raw)
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        length = self._raw.readinto(memoryview(buffer)[: self._left]) or 0
        self._left -= length
        return length


def records_of_part(part: Part) -> Iterator[Record]:
    """The rows of a part, as reading the whole file gives them.

    Raises:
        SourceError: they can't be read.
    """
    if part.problem is not None:
        yield Record(Source(part.path), problem=part.problem)
        return
    if part.place is None:
        yield from numbered(part.path, part.lines, part.offset, part.line)
        return
    try:
        with Path(part.place).open("rb", buffering=0) as raw:
            raw.seek(part.offset)
            text: io.BufferedReader = io.BufferedReader(_Limited(cast(BinaryIO, raw), part.size), BLOCK)
            yield from numbered(part.path, whole_lines(text), part.offset, part.line)
    except OSError as error:
        raise SourceError(f"{part.path} can't be read: {error.strerror}") from None


def numbered(path: str, text: Iterable[Lines], offset: int, line: int) -> Iterator[Record]:
    """The rows of some lines, of which the first begins at `offset` behind `line` others."""
    for lines in text:
        if isinstance(lines, Blanks):
            line += lines.lines
            offset += lines.size
            continue
        for data in lines:
            line += 1
            if isinstance(data, int):
                place = Source(path, line, offset, data)
                yield Record(place, problem=RecordError(f"a line of more than {MAX_LINE} bytes"))
                offset += data + 1
                continue
            length = len(data)
            if length and (data[0] > _BLANK or not data.isspace()):
                yield Record(Source(path, line, offset, length), data)
            offset += length + 1


def parts_of(text: Iterable[Lines], first: Part, wanted: Callable[[], int]) -> Iterator[Part]:
    """Lines in parts of about the size that is wanted, which hold them.

    Args:
        text: lines as they come.
        first: where they begin; its path and its place are those of all parts.
        wanted: about how many bytes the next part shall have; asked before each.
    """
    offset, line, least = first.offset, first.line, wanted()
    held: list[Lines] = []
    size = count = 0

    def part() -> Part:
        return replace(first, offset=offset, line=line, size=size, count=count, lines=tuple(held))

    for lines in text:
        rest: Lines | None = lines
        while rest is not None:
            taken, rest = _split(rest, least - size)
            held.append(taken)
            more, rows = extent(taken)
            size, count = size + more, count + rows
            # Blanks may be the begin of a line.
            if size >= least and not isinstance(taken, Blanks):
                yield part()
                offset, line, least = offset + size, line + count, wanted()
                held.clear()
                size = count = 0
    if size:
        yield part()


def plain_parts(text: io.BufferedReader, first: Part, wanted: Callable[[], int]) -> Iterator[Part]:
    """What :func:`parts_of` gives of lines that need not be held: their ends are looked for, nothing else.

    Args:
        text: from where `first` begins.
        first, wanted: as of :func:`parts_of`.
    """
    offset, line, least = first.offset, first.line, wanted()
    size = count = 0
    open_line = False
    while block := text.read1(BLOCK):
        start = 0
        while size + len(block) - start >= least:
            end = block.find(b"\n", start + max(least - size - 1, 0)) + 1
            if not end:
                break
            size, count = size + end - start, count + block.count(b"\n", start, end)
            yield replace(first, offset=offset, line=line, size=size, count=count)
            offset, line, least = offset + size, line + count, wanted()
            size, count, start = 0, 0, end
        size, count = size + len(block) - start, count + block.count(b"\n", start)
        open_line = not block.endswith(b"\n")
    if size:
        # A last line without its end takes as much as one with it.
        yield replace(first, offset=offset, line=line, size=size + open_line, count=count + open_line)


def _split(lines: Lines, size: int) -> tuple[Lines, Lines | None]:
    """As many lines as come to `size` bytes, at least one, and the rest; None where there is none."""
    if isinstance(lines, Blanks) or len(lines) == 1:
        return lines, None
    left = size
    for number, data in enumerate(lines, 1):
        left -= (data if isinstance(data, int) else len(data)) + 1
        if left <= 0 and number < len(lines):
            return lines[:number], lines[number:]
    return lines, None


def extent(lines: Lines) -> tuple[int, int]:
    """How many bytes and line ends some lines take."""
    if isinstance(lines, Blanks):
        return lines.size, lines.lines
    return sum(data if isinstance(data, int) else len(data) for data in lines) + len(lines), len(lines)


def whole_lines(text: io.BufferedReader) -> Iterator[Lines]:
    """Lines without their newline, a block's worth at a time: faster than a file's own iteration, and bounded.

    Of a line above :data:`MAX_LINE` only the length comes out; blocks of blanks are counted and not kept.
    """
    parts: list[bytes] = []
    length = 0
    # read1 gives what is there: a slow pipe is scored as it comes.
    while block := text.read1(BLOCK):
        if block.isspace() and not any(part and not part.isspace() for part in parts):
            # What begins a line stays with it, so that a line's offset does not hang on how blocks fall.
            end = block.rfind(b"\n") + 1 or len(block)
            yield Blanks(length + end, block.count(b"\n"))
            parts, length = [block[end:]], len(block) - end
            continue
        lines = block.split(b"\n")
        length += len(lines[0])
        if length <= MAX_LINE:
            parts.append(lines[0])
        if len(lines) == 1:
            continue
        yield (b"".join(parts) if length <= MAX_LINE else length,)
        rest = lines.pop()
        del lines[0]
        yield lines
        parts, length = [rest], len(rest)
    if length:
        yield (b"".join(parts) if length <= MAX_LINE else length,)
