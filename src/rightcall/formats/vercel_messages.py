"""vercel_messages: model messages of the Vercel AI SDK, with parts `tool-call` and `tool-result` as content."""

from __future__ import annotations

from msgspec import Raw, Struct

from ..core.nodes import Node
from ..core.reading.chat import under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.recording import Decoded, RecordingReader, named, whole_of
from ..core.reading.shapes import ABSENT, Shape
from ..core.reading.vercel import Part, calls_of, texts_of
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="vercel_messages",
    meaning="model messages of the Vercel AI SDK (in version 4: core messages)",
    detected_by="a message with a part of type `tool-call` or `tool-result` that has a `toolCallId`",
    name_at="content[].toolName of a part `tool-call`",
    arguments_at="content[].input (version 4: args): any JSON value",
    id_at="content[].toolCallId",
    result_at="the part `tool-result` with that toolCallId: output.value, an error by output.type; version 4: result",
    group_at="the parts of one message",
    turn_at="messages of role `user`",
    cannot_carry="times, the offered tools",
    example='[{"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "get_weather", '
    '"input": {"city": "Oslo"}}]}, {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c1", '
    '"toolName": "get_weather", "output": {"type": "json", "value": {"celsius": 4}}}]}]',
    keys=frozenset({"role", "messages"}),
    source="ai-sdk.dev, ModelMessage",
)


class _Item(Struct, kw_only=True, gc=False):
    """A message, or an object with messages: one shape, so that each item is decoded once."""

    role: str | None = None
    content: str | list[Part] | None = None
    messages: list[Raw] | None = None
    id: str | int | None = None
    # Fields of other formats' messages: what has one is not taken without a look at these.
    type: Raw = ABSENT
    tool_calls: Raw = ABSENT
    function_call: Raw = ABSENT
    parts: Raw = ABSENT
    blocks: Raw = ABSENT


class _Held(_Item, kw_only=True, gc=False):
    """The same, with what may stand beside the messages only: items are many, and each field costs time."""

    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Whole(_Held, kw_only=True, gc=False):
    """An object whose messages are decoded with it."""

    messages: list[_Item]  # type: ignore[assignment]


_item = Shape(_Held)
_whole = Shape(_Whole)


class Reader(RecordingReader):
    """Loose messages are one trace, each document is one of its own."""

    format = DECLARATION.id

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        if value.messages is None:
            _message(value, place, self._all.loose().at(item, place))
            return
        into = self._all.document(value.messages, id=named(value.case_id, value.custom_id, value.id))
        at = under(place, "messages")
        for index, node in enumerate(value.messages):
            where = f"{at}[{index}]"
            _message(_item(node, where), where, into.at(node, where))

    def _read_whole(self, item: Node, place: str) -> bool:
        """Read an object whose messages are all surely of this format."""
        value = whole_of(_whole, item)
        if value is None or value.role is not None or not all(map(_is_own, value.messages)):
            return False
        if not any(map(_has_call, value.messages)):
            return False
        into = self._all.document(
            Decoded(value.messages, item, "messages"), id=named(value.case_id, value.custom_id, value.id)
        ).at(item, place)
        at = under(place, "messages")
        for index, message in enumerate(value.messages):
            _message(message, f"{at}[{index}]", into)
        return True

    def _read_own(self, item: Node, place: str) -> bool:
        value = _item.attempt(item) if self._all.loosely else None
        if value is None or value.messages is not None:
            return self._read_whole(item, place)
        if not _is_own(value):
            return False
        _message(value, place, self._all.loose().at(item, place))
        return True


def _message(value: _Item, place: str, into: Conversation) -> None:
    content, role = value.content, value.role
    parts = content if type(content) is list else []
    if role == "user":
        into.user(texts_of(parts) if parts else _text_of(content))
    elif role == "assistant":
        into.message()
        into.say((texts_of(parts) if parts else _text_of(content)) or None)
    elif role not in ("tool", "system"):
        raise CallError(f"a message of the unknown role {role!r}", field=place)
    if parts:
        calls_of(parts, under(place, "content"), into, wrapped=True)


def _text_of(content: str | list[Part] | None) -> str | None:
    return content if type(content) is str else None


def _is_own(value: _Item) -> bool:
    if not (value.type is value.tool_calls is value.function_call is value.parts is value.blocks is ABSENT):
        return False
    if value.messages is not None or value.role is None:
        return False
    if isinstance(value.content, str):
        return value.role != "tool" and (value.role != "assistant" or _is_prose(value.content))
    for part in value.content or ():
        if part.tool_call_id is None and (part.type != "text" or not _is_prose(part.text or "")):
            return False
    return bool(value.content)


def _has_call(value: _Item) -> bool:
    content = value.content
    return isinstance(content, list) and any([part.tool_call_id is not None for part in content])  # noqa: C419


def _is_prose(text: str) -> bool:
    """Whether an agent's text surely holds no call in a text style."""
    return not ("<" in text or "[TOOL" in text or "Action:" in text)


def detect(glance: Glance) -> Evidence | None:
    """By the first part that is a tool's; a message without one would do."""
    content = glance.telling.get("content")
    if isinstance(content, list | tuple):
        for part in map(Glance, content):
            if part.at("type") in ("tool-call", "tool-result") and "toolCallId" in part.keys:
                return Evidence(MARKED, f"a part {part.at('type')!r} with toolCallId")
    if not glance.telling and glance.at("role") in ("system", "user", "assistant"):
        return Evidence(WOULD_DO, "a message with a role")
    return None
