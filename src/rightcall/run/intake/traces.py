"""Recordings as they lie in files: JSON, JSON Lines, server-sent events, zipped logs, protobuf or plain text.

Told by the first bytes, never by the name. Lines are read one at a time, so a file may be larger than memory.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, cast

from msgspec import Raw

from ...core.jsonvalue import InvalidJSONError
from ...core.nodes import check_utf8, holding, node_from_text, opened
from ...core.reading.conversation import join_traces
from ...core.reading.detection import Sorting
from ...core.types import Trace
from ...errors import DataError, OptionError, PathNotFoundError, RecordError, SourceError
from . import otlp
from .archives import LINES, json_members
from .itemlines import ItemLines, lines_of_items
from .packed import BLOCK, skip_blanks, unpacked
from .reading import read_calls, sorting
from .tables import looks_like_a_table

__all__ = [
    "recording_id",
    "first_of_several",
    "is_text_of_rows",
    "open_source",
    "read_source",
    "sort_stream",
    "traces_of",
]

MAX_LINE: Final = 256 * 1024 * 1024
_HEAD: Final = 4096
_CONTROL: Final = frozenset(range(32)) - frozenset(b"\t\n\r\f")
_BOM: Final = b"\xef\xbb\xbf"
_OF_CASES: Final = "a table of cases is for `rightcall run`, in a file named .csv or .parquet"


def read_source(source: object, format: str = "auto") -> Trace:
    """What an agent did, from a path (`str` or `Path`), content (bytes or a file object) or a Python object.

    Raises:
        UsageError: an unknown format, or a path that does not exist.
        DataError: it can't be read without guessing.
    """
    return join_traces(traces_of(source, format))


def traces_of(source: object, format: str = "auto") -> list[Trace]:
    """As :func:`read_source`, a trace for each recording.

    Raises:
        UsageError, DataError: see there.
    """
    if isinstance(source, str | Path):
        try:
            with open_source(str(source)) as stream:
                return sort_stream(stream, str(source), format).traces()
        except DataError as error:
            if error.field is not None and error.field.startswith("line "):
                error.field = f"{source} {error.field}"
            raise
    if isinstance(source, bytes | bytearray | memoryview):
        return sort_stream(_buffered(io.BytesIO(source)), "trace", format).traces()
    if hasattr(source, "read"):
        return traces_of(_content(cast(IO[Any], source)), format)
    return [read_calls(source, place="trace", format=format)]


def _content(file: IO[Any]) -> bytes:
    content = file.read()
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content


@contextmanager
def open_source(path: str) -> Iterator[io.BufferedReader]:
    """A file with what packs it (gzip, zstd) taken off.

    Raises:
        PathNotFoundError, SourceError: it does not exist, or can't be read.
        OptionError: an empty path.
    """
    if not path:
        raise OptionError("an empty path", hint="is a variable unset?")
    try:
        raw = Path(path).open("rb", buffering=0)  # noqa: SIM115 - closed below, errors in opening apart
    except (FileNotFoundError, NotADirectoryError):
        raise PathNotFoundError(f"no such file: {path}") from None
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} can't be read: {getattr(error, 'strerror', None) or error}") from None
    # What unpacks a file does not close it.
    with raw:
        yield unpacked(raw, path)


def _buffered(raw: io.BytesIO) -> io.BufferedReader:
    return unpacked(cast(BinaryIO, raw), "trace")


def sort_stream(
    stream: io.BufferedReader,
    name: str,
    format: str = "auto",
    *,
    problems: list[DataError] | None = None,
    lines: ItemLines | None = None,
) -> Sorting:
    """All items of a stream, fed to the readers of their formats; with `problems` errors of items are put there.

    With `lines` it is noted there on which line items stand whose place does not say it.

    Raises:
        UnknownNameError: there is no such format.
        DataError: an item can't be read; the error says where.
    """
    into = sorting(format, problems)
    try:
        _sort(stream, name, format, into, lines)
    except (OSError, EOFError, zipfile.BadZipFile) as error:
        raise SourceError(f"{name} can't be read: {error}") from None
    return into


def is_text_of_rows(stream: io.BufferedReader) -> bool:
    """Whether a stream is JSON, or could be a table: not protobuf, an archive, events or a model's text."""
    head = stream.peek(_HEAD)[:_HEAD].removeprefix(_BOM)
    if head[:4] == b"PAR1":
        return True
    if head[:4] == b"PK\x03\x04" or not _CONTROL.isdisjoint(head):
        return False
    return head.lstrip()[:1] in (b"{", b"[", b"")


