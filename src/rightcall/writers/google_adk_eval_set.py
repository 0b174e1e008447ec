"""google_adk_eval_set: an eval set of Google's Agent Development Kit, one eval case for each recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.types import ToolCall, Trace
from ..core.writing import WriterDeclaration, object_arguments, turns_of

DECLARATION = WriterDeclaration(
    id="google_adk_eval_set",
    meaning="a Google ADK eval set, one document",
    carries=frozenset({"ids", "turns", "outputs", "texts", "inputs", "trace id"}),
    reads_back="google_adk_eval_set",
    lines=False,
)


def document(trace: Trace, number: int) -> dict[str, Any]:
    """One eval case, an invocation for each turn.

    Raises:
        CallError: unreadable arguments, which an object can't hold.
    """
    invocations: list[dict[str, Any]] = []
    for index, turn in enumerate(turns_of(trace)):
        calls = [call for step in turn.steps for call in step]
        invocation: dict[str, Any] = {"invocation_id": f"inv-{index}"}
        invocation["user_content"] = {"role": "user", "parts": [{"text": turn.input or ""}]}
        if turn.text is not None:
            invocation["final_response"] = {"role": "model", "parts": [{"text": turn.text}]}
        invocation["intermediate_data"] = {
            "tool_uses": [_use(call) for call in calls],
            "tool_responses": [_response(call) for call in calls if call.output is not None],
            "intermediate_responses": [],
        }
        invocations.append(invocation)
    return {"eval_id": trace.id or f"case-{number + 1}", "conversation": invocations}


def changes(trace: Trace) -> list[str]:
    """Outputs that are no objects."""
    wrapped = any(call.output is not None and not isinstance(call.output, dict) for call in trace.calls or ())
    return ['outputs that are no object (written as {"result": ..})'] if wrapped else []


def together(documents: Sequence[Any]) -> Any:
    """All eval cases are one set."""
    return {"eval_set_id": "rightcall", "name": "rightcall", "eval_cases": list(documents)}


def _use(call: ToolCall) -> dict[str, Any]:
    use = {"name": call.name, "args": object_arguments(call, DECLARATION.id)}
    return use if call.id is None else {"id": call.id, **use}


def _response(call: ToolCall) -> dict[str, Any]:
    # A response is an object there; anything else is put under `result`, as ADK itself does.
    answer = call.output if isinstance(call.output, dict) else {"result": call.output}
    response = {"name": call.name, "response": answer}
    return response if call.id is None else {"id": call.id, **response}
