"""llamaindex: LlamaIndex's chat messages with `blocks`, and the tool events of its workflows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Raw, Struct

from ..core.nodes import Node, is_text, opened
from ..core.reading.chat import there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHAPED, WOULD_DO, Evidence, FormatDeclaration, Taken
from ..core.reading.given import given
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, list_of, named
from ..core.reading.shapes import ABSENT, Shape
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="llamaindex",
    meaning="LlamaIndex chat messages, chat stores, and events of agent workflows",
    detected_by="`blocks` with a `block_type`, or an event with `tool_kwargs`",
    name_at="blocks[].tool_name, or the event's tool_name; older: additional_kwargs.tool_calls[].function.name",
    arguments_at="blocks[].tool_kwargs or the event's tool_kwargs: an object or its JSON text",
    id_at="blocks[].tool_call_id; the event's tool_id",
    result_at="the message of role `tool` with that additional_kwargs.tool_call_id; the event's tool_output",
    group_at="the blocks of one message",
    turn_at="messages of role `user`",
    cannot_carry="times, the offered tools",
    example='[{"role": "user", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": "Weather in Oslo?"}]}'
    ', {"role": "assistant", "additional_kwargs": {}, "blocks": [{"block_type": "tool_call", "tool_call_id": "c1", '
    '"tool_name": "get_weather", "tool_kwargs": {"city": "Oslo"}}]}]',
    keys=frozenset(
        {
            "role",
            "messages",
            "chat_messages",
            "workflow_events",
            "store",
            "tool_kwargs",
            "response",
            "message",
        }
    ),
    source="llama-index-core, ChatMessage and agent workflow events",
)


class _AnyBlock(Struct, kw_only=True, gc=False):
    block_type: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    tool_kwargs: Raw = ABSENT


class _Block(_AnyBlock, kw_only=True, gc=False):
    text: str | None = None


class _Function(Struct, kw_only=True, gc=False):
    name: str | None = None
    arguments: Raw = ABSENT


class _Sent(Struct, kw_only=True, gc=False):
    """A call as a provider sent it."""

    id: str | None = None
    function: _Function | None = None
    name: str | None = None
    input: Raw = ABSENT


class _Extra(Struct, kw_only=True, gc=False):
    tool_calls: list[_Sent] | None = None
    tool_call_id: str | None = None
    name: str | None = None


class _Called(Struct, kw_only=True, gc=False):
    tool_name: str | None = None
    tool_kwargs: Raw = ABSENT
    tool_id: str | None = None


class _InStep(_Called, kw_only=True, gc=False):
    tool_output: Raw = ABSENT


class _Output(Struct, kw_only=True, gc=False):
    raw_output: Raw = ABSENT
    content: str | None = None
    blocks: list[_Block] | None = None
    is_error: bool | None = None


class _Item(_Called, kw_only=True, gc=False):
    """A message, an event, or what holds them: one shape, so that each item is decoded once."""

    role: str | None = None
    content: Raw = ABSENT
    blocks: list[_Block] | None = None
    additional_kwargs: _Extra | None = None
    tool_output: _Output | None = None
    tool_calls: list[_InStep] | None = None
    response: Raw = ABSENT
    message: Raw = ABSENT
    messages: list[Raw] | None = None
    chat_messages: list[Raw] | None = None
    workflow_events: list[Raw] | None = None
    store: dict[str, list[Raw]] | None = None
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _RawBlock(_AnyBlock, kw_only=True, gc=False):
    text: Raw = ABSENT


class _RawMessage(Struct, kw_only=True, gc=False):
    """A message with blocks whose texts are not decoded, and the fields that would make something else of it."""

    role: str | None = None
    content: Raw = ABSENT
    blocks: list[_RawBlock] | None = None
    additional_kwargs: _Extra | None = None
    tool_name: Raw = ABSENT
    tool_kwargs: Raw = ABSENT
    tool_calls: Raw = ABSENT
    response: Raw = ABSENT
    message: Raw = ABSENT
    messages: Raw = ABSENT
    chat_messages: Raw = ABSENT
    workflow_events: Raw = ABSENT
    store: Raw = ABSENT


_item = Shape(_Item)
_raw = Shape(_RawMessage)
_BY_BLOCKS: Final = Evidence(MARKED, "blocks with a block_type")
_NO_EXTRA: Final = _Extra()


class Reader(RecordingReader):
    """Loose messages and events are one trace, each list of messages in a document is one of its own."""

    format = DECLARATION.id

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        into: Conversation | None = None
        for field, messages, key in _lists(value):
            where = under(place, field)
            again = field == "workflow_events" and into is not None
            if into is None or not again:
                into = self._all.document(messages, id=key, thread=True)
            else:
                into.again()
            for index, node in enumerate(messages):
                inner = f"{where}[{index}]"
                _one(_item(node, inner), inner, into.at(node, inner), again=again)
        if into is None and value.store is None:
            _one(value, place, self._all.loose().at(item, place))

    def _read_own(self, item: Node, place: str) -> bool:
        value = _item.attempt(item)
        if value is None or value.messages is not None or value.chat_messages is not None:
            return False
        called = value.tool_name is not None and value.tool_kwargs is not ABSENT
        if not called and (value.role is None or not value.blocks or value.blocks[0].block_type is None):
            return False
        _one(value, place, self._all.loose().at(item, place))
        return True

    def take_list(self, items: Raw, place: str) -> Taken | None:
        """Messages, if each has blocks and nothing that would make something else of it."""
        messages = list_of(_raw, items, _is_message)
        if messages is None:
            return None
        into = self._all.loose().at(items, place)
        for index, message in enumerate(messages):
            _message(message, f"{place}[{index}]", into)
        return Taken(len(messages), _BY_BLOCKS)


def _is_message(value: _RawMessage) -> bool:
    blocks = value.blocks
    if value.role is None or not blocks or blocks[0].block_type is None:
        return False
    if (
        not value.tool_name
        is value.tool_kwargs
        is value.tool_calls
        is value.response
        is value.message
        is ABSENT
    ):
        return False
    if not value.messages is value.chat_messages is value.workflow_events is value.store is ABSENT:
        return False
    for block in blocks:  # noqa: SIM110 - faster
        if block.text is not ABSENT and not is_text(block.text):
            return False
    return True


def _lists(value: _Item) -> Iterator[tuple[str, list[Raw], str | None]]:
    """The lists in a document, each with its field and its id; events repeat the calls of messages."""
    for field in ("messages", "chat_messages", "workflow_events"):
        messages = getattr(value, field)
        if messages is not None:
            yield field, messages, named(value.case_id, value.custom_id, value.id)
    for key, messages in (value.store or {}).items():
        yield f"store.{key}", messages, key


def _one(value: _Item, place: str, into: Conversation, *, again: bool = False) -> None:
    if value.role is not None:
        _message(value, place, into)
    elif value.tool_kwargs is not ABSENT or value.tool_name is not None:
        _event(value, place, into, again=again)
    elif (
        value.tool_calls is not None
        or opened(value.response) is not None
        or opened(value.message) is not None
    ):
        _step(value, place, into, again=again)


def _step(value: _Item, place: str, into: Conversation, *, again: bool) -> None:
    """What the agent gave in one step: its message, and the calls in it once more.

    The last step tells all calls of the run with their outputs.
    """
    field = "response" if opened(value.response) is not None else "message"
    node = getattr(value, field)
    if opened(node) is not None:
        _one(_item(node, under(place, field)), under(place, field), into)
    else:
        into.message()
    calls = value.tool_calls or ()
    whole = not again and any([there(call.tool_output) for call in calls])  # noqa: C419 - faster
    if whole:
        into.again()
    for index, call in enumerate(calls):
        where = f"{under(place, 'tool_calls')}[{index}]"
        arguments = given(call.tool_kwargs, into, where, "tool_output")
        into.call(call.tool_name, arguments, place=where, id=call.tool_id)
    if whole:
        into.news()


def _event(value: _Item, place: str, into: Conversation, *, again: bool) -> None:
    """A tool was called, or has answered: an event for each, of which the second may stand alone.

    Where events tell messages again, an answer has been told by these.
    """
    arguments = given(value.tool_kwargs, into, place, "tool_output")
    new = into.call(value.tool_name, arguments, place=place, id=value.tool_id)
    output = value.tool_output
    if output is not None and (new or not again):
        text = output.content if output.content is not None else _text(output.blocks)
        said: Node = text if opened(output.raw_output) is None else output.raw_output
        error = (text or "error") if output.is_error else None
        status = "error" if output.is_error else None
        into.answer(said, place=place, id=value.tool_id, name=value.tool_name, error=error, status=status)


def _message(value: _Item | _RawMessage, place: str, into: Conversation) -> None:
    role = (value.role or "").lower()
    extra = value.additional_kwargs or _NO_EXTRA
    if role in ("tool", "function"):
        into.answer(_answer(value), place=place, id=extra.tool_call_id, name=extra.name)
    elif role == "user":
        into.user(_said(value))
    elif role in ("assistant", "model", "chatbot"):
        into.message()
        into.say(_said(value) or None)
        _calls(value, extra, place, into)
    elif role not in ("system", "developer"):
        raise CallError(f"a message of the unknown role {value.role!r}", field=place)


def _said(value: _Item | _RawMessage) -> str | None:
    text = _text(value.blocks)
    if text is None and value.content is not ABSENT:
        content = opened(value.content)
        text = content if isinstance(content, str) else None
    return text


def _answer(value: _Item | _RawMessage) -> Node:
    """A tool's text, as it was recorded where it is the only one."""
    blocks = value.blocks or ()
    if len(blocks) == 1 and value.content is ABSENT:
        block = blocks[0]
        if type(block.text) is Raw and block.text is not ABSENT and block.block_type == "text":
            return block.text
    return _said(value) or ""