def _sort(stream: io.BufferedReader, name: str, format: str, into: Sorting, lines: ItemLines | None) -> None:
    head = stream.peek(_HEAD)[:_HEAD]
    if head[:3] == _BOM:
        stream.read(3)
        head = head[3:]
    size, before = skip_blanks(stream)
    if size:
        head = stream.peek(_HEAD)[:_HEAD]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SourceError(f"{name} is UTF-16", hint="rightcall reads UTF-8; convert it first")
    if head.isspace():
        head = stream.peek().lstrip()[:_HEAD]
    start = head.lstrip()
    if head[:4] == b"PK\x03\x04":
        _zipped(stream, name, into)
    elif head[:4] == b"PAR1":
        raise SourceError(f"{name} is a Parquet file", hint=_OF_CASES)
    elif not _CONTROL.isdisjoint(head):
        for index, item in enumerate(otlp.items(stream, name)):
            into.feed(item, f"message {index + 1}")
    elif start[:1] in (b"{", b"[") and start[:12] != b"[TOOL_CALLS]":
        _json(stream, name, format, into, before, lines)
    elif start[:5] == b"data:" or start[:6] == b"event:" or start[:1] == b":":
        _server_sent(stream, into, before)
    else:
        _text(_decoded(stream.read(), name), name, format, into, before, lines)


def _text(text: str, name: str, format: str, into: Sorting, before: int, lines: ItemLines | None) -> None:
    """Feed what a model said, if it said anything; `before` lines were passed over."""
    if format == "auto" and looks_like_a_table(text[:BLOCK]):
        raise SourceError(f"{name} looks like a table", hint=_OF_CASES)
    if text.strip():
        _note(lines, "trace", before + 1 + _lines_before(text))
        _feed_text(text, into)


def _note(lines: ItemLines | None, place: str, line: int) -> None:
    if lines is not None:
        lines[place] = line


def _lines_before(text: str) -> int:
    """How many blank lines a text begins with."""
    return text.count("\n", 0, len(text) - len(text.lstrip()))


def _feed_text(text: str, into: Sorting) -> None:
    value: Any = text
    if text.lstrip()[:1] == '"':
        try:
            value = opened(node_from_text(text))
        except InvalidJSONError:
            value = text
    into.feed(value, "trace")


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise SourceError(f"{name}: invalid UTF-8 at byte {error.start}") from None


def _json(
    stream: io.BufferedReader, name: str, format: str, into: Sorting, before: int, lines: ItemLines | None
) -> None:
    """One document, a document a line, or documents one after the other, each of several lines.

    Args:
        before: how many lines of the stream were passed over.
    """
    data = _one_line(stream)
    at = before + 1
    if data is None:
        first, at = _next_line(stream, before)
        rest, behind = _next_line(stream, at + skip_blanks(stream)[1])
        if rest and _whole(first):
            _lines(_chained(first, at, rest, behind, stream), into)
            return
        # Blank lines within a document count too; no more are written again than any document has.
        gap = b"\n" * min(behind - at - 1, BLOCK)
        data = b"".join((first, gap, rest, stream.read())) if rest else first
        del first, rest
    _note(lines, "trace", at)
    try:
        node = node_from_text(data)
    except InvalidJSONError as error:
        if _one_after_the_other(data, into, at, lines):
            return
        if format == "auto":
            raise SourceError(f"{name} is not valid JSON: {error}") from None
        into.feed(
            _decoded(data, name), "trace"
        )  # a text style such as a list of Python calls begins like JSON
        return
    if lines is not None and isinstance(node, list):
        for index, line in enumerate(lines_of_items(data, node, at)):
            lines[f"trace[{index}]"] = line
    with holding():
        feed_node(into, Raw(data) if isinstance(node, dict) else node, "trace")


def _next_line(stream: io.BufferedReader, line: int) -> tuple[bytes, int]:
    """The next line that is not blank and its number, where `line` come before; empty at the end."""
    found = b""
    while not found.strip():
        found = _line(stream)
        line += 1
        if not found:
            break
    return found, line


def _line(stream: io.BufferedReader) -> bytes:
    """The next line, up to :data:`MAX_LINE`; of blanks that have no end only a block is kept."""
    line = stream.readline(BLOCK)
    while len(line) == BLOCK and line[-1:] != b"\n":
        if not line.isspace():
            return line + stream.readline(MAX_LINE - BLOCK)
        line = stream.readline(BLOCK)
    return line


def _one_line(stream: io.BufferedReader) -> bytes | None:
    """What a file holds, where it is one long line; reading that line would take room for two copies of it."""
    raw = stream.raw
    if not isinstance(raw, io.FileIO) or b"\n" in stream.peek(_HEAD)[:_HEAD]:
        return None
    with Path(raw.name).open("rb", buffering=0) as again:
        if os.fstat(again.fileno()).st_size > MAX_LINE:
            return None
        again.seek(stream.tell())
        if _more_lines(again.read(_FIRST)):
            return None  # mostly a file of lines: it is not read as a whole only to find that out
        again.seek(stream.tell())
        data = again.readall()
    return None if _more_lines(data) else data


def _more_lines(data: bytes) -> bool:
    end = data.find(b"\n")
    return end >= 0 and _SOMETHING.search(data, end) is not None


_FIRST: Final = 1 << 20
_SOMETHING: Final = re.compile(rb"\S")
_BETWEEN: Final = re.compile(rb"^[}\]][ \t\r]*\n\s*(?=[{\[])", re.MULTILINE)
"""Where an indented document ends and the next begins: neither bracket is indented."""


