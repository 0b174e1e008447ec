"""Native calls, decoded in one step: arguments stay raw bytes. What does not fit goes the long way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

from ..core.jsonvalue import MAX_DEPTH
from ..core.types import NO_ARGUMENTS, ExpectedCall, ToolCall
from .fieldnames import misspelled

__all__ = [
    "WireCall",
    "WireCallArgs",
    "WireExpected",
    "WireExpectedArgs",
    "WireRow",
    "all_readable",
    "decode_calls",
    "decode_expected",
    "decode_row",
    "may_be_native",
]

Name = Annotated[str, Meta(min_length=1)]


class WireCall(ToolCall, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """A native call, decoded straight into a ToolCall. An unknown field sends the row the long way."""

    name: Name
    raw: Raw = field(default=NO_ARGUMENTS, name="arguments")
    raw_output: Any = field(default=None, name="output")


class WireExpected(ExpectedCall, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """A native expected call. Fields with rules of their own get names that no row has, so they go the long way."""

    name: Name
    raw: Raw = field(default=NO_ARGUMENTS, name="arguments")
    raw_output: Any = field(default=None, name="output")
    options: Any = field(default=None, name="<options>")
    optional: bool = field(default=False, name="<optional>")
    count: None = field(default=None, name="<count>")
    alternatives: tuple[()] = field(default=(), name="<alternatives>")
    accepted: None = field(default=None, name="<accepted>")
    matching: bool = field(default=False, name="<matching>")


class WireCallArgs(WireCall, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """The same with its arguments under the other name that is often used."""

    raw: Raw = field(default=NO_ARGUMENTS, name="args")


class WireExpectedArgs(WireExpected, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """The same with its arguments under the other name."""

    raw: Raw = field(default=NO_ARGUMENTS, name="args")


_Calls = tuple[WireCall, ...] | None | UnsetType
_Expected = tuple[WireExpected, ...] | None | UnsetType
_ArgsCalls = tuple[WireCallArgs, ...] | None | UnsetType
_ArgsExpected = tuple[WireExpectedArgs, ...] | None | UnsetType


class WireRow(Struct, frozen=True, kw_only=True, gc=False):
    """The fields of a native row that have a meaning; others are columns of somebody's own."""

    id: str | None = None
    tool_calls: _Calls = UNSET
    actual: _Calls = UNSET
    expected_tool_calls: _Expected = UNSET
    expected: _Expected = UNSET
    output: str | UnsetType | None = UNSET
    input: Raw | UnsetType = UNSET
    tools: Raw | UnsetType = UNSET
    trial: int | None = None
    tags: tuple[str, ...] = ()
    cluster: str | None = None
    verdict: bool | None = None
    metadata: Raw | UnsetType = UNSET
    forbidden: Raw | UnsetType = UNSET
    expected_counts: Raw | UnsetType = UNSET
    expected_any: Raw | UnsetType = UNSET
    expected_any_of: Raw | UnsetType = UNSET


class _ArgsRow(WireRow, frozen=True, kw_only=True, gc=False):
    """The same, of calls whose arguments are called ``args``."""

    tool_calls: _ArgsCalls = UNSET
    actual: _ArgsCalls = UNSET
    expected_tool_calls: _ArgsExpected = UNSET
    expected: _ArgsExpected = UNSET


