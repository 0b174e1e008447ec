"""agentevals: a trajectory as a bare list of OpenAI messages, the form of its `outputs` and `reference_outputs`."""

from __future__ import annotations

from typing import Any

from ..core.types import Trace
from ..core.writing import WriterDeclaration, chat_messages

DECLARATION = WriterDeclaration(
    id="agentevals",
    meaning="agentevals trajectories, a list of messages a line",
    carries=frozenset({"ids", "turns", "groups", "outputs", "texts", "inputs"}),
    reads_back="openai_chat",
)


def document(trace: Trace, number: int) -> list[dict[str, Any]]:
    """One trajectory; agentevals wants text as content, so where there is none it is empty."""
    return chat_messages(trace, no_text="")


def changes(trace: Trace) -> list[str]:
    """A list without messages is no recording when it is read again."""
    return [] if chat_messages(trace) else ["recordings in which nothing was said or called"]
