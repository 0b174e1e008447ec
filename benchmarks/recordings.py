"""The same invented conversations in many formats, for the benchmarks of reading.

Each has three turns and five calls, in two sizes:

- ``small``: texts of 60 to 600 characters, answers of tools of 150 to 1,200, no system prompt; about 8 KB a
  recording. Examples and tests look like that, recordings of agents don't.
- ``real``: a system prompt of 4,000 characters and eight tools with descriptions (6 KB of schemas), where a format has
  a place for them; answers of tools of 500 to 4,000 characters, a quarter of them of 60 to 300, most of them JSON in
  a text; answers to the user of 300 to 1,500 characters. About 20 to 35 KB a recording, more where a format repeats
  the history.
"""

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


class Story(list[Turn]):
    """The turns of one conversation; what it was told first, and the tools that were offered."""

    def __init__(self, turns: list[Turn], system: str, tools: list[dict[str, Any]]) -> None:
        super().__init__(turns)
        self.system = system
        self.tools = tools

    @property
    def opening(self) -> list[dict[str, Any]]:
        """The system's message, where there is one."""
        return [{"role": "system", "content": self.system}] if self.system else []

    @property
    def functions(self) -> dict[str, Any]:
        """The offered tools as OpenAI's request holds them."""
        return {"tools": [{"type": "function", "function": tool} for tool in self.tools]}


def prose(chance: random.Random, low: int, high: int) -> str:
    """So many characters of running text, in paragraphs."""
    length, parts, done = chance.randint(low, high), [], 0
    while done < length:
        sentence = " ".join(chance.choice(WORDS) for _ in range(chance.randint(8, 20))).capitalize() + "."
        parts.append(sentence + ("\n\n" if chance.random() < 0.15 else " "))
        done += len(parts[-1])
    return "".join(parts)[:length]


