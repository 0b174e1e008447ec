"""openai_chat_stream: chunks of streamed chat completions, or the bare fragments of their tool_calls."""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

from ..core.nodes import Node, opened
from ..core.reading.callfields import ARGUMENT_KEYS
from ..core.reading.chat import there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHAPED, Evidence, FormatDeclaration
from ..core.reading.fragments import Fragments
from ..core.reading.given import given, value_at
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, named
from ..core.reading.shapes import ABSENT, Shape
from ..core.types import Trace
from ..errors import CallError, nearest

DECLARATION = FormatDeclaration(
    id="openai_chat_stream",
    meaning="OpenAI Chat Completions, streamed: chunks, also of the older function_call, or bare tool_call deltas",
    detected_by="`object: chat.completion.chunk`, choices with a `delta`, or fragments with an `index` and a `function`",
    name_at="the first fragment of a call: choices[0].delta.tool_calls[].function.name",
    arguments_at="the joined texts of delta.tool_calls[].function.arguments, by response and index",
    id_at="the first fragment's id",
    group_at="the calls of one response",
    cannot_carry="results, turns, times; a call that the end of the stream cuts keeps its unreadable arguments, with a "
    "warning",
    example='[{"id": "r1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"tool_calls": '
    '[{"index": 0, "id": "c1", "function": {"name": "get_weather", "arguments": "{\\"city\\": "}}]}}]}, '
    '{"id": "r1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"tool_calls": '
    '[{"index": 0, "function": {"arguments": "\\"Oslo\\"}"}}]}}]}]',
    keys=frozenset({"choices", "chunks", "index", "tool_calls"}),
    source="OpenAI API reference, chat completion chunks",
)


class _Function(Struct, kw_only=True, gc=False):
    name: str | None = None
    arguments: Raw = ABSENT


class _Fragment(Struct, kw_only=True, gc=False):
    index: int | None = None
    id: str | int | None = None
    type: str | None = None
    function: _Function | None = None


class _Delta(Struct, kw_only=True, gc=False):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_Fragment] | None = None
    function_call: _Function | None = None


class _Choice(Struct, kw_only=True, gc=False):
    index: int | None = None
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Item(_Fragment, kw_only=True, gc=False):
    """A chunk, a list of chunks, a delta or a bare fragment: one shape, so that each item is decoded once."""

    object: str | None = None
    created: Raw = ABSENT
    choices: list[_Choice] | None = None
    chunks: list[Raw] | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT
    tool_calls: list[_Fragment] | None = None
    content: Raw = ABSENT


_item = Shape(_Item)


class _Response:
    """One response, as far as it has come."""

    def __init__(self, into: Conversation, own: Any = None) -> None:
        self.into = into
        self.own: Any = object() if own is None else own
        self.calls = Fragments(into.warn)
        self.texts: list[str] = []
        self.finish: str | None = None
        self.others = False
        self.bare = False  # fragments alone never tell their end

    def add(self, delta: _Delta, place: str) -> None:
        """Take what a chunk adds."""
        text = delta.content or delta.refusal
        if text:
            self.texts.append(text)
        for index, piece in enumerate(delta.tool_calls or ()):
            self.fragment(piece, f"{under(place, 'tool_calls')}[{index}]")
        if delta.function_call is not None:
            call = delta.function_call
            where = under(place, "function_call")
            arguments = _given(self.into, where) if call.arguments is ABSENT else call.arguments
            self.calls.add("function_call", None, call.name, arguments, where)

    def fragment(self, piece: _Fragment, place: str) -> None:
        """Take a piece of a call."""
        function = piece.function or _Function()
        if piece.function is None and piece.type not in (None, "function"):
            self.into.warn(f"{place}: a tool call of the unknown kind {piece.type!r} was left out")
            return
        arguments = function.arguments
        if arguments is ABSENT and piece.function is not None:
            arguments = _given(self.into, under(place, "function"))
        self.calls.add(piece.index, piece.id, function.name, arguments, place)

    def tell(self) -> None:
        """Give what has come to the conversation."""
        if self.into.source(self.own):
            self.into.warn(
                f"the response {self.own[0]!r} was streamed twice; equal calls of it are read as one"
            )
        self.into.message()
        self.into.say("".join(self.texts) or None)
        ended = None if self.bare else self.finish not in (None, "length")
        self.calls.tell(self.into, ended=ended)


