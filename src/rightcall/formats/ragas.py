"""ragas: multi-turn samples of Ragas; the calls are those that the agent made in `user_input`."""

from __future__ import annotations

from msgspec import Raw, Struct

from ..core.nodes import Node, is_text_or_list
from ..core.reading.format import MARKED, SHAPED, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.langchain import KINDS, Message, MessageReader, Opened, RawMessage
from ..core.reading.recording import Decoded, named
from ..core.reading.shapes import ABSENT, Shape

DECLARATION = FormatDeclaration(
    id="ragas",
    meaning="a multi-turn sample of Ragas; its reference_tool_calls are expected calls and are not read here",
    detected_by="`user_input` is a list of messages of type human, ai or tool",
    name_at="user_input[].tool_calls[].name",
    arguments_at="user_input[].tool_calls[].args: an object",
    result_at="the next message of type `tool`, in order",
    group_at="the calls of one message",
    turn_at="messages of type `human`",
    cannot_carry="ids, times, the offered tools, whether a call failed",
    example='{"user_input": [{"type": "human", "content": "Weather in Oslo?"}, {"type": "ai", "content": "", '
    '"tool_calls": [{"name": "get_weather", "args": {"city": "Oslo"}}]}], "reference_tool_calls": []}',
    keys=frozenset({"user_input"}),
    source="docs.ragas.io, MultiTurnSample",
)


class _Item(Message, kw_only=True, gc=False):
    """A sample, or a message in it: one shape, so that each item is decoded once."""

    user_input: list[Raw] | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Whole(Struct, kw_only=True, gc=False):
    user_input: list[RawMessage]
    id: str | int | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class Reader(MessageReader):
    """See :class:`MessageReader`."""

    format = DECLARATION.id
    shape = Shape(_Item)
    raw = Shape(RawMessage)
    whole = Shape(_Whole)

    def is_own(self, value: _Item) -> bool:
        """Messages that stand alone are those of another format."""
        return False

    def begins(self, value: _Item) -> bool:
        """By its type."""
        return value.type in KINDS

    def told(self, value: _Item, place: str) -> Opened:
        """A sample's messages, or one of them."""
        if value.user_input is not None:
            return Opened(
                messages=value.user_input,
                field="user_input",
                id=named(value.case_id, value.custom_id, value.id),
            )
        return Opened(message=value, type=value.type, place=place)

    def told_whole(self, value: _Whole, item: Node) -> Opened:
        """A sample."""
        messages = Decoded(value.user_input, item, "user_input")
        return Opened(
            messages=messages, field="user_input", id=named(value.case_id, value.custom_id, value.id)
        )

    def is_message(self, value: RawMessage) -> bool:
        """By its content: a sample among messages has a field that none of them knows."""
        return is_text_or_list(value.content)


def detect(glance: Glance) -> Evidence | None:
    """By the type of the first message under `user_input`."""
    kind = glance.at("user_input", 0, "type")
    if not isinstance(kind, str) or kind not in KINDS:
        return None
    if "reference_tool_calls" in glance.keys:
        return Evidence(MARKED, "user_input with messages, and reference_tool_calls")
    return Evidence(SHAPED, "user_input with messages of a type")
