"""The story as the types of `anthropic` write it: messages, a conversation, and the events of a stream."""

from __future__ import annotations

from importlib import import_module
from typing import Any

harness: Any = import_module("harness")
story: Any = import_module("story")
types: Any = import_module("anthropic.types")
FAILED = 4


def blocks(numbers: list[int]) -> list[Any]:
    """The calls of one answer."""
    calls = [story.CALLS[number] for number in numbers]
    return [
        types.ToolUseBlock(type="tool_use", id=call["id"], name=call["name"], input=call["arguments"])
        for call in calls
    ]


def message(content: list[Any], number: int) -> Any:
    """A message as the interface answers it."""
    calling = any(block.type == "tool_use" for block in content)
    return types.Message(
        id=f"msg_{number}",
        type="message",
        role="assistant",
        model="made-up-model",
        content=content,
        stop_reason="tool_use" if calling else "end_turn",
        usage=types.Usage(input_tokens=9, output_tokens=9),
    )


def results(numbers: list[int]) -> Any:
    """What the tools answered: a user's message. The first answer is a list of blocks, the others are texts."""
    made = []
    for number in numbers:
        text = story.answer_text(number)
        made.append(
            types.ToolResultBlockParam(
                type="tool_result",
                tool_use_id=story.CALLS[number]["id"],
                content=[types.TextBlockParam(type="text", text=text)] if number == 0 else text,
                is_error=number == FAILED,
            )
        )
    return types.UserMessageParam(role="user", content=made)


def conversation(*, whole: bool) -> list[Any]:
    """Messages as they are sent; `whole`: the model's own are the Message objects themselves."""
    made: list[Any] = []
    for index, (kind, what) in enumerate(story.said()):
        if kind == "user":
            made.append(types.UserMessageParam(role="user", content=what))
            continue
        content = [types.TextBlock(type="text", text=what)] if kind == "text" else blocks(what)
        answer = message(content, index)
        made.append(
            answer if whole else types.AssistantMessageParam(role="assistant", content=answer.content)
        )
        if kind == "calls":
            made.append(results(what))
    return made


def stream() -> list[Any]:
    """The events of two answers; a call without arguments has only an empty piece."""
    made: list[Any] = []
    for number, indexes in enumerate(([0, 1, 2], [3, 4])):
        made.append(types.RawMessageStartEvent(type="message_start", message=message([], number)))
        for index, call in enumerate(story.CALLS[which] for which in indexes):
            block = types.ToolUseBlock(type="tool_use", id=call["id"], name=call["name"], input={})
            made.append(
                types.RawContentBlockStartEvent(type="content_block_start", index=index, content_block=block)
            )
            text = story.compact(call["arguments"]) if call["arguments"] else ""
            for start in range(0, max(len(text), 1), 9):
                delta = types.InputJSONDelta(type="input_json_delta", partial_json=text[start : start + 9])
                made.append(
                    types.RawContentBlockDeltaEvent(type="content_block_delta", index=index, delta=delta)
                )
            made.append(types.RawContentBlockStopEvent(type="content_block_stop", index=index))
        made.append(types.RawMessageStopEvent(type="message_stop"))
    return made


def dumped(value: Any) -> Any:
    """Messages with objects in them as plain values."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {key: dumped(item) for key, item in value.items()}
    return [dumped(item) for item in value] if isinstance(value, list) else value


def main() -> None:
    """Build and print."""
    out = harness.Dumps("anthropic")
    sent = conversation(whole=False)
    out.dump("conversation", story.compact(dumped(sent)))
    out.object("conversation", sent)
    both = conversation(whole=True)
    out.dump("conversation_of_messages", story.compact(dumped(both)))
    out.object("conversation_of_messages", both)
    first = message(blocks([0, 1]), 0)
    out.dump("message", first.to_json())
    out.object("message", first)
    events = stream()
    lines = "".join(f"event: {event.type}\ndata: {event.model_dump_json()}\n\n" for event in events)
    out.dump("stream", lines)
    out.object("stream", events)
    out.dump("stream_list", story.compact(dumped(events)))
    request = {"model": "made-up-model", "tools": tools(), "messages": dumped(sent)}
    out.dump("request", story.compact(request))
    out.object("request", {"model": "made-up-model", "tools": tools(), "messages": sent})
    out.print()


def tools() -> list[Any]:
    """The offered tools."""
    return [
        types.ToolParam(name=tool["name"], description=tool["description"], input_schema=tool["parameters"])
        for tool in story.TOOLS
    ]


if __name__ == "__main__":
    main()
