"""Messages with `tool_calls`, as OpenAI writes them and many others after it: read once, for all of them.

A format file names itself and says how it is told; what differs between these formats differs in what is there
(ids, arguments as text or object, how a tool's answer refers to its call), and all of it is read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from msgspec import Raw, Struct

from ...errors import CallError
from ..jsonvalue import show
from ..nodes import Node, Within, is_text, opened
from ..types import ToolCall
from .callfields import NAME_KEYS, read_call
from .contents import Content, custom_call, output_of, text_of_content, under
from .conversation import Conversation
from .offering import offer, there
from .recording import MOST_TAKEN, Decoded, RecordingReader, named, whole_of
from .shapes import ABSENT, Shape
from .strays import look_for_calls, refuse_stray
from .unanswered import error_of, in_error

__all__ = [
    "MOST_TAKEN",
    "ChatReader",
    "Content",
    "custom_call",
    "offer",
    "output_of",
    "text_of_content",
    "there",
    "under",
]

_SILENT_ROLES: Final = frozenset({"system", "developer"})
_USER_ROLES: Final = frozenset({"user", "human"})
_AGENT_ROLES: Final = frozenset({"assistant", "model", "ai", "chatbot"})
_TOOL_ROLES: Final = frozenset({"tool", "function", "ipython"})
_LONG: Final = 1000
"""Characters of an answer from which on it is looked up when asked for, instead of being held."""


class _Function(Struct, kw_only=True, gc=False):
    """Its last fields are other words for the arguments, which may not differ from these."""

    name: str | None = None
    arguments: Raw = ABSENT
    args: Raw = ABSENT
    input: Raw = ABSENT
    parameters: Raw = ABSENT
    params: Raw = ABSENT
    kwargs: Raw = ABSENT


class _Entry(Struct, kw_only=True, gc=False):
    """An entry of `tool_calls`."""

    id: str | int | None = None
    type: str | None = None
    function: _Function | str | None = None
    custom: Raw = ABSENT


class _Spoken(Struct, kw_only=True, gc=False):
    """What all messages may have."""

    role: str | None = None
    content: Content = None
    refusal: str | None = None
    tool_calls: list[_Entry] | None = None
    function_call: _Function | str | None = None
    tool_call_id: str | int | None = None
    name: str | None = None
    tool_name: str | None = None
    tool_plan: Raw = ABSENT


class _Message(_Spoken, kw_only=True, gc=False):
    """A message. Its last fields are only looked at: they belong to other formats, or to calls in no known shape."""

    type: Raw = ABSENT
    parts: Raw = ABSENT
    blocks: Raw = ABSENT
    toolInvocations: Raw = ABSENT  # noqa: N815 - the field's own spelling
    arguments: Raw = ABSENT
    args: Raw = ABSENT
    input: Raw = ABSENT
    parameters: Raw = ABSENT
    params: Raw = ABSENT
    kwargs: Raw = ABSENT
    tool_input: Raw = ABSENT
    toolInput: Raw = ABSENT  # noqa: N815 - the field's own spelling
    action_input: Raw = ABSENT


class _Item(_Message, kw_only=True, gc=False):
    """A message, or what holds messages: one shape, so that each item is decoded once."""

    messages: list[Raw] | None = None
    tools: Raw = ABSENT
    functions: Raw = ABSENT
    choices: list[Raw] | None = None
    message: Raw = ABSENT
    request: Raw = ABSENT
    response: Raw = ABSENT
    body: Raw = ABSENT
    error: Raw = ABSENT
    id: str | int | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Decoded(_Spoken, kw_only=True, gc=False, forbid_unknown_fields=True):
    """A message of a document that is decoded in one go; an answer's text stays raw, since nobody may ask for it.

    One with any other field is looked at more closely, since that might hold a call.
    """

    content: Raw = ABSENT  # type: ignore[assignment]
    id: Raw = ABSENT
    annotations: Raw = ABSENT
    audio: Raw = ABSENT
    reasoning_content: Raw = ABSENT
    parts: ClassVar[Raw] = ABSENT
    blocks: ClassVar[Raw] = ABSENT
    toolInvocations: ClassVar[Raw] = ABSENT  # noqa: N815 - as in `_Message`
    arguments: ClassVar[Raw] = ABSENT
    args: ClassVar[Raw] = ABSENT
    input: ClassVar[Raw] = ABSENT
    parameters: ClassVar[Raw] = ABSENT
    params: ClassVar[Raw] = ABSENT
    kwargs: ClassVar[Raw] = ABSENT
    tool_input: ClassVar[Raw] = ABSENT
    toolInput: ClassVar[Raw] = ABSENT  # noqa: N815 - as in `_Message`
    action_input: ClassVar[Raw] = ABSENT


_AnyMessage = _Message | _Decoded


class _Whole(_Item, kw_only=True, gc=False):
    messages: list[_Decoded]  # type: ignore[assignment]


class _Choice(Struct, kw_only=True, gc=False):
    message: Raw = ABSENT


class _Loose(Struct, kw_only=True, gc=False):
    """The calls of a message as they are, where they are not written as OpenAI does."""

    tool_calls: list[Raw] = []
    function_call: Raw = ABSENT


_item = Shape(_Item)
_message = Shape(_Message)
_whole = Shape(_Whole)
_choice = Shape(_Choice)
_loose = Shape(_Loose)


class ChatReader(RecordingReader):
    """Reads messages, documents with messages, responses, and pairs of request and response.

    Attributes:
        format: id of the format that it reads.
        calls_under: the field of a message that shows this format.
    """

    format: ClassVar[str] = "openai_chat"
    calls_under: ClassVar[str] = "tool_calls"

    def __init__(self) -> None:
        super().__init__()
        self._holds = False  # whether the last item was a document that held its messages

    def _read(self, item: Node, place: str) -> None:
        self._item(item, place, None)

    def take(self, item: Node, place: str) -> bool:
        """Read an item that nobody could claim with more right: a plain message, or a document of such."""
        self._all.place = place
        if self._holds and self._take_whole(item, place):
            return True
        value = _item.attempt(item)
        if value is None:
            return False
        self._holds = value.messages is not None
        if value.role is not None:
            if value.messages is not None or value.type is not ABSENT or not _is_own(value):
                return False
            self._message(value, item, place, self._all.loose())
            return True
        if value.messages is None or value.request is not ABSENT or memoryview(item).nbytes > MOST_TAKEN:
            return False
        messages = [_message.attempt(message) for message in value.messages]
        if not all(message is not None and self.is_own(message) for message in messages):
            return False
        if not any(there(getattr(message, self.calls_under)) for message in messages):
            return False
        self._document(value, place, None, None, messages)
        self._all.done = True
        return True

    def _take_whole(self, item: Node, place: str) -> bool:
        """Read a document whose messages can be decoded in one go; False, and nothing read, if they can't."""
        value = whole_of(_whole, item)
        if value is None or value.role is not None or value.request is not ABSENT:
            return False
        shown, is_own, calls_under = False, self.is_own, self.calls_under
        for message in value.messages:
            if message.role not in _TOOL_ROLES:
                message.content = opened(message.content)
            if not _is_complete(message) or not is_own(message):
                return False
            shown = shown or there(getattr(message, calls_under))
        if not shown:
            return False
        messages = Decoded(value.messages, item, "messages")
        into = self._all.document(messages, id=named(value.case_id, value.custom_id, value.id))
        self._offered(value, place, into)
        at = under(place, "messages")
        for index, message in enumerate(value.messages):
            self._message(message, ABSENT, f"{at}[{index}]", into)
        if there(value.message) or value.choices is not None:
            self._response(value, ABSENT, place, into, None)
        self._all.done = True
        return True

    @staticmethod
    def is_own(value: _AnyMessage) -> bool:
        """Whether a message is surely one of these formats and nobody else's."""
        return _is_own(value)

    def _item(self, item: Node, place: str, into: Conversation | None, id: str | None = None) -> None:
        value = _item(item, place)
        own = named(value.case_id, value.custom_id) or id
        if value.messages is not None:
            self._document(value, place, into, own)
        elif there(value.request):
            self._pair(value, place, own)
        elif there(value.custom_id) and value.role is None and in_error(value.response, value.error):
            self._unanswered(value, item, place, into, own)
        elif there(value.response) or there(value.body):
            field = "response" if there(value.response) else "body"
            # What holds it has an id of its own, the request's, and an answer another one.
            self._item(getattr(value, field), under(place, field), into, own)
        elif value.choices is not None or there(value.message):
            self._response(value, item, place, into, own)
        elif there(value.custom_id) and value.role is None:
            self._unanswered(value, item, place, into, own)
        elif value.role is None and value.tool_calls is None and value.function_call is None:
            self._bare(item, place, into or self._all.loose())
        else:
            self._message(value, item, place, into or self._all.loose())

    def _document(
        self,
        value: _Item,
        place: str,
        into: Conversation | None,
        id: str | None,
        decoded: Sequence[_AnyMessage | None] | None = None,
    ) -> Conversation:
        messages = value.messages or []
        own = id or named(value.case_id, value.custom_id, value.id)
        into = into or self._all.document(messages, id=own)
        self._offered(value, place, into)
        at = under(place, "messages")
        for index, message in enumerate(messages):
            where = f"{at}[{index}]"
            known = decoded[index] if decoded is not None else None
            self._message(known or _message(message, where), message, where, into)
        if there(value.message) or value.choices is not None:
            self._response(value, ABSENT, place, into, None)
        return into

    def _offered(self, value: _Item, place: str, into: Conversation) -> None:
        if value.tools is not ABSENT:
            offer(into, value.tools, under(place, "tools"))
        if value.functions is not ABSENT:
            offer(into, value.functions, under(place, "functions"))

    def _pair(self, value: _Item, place: str, id: str | None) -> None:
        where = under(place, "request")
        request = _item(value.request, where)
        if request.messages is None and there(request.body):
            where = under(where, "body")
            request = _item(request.body, where)
        if request.messages is None:
            raise CallError("a request without messages", field=where)
        into = self._document(request, where, None, id or named(value.id))
        if there(value.response) and not in_error(value.response, value.error):
            self._item(value.response, under(place, "response"), into)
        elif there(value.response) or there(value.error):
            self._unanswered(value, ABSENT, place, into, None)

    def _unanswered(
        self, value: _Item, item: Node, place: str, into: Conversation | None, id: str | None
    ) -> None:
        """A request to which nothing was answered, or an error: that is no answer without calls."""
        into = into or self._all.document([item], id=id)
        said = error_of(value.response, value.error)
        into.unanswered = f"{place}: a request without a response" + (f" ({show(said, 200)})" if said else "")

    def _response(
        self, value: _Item, item: Node, place: str, into: Conversation | None, id: str | None
    ) -> None:
        if value.choices is None:
            where, message = under(place, "message"), value.message
        else:
            where, message = f"{under(place, 'choices')}[0].message", ABSENT
            if value.choices:
                message = _choice(value.choices[0], f"{under(place, 'choices')}[0]").message
        into = into or self._all.document([item], id=id or named(value.id))
        if value.choices and len(value.choices) > 1:
            into.warn(
                f"{place}: {len(value.choices)} choices; only the first is read, the others did not happen"
            )
        if there(message):
            into.source(object())  # an answer is no part of the history before it
            self._message(_message(message, where), message, where, into)

    def _bare(self, item: Node, place: str, into: Conversation) -> None:
        fields = opened(item)
        if "tool_calls" in fields or "content" in fields:
            self._message(_message(item, place), item, place, into)
            return
        function = opened(fields["function"]) if "function" in fields else None
        if "function" in fields and function is None:
            raise CallError("a call without a name (its function is null)", field=place)
        inner = function if isinstance(function, dict) else None
        # In a plain list of calls an id merges nothing: it is no history.
        self._take(read_call(fields, place, inner=inner), place, into, merge=False)

    def _take(self, call: ToolCall, place: str, into: Conversation, *, merge: bool = True) -> None:
        into.call(
            call.name,
            call.raw,
            place=place,
            id=call.id,
            group=call.group,
            output=call.raw_output,
            error=call.error,
            status=call.status,
            start=call.start,
            span_id=call.span_id,
            turn=call.turn,
            merge=merge,
        )

    def _message(self, value: _AnyMessage, item: Node, place: str, into: Conversation) -> None:
        role = value.role
        if role == "tool":
            self._answer(value, item, place, into)
        elif role == "assistant":
            self._agent(value, item, place, into)
        elif role == "user" and not value.tool_calls:
            into.user(text_of_content(value.content, place))
        else:
            self._other(value, item, place, into)

    def _other(self, value: _AnyMessage, item: Node, place: str, into: Conversation) -> None:
        """A message whose role is written in another way, or that is odd."""
        role = "assistant" if value.role is None else value.role.lower()
        if role in _TOOL_ROLES:
            self._answer(value, item, place, into)
        elif role in _AGENT_ROLES:
            self._agent(value, item, place, into)
        elif role in _USER_ROLES or role in _SILENT_ROLES:
            if value.tool_calls:
                raise CallError(f"a message of role {role} with tool_calls", field=under(place, "tool_calls"))
            text = text_of_content(value.content, place)
            if role in _USER_ROLES:
                into.user(text)
        else:
            raise CallError(f"a message of the unknown role {value.role!r}", field=place)

    def _answer(self, value: _AnyMessage, item: Node, place: str, into: Conversation) -> None:
        content: Any = value.content
        if type(content) is Raw and not there(content):
            content = None
        long = isinstance(content, str) and len(content) > _LONG and isinstance(item, Raw)
        into.answer(
            Within(item, "content") if long else output_of(content),
            place=place,
            id=value.tool_call_id,
            name=value.tool_name or value.name,
        )

    def _agent(self, value: _AnyMessage, item: Node, place: str, into: Conversation) -> None:
        self._begin(into)
        content = value.content
        text = content if isinstance(content, str) else text_of_content(content, place)
        into.say(text or value.refusal or None)
        if not value.tool_calls and value.function_call is None:
            if item is not ABSENT:  # else it was decoded in a shape that passes over nothing
                refuse_stray(value, place)
                look_for_calls(item, place, into)
            return
        if value.tool_calls is not None and len(value.tool_calls) > 1:
            into.warn_of_twins([entry.id for entry in value.tool_calls], place)
        for index, entry in enumerate(value.tool_calls or ()):
            where = f"{place}.tool_calls[{index}]" if place else f"tool_calls[{index}]"
            function = entry.function
            if isinstance(function, _Function) and (item is ABSENT or _says_arguments_once(function)):
                into.call(function.name, function.arguments, place=where, id=entry.id)
            else:
                self._odd_entry(entry, item, index, where, into)
        if value.function_call is not None:
            where = under(place, "function_call")
            if isinstance(value.function_call, str):
                raise CallError("function_call is a text, not an object", field=where)
            if not _says_arguments_once(value.function_call):
                self._take(read_call(opened(_loose(item, place).function_call), where), where, into)
            else:
                into.call(value.function_call.name, value.function_call.arguments, place=where)

    def _begin(self, into: Conversation) -> None:
        """A message of the agent begins."""
        into.message()

    def _odd_entry(self, entry: _Entry, item: Node, index: int, place: str, into: Conversation) -> None:
        """An entry without a `function` object that has `arguments`.

        It is a custom tool, a call in another shape or without arguments, or an unknown kind.
        """
        if entry.custom is not ABSENT:
            custom_call(entry.custom, entry.id, place, into)
            return
        fields = opened(_loose(item, place).tool_calls[index])
        kind = entry.type
        if not isinstance(fields, dict) or ("function" in fields and entry.function is None):
            raise CallError("a call without a name (its function is null)", field=place)
        if kind not in (None, "function", "tool_call") and not any(key in fields for key in NAME_KEYS):
            into.warn(f"{place}: a tool call of the unknown kind {kind!r} was left out")
            return
        inner = opened(fields["function"]) if isinstance(entry.function, _Function) else None
        self._take(read_call(fields, place, inner=inner), place, into)


