"""anthropic: the messages of Anthropic's Messages API, a conversation a line."""

from __future__ import annotations

from typing import Any

from ..core.types import ToolCall, Trace
from ..core.writing import WriterDeclaration, message_of, object_arguments, tool_document, turns_of

DECLARATION = WriterDeclaration(
    id="anthropic",
    meaning="Anthropic messages, a conversation a line",
    carries=frozenset({"ids", "turns", "groups", "outputs", "errors", "texts", "inputs", "tools"}),
    reads_back="anthropic",
)


def document(trace: Trace, number: int) -> dict[str, Any]:
    """One conversation. A call without an id gets one, since a result is joined by it.

    Raises:
        CallError: unreadable arguments, which an object can't hold.
    """
    made = _Ids()
    messages: list[dict[str, Any]] = []
    for turn in turns_of(trace):
        if turn.input is not None:
            messages.append({"role": "user", "content": turn.input})
        for step in turn.steps:
            ids = [made(call) for call in step]
            uses = [_use(call, own) for call, own in zip(step, ids, strict=True)]
            messages.append({"role": "assistant", "content": uses})
            answered = [(call, own) for call, own in zip(step, ids, strict=True) if _answered(call)]
            if answered:
                messages.append({"role": "user", "content": [_result(call, own) for call, own in answered]})
        if turn.text is not None:
            messages.append({"role": "assistant", "content": [{"type": "text", "text": turn.text}]})
    found: dict[str, Any] = {"messages": messages}
    if trace.tools is not None:
        found["tools"] = [tool_document(tool, "input_schema") for tool in trace.tools]
    return found


class _Ids:
    """Ids for calls that have none."""

    def __init__(self) -> None:
        self._made = 0

    def __call__(self, call: ToolCall) -> str:
        if call.id is not None:
            return call.id
        self._made += 1
        return f"call_{self._made}"


def _answered(call: ToolCall) -> bool:
    return call.output is not None or call.failed


def _use(call: ToolCall, own: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": own, "name": call.name, "input": object_arguments(call, DECLARATION.id)}


def _result(call: ToolCall, own: str) -> dict[str, Any]:
    said = call.output if call.output is not None else call.error
    result: dict[str, Any] = {"type": "tool_result", "tool_use_id": own}
    result["content"] = "" if said is None else message_of(said)
    return result | ({"is_error": True} if call.failed else {})
