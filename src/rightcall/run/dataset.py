"""A data set: files in, cases out. Joins, column maps and filters happen here; no row is ever lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..core.jsonvalue import show
from ..core.nodes import Node, opened, plain
from ..core.toolspec import read_tools
from ..core.types import Case, Source, ToolSpec
from ..errors import DataError, OptionError, RecordError, SourceError
from .rows import (
    CASE_FIELDS,
    NO_MAP,
    OF_A_CASE,
    ColumnMap,
    case_from_fields,
    case_from_line,
    column_of,
    mapped,
    open_row,
    row_id,
)
from .sources import Record, SourceFile, find_files
from .stages import BadCase

__all__ = ["Dataset", "Reading", "parse_map", "parse_where", "tools_from_file"]


class Reading(Struct, frozen=True, kw_only=True):
    """How rows are read.

    Attributes:
        format: of the actual calls, or ``auto``.
        columns: which column holds which field.
        tools: offered tools for rows that carry none.
        tags: keep only rows with one of these.
        where: keep only rows whose column has this value, as text.
    """

    format: str = "auto"
    columns: ColumnMap = NO_MAP
    tools: tuple[ToolSpec, ...] | None = None
    tags: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()

    @property
    def is_direct(self) -> bool:
        """Whether lines can be decoded in one step."""
        return not self.columns.columns and not self.tags and not self.where


class Dataset:
    """The cases of one file, folder or standard input, joined with expected calls by id where given.

    Iterate it once. Rows that can't be read come as :class:`BadCase`.

    Args:
        path: file or folder; ``-`` is standard input.
        expected: a second file whose rows carry the expected side.
        reading: how rows are read.
        hashing: hash the files on the way, for the run's record.

    Attributes:
        warnings: what was odd about the data as a whole, known after iterating.
        sources: the files read, with size and hash once they have been read.
    """

    def __init__(
        self, path: str, *, expected: str | None = None, reading: Reading | None = None, hashing: bool = False
    ) -> None:
        self.path = path
        self.reading = reading or Reading()
        self.warnings: list[str] = []
        files = [None] if path == "-" else find_files(path)
        self.sources = [
            SourceFile("-" if file is None else str(file), file, hashing=hashing) for file in files
        ]
        if not self.reading.columns.columns:
            self._find_recordings(files)
        self._gold = None if expected is None else _Gold(expected)
        self._seen: dict[int, int] = {}
        self._repeated = 0
        self._left_out = 0
        named = (
            *(column for _, column in self.reading.columns.columns),
            *(name for name, _ in self.reading.where),
        )
        self._unseen = {column for column in named if column}

    def _find_recordings(self, files: Sequence[Path | None]) -> None:
        """Files whose rows are no cases but recordings are read as such."""
        if all(file is not None and _begins_with_a_case(file) for file in files):
            return
        # What reads recordings takes a while to import, and most data holds none.
        from .recordings import records_of, rows_of_stdin, told_format

        for source, file in zip(self.sources, files, strict=True):
            if file is None:
                source.recordings = rows_of_stdin(self.reading.format, source.rows)
                continue
            told = told_format(file, self.reading.format)
            if told is not None:
                source.recordings = records_of(told)

    def __iter__(self) -> Iterator[Case | BadCase]:
        row = 0
        reading, seen = self.reading, self._seen
        direct = self._gold is None and reading.is_direct
        case: Case | BadCase | None
        for number, source in enumerate(self.sources):
            for record in self._records(source):
                place = record.source
                if direct and record.data is not None:
                    try:
                        case = case_from_line(
                            record.data, row=row, source=place, format=reading.format, tools=reading.tools
                        )
                    except DataError as error:
                        case = _bad(record, row, error, {})
                else:
                    case = self._case(record, row)
                    if case is None:
                        continue
                # Only hashes are kept: the ids of a million rows would take more memory than all else.
                key = hash(case.id) if case.trial is None else hash((case.id, case.trial))
                if key in seen:
                    self._tell_repeated(case, place)
                else:
                    seen[key] = number << _LINE_BITS | (place.line or 0)
                yield case
                row += 1
        if self._gold is not None:
            yield from self._gold.unused(row)
            self.warnings += self._gold.warnings()
        if self._repeated > _TOLD:
            self.warnings.append(f"and {self._repeated - _TOLD} more repeated ids")
        if row or self._left_out:
            self.warnings += [f"no row has the column {column!r}" for column in sorted(self._unseen)]
        if self._left_out and not row:
            self.warnings.append(f"{self._left_out} rows were read, and none passed the filters")

    def _records(self, source: SourceFile) -> Iterator[Record]:
        """The rows of one file; of several files one that can't be read (further) is an error of its own."""
        if len(self.sources) == 1:
            return source.records()
        return self._surviving(source)

    def _surviving(self, source: SourceFile) -> Iterator[Record]:
        try:
            yield from source.records()
        except SourceError as error:
            yield Record(Source(source.path), problem=RecordError(error.message, hint=error.hint))

    def _case(self, record: Record, row: int) -> Case | BadCase | None:
        """The case of a record; None where a filter leaves it out."""
        fields: Mapping[str, Node] = {}
        try:
            if record.problem is not None:
                fields = record.fields or {}
                raise record.problem
            fields = record.fields if record.fields is not None else open_row(record.data or b"")
            if self._unseen:
                self._unseen = {column for column in self._unseen if column_of(fields, column) is None}
            if not self._kept(fields):
                self._left_out += 1
                return None
            fields = mapped(fields, self.reading.columns)
            if self._gold is not None:
                fields = self._gold.joined(fields)
            return case_from_fields(
                fields,
                row=row,
                source=record.source,
                format=self.reading.format,
                tools=self.reading.tools,
            )
        except DataError as error:
            return _bad(record, row, error, fields)

    def _kept(self, fields: Mapping[str, Node]) -> bool:
        for column, wanted in self.reading.where:
            node = column_of(fields, column)
            if _as_text(None if node is None else plain(node)) != wanted:
                return False
        if not self.reading.tags:
            return True
        tags = plain(fields.get("tags"))
        tags = [tag.strip() for tag in tags.split(",")] if isinstance(tags, str) else tags
        return isinstance(tags, list) and any(tag in tags for tag in self.reading.tags)

    def _tell_repeated(self, case: Case | BadCase, place: Source) -> None:
        """Report an id that is used twice for the same trial; both rows are kept."""
        first = self._seen[hash(case.id) if case.trial is None else hash((case.id, case.trial))]
        self._repeated += 1
        if self._repeated <= _TOLD:
            trial = "" if case.trial is None else f" (trial {case.trial})"
            number, line = first >> _LINE_BITS, first & ((1 << _LINE_BITS) - 1)
            where = f"line {line} and in line {place.line}"
            if len(self.sources) > 1:
                where = f"{self.sources[number].path} line {line} and in {place.path} line {place.line}"
            self.warnings.append(f"the id {case.id!r}{trial} stands in {where}")


