"""mistral: chat completions as Mistral writes them: ids of nine characters, arguments as text or object."""

from __future__ import annotations

import re
from typing import Final

from ..core.reading.chat import ChatReader
from ..core.reading.format import SHAPED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.telling import CHAT_ROLES, first_entry, function_of, looks_plain

DECLARATION = FormatDeclaration(
    id="mistral",
    meaning="Mistral chat completions: messages, a request, a response",
    detected_by="tool_calls with a `function` object and ids of exactly nine letters and digits",
    name_at="tool_calls[].function.name",
    arguments_at="tool_calls[].function.arguments: JSON text or an object, both in one message too",
    id_at="tool_calls[].id; the text `null` stands for none",
    result_at="the later message of role `tool` with that tool_call_id, else with that name",
    group_at="the entries of one tool_calls list",
    turn_at="messages of role `user`",
    cannot_carry="times and spans, whether a call failed",
    example='{"messages": [{"role": "user", "content": "How warm is it in Oslo?"}, {"role": "assistant", '
    '"content": "", "tool_calls": [{"id": "k3WpZ81aQ", "function": {"name": "get_weather", '
    '"arguments": {"city": "Oslo"}}, "index": 0}]}]}',
    keys=frozenset({"role", "tool_calls", "messages", "request"}),
    family="chat",
    source="Mistral API reference, chat completion",
)

_ID: Final = re.compile(r"[A-Za-z0-9]{9}\Z")


class Reader(ChatReader):
    """See :class:`ChatReader`."""

    format = DECLARATION.id


def detect(glance: Glance) -> Evidence | None:
    """By the first id."""
    entry = first_entry(glance)
    if function_of(entry) is not None:
        assert entry is not None  # noqa: S101 - a function was found in it
        own = entry.at("id")
        if isinstance(own, str) and (_ID.match(own) or own == "null"):
            return Evidence(SHAPED + 1, "tool_calls with ids of nine letters and digits")
        return Evidence(WOULD_DO, "tool_calls with a `function` object")
    if looks_plain(glance, CHAT_ROLES):
        return Evidence(WOULD_DO, "a message with a role")
    return None
