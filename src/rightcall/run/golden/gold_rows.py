"""The rows of a golden set as they stand in its files, so that their expected calls can be written anew."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from msgspec import Struct

from ...core.jsonvalue import InvalidJSONError, decode
from ...core.nodes import plain
from ...core.types import Case, Source
from ...errors import DataError, SourceError
from ..convert import encoded
from ..intake.files import SourceFile, find_files
from ..rows import EXPECTED_FIELDS, case_from_fields, case_from_line
from .respelling import respelled

__all__ = ["GoldRow", "gold_rows", "patch_of"]

_SEVERAL: Final = "expected_any_of"


class GoldRow(Struct, frozen=True):
    """One row.

    Attributes:
        case: what it says.
        file: the file that it stands in.
        text: the row itself; None in a table, whose cells are its fields.
        fields: its fields, decoded.
    """

    case: Case
    file: Path
    text: str | None
    fields: dict[str, Any]

    @property
    def source(self) -> Source:
        """Where it stands."""
        return self.case.source or Source()

    def calls(self, path: int | None) -> list[Any] | None:
        """The expected calls as they are written, of one path where there are several; None where there are none."""
        place = self._place(path)
        if place is None:
            return None
        value: Any = self.fields
        for step in place:
            value = _decoded(value[step])
        return value if isinstance(value, list) else [value]

    def with_calls(self, calls: Sequence[Any], path: int | None) -> str:
        """The text of the row with other expected calls, the rest of it as it is written."""
        place = self._place(path)
        assert place is not None  # noqa: S101 - asked of rows that have calls
        text = encoded(self.fields).decode() if self.text is None else self.text
        return respelled(text, {(place[0],): _within(self.fields[place[0]], place[1:], list(calls))})

    def _place(self, path: int | None) -> tuple[Any, ...] | None:
        """The keys that lead to the list of calls."""
        if path is not None:
            return (_SEVERAL, path) if self.fields.get(_SEVERAL) is not None else None
        return next(((name,) for name in EXPECTED_FIELDS if self.fields.get(name) is not None), None)


def _decoded(value: Any) -> Any:
    """A value that may stand there as JSON text."""
    if isinstance(value, str):
        try:
            return decode(value)
        except InvalidJSONError:
            return value
    return value


def _within(written: Any, steps: Sequence[int], calls: list[Any]) -> Any:
    """A field with other calls, as a JSON text where it was one, as one call where it was one."""
    if isinstance(written, str):
        try:
            decode(written)
        except InvalidJSONError:
            return calls
        return respelled(written, {tuple(steps): calls if steps else _within(decode(written), (), calls)})
    if steps:
        at = steps[0]
        return [*written[:at], _within(written[at], (), calls), *written[at + 1 :]]
    return calls[0] if isinstance(written, Mapping) and len(calls) == 1 else calls


def gold_rows(gold: str) -> Iterator[GoldRow]:
    """The rows of a golden set that can be read, in order.

    Raises:
        PathNotFoundError, SourceError: the set can't be read.
    """
    for file in find_files(gold):
        for record in SourceFile(str(file), file).records():
            try:
                if record.fields is not None:
                    case = case_from_fields(record.fields, row=0, source=record.source)
                    yield GoldRow(case, file, None, {key: plain(item) for key, item in record.fields.items()})
                elif record.data is not None:
                    case = case_from_line(record.data, row=0, source=record.source)
                    yield GoldRow(case, file, record.data.decode(), decode(record.data))
            except (DataError, InvalidJSONError, UnicodeDecodeError):
                continue  # lint tells of it


class Corrected(Protocol):
    """What a patch needs of a correction: see :class:`Correction`."""

    @property
    def case(self) -> str: ...
    @property
    def calls(self) -> list[Any] | None: ...
    @property
    def path(self) -> int | None: ...


def patch_of(gold: str, found: Sequence[Corrected]) -> bytes:
    """The corrections of a golden set as a unified diff.

    Raises:
        SourceError: a file of the set that would change is no plain JSON.
    """
    changed = {item.case: item for item in found if item.calls is not None}
    edits: dict[Path, list[tuple[int, int, bytes]]] = {}
    files = find_files(gold)
    for file in files:
        if file.suffix.lower() not in (".jsonl", ".ndjson", ".json"):
            raise SourceError(
                f"{file} is no plain JSON Lines or JSON", field="patch", hint="convert it first"
            )
    for row in gold_rows(gold) if changed else ():
        item = changed.get(row.case.id)
        if item is None or item.calls is None or row.calls(item.path) is None:
            continue
        offset, length = row.source.offset, row.source.length
        if offset is None or length is None:
            raise SourceError(f"where {row.case.id!r} stands in {row.file} is not known", field="patch")
        text = row.with_calls(item.calls, item.path)
        edits.setdefault(row.file, []).append((offset, length, text.encode("utf-8", "surrogatepass")))
    named = {file: gold if len(files) == 1 and file == Path(gold) else str(file) for file in files}
    return b"".join(_diff(named[file], file, made) for file, made in edits.items())


def _diff(name: str, file: Path, edits: Sequence[tuple[int, int, bytes]]) -> bytes:
    before = file.read_bytes()
    pieces, done = [], 0
    for offset, length, text in sorted(edits):
        pieces += [before[done:offset], text]
        done = offset + length
    after = b"".join((*pieces, before[done:]))
    shown = f"{name}\t" if " " in name else name
    made = difflib.unified_diff(_lines(before), _lines(after), fromfile=shown, tofile=shown)
    whole = (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in made)
    return "".join(whole).encode("utf-8", "surrogateescape")


def _lines(data: bytes) -> list[str]:
    # Only \n ends a line, for `patch` as for JSON Lines; Python's splitlines knows eight more ends.
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return [line + "\n" for line in lines[:-1]] + lines[-1:] * bool(lines[-1])
