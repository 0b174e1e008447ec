"""vercel_ui: UI messages of the Vercel AI SDK, which hold a tool's call and its answer in one part."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw, Struct, field

from ..core.nodes import Node, opened, plain
from ..core.reading.chat import under
from ..core.reading.conversation import Conversation, real_id
from ..core.reading.format import MARKED, SHAPED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.given import given
from ..core.reading.glance import Glance
from ..core.reading.recording import Decoded, RecordingReader, named, whole_of
from ..core.reading.shapes import ABSENT, Shape
from ..core.reading.vercel import NO_ARGUMENTS
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="vercel_ui",
    meaning="UI messages of the Vercel AI SDK, as `useChat` keeps them, version 4 to 6",
    detected_by="a message with `parts` of a type that begins with `tool-`, or `dynamic-tool`",
    name_at="parts[].type after `tool-`, or parts[].toolName; version 4: parts[].toolInvocation.toolName",
    arguments_at="parts[].input, or parts[].rawInput where it could not be parsed; version 4: toolInvocation.args",
    id_at="parts[].toolCallId",
    result_at="the same part: output, or errorText; version 4: toolInvocation.result",
    group_at="parts between two of type `step-start`; version 4: those of one toolInvocation.step",
    turn_at="messages of role `user`",
    cannot_carry="times, the offered tools",
    example='[{"id": "m2", "role": "assistant", "parts": [{"type": "step-start"}, {"type": "tool-get_weather", '
    '"toolCallId": "c1", "state": "output-available", "input": {"city": "Oslo"}, "output": {"celsius": 4}}]}]',
    keys=frozenset({"parts", "toolInvocations", "messages", "role"}),
    source="ai-sdk.dev, UIMessage",
)


class _Invocation(Struct, kw_only=True, gc=False, rename="camel"):
    """A call and its answer, as version 4 keeps them."""

    state: str | None = None
    step: int | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    args: Raw = ABSENT
    result: Raw = ABSENT


class _Part(Struct, kw_only=True, gc=False, rename="camel"):
    type: str | None = None
    text: str | None = None
    state: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    input: Raw = ABSENT
    raw_input: Raw = ABSENT
    output: Raw = ABSENT
    error_text: str | None = None
    tool_invocation: _Invocation | None = None


class _Item(Struct, kw_only=True, gc=False, rename="camel"):
    """A message, or a chat with messages: one shape, so that each item is decoded once."""

    id: str | int | None = None
    role: str | None = None
    content: Raw = ABSENT
    parts: list[_Part] | None = None
    tool_invocations: list[_Invocation] | None = None
    messages: list[Raw] | None = None
    tool_calls: Raw = ABSENT


class _Held(_Item, kw_only=True, gc=False, rename="camel"):
    """The same, with what may stand beside the messages only: items are many, and each field costs time."""

    case_id: Raw = field(default=ABSENT, name="case_id")
    custom_id: Raw = field(default=ABSENT, name="custom_id")


class _Whole(_Held, kw_only=True, gc=False):
    """A chat whose messages are decoded with it."""

    messages: list[_Item]  # type: ignore[assignment]


_item = Shape(_Held)
_whole = Shape(_Whole)
_OWN: Final = frozenset({"reasoning", "step-start", "source-url", "source-document", "source", "file"})
"""Other parts of UI messages."""


class Reader(RecordingReader):
    """Loose messages are one trace, each chat is one of its own."""

    format = DECLARATION.id

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        if value.messages is None:
            _message(value, place, self._all.loose().at(item, place))
            return
        into = self._all.document(
            value.messages, id=named(value.case_id, value.custom_id, value.id), thread=True
        )
        at = under(place, "messages")
        for index, node in enumerate(value.messages):
            where = f"{at}[{index}]"
            _message(_item(node, where), where, into.at(node, where))

    def _read_whole(self, item: Node, place: str) -> bool:
        """Read a chat whose messages are all surely of this format."""
        value = whole_of(_whole, item)
        if value is None or value.role is not None or not all(map(_is_message, value.messages)):
            return False
        messages = Decoded(value.messages, item, "messages")
        if not any(_is_told(part) for message in value.messages for part in message.parts or ()):
            return False
        into = self._all.document(
            messages, id=named(value.case_id, value.custom_id, value.id), thread=True
        ).at(item, place)
        at = under(place, "messages")
        for index, message in enumerate(value.messages):
            _message(message, f"{at}[{index}]", into)
        return True

    def _read_own(self, item: Node, place: str) -> bool:
        value = _item.attempt(item) if self._all.loosely else None
        if value is None or value.messages is not None:
            return self._read_whole(item, place)
        if not _is_message(value):
            return False
        _message(value, place, self._all.loose().at(item, place))
        return True


def _message(value: _Item, place: str, into: Conversation) -> None:
    parts = value.parts or []
    texts = [part.text for part in parts if part.type == "text" and part.text]
    text = "".join(texts) if texts else _content(value)
    if value.role == "user":
        into.user(text)
    elif value.role in ("assistant", "data"):
        into.source(real_id(value.id))
        into.message()
        into.say(text)
    elif value.role not in ("system", "developer"):
        raise CallError(f"a message of the unknown role {value.role!r}", field=place)
    told = False
    for index, part in enumerate(parts):
        kind = part.type or ""
        if kind in ("text", "reasoning") and part.tool_invocation is None:
            continue
        where = f"{under(place, 'parts')}[{index}]"
        if kind == "step-start":
            into.message()
        elif part.tool_invocation is not None:
            told = True
            _invocation(part.tool_invocation, under(where, "toolInvocation"), into)
        elif kind == "dynamic-tool" or kind.startswith("tool-"):
            told = True
            _tool(part, where, into)
        elif kind not in _OWN and not kind.startswith("data-"):
            into.warn(f"{where}: a part of the unknown type {part.type!r} was left out")
    if not told:
        for index, invocation in enumerate(value.tool_invocations or ()):
            _invocation(invocation, f"{under(place, 'toolInvocations')}[{index}]", into)


def _is_message(value: _Item) -> bool:
    if value.role is None or value.messages is not None or value.tool_calls is not ABSENT:
        return False
    parts = value.parts
    return bool(parts) and all(map(_is_own, parts or ()))


def _is_told(part: _Part) -> bool:
    """Whether a part is one that only UI messages have."""
    return part.tool_call_id is not None or part.tool_invocation is not None


def _is_own(part: _Part) -> bool:
    if part.tool_call_id is not None or part.tool_invocation is not None:
        return True
    return part.text is not None if part.type == "text" else part.type in _OWN


def _content(value: _Item) -> str | None:
    content = opened(value.content)
    return content if isinstance(content, str) and content else None


def _tool(part: _Part, place: str, into: Conversation) -> None:
    name = part.tool_name if part.type == "dynamic-tool" else (part.type or "").removeprefix("tool-")
    arguments: Any = part.input
    if part.raw_input is not ABSENT and opened(arguments) is None:
        arguments = part.raw_input
    failed = part.state in ("output-error", "output-denied") or part.error_text is not None
    error = part.error_text or ("execution denied" if part.state == "output-denied" else None)
    if part.state == "input-streaming":
        into.warn(f"{place}: a call whose input was still being written")
    if arguments is ABSENT:
        arguments = given(arguments, into, place, *NO_ARGUMENTS)
    into.call(
        name,
        arguments,
        place=place,
        id=part.tool_call_id,
        output=None if part.output is ABSENT else part.output,
        error=error,
        status="error" if failed else None,
    )


def _invocation(call: _Invocation, place: str, into: Conversation) -> None:
    if call.state == "partial-call":
        into.warn(f"{place}: a call whose input was still being written")
    into.call(
        call.tool_name,
        given(call.args, into, place, *NO_ARGUMENTS),
        place=place,
        id=call.tool_call_id,
        output=None if call.result is ABSENT else plain(call.result),
        group=None if call.step is None else f"turn {into.turn + 1} step {call.step + 1}",
    )


def detect(glance: Glance) -> Evidence | None:
    """By the first part that is a tool's; a message with other parts of a `type`, or without, would do."""
    message = Glance(glance.telling) if glance.telling else glance
    if "role" not in message.keys:
        return None
    if message.at("toolInvocations", 0, "toolCallId"):
        return Evidence(MARKED, "toolInvocations with toolCallId")
    seen = [Glance(part) for part in message.each("parts", most=10_000)]
    for part in seen:
        kind = part.at("type")
        if isinstance(kind, str) and (kind.startswith("tool-") or kind == "dynamic-tool"):
            return Evidence(MARKED, f"a part of type {kind!r}")
    kinds = [part.at("type") for part in seen]
    if seen and all(isinstance(kind, str) for kind in kinds):
        own = "step-start" in kinds or any("text" in part.keys for part in seen)
        return Evidence(SHAPED, "parts with a type and a text") if own else None
    if not glance.telling and message.at("role") in ("system", "user", "assistant") and not seen:
        return Evidence(WOULD_DO, "a message with a role")
    return None
