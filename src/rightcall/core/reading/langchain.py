"""LangChain's messages, however they were dumped: read once, for all formats that hold them.

A message tells its calls up to three times: `tool_calls`, what the provider sent under `additional_kwargs`, and
content blocks. The first that is there counts; the others repeat it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from msgspec import Raw, Struct

from ...errors import CallError
from ..nodes import Node, is_text, opened
from ..types import Trace
from .chat import output_of, there, under
from .conversation import Conversation, real_id, text_of_parts
from .format import Evidence, Taken
from .given import given, value_at
from .langchunks import Chunks, Streamed, is_chunk
from .recording import Decoded, RecordingReader, list_of, nodes_of, whole_of
from .shapes import ABSENT, Shape
from .strays import look_for_calls

__all__ = ["KINDS", "Message", "MessageReader", "Opened", "RawMessage"]

_HUMAN, _AI, _TOOL, _SILENT = "human", "ai", "tool", "silent"
KINDS: Final = {
    **dict.fromkeys(("human", "HumanMessage", "HumanMessageChunk"), _HUMAN),
    **dict.fromkeys(("ai", "AIMessage", "AIMessageChunk"), _AI),
    **dict.fromkeys(("tool", "ToolMessage", "ToolMessageChunk"), _TOOL),
    **dict.fromkeys(("function", "FunctionMessage", "FunctionMessageChunk"), _TOOL),
    **dict.fromkeys(("system", "SystemMessage", "SystemMessageChunk", "developer"), _SILENT),
    **dict.fromkeys(("remove", "RemoveMessage"), _SILENT),
}
"""What each type or class of message is."""
_ROLES: Final = KINDS | {"user": _HUMAN, "assistant": _AI, "model": _AI}
_SAME_CALL_KINDS: Final = frozenset({"tool_use", "tool_call", "function_call"})
"""Content blocks that hold a call which `tool_calls` holds too."""
_PROVIDER_CALL_KINDS: Final = frozenset({"server_tool_use", "mcp_tool_use", "server_tool_call", "mcp_call"})
"""Those of tools that the provider runs itself; `tool_calls` does not hold them."""


class _Function(Struct, kw_only=True, gc=False):
    name: str | None = None
    arguments: Raw = ABSENT


class _Entry(Struct, kw_only=True, gc=False):
    """An entry of `tool_calls` or `invalid_tool_calls`; with `function`, one as a provider sent it."""

    name: str | None = None
    args: Raw = ABSENT
    arguments: Raw = ABSENT
    input: Raw = ABSENT
    parameters: Raw = ABSENT
    params: Raw = ABSENT
    kwargs: Raw = ABSENT
    id: str | None = None
    error: Raw = ABSENT
    function: _Function | None = None


class _Plain(Struct, kw_only=True, gc=False, forbid_unknown_fields=True):
    """An entry with nothing but what LangChain itself writes; nearly all are so, and have less to be looked through."""

    name: str
    args: Raw
    id: str | None = None
    type: str | None = None


class _Extra(Struct, kw_only=True, gc=False):
    """`additional_kwargs`: what the provider sent."""

    tool_calls: list[_Entry] | None = None
    function_call: _Function | None = None


class _Block(Struct, kw_only=True, gc=False):
    """A content block that may hold a call."""

    type: str | None = None
    name: str | None = None
    id: str | None = None
    call_id: str | None = None
    input: Raw = ABSENT
    args: Raw = ABSENT
    arguments: Raw = ABSENT
    content: Raw = ABSENT
    output: Raw = ABSENT
    tool_use_id: str | None = None
    tool_call_id: str | None = None
    status: str | None = None


class _Fields(Streamed, kw_only=True, gc=False):
    type: str | None = None
    role: str | None = None
    name: str | None = None
    invalid_tool_calls: list[_Entry] | None = None
    additional_kwargs: Raw = ABSENT
    tool_call_id: str | None = None
    status: str | None = None


class Message(_Fields, kw_only=True, gc=False):
    """A message of any type."""

    content: str | list[Raw] | None = None
    tool_calls: list[_Entry] | None = None


class RawMessage(_Fields, kw_only=True, gc=False, forbid_unknown_fields=True):
    """A message whose text is not decoded, since nobody may ask for it.

    Its last fields are only known here so that any other can be looked at more closely, which might hold a call.
    """

    content: Raw = ABSENT
    tool_calls: list[_Plain] | None = None
    example: Raw = ABSENT
    usage_metadata: Raw = ABSENT
    artifact: Raw = ABSENT
    metadata: Raw = ABSENT


class Opened(Struct, kw_only=True, gc=False):
    """What an item is: a message, or a document with messages.

    Attributes:
        message: the message.
        place: where the message stands.
        type: what says of which type the message is.
        messages: the messages of a document, each still to be opened, or decoded in the reader's shape `raw`.
        field: the field of the document that holds them.
        id: the document's own id.
    """

    message: Message | None = None
    place: str = ""
    type: str | None = None
    messages: Sequence[Node] | Decoded | None = None
    field: str = "messages"
    id: str | None = None


_NOTHING: Final = Opened()
_extra = Shape(_Extra)
_block = Shape(_Block)


class MessageReader(RecordingReader):
    """Reads messages and documents with messages; a format says how it opens one item.

    Attributes:
        format: id of the format that it reads.
        shape: what an item looks like.
        raw: what an item looks like that is a message, its text not decoded.
        whole: what a document looks like, its messages in the shape `raw`.
        inner: the field of an item that holds the message; empty where the item is the message.
    """

    shape: ClassVar[Shape[Any]]
    raw: ClassVar[Shape[Any]]
    whole: ClassVar[Shape[Any]]
    inner: ClassVar[str] = ""

    def __init__(self) -> None:
        super().__init__()
        self._writer: _Writer | None = None

    def told(self, value: Any, place: str) -> Opened:
        """What an item in the format's shape is.

        Raises:
            CallError: it is neither a message nor a document with messages.
        """
        raise NotImplementedError

    def is_own(self, value: Any) -> bool:
        """Whether an item in the format's shape is a message, and surely one of this format."""
        raise NotImplementedError

    def open(self, item: Node, place: str) -> Opened:
        """What the item is.

        Raises:
            CallError: it is neither a message nor a document with messages.
        """
        return self.told(self.shape(item, place), place)

    def told_whole(self, value: Any, item: Node) -> Opened:
        """The document that an item in the shape `whole` is; without messages where it is none."""
        raise NotImplementedError

    def within(self, value: Any) -> tuple[Any, str | None]:
        """The message that an item in the shape `raw` holds, and what says of which type it is."""
        return value, value.type

    def is_message(self, value: Any) -> bool:
        """Whether an item in the shape `raw` holds nothing but one message, whose content is a text or blocks."""
        raise NotImplementedError

    def evidence(self, value: Any) -> Evidence | None:
        """What detection says of a message in the shape `raw` that is surely of this format."""
        return None

    def take_list(self, items: Raw, place: str) -> Taken | None:
        """The messages of a recording, if each is surely of this format."""
        values = list_of(self.raw, items, self.is_message)
        evidence = self.evidence(values[0]) if values and all(map(self.is_own, values)) else None
        if values is None or evidence is None:
            return None
        self._write(values, place, self._all.loose().at(items, place))
        return Taken(len(values), evidence)

    def _read_whole(self, item: Node, place: str) -> bool:
        """Read a document whose messages can be decoded in one go; False, and nothing read, if they can't."""
        value = whole_of(self.whole, item)
        found = _NOTHING if value is None else self.told_whole(value, item)
        values = found.messages.items if type(found.messages) is Decoded else None
        if not values or not self.begins(values[0]) or not all(map(self.is_message, values)):
            return False
        into = self.conversation(found)
        if into is not None:
            self._write(values, under(place, found.field), into.at(item, place))
        return True

    def _write(self, values: Sequence[Any], at: str, into: Conversation) -> None:
        add, inner = self._writing(into).add, f".{self.inner}" if self.inner else ""
        within = self.within
        for index, value in enumerate(values):
            message, said = within(value)
            add(message, said, f"{at}[{index}]{inner}")

    def _read_own(self, item: Node, place: str) -> bool:
        if self._read_whole(item, place):
            return True
        value = self.shape.attempt(item)
        if value is None:
            return False
        if not self.is_own(value):
            found = self._own_document(value, place)
            if found is not None:
                self._document(found, place)
            return found is not None
        found = self.told(value, place)
        if found.message is None:
            return False
        self._loose(found, found.message, item, place)
        return True

    def _own_document(self, value: Any, place: str) -> Opened | None:
        """The document that an item is, where its first message is surely of this format."""
        try:
            found = self.told(value, place)
        except CallError:
            return None
        messages = found.messages if isinstance(found.messages, list) else None
        first = self.shape.attempt(messages[0]) if messages else None
        return found if first is not None and self.begins(first) else None

    def begins(self, value: Any) -> bool:
        """Whether a document that begins with this message is surely of this format."""
        return self.is_own(value)

    def conversation(self, found: Opened) -> Conversation | None:
        """The conversation of a document; None leaves out what was read before."""
        return self._all.document(found.messages or (), id=found.id, thread=True)

    def _read(self, item: Node, place: str) -> None:
        found = self.open(item, place)
        if found.message is not None:
            self._loose(found, found.message, item, place)
            return
        self._document(found, place)

    def _document(self, found: Opened, place: str) -> None:
        into = self.conversation(found)
        if into is None:
            return
        writer = self._writing(into)
        at = under(place, found.field)
        for index, node in enumerate(nodes_of(found.messages or ())):
            where = f"{at}[{index}]"
            inner = self.told(self.shape(node, where), where)
            if inner.message is None:
                raise CallError("a list of messages where a message should be", field=where)
            into.at(node, where)
            writer.add(inner.message, inner.type, inner.place)

    def traces(self) -> list[Trace]:
        """Loose messages are one trace, each document is one of its own."""
        if self._writer is not None:
            self._writer.end()
        return super().traces()

    def _loose(self, found: Opened, message: Message, item: Node, place: str) -> None:
        self._writing(self._all.loose().at(item, place)).add(message, found.type, found.place)

    def _writing(self, into: Conversation) -> _Writer:
        if self._writer is None or self._writer.into is not into:
            if self._writer is not None:
                self._writer.end()
            self._writer = _Writer(into)
        return self._writer


