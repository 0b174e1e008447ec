"""One recorded call as an object: which field is its name, which are its arguments (contract 3).

The rule of this file is never to guess silently: reading an unknown shape as a call without arguments would
give full marks to wrong calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import MsgspecError, Raw, Struct
from msgspec.json import Decoder

from ...errors import CallError, nearest
from ..arguments import Arguments, Given, read_arguments
from ..jsonvalue import same_value
from ..nodes import Node, kind_of, opened, plain
from ..types import NO_ARGUMENTS, ToolCall

__all__ = [
    "ARGUMENT_KEYS",
    "EXPECTED_KEYS",
    "NAME_KEYS",
    "Usual",
    "arguments_in",
    "checked_name",
    "is_untyped",
    "made_call",
    "read_call",
    "single_key_call",
    "sure_call",
    "usual_call",
    "usual_fields",
]

_ABSENT: Final = Raw(b"null")

NAME_KEYS: Final = ("name", "tool", "tool_name", "toolName", "function", "action")
ARGUMENT_KEYS: Final = (
    "arguments",
    "args",
    "input",
    "parameters",
    "params",
    "kwargs",
    "tool_input",
    "toolInput",
    "action_input",
)
RECORD_KEYS: Final = ("id", "turn", "group", "output", "error", "status", "start", "span_id", "type")
"""Fields with a meaning of their own; anything else that holds an object or array could be the arguments."""
EXPECTED_KEYS: Final = ("options", "optional", "count", "alternatives", "accepted")
"""Fields that only expected calls have."""

WRAPPER_WORDS: Final = frozenset(
    {
        *NAME_KEYS,
        *ARGUMENT_KEYS,
        *RECORD_KEYS,
        *EXPECTED_KEYS,
        *("functionCall", "function_call", "functionCalls", "function_calls", "functionResponse"),
        *("function_response", "toolUse", "tool_use", "toolResult", "tool_result", "tool_call", "toolCall"),
        *(
            "tool_calls",
            "toolCalls",
            "tool_uses",
            "tools",
            "calls",
            "actions",
            "inputs",
            "outputs",
            "message",
        ),
        *(
            "messages",
            "data",
            "content",
            "parts",
            "role",
            "result",
            "results",
            "response",
            "request",
            "choices",
        ),
        *("delta", "candidates", "events", "items", "item", "raw_item", "steps", "values", "span", "spans"),
        *(
            "attributes",
            "resourceSpans",
            "resource_spans",
            "payload",
            "body",
            "query",
            "text",
            "value",
            "kind",
        ),
        *("params", "method", "jsonrpc", "trace", "traces", "metadata", "model", "index", "step", "expected"),
        *(
            "actual",
            "tool_kwargs",
            "toolInvocation",
            "input_parameters",
            "inputParameters",
            "custom",
            "generations",
        ),
        *(
            "call_id",
            "toolCallId",
            "tool_call_id",
            "tool_calls_chunk",
            "tool_plan",
            "kwargs",
            "lc",
            "block",
            "blocks",
        ),
        *("usage", "state", "session", "chunk", "chunks", "snapshot", "finish_reason", "stop_reason"),
        *("messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop"),
        *("internalServerException", "modelStreamErrorException", "validationException"),
        *("throttlingException", "serviceUnavailableException"),
        *("tools_called", "expected_tools", "conversation", "simulations", "samples", "output_messages"),
    }
)
"""Field and wrapper words of known formats: never the name of a tool in the one-key form."""


def read_call(item: Mapping[str, Node], place: str, *, inner: Mapping[str, Node] | None = None) -> ToolCall:
    """A call with a name field and at most one arguments field.

    Args:
        item: the opened object.
        place: where it stands, for errors.
        inner: the object that holds name and arguments, where that is not `item` itself.

    Raises:
        CallError: no name, two names or argument fields that differ, or an unknown key that may hold the
            arguments.
    """
    body = item if inner is None else inner
    return ToolCall(name=_name(body, place), raw=_arguments(body, place), **_record_fields(item, place))


class Usual(Struct, kw_only=True, gc=False, forbid_unknown_fields=True):
    """What most calls look like; what has other fields, or kinds, is read with a closer look."""

    name: str
    arguments: Raw
    id: str | None = None
    type: Raw = _ABSENT
    turn: int | None = None
    group: str | None = None
    output: Raw = _ABSENT
    error: Raw = _ABSENT
    status: str | None = None
    start: float | None = None
    span_id: str | None = None


_decode_usual = Decoder(Usual).decode


def usual_fields(item: Node) -> Usual | None:
    """The fields of a call that is written as most are, in one go; None asks for :func:`read_call`."""
    try:
        call = _decode_usual(item) if type(item) is Raw else None
    except (MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return call if call is not None and call.name and call.name.isascii() else None


def usual_call(item: Node) -> ToolCall | None:
    """A call that is written as most are, in one go; None asks for :func:`read_call`."""
    call = usual_fields(item)
    return None if call is None else made_call(call)


def sure_call(item: Node) -> ToolCall | None:
    """A call that is written as most are and that no format but plain ones could claim; None says nothing.

    Several formats have items with an `output` or a `type`: theirs are an object, a list, or a known word.
    """
    try:
        call = _decode_usual(item) if type(item) is Raw else None
    except (MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if call is None or not is_untyped(call) or memoryview(call.output)[0] in _BRACKETS:
        return None
    # An error that is no text may be broken JSON, which is told where the call is read.
    return made_call(call) if memoryview(call.error)[0] in _SIMPLE else None


_BRACKETS: Final = frozenset(b"[{")
_SIMPLE: Final = frozenset(b'"n')


def is_untyped(call: Usual) -> bool:
    """Whether it says of itself no `type`, by which some formats tell their calls."""
    return call.type is _ABSENT


def made_call(call: Usual) -> ToolCall | None:
    """The call of an object that is written as most are; None where its name asks for a closer look."""
    if not call.name or not call.name.isascii():
        return None
    return ToolCall(
        name=call.name,
        raw=call.arguments,
        id=call.id,
        turn=call.turn,
        group=call.group,
        raw_output=None if call.output is _ABSENT else call.output,
        error=None if call.error is _ABSENT else plain(call.error),
        status=call.status,
        start=call.start,
        span_id=call.span_id,
    )


def _name(body: Mapping[str, Node], place: str) -> str:
    found: dict[str, str] = {}
    for key in NAME_KEYS:
        if key in body:
            value = opened(body[key])
            if isinstance(value, str) and value:
                found[key] = value
            elif value is not None and not isinstance(value, str):
                raise CallError(f"the name under {key!r} is {kind_of(value)}, not a text", field=place)
    if not found:
        raise CallError("a call without a name", field=place, hint=_seen(body))
    if len(set(found.values())) > 1:
        named = " and ".join(f"{key}={value!r}" for key, value in found.items())
        raise CallError(f"two names that differ: {named}", field=place)
    return checked_name(next(iter(found.values())), place)


def checked_name(name: Any, place: str) -> str:
    """A call's name, as it was written.

    Raises:
        CallError: there is none, or it is no text.
    """
    if type(name) is str and name and name.isascii():
        return name
    if name is None or name == "":
        raise CallError("a call without a name", field=place)
    if not isinstance(name, str):
        raise CallError(f"the name is {kind_of(name)}, not a text", field=place)
    if not name.isascii() and _half_character(name):
        raise CallError("the name holds a lone surrogate (half of a character)", field=place)
    return name


def _half_character(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _seen(body: Mapping[str, Node]) -> str:
    return f"its fields: {', '.join(map(repr, list(body)[:8])) or 'none'}"


def arguments_in(body: Mapping[str, Node], place: str) -> Arguments:
    """The arguments of a call whose own arguments field is missing, under another known name or none at all.

    Raises:
        CallError: two that differ, or an unknown key that may hold them.
    """
    return _arguments(body, place)


def _arguments(body: Mapping[str, Node], place: str) -> Arguments:
    found = [key for key in ARGUMENT_KEYS if key in body]
    if not found:
        _refuse_unknown(body, place)
        return NO_ARGUMENTS
    if "parameters" in body and _is_schema(opened(body["parameters"])):
        raise CallError(
            "the definition of a tool where a call should be",
            field=place,
            hint="its `parameters` are a JSON Schema; definitions belong into `tools`",
        )
    first = _raw(body[found[0]])
    for key in found[1:]:
        other = _raw(body[key])
        if not _same_arguments(first, other):
            raise CallError(f"two arguments fields that differ: {found[0]!r} and {key!r}", field=place)
    return first


def _raw(node: Node) -> Arguments:
    return node if isinstance(node, Raw) else Given(plain(node))


def _same_arguments(a: Arguments, b: Arguments) -> bool:
    if isinstance(a, Raw) and isinstance(b, Raw) and a == b:
        return True
    left, right = read_arguments(a), read_arguments(b)
    return left.value is not None and right.value is not None and same_value(left.value, right.value)


def _refuse_unknown(body: Mapping[str, Node], place: str) -> None:
    known = (*NAME_KEYS, *RECORD_KEYS)
    for key, node in body.items():
        if key not in known and _may_hold_arguments(opened(node)):
            near = nearest(key, ARGUMENT_KEYS)
            hint = f"nearest known key: {near}" if near else f"known keys: {', '.join(ARGUMENT_KEYS)}"
            message = f"unknown key {key} holds {kind_of(opened(node))}, and there is no arguments field"
            raise CallError(message, field=place, hint=hint)


def _may_hold_arguments(value: Any) -> bool:
    """An object or array, or the JSON text of an object."""
    return isinstance(value, (dict, list)) or (isinstance(value, str) and value.lstrip()[:1] == "{")


def _record_fields(item: Mapping[str, Node], place: str) -> dict[str, Any]:
    """Id, turn, group, output and so on, where they are recorded; odd kinds are an error with their place."""
    fields: dict[str, Any] = {}
    for key in ("id", "group", "status", "span_id"):
        value = opened(item[key]) if key in item else None
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, (str, int)):
                raise CallError(f"{key} is {kind_of(value)}, not a text", field=place)
            fields[key] = str(value)
    for key in ("turn", "start"):
        value = opened(item[key]) if key in item else None
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                if key == "start":
                    continue  # Times come in many forms; an unknown one is no reason to lose the call.
                raise CallError(f"{key} is {kind_of(value)}, not a number", field=place)
            fields[key] = value
    if "output" in item and not _is_null(item["output"]):
        fields["raw_output"] = item["output"]
    if "error" in item:
        fields["error"] = plain(item["error"])
    return fields


def _is_null(node: Node) -> bool:
    """Whether a node is null, told without opening it: an output may be long."""
    return node is None or (isinstance(node, Raw) and bytes(memoryview(node)[:4]) == b"null")


def _is_schema(value: Any) -> bool:
    """Whether a value is the JSON Schema of a tool's arguments, and not arguments itself."""
    if not isinstance(value, Mapping) or opened(value.get("type")) != "object":
        return False
    return isinstance(opened(value.get("properties")), Mapping)


