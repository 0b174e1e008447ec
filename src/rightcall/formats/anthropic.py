"""anthropic: the Messages API: content blocks of type `tool_use`, answered by `tool_result` in the next user message."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw, Struct

from ..core.jsonvalue import show
from ..core.nodes import Node, opened, plain
from ..core.reading.blocks import CALL_BLOCKS, Block, answer
from ..core.reading.callfields import read_call
from ..core.reading.chat import MOST_TAKEN, offer, there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHAPED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, named
from ..core.reading.shapes import ABSENT, Shape
from ..core.reading.telling import AGENT_ROLES, looks_plain
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="anthropic",
    meaning="Anthropic Messages: a block, a message, a response, a request, lines of a batch; calls that the provider "
    "runs itself (server_tool_use, mcp_tool_use) are calls too",
    detected_by="content blocks of type `tool_use` or `tool_result`; a response of type `message`",
    name_at="content[].name of a block of type tool_use, server_tool_use or mcp_tool_use",
    arguments_at="content[].input: an object",
    id_at="content[].id",
    result_at="the tool_result block with that tool_use_id in the next user message; of calls that the provider ran, "
    "the block …_tool_result in the same message",
    group_at="the blocks of one message",
    turn_at="user messages that hold more than tool_result blocks",
    cannot_carry="times and spans; who ran a call (the provider or the caller) is not kept",
    example='{"role": "assistant", "content": [{"type": "text", "text": "I will look."}, {"type": "tool_use", '
    '"id": "toolu_1", "name": "get_weather", "input": {"city": "Oslo"}}]}',
    keys=frozenset({"role", "messages", "content", "type", "request", "response", "custom_id", "params"}),
    source="Anthropic API reference, messages and message batches",
)

_SILENT: Final = frozenset(
    {"image", "document", "search_result", "thinking", "redacted_thinking", "container_upload"}
)
_SURE: Final = CALL_BLOCKS | {"text", "tool_result", "thinking"}


Content = str | list[Block] | dict[str, Raw] | None


class _Message(Struct, kw_only=True, gc=False):
    role: str | None = None
    content: Content = None
    tool_calls: Raw = ABSENT
    type: str | None = None


class _Item(_Message, kw_only=True, gc=False):
    """A message, or what holds messages: one shape, so that each item is decoded once."""

    messages: list[Raw] | None = None
    tools: Raw = ABSENT
    request: Raw = ABSENT
    response: Raw = ABSENT
    params: Raw = ABSENT
    result: Raw = ABSENT
    message: Raw = ABSENT
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Blocks(Struct, kw_only=True, gc=False):
    content: list[Raw] = []


_message = Shape(_Message)
_item = Shape(_Item)
_block = Shape(Block)
_blocks = Shape(_Blocks)


class Reader(RecordingReader):
    """Loose messages and blocks are one recording, each document is one of its own."""

    format = DECLARATION.id

    def __init__(self) -> None:
        super().__init__()
        self._loose: Conversation | None = None
        self._last = ""  # what the last item was: message, response or block

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        if value.messages is not None:
            self._document(value, place, _id_of(value))
        elif there(value.request) or there(value.params):
            self._pair(value, place)
        elif there(value.response) or there(value.result) or (there(value.custom_id) and value.role is None):
            into = self._document_of(item, _id_of(value))
            if there(value.result) and not there(_item(value.result, under(place, "result")).message):
                said = show(plain(value.result), 200)
                into.unanswered = f"{under(place, 'result')}: a request without a response ({said})"
            for field in ("response", "result"):
                self._held(getattr(value, field), under(place, field), into)
        elif value.role is None:
            self._bare(_block(item, place), item, place)
        else:
            self._single(value, item, place)

    def _read_own(self, item: Node, place: str) -> bool:
        """Read an item that nobody could claim with more right: a plain message, or a document of such."""
        value = _item.attempt(item)
        if value is None:
            return False
        if value.role is not None:
            if value.messages is not None or not _is_own(value):
                return False
            self._single(value, item, place)
            return True
        if value.messages is None or value.request is not ABSENT or memoryview(item).nbytes > MOST_TAKEN:
            return False
        messages = [_message.attempt(message) for message in value.messages]
        if not all(map(_is_own, messages)) or not any(map(_calls, messages)):
            return False
        self._document(value, place, _id_of(value), messages)
        return True

    def _document_of(self, item: Node, id: str | None) -> Conversation:
        self._loose, self._last = None, ""
        return self._all.document([item], id=id)

    def _single(self, value: _Message, item: Node, place: str) -> None:
        kind = "response" if value.type == "message" else "message"
        if self._loose is None or (kind == self._last == "response"):
            # Two responses with nothing between them are two recordings.
            self._loose = self._all.loose(new=True)
        self._last = kind
        self._take(value, item, place, self._loose)

    def _bare(self, block: Block, item: Node, place: str) -> None:
        if self._loose is None:
            self._loose = self._all.loose(new=True)
        if self._last != "block":
            self._loose.message()
        self._last = "block"
        if block.type is None:
            raise CallError("neither a message with a role nor a block with a type", field=place)
        self._one(block, item, place, self._loose, merge=False)

    def _document(
        self, value: _Item, place: str, id: str | None, decoded: list[_Message | None] | None = None
    ) -> Conversation:
        messages = value.messages or []
        self._loose, self._last = None, ""
        into = self._all.document(messages, id=id)
        offer(into, value.tools, under(place, "tools"))
        at = under(place, "messages")
        for index, node in enumerate(messages):
            where = f"{at}[{index}]"
            known = decoded[index] if decoded is not None else None
            self._take(known or _message(node, where), node, where, into)
        self._held(value.response, under(place, "response"), into)
        return into

    def _pair(self, value: _Item, place: str) -> None:
        field = "request" if there(value.request) else "params"
        where = under(place, field)
        request = _item(getattr(value, field), where)
        if request.messages is None:
            raise CallError(f"{field} without messages", field=where)
        into = self._document(request, where, _id_of(value) or _id_of(request))
        self._held(value.response, under(place, "response"), into)

    def _held(self, node: Node, place: str, into: Conversation) -> None:
        """A response, or what holds one as `message` or `body`."""
        if not there(node):
            return
        value = _item(node, place)
        if there(value.message):
            self._held(value.message, under(place, "message"), into)
        elif value.role is not None:
            into.source(object())  # a response is no part of the history before it
            self._take(value, node, place, into)
        elif value.content is not None:
            raise CallError("a response without a role", field=place)

    def _take(self, value: _Message, item: Node, place: str, into: Conversation) -> None:
        if there(value.tool_calls):
            raise CallError("tool_calls belong to another format", field=under(place, "tool_calls"))
        if value.role == "user":
            self._user(value, item, place, into)
        elif value.role == "assistant":
            into.message()
            if isinstance(value.content, list):
                calls = [block.id for block in value.content if block.type in CALL_BLOCKS]
                if len(calls) > 1:
                    into.warn_of_twins(calls, place)
                self._agent(value.content, item, place, into)
            else:
                into.say(_text(value.content, place) or None)
        elif value.role not in AGENT_ROLES:
            raise CallError(f"a message of the unknown role {value.role!r}", field=place)

    def _agent(self, blocks: list[Block], item: Node, place: str, into: Conversation) -> None:
        texts: list[str] = []
        for index, block in enumerate(blocks):
            if block.type == "text":
                texts.append(block.text or "")
            elif block.type == "tool_use" and block.says_input_once:
                into.call(block.name, block.input, place=f"{place}.content[{index}]".lstrip("."), id=block.id)
            else:
                where = f"{under(place, 'content')}[{index}]"
                self._one(block, _nth(item, index, place, block), where, into)
        into.say("".join(texts) or None)

    def _user(self, value: _Message, item: Node, place: str, into: Conversation) -> None:
        if not isinstance(value.content, list):
            into.user(_text(value.content, place))
            return
        texts: list[str] = []
        others = 0
        for index, block in enumerate(value.content):
            if block.type == "tool_result":
                answer(block, f"{under(place, 'content')}[{index}]", into)
                continue
            others += 1
            if block.type == "text":
                texts.append(block.text or "")
            else:
                where = f"{under(place, 'content')}[{index}]"
                self._one(block, _nth(item, index, place, block), where, into)
        if others or not value.content:
            into.user("".join(texts) if texts else None)

    def _one(self, block: Block, node: Node, place: str, into: Conversation, *, merge: bool = True) -> None:
        """A block that may be of any kind."""
        kind = block.type
        if kind in CALL_BLOCKS:
            arguments: Any = block.input
            if not block.says_input_once:
                # No input, or another: the rule about misspelled and doubled fields looks at what is there.
                arguments = read_call(opened(node), place).raw
            into.call(block.name, arguments, place=place, id=block.id, merge=merge)
        elif kind is not None and kind.endswith("tool_result"):
            answer(block, place, into)
        elif kind == "text":
            into.say(block.text or None)
        elif kind is None or "call" in kind:
            seen = "an object without a type" if kind is None else f"a block of type {kind!r}"
            raise CallError(f"{seen} belongs to another format", field=place)
        elif kind.endswith("tool_use"):
            into.warn(f"{place}: a tool call of the unknown kind {kind!r} was left out")
        elif kind not in _SILENT:
            into.warn(f"{place}: a block of the unknown type {kind!r} was left out")


def _id_of(value: _Item) -> str | None:
    return named(value.case_id, value.custom_id, value.id)


def _nth(item: Node, index: int, place: str, block: Block) -> Node:
    """A block as it was recorded, where that is needed."""
    return (
        _blocks(item, place).content[index]
        if block.type in CALL_BLOCKS and not block.says_input_once
        else None
    )


def _text(content: Content, place: str) -> str | None:
    if content is None or isinstance(content, str):
        return content
    raise CallError("content is an object, neither a text nor blocks", field=under(place, "content"))


def _calls(value: _Message | None) -> bool:
    return (
        value is not None
        and isinstance(value.content, list)
        and any(block.type in CALL_BLOCKS for block in value.content)
    )


def _is_own(value: _Message | None) -> bool:
    """Whether a message is surely of this format and nobody else's."""
    if value is None or value.tool_calls is not ABSENT or value.role not in ("user", "assistant"):
        return False
    content = value.content
    if isinstance(content, str):
        return value.role == "user" or not ("<" in content or "[TOOL" in content or "Action:" in content)
    return isinstance(content, list) and all([block.type in _SURE for block in content])  # noqa: C419


