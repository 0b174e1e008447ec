"""The story as the types of `openai` write it: chat completions, their chunks, and responses."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

harness: Any = import_module("harness")
story: Any = import_module("story")
chat: Any = import_module("openai.types.chat")
chunks: Any = import_module("openai.types.chat.chat_completion_chunk")
responses: Any = import_module("openai.types.responses")
completion: Any = import_module("openai.types.chat.chat_completion")
MODEL = "made-up-model"
AT = 1_793_000_000


def message(numbers: list[int], text: str | None = None) -> Any:
    """An assistant's message with calls."""
    calls = [
        chat.ChatCompletionMessageFunctionToolCall(
            id=call["id"],
            type="function",
            function={"name": call["name"], "arguments": story.compact(call["arguments"])},
        )
        for call in (story.CALLS[number] for number in numbers)
    ]
    return chat.ChatCompletionMessage(role="assistant", content=text, tool_calls=calls or None)


def response(made: Any, number: int) -> Any:
    """A whole chat completion."""
    reason = "tool_calls" if made.tool_calls else "stop"
    choice = completion.Choice(index=0, finish_reason=reason, message=made, logprobs=None)
    return chat.ChatCompletion(
        id=f"chatcmpl-{number}", object="chat.completion", created=AT, model=MODEL, choices=[choice]
    )


def conversation() -> list[Any]:
    """Messages as they are sent: typed dicts of the user and the tools, the model's own objects between."""
    made: list[Any] = [chat.ChatCompletionSystemMessageParam(role="system", content="You tend a garden.")]
    for kind, what in story.said():
        if kind == "user":
            made.append(chat.ChatCompletionUserMessageParam(role="user", content=what))
        elif kind == "text":
            made.append(message([], what))
        else:
            made.append(message(what))
            made += [
                chat.ChatCompletionToolMessageParam(
                    role="tool", tool_call_id=story.CALLS[number]["id"], content=story.answer_text(number)
                )
                for number in what
            ]
    return made


def stream() -> list[Any]:
    """The parallel calls in pieces that cut words and numbers, and interleave."""
    pieces: list[Any] = [chunks.ChoiceDelta(role="assistant", content=None)]
    texts = [story.compact(call["arguments"]) for call in story.CALLS[:3]]
    for index, call in enumerate(story.CALLS[:3]):
        function = chunks.ChoiceDeltaToolCallFunction(name=call["name"], arguments="")
        pieces.append(_delta(index, function, id=call["id"], type="function"))
    for start in range(0, max(map(len, texts)), 7):
        for index, text in enumerate(texts):
            if text[start : start + 7]:
                function = chunks.ChoiceDeltaToolCallFunction(arguments=text[start : start + 7])
                pieces.append(_delta(index, function))
    made = [
        chunks.ChatCompletionChunk(
            id="chatcmpl-9",
            object="chat.completion.chunk",
            created=AT,
            model=MODEL,
            choices=[chunks.Choice(index=0, delta=piece, finish_reason=None)],
        )
        for piece in pieces
    ]
    last = made[-1].model_copy(deep=True)
    last.choices = []  # the chunk of usage
    return [*made, last]


def _delta(index: int, function: Any, **more: Any) -> Any:
    return chunks.ChoiceDelta(tool_calls=[chunks.ChoiceDeltaToolCall(index=index, function=function, **more)])


def function_call(call: dict[str, Any]) -> Any:
    """A call as the Responses API writes it."""
    return responses.ResponseFunctionToolCall(
        type="function_call",
        id=f"fc_{call['id']}",
        call_id=call["id"],
        name=call["name"],
        arguments=story.compact(call["arguments"]),
        status="completed",
    )


def output_message(text: str, number: int) -> Any:
    """A final text as the Responses API writes it."""
    part = responses.ResponseOutputText(type="output_text", text=text, annotations=[])
    return responses.ResponseOutputMessage(
        id=f"msg_{number}", type="message", role="assistant", status="completed", content=[part]
    )


