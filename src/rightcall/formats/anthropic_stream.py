"""anthropic_stream: the events of streamed Anthropic messages; a call's input comes in pieces of JSON text."""

from __future__ import annotations

from typing import Final

from msgspec import Raw, Struct

from ..core.arguments import Given, read_arguments
from ..core.nodes import Node
from ..core.reading.blocks import CALL_BLOCKS, Block, answer
from ..core.reading.chat import there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, WOULD_DO, Evidence, FormatDeclaration, Taken
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, list_of, named
from ..core.reading.shapes import ABSENT, Shape
from ..core.types import Trace
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="anthropic_stream",
    meaning="Anthropic Messages, streamed: the events of one message or of several, one after the other",
    detected_by="events of type message_start, content_block_start, content_block_delta and so on, alone or under "
    "`events`",
    name_at="content_block.name of content_block_start",
    arguments_at="the joined delta.partial_json by index; where none came, content_block.input",
    id_at="content_block.id of content_block_start",
    result_at="only of tools that the provider ran: the block …_tool_result",
    group_at="the blocks of one message",
    cannot_carry="results of the caller's own tools, turns, times; a call that the end of the stream cuts keeps its "
    "unreadable arguments, with a warning",
    example='[{"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "toolu_1", '
    '"name": "get_weather", "input": {}}}, {"type": "content_block_delta", "index": 0, "delta": {"type": '
    '"input_json_delta", "partial_json": "{\\"city\\": \\"Oslo\\"}"}}, {"type": "content_block_stop", "index": 0}]',
    keys=frozenset({"type", "events"}),
    source="Anthropic API reference, streaming messages",
)

_PIECE: Final = "content_block_delta"
_EVENTS: Final = frozenset(
    {"message_start", "content_block_start", _PIECE, "content_block_stop", "message_delta"} | {"message_stop"}
)


class _Delta(Struct, kw_only=True, gc=False):
    type: str | None = None
    text: str | None = None
    partial_json: str | None = None


class _Begun(Struct, kw_only=True, gc=False):
    id: str | None = None


class _OneEvent(Struct, kw_only=True, gc=False):
    type: str | None = None
    message: _Begun | None = None
    index: int | None = None
    content_block: Block | None = None
    delta: _Delta | None = None
    error: Raw = ABSENT


class _ListedEvent(_OneEvent, kw_only=True, gc=False):
    """An event, if there is nothing under `events`."""

    events: Raw = ABSENT


class _Event(_OneEvent, kw_only=True, gc=False):
    """An event, or a list of events."""

    events: list[Raw] | None = None
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Open(Struct, gc=False):
    """A block that is being put together."""

    block: Block
    place: str
    pieces: list[str]
    stopped: bool = False


_event = Shape(_Event)
_listed = Shape(_ListedEvent)
_NO_DELTA: Final = _Delta()


class Reader(RecordingReader):
    """Loose events are one recording, each list of events is one of its own."""

    format = DECLARATION.id

    def __init__(self) -> None:
        super().__init__()
        self._into: Conversation | None = None
        self._blocks: dict[int | None, _Open] = {}
        self._order: list[_Open] = []
        self._id: str | None = None  # of the message that is open

    def traces(self) -> list[Trace]:
        """What was read, a trace for each recording; what has not stopped is told as far as it came."""
        self._tell()
        return super().traces()

    def _read(self, item: Node, place: str) -> None:
        value = _event(item, place)
        if value.events is None:
            self._take(value, place, self._all.loose())
            return
        self._tell()
        into = self._all.document(value.events, id=named(value.case_id, value.custom_id, value.id))
        for index, node in enumerate(value.events):
            where = f"{under(place, 'events')}[{index}]"
            self._take(_event(node, where), where, into)
        self._tell()

    def _read_own(self, item: Node, place: str) -> bool:
        """Read an item that nobody could claim with more right: an event."""
        value = _event.attempt(item)
        if value is None or value.type not in _EVENTS:
            return False
        self._take(value, place, self._all.loose())
        return True

    def take_list(self, items: Raw, place: str) -> Taken | None:
        """Events, if each is one of a message."""
        events = list_of(_listed, items, _is_event)
        if events is None:
            return None
        into = self._all.loose()
        for index, event in enumerate(events):
            if event.type == _PIECE:  # hundreds of them make one message: a place is told where one is needed
                self._piece(event, place, index)
            else:
                self._take(event, f"{place}[{index}]", into)
        return Taken(len(events), Evidence(MARKED, f"the event {events[0].type}"))

    def _take(self, value: _OneEvent, place: str, into: Conversation) -> None:
        self._into = into
        kind = value.type
        if kind in ("message_start", "message_stop"):
            self._tell()
            self._id = value.message.id if value.message is not None else None
        elif kind == "content_block_start":
            if value.content_block is None:
                raise CallError("content_block_start without a content_block", field=place)
            begun = _Open(value.content_block, under(place, "content_block"), [])
            self._blocks[value.index] = begun
            self._order.append(begun)
        elif kind == _PIECE:
            self._piece(value, place)
        elif kind == "content_block_stop":
            known = self._blocks.pop(value.index, None)
            if known is not None:
                known.stopped = True
        elif kind == "error":
            into.warn(f"{place}: the stream tells an error")

    def _piece(self, value: _OneEvent, place: str, index: int | None = None) -> None:
        known, delta = self._blocks.get(value.index), value.delta or _NO_DELTA
        piece = delta.text if delta.partial_json is None else delta.partial_json
        if known is not None and piece is not None:
            known.pieces.append(piece)
        elif delta.partial_json:
            where = place if index is None else f"{place}[{index}]"
            raise CallError(f"a fragment for the block {value.index}, which has not begun", field=where)

    def _tell(self) -> None:
        """Give the blocks of the message that ends here to the conversation, in the order in which they began."""
        begun, self._order, self._blocks = self._order, [], {}
        into = self._into
        if into is None or not begun:
            return
        into.source(self._id or object())
        into.message()
        texts: list[str] = []
        for one in begun:
            block, text = one.block, "".join(one.pieces)
            kind = block.type or ""
            if kind == "text":
                texts += [block.text or "", text]
            elif kind in CALL_BLOCKS:
                _call(one, text, into)
            elif kind.endswith("tool_result"):
                answer(block, one.place, into)
            elif kind.endswith("tool_use"):
                into.warn(f"{one.place}: a tool call of the unknown kind {kind!r} was left out")
        into.say("".join(texts) or None)


def _is_event(value: _ListedEvent) -> bool:
    return value.type in _EVENTS and value.events is ABSENT


def _call(one: _Open, text: str, into: Conversation) -> None:
    block = one.block
    arguments: Node = text if text.strip() else (block.input if there(block.input) else None)
    into.call(block.name, arguments, place=one.place, id=block.id)
    if not one.stopped and (not text or read_arguments(Given(text)).value is None):
        into.warn(f"{one.place}: the stream ends inside a call of {block.name!r}")


def detect(glance: Glance) -> Evidence | None:
    """By the type of an event, alone or in a list."""
    kind = glance.word("type") if "type" in glance.keys else None
    if "events" in glance.keys:
        kinds = [Glance(event).word("type") for event in glance.each("events", most=3)]
        kind = next((seen for seen in kinds if seen in _EVENTS), None)
    if isinstance(kind, str) and kind in _EVENTS:
        return Evidence(MARKED, f"the event {kind}")
    if kind == "ping" or (kind == "error" and isinstance(glance.at("error"), dict)):
        return Evidence(WOULD_DO, f"the event {kind}")
    return None
