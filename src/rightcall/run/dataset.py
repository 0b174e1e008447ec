"""A data set: files in, cases out. Joins, column maps and filters happen here; no row is ever lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ..core.nodes import Node, opened, plain
from ..core.schema.tools import read_tools
from ..core.types import Case, Source, ToolSpec
from ..errors import DataError, OptionError, RecordError, SourceError
from .gold import Gold, as_text
from .intake.files import Record, SourceFile, find_files
from .intake.linewise import Part
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
from .stages import BadCase

__all__ = ["Dataset", "Mark", "ReadFile", "Reading", "parse_map", "parse_where", "tools_from_file"]


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


class ReadFile(Struct, frozen=True, kw_only=True):
    """How much of a file was read, and the hash of that. `whole`: it was read to its end."""

    path: str
    size: int
    sha256: str
    whole: bool


class Mark(Struct, frozen=True, kw_only=True):
    """Up to where a data set was read, so that reading can go on there.

    Attributes:
        source: the number of the file.
        offset: in its unpacked text, where the next line begins.
        line: how many lines stand before that.
        row: how many cases came out so far.
        left_out: how many rows the filters left out so far.
        unseen: columns that no row had so far.
    """

    source: int
    offset: int
    line: int
    row: int
    left_out: int = 0
    unseen: tuple[str, ...] = ()


class Dataset:
    """The cases of one file, folder or standard input, joined with expected calls by id where given.

    Iterate it once. Rows that can't be read come as :class:`BadCase`.

    Args:
        path: file or folder; ``-`` is standard input.
        expected: a second file whose rows carry the expected side.
        reading: how rows are read.
        hashing: hash the files on the way, for the run's record.
        files: the files that are meant, where they need not be looked for; none for who reads records one by one.

    Attributes:
        warnings: what was odd about the data as a whole, known after iterating.
        sources: the files read, with size and hash once they have been read.
        row: how many cases came out so far.
        left_out: how many rows the filters left out so far.
        unseen: columns that were asked for and that no row had so far.
        skip: how many cases are read over before the first that comes out.
    """

    def __init__(
        self,
        path: str,
        *,
        expected: str | None = None,
        reading: Reading | None = None,
        hashing: bool = False,
        files: Sequence[Path | None] | None = None,
    ) -> None:
        self.path = path
        self.reading = reading or Reading()
        self.warnings: list[str] = []
        if files is None:
            files = [None] if path == "-" else find_files(path)
        self.sources = [
            SourceFile("-" if file is None else str(file), file, hashing=hashing) for file in files
        ]
        if not self.reading.columns.columns:
            self._find_recordings(files)
        self.joined = expected is not None
        self._gold = None if expected is None else Gold(expected)
        self._seen: dict[int, int] = {}
        self._repeated = 0
        self._numbers: dict[str | None, int] = {}
        self.row = 0
        self.left_out = 0
        self.skip = 0
        self._first = 0
        named = (
            *(column for _, column in self.reading.columns.columns),
            *(name for name, _ in self.reading.where),
        )
        self.unseen = {column for column in named if column}

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
        cases = self._all()
        for _ in range(self.skip):
            if next(cases, None) is None:
                raise SourceError("holds fewer rows than the run had read", field=self.path)
        yield from cases

    def files_read(self) -> tuple[ReadFile, ...]:
        """How much of each file was read so far, up to the last of which anything was."""
        found: list[ReadFile] = []
        last = 0
        for source in self.sources:
            size, sha256 = source.so_far
            found.append(ReadFile(path=source.path, size=size, sha256=sha256, whole=source.is_whole))
            last = len(found) if sha256 else last
        return tuple(found[:last])

    def _all(self) -> Iterator[Case | BadCase]:
        for number, source in enumerate(self.sources):
            if number < self._first:
                source.pass_over()
            else:
                yield from self.cases(self._records(source), number)
        yield from self.end()

    def cases(self, records: Iterable[Record], number: int = 0) -> Iterator[Case | BadCase]:
        """The cases of some records, which belong to the file of that number."""
        row = self.row
        reading, seen = self.reading, self._seen
        direct = self._gold is None and reading.is_direct
        case: Case | BadCase | None
        for record in records:
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
                self._tell_repeated(case.id, case.trial, place.path, place.line)
            else:
                seen[key] = number << _LINE_BITS | (place.line or 0)
            row += 1
            self.row = row
            yield case

    def end(self) -> Iterator[BadCase]:
        """What is known when all files were read: expected calls without a row, and warnings."""
        if self._gold is not None:
            for bad in self._gold.unused(self.row):
                self.row += 1
                yield bad
            self.warnings += self._gold.warnings()
        if self._repeated > _TOLD:
            self.warnings.append(f"and {self._repeated - _TOLD} more repeated ids")
        if self.row or self.left_out:
            self.warnings += [f"no row has the column {column!r}" for column in sorted(self.unseen)]
        if self.left_out and not self.row:
            self.warnings.append(f"{self.left_out} rows were read, and none passed the filters")

    def mark(self, last: Source | None) -> Mark | None:
        """Where reading can go on behind the case that came last; None where all has to be read again.

        A join has to see every row, and of files other than JSON Lines the middle can't be read alone.
        """
        if last is None or last.line is None or last.offset is None or last.length is None or self.joined:
            return None
        number = next((n for n, source in enumerate(self.sources) if source.path == last.path), None)
        if number is None or not all(source.holds_lines() for source in self.sources[: number + 1]):
            return None
        return Mark(
            source=number,
            offset=last.offset + last.length + 1,
            line=last.line,
            row=self.row,
            left_out=self.left_out,
            unseen=tuple(sorted(self.unseen)),
        )

    def go_to(self, mark: Mark) -> None:
        """Let reading begin at a mark."""
        self._first = mark.source
        self.sources[mark.source].begin = mark.offset, mark.line
        self.row, self.left_out, self.unseen = mark.row, mark.left_out, set(mark.unseen)

    def forget(self) -> None:
        """Forget the cases that were seen."""
        self._seen.clear()
        self._repeated = 0
        self.warnings.clear()

    def parts(self, wanted: Callable[[], int]) -> Iterator[Part]:
        """The lines of all files from where reading is to begin, some at a time; see :meth:`SourceFile.parts`.

        Who scores them elsewhere tells what came of it by :meth:`saw` and :meth:`counted`, and calls :meth:`end`.

        Raises:
            SourceError: a file can't be read as a whole, or not further.
        """
        for number, source in enumerate(self.sources):
            if number < self._first:
                source.pass_over()
            else:
                yield from self._surviving_parts(source, wanted)

    def _surviving_parts(self, source: SourceFile, wanted: Callable[[], int]) -> Iterator[Part]:
        try:
            yield from source.parts(wanted)
        except SourceError as error:
            if len(self.sources) == 1:
                raise
            problem = RecordError(error.message, hint=error.hint)
            yield Part(path=source.path, place=None, offset=0, line=0, problem=problem)

    def plain_size(self) -> int:
        """How many bytes are to be read; 0 where that can't be told, as of packed files."""
        if any(not source.path.endswith((".jsonl", ".ndjson")) for source in self.sources):
            return 0
        try:
            sizes = [Path(source.path).stat().st_size for source in self.sources[self._first :]]
        except OSError:
            return 0  # reading it says what is wrong
        begin = self.sources[self._first].begin if self.sources else None
        return max(1, sum(sizes) - (0 if begin is None else begin[0]))

    def counted(self, cases: int, left_out: int, unseen: Iterable[str]) -> None:
        """Take note of how many cases came of rows that were read elsewhere."""
        self.row += cases
        self.left_out += left_out
        self.unseen &= set(unseen)

    def saw(self, cases: Iterable[tuple[str, int | None, int | None]], path: str | None) -> None:
        """Take note of cases that were read elsewhere, so that an id is known where it is used again.

        Args:
            cases: id, trial and line of each.
            path: the file they are of.
        """
        seen = self._seen
        if not self._numbers:
            self._numbers = {source.path: number for number, source in enumerate(self.sources)}
        file = self._numbers.get(path, 0) << _LINE_BITS
        for case_id, trial, line in cases:
            key = hash(case_id) if trial is None else hash((case_id, trial))
            if key in seen:
                self._tell_repeated(case_id, trial, path, line)
            else:
                seen[key] = file | (line or 0)

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
            if self.unseen:
                self.unseen = {column for column in self.unseen if column_of(fields, column) is None}
            if not self._kept(fields):
                self.left_out += 1
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
            if as_text(None if node is None else plain(node)) != wanted:
                return False
        if not self.reading.tags:
            return True
        tags = plain(fields.get("tags"))
        tags = [tag.strip() for tag in tags.split(",")] if isinstance(tags, str) else tags
        return isinstance(tags, list) and any(tag in tags for tag in self.reading.tags)

    def _tell_repeated(self, case_id: str, trial: int | None, path: str | None, line: int | None) -> None:
        """Report an id that is used twice for the same trial; both rows are kept."""
        first = self._seen[hash(case_id) if trial is None else hash((case_id, trial))]
        self._repeated += 1
        if self._repeated <= _TOLD:
            shown = "" if trial is None else f" (trial {trial})"
            number, earlier = first >> _LINE_BITS, first & ((1 << _LINE_BITS) - 1)
            where = f"line {earlier} and in line {line}"
            if len(self.sources) > 1:
                where = f"{self.sources[number].path} line {earlier} and in {path} line {line}"
            self.warnings.append(f"the id {case_id!r}{shown} stands in {where}")


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
