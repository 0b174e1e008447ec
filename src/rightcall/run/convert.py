"""Recordings written in another form; what the form can't hold is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from ..core.types import Trace
from ..core.writing import Writer, losses
from ..errors import CallError
from .sets import WRITERS

__all__ = ["Converted", "convert", "encoded"]


class Converted(Struct, frozen=True):
    """What was written.

    Attributes:
        data: the file's bytes.
        written: number of recordings in it.
        lost: kinds of things that some recording had and the form can't hold, in words.
        refused: recordings that the form can't hold at all, with the reason.
    """

    data: bytes
    written: int
    lost: tuple[str, ...]
    refused: tuple[CallError, ...]


def convert(traces: Sequence[Trace], form: str) -> Converted:
    """Recordings in the form called `form`, without those that broke off.

    Raises:
        UnknownNameError: there is no such form.
    """
    writer = WRITERS.get(form, field="to")
    documents: list[Any] = []
    refused: list[CallError] = []
    lost: dict[str, None] = {}
    for number, trace in enumerate(traces):
        if trace.problem is not None:
            continue
        try:
            documents.append(writer.document(trace, number))
        except CallError as error:
            name = trace.id if trace.id is not None else f"recording {number + 1}"
            refused.append(CallError(error.message, field=name, hint=error.hint))
            continue
        lost |= dict.fromkeys(losses(trace, writer.declaration))
        lost |= dict.fromkeys(writer.changes(trace) if writer.changes is not None else ())
    return Converted(_bytes(writer, documents), len(documents), tuple(lost), tuple(refused))


def _bytes(writer: Writer, documents: Sequence[Any]) -> bytes:
    if writer.declaration.lines:
        return b"".join(encoded(document) + b"\n" for document in documents)
    assert writer.together is not None  # noqa: S101 - a form that is one document says how
    whole = writer.together(documents) if documents else []
    return msgspec.json.format(encoded(whole), indent=2) + b"\n"


_encode = msgspec.json.Encoder(decimal_format="number").encode


def encoded(value: Any) -> bytes:
    """A document as JSON; half characters, which nothing can hold, become their escape."""
    try:
        return _encode(value)
    except UnicodeEncodeError:
        import json

        return json.dumps(value).encode()