def _calls(value: _Item | _RawMessage, extra: _Extra, place: str, into: Conversation) -> None:
    told = False
    for index, block in enumerate(value.blocks or ()):
        if block.block_type == "tool_call":
            told = True
            where, arguments = f"{under(place, 'blocks')}[{index}]", block.tool_kwargs
            arguments = given(arguments, into, where) if arguments is ABSENT else arguments
            into.call(block.tool_name, arguments, place=where, id=block.tool_call_id)
    if told:
        return
    # Before there were blocks for calls, they stood only where the provider's answer was kept.
    for index, sent in enumerate(extra.tool_calls or ()):
        where = f"{under(place, 'additional_kwargs.tool_calls')}[{index}]"
        if sent.function is None:
            into.call(sent.name, given(sent.input, into, where), place=where, id=sent.id)
        else:
            arguments = given(sent.function.arguments, into, f"{where}.function")
            into.call(sent.function.name, arguments, place=where, id=sent.id)


def _text(blocks: Sequence[_Block | _RawBlock] | None) -> str | None:
    if blocks is not None and len(blocks) == 1:
        text = opened(blocks[0].text) if blocks[0].block_type == "text" else None
        return text or None
    texts = [opened(block.text) for block in blocks or () if block.block_type == "text"]
    return "".join([text for text in texts if text]) or None


