"""openai_chat: calls as OpenAI's Chat Completions write them, alone, in a message, a response or a conversation."""

from __future__ import annotations

from ..core.nodes import opened
from ..core.reading.chat import ChatReader
from ..core.reading.format import MARKED, SHAPED, SHARED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.telling import CHAT_ROLES, first_entry, looks_plain

DECLARATION = FormatDeclaration(
    id="openai_chat",
    meaning="OpenAI Chat Completions: a call, a message, a response, a request with its response, fine-tuning data, "
    "lines of a batch",
    detected_by="an entry with a `function` object, a message with a `role`, or `choices`",
    name_at="tool_calls[].function.name; of custom tools tool_calls[].custom.name",
    arguments_at="tool_calls[].function.arguments: JSON text or an object; of custom tools the free text under "
    "tool_calls[].custom.input, read as the argument `input` with a warning",
    id_at="tool_calls[].id",
    result_at="the later message of role `tool` with that tool_call_id",
    group_at="the entries of one tool_calls list",
    turn_at="messages of role `user`",
    cannot_carry="times and spans, whether a call failed",
    example='{"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", '
    '"function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}]}',
    keys=frozenset(
        {"role", "tool_calls", "function", "messages", "choices", "request", "response", "message", "body"}
        | {"custom_id"}
    ),
    family="chat",
    source="OpenAI API reference, chat completions",
)


class Reader(ChatReader):
    """See :class:`ChatReader`."""

    format = DECLARATION.id


def detect(glance: Glance) -> Evidence | None:
    """By `choices`, by an entry with a `function` object, or by a message's `role`."""
    found = _wrapped(glance)
    if found is not None:
        return found
    if "role" not in glance.keys and isinstance(glance.at("function"), dict):
        return Evidence(SHAPED, "a `function` object inside")
    entry = first_entry(glance)
    if entry is not None:
        return _by_entry(entry, glance)
    if isinstance(glance.telling.get("function_call"), dict):
        return Evidence(SHARED, "a message with a function_call")
    if looks_plain(glance, {*CHAT_ROLES, "function"}):
        return Evidence(WOULD_DO + 1, "a message with a role")
    if "tool_calls" in glance.keys and "parts" not in glance.keys:
        return Evidence(SHARED, "a message with tool_calls")
    if "function" in glance.keys and not isinstance(glance.at("function"), str):
        return Evidence(SHARED, "a `function` that is no text")
    return None


def _wrapped(glance: Glance) -> Evidence | None:
    """What holds a message or messages."""
    for path in ((), ("response",), ("response", "body")):
        if path and path[0] not in glance.keys:
            continue
        if glance.at(*path, "object") == "chat.completion":
            return Evidence(MARKED, "object: chat.completion")
        first = glance.at(*path, "choices", 0)
        if isinstance(first, dict) and "message" in first:
            return Evidence(SHAPED, "choices with a message")
    for path in (("message",), ("body",), ("response",), ("request",)):
        held = glance.at(*path) if path[0] in glance.keys else None
        if isinstance(held, dict) and ("role" in held or "messages" in held):
            return detect(Glance(held))
    if "custom_id" in glance.keys and "response" in glance.keys:
        if glance.at("response") is None:
            return Evidence(WOULD_DO + 1, "a line of a batch without a response")
        for path in (("response",), ("response", "body")):
            held = glance.at(*path)
            if isinstance(held, dict) and opened(held.get("error")):
                return Evidence(WOULD_DO + 1, "a line of a batch with an error for a response")
    return None


def _by_entry(entry: Glance, glance: Glance) -> Evidence | None:
    telling = glance.telling
    if "role" not in telling and "type" in telling:
        return None  # messages that have a type in place of a role
    if isinstance(entry.at("function"), str):
        return Evidence(WOULD_DO + 1, "a message with tool_calls")
    if "function" in entry.keys:
        return Evidence(SHAPED, "tool_calls with a `function` object")
    return Evidence(SHARED, "a message with tool_calls")
