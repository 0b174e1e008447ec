"""The conversations of `recordings.py` as agent frameworks, tracing and evaluation tools write them, and streams."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from recordings import RECORDINGS, Story, flat, messages, openai_entry

_KINDS = {"system": "SystemMessage", "human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}


def mistral(turns: Story) -> Any:
    """Nine characters as id, an index with each call."""

    def entry(call: Any) -> Any:
        own = call[0].replace("_", "").rjust(9, "k")[-9:]
        return {"id": own, "function": {"name": call[1], "arguments": json.dumps(call[2])}, "index": 0}

    found = messages(turns, entry, no_text="")
    for message in found:
        if message["role"] == "tool":
            message["tool_call_id"] = message["tool_call_id"].replace("_", "").rjust(9, "k")[-9:]
    return {"model": "m", **turns.functions, "messages": found}


def cohere(turns: Story) -> Any:
    """A plan with the calls, answers as documents."""
    found: list[Any] = turns.opening
    for asked, steps, said in turns:
        found.append({"role": "user", "content": asked})
        for step in steps:
            plan = "I will look that up."
            found.append(
                {"role": "assistant", "tool_plan": plan, "tool_calls": [openai_entry(c) for c in step]}
            )
            for own, _, _, answer in step:
                document = {"type": "document", "document": {"data": answer}}
                found.append({"role": "tool", "tool_call_id": own, "content": [document]})
        found.append({"role": "assistant", "content": [{"type": "text", "text": said}]})
    return {"model": "m", **turns.functions, "messages": found}


def openai_function_call(turns: Story) -> Any:
    """One call a message, as before `tool_calls`."""
    found: list[Any] = turns.opening
    for asked, steps, said in turns:
        found.append({"role": "user", "content": asked})
        for _, name, arguments, answer in (c for step in steps for c in step):
            call = {"name": name, "arguments": json.dumps(arguments)}
            found.append({"role": "assistant", "content": None, "function_call": call})
            found.append({"role": "function", "name": name, "content": answer})
        found.append({"role": "assistant", "content": said})
    return {"model": "m", "functions": turns.tools, "messages": found}


def langchain_dumpd(turns: Story) -> Any:
    """Constructors."""
    return [
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "messages", _KINDS[message["type"]]],
            "kwargs": message,
        }
        for message in flat(turns)
    ]


def langsmith(turns: Story) -> Any:
    """Runs of models, each with the history so far, and of tools."""
    told: list[Any] = turns.opening
    runs: list[Any] = []
    own = f"t-{turns[0][1][0][0][0]}"

    def run(kind: str, name: str, inputs: Any, outputs: Any) -> None:
        at = f"20260105T0800{len(runs):02d}000000Z"
        found = {"id": f"r{len(runs)}-{own}", "trace_id": own, "run_type": kind, "name": name}
        dotted = f"20260105T080000000000Z{own}.{at}r{len(runs)}"
        runs.append(found | {"dotted_order": dotted, "inputs": inputs, "outputs": outputs})

    for asked, steps, said in turns:
        told.append({"role": "user", "content": asked})
        for step in [*steps, []]:
            made: dict[str, Any] = {"role": "assistant", "content": None if step else said}
            if step:
                made["tool_calls"] = [openai_entry(c) for c in step]
            run("llm", "ChatModel", {"messages": list(told)}, {"choices": [{"message": made}]})
            told.append(made)
            for own_id, name, arguments, answer in step:
                run("tool", name, arguments, {"output": answer})
                told.append({"role": "tool", "tool_call_id": own_id, "content": answer})
    return runs


def llamaindex(turns: Story) -> Any:
    """Messages of blocks."""

    def message(role: str, *blocks: Any, **extra: Any) -> Any:
        return {"role": role, "additional_kwargs": extra, "blocks": list(blocks)}

    def text(said: str) -> Any:
        return {"block_type": "text", "text": said}

    found: list[Any] = [message("system", text(turns.system))] if turns.system else []
    for asked, steps, said in turns:
        found.append(message("user", text(asked)))
        for step in steps:
            kind = {"block_type": "tool_call"}
            calls = [kind | {"tool_call_id": c[0], "tool_name": c[1], "tool_kwargs": c[2]} for c in step]
            found.append(message("assistant", *calls))
            found += [message("tool", text(c[3]), name=c[1], tool_call_id=c[0]) for c in step]
        found.append(message("assistant", text(said)))
    return found


def vercel_steps(turns: Story) -> Any:
    """One result, whose steps are those of all turns."""
    steps: list[Any] = []
    for _, asked_for, said in turns:
        for step in asked_for:
            calls = [{"type": "tool-call", "toolCallId": c[0], "toolName": c[1], "input": c[2]} for c in step]
            results = [
                {
                    "type": "tool-result",
                    "toolCallId": c[0],
                    "toolName": c[1],
                    "input": c[2],
                    "output": c[3],
                }
                for c in step
            ]
            steps.append(
                {"text": "", "finishReason": "tool-calls", "toolCalls": calls, "toolResults": results}
            )
        steps.append({"text": said, "finishReason": "stop", "toolCalls": [], "toolResults": []})
    return {"steps": steps, "text": turns[-1][2]}


def vercel_ui(turns: Story) -> Any:
    """A message of the assistant holds all its steps."""
    found: list[Any] = []
    for asked, steps, said in turns:
        found.append({"id": f"u{len(found)}", "role": "user", "parts": [{"type": "text", "text": asked}]})
        parts: list[Any] = []
        for step in steps:
            parts.append({"type": "step-start"})
            done = {"state": "output-available"}
            parts += [
                {"type": f"tool-{c[1]}", "toolCallId": c[0], **done, "input": c[2], "output": c[3]}
                for c in step
            ]
        parts += [{"type": "step-start"}, {"type": "text", "text": said, "state": "done"}]
        found.append({"id": f"a{len(found)}", "role": "assistant", "parts": parts})
    return {"id": "chat", "messages": found}


def openai_agents(turns: Story) -> Any:
    """A result with its new items."""
    asked_first = turns[0][0]
    items: list[Any] = []
    for _, steps, said in turns:
        for step in steps:
            for own, name, arguments, _ in step:
                raw = {
                    "type": "function_call",
                    "call_id": own,
                    "name": name,
                    "arguments": json.dumps(arguments),
                }
                items.append({"type": "tool_call_item", "raw_item": raw})
            for own, _, _, answer in step:
                raw = {"type": "function_call_output", "call_id": own, "output": answer}
                items.append({"type": "tool_call_output_item", "output": answer, "raw_item": raw})
        content = [{"type": "output_text", "text": said}]
        message = {"type": "message", "role": "assistant", "content": content}
        items.append({"type": "message_output_item", "raw_item": message})
    return {"input": asked_first, "new_items": items, "final_output": turns[-1][2]}


def openinference(turns: Story) -> Any:
    """Spans of tools and models as Phoenix exports them: histories in flat attributes."""
    trace = f"{number_of(turns) + 1:032x}"
    told: list[dict[str, Any]] = []
    spans: list[Any] = []

    def span(name: str, attributes: dict[str, Any]) -> None:
        start = f"2026-01-05T08:00:{len(spans):02d}+00:00"
        where = {"trace_id": trace, "span_id": f"{len(spans) + 1:016x}"}
        spans.append({"name": name, "context": where, "start_time": start, "attributes": attributes})

    def message(role: str, text: str | None, calls: list[Any], own: str | None = None) -> dict[str, Any]:
        found: dict[str, Any] = {"message.role": role}
        if text is not None:
            found["message.content"] = text
        if own is not None:
            found["message.tool_call_id"] = own
        for index, call in enumerate(calls):
            at = f"message.tool_calls.{index}.tool_call"
            found |= {f"{at}.id": call[0], f"{at}.function.name": call[1]}
            found[f"{at}.function.arguments"] = json.dumps(call[2])
        return found

    def spread(prefix: str, found: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            f"{prefix}.{n}.{key}": value for n, fields in enumerate(found) for key, value in fields.items()
        }

    if turns.system:
        told.append(message("system", turns.system, []))
    for asked, steps, said in turns:
        told.append(message("user", asked, []))
        for step in [*steps, []]:
            made = message("assistant", None if step else said, step)
            attributes = {"openinference.span.kind": "LLM", **spread("llm.input_messages", told)}
            span("chat", attributes | spread("llm.output_messages", [made]))
            told.append(made)
            for own, name, arguments, answer in step:
                run = {"openinference.span.kind": "TOOL", "tool.name": name, "tool_call.id": own}
                span(name, run | {"input.value": json.dumps(arguments), "output.value": answer})
                told.append(message("tool", answer, [], own))
    return spans


def inspect(turns: Story) -> Any:
    """A log of one sample."""

    def entry(call: Any) -> Any:
        return {"id": call[0], "function": call[1], "arguments": call[2], "type": "function"}

    told = messages(turns, entry, no_text="")
    for message in told:
        if message["role"] == "tool":
            message["function"] = message.pop("name")
    sample = {"id": 1, "epoch": 1, "input": turns[0][0], "target": "", "messages": told}
    return {"version": 2, "eval": {"task": "shop"}, "samples": [sample]}


def openai_chat_stream(turns: Story) -> Any:
    """The chunks of the responses: an agent's words, and arguments in pieces of 12 characters."""
    chunks: list[Any] = []
    number = 0

    def chunk(delta: Any, reason: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        own = {"id": f"r{number}", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        chunks.append({**own, "choices": [choice]})

    for _, steps, said in turns:
        for step in steps:
            number += 1
            for index, (own, name, arguments, _) in enumerate(step):
                function = {"name": name, "arguments": ""}
                chunk({"tool_calls": [{"index": index, "id": own, "type": "function", "function": function}]})
                for piece in pieces(json.dumps(arguments), 12):
                    chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
            chunk({}, "tool_calls")
        number += 1
        for piece in pieces(said, 6):
            chunk({"content": piece})
        chunk({}, "stop")
    return chunks


def anthropic_stream(turns: Story) -> Any:
    """The events of the responses, in the same pieces."""
    events: list[Any] = []

    def block(index: int, start: Any, deltas: list[Any]) -> None:
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events.extend({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas)
        events.append({"type": "content_block_stop", "index": index})

    def begin() -> None:
        message = {"id": f"m{len(events)}", "type": "message", "role": "assistant", "content": []}
        events.append({"type": "message_start", "message": message})

    for _, steps, said in turns:
        for step in steps:
            begin()
            for index, (own, name, arguments, _) in enumerate(step):
                deltas = [
                    {"type": "input_json_delta", "partial_json": piece}
                    for piece in pieces(json.dumps(arguments), 12)
                ]
                block(index, {"type": "tool_use", "id": own, "name": name, "input": {}}, deltas)
            events.append({"type": "message_stop"})
        begin()
        block(
            0,
            {"type": "text", "text": ""},
            [{"type": "text_delta", "text": piece} for piece in pieces(said, 6)],
        )
        events.append({"type": "message_stop"})
    return events


def bedrock_converse_stream(turns: Story) -> Any:
    """The events of the responses, in the same pieces."""
    events: list[Any] = []
    for _, steps, said in turns:
        for step in steps:
            events.append({"messageStart": {"role": "assistant"}})
            for at, (own, name, arguments, _) in enumerate(step):
                start = {"toolUse": {"toolUseId": own, "name": name}}
                events.append({"contentBlockStart": {"contentBlockIndex": at, "start": start}})
                events += [
                    {"contentBlockDelta": {"contentBlockIndex": at, "delta": {"toolUse": {"input": piece}}}}
                    for piece in pieces(json.dumps(arguments), 12)
                ]
                events.append({"contentBlockStop": {"contentBlockIndex": at}})
            events.append({"messageStop": {"stopReason": "tool_use"}})
        events.append({"messageStart": {"role": "assistant"}})
        events += [
            {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": piece}}}
            for piece in pieces(said, 6)
        ]
        events.append({"messageStop": {"stopReason": "end_turn"}})
    return events


def pieces(text: str, length: int) -> list[str]:
    """A text as it comes from a stream."""
    return [text[at : at + length] for at in range(0, len(text), length)]


def sharegpt(turns: Story) -> Any:
    """Turns of training data."""
    found: list[Any] = []
    for asked, steps, said in turns:
        found.append({"from": "human", "value": asked})
        for _, name, arguments, answer in (c for step in steps for c in step):
            found.append(
                {"from": "function_call", "value": json.dumps({"name": name, "arguments": arguments})}
            )
            found.append({"from": "observation", "value": answer})
        found.append({"from": "gpt", "value": said})
    system = {"system": turns.system} if turns.system else {}
    return {"conversations": found, **system, "tools": json.dumps(turns.tools)}


def plain(turns: Story) -> Any:
    """A list of calls with their outputs."""
    return [
        {"id": c[0], "name": c[1], "arguments": c[2], "output": c[3]}
        for _, steps, _ in turns
        for step in steps
        for c in step
    ]


def native(turns: Story) -> Any:
    """A row of rightcall's own."""
    return {"id": "c", "tool_calls": plain(turns), "output": turns[-1][2]}


def vercel_v4_steps(turns: Story) -> Any:
    """One result of version 4."""
    steps: list[Any] = []
    for _, asked_for, said in turns:
        for step in asked_for:
            calls = [{"type": "tool-call", "toolCallId": c[0], "toolName": c[1], "args": c[2]} for c in step]
            results = [
                call | {"type": "tool-result", "result": c[3]} for call, c in zip(calls, step, strict=True)
            ]
            kind = {"stepType": "tool-result" if steps else "initial", "finishReason": "tool-calls"}
            steps.append(kind | {"text": "", "toolCalls": calls, "toolResults": results})
        steps.append({"stepType": "tool-result", "text": said, "finishReason": "stop"})
    return {"steps": steps, "text": turns[-1][2]}


def number_of(turns: Story) -> int:
    """The number of a conversation, out of its calls' ids."""
    return int(turns[0][1][0][0][0].split("_")[1])


FRAMEWORKS: dict[str, Callable[[Story], Any]] = RECORDINGS | {
    made.__name__: made
    for made in (
        *(mistral, cohere, openai_function_call, langchain_dumpd, langsmith, llamaindex, vercel_steps),
        *(vercel_ui, openai_agents, openinference, inspect, openai_chat_stream, anthropic_stream),
        *(sharegpt, plain, native, vercel_v4_steps, bedrock_converse_stream),
    )
}
