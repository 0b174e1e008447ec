"""Files of recordings as data: each recording becomes a row, its calls the actual side (an OTLP file, a log, ...).

A file holds recordings where its first row has no field of a case and is in some trace format; rows that carry an
expected side beside a recording stay rows.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from msgspec import Struct

from ..core.jsonvalue import InvalidJSONError
from ..core.nodes import node_from_text, opened
from ..core.reading.detection import Told
from ..core.types import Source, Trace
from ..errors import DataError, RecordError
from .intake.files import Record, is_document, refuse_table
from .intake.itemlines import ItemLines, line_of, without_line
from .intake.packed import skip_blanks
from .intake.reading import recording_in
from .intake.traces import first_of_several, is_text_of_rows, open_source, recording_id, sort_stream
from .rows import OF_A_CASE

__all__ = [
    "Recordings",
    "Unread",
    "fields_of",
    "recordings_in",
    "records_of",
    "rows_of_stdin",
    "told_format",
]

Rows = Callable[[io.BufferedReader, str], Iterator[Record]]

_FIRST: Final = 1 << 20
_TABLE: Final = re.compile(r"\.(csv|parquet)(\.gz|\.zst)?\Z", re.IGNORECASE)


def told_format(place: Path, format: str) -> str | None:
    """The format to read a file's recordings with (a name, or ``auto``); None where it holds rows of cases.

    Args:
        place: the file.
        format: what was asked for.
    """
    if _TABLE.search(place.name):
        return None
    try:
        with open_source(str(place)) as stream:
            return format if _holds_recordings(stream) else None
    except (OSError, DataError, EOFError):
        return None  # reading it as rows says what is wrong


def _holds_recordings(stream: io.BufferedReader) -> bool:
    if not is_text_of_rows(stream):
        return True
    skip_blanks(stream)
    line = b""
    while not line.strip():
        line = stream.readline(_FIRST)
        if not line:
            return False
    found = _opened_line(line)
    if found is None and line.lstrip()[:1] in (b"{", b"["):
        data = line + stream.read()
        found = _opened_line(first_of_several(data) or data)
    return _is_recording(found)


def rows_of_stdin(format: str, as_rows: Rows) -> Rows:
    """What reads standard input, which can be looked at only once it is read: as recordings, or with `as_rows`."""

    def rows(stream: io.BufferedReader, path: str) -> Iterator[Record]:
        start = stream.peek(1)
        if is_document(start):
            data = stream.read()
            stream = io.BufferedReader(cast(io.RawIOBase, io.BytesIO(data)))
            found = _opened_line(first_of_several(data) or data)
        else:
            found = _opened_line(start.partition(b"\n")[0]) if b"\n" in start else None
        recorded = not is_text_of_rows(stream) or _is_recording(found)
        if recorded and format == "auto":
            refuse_table(stream)
        return records_of(format)(stream, path) if recorded else as_rows(stream, path)

    return rows


def _opened_line(line: bytes) -> object:
    try:
        node = node_from_text(line)
    except InvalidJSONError:
        return None
    while isinstance(node, list):
        if not node:
            return None
        node = opened(node[0])
    return node


def _is_recording(fields: object) -> bool:
    if not isinstance(fields, Mapping) or not OF_A_CASE.isdisjoint(fields):
        return False
    if "tool_calls" in fields and "role" not in fields:
        return False
    return recording_in(fields) is not None


class Unread(Struct, frozen=True):
    """What can't be read, or not to its end: where it begins, and what is wrong with it."""

    source: Source
    problem: RecordError


class Recordings(Struct, frozen=True):
    """What a stream holds.

    Attributes:
        traces: a trace for each recording; one with a `problem` broke off.
        sources: where each of them begins.
        told: what detection says of the runs of items.
        lost: items of which nothing was read.
    """

    traces: Sequence[Trace]
    sources: Sequence[Source]
    told: Sequence[Told]
    lost: Sequence[Unread]

    @property
    def unread(self) -> list[Unread]:
        """All that can't be read, or not to its end, in the order of the file."""
        found = [
            Unread(source, problem)
            for trace, source in zip(self.traces, self.sources, strict=True)
            if (problem := problem_of(trace, source)) is not None
        ]
        return sorted([*found, *self.lost], key=lambda each: each.source.line or 0)


def recordings_in(stream: io.BufferedReader, path: str, format: str = "auto") -> Recordings:
    """The recordings of a stream; what is wrong with one costs no other.

    Raises:
        UnknownNameError: there is no such format.
        SourceError: it can't be read as a whole.
    """
    problems: list[DataError] = []
    lines: ItemLines = {}
    sorting = sort_stream(stream, path, format, problems=problems, lines=lines)
    traces = sorting.traces()
    sources = [Source(path=path, line=line_of(trace.place, lines)) for trace in traces]
    lost: list[Unread] = []
    for error in problems:
        line = line_of(error.field, lines)
        field = None if error.field is None else without_line(error.field, line) or None
        problem = RecordError(error.message, field=field, hint=error.hint)
        lost.append(Unread(Source(path=path, line=line), problem))
    return Recordings(traces, sources, sorting.told, lost)


def problem_of(trace: Trace, source: Source) -> RecordError | None:
    """Why a recording broke off, its line left out where it is that of its begin."""
    return None if trace.problem is None else RecordError(without_line(trace.problem, source.line))


def records_of(format: str) -> Rows:
    """What reads the recordings of a stream as records of a data set."""

    def rows(stream: io.BufferedReader, path: str) -> Iterator[Record]:
        found = recordings_in(stream, path, format)
        for number, (trace, source) in enumerate(zip(found.traces, found.sources, strict=True), 1):
            yield Record(source=source, fields=fields_of(trace, number), problem=problem_of(trace, source))
        for each in found.lost:
            yield Record(source=each.source, problem=each.problem)

    return rows


def fields_of(trace: Trace, number: int) -> dict[str, object]:
    """A recording as the fields of a case; without an id of its own it has the one that `record` gives it."""
    fields: dict[str, object] = {"id": recording_id(trace, number)}
    fields["tool_calls"] = list(trace.calls or ())
    if trace.text is not None:
        fields["output"] = trace.text
    if trace.tools is not None:
        fields["tools"] = list(trace.tools)
    if trace.turns and trace.turns[0].input is not None:
        fields["input"] = trace.turns[0].input
    return fields
