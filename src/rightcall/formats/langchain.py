"""langchain: messages as LangChain's `messages_to_dict` writes them, `{type, data}`."""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

from ..core.nodes import Node, is_text_or_list
from ..core.reading.chat import there, under
from ..core.reading.format import MARKED, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.langchain import KINDS, Message, MessageReader, Opened, RawMessage
from ..core.reading.recording import Decoded, named
from ..core.reading.shapes import ABSENT, Shape
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="langchain",
    meaning="LangChain messages, as `messages_to_dict` and chat message histories write them",
    detected_by="a message with a `type` such as `ai` whose fields are under `data`",
    name_at="data.tool_calls[].name, or data.invalid_tool_calls[].name",
    arguments_at="data.tool_calls[].args: an object; data.invalid_tool_calls[].args: text that is not JSON",
    id_at="data.tool_calls[].id",
    result_at="the later message of type `tool` with that data.tool_call_id, with its data.status",
    group_at="the calls of one message",
    turn_at="messages of type `human`",
    cannot_carry="times, the offered tools",
    example='[{"type": "human", "data": {"content": "How is the weather in Oslo?"}}, {"type": "ai", "data": '
    '{"content": "", "tool_calls": [{"name": "get_weather", "args": {"city": "Oslo"}, "id": "c1"}]}}]',
    keys=frozenset({"data", "messages"}),
    source="langchain-core, messages",
)


class _Item(Struct, kw_only=True, gc=False):
    type: str | None = None
    data: Message | None = None
    messages: list[Raw] | None = None
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _RawItem(Struct, kw_only=True, gc=False):
    type: str | None = None
    data: RawMessage | None = None
    messages: Raw = ABSENT


class _Whole(Struct, kw_only=True, gc=False):
    messages: list[_RawItem]
    data: Raw = ABSENT
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class Reader(MessageReader):
    """See :class:`MessageReader`."""

    format = DECLARATION.id
    shape = Shape(_Item)
    raw = Shape(_RawItem)
    whole = Shape(_Whole)
    inner = "data"

    def is_own(self, value: _Item | _RawItem) -> bool:
        """By its type."""
        return (
            value.data is not None
            and (value.messages is None or value.messages is ABSENT)
            and value.type in KINDS
        )

    def told(self, value: _Item, place: str) -> Opened:
        """A message's fields are under `data`.

        Raises:
            CallError: there are none.
        """
        if value.messages is not None:
            return Opened(messages=value.messages, id=_id_of(value))
        if value.data is None:
            raise CallError("a message without `data`", field=place)
        message, said = self.within(value)
        return Opened(message=message, type=said, place=under(place, "data"))

    def told_whole(self, value: _Whole, item: Node) -> Opened:
        """A document, if it is not a message besides."""
        messages = Decoded(value.messages, item, "messages") if value.data is ABSENT else None
        return Opened(messages=messages, id=_id_of(value))

    def within(self, value: _Item | _RawItem) -> tuple[Any, str | None]:
        """A message, whose type stands beside it."""
        data, said = value.data, value.type
        assert data is not None  # noqa: S101 - so the caller saw
        return data, said if said in KINDS else data.type or said

    def is_message(self, value: _RawItem) -> bool:
        """By what it has and does not have."""
        data = value.data
        return data is not None and value.messages is ABSENT and is_text_or_list(data.content)

    def evidence(self, value: _RawItem) -> Evidence | None:
        """As `detect` gives it."""
        return _evidence(value.type) if value.data is not None and there(value.data.content) else None


def _id_of(value: _Item | _Whole) -> str | None:
    return named(value.case_id, value.custom_id, value.id)


def _evidence(kind: str | None) -> Evidence:
    return Evidence(MARKED, f"a message of type {kind!r} with `data`")


def detect(glance: Glance) -> Evidence | None:
    """By `type` and `data` of the item, or of the first of its messages."""
    first = glance.at("messages", 0)
    message = Glance(first) if first is not None else glance
    data = message.at("data")
    kind = message.at("type")
    if isinstance(kind, str) and (kind in KINDS or kind == "chat") and isinstance(data, dict):
        return _evidence(kind) if "content" in data else None
    return None
