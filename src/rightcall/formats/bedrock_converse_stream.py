"""bedrock_converse_stream: the events of Amazon Bedrock's ConverseStream, whose fragments join by block."""

from __future__ import annotations

from typing import Final

from msgspec import Raw, Struct

from ..core.nodes import Node
from ..core.reading.chat import there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHAPED, Evidence, FormatDeclaration
from ..core.reading.fragments import Fragments
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, named
from ..core.reading.shapes import ABSENT, Shape
from ..core.types import Trace
from ..errors import CallError

_EVENTS: Final = frozenset(
    {"messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop"}
)
_ERRORS: Final = (
    *("internalServerException", "modelStreamErrorException", "validationException"),
    *("throttlingException", "serviceUnavailableException"),
)

DECLARATION = FormatDeclaration(
    id="bedrock_converse_stream",
    meaning="events of Amazon Bedrock's ConverseStream, one by one or as a list under `stream` or `events`",
    detected_by="one key, the event: contentBlockStart, contentBlockDelta, …; alone, or under `stream` or `events`",
    name_at="contentBlockStart.start.toolUse.name",
    arguments_at="the joined contentBlockDelta.delta.toolUse.input by contentBlockIndex",
    id_at="contentBlockStart.start.toolUse.toolUseId",
    group_at="the blocks of one message",
    cannot_carry="results, turns, times; a call that the end of the stream cuts keeps its unreadable arguments, with a "
    "warning",
    example='[{"messageStart": {"role": "assistant"}}, {"contentBlockStart": {"contentBlockIndex": 0, "start": '
    '{"toolUse": {"toolUseId": "tooluse_1", "name": "get_weather"}}}}, {"contentBlockDelta": {"contentBlockIndex": 0, '
    '"delta": {"toolUse": {"input": "{\\"city\\": \\"Oslo\\"}"}}}}, {"contentBlockStop": {"contentBlockIndex": 0}}, '
    '{"messageStop": {"stopReason": "tool_use"}}]',
    keys=_EVENTS | {*_ERRORS, "metadata", "stream", "events"},
    source="Amazon Bedrock API reference, ConverseStream",
)

_LISTS: Final = ("stream", "events")


class _ToolUse(Struct, kw_only=True, gc=False):
    """How a call begins, or a piece of its arguments."""

    toolUseId: str | None = None  # noqa: N815 - the field's own spelling
    name: str | None = None
    input: Raw = ABSENT


class _Part(Struct, kw_only=True, gc=False):
    """What a block begins with, or what is added to it."""

    toolUse: _ToolUse | None = None  # noqa: N815
    toolResult: Raw = ABSENT  # noqa: N815
    text: str | None = None


class _Block(Struct, kw_only=True, gc=False):
    contentBlockIndex: int | None = None  # noqa: N815
    start: _Part | None = None
    delta: _Part | None = None


class _Stop(Struct, kw_only=True, gc=False):
    stopReason: str | None = None  # noqa: N815


class _Event(Struct, kw_only=True, gc=False):
    """An event, or a list of events."""

    messageStart: Raw = ABSENT  # noqa: N815
    contentBlockStart: _Block | None = None  # noqa: N815
    contentBlockDelta: _Block | None = None  # noqa: N815
    contentBlockStop: Raw = ABSENT  # noqa: N815
    messageStop: _Stop | None = None  # noqa: N815
    internalServerException: Raw = ABSENT  # noqa: N815
    modelStreamErrorException: Raw = ABSENT  # noqa: N815
    validationException: Raw = ABSENT  # noqa: N815
    throttlingException: Raw = ABSENT  # noqa: N815
    serviceUnavailableException: Raw = ABSENT  # noqa: N815
    stream: list[Raw] | None = None
    events: list[Raw] | None = None
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


_event = Shape(_Event)


