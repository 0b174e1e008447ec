"""Files as they lie on disk: which ones, how they are packed, and their rows as bytes or fields with a place."""

from __future__ import annotations

import csv
import hashlib
import io
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import msgspec
from msgspec import Raw

from ...core.jsonvalue import InvalidJSONError
from ...core.nodes import Node, node_from_text
from ...core.types import Source
from ...errors import OptionError, PathNotFoundError, RecordError, SourceError
from . import parquet
from .linewise import MAX_LINE, Part, Record, numbered, parts_of, plain_parts, whole_lines
from .packed import BLOCK, skip_blanks, unpacked
from .tables import looks_like_a_table, separator_of

__all__ = ["DATA_SUFFIXES", "Record", "SourceFile", "find_files", "is_document", "refuse_table"]

DATA_SUFFIXES: Final = (".jsonl", ".ndjson", ".json", ".csv", ".parquet")
_BOM: Final = b"\xef\xbb\xbf"


def find_files(path: str) -> list[Path]:
    """The data files that `path` names: itself, or those in a folder, sorted by name.

    Raises:
        PathNotFoundError: it does not exist.
        SourceError: a folder without data, or something that is not a regular file.
    """
    if not path:
        raise OptionError("an empty path", field="data", hint="is a variable unset?")
    place = Path(path)
    try:
        mode = place.stat().st_mode
    except OSError as error:
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            raise PathNotFoundError(f"no such file or folder: {path}") from None
        raise SourceError(f"{path} can't be read: {error.strerror}") from None
    if stat.S_ISDIR(mode):
        files = sorted(file for file in place.rglob("*") if file.is_file() and _is_data(file, place))
        if not files:
            raise SourceError(
                f"the folder {path} holds no data file", hint=f"known: {', '.join(DATA_SUFFIXES)}"
            )
        return files
    if not stat.S_ISREG(mode):
        raise SourceError(f"{path} is not a regular file", hint="pipe it into standard input and give '-'")
    return [place]


def _is_data(file: Path, folder: Path) -> bool:
    """Whether a file of a folder holds cases: not what is hidden, and not the tools that lie beside them."""
    inside = file.relative_to(folder)
    if file.name.removesuffix(".gz") in ("tools.json", "tools.jsonl"):
        return False
    return _kind(file.name) is not None and not any(part.startswith(".") for part in inside.parts)


def _kind(name: str) -> str | None:
    """The kind of data by the file's name, packing left aside."""
    for packed in (".gz", ".zst"):
        name = name.removesuffix(packed)
    suffix = Path(name).suffix.lower()
    return suffix if suffix in DATA_SUFFIXES else None


class _Hashing(io.RawIOBase):
    """A raw file that counts, and hashes if asked to, what is read from it."""

    def __init__(self, raw: BinaryIO, *, hashing: bool) -> None:
        self._raw = raw
        self._hashing = hashing
        self.digest = hashlib.sha256()
        self.size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        length = cast(io.RawIOBase, self._raw).readinto(buffer) or 0
        if self._hashing:
            self.digest.update(memoryview(buffer)[:length])
        self.size += length
        return length


