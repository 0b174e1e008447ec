"""langgraph: states with messages, and LangChain messages as they dump themselves, `{type, content, ...}`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw, Struct

from ..core.jsonvalue import same_value
from ..core.nodes import Node, is_text_or_list, opened, plain
from ..core.reading.chat import there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import SHAPED, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.langchain import KINDS, Message, MessageReader, Opened, RawMessage
from ..core.reading.recording import Decoded, named, nodes_of
from ..core.reading.shapes import ABSENT, Shape
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="langgraph",
    meaning="LangGraph states, and LangChain messages as `model_dump` writes them",
    detected_by="messages with a `type` of human, ai or tool and their `content` beside it, alone, under `messages` "
    "or under `values.messages`",
    name_at="tool_calls[].name, or invalid_tool_calls[].name",
    arguments_at="tool_calls[].args: an object; invalid_tool_calls[].args: text that is not JSON",
    id_at="tool_calls[].id",
    result_at="the later message of type `tool` with that tool_call_id, with its status",
    group_at="the calls of one message",
    turn_at="messages of type `human`",
    cannot_carry="times, the offered tools",
    example='{"values": {"messages": [{"type": "human", "content": "How is the weather in Oslo?"}, {"type": "ai", '
    '"content": "", "tool_calls": [{"name": "get_weather", "args": {"city": "Oslo"}, "id": "c1"}]}]}}',
    keys=frozenset({"type", "messages", "values", "channel_values"}),
    source="LangGraph, state of a thread; langchain-core, messages",
)


class _Thread(Struct, kw_only=True, gc=False):
    thread_id: str | None = None


class _Config(Struct, kw_only=True, gc=False):
    configurable: _Thread | None = None


class _State(Struct, kw_only=True, gc=False):
    messages: list[Raw] | None = None


class _Item(Message, kw_only=True, gc=False):
    """A message, or a state: one shape, so that each item is decoded once."""

    data: Raw = ABSENT
    messages: list[Raw] | None = None
    values: _State | None = None
    channel_values: _State | None = None
    config: _Config | None = None
    checkpoint: _Thread | None = None
    thread_id: str | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _RawItem(RawMessage, kw_only=True, gc=False):
    """The same, for a message whose text is not decoded."""

    data: Raw = ABSENT
    messages: list[Raw] | None = None
    values: _State | None = None
    channel_values: _State | None = None
    config: _Config | None = None
    checkpoint: _Thread | None = None
    thread_id: str | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _RawState(Struct, kw_only=True, gc=False):
    messages: list[_RawItem] | None = None


class _Whole(Struct, kw_only=True, gc=False):
    type: Raw = ABSENT
    messages: list[_RawItem] | None = None
    values: _RawState | None = None
    channel_values: _RawState | None = None
    config: _Config | None = None
    checkpoint: _Thread | None = None
    thread_id: str | None = None
    id: str | int | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class Reader(MessageReader):
    """Reads flat messages and states; a thread's earlier states tell nothing new."""

    format = DECLARATION.id
    shape = Shape(_Item)
    raw = Shape(_RawItem)
    whole = Shape(_Whole)

    def __init__(self) -> None:
        super().__init__()
        self._last = Opened()

    def is_own(self, value: _Item | _RawItem) -> bool:
        """By its type."""
        return value.type in KINDS and value.role is None and there(value.content) and value.data is ABSENT

    def told(self, value: _Item, place: str) -> Opened:
        """A message as it is, or the messages of a state.

        Raises:
            CallError: a state without messages.
        """
        if value.messages is not None:
            return Opened(messages=value.messages, id=_id_of(value))
        for field in ("values", "channel_values"):
            state: _State | None = getattr(value, field)
            if state is not None:
                if state.messages is None:
                    raise CallError("a state without messages", field=under(place, field))
                return Opened(messages=state.messages, field=f"{field}.messages", id=_id_of(value))
        return Opened(message=value, type=value.type, place=place)

    def told_whole(self, value: _Whole, item: Node) -> Opened:
        """A state, if it is not a message besides."""
        held, field = value.messages, "messages"
        if held is None and value.values is not None:
            held, field = value.values.messages, "values.messages"
        elif held is None and value.channel_values is not None:
            held, field = value.channel_values.messages, "channel_values.messages"
        if held is None or value.type is not ABSENT:
            return Opened()
        return Opened(messages=Decoded(held, item, field), field=field, id=_id_of(value))

    def is_message(self, value: _RawItem) -> bool:
        """By what it does not have."""
        if value.messages is not None or value.values is not None or value.channel_values is not None:
            return False
        return value.data is ABSENT and is_text_or_list(value.content)

    def evidence(self, value: _RawItem) -> Evidence | None:
        """As `detect` gives it."""
        return _evidence(value.type)

    def conversation(self, found: Opened) -> Conversation | None:
        """A state that the one before holds whole is left out: histories of states come latest first."""
        if found.id == self._last.id and not _part(found.messages, self._last.messages):
            now, before = nodes_of(found.messages or ()), nodes_of(self._last.messages or ())
            # Messages that carry ids of their own can't be alike by chance.
            if now and len(now) <= len(before) and _told(now[0]) and _begins(now, before):
                return None
        self._last = found
        return super().conversation(found)


def _part(found: Sequence[Node] | Decoded | None, last: Sequence[Node] | Decoded | None) -> bool:
    """Whether messages surely differ from those before, or have no ids; False asks for a closer look."""
    if type(found) is not Decoded or type(last) is not Decoded:
        return False
    now, before = found.items, last.items
    if not now or not before:
        return False
    if now[0].id is None or len(now) > len(before):
        return True
    for mine, other in zip(now, before, strict=False):
        if mine.content != other.content:
            texts = opened(mine.content), opened(other.content)
            return type(texts[0]) is type(texts[1]) is str and texts[0] != texts[1]
    return False


def _thread(value: _Item | _Whole) -> str | None:
    for holder in (value, value.checkpoint, value.config.configurable if value.config else None):
        if holder is not None and holder.thread_id is not None:
            return holder.thread_id
    return None


def _id_of(value: _Item | _Whole) -> str | None:
    """The id that stands beside a state, or its thread's; the `id` of a checkpoint is that of one state of many."""
    own = value.id if value.channel_values is None else None
    return named(value.case_id, value.custom_id, _thread(value), own)


def _begins(now: Sequence[Node], before: Sequence[Node]) -> bool:
    return all(_same(a, b) for a, b in zip(now, before, strict=False))


def _same(a: Node, b: Node) -> bool:
    if type(a) is Raw and type(b) is Raw and a == b:
        return True
    return same_value(plain(a), plain(b))


def _told(message: Node) -> bool:
    fields = opened(message)
    return isinstance(fields, dict) and opened(fields.get("id")) is not None


def detect(glance: Glance) -> Evidence | None:
    """By the `type` of the item, or of the first of its messages, and the `content` beside it."""
    for path in (("messages",), ("values", "messages"), ("channel_values", "messages")):
        if path[0] in glance.keys:
            first = glance.at(*path, 0)
            return _is_flat(Glance(first)) if first is not None else None
    return _is_flat(glance)


def _is_flat(message: Glance) -> Evidence | None:
    kind = message.at("type")
    if not isinstance(kind, str) or not (kind in KINDS or kind == "chat") or "content" not in message.keys:
        return None
    if "role" in message.keys and kind != "chat":
        return None
    return _evidence(kind)


def _evidence(kind: str | None) -> Evidence:
    return Evidence(SHAPED, f"a message of type {kind!r} with its content beside it")
