"""The story as spans of the OpenTelemetry SDK by the conventions for generative AI."""

from __future__ import annotations

from importlib import import_module
from typing import Any

harness: Any = import_module("harness")
story: Any = import_module("story")
spanning: Any = import_module("spanning")
names: Any = import_module("opentelemetry.semconv._incubating.attributes.gen_ai_attributes")
errors: Any = import_module("opentelemetry.semconv.attributes.error_attributes")


def part(number: int) -> dict[str, Any]:
    """A call within a message."""
    return {"type": "tool_call", **story.CALLS[number]}


def answer(number: int) -> dict[str, Any]:
    """A tool's answer within a message."""
    return {
        "type": "tool_call_response",
        "id": story.CALLS[number]["id"],
        "response": story.ANSWERS[number],
    }


def message(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    """A message of the conventions."""
    return {"role": role, "parts": list(parts)}


def text(words: str) -> dict[str, Any]:
    """A text within a message."""
    return {"type": "text", "content": words}


def chat(spans: Any, before: list[Any], *, parts: list[dict[str, Any]], reason: str, content: bool) -> None:
    """A span of the model, with all that was said before as its input."""
    output = {**message("assistant", *parts), "finish_reason": reason}
    attributes = {
        names.GEN_AI_OPERATION_NAME: "chat",
        names.GEN_AI_PROVIDER_NAME: "openai",
        names.GEN_AI_REQUEST_MODEL: "made-up-model",
        names.GEN_AI_CONVERSATION_ID: "garden-1",
        names.GEN_AI_RESPONSE_FINISH_REASONS: [reason],
        names.GEN_AI_USAGE_INPUT_TOKENS: 99,
    }
    if content:
        definitions = [{"type": "function", **tool} for tool in story.TOOLS]
        attributes |= {
            names.GEN_AI_INPUT_MESSAGES: story.compact(before),
            names.GEN_AI_OUTPUT_MESSAGES: story.compact([output]),
            names.GEN_AI_TOOL_DEFINITIONS: story.compact(definitions),
        }
    with spans.span("chat made-up-model", attributes):
        pass
    before.append(message("assistant", *parts))


def tool(spans: Any, number: int) -> None:
    """A span of a tool's run."""
    call = story.CALLS[number]
    failed = number == spanning.FAILED
    attributes = {
        names.GEN_AI_OPERATION_NAME: "execute_tool",
        names.GEN_AI_TOOL_NAME: call["name"],
        names.GEN_AI_TOOL_CALL_ID: call["id"],
        names.GEN_AI_TOOL_TYPE: "function",
        names.GEN_AI_CONVERSATION_ID: "garden-1",
        names.GEN_AI_TOOL_CALL_ARGUMENTS: story.compact(call["arguments"]),
    }
    if failed:
        attributes[errors.ERROR_TYPE] = "RuntimeError"
    else:
        attributes[names.GEN_AI_TOOL_CALL_RESULT] = story.answer_text(number)
    with spans.span(f"execute_tool {call['name']}", attributes, story.ERROR if failed else None):
        pass


def record(*, models: bool, tools: bool) -> list[Any]:
    """The spans of both questions, a trace for each; with what models say, with the runs of tools, or both."""
    spans = spanning.Spans()
    before: list[Any] = []
    for turn, steps in enumerate(story.STEPS):
        before.append(message("user", text(story.ASKED[turn])))
        root = {
            names.GEN_AI_OPERATION_NAME: "invoke_agent",
            names.GEN_AI_AGENT_NAME: "gardener",
            names.GEN_AI_CONVERSATION_ID: "garden-1",
        }
        with spans.span("invoke_agent gardener", root):
            for numbers in steps:
                chat(spans, before, parts=[part(one) for one in numbers], reason="tool_call", content=models)
                if tools:
                    for number in numbers:
                        tool(spans, number)
                before += [message("tool", answer(number)) for number in numbers]
            chat(spans, before, parts=[text(story.TEXTS[turn])], reason="stop", content=models)
    return list(spans.finished())


def main() -> None:
    """Build and print."""
    out = harness.Dumps("opentelemetry-sdk")
    spanning.dump_all(out, "", record(models=True, tools=True), all_ways=True)
    spanning.dump_all(out, "tools_", record(models=False, tools=True), all_ways=False)
    spanning.dump_all(out, "models_", record(models=True, tools=False), all_ways=False)
    out.print()


if __name__ == "__main__":
    main()