class _RowDecoder:
    """Decodes native rows. Other columns are let pass, unless one looks like a field (`run/fieldnames.py`).

    A column that is like no field is learned, so that rows are looked through for names only where one is new.
    """

    def __init__(self, kind: type[WireRow]) -> None:
        self._kind = kind
        self._columns: set[str] = set()
        self._known = self._decoder()
        self._any = msgspec.json.Decoder(kind).decode
        self._names = msgspec.json.Decoder(dict[str, Raw]).decode

    def _decoder(self) -> Callable[[bytes], WireRow]:
        own = [
            (f"column_{number}", Raw | UnsetType, field(default=UNSET, name=column))
            for number, column in enumerate(sorted(self._columns))
        ]
        closed: type[WireRow] = msgspec.defstruct(  # type: ignore[assignment]  # of that base
            "Row", own, bases=(self._kind,), frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True
        )
        return msgspec.json.Decoder(closed).decode

    def __call__(self, data: bytes) -> WireRow | None:
        """A row; None where one of its columns looks like a field.

        Raises:
            MsgspecError, RecursionError: it is not native.
        """
        try:
            return self._known(data)
        except msgspec.ValidationError as error:
            text = str(error)
            if "unknown field" not in text or " - at " in text:
                raise  # of a call, not of the row
        names = frozenset(self._names(data))
        if misspelled(names):
            return None
        new = {name for name in names - _FIELDS - self._columns if not misspelled(frozenset({name}))}
        if new and len(self._columns) + len(new) <= _MOST_COLUMNS:
            self._columns |= new
            self._known = self._decoder()
        return self._any(data)


_FIELDS: Final = frozenset(WireRow.__struct_fields__)
_MOST_COLUMNS: Final = 200
"""Columns that are learned: of rows whose columns are all different there is nothing to learn."""

_decode_row = _RowDecoder(WireRow)
_decode_args_row = _RowDecoder(_ArgsRow)
_decode_calls = msgspec.json.Decoder(tuple[WireCall, ...]).decode
_decode_args_calls = msgspec.json.Decoder(tuple[WireCallArgs, ...]).decode
_decode_expected = msgspec.json.Decoder(tuple[WireExpected, ...]).decode
_decode_args_expected = msgspec.json.Decoder(tuple[WireExpectedArgs, ...]).decode
_OPEN_BRACE, _DOLLAR, _BACKSLASH = b"{$\\"
_SURELY_FLAT = 2 * MAX_DEPTH
"""Bytes up to which a text can't be nested too deeply: each level takes two."""


def may_be_native(data: bytes) -> bool:
    """Whether JSON bytes may be decoded in one step: UTF-8, and without a ``$`` that may begin a matcher."""
    # Single bytes are looked for as integers, which is four times as fast.
    if _DOLLAR in data or (_BACKSLASH in data and b"\\u0024" in data):
        return False
    return data.isascii() or _is_utf8(data)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def all_readable(calls: Sequence[ToolCall]) -> bool:
    """Whether the arguments of decoded native calls are surely readable objects.

    The rule of `surely_readable`, spelled out: it is asked for every expected call of a run.
    """
    for call in calls:
        text = bytes(call.raw)  # type: ignore[arg-type]  # raw bytes, as decoded
        if text[0] != _OPEN_BRACE:
            return False
        if len(text) > _SURELY_FLAT and text.count(b"{") + text.count(b"[") > MAX_DEPTH:
            return False
    return True


def decode_row(data: bytes) -> WireRow | None:
    """A native row; None where the long way must look at it."""
    if not may_be_native(data):
        return None
    try:
        return _decode_row(data)
    except (msgspec.MsgspecError, RecursionError):
        if b'"args"' not in data:
            return None
    try:
        return _decode_args_row(data)
    except (msgspec.MsgspecError, RecursionError):
        return None


def decode_calls(data: bytes | Raw) -> tuple[ToolCall, ...] | None:
    """The calls of a JSON list of native calls; None where the long way must look at it."""
    # What is not native fails at its first field, long before all its bytes would have been looked at.
    for decode in (_decode_calls, _decode_args_calls):
        try:
            calls = decode(data)
        except (msgspec.MsgspecError, RecursionError):
            continue
        return calls if may_be_native(bytes(data)) else None
    return None


def decode_expected(data: bytes) -> tuple[ExpectedCall, ...] | None:
    """The expected calls of a JSON list of native calls that are surely readable; None for the long way."""
    if not may_be_native(data):
        return None
    for decode in (_decode_expected, _decode_args_expected):
        try:
            calls = decode(data)
        except (msgspec.MsgspecError, RecursionError):
            continue
        return calls if all_readable(calls) else None
    return None
