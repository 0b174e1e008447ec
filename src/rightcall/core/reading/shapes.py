"""Typed readings of wire shapes: one declaration reads JSON bytes, Python objects and an SDK's own objects.

A shape is a `msgspec.Struct` whose fields are all optional: unknown fields are passed over, a known field of another
kind is an error that names its place. Bytes are decoded in one pass; fields of type `Raw` stay as they were recorded.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, Generic, TypeVar, cast

import msgspec
from msgspec import Raw, Struct

from ...errors import CallError
from ..jsonvalue import InvalidJSONError
from ..nodes import Node, kind_of, opened, plain

__all__ = ["ABSENT", "Shape"]

ABSENT: Final = Raw(b"null")
"""Default of a raw field that is not there."""

T = TypeVar("T", bound=Struct)

_MESSAGE: Final = re.compile(r"(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?\Z", re.DOTALL)
_WORDS: Final = {"`str`": "a text", "`int`": "a number", "`bool`": "a boolean", "`null`": "null"} | {
    "`array`": "a list",
    "`object`": "an object",
    "`float`": "a number",
}


class Shape(Generic[T]):
    """Reads nodes as one kind of Struct.

    Args:
        kind: the Struct; raw fields have the type `Raw` and the default `ABSENT`.
    """

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        self._decode = msgspec.json.Decoder(kind).decode

    def attempt(self, node: Node) -> T | None:
        """The node in this shape where it is raw JSON that has it; None means "look closer", and costs little."""
        try:
            return self._decode(node) if type(node) is Raw else None
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            return None

    def attempt_list(self, node: Node) -> list[T] | None:
        """As :meth:`attempt`, a raw list of such objects, decoded in one go."""
        try:
            return self._decode_list(node) if type(node) is Raw else None
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            return None

    @cached_property
    def _decode_list(self) -> Callable[[Raw], list[T]]:
        return msgspec.json.Decoder(list[self._kind]).decode  # type: ignore[name-defined]

    @cached_property
    def _loose(self) -> type[T]:
        return cast(type[T], _with_any(self._kind, {}))

    def __call__(self, node: Node, place: str) -> T:
        """The node in this shape.

        Raises:
            CallError: a known field holds something else than it should; the field says where.
        """
        kind = type(node)
        try:
            if kind is Raw or kind is bytes:
                return self._decode(node)
            return self._convert(node, place)
        except msgspec.ValidationError as error:
            raise _said(error, place) from None
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            # Valid JSON that only the standard library holds (a lone surrogate, great depth), or broken JSON.
            return self._long_way(node, place)

    def _long_way(self, node: Raw | bytes, place: str) -> T:
        try:
            return self._convert(plain(node if isinstance(node, Raw) else Raw(node)), place)
        except msgspec.ValidationError as error:
            raise _said(error, place) from None
        except (InvalidJSONError, RecursionError) as error:
            raise CallError(f"not valid JSON: {error}", field=place) from None

    def _convert(self, value: Any, place: str) -> T:
        if value is None or isinstance(value, str | int | float | list | tuple):
            raise CallError(f"{kind_of(value)} where an object should be", field=place)
        value = opened(value)
        value = plain(value) if isinstance(value, dict) else value
        try:
            return msgspec.convert(value, self._loose, from_attributes=True, strict=True)
        except UnicodeEncodeError:
            raise CallError("a field whose name holds a lone surrogate", field=place) from None


def _said(error: msgspec.ValidationError, place: str) -> CallError:
    found = _MESSAGE.match(str(error))
    what, path = (found["what"], found["path"] or "") if found else (str(error), "")
    for word, plainly in _WORDS.items():
        what = what.replace(word, plainly)
    what = what.replace("Expected", "expected").replace("`", "").replace("|", "or")
    return CallError(what, field=f"{place}{path}".lstrip("."))


def _with_any(kind: Any, known: dict[Any, Any]) -> Any:
    """The type with `Any` for `Raw`, all the way down: Python values have no raw bytes."""
    if kind is Raw:
        return Any
    if isinstance(kind, type) and issubclass(kind, Struct):
        if kind not in known:
            known[kind] = kind  # a shape within itself keeps its raw form there
            hints = typing.get_type_hints(kind)
            fields = [
                _field(field, _with_any(hints[field.name], known)) for field in msgspec.structs.fields(kind)
            ]
            known[kind] = msgspec.defstruct(kind.__name__, fields, bases=(kind,), kw_only=True, gc=False)
        return known[kind]
    arguments = typing.get_args(kind)
    if not arguments:
        return kind
    inner = tuple(_with_any(argument, known) for argument in arguments)
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return Any if Any in inner else typing.Union[inner]  # noqa: UP007 - made at run time
    return typing.get_origin(kind)[inner]


def _field(field: msgspec.structs.FieldInfo, kind: Any) -> tuple[str, Any, Any]:
    default: Any = msgspec.field(
        name=field.encode_name,
        **({} if field.default is msgspec.NODEFAULT else {"default": field.default}),
        **({} if field.default_factory is msgspec.NODEFAULT else {"default_factory": field.default_factory}),
    )
    return field.name, kind, default
