"""openai_chat: calls as OpenAI's Chat Completions write them, alone, in a message, a response or a conversation."""

from __future__ import annotations

from ..core.reading.chat import ChatReader
from ..core.reading.format import MARKED, SHAPED, SHARED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance

DECLARATION = FormatDeclaration(
    id="openai_chat",
    meaning="OpenAI Chat Completions: a call, a message, a response, a request with its response, fine-tuning data",
    detected_by="an entry with a `function` object, a message with a `role`, or `choices`",
    name_at="tool_calls[].function.name",
    arguments_at="tool_calls[].function.arguments: JSON text or an object",
    id_at="tool_calls[].id",
    result_at="the later message of role `tool` with that tool_call_id",
    group_at="the entries of one tool_calls list",
    turn_at="messages of role `user`",
    cannot_carry="times and spans, whether a call failed",
    example='{"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", '
    '"function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}]}',
    keys=frozenset(
        {"role", "tool_calls", "function", "messages", "choices", "request", "response", "message", "body"}
    ),
    family="chat",
    source="OpenAI API reference, chat completions",
)


class Reader(ChatReader):
    """See :class:`ChatReader`."""

    format = DECLARATION.id


def detect(glance: Glance) -> Evidence | None:
    """By `choices`, by an entry with a `function` object, or by a message's `role`."""
    if glance.at("object") == "chat.completion" or glance.at("response", "object") == "chat.completion":
        return Evidence(MARKED, "object: chat.completion")
    if _is_choice(glance, "choices") or _is_choice(glance, "response", "choices"):
        return Evidence(SHAPED, "choices with a message")
    if _is_choice(glance, "response", "body", "choices"):
        return Evidence(MARKED, "a line of a batch's output")
    if "role" not in glance.keys and isinstance(glance.at("function"), dict):
        return Evidence(SHAPED, "a `function` object inside")
    telling = glance.telling
    if telling:
        return _by_calls(telling)
    if glance.holds_messages and ("role" in glance.keys or _role_of_first(glance)):
        return Evidence(WOULD_DO + 1, "a message with a role")
    if "tool_calls" in glance.keys:
        return Evidence(SHARED, "a message with tool_calls")
    if "function" in glance.keys and not isinstance(glance.at("function"), str):
        return Evidence(SHARED, "a `function` that is no text")
    return None


def _is_choice(glance: Glance, *path: str) -> bool:
    first = glance.at(*path, 0)
    return isinstance(first, dict) and "message" in first


def _role_of_first(glance: Glance) -> bool:
    return any("role" in message for message in glance.each("messages", most=1))


def _by_calls(telling: dict[str, object]) -> Evidence | None:
    entries = telling.get("tool_calls")
    if not isinstance(entries, list | tuple) or not entries:
        return None
    first = Glance(entries[0])
    if "function" in first.keys and not isinstance(first.at("function"), str):
        return Evidence(SHAPED, "tool_calls with a `function` object")
    return Evidence(SHARED, "a message with tool_calls")
