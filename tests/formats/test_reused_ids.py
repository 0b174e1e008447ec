"""Ids that come again: a call that was made twice is two calls, and a call that is told twice is one, in every format."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from rightcall import Trace, evaluate, read, read_all

ID = "call_0"
BASE = 10**18


# One call and its answer in each format; the number is that of the round ------------------------------------------


def chat(number: int) -> list[Any]:
    call = {"id": ID, "type": "function", "function": {"name": "pay", "arguments": "{}"}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": ID, "content": f"paid {number}"},
    ]


def anthropic(number: int) -> list[Any]:
    use = {"type": "tool_use", "id": ID, "name": "pay", "input": {}}
    result = {"type": "tool_result", "tool_use_id": ID, "content": f"paid {number}"}
    return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]


def bedrock(number: int) -> list[Any]:
    use = {"toolUse": {"toolUseId": ID, "name": "pay", "input": {}}}
    result = {"toolResult": {"toolUseId": ID, "content": [{"text": f"paid {number}"}]}}
    return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]


def gemini(number: int) -> list[Any]:
    call = {"functionCall": {"id": ID, "name": "pay", "args": {}}}
    answer = {"functionResponse": {"id": ID, "name": "pay", "response": {"output": number}}}
    return [{"role": "model", "parts": [call]}, {"role": "user", "parts": [answer]}]


def langgraph(number: int) -> list[Any]:
    return [
        {"type": "ai", "content": "", "tool_calls": [{"name": "pay", "args": {}, "id": ID}]},
        {"type": "tool", "content": f"paid {number}", "tool_call_id": ID},
    ]


def langchain(number: int) -> list[Any]:
    return [{"type": message["type"], "data": message} for message in langgraph(number)]


def responses(number: int) -> list[Any]:
    return [
        {"type": "function_call", "call_id": ID, "name": "pay", "arguments": "{}"},
        {"type": "function_call_output", "call_id": ID, "output": f"paid {number}"},
    ]


def agents(number: int) -> list[Any]:
    call, answer = responses(number)
    return [
        {"type": "tool_call_item", "raw_item": call},
        {"type": "tool_call_output_item", "raw_item": answer, "output": f"paid {number}"},
    ]


def vercel(number: int) -> list[Any]:
    call = {"type": "tool-call", "toolCallId": ID, "toolName": "pay", "input": {}}
    output = {"type": "text", "value": f"paid {number}"}
    answer = {"type": "tool-result", "toolCallId": ID, "toolName": "pay", "output": output}
    return [{"role": "assistant", "content": [call]}, {"role": "tool", "content": [answer]}]


def ui_part(number: int) -> dict[str, Any]:
    part = {"type": "tool-pay", "toolCallId": ID, "state": "output-available", "input": {}}
    return part | {"output": f"paid {number}"}


def ui(number: int) -> list[Any]:
    return [{"id": f"m{number}", "role": "assistant", "parts": [ui_part(number)]}]


def ui_step(number: int) -> list[Any]:
    return [{"type": "step-start"}, ui_part(number)]


def step(number: int) -> list[Any]:
    call = {"type": "tool-call", "toolCallId": ID, "toolName": "pay", "input": {}}
    answer = {"type": "tool-result", "toolCallId": ID, "toolName": "pay", "output": f"paid {number}"}
    return [{"text": "", "toolCalls": [call], "toolResults": [answer]}]


def pydantic(number: int) -> list[Any]:
    call = {"part_kind": "tool-call", "tool_name": "pay", "args": {}, "tool_call_id": ID}
    answer = {"part_kind": "tool-return", "tool_name": "pay", "tool_call_id": ID, "content": f"paid {number}"}
    return [{"kind": "response", "parts": [call]}, {"kind": "request", "parts": [answer]}]


def adk(number: int) -> list[Any]:
    call = {"functionCall": {"id": ID, "name": "pay", "args": {}}}
    answer = {"functionResponse": {"id": ID, "name": "pay", "response": {"output": number}}}
    event = {"invocationId": "i1", "author": "agent"}
    return [
        event | {"id": f"a{number}", "content": {"role": "model", "parts": [call]}},
        event | {"id": f"b{number}", "content": {"role": "user", "parts": [answer]}},
    ]


def inspect(number: int) -> list[Any]:
    call = {"id": ID, "function": "pay", "arguments": {}, "type": "function"}
    return [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": ID, "function": "pay", "content": f"paid {number}"},
    ]


def llamaindex(number: int) -> list[Any]:
    call = {"block_type": "tool_call", "tool_call_id": ID, "tool_name": "pay", "tool_kwargs": {}}
    text = {"block_type": "text", "text": f"paid {number}"}
    return [
        {"role": "assistant", "additional_kwargs": {}, "blocks": [call]},
        {"role": "tool", "additional_kwargs": {"tool_call_id": ID}, "blocks": [text]},
    ]


def mcp(number: int) -> list[Any]:
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "pay", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": f"paid {number}"}]}},
    ]


def tau2(number: int) -> list[Any]:
    call = {"id": ID, "name": "pay", "arguments": {}, "requestor": "assistant"}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "id": ID, "content": f"paid {number}", "requestor": "assistant", "error": False},
    ]


def span(number: int, start: int, **attributes: Any) -> dict[str, Any]:
    return {
        "name": "s",
        "traceId": "a1",
        "spanId": f"{16 + 8 * number + start}",
        "startTimeUnixNano": str(BASE + 100 * number + 10 * start),
        "endTimeUnixNano": str(BASE + 100 * number + 10 * start + 5),
        "attributes": {key.replace("__", "."): value for key, value in attributes.items()},
    }


def genai(number: int) -> list[Any]:
    parts = [{"type": "tool_call", "id": ID, "name": "pay", "arguments": {}}]
    said = json.dumps([{"role": "assistant", "parts": parts}])
    run = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "pay"}
    run |= {"gen_ai__tool__call__id": ID, "gen_ai__tool__call__arguments": "{}"}
    return [
        span(number, 0, gen_ai__operation__name="chat", gen_ai__output__messages=said),
        span(number, 1, **run, gen_ai__tool__call__result=f"paid {number}"),
    ]


def asked_only(number: int) -> list[Any]:
    return genai(number)[:1]


def ran_only(number: int) -> list[Any]:
    return genai(number)[1:]


def openinference(number: int) -> list[Any]:
    at = "llm__output_messages__0__message__tool_calls__0__tool_call__"
    call = {at + "id": ID, at + "function__name": "pay", at + "function__arguments": "{}"}
    run = {"tool__name": "pay", "tool_call__id": ID, "input__value": "{}", "output__value": f"paid {number}"}
    return [
        span(number, 0, openinference__span__kind="LLM", **call),
        span(number, 1, openinference__span__kind="TOOL", **run),
    ]


def run(number: int, start: int, **fields: Any) -> dict[str, Any]:
    moment = f"2025-01-01T00:0{number}:{10 * start:02}"
    times = {"start_time": moment, "end_time": f"{moment[:-1]}5", "dotted_order": f"{number}{start}"}
    return {"id": f"r{number}{start}", "trace_id": "t", "name": "m", **times, **fields}


def langsmith(number: int) -> list[Any]:
    ai, answer = langgraph(number)
    told = {"generations": [[{"message": {"kwargs": ai, "id": ["AIMessage"]}}]]}
    return [
        run(number, 0, run_type="llm", inputs={"messages": []}, outputs=told),
        run(number, 1, run_type="tool", inputs={}, outputs={"output": answer}) | {"name": "pay"},
    ]


MESSAGES: dict[str, Callable[[int], list[Any]]] = {
    "openai_chat": chat,
    "anthropic": anthropic,
    "bedrock_converse": bedrock,
    "gemini": gemini,
    "langgraph": langgraph,
    "langchain": langchain,
    "openai_responses": responses,
    "pydantic_ai": pydantic,
    "openai_agents": agents,
    "vercel_messages": vercel,
    "vercel_ui": ui,
    "vercel_steps": step,
    "google_adk": adk,
    "inspect": inspect,
    "llamaindex": llamaindex,
    "mcp": mcp,
    "tau2": tau2,
    "otel_genai": genai,
    "asked only": asked_only,
    "ran only": ran_only,
    "openinference": openinference,
    "langsmith": langsmith,
}


def pays(trace: Trace) -> int:
    return sum(call.name == "pay" for call in trace.calls or ())


def sources(messages: list[Any]) -> list[Any]:
    """A list as Python objects, as JSON and in lines: different readers go through each."""
    return [messages, json.dumps(messages).encode(), "\n".join(map(json.dumps, messages)).encode()]


@pytest.mark.parametrize("format", MESSAGES)
def test_an_id_that_comes_again_after_its_answer_is_another_call(format: str) -> None:
    for source in sources([*MESSAGES[format](0), *MESSAGES[format](1)]):
        (trace,) = read_all(source)
        assert pays(trace) == 2
        assert format == trace.format or " " in format
        if format != "asked only":
            paid = [json.dumps(call.output) for call in trace.calls or ()]
            told = [str(number) in text for number, text in enumerate(paid)]
            assert told == [True, True], "each call has its own answer"
        assert len([warning for warning in trace.warnings if "used before" in warning]) >= 1


@pytest.mark.parametrize("format", [name for name in MESSAGES if name not in ("openai_agents", "mcp")])
def test_a_call_with_an_id_of_its_own_brings_no_warning(format: str) -> None:
    (trace,) = read_all(MESSAGES[format](0))
    assert (pays(trace), trace.warnings) == (1, ())


def test_an_agent_that_pays_twice_is_not_full_marks() -> None:
    source = [{"role": "user", "content": "pay"}, *chat(0), *chat(1)]
    once = [{"name": "pay", "arguments": {}}]
    assert evaluate("tool_call_accuracy", output=source, expected=once).score == 0.5
    assert evaluate("redundant_calls", output=source, expected=once).score == 0.5


ASKS: dict[str, Any] = {
    "openai_chat": {"role": "user", "content": "go"},
    "anthropic": {"role": "user", "content": "go"},
    "bedrock_converse": {"role": "user", "content": [{"text": "go"}]},
    "langgraph": {"type": "human", "content": "go"},
    "langchain": {"type": "human", "data": {"content": "go"}},
    "vercel_messages": {"role": "user", "content": "go"},
    "vercel_ui": {"id": "u", "role": "user", "parts": [{"type": "text", "text": "go"}]},
    "pydantic_ai": {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "go"}]},
}


@pytest.mark.parametrize("format", ASKS)
def test_a_history_that_is_sent_again_tells_each_call_once(format: str) -> None:
    message, ask = MESSAGES[format], ASKS[format]
    whole = [ask, *message(0), *message(1), *message(2)]
    length = len(message(0))
    log = [{"messages": whole[: 1 + count * length]} for count in range(4)]
    for source in sources(log):
        (trace,) = read_all(source)
        assert pays(trace) == 3
        paid = [json.dumps(call.output) for call in trace.calls or ()]
        assert all(str(number) in text for number, text in enumerate(paid))


def test_a_log_of_requests_and_responses_tells_each_call_once() -> None:
    history: list[Any] = [{"role": "user", "content": "go"}]
    log = []
    for number in range(3):
        asks, answer = chat(number)
        response = {"id": "chatcmpl-0", "choices": [{"message": asks}]}
        log.append({"request": {"messages": [*history]}, "response": response})
        history += [asks, answer]
    for source in sources(log):
        (trace,) = read_all(source)
        assert pays(trace) == 3
        assert [call.output for call in trace.calls or ()] == ["paid 0", "paid 1", None]


def test_a_message_that_comes_again_under_its_own_id_is_the_same_message() -> None:
    first, answer = langgraph(0)
    for source in sources([first | {"id": "a1"}, answer, first | {"id": "a1"}]):
        assert pays(read(source)) == 1
    for source in sources([first | {"id": "a1"}, first | {"id": "a2"}]):
        assert pays(read(source)) == 2, "another message, although nothing was answered"
    assert pays(read([*ui(0), *ui(0)])) == 1
    assert pays(read([*adk(0), *adk(0)])) == 1


def test_steps_of_one_ui_message_are_told_apart_and_its_snapshots_are_not() -> None:
    message = {"id": "m1", "role": "assistant", "parts": [*ui_step(0), *ui_step(1)]}
    assert pays(read([message])) == 2
    assert pays(read([message, message])) == 2
    waiting = {key: value for key, value in ui_part(2).items() if key != "output"}
    begun = message | {"parts": [*ui_step(0), *ui_step(1), {"type": "step-start"}, waiting]}
    longer = message | {"parts": [*ui_step(0), *ui_step(1), *ui_step(2)]}
    for log in ([message, longer], [message, begun, longer]):
        trace = read(log)
        assert [call.output for call in trace.calls or ()] == ["paid 0", "paid 1", "paid 2"]


def test_what_cannot_be_known_is_told() -> None:
    asks, _ = chat(0)
    trace = read([asks, asks])
    assert pays(trace) == 1
    assert "used before for the same call, to which no answer came" in trace.warnings[0]
    assert pays(read([asks, {"role": "user", "content": "again"}, asks])) == 2, "a turn lies between"


def test_an_id_that_all_calls_share_is_read_without_comparing_each_with_each() -> None:
    messages = [message for number in range(40) for message in chat(number)]
    log = [{"messages": messages[: 2 * count]} for count in (1, 20, 40)]
    (trace,) = read_all(log)
    assert [call.output for call in trace.calls or ()] == [f"paid {number}" for number in range(40)]


def test_results_that_tell_their_items_twice_tell_each_call_once() -> None:
    ask = {"role": "user", "content": "go"}
    items, raws = [*agents(0), *agents(1)], [*responses(0), *responses(1)]
    assert pays(read({"new_items": items, "to_input_list": [ask, *raws]})) == 2
    assert pays(read({"new_items": agents(1), "to_input_list": [ask, *raws]})) == 2
    assert pays(read({"new_items": agents(1), "input": [ask, *responses(0)]})) == 2
    assert pays(read({"object": "response", "items": raws, "output": raws[2:]})) == 2


def test_responses_that_go_on_with_one_before_may_use_its_ids() -> None:
    first = {"object": "response", "id": "r1", "input": "go", "output": responses(0)[:1]}
    then = {"object": "response", "id": "r2", "previous_response_id": "r1", "input": responses(0)[1:]}
    (trace,) = read_all([first, then | {"output": responses(1)[:1]}])
    assert pays(trace) == 2


def test_the_last_step_of_an_agent_tells_all_its_calls_again() -> None:
    called = {"tool_name": "pay", "tool_kwargs": {}, "tool_id": ID}
    ran = called | {"tool_output": {"raw_output": "paid", "content": "paid", "is_error": False}}
    step = {"response": {"role": "assistant", "blocks": []}, "current_agent_name": "a"}
    events = [step | {"tool_calls": [called]}, called, ran, step | {"tool_calls": [ran]}]
    assert pays(read(events)) == 1
    assert pays(read([*events[:3], *events])) == 2


# Streams ----------------------------------------------------------------------------------------------------------


def chunks(id: str | None, created: int) -> list[Any]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        own = {} if id is None else {"id": id}
        return {**own, "object": "chat.completion.chunk", "created": created, "choices": [choice]}

    head = {"index": 0, "id": ID, "type": "function", "function": {"name": "pay", "arguments": ""}}
    rest = {"index": 0, "function": {"arguments": "{}"}}
    return [
        chunk({"role": "assistant", "tool_calls": [head]}),
        chunk({"tool_calls": [rest]}),
        chunk({}, "tool_calls"),
    ]


def events(id: str) -> list[Any]:
    block = {"type": "tool_use", "id": ID, "name": "pay", "input": {}}
    return [
        {"type": "message_start", "message": {"id": id, "role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_stop"},
    ]


def response_events(id: str) -> list[Any]:
    call = {"id": "fc_0", **responses(0)[0]}
    return [
        {"type": "response.created", "response": {"id": id, "object": "response", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": call | {"arguments": ""}},
        {"type": "response.output_item.done", "output_index": 0, "item": call},
        {"type": "response.completed", "response": {"id": id, "object": "response", "output": [call]}},
    ]


STREAMS = {
    "ids": [*chunks("r1", 1), *chunks("r2", 2)],
    "one id of all responses": [*chunks("r", 1), *chunks("r", 2)],
    "no ids": [*chunks(None, 1), *chunks(None, 2)],
    "between each other": [
        chunk for both in zip(chunks("r1", 1), chunks("r2", 1), strict=True) for chunk in both
    ],
    "anthropic": [*events("m1"), *events("m2")],
    "anthropic without the start": [*events("m1")[1:], *events("m2")[1:]],
    "responses": [*response_events("r1"), *response_events("r2")],
    "responses without the start": [*response_events("r1")[1:], *response_events("r2")[1:]],
}


@pytest.mark.parametrize("name", STREAMS)
def test_two_streams_with_the_same_ids_are_two_calls(name: str) -> None:
    for source in sources(STREAMS[name]):
        (trace,) = read_all(source)
        assert pays(trace) == 2
        assert "used before" in trace.warnings[0]


@pytest.mark.parametrize("stream", [chunks("r1", 1), events("m1"), response_events("r1")])
def test_a_stream_that_was_recorded_twice_is_one(stream: list[Any]) -> None:
    for source in sources(stream):
        assert read(source).warnings == ()
    for source in sources([*stream, *stream]):
        assert pays(read(source)) == 1


# Spans ------------------------------------------------------------------------------------------------------------


def test_a_request_that_two_libraries_recorded_is_one_and_a_later_one_is_another() -> None:
    outer, tool = genai(0)
    inner = outer | {"spanId": "99", "parentSpanId": outer["spanId"]}
    trace = read([outer, inner, tool])
    assert (pays(trace), trace.warnings) == (1, ())
    beside = outer | {"spanId": "98"}
    trace = read([outer, beside, tool])
    assert pays(trace) == 1
    assert "maybe by another library" in trace.warnings[0]
    run = tool | {"spanId": "97", "parentSpanId": tool["spanId"]}
    trace = read([outer, tool, run])
    assert (pays(trace), trace.warnings) == (1, ())


def test_spans_that_were_exported_twice_are_one_each() -> None:
    once = [*genai(0), *genai(1)]
    for source in sources([*once, *once]):
        assert pays(read(source)) == 2


def test_answers_that_later_requests_tell_go_to_the_call_they_answer() -> None:
    spans: list[Any] = []
    told: list[Any] = []
    for number in range(3):
        (asks,) = asked_only(number)
        asks["attributes"]["gen_ai.input.messages"] = json.dumps(told)
        spans.append(asks)
        response = {"type": "tool_call_response", "id": ID, "response": f"paid {number}"}
        told.append({"role": "tool", "parts": [response]})
    trace = read(spans)
    assert [call.output for call in trace.calls or ()][:2] == ["paid 0", "paid 1"]


def test_when_a_response_was_made_is_no_number_of_bytes() -> None:
    """A stream from memory says `created` as a number of seconds, of which 1.7 GB of zeros were made."""
    tracemalloc.start()
    chunk = {
        "id": "chatcmpl-demo",
        "object": "chat.completion.chunk",
        "created": 1767000000,
        "choices": [{"index": 0, "delta": {"content": "Done."}, "finish_reason": "stop"}],
    }
    assert read([chunk], format="openai_chat_stream").text == "Done."
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 50_000_000