class Reader(RecordingReader):
    """Loose chunks are one recording, each list of chunks is one of its own."""

    format = DECLARATION.id

    def __init__(self) -> None:
        super().__init__()
        self._open: dict[Any, _Response] = {}
        self._last: _Response | None = None

    def traces(self) -> list[Trace]:
        """What was read, a trace for each recording; what has not finished is told as far as it came."""
        self._flush()
        return super().traces()

    def _flush(self) -> None:
        for response in dict.fromkeys(self._open.values()):
            response.tell()
        self._open, self._last = {}, None

    def _read(self, item: Node, place: str) -> None:
        self._take(_item(item, place), item, place)

    def _read_own(self, item: Node, place: str) -> bool:
        """Read an item that nobody could claim with more right: a chunk."""
        value = _item.attempt(item)
        if value is None or value.object != "chat.completion.chunk":
            return False
        self._take(value, item, place)
        return True

    def _take(self, value: _Item, item: Node, place: str) -> None:
        if value.chunks is not None:
            self._flush()
            into = self._all.document(value.chunks, id=named(value.case_id, value.custom_id, value.id))
            for index, node in enumerate(value.chunks):
                where = f"{under(place, 'chunks')}[{index}]"
                self._chunk(_item(node, where), where, into.at(node, where))
            self._flush()
        else:
            self._chunk(value, place, self._all.loose().at(item, place))

    def _chunk(self, value: _Item, place: str, into: Conversation) -> None:
        if value.choices is None:
            if value.tool_calls is None and value.function is None and not there(value.content):
                raise CallError("neither a chunk nor a fragment of a call", field=place)
            response = self._response("", into)
            response.bare = True
            if value.tool_calls is None and value.function is not None:
                response.fragment(value, place)
            else:
                content = value.content if there(value.content) else None
                text = _text(content)
                response.add(_Delta(content=text, tool_calls=value.tool_calls), place)
            return
        for number, choice in enumerate(value.choices):
            where = f"{under(place, 'choices')}[{number}]"
            new = choice.delta if choice.index in (None, 0) else None
            response = self._response(value.id or "", into, new=new, created=value.created)
            if choice.index not in (None, 0):
                if not response.others:
                    into.warn(f"{where}: several choices; only the first is read, the others did not happen")
                response.others = True
                continue
            if choice.delta is not None:
                response.add(choice.delta, under(where, "delta"))
            response.finish = choice.finish_reason or response.finish

    def _response(
        self, id: Any, into: Conversation, new: _Delta | None = None, created: Raw = ABSENT
    ) -> _Response:
        """The response that a chunk belongs to, by its id; without ids a new one begins after the end of one.

        Some servers give one id to all responses: after the end of one, a call in the place of another one is new.
        """
        known = self._open.get(id)
        if known is not None and known.finish is not None and new is not None:
            again = new.tool_calls or new.function_call or new.content
            if again if id == "" else _begins_again(new, known):
                self._open[object()] = self._open.pop(id)
                known = None
        if known is None and id != "" and self._last is not None and _goes_on(new, self._last):
            into.warn("the chunks of one response have different ids")
            self._open[id] = known = self._last
        if known is None:
            # Of an object from memory it is a number, and bytes of a number are that many.
            stamp = bytes(created) if isinstance(created, Raw) else repr(created)
            known = self._open[id] = _Response(into, (id, stamp) if id else None)
        self._last = known
        return known


def _given(into: Conversation, place: str) -> Node:
    """The arguments of a piece that has no such field, under another known name; mostly there are none.

    Raises:
        CallError: an unknown field that may hold them; a piece of text does so where its name is nearly a known one.
    """
    fields = value_at(into.origin, place)
    for key in fields if isinstance(fields, dict) else ():
        if key not in ("name", *ARGUMENT_KEYS) and isinstance(opened(fields[key]), str):
            near = nearest(key, ARGUMENT_KEYS)
            if near is not None:
                raise CallError(
                    f"unknown key {key} in a piece of a call", field=place, hint=f"nearest: {near}"
                )
    return given(ABSENT, into, place)


def _goes_on(delta: _Delta | None, last: _Response) -> bool:
    """Whether a chunk with a new id only goes on with a call: some servers make up an id for each chunk."""
    pieces = delta.tool_calls if delta is not None else None
    if not pieces or last.finish is not None or last.calls.empty:
        return False
    first = pieces[0]
    return not first.id and (first.function is None or not first.function.name)


def _begins_again(delta: _Delta, ended: _Response) -> bool:
    """Whether a chunk tells the name of a call in the place of one that is complete."""
    return any(
        piece.function is not None and piece.function.name and ended.calls.ends_with(piece.index, piece.id)
        for piece in delta.tool_calls or ()
    )


def _text(content: Node) -> str | None:
    value = opened(content)
    return value if isinstance(value, str) else None


def detect(glance: Glance) -> Evidence | None:
    """By `object`, by a `delta`, or by a fragment's `index`."""
    for path in ((), ("chunks", 0)):
        if path and "chunks" not in glance.keys:
            continue
        if glance.at(*path, "object") == "chat.completion.chunk":
            return Evidence(MARKED, "object: chat.completion.chunk")
        first = glance.at(*path, "choices", 0)
        if isinstance(first, dict) and "delta" in first:
            return Evidence(MARKED, "choices with a delta")
    if glance.at("choices") == [] and "prompt_filter_results" in glance.keys:
        return Evidence(MARKED, "choices that are empty beside prompt_filter_results: how Azure begins")
    if "index" in glance.keys and "role" not in glance.keys and isinstance(glance.at("function"), dict):
        return Evidence(SHAPED + 1, "a fragment with an index and a function")
    if "tool_calls" in glance.keys and "role" not in glance.keys:
        entry = Glance(glance.at("tool_calls", 0))
        if "index" in entry.keys and isinstance(entry.at("function"), dict):
            return Evidence(SHAPED + 1, "tool_calls of fragments with an index")
    return None
