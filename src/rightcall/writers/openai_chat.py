"""openai_chat: the messages of OpenAI's Chat Completions, a conversation a line (also fine-tuning data)."""

from __future__ import annotations

from typing import Any

from ..core.types import Trace
from ..core.writing import WriterDeclaration, chat_messages, tool_document

DECLARATION = WriterDeclaration(
    id="openai_chat",
    meaning="OpenAI Chat Completions messages, a conversation a line",
    carries=frozenset({"ids", "turns", "groups", "outputs", "texts", "inputs", "tools", "trace id"}),
    reads_back="openai_chat",
)


def document(trace: Trace, number: int) -> dict[str, Any]:
    """One conversation."""
    found: dict[str, Any] = {} if trace.id is None else {"id": trace.id}
    found["messages"] = chat_messages(trace)
    if trace.tools is not None:
        found["tools"] = [
            {"type": "function", "function": tool_document(tool, "parameters")} for tool in trace.tools
        ]
    return found