class _Writer:
    """Puts messages into one conversation; the chunks of a streamed message are joined first."""

    def __init__(self, into: Conversation) -> None:
        self.into = into
        self._chunks = Chunks(into)

    def add(self, message: Message | RawMessage, said: str | None, place: str) -> None:
        """Take a message of the type that is `said`."""
        if message.tool_call_chunks is not None or not self._chunks.empty:
            if is_chunk(message, said) or (message.tool_call_chunks == [] and self._chunks.goes_on(message)):
                self._chunks.add(message, place)
                return
            self._chunks.end()
        kind = KINDS.get(said or "")
        if kind is None:
            kind = _ROLES.get((message.role or said or "").lower())
        if kind == _AI:
            self._agent(message, place)
        elif kind == _TOOL:
            content = message.content
            if not is_text(content):
                content = output_of(content) if there(content) else None
            self.into.answer(
                content,
                place=place,
                id=message.tool_call_id,
                name=message.name,
                status=message.status,
            )
        elif kind == _HUMAN:
            content = opened(message.content)
            self.into.user(content if type(content) is str else text_of_parts(content, place))
        elif kind is None:
            said = message.role if said in (None, "chat") else said
            raise CallError(f"a message of the unknown type {said!r}", field=place)

    def _agent(self, message: Message | RawMessage, place: str) -> None:
        into = self.into
        into.source(real_id(message.id))
        into.message()
        content = opened(message.content)
        into.say((content if type(content) is str else text_of_parts(content, place)) or None)
        known = False
        if message.tool_calls:
            known = True
            calls: Sequence[_Entry | _Plain] = message.tool_calls
            if len(calls) > 1:
                into.warn_of_twins([entry.id for entry in calls], place)
            for index, entry in enumerate(calls):
                _take(entry, f"{place}.tool_calls[{index}]" if place else f"tool_calls[{index}]", into)
        if message.invalid_tool_calls:
            known = True
            for index, entry in enumerate(message.invalid_tool_calls):
                _take(entry, f"{under(place, 'invalid_tool_calls')}[{index}]", into)
        if not known and message.additional_kwargs is not ABSENT and opened(message.additional_kwargs):
            known = _provider_calls(message.additional_kwargs, under(place, "additional_kwargs"), into)
        if content and type(content) is not str:
            _blocks(content, under(place, "content"), into, known=known)
        if not known and isinstance(message, Message):
            look_for_calls(value_at(into.origin, place), place, into)

    def end(self) -> None:
        """No more messages come: what chunks joined to is read."""
        self._chunks.end()


