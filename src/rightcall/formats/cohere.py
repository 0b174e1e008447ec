"""cohere: Cohere's chat, version 2 with `tool_plan`, and version 1 with `chat_history`."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw, Struct

from ..core.jsonvalue import show
from ..core.nodes import Node, opened, plain
from ..core.reading.chat import ChatReader, offer, there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHAPED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.recording import named
from ..core.reading.shapes import ABSENT, Shape
from ..core.reading.telling import CHAT_ROLES, first_entry, function_of, looks_plain
from ..core.reading.unanswered import error_of
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="cohere",
    meaning="Cohere's chat: messages, a request and a response of version 2, and those of version 1",
    detected_by="a message with a `tool_plan`; in version 1 a `chat_history`, a `generation_id`, or a "
    "request with one `message`",
    name_at="tool_calls[].function.name; in version 1 tool_calls[].name",
    arguments_at="tool_calls[].function.arguments: JSON text; in version 1 tool_calls[].parameters: an object",
    id_at="tool_calls[].id; none in version 1",
    result_at="the later message of role `tool` with that tool_call_id: the data of its document, or its text; "
    "in version 1 tool_results[].outputs, by the call's name and order",
    group_at="the entries of one tool_calls list",
    turn_at="messages of role `user`",
    cannot_carry="times, whether a call failed; the plan before a call is not kept",
    example='{"messages": [{"role": "user", "content": "How warm is it in Oslo?"}, {"role": "assistant", '
    '"tool_plan": "I will look it up.", "tool_calls": [{"id": "get_weather_1", "type": "function", '
    '"function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}]}]}',
    keys=frozenset({"role", "tool_calls", "tool_plan", "messages", "request", "message", "chat_history"})
    | {"generation_id"},
    family="chat",
    source="Cohere API reference, chat (version 2 and version 1)",
)

_V1_ROLES: Final = frozenset({"USER", "CHATBOT", "SYSTEM", "TOOL"})


class _Called(Struct, kw_only=True, gc=False):
    name: str | None = None
    parameters: Raw = ABSENT


class _Result(Struct, kw_only=True, gc=False):
    call: _Called | None = None
    outputs: list[Raw] | None = None


class _Turn(Struct, kw_only=True, gc=False):
    """Version 1: an entry of the history."""

    role: str | None = None
    message: str | None = None
    tool_calls: list[_Called] | None = None
    tool_results: list[_Result] | None = None


class _Chat(Struct, kw_only=True, gc=False):
    """Version 1: a request, or a response."""

    chat_history: list[Raw] | None = None
    message: str | None = None
    text: str | None = None
    tool_calls: list[_Called] | None = None
    tool_results: list[_Result] | None = None
    tools: Raw = ABSENT
    conversation_id: str | None = None
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Pair(Struct, kw_only=True, gc=False):
    """A request and a response; the request is read by itself."""

    response: Raw = ABSENT
    error: Raw = ABSENT
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


_turn = Shape(_Turn)
_pair = Shape(_Pair)
_chat = Shape(_Chat)


class Reader(ChatReader):
    """See :class:`ChatReader`; items of version 1 are read here."""

    format = DECLARATION.id

    calls_under = "tool_plan"

    @staticmethod
    def is_own(value: Any) -> bool:
        """A message with a plan, or one whose parts hold no mark of another format."""
        if not (value.parts is value.blocks is value.toolInvocations is ABSENT) or value.function_call:
            return False
        if value.role == "tool":
            return value.tool_call_id is not None
        if value.role != "assistant":
            return value.role in ("system", "user") and isinstance(value.content, str)
        content = value.content
        if isinstance(content, list):
            return all([_is_prose(part) for part in content])  # noqa: C419 - faster
        return content is None or (isinstance(content, str) and _is_prose(content))

    def _read(self, item: Node, place: str) -> None:
        glance = Glance(item)
        if _v1_request(glance) is not None:
            self._v1_pair(glance, item, place)
        elif _is_v1(glance):
            self._chat(_chat(item, place), item, place)
        elif glance.word("role") in _V1_ROLES:
            self._turn(_turn(item, place), place, self._all.loose())
        else:
            super()._read(item, place)

    def _chat(self, value: _Chat, item: Node, place: str) -> None:
        history = value.chat_history or []
        into = self._all.document(
            history or [item], id=named(value.case_id, value.custom_id, value.conversation_id, value.id)
        )
        last = self._asked(value, place, into)
        if last.role == "CHATBOT" and value.message is None and value.tool_results is None:
            return  # a response whose history ends with itself
        if value.text is not None or value.tool_calls is not None:
            _agent(value.text, value.tool_calls, place, into)

    def _v1_pair(self, glance: Glance, item: Node, place: str) -> None:
        """A request of version 1 and what was answered to it."""
        body = "body" in Glance(glance.at("request")).keys
        where = under(place, "request.body" if body else "request")
        node = glance.at("request", "body") if body else glance.at("request")
        request, pair = _chat(node, where), _pair(item, place)
        # With its message it is what the history of a later request begins with.
        asks = [] if not request.message else [{"role": "USER", "message": request.message}]
        own = named(pair.case_id, pair.custom_id, pair.id, request.conversation_id)
        into = self._all.document([*(request.chat_history or ()), *asks], id=own)
        self._asked(request, where, into)
        where, response = under(place, "response"), pair.response
        if there(response) and "body" in Glance(response).keys:
            where, response = under(where, "body"), opened(response)["body"]
        answer = _chat(response, where) if isinstance(opened(response), dict) else _Chat()
        if answer.text is None and answer.tool_calls is None:
            said = error_of(pair.response, pair.error) or (plain(response) if there(response) else None)
            into.unanswered = f"{place}: a request without a response" + (
                f" ({show(said, 200)})" if said else ""
            )
        else:
            into.source(object())  # an answer is no part of the history before it
            _agent(answer.text, answer.tool_calls, where, into)

    def _asked(self, value: _Chat, place: str, into: Conversation) -> _Turn:
        """What a request of version 1 holds; the last entry of its history."""
        offer(into, value.tools, under(place, "tools"))
        last = _Turn()
        for index, node in enumerate(value.chat_history or ()):
            where = f"{under(place, 'chat_history')}[{index}]"
            last = _turn(node, where)
            self._turn(last, where, into)
        if value.message or (value.message is not None and not value.tool_results):
            into.user(value.message)
        _answer(value.tool_results, under(place, "tool_results"), into)
        return last

    def _turn(self, value: _Turn, place: str, into: Conversation) -> None:
        if value.role == "USER":
            into.user(value.message)
        elif value.role == "CHATBOT":
            _agent(value.message, value.tool_calls, place, into)
        elif value.role not in _V1_ROLES:
            raise CallError(f"a message of the unknown role {value.role!r}", field=place)
        _answer(value.tool_results, under(place, "tool_results"), into)


def _agent(text: str | None, calls: list[_Called] | None, place: str, into: Conversation) -> None:
    into.message()
    into.say(text or None)
    for index, call in enumerate(calls or ()):
        into.call(call.name, call.parameters, place=f"{under(place, 'tool_calls')}[{index}]")


def _answer(results: list[_Result] | None, place: str, into: Conversation) -> None:
    for index, result in enumerate(results or ()):
        outputs = [plain(output) for output in result.outputs or ()]
        name = result.call.name if result.call is not None else None
        into.answer(outputs[0] if len(outputs) == 1 else outputs, place=f"{place}[{index}]", name=name)


def _is_prose(part: Raw | str) -> bool:
    """Whether a text, or a part, surely holds no call in a text style."""
    if isinstance(part, str):
        return not ("<" in part or "[TOOL" in part or "Action:" in part or "Call:" in part or "\\u" in part)
    data = bytes(part)
    return not (b"<" in data or b"[TOOL" in data or b"Action:" in data or b"Call:" in data or b"\\u" in data)


def _is_v1(glance: Glance) -> bool:
    return isinstance(glance.at("chat_history"), list | tuple) or (
        "generation_id" in glance.keys and "text" in glance.keys
    )


def _v1_request(glance: Glance) -> Glance | None:
    """The request of version 1 in a pair: its one message is a text, where others have a list of messages."""
    if "request" not in glance.keys:
        return None
    request = Glance(glance.at("request"))
    if "body" in request.keys:
        request = Glance(request.at("body"))
    if "messages" in request.keys or not isinstance(request.at("message"), str):
        return None
    response = Glance(glance.at("response"))
    response = Glance(response.at("body")) if "body" in response.keys else response
    told = request.keys & {"chat_history", "preamble", "tool_results", "connectors", "conversation_id"}
    told |= response.keys & {"generation_id", "chat_history"}
    called = Glance(response.at("tool_calls", 0))
    return request if told or "parameters" in called.keys else None


def detect(glance: Glance) -> Evidence | None:
    """By the words that only Cohere has."""
    if _v1_request(glance) is not None:
        return Evidence(MARKED, "a request with one message, and a chat_history or calls with parameters")
    if _is_v1(glance):
        return Evidence(MARKED, "a chat_history, or a text with a generation_id")
    if glance.word("role") in _V1_ROLES and glance.keys & {"message", "tool_results", "tool_calls"}:
        return Evidence(SHAPED, f"the role {glance.at('role')}")
    message = glance.at("message") if "message" in glance.keys else None
    inner = Glance(message) if isinstance(message, dict) else glance
    if "tool_plan" in inner.telling:
        return Evidence(SHAPED + 1, "a message with a tool_plan")
    if function_of(first_entry(inner)) is not None:
        return Evidence(WOULD_DO, "tool_calls with a `function` object")
    if looks_plain(inner, CHAT_ROLES):
        return Evidence(WOULD_DO, "a message with a role")
    return None
