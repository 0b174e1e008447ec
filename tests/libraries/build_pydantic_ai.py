"""The story as the message history of `pydantic-ai` writes it."""

from __future__ import annotations

import json
from datetime import datetime
from importlib import import_module
from typing import Any

harness: Any = import_module("harness")
story: Any = import_module("story")
parts: Any = import_module("pydantic_ai.messages")
run: Any = import_module("pydantic_ai.run")
State: Any = import_module("pydantic_ai._agent_graph").GraphAgentState
FAILED = 4
AT = datetime.fromisoformat("2026-10-26T12:00:00+00:00")


def request(made: list[Any]) -> Any:
    """A request to the model."""
    return parts.ModelRequest(parts=made, timestamp=AT, conversation_id="garden-1")


def response(made: list[Any]) -> Any:
    """An answer of the model."""
    return parts.ModelResponse(
        parts=made, timestamp=AT, model_name="made-up-model", conversation_id="garden-1"
    )


def call(number: int, *, as_text: bool) -> Any:
    """A call; some models give arguments as JSON text, others as an object, and none at all as null."""
    one = story.CALLS[number]
    arguments = one["arguments"] or None
    if arguments is not None and as_text:
        arguments = story.compact(arguments)
    return parts.ToolCallPart(tool_name=one["name"], args=arguments, tool_call_id=one["id"])


def answer(number: int, failure: str) -> Any:
    """What a tool answered; `failure` says how the failed one is told."""
    one = story.CALLS[number]
    own = {"tool_name": one["name"], "tool_call_id": one["id"], "timestamp": AT}
    if number != FAILED:
        return parts.ToolReturnPart(content=story.ANSWERS[number], **own)
    if failure == "retry-prompt":
        return parts.RetryPromptPart(content=story.ERROR, **own)
    return parts.ToolReturnPart(content=story.ERROR, outcome=failure, **own)


def history(failure: str, *, as_text: bool) -> list[Any]:
    """The whole conversation."""
    made: list[Any] = []
    for kind, what in story.said():
        if kind == "user":
            made.append(request([parts.UserPromptPart(content=what, timestamp=AT)]))
        elif kind == "text":
            made.append(response([parts.TextPart(content=what)]))
        else:
            made.append(response([call(number, as_text=as_text) for number in what]))
            made.append(request([answer(number, failure) for number in what]))
    return made


def main() -> None:
    """Build and print."""
    out = harness.Dumps("pydantic-ai-slim")
    adapter = parts.ModelMessagesTypeAdapter
    for name, failure, as_text in (
        ("failed", "failed", True),
        ("retried", "retried", False),
        ("retry_prompt", "retry-prompt", False),
    ):
        made = history(failure, as_text=as_text)
        out.dump(name, adapter.dump_json(made).decode())
        out.object(name, made)
    made = history("failed", as_text=False)
    out.dump("dump_python", json.dumps(adapter.dump_python(made, mode="json"), indent=1))
    out.object("dump_python", adapter.dump_python(made))
    result = run.AgentRunResult(output=story.TEXTS[-1], _state=State(message_history=made))
    out.object("dump_python/result", result)
    out.print()


if __name__ == "__main__":
    main()
