"""parquet: a row a case and evaluator, typed, with the details as JSON text; for data frames and warehouses."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from ..core.summing.records import CaseRecord, ReportDeclaration, Reported
from ..errors import MissingExtraError

DECLARATION = ReportDeclaration(
    id="parquet",
    meaning="a typed row a case and evaluator, with the details as JSON text; for data frames and warehouses",
    file="report.parquet",
    extra="parquet",
    module="pyarrow",
)

_CASES_AT_ONCE: Final = 10_000
"""Cases of a row group: all that is held in memory at a time."""


def write(reported: Reported) -> Iterator[bytes]:
    """The file, a row group at a time.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtraError("the report parquet", "parquet") from None
    schema = pa.schema(
        [
            ("id", pa.string()),
            ("trial", pa.int64()),
            ("file", pa.string()),
            ("line", pa.int64()),
            ("offset", pa.int64()),
            ("case_passed", pa.bool_()),
            ("evaluator", pa.dictionary(pa.int32(), pa.string())),
            ("kind", pa.dictionary(pa.int32(), pa.string())),
            ("status", pa.dictionary(pa.int32(), pa.string())),
            ("score", pa.float64()),
            ("label", pa.dictionary(pa.int32(), pa.string())),
            ("passed", pa.bool_()),
            ("threshold", pa.float64()),
            ("reason", pa.string()),
            ("error", pa.string()),
            ("warnings", pa.list_(pa.string())),
            ("details", pa.string()),
        ],
        metadata={"rightcall.signature": reported.summary.signature},
    )
    sink = _Sink()
    cases = iter(reported.cases)
    with pq.ParquetWriter(sink, schema, compression="zstd") as file:
        while batch := list(islice(cases, _CASES_AT_ONCE)):
            rows = [row for case in batch for row in _rows(case)]
            file.write_table(pa.Table.from_pylist(rows, schema=schema))
            yield sink.taken()
    yield sink.taken()


class _Sink(io.RawIOBase):
    """A file that gives away what was written to it: Parquet is written from front to back."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._size

    def write(self, data: Any) -> int:
        part = bytes(data)
        self._parts.append(part)
        self._size += len(part)
        return len(part)

    def taken(self) -> bytes:
        """What was written since the last time."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _rows(case: CaseRecord) -> Iterator[dict[str, Any]]:
    for result in case.results:
        yield {
            "id": case.id,
            "trial": case.trial,
            "file": case.row.file,
            "line": case.row.line,
            "offset": case.row.offset,
            "case_passed": case.passed,
            "evaluator": result.evaluator,
            "kind": result.kind,
            "status": result.status,
            "score": result.score,
            "label": result.label,
            "passed": result.passed,
            "threshold": result.threshold,
            "reason": result.reason,
            "error": result.error,
            "warnings": list(result.warnings),
            "details": bytes(result.details).decode(),
        }