def detect(glance: Glance) -> Evidence | None:
    """By a block's `block_type` or an event's `tool_kwargs`, in the item or in the first of what it holds."""
    if "tool_kwargs" in glance.keys and "tool_name" in glance.keys:
        return Evidence(MARKED, "a tool_name with tool_kwargs")
    if "current_agent_name" in glance.keys and "tool_calls" in glance.keys:
        return Evidence(MARKED, "the current_agent_name of a step")
    for field in ("messages", "chat_messages", "workflow_events", "response", "message"):
        if field in glance.keys:
            found = glance.at(field, 0) if field not in ("response", "message") else glance.at(field)
            inner = Glance(found)
            return detect(inner) if inner.keys & {"blocks", "tool_kwargs", "current_agent_name"} else None
    store = glance.at("store")
    if isinstance(store, dict) and store and "role" not in glance.keys:
        first = Glance(next(iter(store.values()))).at(0)
        return detect(Glance(first)) if isinstance(first, dict) and "blocks" in first else None
    return _by_blocks(glance)


def _by_blocks(glance: Glance) -> Evidence | None:
    if "role" not in glance.keys:
        return None
    if glance.at("blocks", 0, "block_type") is not None:
        return _BY_BLOCKS
    if isinstance(glance.at("blocks"), list) and isinstance(glance.at("additional_kwargs"), dict):
        return Evidence(SHAPED, "blocks beside additional_kwargs")
    if isinstance(glance.at("additional_kwargs"), dict) and "type" not in glance.keys:
        return Evidence(SHAPED, "a role beside additional_kwargs")
    if glance.at("role") in ("system", "user", "assistant") and not glance.telling:
        return Evidence(WOULD_DO, "a message with a role")
    return None
