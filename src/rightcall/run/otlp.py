"""OTLP as protobuf: one message, or a stream of messages each after its length. To come from the reader of spans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from ..errors import SourceError

__all__ = ["items"]


def items(stream: BinaryIO, name: str) -> Iterator[Any]:
    """The export requests of a binary stream.

    Raises:
        SourceError: it is no OTLP.
    """
    raise SourceError(f"{name} is not text", hint="rightcall reads UTF-8")
