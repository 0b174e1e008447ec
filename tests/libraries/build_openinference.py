"""The story as spans of the OpenTelemetry SDK with the attributes of OpenInference."""

from __future__ import annotations

from importlib import import_module
from typing import Any

harness: Any = import_module("harness")
story: Any = import_module("story")
spanning: Any = import_module("spanning")
names: Any = import_module("openinference.semconv.trace")
SPAN = names.SpanAttributes
MESSAGE = names.MessageAttributes
CALL = names.ToolCallAttributes
KIND = names.OpenInferenceSpanKindValues


def flat(prefix: str, messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Messages as numbered attributes."""
    found: dict[str, Any] = {}
    for index, one in enumerate(messages):
        start = f"{prefix}.{index}"
        found[f"{start}.{MESSAGE.MESSAGE_ROLE}"] = one["role"]
        if "content" in one:
            found[f"{start}.{MESSAGE.MESSAGE_CONTENT}"] = one["content"]
        if "answers" in one:
            found[f"{start}.{MESSAGE.MESSAGE_TOOL_CALL_ID}"] = one["answers"]
        for place, number in enumerate(one.get("calls", ())):
            call = story.CALLS[number]
            entry = f"{start}.{MESSAGE.MESSAGE_TOOL_CALLS}.{place}"
            found[f"{entry}.{CALL.TOOL_CALL_ID}"] = call["id"]
            found[f"{entry}.{CALL.TOOL_CALL_FUNCTION_NAME}"] = call["name"]
            found[f"{entry}.{CALL.TOOL_CALL_FUNCTION_ARGUMENTS_JSON}"] = story.compact(call["arguments"])
    return found


def llm(spans: Any, before: list[dict[str, Any]], output: dict[str, Any], *, content: bool) -> None:
    """A span of the model."""
    attributes = {
        SPAN.OPENINFERENCE_SPAN_KIND: KIND.LLM.value,
        SPAN.LLM_MODEL_NAME: "made-up-model",
        SPAN.SESSION_ID: "garden-1",
    }
    if content:
        attributes |= flat(SPAN.LLM_INPUT_MESSAGES, before) | flat(SPAN.LLM_OUTPUT_MESSAGES, [output])
        for index, tool in enumerate(story.TOOLS):
            schema = {"type": "function", "function": tool}
            key = f"{SPAN.LLM_TOOLS}.{index}.{names.ToolAttributes.TOOL_JSON_SCHEMA}"
            attributes[key] = story.compact(schema)
    with spans.span("ChatCompletion", attributes):
        pass
    before.append(output)


def tool(spans: Any, number: int) -> None:
    """A span of a tool's run."""
    call = story.CALLS[number]
    failed = number == spanning.FAILED
    attributes = {
        SPAN.OPENINFERENCE_SPAN_KIND: KIND.TOOL.value,
        SPAN.TOOL_NAME: call["name"],
        SPAN.SESSION_ID: "garden-1",
        SPAN.INPUT_VALUE: story.compact(call["arguments"]),
        SPAN.INPUT_MIME_TYPE: "application/json",
    }
    if not failed:
        attributes |= {
            SPAN.OUTPUT_VALUE: story.answer_text(number),
            SPAN.OUTPUT_MIME_TYPE: "application/json",
        }
    with spans.span(call["name"], attributes, story.ERROR if failed else None):
        pass


def record(*, models: bool, tools: bool) -> list[Any]:
    """The spans of both questions, a trace for each; with what models say, with the runs of tools, or both."""
    spans = spanning.Spans()
    before: list[dict[str, Any]] = []
    for turn, steps in enumerate(story.STEPS):
        before.append({"role": "user", "content": story.ASKED[turn]})
        root = {
            SPAN.OPENINFERENCE_SPAN_KIND: KIND.AGENT.value,
            SPAN.SESSION_ID: "garden-1",
            SPAN.INPUT_VALUE: story.ASKED[turn],
            SPAN.OUTPUT_VALUE: story.TEXTS[turn],
        }
        with spans.span("gardener", root):
            for numbers in steps:
                llm(spans, before, {"role": "assistant", "calls": numbers}, content=models)
                for number in numbers if tools else ():
                    tool(spans, number)
                before += [
                    {"role": "tool", "answers": story.CALLS[one]["id"], "content": story.answer_text(one)}
                    for one in numbers
                ]
            llm(spans, before, {"role": "assistant", "content": story.TEXTS[turn]}, content=models)
    return list(spans.finished())


def main() -> None:
    """Build and print."""
    out = harness.Dumps("openinference-semantic-conventions")
    spanning.dump_all(out, "", record(models=True, tools=True), all_ways=True)
    spanning.dump_all(out, "tools_", record(models=False, tools=True), all_ways=False)
    spanning.dump_all(out, "models_", record(models=True, tools=False), all_ways=False)
    out.print()


if __name__ == "__main__":
    main()