class _Message:
    """One message, as far as it has come."""

    def __init__(self, into: Conversation) -> None:
        self.into = into
        self._calls = Fragments(into.warn)
        self._texts: list[str] = []
        self._begun: set[int | None] = set()

    def begin(self, block: _Block, place: str) -> None:
        """A block begins; texts do so without a word.

        Raises:
            CallError: a call whose block has no number, so that its pieces can't be told from another's.
        """
        use = block.start.toolUse if block.start is not None else None
        where = under(place, "start.toolUse")
        if use is not None and block.contentBlockIndex is None:
            raise CallError("a call in a block without a contentBlockIndex", field=place)
        if use is not None:
            self._begun.add(block.contentBlockIndex)
            self._calls.add(block.contentBlockIndex, use.toolUseId, use.name, use.input, where)
        elif block.start is not None and there(block.start.toolResult):
            self.into.warn(f"{place}: the result of a tool that the provider ran was left out")

    def add(self, block: _Block, place: str) -> None:
        """A piece of a block.

        Raises:
            CallError: a piece of a call that has not begun.
        """
        delta = block.delta
        if delta is None:
            return
        if delta.text:
            self._texts.append(delta.text)
        if delta.toolUse is not None and there(delta.toolUse.input):
            index = block.contentBlockIndex
            if index not in self._begun:
                raise CallError(f"a fragment for the block {index}, which has not begun", field=place)
            self._calls.add(index, None, None, delta.toolUse.input, under(place, "delta.toolUse"))

    def tell(self, stop: str | None) -> None:
        """Give what has come to the conversation; `stop` says why the message ended, None that it broke off."""
        if self._calls.empty and not self._texts:
            return
        self.into.source(object())
        self.into.message()
        self.into.say("".join(self._texts) or None)
        self._calls.tell(self.into, ended=stop not in (None, "max_tokens"))


class Reader(RecordingReader):
    """Loose events are one recording, each list of events is one of its own."""

    format = DECLARATION.id

    def __init__(self) -> None:
        super().__init__()
        self._message: _Message | None = None

    def traces(self) -> list[Trace]:
        """What was read, a trace for each recording; what has not stopped is told as far as it came."""
        self._tell(None)
        return super().traces()

    def _tell(self, stop: str | None) -> None:
        if self._message is not None:
            self._message.tell(stop)
            self._message = None

    def _read(self, item: Node, place: str) -> None:
        value = _event(item, place)
        field = next((field for field in _LISTS if getattr(value, field) is not None), None)
        if field is None:
            self._take(value, place, self._all.loose())
            return
        self._tell(None)
        nodes: list[Raw] = getattr(value, field)
        into = self._all.document(nodes, id=named(value.case_id, value.custom_id, value.id))
        for index, node in enumerate(nodes):
            where = f"{under(place, field)}[{index}]"
            self._take(_event(node, where), where, into)
        self._tell(None)

    def _read_own(self, item: Node, place: str) -> bool:
        """Read an item that nobody could claim with more right: an event of a block."""
        value = _event.attempt(item)
        if value is None or value.stream is not None or value.events is not None:
            return False
        if value.contentBlockStart is None and value.contentBlockDelta is None and value.messageStop is None:
            return False
        self._take(value, place, self._all.loose())
        return True

    def _take(self, value: _Event, place: str, into: Conversation) -> None:
        if there(value.messageStart) or (self._message is not None and self._message.into is not into):
            self._tell(None)
        if self._message is None:
            self._message = _Message(into)
        if value.contentBlockStart is not None:
            self._message.begin(value.contentBlockStart, under(place, "contentBlockStart"))
        if value.contentBlockDelta is not None:
            self._message.add(value.contentBlockDelta, under(place, "contentBlockDelta"))
        if value.messageStop is not None:
            self._tell(value.messageStop.stopReason or "end_turn")
        for error in _ERRORS:
            if there(getattr(value, error)):
                into.warn(f"{place}: the stream tells an error, {error}")


def detect(glance: Glance) -> Evidence | None:
    """By the event that is the item's one key, alone or in a list."""
    for field in _LISTS:
        if field in glance.keys:
            first = [_event_of(Glance(event)) for event in glance.each(field, most=3)]
            found = next((kind for kind in first if kind is not None), None)
            return None if found is None else Evidence(MARKED, f"the event {found} under {field}")
    kind = _event_of(glance)
    if kind is not None:
        return Evidence(MARKED, f"the event {kind}")
    error = next((key for key in _ERRORS if key in glance.keys and len(glance.keys) == 1), None)
    if error is not None and isinstance(glance.at(error), dict):
        return Evidence(SHAPED, f"the error {error}")
    end = glance.at("metadata") if "metadata" in glance.keys and len(glance.keys) == 1 else None
    if isinstance(end, dict) and {"usage", "metrics"} <= end.keys():
        return Evidence(SHAPED, "metadata with usage and metrics")
    return None


def _event_of(glance: Glance) -> str | None:
    return next((key for key in _EVENTS if key in glance.keys and isinstance(glance.at(key), dict)), None)
