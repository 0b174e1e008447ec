"""ollama: messages whose calls have arguments as an object and no ids; a response may come in pieces."""

from __future__ import annotations

from msgspec import Raw, Struct

from ..core.nodes import Node
from ..core.reading.chat import ChatReader, there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHAPED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.recording import named
from ..core.reading.shapes import ABSENT, Shape
from ..core.reading.telling import CHAT_ROLES, first_entry, function_of, looks_plain

DECLARATION = FormatDeclaration(
    id="ollama",
    meaning="Ollama's chat: messages, a request, a response, the pieces of a streamed response",
    detected_by="tool_calls with a `function` object, arguments as an object and no ids; or `message` beside `done`",
    name_at="tool_calls[].function.name",
    arguments_at="tool_calls[].function.arguments: an object",
    result_at="the next message of role `tool` with that tool_name; without one, in order",
    group_at="the entries of one tool_calls list",
    turn_at="messages of role `user`",
    cannot_carry="ids, times of calls, whether a call failed",
    example='{"messages": [{"role": "user", "content": "How warm is it in Oslo?"}, {"role": "assistant", '
    '"content": "", "tool_calls": [{"function": {"name": "get_weather", "arguments": {"city": "Oslo"}}}]}, '
    '{"role": "tool", "tool_name": "get_weather", "content": "7 degrees"}]}',
    keys=frozenset({"role", "tool_calls", "messages", "request", "response", "message"}),
    family="chat",
    source="Ollama API documentation, chat",
)


class _Piece(Struct, kw_only=True, gc=False):
    """A response, or a piece of one."""

    message: Raw = ABSENT
    done: bool | None = None
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Text(Struct, kw_only=True, gc=False):
    content: str | None = None


_piece = Shape(_Piece)
_text = Shape(_Text)


class Reader(ChatReader):
    """See :class:`ChatReader`; pieces of one response are one message, which ends with `done`."""

    format = DECLARATION.id

    def __init__(self) -> None:
        super().__init__()
        self._pieces: Conversation | None = None
        self._texts: list[str] = []

    def _read(self, item: Node, place: str) -> None:
        piece = _piece(item, place)
        if piece.done is None or not there(piece.message):
            super()._read(item, place)
            return
        into = self._pieces or self._all.document([item], id=named(piece.case_id, piece.custom_id, piece.id))
        where = under(place, "message")
        self._texts.append(_text(piece.message, where).content or "")
        self._item(piece.message, where, into)
        self._pieces = None if piece.done else into
        if piece.done:
            into.say("".join(self._texts) or None)
            self._texts = []

    def _begin(self, into: Conversation) -> None:
        if self._pieces is None:
            into.message()


def detect(glance: Glance) -> Evidence | None:
    """By the first call's arguments and its lack of an id, or by `done`."""
    if "done" in glance.keys and isinstance(glance.at("message"), dict):
        return Evidence(MARKED, "a message beside `done`")
    responded = isinstance(glance.at("response", "done"), bool) if "response" in glance.keys else False
    if responded and isinstance(glance.at("response", "message"), dict):
        return Evidence(MARKED, "a response with a message beside `done`")
    entry = first_entry(glance)
    function = function_of(entry)
    if function is not None:
        assert entry is not None  # noqa: S101 - a function was found in it
        if "id" not in entry.keys and isinstance(function.at("arguments"), dict):
            return Evidence(SHAPED + 1, "tool_calls with arguments as an object and no ids")
        return Evidence(WOULD_DO, "tool_calls with a `function` object")
    if glance.at("role") == "tool" and "tool_name" in glance.keys:
        return Evidence(SHAPED, "a tool's message with a tool_name")
    if looks_plain(glance, CHAT_ROLES):
        return Evidence(WOULD_DO, "a message with a role")
    return None
