"""google_adk: events and sessions of Google's Agent Development Kit."""

from __future__ import annotations

from msgspec import Raw, Struct

from ..core.nodes import Node
from ..core.reading.adk import Content, read_parts, text_of_content
from ..core.reading.chat import under
from ..core.reading.conversation import Conversation, real_id
from ..core.reading.format import MARKED, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.recording import Decoded, RecordingReader, named, whole_of
from ..core.reading.shapes import ABSENT, Shape

DECLARATION = FormatDeclaration(
    id="google_adk",
    meaning="events of Google's ADK, alone or in a session",
    detected_by="an event with an `author` and an `invocationId` (`invocation_id`), alone or under `events`",
    name_at="content.parts[].functionCall.name",
    arguments_at="content.parts[].functionCall.args: an object, missing when empty",
    id_at="content.parts[].functionCall.id",
    result_at="the later part functionResponse with that id: response; an `error` in it is the call's error",
    group_at="the parts of one event",
    turn_at="an event of the author `user` with a text, or else a new invocationId",
    cannot_carry="the offered tools",
    example='{"id": "s1", "appName": "weather", "events": [{"invocationId": "i1", "author": "user", "content": {"role": '
    '"user", "parts": [{"text": "Weather in Oslo?"}]}}, {"invocationId": "i1", "author": "agent", "content": {"role": '
    '"model", "parts": [{"functionCall": {"id": "adk-1", "name": "get_weather", "args": {"city": "Oslo"}}}]}}]}',
    keys=frozenset({"events", "author"}),
    source="google-adk, Event and Session",
)


class _Item(Struct, kw_only=True, gc=False):
    """An event, or a session with events: one shape, so that each item is decoded once."""

    id: str | int | None = None
    author: str | None = None
    invocationId: str | None = None  # noqa: N815 - both spellings are in use
    invocation_id: str | None = None
    content: Content | None = None
    partial: bool | None = None
    events: list[Raw] | None = None


class _Held(_Item, kw_only=True, gc=False):
    """The same, with what may stand beside them only: items are many, and each field costs time."""

    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Whole(_Held, kw_only=True, gc=False):
    """A session whose events are decoded with it."""

    events: list[_Item]  # type: ignore[assignment]


_item = Shape(_Held)
_whole = Shape(_Whole)


class Reader(RecordingReader):
    """Loose events are one trace, each session is one of its own."""

    format = DECLARATION.id

    def __init__(self) -> None:
        super().__init__()
        self._into: Conversation | None = None
        self._invocation: str | None = None

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        if value.events is None:
            self._event(value, place, self._all.loose().at(item, place))
            return
        self._session(value, value.events, place)

    def _session(self, value: _Held, events: list[Raw], place: str) -> None:
        into = self._all.document(events, id=named(value.case_id, value.custom_id, value.id), thread=True)
        self._into = None  # a history that goes on is read from its start again
        at = under(place, "events")
        for index, event in enumerate(events):
            where = f"{at}[{index}]"
            self._event(_item(event, where), where, into.at(event, where))

    def _read_whole(self, item: Node, place: str) -> bool:
        """Read a session whose events can be decoded in one go."""
        value = whole_of(_whole, item)
        if value is None or value.author is not None or not value.events or not _is_event(value.events[0]):
            return False
        into = self._all.document(
            Decoded(value.events, item, "events"),
            id=named(value.case_id, value.custom_id, value.id),
            thread=True,
        )
        self._into = None  # a history that goes on is read from its start again
        into.at(item, place)
        at = under(place, "events")
        for index, event in enumerate(value.events):
            self._event(event, f"{at}[{index}]", into)
        return True

    def _read_own(self, item: Node, place: str) -> bool:
        if not self._all.loosely and self._read_whole(item, place):
            return True
        value = _item.attempt(item)
        if value is None:
            return False
        if value.events and value.author is None:
            first = _item.attempt(value.events[0])
            if first is None or not _is_event(first):
                return False
            self._session(value, value.events, place)
            return True
        if not _is_event(value):
            return False
        self._event(value, place, self._all.loose().at(item, place))
        return True

    def _event(self, value: _Item, place: str, into: Conversation) -> None:
        if into is not self._into:
            self._into, self._invocation = into, None
        if value.partial or value.content is None:
            return  # what is streamed in pieces comes again as a whole
        text = text_of_content(value.content)
        invocation = value.invocationId or value.invocation_id
        if value.author == "user":
            if text is not None:
                into.user(text)
            self._invocation = invocation
        else:
            if invocation != self._invocation:
                into.user()
                self._invocation = invocation
            into.source(real_id(value.id))
            into.message()
            into.say(text)
        read_parts(value.content, under(place, "content"), into)


def _is_event(value: _Item) -> bool:
    if value.events is not None or value.author is None:
        return False
    return value.invocationId is not None or value.invocation_id is not None


def detect(glance: Glance) -> Evidence | None:
    """By `author` and the invocation's id, of the item or of the first of its events."""
    first = glance.at("events", 0)
    event = Glance(first) if first is not None else glance
    if "author" in event.keys and event.keys & {"invocationId", "invocation_id"}:
        return Evidence(MARKED, "an event with an author and the id of its invocation")
    if glance.at("events") == [] and glance.keys & {"appName", "app_name"}:
        return Evidence(MARKED, "a session without events")
    return None
