"""Spans by OpenTelemetry's conventions for generative AI, and the older forms that are still written.

Older: events `gen_ai.choice` and `gen_ai.user.message`, `gen_ai.prompt` and `gen_ai.completion` as JSON, and
OpenLLMetry's numbered attributes (`gen_ai.completion.0.tool_calls.0.name`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ...errors import CallError, DataError
from ..jsonvalue import InvalidJSONError, decode_loose
from ..nodes import Node, kind_of, opened, plain
from .callfields import arguments_in
from .chat import output_of
from .given import value_at
from .literals import arguments_of_text
from .shapes import ABSENT, Shape
from .spancalls import Recordings
from .spanparts import Asked, Done, Model, Recording, asked
from .spans import Span

__all__ = ["json_nodes", "offer_tools", "read_genai", "run_of"]

_WRAPPERS: Final = frozenset({"invoke_agent", "create_agent", "invoke_workflow", "plan"})
_NO_MODEL: Final = frozenset({"embeddings", "retrieval", "create_agent"})


class _Function(Struct, kw_only=True, gc=False):
    name: str | None = None
    arguments: Raw = ABSENT


class _Entry(Struct, kw_only=True, gc=False):
    """A call as older conventions write it: OpenAI's entry."""

    id: str | int | None = None
    function: _Function | None = None
    name: str | None = None
    arguments: Raw = ABSENT


class _Part(Struct, kw_only=True, gc=False):
    type: str | None = None
    content: Raw = ABSENT
    text: Raw = ABSENT
    id: str | int | None = None
    name: str | None = None
    arguments: Raw = ABSENT
    response: Raw = ABSENT
    result: Raw = ABSENT


class _Message(Struct, kw_only=True, gc=False):
    role: str | None = None
    parts: list[_Part] | None = None
    content: Raw = ABSENT
    tool_calls: list[_Entry] | None = None
    tool_call_id: str | int | None = None
    id: str | int | None = None
    name: str | None = None
    message: Raw = ABSENT


_message = Shape(_Message)
_decode_text = msgspec.json.Decoder(str).decode
_decode_messages = msgspec.json.Decoder(list[_Message]).decode


def read_genai(span: Span, into: Recording, all: Recordings) -> None:
    """Take what one span tells.

    Raises:
        CallError: a tool's run or a call without a name, or messages that are no JSON.
    """
    operation = span.text("gen_ai.operation.name")
    session = span.text("gen_ai.conversation.id")
    if session is not None:
        into.session = session
    if operation == "execute_tool" or (operation is None and _is_run(span)):
        into.done.append(_run(span))
    elif operation not in _NO_MODEL:
        offer_tools(span, "gen_ai.tool.definitions", into, all)
        start, end = span.start, span.end
        model = Model(
            when=None if start is None else (start, ""),
            ended=None if end is None else (end, ""),
            span_id=span.id,
            parent=span.parent,
            wrapper=operation in _WRAPPERS,
        )
        unnamed = len(into.unnamed)
        _read_inputs(span, model, into, all)
        _read_outputs(span, model, into)
        if model.users or model.messages or model.text is not None:
            into.tell(model, unnamed)


def _is_run(span: Span) -> bool:
    return "gen_ai.tool.name" in span.fields or span.name.startswith("execute_tool ")


def _run(span: Span) -> Done:
    name = span.text("gen_ai.tool.name")
    if name is None and span.name.startswith("execute_tool "):
        name = span.name.removeprefix("execute_tool ").strip()
    arguments = span.node("gen_ai.tool.call.arguments")
    output = span.answer("gen_ai.tool.call.result")
    return run_of(
        span,
        name,
        span.node("tool_arguments") if arguments is None else arguments,
        span.text("gen_ai.tool.call.id"),
        span.node("tool_response") if output is None else output,
    )


def run_of(span: Span, name: str | None, arguments: Node, id: str | None, output: Node) -> Done:
    """The run of a tool that a span tells of.

    Raises:
        CallError: it has no name.
    """
    raw: Any = arguments_of_text(arguments) if isinstance(arguments, str) else arguments
    checked = asked(name, raw, id, span.place)
    kind = span.text("error.type") if "error.type" in span.fields else None
    said, message = span.outcome()
    failed = said or kind is not None
    status = "error" if failed else ("ok" if said is False else None)
    start, end = span.start, span.end
    return Done(
        name=checked.name,
        raw=None if arguments is None else checked.raw,
        id=checked.id,
        when=None if start is None else (start, ""),
        place=span.place,
        span_id=span.id,
        parent=span.parent,
        ended=None if end is None else (end, ""),
        output=output if output is None or type(output) is Raw else plain(output),
        error=(message or kind or True) if failed else None,
        status=status,
    )