class SourceFile:
    """One file, or standard input for ``-``; read once, front to back.

    Attributes:
        path: as it was given.
        size, sha256: of the file's own bytes, once it has been read; the hash only when asked for.
        recordings: what reads its rows where they are no cases but recordings.
        is_whole: whether it was read to its end; a reader may stop before.
        begin: the offset in the unpacked text at which rows begin to count, and how many lines stand before it;
            only for JSON Lines.
    """

    def __init__(self, path: str, place: Path | None, *, hashing: bool = False) -> None:
        self.path = path
        self._hashing = hashing
        self._place = place
        self.size = 0
        self.sha256 = ""
        self.recordings: Callable[[io.BufferedReader, str], Iterator[Record]] | None = None
        self.begin: tuple[int, int] | None = None
        self.is_whole = False
        self._raw: _Hashing | None = None

    @property
    def so_far(self) -> tuple[int, str]:
        """How many of the file's own bytes have been read, and their hash."""
        if self._raw is None:
            return self.size, self.sha256
        return self._raw.size, self._raw.digest.hexdigest() if self._hashing else ""

    def holds_lines(self) -> bool:
        """Whether it is a file of JSON Lines, whose rows can be told by where lines end."""
        if self._place is None or self.recordings is not None:
            return False
        kind = _kind(self.path)
        if kind is not None:
            return kind in (".jsonl", ".ndjson")
        try:
            with self._place.open("rb", buffering=0) as raw:
                text = unpacked(cast(BinaryIO, raw), self.path)
                skip_blanks(text)
                return not is_document(text.peek(BLOCK))
        except (OSError, EOFError, SourceError):
            return False  # reading it says what is wrong

    def pass_over(self) -> None:
        """Read it for its size and hash alone."""
        if self._place is None or not self._hashing:
            return
        try:
            with self._place.open("rb") as file:
                self.sha256 = hashlib.file_digest(file, "sha256").hexdigest()
                self.size = file.tell()
                self.is_whole = True
        except OSError:
            pass  # its rows say that it can't be read

    def records(self) -> Iterator[Record]:
        """Its rows in order.

        Raises:
            SourceError: it can't be read as a whole.
        """
        kind = _kind(self.path) if self._place is not None else None
        if kind == ".parquet" and self.recordings is None:
            yield from self._parquet()
            return
        with self._reading() as text:
            if self.recordings is not None:
                yield from self.recordings(text, self.path)
            else:
                yield from self.rows(text, self.path, kind)

    def parts(self, wanted: Callable[[], int]) -> Iterator[Part]:
        """Its lines, some at a time; asked of files that :meth:`holds_lines` only.

        Args:
            wanted: about how many bytes the next part shall have; asked before each.

        Raises:
            SourceError: it can't be read as a whole.
        """
        with self._reading() as text:
            packed = not isinstance(text.raw, _Hashing)
            place = None if packed or self._place is None else str(self._place)
            offset, line = self._first_line(text)
            first = Part(path=self.path, place=place, offset=offset, line=line)
            if packed:
                yield from parts_of(whole_lines(text), first, wanted)
            else:
                yield from plain_parts(text, first, wanted)

    @contextmanager
    def _reading(self) -> Iterator[io.BufferedReader]:
        """The unpacked text, from its start; afterwards size and hash are known."""
        opened = self._open()
        raw = self._raw = _Hashing(opened, hashing=self._hashing)
        try:
            yield unpacked(cast(BinaryIO, raw), self.path)
            while raw.read(BLOCK):
                pass  # what an archive holds behind its end is part of the file's hash
            self.is_whole = True
        except (OSError, EOFError, ValueError) as error:
            if isinstance(error, RecordError | SourceError):
                raise
            raise SourceError(f"{self.path} can't be read: {error}") from None
        finally:
            self.size, self.sha256 = self.so_far
            self._raw = None
            if self._place is not None:
                opened.close()

    def _open(self) -> BinaryIO:
        if self._place is None:
            return sys.stdin.buffer
        try:
            return cast(BinaryIO, self._place.open("rb", buffering=0))
        except OSError as error:
            raise SourceError(f"{self.path} can't be read: {error.strerror}") from None

    def rows(self, text: io.BufferedReader, path: str, kind: str | None = None) -> Iterator[Record]:
        """The rows of an unpacked text; without a `kind` it is JSON Lines or one JSON document."""
        offset, lines = self._first_line(text)
        if self._place is None:
            refuse_table(text)
        if self.begin is None and kind == ".csv":
            return self._csv(text, offset, lines)
        if self.begin is None and (kind == ".json" or (kind is None and is_document(text.peek(BLOCK)))):
            return self._json(text.read(), offset, lines)
        return numbered(self.path, whole_lines(text), offset, lines)

    def _first_line(self, text: io.BufferedReader) -> tuple[int, int]:
        """Go to where rows begin: the offset of the first line that counts, and how many stand before it."""
        start = text.peek(4)[:4]
        if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise SourceError(f"{self.path} is UTF-16", hint="rightcall reads UTF-8; convert it first")
        if start[:4] == b"PAR1":
            raise SourceError(f"{self.path} is a Parquet file", hint="give it the suffix .parquet")
        offset = len(text.read(3)) if start[:3] == _BOM else 0
        skipped, lines = skip_blanks(text)
        offset += skipped
        if self.begin is None:
            return offset, lines
        left = self.begin[0] - offset
        while left > 0 and (block := text.read(min(BLOCK, left))):
            left -= len(block)
        return self.begin

    def _json(self, data: bytes, offset: int, lines: int) -> Iterator[Record]:
        try:
            value = node_from_text(data)
        except InvalidJSONError as error:
            first, _, rest = data.strip().partition(b"\n")
            if rest and _is_json(first):  # JSON Lines under the name of JSON
                text = whole_lines(cast(io.BufferedReader, io.BytesIO(data)))
                yield from numbered(self.path, text, offset, lines)
                return
            raise SourceError(f"{self.path} is not valid JSON: {error}") from None
        if not isinstance(value, list):
            start = len(data) - len(data.lstrip())
            body = data.strip()
            place = Source(path=self.path, line=lines + 1, offset=offset + start, length=len(body))
            yield Record(source=place, data=body)
            return
        position, line = 0, lines + 1
        for item in value:
            body = bytes(item) if isinstance(item, Raw) else msgspec.json.encode(item)
            found = data.find(body, position) if isinstance(item, Raw) else -1
            if found >= 0:
                line += data.count(b"\n", position, found)
                position = found
            place = Source(
                path=self.path, line=line, offset=offset + found if found >= 0 else None, length=len(body)
            )
            yield Record(source=place, data=body)
            if found >= 0:
                line += body.count(b"\n")
                position = found + len(body)

    def _csv(self, text: io.BufferedReader, offset: int, lines: int) -> Iterator[Record]:
        counter = _CountedLines(text, offset, lines, self.path)
        csv.field_size_limit(MAX_LINE)
        first = text.peek(BLOCK).lstrip().partition(b"\n")[0]
        separator = separator_of(first.decode(errors="replace"))
        reader = csv.reader(counter, strict=True, delimiter=separator)
        header: list[str] | None = None
        while True:
            counter.mark()
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise SourceError(f"{self.path} line {counter.line}: {error}") from None
            if row is None:
                return
            if header is None:
                header = row
            elif row:
                place = counter.place()
                if len(row) > len(header):
                    message = f"{len(row)} cells under {len(header)} columns, separated by {separator!r}"
                    hint = "quote cells that hold the separator"
                    yield Record(source=place, problem=RecordError(message, hint=hint))
                else:
                    # An empty cell is null (nothing recorded).
                    cells = {name: cell or None for name, cell in zip(header, row, strict=False)}
                    yield Record(source=place, fields=cells)

    def _parquet(self) -> Iterator[Record]:
        assert self._place is not None  # noqa: S101 - the kind was told by the file's name
        with self._place.open("rb") as file:  # Parquet is read through its own library, so hash it apart.
            self.sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            self.size = file.tell()
            self.is_whole = True
        for number, fields in enumerate(parquet.rows(str(self._place)), 1):
            yield Record(source=Source(path=self.path, line=number), fields=fields)


