"""mcp: the JSON-RPC messages between an MCP client and a server, as they were logged."""

from __future__ import annotations

from typing import Final

from msgspec import Raw, Struct

from ..core.nodes import Node, kept, opened, plain
from ..core.reading.chat import offer, output_of, there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, Evidence, FormatDeclaration, Taken
from ..core.reading.given import value_at
from ..core.reading.glance import Glance
from ..core.reading.recording import list_of
from ..core.reading.shapes import ABSENT, Shape
from ..core.types import Trace
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="mcp",
    meaning="Model Context Protocol: JSON-RPC requests `tools/call` and their responses, in any order",
    detected_by="`jsonrpc` 2.0",
    name_at="params.name of a request `tools/call`",
    arguments_at="params.arguments: an object, which may be missing",
    id_at="the request's `id`",
    result_at="the response with that id: result.structuredContent, else result.content; isError; or error",
    cannot_carry="turns, parallel calls, the agent's text and times",
    example='[{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_weather", '
    '"arguments": {"city": "Oslo"}}}, {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", '
    '"text": "4 degrees"}]}}]',
    keys=frozenset({"jsonrpc"}),
    source="Model Context Protocol specification, tools",
)

_CALL: Final = "tools/call"
_VERSION: Final = Raw(b'"2.0"')


class _Params(Struct, kw_only=True, gc=False):
    name: str | None = None
    arguments: Raw = ABSENT


class _Result(Struct, kw_only=True, gc=False):
    content: Raw = ABSENT
    structuredContent: Raw = ABSENT  # noqa: N815 - the protocol's own spelling
    structured_content: Raw = ABSENT
    isError: bool | None = None  # noqa: N815
    is_error: bool | None = None
    tools: Raw = ABSENT


class _Message(Struct, kw_only=True, gc=False):
    jsonrpc: Raw = ABSENT
    id: str | int | float | None = None
    method: str | None = None
    params: Raw = ABSENT
    result: Raw = ABSENT
    error: Raw = ABSENT


class _Whole(Struct, kw_only=True, gc=False):
    """A message that is decoded in one go."""

    jsonrpc: str
    id: str | int | float | None = None
    method: str | None = None
    params: _Params | None = None
    result: _Result | None = None
    error: Raw = ABSENT


_message = Shape(_Message)
_whole = Shape(_Whole)
_EVIDENCE: Final = Evidence(MARKED, "jsonrpc: 2.0")
_params = Shape(_Params)
_result = Shape(_Result)


def _is_message(message: _Whole) -> bool:
    return message.jsonrpc == "2.0" and (
        message.method is not None or (message.id is not None and message.result is not None)
    )


def detect(glance: Glance) -> Evidence | None:
    """By the protocol's version, which every message carries."""
    return _EVIDENCE if glance.at("jsonrpc") == "2.0" else None


class Reader:
    """Joins responses with their requests, whichever comes first; an `initialize` begins a new recording."""

    def __init__(self) -> None:
        self._into = Conversation()
        self._finished: list[Trace] = []
        self._asked: dict[str | int | float, str] = {}
        self._early: dict[str | int | float, tuple[_Message | _Whole, str]] = {}
        self._origin: tuple[Node, str] = (None, "")

    def feed(self, item: Node, place: str) -> None:
        """Take one more message, or a batch of them.

        Raises:
            CallError: a call without a name, or a field of another kind than it should be.
        """
        value = opened(item)
        if isinstance(value, list | tuple):
            for index, inner in enumerate(value):
                self._take(_message(inner, f"{place}[{index}]"), f"{place}[{index}]")
        else:
            self._take(_message(item, place), place)

    def take(self, item: Node, place: str) -> bool:
        """Read a message that nobody could claim with more right."""
        value = _message.attempt(item)
        if value is None or value.jsonrpc != _VERSION:
            return False
        if value.method is None and (value.id is None or value.result is ABSENT):
            return False
        self._take(value, place)
        return True

    def take_list(self, items: Raw, place: str) -> Taken | None:
        """Messages, if each is a request, a notification or a response with a result."""
        messages = list_of(_whole, items, _is_message)
        if messages is None:
            return None
        self._origin = items, place
        for index, message in enumerate(messages):
            self._take(message, f"{place}[{index}]")
        return Taken(len(messages), _EVIDENCE)

    def traces(self) -> list[Trace]:
        """A trace for each session."""
        self._end()
        return self._finished

    def _end(self) -> None:
        if not self._into.empty or self._asked:
            self._finished.append(self._into.trace(DECLARATION.id))
        self._into = Conversation()
        self._asked, self._early = {}, {}

    def _take(self, message: _Message | _Whole, place: str) -> None:
        if message.method == _CALL:
            self._call(message, place)
        elif message.method is not None:
            if message.method == "initialize":
                self._end()
            if message.id is not None:
                self._asked[message.id] = message.method
        elif message.id is not None:
            self._answer(message, place)

    def _call(self, message: _Message | _Whole, place: str) -> None:
        self._into.place = self._into.place or place
        where = under(place, "params")
        params = message.params
        if type(params) is not _Params:
            if not there(params):
                raise CallError("a call without a name (it has no params)", field=place)
            params = _params(params, where)
        arguments = kept(params.arguments)
        self._into.message()
        self._into.call(params.name, arguments, place=where, id=message.id)
        if message.id is None:
            return  # a notification: nobody will answer
        self._asked[message.id] = _CALL
        early = self._early.pop(message.id, None)
        if early is not None:
            self._answer(*early)

    def _answer(self, message: _Message | _Whole, place: str) -> None:
        own = message.id
        assert own is not None  # noqa: S101 - so the caller saw
        failed = there(message.error)
        result = message.result if type(message.result) is _Result else _result.attempt(message.result)
        if result is None:
            result = _Result()
            if not failed and isinstance(opened(message.result), dict):
                result = _result(message.result, under(place, "result"))
        if there(result.tools):
            offer(self._into, result.tools, under(place, "result.tools"))
        elif self._asked.get(own) == _CALL:
            self._output(message, result, place, failed=failed)
        elif own not in self._asked:
            if type(message) is _Message:
                message = _Message(id=own, result=kept(message.result), error=kept(message.error))
            self._early[own] = message, place

    def _output(self, message: _Message | _Whole, result: _Result, place: str, *, failed: bool) -> None:
        structured = (
            result.structuredContent if there(result.structuredContent) else result.structured_content
        )
        if failed:
            self._into.answer(None, place=place, id=message.id, error=plain(message.error), status="error")
            return
        output = kept(structured) if there(structured) else kept(output_of(result.content))
        if output is None and not there(result.content):
            whole = type(message) is _Whole
            output = kept(value_at(self._origin, place)["result"] if whole else message.result)
        status = "error" if result.isError or result.is_error else None
        self._into.answer(output, place=place, id=message.id, status=status)
