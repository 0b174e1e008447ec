"""The expected side of a row: calls with what they may say besides a plain value, their groups and options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from ..core.arguments import Arguments, Given, read_arguments, surely_readable
from ..core.counts import parse_counts
from ..core.jsonvalue import InvalidJSONError, decode_loose
from ..core.matcher import Matcher, holds_matcher, parse_expected
from ..core.nodes import Node, opened, plain
from ..core.options import parse_call_options
from ..core.pairing.slots import needs_slots
from ..core.reading.callfields import ARGUMENT_KEYS, EXPECTED_KEYS, NAME_KEYS, RECORD_KEYS
from ..core.types import NO_ARGUMENTS, Case, Expectation, ExpectedCall, ToolCall
from ..errors import CallError, ExpectationError, UsageError, nearest
from ..evaluators.forbidden_tools import parse_rules
from .accepted import accepted_arguments, count_range, flag
from .intake.reading import parse_text, read_calls, text_of
from .wire import decode_expected

__all__ = ["checked_case", "check_expected", "expectation_of", "expected_calls", "says_more"]

_MORE: Final = ("optional", "count", "alternatives", "accepted")
"""What an expected call may say of itself beside name, arguments and options."""
_KNOWN: Final = frozenset({*NAME_KEYS, *ARGUMENT_KEYS, *RECORD_KEYS, *EXPECTED_KEYS})
_OF_MEANING: Final = (*EXPECTED_KEYS, "group")
"""Keys without which a call means something else; nothing else tells that one is misspelled."""


def expected_calls(source: Node, *, place: str, format: str = "auto") -> tuple[ExpectedCall, ...]:
    """Expected calls from whatever they are written as.

    Raises:
        ExpectationError: unreadable arguments, options that can't be, or a count, alternatives or accepted values in
            a form that can't be read or in a format that does not have them.
        CallError: a shape that can't be read without guessing.
    """
    data = text_of(source)
    if data is not None and format in ("auto", "plain"):
        calls = decode_expected(data)
        if calls is not None:
            return calls
    items = _items(source, place)
    if items is not None:
        items = [_named(item, f"{place}[{index}]") for index, item in enumerate(items)]
    written = (
        []
        if items is None
        else [entry for index, item in enumerate(items) for entry in _entries(item, index)]
    )
    for entry in written:
        if entry.native:
            _check_spelling(entry, place)
            continue
        for key in _MORE:
            if key in entry.fields:
                message = f"{key!r} is not read in this format"
                hint = 'write the call as {"name": .., "arguments": {..}}'
                raise ExpectationError(message, field=f"{place}{entry.place}.{key}", hint=hint)
    # What only expected calls have is known by now; a reader of calls would take it for lost arguments.
    bare = None if items is None else [_without_extras(item) for item in items]
    try:
        trace = read_calls(source if bare is None else bare, place=place, format=format)
    except CallError as error:
        raise ExpectationError(error.message, field=error.field, hint=error.hint) from None
    made = trace.calls or ()
    if len(written) != len(made):  # A history that repeats itself: nothing beside its calls is read.
        written = [_Entry({}, f"[{index}]", native=False) for index in range(len(made))]
    found = tuple(_expected(call, entry, place) for call, entry in zip(made, written, strict=True))
    check_expected(found, place)
    return found


def _check_spelling(entry: _Entry, place: str) -> None:
    """Refuse a key that is spelled nearly like one that would change what the call means.

    Raises:
        ExpectationError: there is one; the error names the nearest.
    """
    if not any(key in entry.fields for key in NAME_KEYS):
        return  # {"tool": {..}}: its key is the tool's own name
    for key in entry.fields:
        if key in _KNOWN or not isinstance(key, str):
            continue
        near = nearest(key, _OF_MEANING, cutoff=0.8)
        # Short words are soon alike: a "country" is no count.
        if near is not None and abs(len(key) - len(near)) <= len(near) // 4:
            raise ExpectationError(
                f"unknown key {key!r}", field=f"{place}{entry.place}", hint=f"did you mean {near!r}?"
            )


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


def _named(item: Any, place: str) -> Any:
    """An item that is nothing but alternatives, as the first of them with the rest as its alternatives."""
    if not isinstance(item, Mapping) or "alternatives" not in item or any(key in item for key in NAME_KEYS):
        return item
    if any(key not in EXPECTED_KEYS and (key in ARGUMENT_KEYS or key not in RECORD_KEYS) for key in item):
        return item
    first, *rest = _alternatives_in(item["alternatives"], f"{place}.alternatives")
    if not isinstance(first, Mapping):
        return item
    return {**first, **item, "alternatives": rest} if rest else {**_without_extras(first), **item}


def _alternatives_in(node: Node, place: str) -> list[Any]:
    value = opened(node)
    if not isinstance(value, list | tuple) or not value:
        hint = '[{"name": .., "arguments": {..}}, ..]'
        raise ExpectationError("alternatives are not a list of at least one call", field=place, hint=hint)
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
        fields = {key: getattr(item, key) for key in _MORE}
        yield _Entry({key: value for key, value in fields.items() if value}, f"[{index}]", native=True)
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


def _expected(call: ToolCall, entry: _Entry, place: str) -> ExpectedCall:
    where = f"{place}{entry.place}"
    if isinstance(call, ExpectedCall):
        fields = {name: getattr(call, name) for name in ExpectedCall.__struct_fields__}
        if not any(entry.fields.values()) and call.matching == (entry.native and _holds_matcher(call.raw)):
            return call
    else:
        fields = {name: getattr(call, name) for name in ToolCall.__struct_fields__}
        fields["options"] = plain(entry.fields["options"]) if "options" in entry.fields else None
    fields |= _what_more(entry.fields, where)
    if fields.get("accepted") is not None:
        if fields["raw"] is not NO_ARGUMENTS and not getattr(call, "matching", False):
            raise ExpectationError("accepted values beside arguments", field=f"{where}.accepted")
        fields["raw"] = Given(accepted_arguments(fields["accepted"], f"{where}.accepted"))
    fields["matching"] = entry.native and _holds_matcher(fields["raw"])
    return ExpectedCall(**fields)


def _what_more(fields: Mapping[str, Node], where: str) -> dict[str, Any]:
    """What an expected call says of being left out, repeated or made in another way."""
    found: dict[str, Any] = {}
    if fields.get("optional") is not None:
        found["optional"] = flag(plain(fields["optional"]), f"{where}.optional")
    if fields.get("count") is not None:
        found["count"] = count_range(plain(fields["count"]), f"{where}.count")
        if found.get("optional") and found["count"].min:
            hint = "a call that may be left out has a count from 0"
            raise ExpectationError(
                "optional, and to be made at least once", field=f"{where}.count", hint=hint
            )
    if "alternatives" in fields and fields["alternatives"] not in (None, ()):
        inside = f"{where}.alternatives"
        items = _alternatives_in(fields["alternatives"], inside)
        for index, item in enumerate(items):
            for key in ("optional", "count", "alternatives"):
                said = item.get(key) if isinstance(item, Mapping) else getattr(item, key, None)
                if said is not None and opened(said) not in (None, False, ()):
                    hint = "it concerns the call as a whole: write it beside 'alternatives'"
                    raise ExpectationError(
                        f"{key!r} inside an alternative", field=f"{inside}[{index}].{key}", hint=hint
                    )
        found["alternatives"] = expected_calls(items, place=inside)
        if len(found["alternatives"]) != len(items):
            raise ExpectationError("an alternative is one call, no message of calls", field=inside)
    if fields.get("accepted") is not None:
        found["accepted"] = plain(fields["accepted"])
    return found


def says_more(calls: Sequence[ExpectedCall]) -> bool:
    """Whether some expected call says more than plain JSON does."""
    return needs_slots(calls) or any(call.matching for call in calls)


def expectation_of(
    calls: tuple[ExpectedCall, ...] | None,
    paths: tuple[tuple[ExpectedCall, ...], ...],
    forbidden: tuple[Any, ...],
    counts: Any,
) -> Expectation:
    """What is expected of a case. With several paths its calls are those of the first, until one is chosen.

    Raises:
        ExpectationError: rules of forbidden tools, or counts, that can't be.
    """
    try:
        if forbidden:
            parse_rules(list(forbidden), "forbidden")
        if counts is not None:
            parse_counts(counts, "expected_counts")
    except UsageError as error:
        raise ExpectationError(error.message, field=error.field, hint=error.hint) from None
    return Expectation(
        calls=paths[0] if paths else calls,
        paths=paths,
        forbidden=forbidden,
        counts=counts,
        special=bool(paths) or (calls is not None and says_more(calls)),
    )


def checked_case(case: Case) -> Case:
    """A case that was built in Python, with what is known of its expected side once it was read.

    Raises:
        ExpectationError: an expected side that can't be held against an agent; see :func:`expected_calls`.
    """
    wanted = case.expected
    if wanted is None:
        return case
    if wanted.calls is None and not wanted.paths:
        expectation_of(None, (), wanted.forbidden, wanted.counts)
        return case
    calls: tuple[ExpectedCall, ...] | None = None
    paths: tuple[tuple[ExpectedCall, ...], ...] = ()
    if wanted.paths:
        if wanted.calls is not None and wanted.calls != wanted.paths[0]:
            raise ExpectationError("calls beside several paths; give one of them", field="expected_any_of")
        paths = tuple(
            expected_calls(list(path), place=f"expected_any_of[{index}]")
            for index, path in enumerate(wanted.paths)
        )
    else:
        calls = expected_calls(list(wanted.calls or ()), place="expected_tool_calls")
    return replace(case, expected=expectation_of(calls, paths, wanted.forbidden, wanted.counts))


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
            _refuse_whole_matcher(call.raw, f"{where}.arguments")
            problem = read_arguments(call.raw).problem
            if problem is not None:
                raise ExpectationError(f"{call.name}: {problem}", field=f"{where}.arguments")
        if call.options is not None:
            try:
                parse_call_options(call.options, field=f"{where}.options")
            except UsageError as error:
                raise ExpectationError(error.message, field=error.field, hint=error.hint) from None


def _refuse_whole_matcher(arguments: Arguments, place: str) -> None:
    """Refuse a matcher made in Python in the place of the arguments, in the words for one written in JSON."""
    if isinstance(arguments, Given) and isinstance(arguments.value, Matcher):
        parse_expected(arguments.value.as_json(), place)


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
