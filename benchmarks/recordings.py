"""The same invented conversations in many formats, for the benchmarks of reading."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

TEXT = (
    "the parcel for order has left our northern depot and will reach you before noon on Friday please keep "
    "the note with the code in case the driver asks for it thank you for your patience with this delay"
)
WORDS = TEXT.split()

Call = tuple[str, str, dict[str, Any], str]
"""Id, name, arguments, answer."""
Turn = tuple[str, list[list[Call]], str]
"""The user's text, steps of parallel calls, the agent's text."""

TOOLS: list[dict[str, Any]] = [
    {
        "name": name,
        "description": "One of the things that the shop can do.",
        "parameters": {
            "type": "object",
            "properties": {
                "order": {"type": "string"},
                "fields": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["order"],
        },
    }
    for name in ("track_parcel", "find_order", "change_address")
]


def story(seed: int) -> list[Turn]:
    """One conversation: three turns with texts of some hundred letters and five calls."""
    chance = random.Random(seed)

    def text(low: int, high: int) -> str:
        return " ".join(chance.choice(WORDS) for _ in range(chance.randint(low, high)))

    def call(number: int) -> Call:
        arguments = {
            "order": f"K-{chance.randint(1000, 9999)}",
            "fields": ["place", "due"],
            "note": text(3, 9),
        }
        answer = json.dumps({"place": "Oslo", "history": [text(8, 20) for _ in range(chance.randint(2, 20))]})
        name: str = chance.choice(TOOLS)["name"]
        return f"call_{seed}_{number}", name, arguments, answer

    return [
        (text(20, 60), [[call(1), call(2)], [call(3)]], text(40, 120)),
        (text(10, 40), [[call(4)]], text(30, 90)),
        (text(10, 40), [[call(5)]], text(30, 90)),
    ]


def messages(turns: list[Turn], entry: Callable[[Call], Any], **odd: Any) -> list[dict[str, Any]]:
    """Messages with `tool_calls`, as many write them."""
    found: list[dict[str, Any]] = []
    for asked, steps, said in turns:
        found.append({"role": "user", "content": asked})
        for step in steps:
            found.append(
                {"role": "assistant", "content": odd.get("no_text"), "tool_calls": [entry(c) for c in step]}
            )
            for own, name, _, answer in step:
                whose = {"tool_name": name} if "by_name" in odd else {"tool_call_id": own, "name": name}
                found.append({"role": "tool", **whose, "content": answer})
        found.append({"role": "assistant", "content": said})
    return found


def openai_entry(call: Call) -> dict[str, Any]:
    """An entry of `tool_calls` with its arguments as text."""
    own, name, arguments, _ = call
    return {"id": own, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def openai_chat(turns: list[Turn]) -> Any:
    """A request with its tools."""
    tools = [{"type": "function", "function": tool} for tool in TOOLS]
    return {"model": "m", "tools": tools, "messages": messages(turns, openai_entry)}


def ollama(turns: list[Turn]) -> Any:
    """Arguments as objects, no ids."""
    made = messages(
        turns, lambda c: {"function": {"name": c[1], "arguments": c[2]}}, by_name=True, no_text=""
    )
    return {"model": "m", "messages": made}


def openai_responses(turns: list[Turn]) -> Any:
    """Items of a response."""
    items: list[Any] = []
    for asked, steps, said in turns:
        items.append({"type": "message", "role": "user", "content": [{"type": "input_text", "text": asked}]})
        for step in steps:
            items += [
                {
                    "type": "function_call",
                    "id": f"fc_{c[0]}",
                    "call_id": c[0],
                    "name": c[1],
                    "arguments": json.dumps(c[2]),
                }
                for c in step
            ]
            items += [{"type": "function_call_output", "call_id": c[0], "output": c[3]} for c in step]
        items.append(
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]}
        )
    return {"object": "response", "id": "resp_1", "output": items}


def anthropic(turns: list[Turn]) -> Any:
    """Content blocks."""
    found: list[Any] = []
    for asked, steps, said in turns:
        found.append({"role": "user", "content": asked})
        for step in steps:
            uses = [{"type": "tool_use", "id": c[0], "name": c[1], "input": c[2]} for c in step]
            found.append({"role": "assistant", "content": uses})
            results = [{"type": "tool_result", "tool_use_id": c[0], "content": c[3]} for c in step]
            found.append({"role": "user", "content": results})
        found.append({"role": "assistant", "content": [{"type": "text", "text": said}]})
    return {"model": "m", "messages": found}


def gemini(turns: list[Turn]) -> Any:
    """Parts."""
    found: list[Any] = []
    for asked, steps, said in turns:
        found.append({"role": "user", "parts": [{"text": asked}]})
        for step in steps:
            found.append(
                {"role": "model", "parts": [{"functionCall": {"name": c[1], "args": c[2]}} for c in step]}
            )
            answers = [{"functionResponse": {"name": c[1], "response": {"result": c[3]}}} for c in step]
            found.append({"role": "user", "parts": answers})
        found.append({"role": "model", "parts": [{"text": said}]})
    return {"contents": found}


def bedrock_converse(turns: list[Turn]) -> Any:
    """Blocks with toolUse and toolResult."""
    found: list[Any] = []
    for asked, steps, said in turns:
        found.append({"role": "user", "content": [{"text": asked}]})
        for step in steps:
            uses = [{"toolUse": {"toolUseId": c[0], "name": c[1], "input": c[2]}} for c in step]
            found.append({"role": "assistant", "content": uses})
            results = [{"toolResult": {"toolUseId": c[0], "content": [{"text": c[3]}]}} for c in step]
            found.append({"role": "user", "content": results})
        found.append({"role": "assistant", "content": [{"text": said}]})
    return {"modelId": "m", "messages": found}


def flat(turns: list[Turn]) -> Iterator[dict[str, Any]]:
    """LangChain's messages, flat."""
    for asked, steps, said in turns:
        yield {"type": "human", "content": asked, "id": "h"}
        for step in steps:
            calls = [{"name": c[1], "args": c[2], "id": c[0], "type": "tool_call"} for c in step]
            extra = {"tool_calls": [openai_entry(c) for c in step]}
            yield {"type": "ai", "content": "", "tool_calls": calls, "additional_kwargs": extra, "id": "a"}
            for c in step:
                yield {
                    "type": "tool",
                    "content": c[3],
                    "name": c[1],
                    "tool_call_id": c[0],
                    "status": "success",
                }
        yield {"type": "ai", "content": said, "tool_calls": [], "additional_kwargs": {}, "id": "f"}