def offer_tools(span: Span, key: str, into: Recording, all: Recordings) -> None:
    """Take the tools that a span says were offered; odd ones cost a warning, never the calls."""
    node = span.fields.get(key)
    if node is None:
        return
    if not isinstance(node, dict | list | tuple) and node == all.offered[0]:
        into.offer(all.offered[1])
        return
    place = f"{span.place}.{key}"

    def value() -> Any:
        found = span.get(key)
        found = plain(decode_loose(found) if isinstance(found, str) else found)
        if isinstance(found, list | tuple):  # the Vercel AI SDK writes each tool as JSON text
            return [decode_loose(item) if isinstance(item, str) else item for item in found]
        return found

    try:
        found: Any = span.escaped(key)
        if found is None:
            found = span.get(key)
            found = found if isinstance(found, str) else repr(plain(found))
        tools = all.tools(found, value, place)
        all.offered = node, tools
        into.offer(tools)
    except (DataError, InvalidJSONError) as error:
        into.warnings.append(f"the offered tools were left out: {error}")


def json_nodes(value: Any, place: str) -> list[Node] | tuple[Node, ...]:
    """The items of a list that was recorded as JSON text or as it is; one object is a list of one.

    Raises:
        CallError: it is no JSON, or something else.
    """
    if isinstance(value, str):
        try:
            value = opened(Raw(value.encode()))
        except UnicodeEncodeError:
            value = _loose(value, place)
        except InvalidJSONError as error:
            raise CallError(f"not valid JSON: {error}", field=place) from None
    if value is None:
        return ()
    if isinstance(value, dict):
        return [value]
    if not isinstance(value, list | tuple):
        raise CallError(f"{kind_of(value)} where messages should be", field=place)
    return value


def _loose(text: str, place: str) -> Any:
    try:
        return decode_loose(text)
    except InvalidJSONError as error:
        raise CallError(f"not valid JSON: {error}", field=place) from None


def _messages(span: Span, key: str) -> Iterable[tuple[_Message, str]]:
    place = f"{span.place}.{key}"
    value = span.get(key)
    if type(value) is str:
        try:
            return [(message, f"{place}[{index}]") for index, message in enumerate(_decode_messages(value))]
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            pass  # one object, or broken: the slower way tells what is wrong, and where
    return _messages_slowly(value, place)


def _messages_slowly(value: Any, place: str) -> Iterator[tuple[_Message, str]]:
    for index, node in enumerate(json_nodes(value, place)):
        where = f"{place}[{index}]"
        yield _message(node, where), where


# What the model was told ------------------------------------------------------------------------------------------


def _read_inputs(span: Span, model: Model, into: Recording, all: Recordings) -> None:
    """Users' messages and tools' answers; what is broken here hides no call, so it costs a warning only."""
    text = span.escaped("gen_ai.input.messages")
    unnamed = len(into.unnamed)
    if text is not None and _read_rest(text, model, into, all):
        if len(into.unnamed) == unnamed:
            all.history.keep(into, text, model.users, ends_with_user=model.ends_with_user)
        return
    users: list[int] = []
    last_is_user = False
    try:
        for message, _ in _inputs(span):
            last_is_user = _told(message, users, into, all)
    except DataError as error:
        into.warnings.append(f"messages to the model were left out: {error}")
        text = None
    model.users = tuple(users)
    model.ends_with_user = last_is_user
    # Answers without an id are counted, so that none may be passed over; a list ends with its bracket.
    if text is not None and text[-1:] == b"]" and len(into.unnamed) == unnamed:
        all.history.keep(into, text, model.users, ends_with_user=model.ends_with_user)


