"""The expected side of a row: plain calls, their groups and options. What comes later is refused, not ignored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from ..core.arguments import Arguments, Given, read_arguments, surely_readable
from ..core.jsonvalue import InvalidJSONError, decode_loose
from ..core.matcher import holds_matcher
from ..core.nodes import Node, opened, plain
from ..core.options import parse_call_options
from ..core.reading.callfields import EXPECTED_KEYS
from ..core.types import Case, ExpectedCall, ToolCall
from ..errors import CallError, ExpectationError, UsageError
from .reading import parse_text, read_calls, text_of
from .wire import decode_expected

__all__ = ["checked_case", "check_expected", "expected_calls", "says_more"]

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
    written = (
        []
        if items is None
        else [entry for index, item in enumerate(items) for entry in _entries(item, index)]
    )
    for entry in written:
        for key in _LATER:
            if key in entry.fields:
                message = f"{key!r} on an expected call is not there yet"
                raise ExpectationError(message, field=f"{place}{entry.place}.{key}")
    # What only expected calls have is known by now; a reader of calls would take it for lost arguments.
    bare = None if items is None else [_without_extras(item) for item in items]
    try:
        trace = read_calls(source if bare is None else bare, place=place, format=format)
    except CallError as error:
        raise ExpectationError(error.message, field=error.field, hint=error.hint) from None
    made = trace.calls or ()
    if len(written) != len(made):  # A history that repeats itself: nothing beside its calls is read.
        written = [_Entry({}, f"[{index}]", native=False) for index in range(len(made))]
    found = tuple(_expected(call, entry) for call, entry in zip(made, written, strict=True))
    check_expected(found, place)
    return found


def _items(source: Node, place: str) -> list[Any] | None:
    """The single items, opened; None where there is no list of them."""
    value = opened(source)
    if isinstance(value, str):
        value = parse_text(value, place)
    if isinstance(value, Mapping | ToolCall):
        value = [value]
    if not isinstance(value, (list, tuple)):
        return None
    return [opened(item) for item in value]


def _without_extras(item: Any) -> Any:
    if not isinstance(item, Mapping) or not any(key in item for key in EXPECTED_KEYS):
        return item
    return {key: node for key, node in item.items() if key not in EXPECTED_KEYS}


class _Entry(Struct, frozen=True):
    """What an expected call says beside name and arguments.

    `native` is True where it may hold matchers: never in wire formats (contract 6).
    """

    fields: Mapping[str, Node]
    place: str
    native: bool


def _entries(item: Any, index: int) -> Iterator[_Entry]:
    """The calls of one item: itself, or those of a message."""
    if isinstance(item, ExpectedCall):
        later = {
            "optional": item.optional,
            "count": item.count,
            "alternatives": item.alternatives,
            "accepted": item.accepted,
        }
        yield _Entry({key: value for key, value in later.items() if value}, f"[{index}]", native=True)
    elif not isinstance(item, Mapping):
        yield _Entry({}, f"[{index}]", native=True)
    elif "tool_calls" in item or "role" in item:
        inner = opened(item.get("tool_calls"))
        for number, entry in enumerate(inner if isinstance(inner, list) else ()):
            fields = opened(entry)
            where = f"[{index}].tool_calls[{number}]"
            yield _Entry(fields if isinstance(fields, Mapping) else {}, where, native=False)
    else:
        wire = "function" in item and not isinstance(opened(item["function"]), str)
        yield _Entry(item, f"[{index}]", native=not wire)


def _expected(call: ToolCall, entry: _Entry) -> ExpectedCall:
    matching = entry.native and _holds_matcher(call.raw)
    if isinstance(call, ExpectedCall):
        return call if call.matching == matching else replace(call, matching=matching)
    fields = {name: getattr(call, name) for name in ToolCall.__struct_fields__}
    options = plain(entry.fields["options"]) if "options" in entry.fields else None
    return ExpectedCall(**fields, options=options, matching=matching)


def says_more(calls: Sequence[ExpectedCall]) -> bool:
    """Whether some expected call says more than plain JSON does."""
    return any(call.matching for call in calls)


def checked_case(case: Case) -> Case:
    """A case that was built in Python, with what is known of its expected side once it was read.

    Raises:
        ExpectationError: an expected side that can't be held against an agent; see :func:`expected_calls`.
    """
    if case.expected is None or case.expected.calls is None:
        return case
    if case.expected.paths:
        raise ExpectationError("several paths are not there yet", field="expected_any_of")
    calls = expected_calls(list(case.expected.calls), place="expected_tool_calls")
    expected = replace(case.expected, calls=calls, special=says_more(calls))
    return replace(case, expected=expected)


def check_expected(calls: Sequence[ExpectedCall], place: str) -> None:
    """Refuse expected calls that can't be held against an agent.

    Args:
        calls: the expected calls.
        place: name of the field they stand in, for errors.

    Raises:
        ExpectationError: unreadable arguments, or options that can't be.
    """
    for index, call in enumerate(calls):
        where = f"{place}[{index}]"
        if not call.matching and not surely_readable(call.raw):
            problem = read_arguments(call.raw).problem
            if problem is not None:
                raise ExpectationError(f"{call.name}: {problem}", field=f"{where}.arguments")
        if call.options is not None:
            try:
                parse_call_options(call.options, field=f"{where}.options")
            except UsageError as error:
                raise ExpectationError(error.message, field=error.field, hint=error.hint) from None


def _holds_matcher(arguments: Arguments) -> bool:
    """Whether arguments given as an object hold a matcher (contract 6); JSON text never does."""
    if isinstance(arguments, Given):
        return isinstance(arguments.value, Mapping) and holds_matcher(arguments.value)
    data = bytes(arguments)
    if data[:1] != b"{" or (b"$" not in data and b"\\u0024" not in data):
        return False
    try:
        return holds_matcher(decode_loose(data))
    except InvalidJSONError:
        return False
