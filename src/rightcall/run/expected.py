"""The expected side of a row: plain calls, their groups and options. What comes later is refused, not ignored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..core.arguments import Arguments, Given, read_arguments, surely_readable
from ..core.jsonvalue import InvalidJSONError, decode_loose
from ..core.nodes import Node, opened, plain
from ..core.options import parse_call_options
from ..core.types import ExpectedCall, ToolCall
from ..errors import CallError, ExpectationError, UsageError
from .reading import parse_text, read_calls, text_of
from .wire import decode_expected

__all__ = ["check_expected", "expected_calls"]

_LATER: Final = ("optional", "count", "alternatives", "accepted")


def expected_calls(source: Node, *, place: str, format: str = "auto") -> tuple[ExpectedCall, ...]:
    """Expected calls from whatever they are written as.

    Raises:
        ExpectationError: unreadable arguments, options that can't be, or a feature that is not there yet.
        CallError: a shape that can't be read without guessing.
    """
    data = text_of(source)
    if data is not None and format in ("auto", "plain"):
        calls = decode_expected(data)
        if calls is not None:
            return calls
    items = _items(source, place)
    try:
        trace = read_calls(items if items is not None else source, place=place, format=format)
    except CallError as error:
        raise ExpectationError(error.message, field=error.field, hint=error.hint) from None
    made = trace.calls or ()
    extras = _extras(items, made, place)
    found = tuple(_expected(call, extra) for call, extra in zip(made, extras, strict=True))
    check_expected(found, place)
    return found


def _items(source: Node, place: str) -> list[Any] | None:
    """The single items, opened; None where one item can stand for several calls or for none."""
    value = opened(source)
    if isinstance(value, str):
        value = parse_text(value, place)
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, (list, tuple)):
        return None
    return [opened(item) for item in value]


def _extras(items: Sequence[Any] | None, calls: Sequence[ToolCall], place: str) -> list[Mapping[str, Node]]:
    """What each expected call says beside name and arguments."""
    if items is None or len(items) != len(calls):
        return [{} for _ in calls]
    extras: list[Mapping[str, Node]] = []
    for index, item in enumerate(items):
        extra = item if isinstance(item, Mapping) and "role" not in item else {}
        for key in _LATER:
            if key in extra:
                message = f"{key!r} on an expected call is not there yet"
                raise ExpectationError(message, field=f"{place}[{index}].{key}")
        extras.append(extra)
    return extras


def _expected(call: ToolCall, extra: Mapping[str, Node]) -> ExpectedCall:
    if isinstance(call, ExpectedCall):
        return call
    fields = {name: getattr(call, name) for name in ToolCall.__struct_fields__}
    options = plain(extra["options"]) if "options" in extra else None
    return ExpectedCall(**fields, options=options)


def check_expected(calls: Sequence[ExpectedCall], place: str) -> None:
    """Refuse expected calls that can't be held against an agent.

    Raises:
        ExpectationError: unreadable arguments, a matcher (they come later), or options that can't be.
    """
    for index, call in enumerate(calls):
        where = f"{place}[{index}]"
        if not surely_readable(call.raw):
            problem = read_arguments(call.raw).problem
            if problem is not None:
                raise ExpectationError(f"{call.name}: {problem}", field=f"{where}.arguments")
        matcher = _matcher_in(call.raw)
        if matcher is not None:
            raise ExpectationError(
                f"{call.name}: {matcher!r} begins with $, and matchers are not there yet",
                field=f"{where}.arguments",
            )
        if call.options is not None:
            try:
                parse_call_options(call.options, field=f"{where}.options")
            except UsageError as error:
                raise ExpectationError(error.message, field=error.field, hint=error.hint) from None


def _matcher_in(arguments: Arguments) -> str | None:
    """A key that makes its object a matcher (contract 6), in arguments given as an object; not in JSON text."""
    if isinstance(arguments, Given):
        return _first_dollar(arguments.value) if isinstance(arguments.value, Mapping) else None
    data = bytes(arguments)
    if data[:1] != b"{" or (b"$" not in data and b"\\u0024" not in data):
        return None
    try:
        return _first_dollar(decode_loose(data))
    except InvalidJSONError:
        return None


def _first_dollar(value: Any) -> str | None:
    if isinstance(value, Mapping):
        first = next(iter(value), None)
        if isinstance(first, str) and first.startswith("$"):
            return first
        children: Any = value.values()
    elif isinstance(value, (list, tuple)):
        children = value
    else:
        return None
    return next((found for child in children if (found := _first_dollar(child)) is not None), None)
