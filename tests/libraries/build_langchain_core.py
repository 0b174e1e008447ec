"""The story as the messages of `langchain-core` dump themselves, in each of its ways."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

harness: Any = import_module("harness")
story: Any = import_module("story")
messages: Any = import_module("langchain_core.messages")
load: Any = import_module("langchain_core.load")
FAILED = 4


def said() -> list[Any]:
    """The conversation; the model's arguments come twice, as they do from a provider's package."""
    made: list[Any] = [messages.SystemMessage("You tend a garden.")]
    for kind, what in story.said():
        if kind == "user":
            made.append(messages.HumanMessage(what))
        elif kind == "text":
            made.append(messages.AIMessage(what))
        else:
            made.append(calling(what))
            made += [
                messages.ToolMessage(
                    story.answer_text(number),
                    tool_call_id=story.CALLS[number]["id"],
                    name=story.CALLS[number]["name"],
                    status="error" if number == FAILED else "success",
                )
                for number in what
            ]
    return made


def calling(numbers: list[int]) -> Any:
    """An answer with calls, and the same in the provider's own form beside them."""
    calls = [story.CALLS[number] for number in numbers]
    raw = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": story.compact(call["arguments"])},
        }
        for call in calls
    ]
    return messages.AIMessage(
        "",
        tool_calls=[
            messages.ToolCall(name=call["name"], args=call["arguments"], id=call["id"]) for call in calls
        ],
        additional_kwargs={"tool_calls": raw},
    )


def in_blocks() -> list[Any]:
    """The conversation with contents made of blocks, the calls among them."""
    made = said()
    for index, one in enumerate(made):
        if isinstance(one, messages.AIMessage):
            made[index] = messages.AIMessage(content_blocks=one.content_blocks)
    return made


def merged() -> Any:
    """An answer that was put together from the chunks of a stream."""
    pieces = []
    for index, call in enumerate(story.CALLS[:3]):
        text = story.compact(call["arguments"])
        first = {"name": call["name"], "args": text[:5], "id": call["id"], "index": index}
        rest = {"name": None, "args": text[5:], "id": None, "index": index}
        pieces += [
            messages.AIMessageChunk(
                "", tool_call_chunks=[messages.ToolCallChunk(type="tool_call_chunk", **one)]
            )
            for one in (first, rest)
        ]
    whole = pieces[0]
    for piece in pieces[1:]:
        whole += piece
    return whole


def main() -> None:
    """Build and print."""
    out = harness.Dumps("langchain-core")
    made = said()
    out.dump("messages_to_dict", json.dumps(messages.messages_to_dict(made)))
    out.dump("dumpd", json.dumps(load.dumpd(made)))
    out.dump("dumps", load.dumps(made, pretty=True))
    out.dump("model_dump", story.compact([item.model_dump() for item in made]))
    out.object("model_dump", made)
    out.dump("state", story.compact({"messages": [item.model_dump() for item in made]}))
    out.object("state", {"messages": made})
    out.dump("blocks", story.compact([item.model_dump() for item in in_blocks()]))
    out.object("blocks", in_blocks())
    out.dump("openai_messages", story.compact(messages.convert_to_openai_messages(made)))
    out.dump("chunk", merged().model_dump_json())
    out.object("chunk", merged())
    out.dump("chunk_dumpd", json.dumps(load.dumpd(merged())))
    out.print()


if __name__ == "__main__":
    main()
