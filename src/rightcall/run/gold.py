"""The expected side from a file of its own, joined to the rows of the data by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..core.jsonvalue import show
from ..core.nodes import Node, opened, plain
from ..core.types import Source
from ..errors import DataError, RecordError, SourceError
from .fieldnames import misspelled
from .intake.files import Record, SourceFile, find_files
from .rows import open_row
from .stages import BadCase

__all__ = ["Gold", "as_text"]


def as_text(value: Any) -> str:
    """A plain value as the text under which it is looked for."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


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


def _misspelled(fields: Mapping[str, Node]) -> list[str]:
    """Fields that look like one of the expected side."""
    return [found.field for found in misspelled(frozenset(fields)) if found.decides]


class Gold:
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
        key = as_text(opened(fields.get("id")))
        if key == "null" or not key:
            raise SourceError(f"{where}: a row without an id can't be joined", field="expected")
        if key in self._rows:
            first = self._places[key].line
            message = (
                f"the id {key!r} stands in line {first} and in line {record.source.line} of {self._path}"
            )
            raise SourceError(message, field="expected")
        kept = {name: fields[name] for name in _GOLD_FIELDS if name in fields}
        kept |= {name: fields[name] for name in _misspelled(fields)}  # which is an error of the case
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
        key = as_text(opened(fields.get("id")))
        gold = self._rows.get(key)
        passed_over = {*_GOLD_FIELDS, *_misspelled(fields)}
        row = {name: node for name, node in fields.items() if name not in passed_over}
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
