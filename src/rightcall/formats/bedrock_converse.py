"""bedrock_converse: Amazon Bedrock's Converse: content with `toolUse`, answered by `toolResult` of the user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Raw, Struct

from ..core.jsonvalue import same_value
from ..core.nodes import Node, opened, plain
from ..core.reading.callfields import read_call
from ..core.reading.chat import MOST_TAKEN, offer, there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHAPED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, named
from ..core.reading.shapes import ABSENT, Shape
from ..core.reading.telling import AGENT_ROLES, looks_plain
from ..errors import CallError, nearest

DECLARATION = FormatDeclaration(
    id="bedrock_converse",
    meaning="Amazon Bedrock Converse: a block, a message, a request, a response",
    detected_by="content whose blocks have no type and hold text, toolUse or toolResult; `output.message`",
    name_at="content[].toolUse.name",
    arguments_at="content[].toolUse.input: an object",
    id_at="content[].toolUse.toolUseId",
    result_at="the block toolResult with that toolUseId in the next user message: its json or its text; its status "
    "`error` is the call's",
    group_at="the blocks of one message",
    turn_at="user messages that hold more than toolResult blocks",
    cannot_carry="times and spans",
    example='{"messages": [{"role": "user", "content": [{"text": "How warm is it in Oslo?"}]}, {"role": "assistant", '
    '"content": [{"toolUse": {"toolUseId": "tooluse_1", "name": "get_weather", "input": {"city": "Oslo"}}}]}]}',
    keys=frozenset({"role", "messages", "output", "request", "response", "toolUse", "toolResult"}),
    source="Amazon Bedrock API reference, Converse",
)

_BLOCKS: Final = frozenset(
    {"text", "toolUse", "toolResult", "image", "document", "video", "guardContent", "cachePoint"}
    | {"reasoningContent", "citationsContent", "searchResult", "audio"}
)


class _Use(Struct, kw_only=True, gc=False):
    name: str | None = None
    input: Raw = ABSENT
    toolUseId: str | None = None  # noqa: N815 - the fields' own spelling


class _Result(Struct, kw_only=True, gc=False):
    toolUseId: str | None = None  # noqa: N815
    content: list[Raw] | None = None
    status: str | None = None


class _Block(Struct, kw_only=True, gc=False):
    text: str | None = None
    toolUse: _Use | None = None  # noqa: N815
    toolResult: _Result | None = None  # noqa: N815
    type: Raw = ABSENT


class _Message(Struct, kw_only=True, gc=False):
    role: str | None = None
    content: list[_Block] | str | None = None


class _Output(Struct, kw_only=True, gc=False):
    message: Raw = ABSENT


class _Config(Struct, kw_only=True, gc=False):
    tools: Raw = ABSENT


class _Item(_Message, kw_only=True, gc=False):
    """A message, a block, or what holds messages: one shape, so that each item is decoded once."""

    messages: list[Raw] | None = None
    toolConfig: _Config | None = None  # noqa: N815
    output: _Output | None = None
    request: Raw = ABSENT
    response: Raw = ABSENT
    toolUse: Raw = ABSENT  # noqa: N815
    toolResult: Raw = ABSENT  # noqa: N815
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _RawBlocks(Struct, kw_only=True, gc=False):
    content: list[Raw] | str | None = None


class _RawBlock(Struct, kw_only=True, gc=False):
    toolUse: Raw = ABSENT  # noqa: N815


class _Told(Struct, kw_only=True, gc=False):
    """What a tool answered with."""

    text: str | None = None
    json: Raw = ABSENT


_message = Shape(_Message)
_item = Shape(_Item)
_block = Shape(_Block)
_raw_blocks = Shape(_RawBlocks)
_raw_block = Shape(_RawBlock)
_told = Shape(_Told)


class Reader(RecordingReader):
    """Loose messages and blocks are one recording, each request or response is one of its own."""

    format = DECLARATION.id

    def __init__(self) -> None:
        super().__init__()
        self._in_blocks = False

    def _read(self, item: Node, place: str) -> None:
        self._whole(_item(item, place), item, place)

    def _read_own(self, item: Node, place: str) -> bool:
        """Read an item that nobody could claim with more right: a message of typeless blocks, or such a request."""
        value = _item.attempt(item)
        if value is None or memoryview(item).nbytes > MOST_TAKEN:
            return False
        if value.messages is not None:
            messages = [_message.attempt(message) for message in value.messages]
            if not all(map(_is_own, messages)):
                return False
            self._in_blocks = False
            self._request(value, place, decoded=messages)
            return True
        sure = value.role is not None and _is_own(value)
        if sure:
            self._whole(value, item, place)
        return sure

    def _whole(self, value: _Item, item: Node, place: str) -> None:
        in_blocks, self._in_blocks = self._in_blocks, False
        if value.messages is not None:
            self._request(value, place)
        elif there(value.request):
            where = under(place, "request")
            request = _item(value.request, where)
            if request.messages is None:
                raise CallError("a request without messages", field=where)
            request.response = value.response
            self._request(request, where, under(place, "response"), id=_id_of(value))
        elif value.output is not None:
            self._response(
                value.output, under(place, "output"), self._all.document([item], id=_id_of(value)), ()
            )
        elif there(value.response):
            where = under(place, "response")
            self._held(value.response, where, self._all.document([item], id=_id_of(value)), ())
        elif value.role is not None:
            self._take(value, item, place, self._all.loose())
        else:
            into = self._all.loose()
            if not in_blocks:
                into.message()
            self._in_blocks = True
            self._one(_block(item, place), item, place, into, merge=False)

    def _request(
        self,
        value: _Item,
        place: str,
        response_at: str | None = None,
        decoded: Sequence[_Message | None] = (),
        id: str | None = None,
    ) -> None:
        messages = value.messages or []
        into = self._all.document(messages, id=id or _id_of(value))
        if value.toolConfig is not None:
            offer(into, value.toolConfig.tools, under(place, "toolConfig.tools"))
        at = under(place, "messages")
        for index, node in enumerate(messages):
            where = f"{at}[{index}]"
            known = decoded[index] if decoded else None
            self._take(known or _message(node, where), node, where, into)
        if value.output is not None:
            self._response(value.output, under(place, "output"), into, messages)
        self._held(value.response, response_at or under(place, "response"), into, messages)

    def _held(self, node: Node, place: str, into: Conversation, known: Sequence[Node]) -> None:
        output = _item(node, place).output if there(node) else None
        if output is not None:
            self._response(output, under(place, "output"), into, known)

    def _response(self, output: _Output, place: str, into: Conversation, known: Sequence[Node]) -> None:
        where = under(place, "message")
        if there(output.message) and not _is_in(output.message, known):
            self._take(_message(output.message, where), output.message, where, into)

    def _take(self, value: _Message, item: Node, place: str, into: Conversation) -> None:
        content = value.content
        if value.role == "assistant":
            into.message()
            blocks = content if isinstance(content, list) else [_Block(text=content)]
            texts = [block.text for block in blocks if block.text is not None]
            for index, block in enumerate(blocks):
                if block.text is None:
                    where = f"{under(place, 'content')}[{index}]"
                    self._one(block, _nth(item, index, place, block), where, into)
            into.say("".join(texts) or None)
        elif value.role == "user":
            blocks = content if isinstance(content, list) else [_Block(text=content)]
            others = [block for block in blocks if block.toolResult is None]
            for index, block in enumerate(blocks):
                if block.text is None:
                    where = f"{under(place, 'content')}[{index}]"
                    self._one(block, _nth(item, index, place, block), where, into)
            if others or not blocks:
                texts = [block.text for block in others if block.text is not None]
                into.user("".join(texts) if texts else None)
        elif value.role not in AGENT_ROLES:
            raise CallError(f"a message of the unknown role {value.role!r}", field=place)

    def _one(self, block: _Block, node: Node, place: str, into: Conversation, *, merge: bool = True) -> None:
        use, result = block.toolUse, block.toolResult
        if block.type is not ABSENT:
            raise CallError("a block with a type belongs to another format", field=place)
        if use is not None:
            arguments: Any = use.input
            if arguments is ABSENT:
                # No input: the rule about misspelled fields looks at what else is there.
                fields = opened(_raw_block(node, place).toolUse)
                arguments = read_call({k: v for k, v in fields.items() if k != "toolUseId"}, place).raw
            into.call(use.name, arguments, place=place, id=use.toolUseId, merge=merge)
        elif result is not None:
            output = _output(result, place)
            failed = result.status == "error"
            into.answer(
                output,
                place=place,
                id=result.toolUseId,
                error=(plain(output) or True) if failed else None,
                status="error" if failed else None,
            )
        else:
            fields = opened(node)
            odd = [key for key in fields if key not in _BLOCKS] if isinstance(fields, dict) else []
            if odd:
                near = nearest(odd[0], _BLOCKS)
                hint = f" (nearest: {near!r})" if near else ""
                into.warn(f"{place}: a block of the unknown kind {odd[0]!r} was left out{hint}")


def _id_of(value: _Item) -> str | None:
    return named(value.case_id, value.custom_id, value.id)


def _nth(item: Node, index: int, place: str, block: _Block) -> Node:
    """A block as it was recorded, where that is needed."""
    if block.toolResult is not None or (block.toolUse is not None and block.toolUse.input is not ABSENT):
        return None
    raw = _raw_blocks(item, place).content
    return raw[index] if isinstance(raw, list) and index < len(raw) else None


def _output(result: _Result, place: str) -> Node:
    """The json of the one block, the joined texts, or all blocks as they are."""
    told = [
        _told(node, f"{under(place, 'toolResult.content')}[{n}]")
        for n, node in enumerate(result.content or ())
    ]
    if len(told) == 1 and told[0].json is not ABSENT:
        return told[0].json
    texts = [part.text for part in told if part.text is not None]
    return "".join(texts) if len(texts) == len(told) else plain(result.content)


def _is_in(message: Node, messages: Sequence[Node]) -> bool:
    """Whether a response stands in the history beside it: one that ends with what the model said is complete."""
    last = opened(messages[-1]) if messages else None
    if not isinstance(last, dict) or opened(last.get("role")) != "assistant":
        return False
    own = plain(message)
    return any(same_value(plain(known), own) for known in messages)


def _is_own(value: _Message | None) -> bool:
    """Whether a message is surely of this format and nobody else's."""
    return (
        value is not None
        and value.role in ("user", "assistant")
        and isinstance(value.content, list)
        and all([block.type is ABSENT for block in value.content])  # noqa: C419
    )


def detect(glance: Glance) -> Evidence | None:
    """By blocks without a type, or by `output.message`."""
    for path in (("output",), ("response", "output")):
        if path[0] in glance.keys and isinstance(glance.at(*path), dict):
            message = glance.at(*path, "message")
            if isinstance(message, dict) and "content" in message:
                return Evidence(MARKED, "output.message")
    if (
        glance.keys & {"toolUse", "toolResult"}
        and "toolUseId" in Glance(glance.at("toolUse") or glance.at("toolResult")).keys
    ):
        return Evidence(SHAPED + 1, "a block with a toolUse or toolResult")
    telling = glance.telling
    content = telling.get("content")
    if "role" in telling and isinstance(content, list | tuple):
        blocks = [Glance(part) for part in content]
        if blocks and all(block.keys & _BLOCKS and "type" not in block.keys for block in blocks):
            return Evidence(SHAPED, "content whose blocks have no type")
    if looks_plain(glance, AGENT_ROLES):
        return Evidence(WOULD_DO, "a message with a role")
    return None