def langchain(turns: list[Turn]) -> Any:
    """As `messages_to_dict` writes them."""
    return {"messages": [{"type": message["type"], "data": message} for message in flat(turns)]}


def langgraph(turns: list[Turn]) -> Any:
    """A state."""
    return {"values": {"messages": list(flat(turns))}}


def vercel_messages(turns: list[Turn]) -> Any:
    """Model messages."""
    found: list[Any] = []
    for asked, steps, said in turns:
        found.append({"role": "user", "content": [{"type": "text", "text": asked}]})
        for step in steps:
            calls = [{"type": "tool-call", "toolCallId": c[0], "toolName": c[1], "input": c[2]} for c in step]
            found.append({"role": "assistant", "content": calls})
            answers = [
                {
                    "type": "tool-result",
                    "toolCallId": c[0],
                    "toolName": c[1],
                    "output": {"type": "text", "value": c[3]},
                }
                for c in step
            ]
            found.append({"role": "tool", "content": answers})
        found.append({"role": "assistant", "content": [{"type": "text", "text": said}]})
    return {"messages": found}


def pydantic_ai(turns: list[Turn]) -> Any:
    """Requests and responses with parts."""
    found: list[Any] = []
    for asked, steps, said in turns:
        found.append({"kind": "request", "parts": [{"part_kind": "user-prompt", "content": asked}]})
        for step in steps:
            calls = [
                {"part_kind": "tool-call", "tool_name": c[1], "args": c[2], "tool_call_id": c[0]}
                for c in step
            ]
            found.append({"kind": "response", "parts": calls})
            answers = [
                {"part_kind": "tool-return", "tool_name": c[1], "content": c[3], "tool_call_id": c[0]}
                for c in step
            ]
            found.append({"kind": "request", "parts": answers})
        found.append({"kind": "response", "parts": [{"part_kind": "text", "content": said}]})
    return found