def detect(glance: Glance) -> Evidence | None:
    """By the kinds of content blocks."""
    for path in (("response",), ("result", "message"), ("message",)):
        held = glance.at(*path) if path[0] in glance.keys else None
        if isinstance(held, dict) and opened(held.get("type")) == "message":
            return Evidence(MARKED, "a response of type message")
    if "custom_id" in glance.keys and glance.at("result", "type") in ("errored", "canceled", "expired"):
        return Evidence(MARKED, "a line of a batch without a message")
    if "params" in glance.keys and isinstance(glance.at("params", "messages"), list | tuple):
        return detect(Glance(glance.at("params")))
    kind = glance.word("type")
    if "role" not in glance.keys and "messages" not in glance.keys and kind is not None:
        return _bare_block(kind, glance)
    if kind == "message" and {"stop_reason", "content"} <= glance.keys:
        return Evidence(MARKED, "a response of type message with a stop_reason")
    telling = glance.telling
    if "role" in telling and not telling.get("tool_calls"):
        content = telling.get("content")
        kinds = [Glance(part).word("type") for part in content] if isinstance(content, list | tuple) else []
        seen = next((kind for kind in kinds if kind is not None and _is_tool_block(kind)), None)
        if seen is not None:
            return Evidence(SHAPED, f"a content block of type {seen}")
    if looks_plain(glance, AGENT_ROLES):
        return Evidence(WOULD_DO, "a message with a role")
    return None


def _is_tool_block(kind: str) -> bool:
    return kind.endswith(("tool_use", "tool_result")) or kind == "redacted_thinking"


def _bare_block(kind: str, glance: Glance) -> Evidence | None:
    if _is_tool_block(kind) and glance.keys & {"name", "tool_use_id"}:
        return Evidence(SHAPED, f"a content block of type {kind}")
    if kind == "text" and "text" in glance.keys:
        return Evidence(WOULD_DO, "a block of text")
    return None