def refuse_table(text: io.BufferedReader) -> None:
    """Standard input has no name that would tell what it is: JSON is told by how it begins, and a table is refused.

    Raises:
        SourceError: it looks like CSV.
    """
    head = text.peek(BLOCK).removeprefix(_BOM).lstrip()
    if head[:1] not in (b"{", b"[") and looks_like_a_table(head.decode(errors="replace")):
        raise SourceError(
            "this looks like a table; standard input is read as JSON or JSON Lines", hint=_AS_FILE
        )


_AS_FILE: Final = "give CSV as a file whose name ends in .csv"


def is_document(start: bytes) -> bool:
    """Whether a text of unknown kind is one JSON document: a list, or an object that does not end with its line."""
    first, newline, _ = start.lstrip().partition(b"\n")
    return first[:1] == b"[" or (bool(newline) and first.strip() == b"{")


def _is_json(text: bytes) -> bool:
    try:
        value: Node = node_from_text(text)
    except InvalidJSONError:
        return False
    return isinstance(value, dict)


class _CountedLines:
    """Lines for the csv reader, which takes as many as a row needs; remembers where the row began."""

    def __init__(self, text: io.BufferedReader, offset: int, lines: int, path: str) -> None:
        self._text = text
        self._offset = offset
        self._path = path
        self.line = lines
        self._start = (0, 0)

    def __iter__(self) -> _CountedLines:
        return self

    def __next__(self) -> str:
        data = self._text.readline(MAX_LINE)
        if not data:
            raise StopIteration
        self._offset += len(data)
        self.line += 1
        if len(data) >= MAX_LINE:
            raise SourceError(f"{self._path} line {self.line}: a line of more than {MAX_LINE} bytes")
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise SourceError(f"{self._path} line {self.line}: invalid UTF-8 at byte {error.start}") from None

    def mark(self) -> None:
        """The next row begins here."""
        self._start = (self.line + 1, self._offset)

    def place(self) -> Source:
        """Where the row just read stands."""
        line, offset = self._start
        return Source(path=self._path, line=line, offset=offset, length=self._offset - offset)