def google_adk(turns: list[Turn]) -> Any:
    """A session of events."""
    events: list[Any] = []

    def event(number: int, author: str, role: str, parts: list[Any]) -> None:
        content = {"role": role, "parts": parts}
        events.append(
            {"invocationId": f"inv-{number}", "author": author, "id": f"e{len(events)}", "content": content}
        )

    for number, (asked, steps, said) in enumerate(turns):
        event(number, "user", "user", [{"text": asked}])
        for step in steps:
            event(
                number,
                "bot",
                "model",
                [{"functionCall": {"id": c[0], "name": c[1], "args": c[2]}} for c in step],
            )
            answers = [
                {"functionResponse": {"id": c[0], "name": c[1], "response": {"result": c[3]}}} for c in step
            ]
            event(number, "bot", "user", answers)
        event(number, "bot", "model", [{"text": said}])
    return {"id": "s", "appName": "shop", "userId": "u", "events": events}


def tau2(turns: list[Turn]) -> Any:
    """A simulation."""
    found: list[Any] = []
    for asked, steps, said in turns:
        found.append({"role": "user", "content": asked, "turn_idx": len(found)})
        for step in steps:
            calls = [{"id": c[0], "name": c[1], "arguments": c[2], "requestor": "assistant"} for c in step]
            found.append({"role": "assistant", "content": None, "tool_calls": calls})
            found += [
                {"role": "tool", "id": c[0], "content": c[3], "requestor": "assistant", "error": False}
                for c in step
            ]
        found.append({"role": "assistant", "content": said})
    return {"simulations": [{"id": "s1", "task_id": "1", "messages": found}]}


def otel_genai(turns: list[Turn]) -> Any:
    """A request of OTLP: a chat span for each step, and the tools' spans."""
    spans: list[Any] = []
    trace = f"{random.Random(str(turns)).getrandbits(128):032x}"
    told: list[Any] = []

    def span(name: str, attributes: dict[str, str]) -> None:
        start = 1_760_000_000_000_000_000 + len(spans)
        listed = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
        times = {"startTimeUnixNano": str(start), "endTimeUnixNano": str(start + 1)}
        spans.append(
            {
                "traceId": trace,
                "spanId": f"{len(spans) + 1:016x}",
                "name": name,
                "attributes": listed,
                **times,
            }
        )

    for asked, steps, said in turns:
        told.append({"role": "user", "parts": [{"type": "text", "content": asked}]})
        for step in [*steps, []]:
            parts = [{"type": "tool_call", "id": c[0], "name": c[1], "arguments": c[2]} for c in step]
            made = {"role": "assistant", "parts": parts or [{"type": "text", "content": said}]}
            asked_for = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(told)}
            span("chat m", {**asked_for, "gen_ai.output.messages": json.dumps([made])})
            told.append(made)
            for own, name, arguments, answer in step:
                run = {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": name,
                    "gen_ai.tool.call.id": own,
                }
                run |= {
                    "gen_ai.tool.call.arguments": json.dumps(arguments),
                    "gen_ai.tool.call.result": answer,
                }
                span(f"execute_tool {name}", run)
                told.append(
                    {"role": "tool", "parts": [{"type": "tool_call_response", "id": own, "response": answer}]}
                )
    return {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}


def mcp(turns: list[Turn]) -> Any:
    """Requests and responses."""
    found: list[Any] = []
    for _, steps, _ in turns:
        for own, name, arguments, answer in (c for step in steps for c in step):
            params = {"name": name, "arguments": arguments}
            found.append({"jsonrpc": "2.0", "id": own, "method": "tools/call", "params": params})
            result = {"content": [{"type": "text", "text": answer}], "isError": False}
            found.append({"jsonrpc": "2.0", "id": own, "result": result})
    return found


RECORDINGS: dict[str, Callable[[list[Turn]], Any]] = {
    made.__name__: made
    for made in (
        openai_chat,
        openai_responses,
        anthropic,
        gemini,
        bedrock_converse,
        ollama,
        langchain,
        langgraph,
    )
} | {made.__name__: made for made in (vercel_messages, pydantic_ai, google_adk, tau2, otel_genai, mcp)}