def single_key_call(item: Mapping[str, Node], place: str) -> ToolCall | None:
    """A call written as ``{"tool": {..arguments..}}``; None when `item` does not have that form.

    Raises:
        CallError: the one key is a field or wrapper word of some known format.
    """
    if len(item) != 1:
        return None
    ((key, node),) = item.items()
    if key in WRAPPER_WORDS:
        raise CallError(
            f"an object whose only key is {key!r}, which is a field of other formats and not a tool",
            field=place,
            hint="name the format, or give the call as name and arguments",
        )
    value = opened(node)
    if isinstance(value, Mapping) and _holds_messages(value):
        raise CallError(
            f"an object whose only key is {key!r}, with messages under it: that is a wrapper and not a tool",
            field=place,
            hint="give the messages themselves",
        )
    if not key or not (isinstance(value, dict) or (isinstance(value, str) and value.lstrip()[:1] == "{")):
        return None
    return ToolCall(name=key, raw=_raw(node))


def _holds_messages(value: Mapping[str, Node]) -> bool:
    """Whether an object holds the messages of a conversation, as an update of a graph's state does."""
    messages = opened(value["messages"]) if "messages" in value else None
    first = opened(messages[0]) if isinstance(messages, list | tuple) and messages else None
    return isinstance(first, Mapping) and not {"role", "type", "lc"}.isdisjoint(first)
