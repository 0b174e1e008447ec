"""gemini: generateContent: parts with a `functionCall`, answered by a `functionResponse`; REST and Python spelling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Raw, Struct

from ..core.jsonvalue import same_value
from ..core.nodes import Node, opened, plain
from ..core.reading.adk import error_of, warn_of_unknown
from ..core.reading.callfields import read_call
from ..core.reading.chat import MOST_TAKEN, offer, there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHAPED, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, named
from ..core.reading.shapes import ABSENT, Shape
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="gemini",
    meaning="Gemini generateContent: a content, a request, a response, the pieces of a streamed response; as REST or "
    "as the Python library writes it",
    detected_by="`parts` without a type that hold text, functionCall or functionResponse; `contents`; `candidates`",
    name_at="parts[].functionCall.name (or function_call)",
    arguments_at="parts[].functionCall.args: an object, missing when empty",
    id_at="parts[].functionCall.id, often missing",
    result_at="the later part functionResponse with that id, else with that name, in order: its `response`; an `error` "
    "in it is the call's error",
    group_at="the parts of one content of role `model`",
    turn_at="contents of role `user` that hold more than function responses",
    cannot_carry="times; ids where they were not given; code that the provider ran is left out with a warning",
    example='{"contents": [{"role": "user", "parts": [{"text": "How warm is it in Oslo?"}]}, {"role": "model", '
    '"parts": [{"functionCall": {"name": "get_weather", "args": {"city": "Oslo"}}}]}]}',
    keys=frozenset({"parts", "contents", "candidates", "functionCall", "function_call", "functionResponse"})
    | {"function_response", "request", "response", "automaticFunctionCallingHistory"},
    source="Gemini API reference, generateContent; the google-genai library's types",
)

_ROLES: Final = frozenset({"user", "model", "function", "tool"})
_PART_KEYS: Final = frozenset(
    {"text", "functionCall", "function_call", "functionResponse", "function_response", "inlineData"}
    | {"inline_data", "fileData", "file_data", "executableCode", "executable_code", "thought"}
)
"""Fields of which a part has one where it is told by its parts."""


class _Call(Struct, kw_only=True, gc=False):
    name: str | None = None
    args: Raw = ABSENT
    id: str | None = None


class _Response(Struct, kw_only=True, gc=False):
    name: str | None = None
    response: Raw = ABSENT
    id: str | None = None


class _Part(Struct, kw_only=True, gc=False):
    """A part; both spellings are read into the same fields by the reader."""

    text: str | None = None
    thought: bool | None = None
    functionCall: _Call | None = None  # noqa: N815 - the fields' own spelling
    functionResponse: _Response | None = None  # noqa: N815
    function_call: _Call | None = None
    function_response: _Response | None = None
    executableCode: Raw = ABSENT  # noqa: N815
    executable_code: Raw = ABSENT
    type: Raw = ABSENT


class _Content(Struct, kw_only=True, gc=False):
    role: str | None = None
    parts: list[_Part] | None = None


class _Config(Struct, kw_only=True, gc=False):
    tools: Raw = ABSENT


class _Item(_Content, kw_only=True, gc=False):
    """A content, a part, or what holds contents: one shape, so that each item is decoded once."""

    contents: list[Raw] | dict[str, Raw] | str | None = None
    candidates: list[Raw] | None = None
    automaticFunctionCallingHistory: list[Raw] | None = None  # noqa: N815
    automatic_function_calling_history: list[Raw] | None = None
    tools: Raw = ABSENT
    config: _Config | None = None
    request: Raw = ABSENT
    response: Raw = ABSENT
    responseId: str | None = None  # noqa: N815
    response_id: str | None = None
    key: Raw = ABSENT
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Candidate(Struct, kw_only=True, gc=False):
    content: Raw = ABSENT
    finishReason: Raw = ABSENT  # noqa: N815
    finish_reason: Raw = ABSENT


class _Parts(Struct, kw_only=True, gc=False):
    parts: list[Raw] = []


class _RawPart(Struct, kw_only=True, gc=False):
    functionCall: Raw = ABSENT  # noqa: N815
    function_call: Raw = ABSENT


_content = Shape(_Content)
_part = Shape(_Part)
_item = Shape(_Item)
_candidate = Shape(_Candidate)
_parts = Shape(_Parts)
_raw_part = Shape(_RawPart)


class Reader(RecordingReader):
    """Loose contents are one recording, each request or response is one of its own."""

    format = DECLARATION.id

    def __init__(self) -> None:
        super().__init__()
        self._stream: Conversation | None = None  # of a response that has not finished
        self._said: list[str] = []
        self._in_parts = False

    def _read(self, item: Node, place: str) -> None:
        self._whole(_item(item, place), item, place)

    def _read_own(self, item: Node, place: str) -> bool:
        """Read an item that nobody could claim with more right: a content, or a request of such."""
        value = _item.attempt(item)
        if value is None:
            return False
        if value.parts is not None:
            if value.contents is not None or not _is_own(value):
                return False
        elif not isinstance(value.contents, list) or memoryview(item).nbytes > MOST_TAKEN:
            return False
        self._whole(value, item, place)
        return True

    def _whole(self, value: _Item, item: Node, place: str) -> None:
        in_parts, self._in_parts = self._in_parts, False
        if value.candidates is None:
            self._stream = None
        if value.contents is not None:
            self._request(value, place)
        elif there(value.request):
            where = under(place, "request")
            request = _item(value.request, where)
            if request.contents is None:
                raise CallError("a request without contents", field=where)
            into = self._request(request, where, _id_of(value))
            if there(value.response):
                where = under(place, "response")
                self._response(_item(value.response, where), value.response, where, into, ())
        elif there(value.response):
            where = under(place, "response")
            self._response(_item(value.response, where), value.response, where, None, (), id=_id_of(value))
        elif value.candidates is not None or _history(value) is not None:
            self._response(value, item, place, None, ())
        elif value.parts is not None:
            self._take(value, item, place, self._all.loose())
        else:
            self._bare(item, place, first=not in_parts)

    def _bare(self, item: Node, place: str, *, first: bool) -> None:
        into = self._all.loose()
        part = _part(item, place)
        call, answer = (
            part.functionCall or part.function_call,
            part.functionResponse or part.function_response,
        )
        if call is None and answer is None and part.text is None:
            raise CallError("neither a content nor a part with a call", field=place)
        if first:
            into.message()
        self._in_parts = True
        if call is not None:
            into.call(call.name, _arguments(call, item, place), place=place, id=call.id, merge=False)
        elif answer is not None:
            _answer(answer, place, into)

    def _request(self, value: _Item, place: str, id: str | None = None) -> Conversation:
        # One content or text may stand without its list.
        contents: Sequence[Node] = value.contents if isinstance(value.contents, list) else [value.contents]
        into = self._all.document(contents, id=id or _id_of(value))
        offer(into, value.tools, under(place, "tools"))
        if value.config is not None:
            offer(into, value.config.tools, under(place, "config.tools"))
        at = under(place, "contents")
        for index, node in enumerate(contents):
            where = f"{at}[{index}]"
            text = opened(node) if _is_text(node) else None
            if text is None:
                self._take(_content(node, where), node, where, into)
            else:
                into.user(text)
        if value.candidates is not None:
            self._response(value, ABSENT, place, into, contents)
        return into

    def _response(
        self,
        value: _Item,
        item: Node,
        place: str,
        into: Conversation | None,
        known: Sequence[Node],
        id: str | None = None,
    ) -> None:
        history = _history(value) or ()
        if history and into is not None:
            into.again()  # it begins with the contents of the request
        into = into or self._stream or self._all.document([item], id=id or _id_of(value))
        for index, node in enumerate(history):
            where = f"{under(place, 'automatic_function_calling_history')}[{index}]"
            self._take(_content(node, where), node, where, into)
        into.news()
        candidates = value.candidates or ()
        if len(candidates) > 1:
            into.warn(
                f"{place}: {len(candidates)} candidates; only the first is read, the others did not happen"
            )
        where = f"{under(place, 'candidates')}[0]"
        first = _candidate(candidates[0], where) if candidates else None
        if first is None or not there(first.content) or _is_in(first.content, known):
            return
        where = under(where, "content")
        content = _content(first.content, where)
        self._agent(content, first.content, where, into, begin=into is not self._stream)
        if there(first.finishReason) or there(first.finish_reason):
            self._stream, self._said = None, []
        elif not known and item is not ABSENT:
            self._stream = into

    def _take(self, value: _Content, item: Node, place: str, into: Conversation) -> None:
        role = value.role
        calls = any(part.functionCall or part.function_call for part in value.parts or ())
        if role == "model" or (role is None and calls):
            self._agent(value, item, place, into, begin=True)
        elif role is None or role in _ROLES:
            self._user(value, item, place, into)
        else:
            raise CallError(f"a content of the unknown role {role!r}", field=place)

    def _user(self, value: _Content, item: Node, place: str, into: Conversation) -> None:
        texts: list[str] = []
        others = 0
        for index, part in enumerate(value.parts or ()):
            answer = part.functionResponse or part.function_response
            if answer is not None:
                _answer(answer, f"{place}.parts[{index}]".lstrip("."), into)
                continue
            others += 1
            if part.functionCall is not None or part.function_call is not None:
                raise CallError(
                    f"a content of role {value.role} with a call", field=f"{place}.parts[{index}]"
                )
            if part.text is not None:
                texts.append(part.text)
            if not part.text:
                warn_of_unknown(_nth(item, index, place), f"{place}.parts[{index}]", into)
        if others and value.role not in ("function", "tool"):
            into.user("".join(texts) if texts else None)

    def _agent(self, value: _Content, item: Node, place: str, into: Conversation, *, begin: bool) -> None:
        if begin:
            into.message()
            self._said = []
        for index, part in enumerate(value.parts or ()):
            call = part.functionCall or part.function_call
            if call is not None:
                where = f"{place}.parts[{index}]".lstrip(".")
                node = _nth(item, index, place) if call.args is ABSENT else None
                into.call(call.name, _arguments(call, node, where), place=where, id=call.id)
                continue
            if part.text is not None and not part.thought:
                self._said.append(part.text)
            if there(part.executableCode) or there(part.executable_code):
                into.warn(f"{place}.parts[{index}]: code that the provider ran was left out")
            elif not part.text:
                warn_of_unknown(_nth(item, index, place), f"{place}.parts[{index}]", into)
        if self._said:
            into.say("".join(self._said))


def _nth(item: Node, index: int, place: str) -> Node:
    """A part as it was recorded."""
    return _parts(item, place).parts[index]


def _id_of(value: _Item) -> str | None:
    """What stands beside a request or a response; the lines of a batch have a `key`."""
    return named(value.case_id, value.custom_id, value.key, value.id)


def _is_text(node: Node) -> bool:
    return bytes(memoryview(node)[:1]) == b'"' if isinstance(node, Raw) else isinstance(node, str)


def _history(value: _Item) -> list[Raw] | None:
    """What the Python library did by itself before the response: it calls functions on its own."""
    if value.automatic_function_calling_history is not None:
        return value.automatic_function_calling_history
    return value.automaticFunctionCallingHistory


def _arguments(call: _Call, part: Node, place: str) -> Any:
    """The arguments; where there are none, what else is there must not be some under a misspelled name."""
    if call.args is not ABSENT:
        return call.args
    raw = _raw_part(part, place)
    fields = opened(raw.functionCall if there(raw.functionCall) else raw.function_call)
    return read_call(fields, place).raw


def _answer(answer: _Response, place: str, into: Conversation) -> None:
    response = answer.response
    error = error_of(response)
    into.answer(
        response if there(response) else None,
        place=place,
        id=answer.id,
        name=answer.name,
        error=error,
        status=None if error is None else "error",
    )


def _is_in(content: Node, contents: Sequence[Node]) -> bool:
    """Whether a response stands in the history beside it: one that ends with what the model said is complete."""
    last = opened(contents[-1]) if contents else None
    if not isinstance(last, dict) or opened(last.get("role")) != "model":
        return False
    own = plain(content)
    return any(same_value(plain(known), own) for known in contents)


def _is_own(value: _Content) -> bool:
    return value.role in _ROLES and all([part.type is ABSENT for part in value.parts or ()])  # noqa: C419


def detect(glance: Glance) -> Evidence | None:
    """By `contents`, `candidates`, or parts that hold a call, an answer or text and have no type."""
    for path in ((), ("request",), ("response",)):
        if path and path[0] not in glance.keys:
            continue
        first = glance.at(*path, "candidates", 0)
        if isinstance(first, dict) and ("content" in first or "finishReason" in first):
            return Evidence(MARKED, "candidates with a content")
        contents = glance.at(*path, "contents")
        if isinstance(contents, list | tuple) and contents:
            parts = glance.at(*path, "contents", 0, "parts")
            if isinstance(parts, list | tuple) or isinstance(glance.at(*path, "contents", 0), str):
                return Evidence(MARKED, "contents with parts")
    for history in ("automatic_function_calling_history", "automaticFunctionCallingHistory"):
        if history in glance.keys and "candidates" in glance.keys:
            return Evidence(MARKED, history)
    if "parts" in glance.keys:
        return _by_parts(glance)
    for key in ("functionCall", "functionResponse", "function_call", "function_response"):
        held = Glance(glance.at(key)) if key in glance.keys and "role" not in glance.keys else None
        if held is not None and "name" in held.keys and "arguments" not in held.keys:
            return Evidence(SHAPED + 1, f"a part with a {key}")
    return None


def _by_parts(glance: Glance) -> Evidence | None:
    if "role" in glance.keys and glance.word("role") not in _ROLES:
        return None
    for part in glance.each("parts", most=3):
        if "type" in part or "part_kind" in part or "kind" in part or not _PART_KEYS & part.keys():
            return None
        return Evidence(SHAPED, "a content whose parts have no type")
    return None