def _says_arguments_once(function: _Function) -> bool:
    """Whether a call has `arguments` and no other field for them; anything else is looked at more closely."""
    return (
        function.arguments
        is not function.args
        is function.input
        is function.parameters
        is function.params
        is function.kwargs
        is ABSENT
    )


def _is_complete(value: _AnyMessage) -> bool:
    """Whether nothing of a message must be looked at in another way than its shape shows."""
    content: Any = value.content
    call = value.function_call
    if call is not None and (type(call) is not _Function or not _says_arguments_once(call)):
        return False
    if not (content is None or type(content) is str or type(content) is Raw or type(content) is list):
        return False
    if value.tool_calls:
        for entry in value.tool_calls:
            if type(entry.function) is not _Function or not _says_arguments_once(entry.function):
                return False
    return True


def _is_own(value: _AnyMessage) -> bool:
    """Whether a message is surely one of these formats and nobody else's."""
    if not (value.parts is value.blocks is value.tool_plan is value.toolInvocations is ABSENT):
        return False
    content: Any = value.content
    calls = value.tool_calls
    if value.role != "assistant":
        told = type(content) is str or (type(content) is Raw and is_text(content))
        return told and not calls and value.role in _OWN_ROLES
    if type(content) is str:
        if "<" in content or "[TOOL" in content or _named_step(content):
            return False  # its text may hold calls in a text style
    elif content is not None:
        return False
    elif not calls:
        return type(value.function_call) is _Function
    return not calls or all([type(entry.function) is _Function for entry in calls])  # noqa: C419 - faster


def _named_step(text: str) -> bool:
    """Whether a text may hold a call that is marked by a word of plain English."""
    return "Action:" in text or "Call:" in text


_OWN_ROLES: Final = frozenset({"user", "tool", "system", "developer", "function"})
