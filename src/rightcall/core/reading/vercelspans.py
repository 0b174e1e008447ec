"""Spans of the Vercel AI SDK's own telemetry: `ai.toolCall` for a tool's run, `ai.response.toolCalls` of a model's.

They stand beside a few `gen_ai.…` attributes, or alone; the names are those of the SDK's documentation of telemetry.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from msgspec import Raw, Struct

from ...errors import DataError
from ..nodes import Node, opened, plain
from .callfields import arguments_in
from .chat import output_of
from .genai import json_nodes, offer_tools, run_of
from .shapes import ABSENT, Shape
from .spancalls import Recordings
from .spanparts import Asked, Model, Recording, asked
from .spans import Span
from .vercel import NO_ARGUMENTS

__all__ = ["is_vercels", "read_vercel"]

_AROUND: Final = frozenset({"ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"})
"""Operations whose spans tell again what the requests inside them tell."""
_CALLS: Final = "ai.response.toolCalls"


class _Called(Struct, kw_only=True, gc=False, rename="camel"):
    """A call that a model asked for; version 4 of the SDK says `args`."""

    tool_call_id: str | int | None = None
    tool_name: str | None = None
    input: Raw = ABSENT
    args: Raw = ABSENT


class _Part(Struct, kw_only=True, gc=False, rename="camel"):
    type: str | None = None
    text: str | None = None
    tool_call_id: str | int | None = None
    tool_name: str | None = None
    output: Raw = ABSENT
    result: Raw = ABSENT


class _Message(Struct, kw_only=True, gc=False):
    role: str | None = None
    content: list[_Part] | str | None = None


class _Prompt(Struct, kw_only=True, gc=False):
    """What `generateText` was given: one text, or messages."""

    prompt: list[_Message] | str | None = None
    messages: list[_Message] | None = None


_called = Shape(_Called)
_message = Shape(_Message)
_prompt = Shape(_Prompt)


def is_vercels(fields: Collection[str]) -> bool:
    """Whether attributes tell of calls in the SDK's words and not, better, in those of the GenAI conventions."""
    if "ai.toolCall.name" in fields:
        return "gen_ai.tool.call.arguments" not in fields
    if "ai.operationId" not in fields and _CALLS not in fields:
        return False
    return "gen_ai.tool.name" not in fields and "gen_ai.output.messages" not in fields


def read_vercel(span: Span, into: Recording, all: Recordings) -> None:
    """Take what one span tells.

    Raises:
        CallError: a tool's run or a call without a name, or calls that are no JSON.
    """
    session = span.text("gen_ai.conversation.id")
    if session is not None:
        into.session = session
    operation = span.text("ai.operationId")
    if operation == "ai.toolCall" or "ai.toolCall.name" in span.fields:
        name, arguments = span.text("ai.toolCall.name"), span.node("ai.toolCall.args")
        output = span.answer("ai.toolCall.result")
        into.done.append(run_of(span, name, arguments, span.text("ai.toolCall.id"), output))
        return
    offer_tools(span, "ai.prompt.tools", into, all)
    start, end = span.start, span.end
    model = Model(
        when=None if start is None else (start, ""),
        ended=None if end is None else (end, ""),
        span_id=span.id,
        parent=span.parent,
        text=span.text("ai.response.text"),
        wrapper=operation in _AROUND,
    )
    unnamed = len(into.unnamed)
    try:
        _read_prompt(span, model, into, all)
    except DataError as error:
        into.warnings.append(f"messages to the model were left out: {error}")
    calls = _calls(span)
    model.messages = (calls,) if calls else ()
    if model.users or model.messages or model.text is not None:
        into.tell(model, unnamed)


def _calls(span: Span) -> tuple[Asked, ...]:
    place = f"{span.place}.{_CALLS}"
    found = []
    for index, node in enumerate(json_nodes(span.get(_CALLS), place)):
        where = f"{place}[{index}]"
        call = _called(node, where)
        arguments: Any = call.args if call.input is ABSENT else call.input
        if arguments is ABSENT:  # under a misspelled name?
            fields = opened(node)
            arguments = arguments_in({key: fields[key] for key in fields if key not in NO_ARGUMENTS}, where)
        found.append(asked(call.tool_name, arguments, call.tool_call_id, where))
    return tuple(found)


def _read_prompt(span: Span, model: Model, into: Recording, all: Recordings) -> None:
    users: list[int] = []
    place = f"{span.place}.ai.prompt"
    for message in _messages(span, place):
        model.ends_with_user = message.role == "user"
        if model.ends_with_user:
            users.append(all.number(_text(message.content)))
        elif message.role == "tool" and isinstance(message.content, list):
            for part in message.content:
                if part.type == "tool-result":
                    into.answer(part.tool_call_id, part.tool_name, _output(part))
    model.users = tuple(users)


def _messages(span: Span, place: str) -> list[_Message]:
    key = "ai.prompt.messages"
    if key in span.fields:
        nodes = json_nodes(span.get(key), f"{span.place}.{key}")
        return [_message(node, f"{span.place}.{key}[{index}]") for index, node in enumerate(nodes)]
    nodes = json_nodes(span.get("ai.prompt"), place)
    if not nodes:
        return []
    told = _prompt(nodes[0], place)
    if isinstance(told.prompt, str):
        return [_Message(role="user", content=told.prompt)]
    return told.prompt or told.messages or []


def _text(content: list[_Part] | str | None) -> str | None:
    if not isinstance(content, list):
        return content or None
    return "".join([part.text for part in content if part.type == "text" and part.text]) or None


def _output(part: _Part) -> Node:
    """An answer as the tool gave it; later versions wrap it as `{type, value}`."""
    if part.output is ABSENT:
        return part.result
    value: Any = opened(part.output)
    if not isinstance(value, dict) or "type" not in value or "value" not in value:
        return part.output
    return output_of(value["value"]) if plain(value["type"]) == "content" else value["value"]
