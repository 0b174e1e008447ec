"""langchain_dumpd: LangChain objects as its own serialization writes them, `{lc: 1, type: constructor, ...}`."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw, Struct

from ..core.nodes import Node, is_text_or_list, opened
from ..core.reading.chat import under
from ..core.reading.format import MARKED, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.langchain import KINDS, Message, MessageReader, Opened, RawMessage
from ..core.reading.recording import Decoded, named
from ..core.reading.shapes import ABSENT, Shape
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="langchain_dumpd",
    meaning="LangChain messages, prompts and generations, as `dumpd` and `dumps` write them",
    detected_by="`lc` is 1, and the last word of `id` is a class of message",
    name_at="kwargs.tool_calls[].name, or kwargs.invalid_tool_calls[].name",
    arguments_at="kwargs.tool_calls[].args: an object; kwargs.invalid_tool_calls[].args: text that is not JSON",
    id_at="kwargs.tool_calls[].id",
    result_at="the later `ToolMessage` with that kwargs.tool_call_id, with its kwargs.status",
    group_at="the calls of one message",
    turn_at="`HumanMessage`",
    cannot_carry="times, the offered tools",
    example='[{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], '
    '"kwargs": {"content": "", "tool_calls": [{"name": "get_weather", "args": {"city": "Oslo"}, "id": "c1"}]}}]',
    keys=frozenset({"lc", "messages"}),
    source="langchain-core, load",
)


class _Fields(Message, kw_only=True, gc=False):
    """The fields of a message, or of what holds one or several."""

    message: Raw = ABSENT
    messages: list[Raw] | None = None


class _Item(Struct, kw_only=True, gc=False):
    lc: int | None = None
    id: list[str] | str | int | None = None
    kwargs: _Fields | None = None
    messages: list[Raw] | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _RawFields(RawMessage, kw_only=True, gc=False):
    message: Raw = ABSENT
    messages: Raw = ABSENT


class _RawItem(Struct, kw_only=True, gc=False):
    lc: int | None = None
    id: list[str] | str | None = None
    kwargs: _RawFields | None = None
    messages: Raw = ABSENT


class _Whole(Struct, kw_only=True, gc=False):
    messages: list[_RawItem]
    lc: Raw = ABSENT
    id: list[str] | str | int | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


_HOLDERS: Final = frozenset({"ChatPromptValue", "ChatGeneration", "ChatGenerationChunk"})


class Reader(MessageReader):
    """See :class:`MessageReader`."""

    format = DECLARATION.id
    shape = Shape(_Item)
    raw = Shape(_RawItem)
    whole = Shape(_Whole)
    inner = "kwargs"

    def is_own(self, value: _Item | _RawItem) -> bool:
        """By its type."""
        alone = value.messages is None or value.messages is ABSENT
        return value.lc == 1 and alone and _class_of(value) in KINDS

    def told(self, value: _Item, place: str) -> Opened:
        """A message's fields are under `kwargs`.

        Raises:
            CallError: there are none.
        """
        if value.messages is not None:
            return Opened(messages=value.messages, id=_id_of(value))
        where = under(place, "kwargs")
        if value.kwargs is None:
            raise CallError("an object without `kwargs`", field=place)
        if value.kwargs.messages is not None:
            return Opened(messages=value.kwargs.messages, field="kwargs.messages")
        if opened(value.kwargs.message) is not None:
            return self.open(value.kwargs.message, under(where, "message"))
        message, said = self.within(value)
        return Opened(message=message, type=said, place=where)

    def told_whole(self, value: _Whole, item: Node) -> Opened:
        """A list of messages in an object, if it is not dumped itself."""
        messages = Decoded(value.messages, item, "messages") if value.lc is ABSENT else None
        return Opened(messages=messages, id=_id_of(value))

    def within(self, value: _Item | _RawItem) -> tuple[Any, str | None]:
        """The fields of a message, whose class tells its type."""
        fields, name = value.kwargs, _class_of(value)
        assert fields is not None  # noqa: S101 - so the caller saw
        return fields, name if name in KINDS else fields.type

    def is_message(self, value: _RawItem) -> bool:
        """By what it has and does not have."""
        fields = value.kwargs
        if fields is None or not value.messages is fields.message is fields.messages is ABSENT:
            return False
        return is_text_or_list(fields.content)

    def evidence(self, value: _RawItem) -> Evidence | None:
        """As `detect` gives it."""
        return _evidence(_class_of(value))


def _class_of(value: _Item | _RawItem) -> str:
    return value.id[-1] if isinstance(value.id, list) and value.id else ""


def _id_of(value: _Item | _Whole) -> str | None:
    """What stands beside the messages; the `id` of what was dumped itself is its class."""
    return named(value.case_id, value.custom_id, value.id)


def _evidence(name: str) -> Evidence:
    return Evidence(MARKED, f"lc: 1 and the class {name}")


def detect(glance: Glance) -> Evidence | None:
    """By `lc` and the class under `id`, of the item or of the first of its messages."""
    first = glance.at("messages", 0)
    message = Glance(first) if first is not None else glance
    if message.at("lc") != 1:
        return None
    name = message.at("id", -1)
    if isinstance(name, str) and (name in KINDS or name in _HOLDERS or name.startswith("ChatMessage")):
        return _evidence(name)
    return None