def _begins_with_a_case(file: Path) -> bool:
    """Whether the first line of a file surely belongs to a case, told without reading it."""
    try:
        with file.open("rb") as opened_file:
            start = opened_file.read(_SNIFFED)
    except OSError:
        return False
    try:
        row = open_row(start.partition(b"\n")[0])
    except RecordError:
        return False  # longer than what was read, or no row of JSON Lines
    return not OF_A_CASE.isdisjoint(row)


_SNIFFED = 1 << 14

_LINE_BITS = 40
"""Lines are kept beside the number of their file, in one integer."""

_TOLD = 20
"""Repeated ids that are named one by one."""


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def _bad(record: Record, row: int, error: DataError, fields: Mapping[str, Node]) -> BadCase:
    """A row in error, under its own id where that can still be read."""
    if not fields and record.data is not None:
        try:
            fields = open_row(record.data)
        except DataError:
            fields = {}
    found = opened(fields["id"]) if "id" in fields else None
    own = isinstance(found, (str, int)) and not isinstance(found, bool) and found != ""
    trial = opened(fields["trial"]) if "trial" in fields else None
    return BadCase(
        id=str(found).encode("utf-8", "replace").decode() if own else row_id(record.source),
        row=row,
        source=record.source,
        error=error,
        trial=trial if isinstance(trial, int) and not isinstance(trial, bool) else None,
    )


_GOLD_FIELDS = (
    "expected_tool_calls",
    "expected",
    "expected_any_of",
    "expected_any",
    "forbidden",
    "expected_counts",
)


_ASKED = 60
"""Letters of an input that a warning shows."""


