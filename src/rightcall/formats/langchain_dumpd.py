"""langchain_dumpd: LangChain objects as its own serialization writes them, `{lc: 1, type: constructor, ...}`."""

from __future__ import annotations

from typing import Final

from msgspec import Raw, Struct

from ..core.nodes import opened
from ..core.reading.chat import under
from ..core.reading.format import MARKED, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.langchain import KINDS, Message, MessageReader, Opened
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
    id: list[str] | str | None = None
    kwargs: _Fields | None = None
    messages: list[Raw] | None = None


_HOLDERS: Final = frozenset({"ChatPromptValue", "ChatGeneration", "ChatGenerationChunk"})


class Reader(MessageReader):
    """See :class:`MessageReader`."""

    format = DECLARATION.id
    shape = Shape(_Item)

    def is_own(self, value: _Item) -> bool:
        """By its type."""
        name = value.id[-1] if isinstance(value.id, list) and value.id else ""
        return value.lc == 1 and value.messages is None and name in KINDS

    def told(self, value: _Item, place: str) -> Opened:
        """A message's fields are under `kwargs`.

        Raises:
            CallError: there are none.
        """
        if value.messages is not None:
            return Opened(messages=value.messages)
        where = under(place, "kwargs")
        if value.kwargs is None:
            raise CallError("an object without `kwargs`", field=place)
        if value.kwargs.messages is not None:
            return Opened(messages=value.kwargs.messages, field="kwargs.messages")
        if opened(value.kwargs.message) is not None:
            return self.open(value.kwargs.message, under(where, "message"))
        name = value.id[-1] if isinstance(value.id, list) and value.id else ""
        value.kwargs.type = name if name in KINDS else value.kwargs.type
        return Opened(message=value.kwargs, place=where)


def detect(glance: Glance) -> Evidence | None:
    """By `lc` and the class under `id`, of the item or of the first of its messages."""
    first = glance.at("messages", 0)
    message = Glance(first) if first is not None else glance
    if message.at("lc") != 1:
        return None
    name = message.at("id", -1)
    if isinstance(name, str) and (name in KINDS or name in _HOLDERS or name.startswith("ChatMessage")):
        return Evidence(MARKED, f"lc: 1 and the class {name}")
    return None
