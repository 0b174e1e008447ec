"""Bodies of requests: read within limits, unpacked, and decoded to the shape that an endpoint declares."""

from __future__ import annotations

import re
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import accumulate
from typing import Any, Final, TypeVar

import msgspec
from msgspec.inspect import CollectionType, DictType, LiteralType, StructType, Type, UnionType, type_info
from starlette.requests import ClientDisconnect, Request

from ...errors import nearest
from .problems import RefusedError
from .settings import Settings

__all__ = ["check_depth", "decoded", "read_body", "unpacked_chunks"]

Held = TypeVar("Held")

_JSON: Final = "application/json"
_MEGABYTE: Final = 1 << 20


async def read_body(request: Request, settings: Settings, media: tuple[str, ...] = (_JSON,)) -> bytes:
    """The unpacked body of a request.

    Raises:
        RefusedError: 400 cut off or badly packed, 413 too large, 415 another media type or packing.
    """
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given not in media:
        # Also what keeps pages of other sites out: they can't send these types without being asked first.
        raise RefusedError(
            415,
            f"{given or 'no media type'} can't be read here",
            field="Content-Type",
            hint=" or ".join(media),
        )
    most = int(settings.body_mb * _MEGABYTE)
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > most:
        raise _too_large(most)
    parts = [part async for part in unpacked_chunks(request, most)]
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _too_large(most: int) -> RefusedError:
    return RefusedError(413, f"a body may have {most / _MEGABYTE:g} MB, unpacked too")


async def unpacked_chunks(request: Request, most: int) -> AsyncIterator[bytes]:
    """The body piece by piece, unpacked; never more than `most` bytes of it.

    Raises:
        RefusedError: as :func:`read_body`.
    """
    packing = request.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("identity", "", "gzip"):
        raise RefusedError(415, f"{packing} can't be unpacked", field="Content-Encoding", hint="gzip")
    unpacker = zlib.decompressobj(wbits=31) if packing == "gzip" else None
    size = 0
    try:
        async for chunk in request.stream():
            for piece in _pieces(chunk, unpacker):
                size += len(piece)
                if size > most:
                    raise _too_large(most)
                yield piece
    except zlib.error:
        raise RefusedError(400, "the body is not valid gzip", field="Content-Encoding") from None
    except ClientDisconnect:
        raise RefusedError(400, "the body is cut off") from None
    if unpacker is not None and not unpacker.eof:
        raise RefusedError(400, "the packed body is cut off", field="Content-Encoding")


def _pieces(chunk: bytes, unpacker: Any) -> Iterator[bytes]:
    """A chunk unpacked a megabyte at a time, so that a bomb is stopped before it has grown."""
    if unpacker is None:
        if chunk:
            yield chunk
        return
    while not unpacker.eof:
        piece = unpacker.decompress(chunk, _MEGABYTE)
        if piece:
            yield piece
        chunk = unpacker.unconsumed_tail
        if not chunk and len(piece) < _MEGABYTE:
            return


_STRINGS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)  # possessive: nothing to go back to
_NO_BRACKET: Final = bytes(set(range(256)) - set(b"[]{}"))
_STEP: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def check_depth(body: bytes, most: int) -> None:
    """Refuse a JSON text that is nested too deeply.

    Raises:
        RefusedError: 422.
    """
    if body.count(b"[") + body.count(b"{") <= most:
        return  # strings hold brackets too, so this many are an upper bound
    brackets = _STRINGS.sub(b"", body).translate(None, _NO_BRACKET)
    if max(accumulate(map(_STEP.__getitem__, brackets)), default=0) > most:
        raise RefusedError(422, f"nested more than {most} levels deep")


_decoders: dict[type[Any], msgspec.json.Decoder[Any]] = {}


def decoded(body: bytes, kind: type[Held]) -> Held:
    """A body as the struct that is asked for.

    Raises:
        RefusedError: 400 no JSON, 422 of another shape; with the path.
    """
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = msgspec.json.Decoder(kind)
    try:
        value: Held = decoder.decode(body)
    except msgspec.ValidationError as error:
        raise _misshapen(kind, error) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RefusedError(400, f"not valid JSON: {error}") from None
    except RecursionError:
        raise RefusedError(422, "nested too deeply") from None
    return value


_QUOTED: Final = re.compile(r"`([^`]*)`|'([^']*)'")
_STEP_IN: Final = re.compile(r"[^.\[\]]+|\[[^\]]*\]")


def _misshapen(kind: type[Any], error: msgspec.ValidationError) -> RefusedError:
    """What is wrong with a body, at which field, and what may stand there."""
    message, _, path = str(error).partition(" - at `$")
    path = path.strip("`.")
    inner = _type_at(kind, path)
    quoted = _QUOTED.search(message)
    named = next((each for each in quoted.groups() if each is not None), "") if quoted else ""
    hint = None
    if "unknown field" in message and isinstance(inner, StructType):
        hint = _choices(named, [field.encode_name for field in inner.fields])
    elif "Invalid enum value" in message and isinstance(inner, LiteralType):
        hint = _choices(named, list(map(str, inner.values)))
    if "unknown field" in message or "missing required field" in message:
        path = f"{path}.{named}" if path else named
    return RefusedError(422, message, field=path or None, hint=hint)


def _choices(given: str, known: Sequence[str]) -> str:
    near = nearest(given, known)
    return f"did you mean {near!r}?" if near else f"known: {', '.join(sorted(known))}"


def _type_at(kind: type[Any], path: str) -> Type | None:
    """What is declared at a path that msgspec names, where that is told."""
    found: Type | None = type_info(kind)
    for step in _STEP_IN.findall(path):
        found = _struct_or(found)
        if isinstance(found, StructType):
            found = next((field.type for field in found.fields if field.encode_name == step), None)
        elif isinstance(found, DictType):
            found = found.value_type
        elif isinstance(found, CollectionType):
            found = found.item_type
        else:
            return None
    return _struct_or(found)


def _struct_or(found: Type | None) -> Type | None:
    """Of several kinds that may stand somewhere, the one that is looked into."""
    if not isinstance(found, UnionType):
        return found
    telling = [
        each for each in found.types if isinstance(each, StructType | LiteralType | DictType | CollectionType)
    ]
    return telling[0] if len(telling) == 1 else None
