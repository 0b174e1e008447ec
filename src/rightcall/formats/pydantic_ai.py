"""pydantic_ai: the message history of Pydantic AI: requests and responses made of parts."""

from __future__ import annotations

from typing import Final

from msgspec import Raw, Struct, field

from ..core.nodes import Node, opened, plain
from ..core.reading.chat import under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, Evidence, FormatDeclaration, Taken
from ..core.reading.given import given
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, list_of, named
from ..core.reading.shapes import ABSENT, Shape
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="pydantic_ai",
    meaning="Pydantic AI messages, as `all_messages` and `all_messages_json` give them, or a result that holds them",
    detected_by="a message of `kind` request or response with parts that have a `part_kind`",
    name_at="parts[].tool_name of a part `tool-call`, or `builtin-tool-call` for tools that the provider runs",
    arguments_at="parts[].args: an object, its JSON text, or null",
    id_at="parts[].tool_call_id",
    result_at="the part `tool-return` (content, outcome) or `retry-prompt` (an error) with that tool_call_id",
    group_at="the parts of one response",
    turn_at="requests with a part `user-prompt`",
    cannot_carry="the offered tools, start times",
    example='[{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Weather in Oslo?"}]}, {"kind": '
    '"response", "parts": [{"part_kind": "tool-call", "tool_name": "get_weather", "args": "{\\"city\\": \\"Oslo\\"}", '
    '"tool_call_id": "c1"}]}]',
    keys=frozenset({"parts", "messages", "message_history", "_state"}),
    source="ai.pydantic.dev, message history",
)

# Tools that the provider runs itself are called built-in, later native ones.
_CALLS: Final = frozenset({"tool-call", "builtin-tool-call", "native-tool-call"})
_RETURNS: Final = frozenset({"tool-return", "builtin-tool-return", "native-tool-return"})


_SAID: Final = frozenset({"text", "user-prompt", "system-prompt", "thinking", "file"})
"""Parts that are neither a call nor an answer."""
_EVIDENCE: Final = Evidence(MARKED, "parts with a part_kind")


class _Part(Struct, kw_only=True, gc=False):
    part_kind: str | None = None
    content: Raw = ABSENT
    tool_name: str | None = None
    args: Raw = ABSENT
    tool_call_id: str | None = None
    outcome: str | None = None


class _State(Struct, kw_only=True, gc=False):
    message_history: list[Raw] | None = None


class _Item(Struct, kw_only=True, gc=False):
    """A message, or what holds messages: one shape, so that each item is decoded once."""

    kind: str | None = None
    parts: list[_Part] | None = None
    conversation_id: str | None = None
    messages: list[Raw] | None = None
    message_history: list[Raw] | None = None
    # A result as an object: its method `all_messages` gives what it keeps here.
    state: _State | None = field(default=None, name="_state")


class _Held(_Item, kw_only=True, gc=False):
    """The same, with what may stand beside them only: items are many, and each field costs time."""

    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


_item = Shape(_Item)
_held = Shape(_Held)


class Reader(RecordingReader):
    """Loose messages are one trace, or one for each `conversation_id`; each document is one of its own."""

    format = DECLARATION.id

    def _read(self, item: Node, place: str) -> None:
        value = _held(item, place)
        name, messages = "messages", value.messages
        if messages is None:
            name, messages = "message_history", value.message_history
        if messages is None and value.state is not None:
            name, messages = "_state.message_history", value.state.message_history
        if messages is None:
            _message(value, place, self._all.loose().at(item, place))
            return
        own = named(value.case_id, value.custom_id, value.conversation_id, value.id)
        into = self._all.document(messages, id=own, thread=own is not None)
        for index, message in enumerate(messages):
            where = f"{under(place, name)}[{index}]"
            _message(_item(message, where), where, into.at(message, where))

    def _read_own(self, item: Node, place: str) -> bool:
        value = _item.attempt(item)
        if value is None or not _is_own(value):
            return False
        _message(value, place, self._all.loose().at(item, place))
        return True

    def take_list(self, items: Raw, place: str) -> Taken | None:
        """A history, where each message is surely one of these."""
        messages = list_of(_item, items, _is_own)
        if messages is None or messages[0].kind not in ("request", "response"):
            return None
        into = self._all.loose().at(items, place)
        for index, message in enumerate(messages):
            _message(message, f"{place}[{index}]", into)
        return Taken(len(messages), _EVIDENCE)


def _is_own(value: _Item) -> bool:
    parts = value.parts
    return value.kind is not None and bool(parts and parts[0].part_kind is not None)


def _message(value: _Item, place: str, into: Conversation) -> None:
    into.id = into.id or value.conversation_id
    parts = value.parts or []
    if value.kind == "response":
        into.message()
        texts = [opened(part.content) for part in parts if part.part_kind == "text"]
        into.say("".join([text for text in texts if isinstance(text, str)]) or None)
    elif value.kind == "request":
        prompts = [_prompt(part.content) for part in parts if part.part_kind == "user-prompt"]
        if prompts:
            into.user("\n".join([text for text in prompts if text]) or None)
    else:
        raise CallError(f"a message of the unknown kind {value.kind!r}", field=place)
    for index, part in enumerate(parts):
        if part.part_kind not in _SAID:
            _part(part, f"{place}.parts[{index}]".lstrip("."), into)


def _part(part: _Part, place: str, into: Conversation) -> None:
    kind = part.part_kind
    if kind in _CALLS:
        arguments = given(part.args, into, place, "provider_details")
        into.call(part.tool_name, arguments, place=place, id=part.tool_call_id)
    elif kind in _RETURNS:
        failed = part.outcome not in (None, "success")
        into.answer(
            part.content,
            place=place,
            id=part.tool_call_id,
            name=part.tool_name,
            error=plain(part.content) or part.outcome if failed else None,
            status=part.outcome,
        )
    elif kind == "retry-prompt" and part.tool_name is not None:
        error = plain(part.content)
        into.answer(None, place=place, id=part.tool_call_id, name=part.tool_name, error=error, status="error")
    elif kind != "retry-prompt":
        into.warn(f"{place}: a part of the unknown kind {kind!r} was left out")


def _prompt(content: Node) -> str | None:
    """The text of a prompt: a text, or a list of texts and other things."""
    value = opened(content)
    if not isinstance(value, list | tuple):
        return value if isinstance(value, str) else None
    texts = [
        opened(item["content"]) if isinstance(item, dict) and "content" in item else item
        for item in map(opened, value)
    ]
    return "".join(text for text in texts if isinstance(text, str)) or None


def detect(glance: Glance) -> Evidence | None:
    """By `kind` and a part's `part_kind`, of the item or of the first of its messages."""
    state = Glance(glance.at("_state")) if "_state" in glance.keys else glance
    first = glance.at("messages", 0) or state.at("message_history", 0)
    message = Glance(first) if first is not None else glance
    kind = message.at("kind")
    if kind not in ("request", "response") or not isinstance(message.at("parts"), list | tuple):
        return None
    if not message.at("parts"):
        return Evidence(MARKED, f"a {kind} with parts")
    return _EVIDENCE if "part_kind" in Glance(message.at("parts", 0)).keys else None
