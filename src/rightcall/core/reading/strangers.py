"""Well-known forms that are not read: their name helps more than the name of the format that looks most like them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..nodes import opened
from .glance import Glance

__all__ = ["is_strange", "stranger"]

_LIVE: Final = "a message of Gemini's Live API"
_LOGS: Final = "OTLP's logs"
_METRICS: Final = "OTLP's metrics"
_UI: Final = "a chunk of the Vercel AI SDK's UI message stream"
_COHERE: Final = "an event of Cohere's stream"
_GRAPH: Final = "an update of a LangGraph node"
_WHOLE: Final = "give the whole messages that the stream adds up to"
_SPANS: Final = "give the spans (resourceSpans)"
_HINTS: Final = {
    **dict.fromkeys((_UI, _COHERE), _WHOLE),
    **dict.fromkeys((_LOGS, _METRICS), _SPANS),
    _LIVE: "give the contents of the session",
    _GRAPH: "give the state's values (stream_mode='values'), or the messages themselves",
}
_BY_KEY: Final = {
    **dict.fromkeys(("resourceLogs", "resource_logs", "scopeLogs", "scope_logs"), _LOGS),
    **dict.fromkeys(("resourceMetrics", "resource_metrics", "scopeMetrics", "scope_metrics"), _METRICS),
    **dict.fromkeys(("serverContent", "server_content", "setupComplete", "setup_complete"), _LIVE),
    **dict.fromkeys(
        ("toolCallCancellation", "tool_call_cancellation", "realtimeInput", "clientContent"), _LIVE
    ),
}
_KEYS: Final = frozenset(_BY_KEY)
_UI_TOOLS: Final = frozenset(
    {"tool-input-start", "tool-input-delta", "tool-input-available", "tool-input-error"}
    | {"tool-output-available", "tool-output-error", "tool-output-denied"}
)
_UI_TYPES: Final = _UI_TOOLS | {
    *("start", "start-step", "finish-step", "finish", "text-start", "text-delta", "text-end"),
    *("reasoning-start", "reasoning-delta", "reasoning-end"),
}
_COHERE_TYPES: Final = frozenset(
    {"message-start", "content-start", "content-delta", "content-end", "tool-plan-delta", "tool-call-start"}
    | {"tool-call-delta", "tool-call-end", "citation-start", "citation-end", "message-end"}
)


def is_strange(glance: Glance) -> bool:
    """Whether an item that could pass for a call with a name is surely a piece of a form that is not read."""
    if not _KEYS.isdisjoint(glance.keys) and len(glance.keys) < 3:
        return True
    return "toolCallId" in glance.keys and "type" in glance.keys and glance.word("type") in _UI_TOOLS


def stranger(glance: Glance) -> tuple[str, str] | None:
    """What an item is that fits no format, and what to give instead; None where that is not clear."""
    what = _what(glance)
    return None if what is None else (what, _HINTS[what])


def _what(glance: Glance) -> str | None:
    for key in _BY_KEY:
        if key in glance.keys:
            return _BY_KEY[key]
    kind = glance.word("type") if "type" in glance.keys else None
    if kind in _UI_TYPES and "role" not in glance.keys:
        return _UI
    if kind in _COHERE_TYPES:
        return _COHERE
    for key in ("toolCall", "tool_call"):
        held = glance.at(key) if key in glance.keys else None
        if isinstance(held, Mapping) and ("functionCalls" in held or "function_calls" in held):
            return _LIVE
    if len(glance.keys) == 1 and isinstance(glance.value, Mapping):
        held = opened(next(iter(glance.value.values())))
        messages = opened(held["messages"]) if isinstance(held, Mapping) and "messages" in held else None
        return _GRAPH if isinstance(messages, list | tuple) else None
    return None