def _take(entry: _Entry | _Plain, place: str, into: Conversation) -> None:
    if isinstance(entry, _Plain):
        into.call(entry.name, entry.args, place=place, id=entry.id)
        return
    if entry.function is not None:
        arguments = given(entry.function.arguments, into, under(place, "function"))
        into.call(entry.function.name, arguments, place=place, id=entry.id)
        return
    error = None if entry.error is ABSENT else opened(entry.error)
    once = (
        entry.args
        is not entry.arguments
        is entry.input
        is entry.parameters
        is entry.params
        is entry.kwargs
        is ABSENT
    )
    arguments = entry.args if once else given(ABSENT, into, place, "extras")
    into.call(entry.name, arguments, place=place, id=entry.id, error=error)


def _provider_calls(node: Node, place: str, into: Conversation) -> bool:
    """Calls that older versions left where the provider put them; whether there are any."""
    extra = _extra(node, place)
    for index, entry in enumerate(extra.tool_calls or ()):
        _take(entry, f"{place}.tool_calls[{index}]", into)
    if extra.function_call is not None:
        call, where = extra.function_call, f"{place}.function_call"
        into.call(call.name, given(call.arguments, into, where), place=where)
    return bool(extra.tool_calls) or extra.function_call is not None


def _blocks(content: Iterable[Node], place: str, into: Conversation, *, known: bool) -> None:
    """Calls among content blocks: those of the message where they are told nowhere else."""
    for index, node in enumerate(content):
        if isinstance(opened(node), str):
            continue
        where = f"{place}[{index}]"
        block = _block(node, where)
        if block.type in _PROVIDER_CALL_KINDS or (block.type in _SAME_CALL_KINDS and not known):
            filled = (
                field for field in (block.args, block.input, block.arguments) if opened(field) is not None
            )
            arguments = next(filled, ABSENT)
            into.call(
                block.name,
                given(arguments, into, where, "extras", "caller"),
                place=where,
                id=block.call_id or block.id,
                output=None if block.output is ABSENT else block.output,
            )
        elif block.type is not None and block.type.endswith("tool_result"):
            answer = block.content if block.output is ABSENT else block.output
            own = block.tool_call_id or block.tool_use_id
            into.answer(output_of(answer), place=where, id=own, status=block.status)