def made_tools(chance: random.Random, names: int, low: int, high: int) -> list[dict[str, Any]]:
    """Tools with an `order` and some other parameters, each with a description of so many characters."""
    plain: dict[str, Any] = {
        "order": {"type": "string"},
        "fields": {"type": "array", "items": {"type": "string"}},
    }
    return [
        {
            "name": name,
            "description": prose(chance, low, high),
            "parameters": {
                "type": "object",
                "properties": {
                    key: kind | {"description": prose(chance, low // 4, high // 4)}
                    for key, kind in plain.items()
                },
                "required": ["order"],
            },
        }
        for name in NAMES[:names]
    ]


NAMES = (
    *("track_parcel", "find_order", "change_address", "open_complaint"),
    *("refund_payment", "search_catalogue", "list_orders", "ask_colleague"),
)
SIZES = ("small", "real")
_SYSTEM = prose(random.Random(1), 4000, 4000)
_TOOLS = {"small": made_tools(random.Random(2), 3, 40, 40), "real": made_tools(random.Random(3), 8, 200, 400)}


def story(seed: int, size: str = "real") -> Story:
    """One conversation of three turns with five calls, as small as an example, or as large as a real one."""
    chance = random.Random(seed)
    small = size == "small"

    def answer() -> str:
        if small:
            return json.dumps({"place": "Oslo", "history": [prose(chance, 40, 100)] * chance.randint(2, 12)})
        short, kind = chance.random() < 0.25, chance.random()
        length = chance.randint(60, 300) if short else chance.randint(500, 4000)
        if kind < 0.3:
            return prose(chance, length, length)
        rows: list[dict[str, Any]] = []
        while len(json.dumps(rows)) < length:
            number = chance.randint(1000, 9999)
            rows.append(
                {"id": number, "state": "sent", "price": number / 100, "note": prose(chance, 30, 160)}
            )
        return json.dumps(rows)

    def call(number: int) -> Call:
        arguments = {
            "order": f"K-{chance.randint(1000, 9999)}",
            "fields": ["place", "due"],
            "note": prose(chance, 15, 50) if small else prose(chance, 30, 300),
        }
        return f"call_{seed}_{number}", chance.choice(NAMES[:3]), arguments, answer()

    def asked() -> str:
        return prose(chance, 60, 300) if small else prose(chance, 80, 800)

    def said() -> str:
        return prose(chance, 150, 600) if small else prose(chance, 300, 1500)

    turns = [
        (asked(), [[call(1), call(2)], [call(3)]], said()),
        (asked(), [[call(4)]], said()),
        (asked(), [[call(5)]], said()),
    ]
    return Story(turns, "" if small else _SYSTEM, _TOOLS[size])


def messages(turns: Story, entry: Callable[[Call], Any], **odd: Any) -> list[dict[str, Any]]:
    """Messages with `tool_calls`, as many write them."""
    found = turns.opening
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


def openai_chat(turns: Story) -> Any:
    """A request with its tools."""
    return {"model": "m", **turns.functions, "messages": messages(turns, openai_entry)}


def ollama(turns: Story) -> Any:
    """Arguments as objects, no ids."""
    made = messages(
        turns, lambda c: {"function": {"name": c[1], "arguments": c[2]}}, by_name=True, no_text=""
    )
    return {"model": "m", **turns.functions, "messages": made}


def openai_responses(turns: Story) -> Any:
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
    told = {
        "instructions": turns.system or None,
        "tools": [{"type": "function", **tool} for tool in turns.tools],
    }
    return {"object": "response", "id": "resp_1", **told, "output": items}


def anthropic(turns: Story) -> Any:
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
    tools = [
        {"name": tool["name"], "description": tool["description"], "input_schema": tool["parameters"]}
        for tool in turns.tools
    ]
    return {
        "model": "m",
        **({"system": turns.system} if turns.system else {}),
        "tools": tools,
        "messages": found,
    }


def gemini(turns: Story) -> Any:
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
    told = {"systemInstruction": {"parts": [{"text": turns.system}]}} if turns.system else {}
    return {**told, "tools": [{"functionDeclarations": turns.tools}], "contents": found}


def bedrock_converse(turns: Story) -> Any:
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
    tools = [
        {
            "toolSpec": {
                "name": tool["name"],
                "description": tool["description"],
                "inputSchema": {"json": tool["parameters"]},
            }
        }
        for tool in turns.tools
    ]
    told = {"system": [{"text": turns.system}]} if turns.system else {}
    return {"modelId": "m", **told, "toolConfig": {"tools": tools}, "messages": found}


def flat(turns: Story) -> Iterator[dict[str, Any]]:
    """LangChain's messages, flat."""
    if turns.system:
        yield {"type": "system", "content": turns.system, "id": "s"}
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


def langchain(turns: Story) -> Any:
    """As `messages_to_dict` writes them."""
    return {"messages": [{"type": message["type"], "data": message} for message in flat(turns)]}


def langgraph(turns: Story) -> Any:
    """A state."""
    return {"values": {"messages": list(flat(turns))}}


def vercel_messages(turns: Story) -> Any:
    """Model messages."""
    found: list[Any] = turns.opening
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


def pydantic_ai(turns: Story) -> Any:
    """Requests and responses with parts."""
    found: list[Any] = []
    for asked, steps, said in turns:
        begin = (
            [{"part_kind": "system-prompt", "content": turns.system}] if turns.system and not found else []
        )
        found.append({"kind": "request", "parts": [*begin, {"part_kind": "user-prompt", "content": asked}]})
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


def google_adk(turns: Story) -> Any:
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


def tau2(turns: Story) -> Any:
    """A simulation."""
    found: list[Any] = turns.opening
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


def otel_genai(turns: Story) -> Any:
    """A request of OTLP: a chat span for each step, and the tools' spans."""
    spans: list[Any] = []
    trace = f"{random.Random(turns[0][0]).getrandbits(128):032x}"
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
            if turns.system:
                system = [{"type": "text", "content": turns.system}]
                asked_for["gen_ai.system_instructions"] = json.dumps(system)
                asked_for["gen_ai.tool.definitions"] = json.dumps(turns.functions["tools"])
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


def mcp(turns: Story) -> Any:
    """Requests and responses."""
    tools = [
        {"name": tool["name"], "description": tool["description"], "inputSchema": tool["parameters"]}
        for tool in turns.tools
    ]
    found: list[Any] = [
        {"jsonrpc": "2.0", "id": "list", "method": "tools/list"},
        {"jsonrpc": "2.0", "id": "list", "result": {"tools": tools}},
    ]
    for _, steps, _ in turns:
        for own, name, arguments, answer in (c for step in steps for c in step):
            params = {"name": name, "arguments": arguments}
            found.append({"jsonrpc": "2.0", "id": own, "method": "tools/call", "params": params})
            result = {"content": [{"type": "text", "text": answer}], "isError": False}
            found.append({"jsonrpc": "2.0", "id": own, "result": result})
    return found


RECORDINGS: dict[str, Callable[[Story], Any]] = {
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