class _Gold:
    """The expected side from a file of its own, by id."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._rows: dict[str, dict[str, Node]] = {}
        self._places: dict[str, Source] = {}
        self._used: set[str] = set()
        self._inputs: dict[str, Node] = {}
        self._other = 0
        self._first: tuple[str, Any, Any] | None = None
        for file in find_files(path):
            for record in SourceFile(str(file), file).records():
                self._take(record)
        if not self._rows:
            raise SourceError(f"{path} holds no expected calls", field="expected")

    def _take(self, record: Record) -> None:
        where = f"{record.source.path} line {record.source.line}"
        if record.problem is not None:
            raise SourceError(f"{where}: {record.problem}", field="expected")
        try:
            fields = record.fields if record.fields is not None else open_row(record.data or b"")
        except DataError as error:
            raise SourceError(f"{where}: {error}", field="expected") from None
        key = _as_text(opened(fields.get("id")))
        if key == "null" or not key:
            raise SourceError(f"{where}: a row without an id can't be joined", field="expected")
        if key in self._rows:
            first = self._places[key].line
            message = (
                f"the id {key!r} stands in line {first} and in line {record.source.line} of {self._path}"
            )
            raise SourceError(message, field="expected")
        kept = {name: fields[name] for name in _GOLD_FIELDS if name in fields}
        if not any(name in kept for name in _GOLD_FIELDS[:4]):
            # A recorded run serves as expected calls of another.
            calls = next((name for name in ("tool_calls", "actual", "calls") if name in fields), None)
            if calls is not None:
                kept["expected_tool_calls"] = fields[calls]
        if "tools" in fields:
            kept["tools"] = fields["tools"]
        if fields.get("input") is not None:
            self._inputs[key] = fields["input"]
        self._rows[key] = kept
        self._places[key] = record.source

    def joined(self, fields: Mapping[str, Node]) -> dict[str, Node]:
        """A row of the data with the expected side of its id; without gold it has nothing to compare with."""
        key = _as_text(opened(fields.get("id")))
        gold = self._rows.get(key)
        row = {name: node for name, node in fields.items() if name not in _GOLD_FIELDS}
        if gold is None:
            return row
        self._used.add(key)
        if key in self._inputs and "input" in fields:
            self._compare(key, plain(fields["input"]), plain(self._inputs[key]))
        return {**gold, **row}

    def _compare(self, key: str, asked: Any, golden: Any) -> None:
        """Take note of a case that asks something else. A text and a list of messages may well ask the same."""
        if type(asked) is not type(golden) or asked == golden:
            return
        if isinstance(asked, str) and asked.split() == golden.split():
            return
        self._other += 1
        self._first = self._first or (key, asked, golden)

    def warnings(self) -> Iterator[str]:
        """What is odd about the join: ids that are mere numbers meet where the cases are others."""
        if self._first is not None:
            key, asked, golden = self._first
            number = "1 joined case asks" if self._other == 1 else f"{self._other} joined cases ask"
            asked, golden = show(asked, _ASKED), show(golden, _ASKED)
            yield (
                f"{number} something else than the golden case of the same id; "
                f"first {key!r}: {asked}, golden {golden}"
            )

    def unused(self, row: int) -> Iterator[BadCase]:
        """Expected calls for which nothing was recorded: cases in error, never dropped."""
        for key, source in self._places.items():
            if key not in self._used:
                error = RecordError("nothing recorded for this id", hint=f"expected in {self._path}")
                yield BadCase(id=key, row=row, source=source, error=error)
                row += 1


def parse_map(texts: Iterable[str]) -> ColumnMap:
    """``FIELD=COLUMN`` texts as a map.

    Raises:
        OptionError: not of that form, or an unknown field.
    """
    from ..errors import UnknownNameError

    columns: list[tuple[str, str]] = []
    for text in texts:
        name, equals, column = text.partition("=")
        if not equals:
            raise OptionError(
                f"{text!r} is not FIELD=COLUMN", field="map", hint="e.g. --map expected=gold.calls"
            )
        if name not in CASE_FIELDS:
            raise UnknownNameError("field", name, CASE_FIELDS, field="map")
        columns.append((name, column))
    return ColumnMap(tuple(columns))


def parse_where(texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """``FIELD=VALUE`` texts.

    Raises:
        OptionError: not of that form.
    """
    found: list[tuple[str, str]] = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise OptionError(f"{text!r} is not FIELD=VALUE", field="where", hint="e.g. --where model=gpt-5")
        found.append((name, value))
    return tuple(found)


def tools_from_file(path: str) -> tuple[ToolSpec, ...]:
    """The tool definitions of a JSON file.

    Raises:
        PathNotFoundError, SourceError: it does not exist or can't be read.
    """
    from ..core.jsonvalue import InvalidJSONError, decode

    (place,) = find_files(path) if not Path(path).is_dir() else (Path(path),)
    try:
        return read_tools(decode(place.read_bytes()))
    except OSError as error:
        raise SourceError(f"{path} can't be read: {error.strerror}", field="tools") from None
    except InvalidJSONError as error:
        raise SourceError(f"{path} is not valid JSON: {error}", field="tools") from None
    except RecordError as error:
        raise SourceError(error.message, field=f"{path}: {error.field}", hint=error.hint) from None