def items() -> list[Any]:
    """The input of a further request: everything that was said before."""
    made: list[Any] = []
    for index, (kind, what) in enumerate(story.said()):
        if kind == "user":
            made.append(responses.EasyInputMessageParam(role="user", content=what, type="message"))
        elif kind == "text":
            made.append(output_message(what, index))
        else:
            made += [function_call(story.CALLS[number]) for number in what]
            made += [
                responses.response_input_item_param.FunctionCallOutput(
                    type="function_call_output",
                    call_id=story.CALLS[number]["id"],
                    output=story.answer_text(number),
                )
                for number in what
            ]
    return made


def whole_response(*numbers: int) -> Any:
    """A response with parallel calls."""
    return responses.Response(
        id="resp_1",
        object="response",
        created_at=float(AT),
        model=MODEL,
        output=[function_call(story.CALLS[number]) for number in numbers],
        parallel_tool_calls=True,
        tool_choice="auto",
        tools=[responses.FunctionTool(type="function", strict=False, **tool) for tool in story.TOOLS],
    )


def response_events() -> list[Any]:
    """The events of a streamed response: the beginning, each call in pieces and whole, and the end with all again."""
    made: list[Any] = []

    def add(kind: str, name: str, /, **fields: Any) -> None:
        made.append(getattr(responses, kind)(type=name, sequence_number=len(made), **fields))

    add("ResponseCreatedEvent", "response.created", response=whole_response())
    for index, call in enumerate(story.CALLS[:3]):
        whole = function_call(call)
        own = {"item_id": whole.id, "output_index": index}
        begun = whole.model_copy(update={"arguments": "", "status": "in_progress"})
        add("ResponseOutputItemAddedEvent", "response.output_item.added", output_index=index, item=begun)
        name = "response.function_call_arguments"
        for start in range(0, len(whole.arguments), 11):
            piece = whole.arguments[start : start + 11]
            add("ResponseFunctionCallArgumentsDeltaEvent", f"{name}.delta", delta=piece, **own)
        more = {"arguments": whole.arguments, "name": whole.name}
        add("ResponseFunctionCallArgumentsDoneEvent", f"{name}.done", **more, **own)
        add("ResponseOutputItemDoneEvent", "response.output_item.done", output_index=index, item=whole)
    add("ResponseCompletedEvent", "response.completed", response=whole_response(0, 1, 2))
    return made


def dumped(value: Any) -> Any:
    """Objects as the plain values that they are sent as."""
    return value.model_dump(mode="json", exclude_unset=True) if hasattr(value, "model_dump") else value


def main() -> None:
    """Build and print."""
    out = harness.Dumps("openai")
    said = conversation()
    first = response(message([0, 1]), 1)
    out.dump("chat_messages", json.dumps([dumped(item) for item in said]))
    out.object("chat_messages", said)
    out.dump("chat_completion", first.to_json())
    out.object("chat_completion", first)
    answers = [response(item, 5) for item in said if hasattr(item, "tool_calls")]
    lines = "\n".join(response(item, 5).model_dump_json() for item in said if hasattr(item, "tool_calls"))
    out.dump("chat_completions_jsonl", lines)
    out.object("chat_completions_jsonl", answers)
    pieces = stream()
    events = "".join(f"data: {piece.model_dump_json(exclude_unset=True)}\n\n" for piece in pieces)
    out.dump("chat_stream", events + "data: [DONE]\n\n")
    out.object("chat_stream", pieces)
    out.dump("chat_stream_list", story.compact([piece.model_dump(mode="json") for piece in pieces]))
    out.dump("response_items", json.dumps([dumped(item) for item in items()]))
    out.object("response_items", items())
    out.dump("response", whole_response(0, 1).to_json())
    out.object("response", whole_response(0, 1))
    streamed = response_events()
    events = "".join(f"event: {one.type}\ndata: {one.model_dump_json()}\n\n" for one in streamed)
    out.dump("response_stream", events)
    out.object("response_stream", streamed)
    out.print()


if __name__ == "__main__":
    main()
