"""Messages with `tool_calls`, as OpenAI writes them and many others after it: read once, for all of them.

A format file names itself and says how it is told; what differs between these formats differs in what is there
(ids, arguments as text or object, how a tool's answer refers to its call), and all of it is read here.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from msgspec import Raw, Struct

from ...errors import CallError, DataError
from ..nodes import Node, kind_of, opened, plain
from ..toolspec import read_tools
from ..types import ToolCall, Trace
from .callfields import ARGUMENT_KEYS, NAME_KEYS, read_call
from .conversation import Conversation, Conversations, text_of_parts
from .shapes import ABSENT, Shape

__all__ = ["ChatReader", "under"]

_SILENT_ROLES: Final = frozenset({"system", "developer"})
_USER_ROLES: Final = frozenset({"user", "human"})
_AGENT_ROLES: Final = frozenset({"assistant", "model", "ai", "chatbot"})
_TOOL_ROLES: Final = frozenset({"tool", "function", "ipython"})
_KNOWN_PARTS: Final = frozenset(
    {"text", "refusal", "input_text", "output_text", "image", "image_url", "input_image", "input_audio"}
    | {"audio", "video_url", "file", "input_file", "document", "document_url", "thinking", "reasoning"}
)


class _Function(Struct, kw_only=True, gc=False):
    name: str | None = None
    arguments: Raw = ABSENT


class _Entry(Struct, kw_only=True, gc=False):
    """An entry of `tool_calls`."""

    id: str | int | None = None
    type: str | None = None
    function: _Function | str | None = None
    custom: Raw = ABSENT


class _Item(Struct, kw_only=True, gc=False):
    """A message, or what holds messages: one shape, so that each item is decoded once."""

    role: str | None = None
    content: Raw = ABSENT
    refusal: str | None = None
    tool_calls: list[_Entry] | None = None
    function_call: _Function | str | None = None
    tool_call_id: str | int | None = None
    name: str | None = None
    tool_name: str | None = None
    messages: list[Raw] | None = None
    tools: Raw = ABSENT
    functions: Raw = ABSENT
    choices: list[Raw] | None = None
    message: Raw = ABSENT
    request: Raw = ABSENT
    response: Raw = ABSENT
    body: Raw = ABSENT
    id: str | int | None = None
    custom_id: str | None = None


class _Choice(Struct, kw_only=True, gc=False):
    message: Raw = ABSENT


class _Loose(Struct, kw_only=True, gc=False):
    """The entries of a message as they are, where they are no OpenAI entries."""

    tool_calls: list[Raw] = []


_item = Shape(_Item)
_choice = Shape(_Choice)
_loose = Shape(_Loose)


class ChatReader:
    """Reads messages, documents with messages, responses, and pairs of request and response.

    Attributes:
        format: id of the format that it reads.
    """

    format: ClassVar[str] = "openai_chat"

    def __init__(self) -> None:
        self._all = Conversations()

    def feed(self, item: Node, place: str) -> None:
        """Take one more item.

        Raises:
            CallError: something in it can't be read without guessing; the field says where.
        """
        self._item(item, place, None)

    def traces(self) -> list[Trace]:
        """Loose messages are one trace, each document is one of its own."""
        return self._all.traces(self.format)

    def _item(self, item: Node, place: str, into: Conversation | None) -> None:
        value = _item(item, place)
        if value.messages is not None:
            self._document(value, place)
        elif value.request is not ABSENT:
            self._pair(value, place)
        elif value.response is not ABSENT or value.body is not ABSENT:
            field = "body" if value.response is ABSENT else "response"
            into = into or self._all.document([item], id=value.custom_id)
            self._item(getattr(value, field), under(place, field), into)
        elif value.choices is not None or value.message is not ABSENT:
            self._response(value, item, place, into)
        elif value.role is None and value.tool_calls is None and value.function_call is None:
            self._bare(item, place, into or self._all.loose())
        else:
            self._message(value, item, place, into or self._all.loose())

    def _document(self, value: _Item, place: str) -> Conversation:
        messages = value.messages or []
        own = None if value.id is None else str(value.id)
        into = self._all.document(messages, id=value.custom_id or own)
        for field in ("tools", "functions"):
            offer(into, getattr(value, field), under(place, field))
        for index, message in enumerate(messages):
            where = f"{under(place, 'messages')}[{index}]"
            self._message(_item(message, where), message, where, into)
        if value.message is not ABSENT or value.choices is not None:
            self._response(value, ABSENT, place, into)
        return into

    def _pair(self, value: _Item, place: str) -> None:
        where = under(place, "request")
        request = _item(value.request, where)
        if request.messages is None:
            raise CallError("a request without messages", field=where)
        into = self._document(request, where)
        if opened(value.response) is not None:
            self._item(value.response, under(place, "response"), into)

    def _response(self, value: _Item, item: Node, place: str, into: Conversation | None) -> None:
        if value.choices is None:
            where, message = under(place, "message"), value.message
        else:
            where, message = f"{under(place, 'choices')}[0].message", ABSENT
            if value.choices:
                message = _choice(value.choices[0], f"{under(place, 'choices')}[0]").message
        own = None if value.id is None else str(value.id)
        into = into or self._all.document([item], id=own)
        if value.choices and len(value.choices) > 1:
            into.warn(
                f"{place}: {len(value.choices)} choices; only the first is read, the others did not happen"
            )
        if opened(message) is not None:
            self._message(_item(message, where), message, where, into)

    def _bare(self, item: Node, place: str, into: Conversation) -> None:
        fields = opened(item)
        if "tool_calls" in fields or "content" in fields:
            self._message(_item(item, place), item, place, into)
            return
        function = opened(fields["function"]) if "function" in fields else None
        if "function" in fields and function is None:
            raise CallError("a call without a name (its function is null)", field=place)
        inner = function if isinstance(function, dict) else None
        # In a plain list of calls an id merges nothing: it is no history.
        self._take(read_call(fields, place, inner=inner), place, into, merge=False)

    def _take(self, call: ToolCall, place: str, into: Conversation, *, merge: bool = True) -> None:
        into.call(
            call.name,
            call.raw,
            place=place,
            id=call.id,
            group=call.group,
            output=call.output,
            error=call.error,
            status=call.status,
            start=call.start,
            span_id=call.span_id,
            turn=call.turn,
            merge=merge,
        )

    def _message(self, value: _Item, item: Node, place: str, into: Conversation) -> None:
        role = "assistant" if value.role is None else value.role.lower()
        if role in _TOOL_ROLES:
            self._answer(value, place, into)
        elif role in _AGENT_ROLES:
            self._agent(value, item, place, into)
        elif role in _USER_ROLES or role in _SILENT_ROLES:
            if value.tool_calls:
                raise CallError(f"a message of role {role} with tool_calls", field=under(place, "tool_calls"))
            _check_parts(value.content, place)
            if role in _USER_ROLES:
                into.user(text_of_parts(value.content, place))
        else:
            raise CallError(f"a message of the unknown role {value.role!r}", field=place)

    def _answer(self, value: _Item, place: str, into: Conversation) -> None:
        name = value.tool_name or value.name
        into.answer(output_of(value.content), place=place, id=value.tool_call_id, name=name)

    def _agent(self, value: _Item, item: Node, place: str, into: Conversation) -> None:
        _check_parts(value.content, place)
        into.message()
        into.say(text_of_parts(value.content, place) or value.refusal or None)
        if value.tool_calls is None and value.function_call is None:
            _refuse_stray(item, place)
            return
        for index, entry in enumerate(value.tool_calls or ()):
            self._entry(entry, item, index, f"{under(place, 'tool_calls')}[{index}]", into)
        if value.function_call is not None:
            where = under(place, "function_call")
            if isinstance(value.function_call, str):
                raise CallError("function_call is a text, not an object", field=where)
            into.call(value.function_call.name, value.function_call.arguments, place=where)

    def _entry(self, entry: _Entry, item: Node, index: int, place: str, into: Conversation) -> None:
        function = entry.function
        if isinstance(function, _Function):
            into.call(function.name, function.arguments, place=place, id=entry.id)
        elif entry.custom is not ABSENT:
            custom_call(entry.custom, entry.id, place, into)
        else:
            fields = opened(_loose(item, place).tool_calls[index])
            kind = entry.type
            if not isinstance(fields, dict) or ("function" in fields and function is None):
                raise CallError("a call without a name (its function is null)", field=place)
            if kind not in (None, "function", "tool_call") and not any(key in fields for key in NAME_KEYS):
                into.warn(f"{place}: a tool call of the unknown kind {kind!r} was left out")
                return
            self._take(read_call(fields, place), place, into)


def under(place: str, field: str) -> str:
    """The place of a field of the item at `place`."""
    return f"{place}.{field}" if place else field


def offer(into: Conversation, tools: Node, place: str) -> None:
    """Take the tools that a recording says were offered; odd ones cost a warning, never the calls."""
    value = plain(tools)
    if value is None:
        return
    try:
        into.offer(read_tools([value] if isinstance(value, dict) else value, place))
    except DataError as error:
        into.warn(f"the offered tools were left out: {error}")


def output_of(content: Node) -> Node:
    """What a tool answered: a text, the joined texts of its parts, or the data of its one document."""
    value = opened(content)
    if not isinstance(value, list | tuple) or not value:
        return content
    parts = [opened(part) for part in value]
    texts = [opened(part["text"]) for part in parts if _is_text(part)]
    if len(texts) == len(parts):
        return "".join(texts)
    if len(parts) == 1 and isinstance(parts[0], dict) and "document" in parts[0]:
        document = opened(parts[0]["document"])
        if isinstance(document, dict) and "data" in document:
            return document["data"]
    return plain(content)


def custom_call(custom: Node, id: Any, place: str, into: Conversation) -> None:
    """A call of a custom tool, whose argument is one free text: it is read as the argument `input`."""
    value = plain(custom)
    if not isinstance(value, dict):
        raise CallError(f"custom is {kind_of(value)}, not an object", field=place)
    into.warn(f"{place}: a custom tool's free text is read as the argument 'input'")
    into.call(value.get("name"), {"input": value.get("input")}, place=place, id=id)


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and "text" in part and isinstance(opened(part["text"]), str)


def _check_parts(content: Node, place: str) -> None:
    """Content made of parts must be text; a part of another format could be a call that would be lost."""
    if isinstance(content, Raw) and bytes(memoryview(content)[:1]) != b"[":
        return
    parts = opened(content)
    if not isinstance(parts, list | tuple):
        return
    for index, part in enumerate(parts):
        value = opened(part)
        kind = opened(value["type"]) if isinstance(value, dict) and "type" in value else None
        if not isinstance(value, str) and kind not in _KNOWN_PARTS:
            seen = f"a part of type {kind!r}" if kind is not None else kind_of(value)
            raise CallError(
                f"{seen} in a message's content belongs to another format",
                field=f"{under(place, 'content')}[{index}]",
                hint="leave the format out to have it told",
            )


def _refuse_stray(item: Node, place: str) -> None:
    """A message that holds arguments beside its role is a call in a shape that nobody knows."""
    fields = opened(item)
    if not isinstance(fields, dict):
        return
    stray = next((key for key in ARGUMENT_KEYS if key in fields and opened(fields[key]) is not None), None)
    if stray is not None:
        error = f"a message that holds {stray!r} but no tool_calls"
        raise CallError(error, field=place, hint="give a call without a role, or a message with tool_calls")