def _read_rest(text: bytes, model: Model, into: Recording, all: Recordings) -> bool:
    """Read what a request tells beyond the one before it; False if that is not how it begins."""
    rest = all.history.rest(into, text)
    if not isinstance(rest, bytes):
        return False
    try:
        messages = _decode_messages(_decode_text(b'"%b"' % rest)) if rest else []
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return False
    if any(message.role == "tool" and message.parts is None for message in messages):
        return False
    users = list(all.history.users)
    model.ends_with_user = all.history.ends_with_user
    for message in messages:
        model.ends_with_user = _told(message, users, into, all)
    model.users = tuple(users)
    return True


def _told(message: _Message, users: list[int], into: Recording, all: Recordings) -> bool:
    """Take one message to the model; whether it is a user's."""
    role = (message.role or "").lower()
    says = message.parts is None
    for part in message.parts or ():
        if part.type == "tool_call_response":
            into.answer(part.id, part.name, part.result if part.response is ABSENT else part.response)
        else:
            says = True
    if role in ("user", "human") and says:
        users.append(all.number(_text(message)))
        return True
    if role in ("tool", "function") and message.parts is None and message.content is not ABSENT:
        own = message.id if message.tool_call_id is None else message.tool_call_id
        into.answer(own, message.name, output_of(message.content))
    return False


def _inputs(span: Span) -> Iterable[tuple[_Message, str]]:
    if "gen_ai.input.messages" in span.fields:
        return _messages(span, "gen_ai.input.messages")
    return _older_inputs(span)


def _older_inputs(span: Span) -> Iterator[tuple[_Message, str]]:
    fields = span.fields
    if "gen_ai.prompt" in fields:
        yield from _old_messages(span, "gen_ai.prompt", "user")
    elif "gen_ai.prompt.0.role" in fields or "gen_ai.prompt.0.content" in fields:
        yield from _numbered(span, "gen_ai.prompt.")
    else:
        for event in span.events():
            if event.name in _INPUT_EVENTS:
                message = _of_event(event)
                message.role = message.role or event.name.split(".")[1]
                yield message, event.place
            elif "gen_ai.input.messages" in event.fields:
                yield from _messages(event, "gen_ai.input.messages")
            elif "gen_ai.prompt" in event.fields:
                yield from _old_messages(event, "gen_ai.prompt", "user")


_INPUT_EVENTS: Final = frozenset(f"gen_ai.{role}.message" for role in ("user", "tool", "assistant", "system"))


# What the model said ----------------------------------------------------------------------------------------------


def _read_outputs(span: Span, model: Model, into: Recording) -> None:
    messages: list[tuple[Asked, ...]] = []
    for message, place in _outputs(span):
        calls = _calls(span, message, place, into)
        if calls:
            messages.append(tuple(calls))
        model.text = _text(message) or model.text
    model.messages = tuple(messages)


def _outputs(span: Span) -> Iterable[tuple[_Message, str]]:
    if "gen_ai.output.messages" in span.fields:
        return _messages(span, "gen_ai.output.messages")
    return _older_outputs(span)


def _older_outputs(span: Span) -> Iterator[tuple[_Message, str]]:
    fields = span.fields
    if "gen_ai.completion" in fields:
        yield from _old_messages(span, "gen_ai.completion", "assistant")
    elif any(key.startswith("gen_ai.completion.0.") for key in fields):
        yield from _numbered(span, "gen_ai.completion.")
    else:
        for event in span.events():
            if event.name == "gen_ai.choice":
                yield _of_event(event), event.place
            elif "gen_ai.output.messages" in event.fields:
                yield from _messages(event, "gen_ai.output.messages")
            elif "gen_ai.completion" in event.fields:
                yield from _old_messages(event, "gen_ai.completion", "assistant")


def _calls(span: Span, message: _Message, place: str, into: Recording) -> list[Asked]:
    found: list[Asked] = []
    for index, part in enumerate(message.parts or ()):
        if part.type == "tool_call":
            where = f"{place}.parts[{index}]"
            arguments = _given(span, where) if part.arguments is ABSENT else part.arguments
            found.append(asked(part.name, arguments, part.id, where))
        elif part.type not in _NO_CALLS and (part.type is not None or part.name is not None):
            where = f"{place}.parts[{index}]"
            into.warnings.append(f"{where}: a part of the unknown type {part.type!r} was left out")
    for index, entry in enumerate(message.tool_calls or ()):
        where = f"{place}.tool_calls[{index}]"
        function = entry.function or _Function(name=entry.name, arguments=entry.arguments)
        arguments = function.arguments
        if arguments is ABSENT:
            arguments = _given(span, where if entry.function is None else f"{where}.function")
        found.append(asked(function.name, arguments, entry.id, where))
    return found


