"""Rows of a Parquet file. Tool calls stand in columns of JSON text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...errors import MissingExtraError, SourceError

__all__ = ["rows"]

_ROWS_AT_ONCE = 1024


def rows(path: str) -> Iterator[dict[str, Any]]:
    """The file's rows as fields, in batches, so that a large file needs little memory.

    Raises:
        MissingExtraError: pyarrow is not installed.
        SourceError: not a Parquet file, or a column of nested values: Arrow fills the keys that a value lacks
            with null, so calls could not be told from calls with more arguments.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtraError(path, "parquet") from None
    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{path} can't be read as Parquet: {error}") from None
    with file:
        for column in file.schema_arrow:
            if pa.types.is_struct(column.type) or _holds_structs(pa, column.type):
                raise SourceError(
                    f"{path}: the column {column.name!r} holds nested values",
                    hint="write tool calls as JSON text; nested columns turn left-out keys into null",
                )
        try:
            for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE):
                yield from batch.to_pylist()
        except (pa.ArrowException, OSError) as error:
            raise SourceError(f"{path} can't be read as Parquet: {error}") from None


def _holds_structs(pa: Any, kind: Any) -> bool:
    while pa.types.is_list(kind) or pa.types.is_large_list(kind):
        kind = kind.value_type
    return bool(pa.types.is_struct(kind) or pa.types.is_map(kind))