def first_of_several(data: bytes) -> bytes | None:
    """The first of indented documents that follow each other; None where these are none."""
    found = _BETWEEN.search(data)
    return data[: found.end()] if found is not None and _whole(data[: found.end()]) else None


def _one_after_the_other(data: bytes, into: Sorting, line: int, lines: ItemLines | None) -> bool:
    """Feed indented documents that follow each other, as jq and OpenTelemetry's console write them; False: no such."""
    if first_of_several(data) is None:
        return False
    ends = [found.end() for found in _BETWEEN.finditer(data)]
    for number, (start, end) in enumerate(pairwise([0, *ends, len(data)]), 1):
        place = f"document {number}"
        _note(lines, place, line)
        line += data.count(b"\n", start, end)
        try:
            feed_node(into, node_from_text(data[start:end]), place)
        except InvalidJSONError as error:
            into.fail(RecordError(f"not valid JSON: {error}", field=place))
    return True


def _whole(line: bytes) -> bool:
    try:
        return isinstance(node_from_text(line), dict | list)
    except InvalidJSONError:
        return False


def _chained(
    first: bytes, at: int, second: bytes, behind: int, stream: io.BufferedReader
) -> Iterator[tuple[int, bytes | memoryview]]:
    """The lines of a file with their numbers, of which the first two that are not blank were read."""
    yield at, first
    yield behind, second
    if isinstance(stream.raw, io.BytesIO):
        data = stream.raw.getvalue()
        try:
            check_utf8(data)
        except InvalidJSONError:
            pass  # line by line, to say in which one
        else:
            yield from enumerate(_views(data, stream.tell()), behind + 1)
            return
    while line := _line(stream):
        behind += 1
        yield behind, line


def _views(data: bytes, start: int) -> Iterator[memoryview]:
    """The lines of what is in memory already, without a copy: fresh memory costs more than reading a line."""
    view = memoryview(data)
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield view[start:end]
        start = end


def _lines(lines: Iterator[tuple[int, bytes | memoryview]], into: Sorting) -> None:
    """Feed numbered lines; those that are views are known to be UTF-8."""
    for number, line in lines:
        first = line[0]
        if first != _BRACE and bytes(line).isspace():
            continue
        place = f"line {number}"
        if len(line) >= MAX_LINE:
            into.fail(RecordError(f"a line of more than {MAX_LINE} bytes", field=place))
            continue
        try:
            if type(line) is bytes:
                check_utf8(line)
            if first == _BRACE:
                into.feed(Raw(line), place)
            elif first != _BRACKET or not into.feed_list(Raw(line), place):
                feed_node(into, node_from_text(bytes(line)), place)
        except InvalidJSONError as error:
            into.fail(RecordError(f"not valid JSON: {error}", field=place))


_BRACE: Final = ord("{")
_BRACKET: Final = ord("[")


def feed_node(into: Sorting, node: Any, place: str) -> None:
    """Feed an item, or the items of a list; a list in a list, or on a line of its own, is a recording of its own."""
    value = node if isinstance(node, list | tuple) else None
    if value is None:
        into.feed(node, place)
        return
    into.end()
    for index, item in enumerate(value):
        where = f"{place}[{index}]"
        if isinstance(item, Raw) and bytes(memoryview(item)[:1]) == b"[":
            feed_node(into, opened(item), where)
        else:
            into.feed(item, where)
    into.end()


def _server_sent(stream: io.BufferedReader, into: Sorting, number: int) -> None:
    """The JSON of `data:` lines; the other lines of a server-sent stream say nothing about calls."""
    while line := _line(stream):
        number += 1
        field, _, data = line.partition(b":")
        data = data.strip()
        if field.strip() == b"data" and data and data != b"[DONE]":
            try:
                into.feed(node_from_text(data), f"line {number}")
            except InvalidJSONError as error:
                into.fail(RecordError(f"not valid JSON: {error}", field=f"line {number}"))


def _zipped(stream: io.BufferedReader, name: str, into: Sorting) -> None:
    for member, data in json_members(stream.read(), name):
        try:
            if member.endswith(LINES):
                _member_lines(data, member, into)
            else:
                feed_node(into, node_from_text(data), member)
        except InvalidJSONError as error:
            raise SourceError(f"{name}: {member} is not valid JSON: {error}") from None
        except DataError as error:
            raise error.at(member) if not error.field else error from None


def _member_lines(data: bytes, member: str, into: Sorting) -> None:
    into.end()
    for number, line in enumerate(io.BytesIO(data.removeprefix(_BOM)), 1):
        where = f"{member} line {number}"
        try:
            if line.strip():
                feed_node(into, node_from_text(line), where)
        except InvalidJSONError as error:
            into.fail(RecordError(f"not valid JSON: {error}", field=where))
    into.end()


def recording_id(trace: Trace, number: int) -> str:
    """A recording's own id, or ``case-N``: golden cases and later runs without ids meet by their number."""
    return trace.id if trace.id is not None else f"case-{number}"
