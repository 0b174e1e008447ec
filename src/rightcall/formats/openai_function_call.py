"""openai_function_call: the form before `tool_calls`, one call a message, without ids."""

from __future__ import annotations

from ..core.reading.chat import ChatReader
from ..core.reading.format import SHAPED, SHARED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.telling import CHAT_ROLES, first_entry, function_of, looks_plain

DECLARATION = FormatDeclaration(
    id="openai_function_call",
    meaning="OpenAI Chat Completions as they were before tool_calls: `function_call` in a message",
    detected_by="a message with a `function_call` object",
    name_at="function_call.name",
    arguments_at="function_call.arguments: JSON text or an object",
    result_at="the next message of role `function` with the same name",
    turn_at="messages of role `user`",
    cannot_carry="ids, parallel calls, times, whether a call failed",
    example='{"messages": [{"role": "user", "content": "How warm is it in Oslo?"}, {"role": "assistant", '
    '"content": null, "function_call": {"name": "get_weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}, '
    '{"role": "function", "name": "get_weather", "content": "{\\"celsius\\": 7}"}]}',
    keys=frozenset({"role", "function_call", "messages", "choices", "request", "response", "message"}),
    family="chat",
    source="OpenAI API reference, chat completions, deprecated fields",
)


class Reader(ChatReader):
    """See :class:`ChatReader`."""

    format = DECLARATION.id
    calls_under = "function_call"


def detect(glance: Glance) -> Evidence | None:
    """By the first message that makes a call."""
    held = glance.at("response") if isinstance(glance.at("response"), dict) else glance.value
    message = Glance(held).at("choices", 0, "message")
    if isinstance(message, dict):
        glance = Glance(message)
    telling = glance.telling or (glance.value if "function_call" in glance.keys else {})
    call = Glance(telling.get("function_call"))
    if isinstance(call.value, dict) and "name" in call.keys and not telling.get("tool_calls"):
        return Evidence(SHAPED, "a message with a function_call")
    if glance.at("role") == "function":
        return Evidence(SHARED, "a message of role function")
    if function_of(first_entry(glance)) is not None:
        return Evidence(WOULD_DO, "tool_calls with a `function` object")
    if looks_plain(glance, CHAT_ROLES):
        return Evidence(WOULD_DO, "a message with a role")
    return None