def _given(span: Span, place: str) -> Any:
    """The arguments of a call that seems to have none: under another known name, or none at all.

    Raises:
        CallError: an unknown field may hold them.
    """
    for key in ("gen_ai.output.messages", "gen_ai.completion"):
        start = f"{span.place}.{key}"
        if key in span.fields and place.startswith(f"{start}["):
            fields = value_at((json_nodes(span.get(key), start), start), place)
            if isinstance(fields, dict):
                return arguments_in(fields, place)
    return ABSENT


_NO_CALLS: Final = frozenset(
    {
        "text",
        "reasoning",
        "thinking",
        "refusal",
        "tool_call_response",
        "blob",
        "file",
        "uri",
        "image",
        "image_url",
    }
    | {"audio", "video", "document"}
)
"""Types of parts that hold no call."""


def _text(message: _Message) -> str | None:
    if message.parts is None:
        return _joined(message.content)
    texts = [
        _joined(part.text if part.content is ABSENT else part.content)
        for part in message.parts
        if part.type in ("text", None)
    ]
    found = [text for text in texts if text]
    return "".join(found) if found else None


def _joined(content: Node) -> str | None:
    value = opened(content)
    if isinstance(value, list | tuple):
        value = output_of(value)
    return value if isinstance(value, str) and value else None


# Older forms ------------------------------------------------------------------------------------------------------


def _old_messages(span: Span, key: str, role: str) -> Iterator[tuple[_Message, str]]:
    """`gen_ai.prompt` and `gen_ai.completion`: JSON, or the bare text."""
    value = span.get(key)
    if isinstance(value, str) and value.lstrip()[:1] not in ("[", "{"):
        yield _Message(role=role, content=_raw_text(value)), f"{span.place}.{key}"
    else:
        yield from _messages(span, key)


def _raw_text(text: str) -> Any:
    return text  # a text is a node as well as its JSON is


def _of_event(event: Span) -> _Message:
    """An event's message: its attributes, or JSON under `message`, `gen_ai.event.content` or `content`."""
    for key in ("message", "gen_ai.event.content"):
        value = event.get(key)
        if value is not None:
            if isinstance(value, str) and value.lstrip()[:1] not in ("[", "{"):
                return _Message(content=_raw_text(value))
            nodes = json_nodes(value, f"{event.place}.{key}")
            message = _message(nodes[0], f"{event.place}.{key}") if nodes else _Message()
            return message if message.message is ABSENT else _message(message.message, event.place)
    fields = {key: event.get(key) for key in ("role", "content", "tool_calls", "id", "name")}
    calls = fields["tool_calls"]
    if calls is not None:
        fields["tool_calls"] = json_nodes(calls, f"{event.place}.tool_calls")
    return _message({key: plain(value) for key, value in fields.items() if value is not None}, event.place)


def _numbered(span: Span, prefix: str) -> Iterator[tuple[_Message, str]]:
    """OpenLLMetry's attributes: `<prefix>0.role`, `<prefix>0.tool_calls.0.name`."""
    found: dict[int, tuple[dict[str, Any], dict[int, dict[str, Any]]]] = {}
    for key in span.fields:
        if not key.startswith(prefix):
            continue
        number, _, field = key.removeprefix(prefix).partition(".")
        if not number.isdecimal() or len(number) > 9:
            continue
        message, calls = found.setdefault(int(number), ({}, {}))
        if field in ("role", "content", "tool_call_id", "name"):
            message[field] = span.get(key)
        elif field.startswith("tool_calls."):
            index, _, name = field.removeprefix("tool_calls.").partition(".")
            if index.isdecimal() and len(index) < 9 and name in ("id", "name", "arguments"):
                calls.setdefault(int(index), {})[name] = span.get(key)
    for place_of, (message, calls) in sorted(found.items()):
        place = f"{span.place}.{prefix}{place_of}"
        fields = {key: plain(value) for key, value in message.items() if value is not None}
        if calls:
            fields["tool_calls"] = [plain(call) for _, call in sorted(calls.items())]
        yield _message(fields, place), place
