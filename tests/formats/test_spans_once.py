"""Telemetry of the Vercel AI SDK, spans that were exported twice, and the order of calls that no tool's span dates."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import CallError
from tests.formats.test_no_call_lost import every, names, one


def span(name: str, id: str, start: int, parent: str | None = None, **attributes: Any) -> dict[str, Any]:
    """A flat span; its attributes are given with `__` for dots."""
    ids = {"trace_id": "71", "span_id": id}
    told = {key.replace("__", "."): value for key, value in attributes.items()}
    times = {"start_time": 1_700_000_000 + start, "end_time": 1_700_000_001 + start}
    return {"name": name, "context": ids, "parent_id": parent, **times, "attributes": told}


def as_otlp(spans: list[dict[str, Any]]) -> dict[str, Any]:
    """The same spans as a request of OTLP/JSON."""
    found = []
    for item in spans:
        attributes = [
            {"key": key, "value": {"arrayValue": {"values": [{"stringValue": text} for text in value]}}}
            if isinstance(value, list)
            else {"key": key, "value": {"stringValue": value}}
            for key, value in item["attributes"].items()
        ]
        times = {
            "startTimeUnixNano": str(item["start_time"] * 10**9),
            "endTimeUnixNano": str(item["end_time"] * 10**9),
        }
        ids = {"traceId": "71", "spanId": item["context"]["span_id"], "parentSpanId": item["parent_id"] or ""}
        found.append({"name": item["name"], **ids, **times, "attributes": attributes})
    return {"resourceSpans": [{"scopeSpans": [{"spans": found}]}]}


PROMPT = [
    {"role": "system", "content": "Help."},
    {"role": "user", "content": [{"type": "text", "text": "cold?"}]},
]
ASKED: list[dict[str, Any]] = [
    {"toolCallId": "c1", "toolName": "find", "input": '{"city": "Oslo"}'},
    {"toolCallId": "c2", "toolName": "find", "input": {"city": "Rome"}},
]
OLDER = [
    {"toolCallType": "function", **{k: v for k, v in call.items() if k != "input"}, "args": call["input"]}
    for call in ASKED
]
ANSWER = {
    "role": "tool",
    "content": [
        {
            "type": "tool-result",
            "toolCallId": "c2",
            "toolName": "find",
            "output": {"type": "json", "value": {"c": 20}},
        }
    ],
}


def telemetry(asked: Any = ASKED, **beside: Any) -> list[dict[str, Any]]:
    """What `generateText` records: itself, two requests to a model, and the run of the first tool."""
    of_model = {"ai__operationId": "ai.generateText.doGenerate", **beside}
    return [
        span("ai.generateText", "a1", 0, ai__operationId="ai.generateText", ai__prompt='{"prompt": "cold?"}'),
        span(
            *("ai.generateText.doGenerate", "a2", 0, "a1"),
            **of_model,
            ai__prompt__messages=json.dumps(PROMPT),
            ai__prompt__tools=['{"type": "function", "name": "find", "inputSchema": {"type": "object"}}'],
            ai__response__toolCalls=json.dumps(asked),
        ),
        span(
            *("ai.toolCall", "a3", 2, "a1"),
            ai__operationId="ai.toolCall",
            ai__toolCall__name="find",
            ai__toolCall__id="c1",
            ai__toolCall__args='{"city": "Oslo"}',
            ai__toolCall__result='{"c": 4}',
        ),
        span(
            *("ai.generateText.doGenerate", "a4", 4, "a1"),
            **of_model,
            ai__prompt__messages=json.dumps([*PROMPT, ANSWER]),
            ai__response__text="Oslo is colder.",
        ),
    ]


@pytest.mark.parametrize("asked", [ASKED, OLDER], ids=["version 5", "version 4"])
@pytest.mark.parametrize("beside", [{}, {"gen_ai__system": "openai"}], ids=["alone", "beside gen_ai"])
@pytest.mark.parametrize("form", [list, as_otlp])
def test_telemetry_of_the_vercel_sdk_is_read(form: Any, beside: dict[str, Any], asked: Any) -> None:
    trace = one(form(telemetry(asked, **beside)))
    calls = trace.calls or ()
    assert [(call.name, call.arguments, call.id) for call in calls] == [
        ("find", {"city": "Oslo"}, "c1"),
        ("find", {"city": "Rome"}, "c2"),
    ]
    assert [call.output for call in calls] == ['{"c": 4}', {"c": 20}]
    assert {call.turn for call in calls} == {0}
    assert calls[0].group == calls[1].group is not None
    assert ((trace.turns or ())[0].input, trace.text, trace.warnings) == ("cold?", "Oslo is colder.", ())
    assert [tool.name for tool in trace.tools or ()] == ["find"]


def test_one_call_in_the_words_of_two_conventions_is_one() -> None:
    other = span(
        *("execute_tool find", "b1", 2, "a3"),
        gen_ai__operation__name="execute_tool",
        gen_ai__tool__name="find",
        gen_ai__tool__call__id="c1",
        gen_ai__tool__call__arguments='{"city": "Oslo"}',
    )
    assert names(one([*telemetry(), other])) == ["find", "find"]


def test_nested_attributes_of_the_vercel_sdk_are_read() -> None:
    alone = span("ai.toolCall", "a3", 2) | {
        "attributes": {"ai": {"toolCall": {"name": "find", "args": {"a": 1}}}}
    }
    assert [(call.name, call.arguments) for call in one([alone]).calls or ()] == [("find", {"a": 1})]


RUNS = {
    "otel_genai": {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "f"}
    | {"gen_ai__tool__call__arguments": "{}"},
    "openinference": {"openinference__span__kind": "TOOL", "tool__name": "f", "input__value": "{}"},
    "uipath": {"span_type": "toolCall", "tool__name": "f", "input__value": "{}"},
    "vercel": {"ai__operationId": "ai.toolCall", "ai__toolCall__name": "f", "ai__toolCall__args": "{}"},
}


@pytest.mark.parametrize("name", RUNS)
def test_a_span_that_was_exported_twice_is_one_call(name: str) -> None:
    first, second = (span("f", own, 0, **RUNS[name]) for own in ("b1", "b2"))
    assert names(one([first, first])) == ["f"]
    assert names(one([first, second, first])) == ["f", "f"]
    # Two files of one export overlap; a span without the id of a trace is the same only at the same moment.
    loose = {**first, "context": {"span_id": "b1"}}
    assert names(one([loose, loose])) == ["f"]
    assert names(one([loose, loose | {"start_time": 1_700_000_009}])) == ["f", "f"]


def test_a_span_of_one_id_with_other_arguments_is_another_call() -> None:
    first = span("f", "b1", 0, **RUNS["otel_genai"])
    other = span("f", "b1", 0, **RUNS["otel_genai"] | {"gen_ai__tool__call__arguments": '{"a": 1}'})
    trace = one([first, other])
    assert names(trace) == ["f", "f"]
    assert "'b1' was recorded before" in trace.warnings[0]


def test_a_span_that_was_exported_before_it_ended_gets_its_output() -> None:
    whole = span("f", "b1", 0, **RUNS["otel_genai"], gen_ai__tool__call__result="4")
    (call,) = one([span("f", "b1", 0, **RUNS["otel_genai"]), whole]).calls or ()
    assert call.output == "4"


def test_a_run_that_was_exported_twice_is_one_call() -> None:
    run = {
        "id": "r",
        "run_type": "tool",
        "name": "f",
        "trace_id": "t",
        "dotted_order": "x",
        "inputs": {"a": 1},
    }
    assert names(one([run, run])) == ["f"]
    assert names(one([run, run | {"id": "s"}])) == ["f", "f"]


PARTS: list[dict[str, Any]] = [
    {"type": "tool_call", "name": name, "arguments": {}} for name in ("first", "second")
]
OUTPUT = json.dumps([{"role": "assistant", "parts": PARTS}])


def test_a_request_that_was_exported_twice_asks_once() -> None:
    asks = span("chat", "b1", 0, gen_ai__operation__name="chat", gen_ai__output__messages=OUTPUT)
    answers = json.dumps([{"role": "tool", "name": "first", "content": "1"}])
    later = span("chat", "b3", 9, gen_ai__operation__name="chat", gen_ai__input__messages=answers)
    later["attributes"]["gen_ai.output.messages"] = OUTPUT
    trace = one([asks, later, asks, later])
    assert [(call.name, call.output) for call in trace.calls or ()] == [
        *(("first", "1"), ("second", None), ("first", None), ("second", None))
    ]


@pytest.mark.parametrize("ran", ["first", "second"])
def test_calls_of_one_message_stay_in_the_order_in_which_they_were_asked_for(ran: str) -> None:
    asks = span("chat", "b1", 0, gen_ai__operation__name="chat", gen_ai__output__messages=OUTPUT)
    run = span("f", "b2", 5, gen_ai__operation__name="execute_tool", gen_ai__tool__name=ran)
    assert [names(trace) for trace in every([asks, run])] == [["first", "second"]]


@pytest.mark.parametrize(
    "attributes",
    [
        {
            "gen_ai__operation__name": "chat",
            "gen_ai__output__messages": json.dumps(
                [{"role": "assistant", "parts": [{"type": "tool_call", "name": "f", "argumets": {"a": 1}}]}]
            ),
        },
        {
            "gen_ai__operation__name": "chat",
            "gen_ai__completion": json.dumps(
                [
                    {
                        "role": "assistant",
                        "tool_calls": [{"id": "1", "function": {"name": "f", "argumets": {"a": 1}}}],
                    }
                ]
            ),
        },
        {"ai__response__toolCalls": json.dumps([{"toolCallId": "1", "toolName": "f", "inptu": {"a": 1}}])},
    ],
)
def test_a_misspelled_field_of_arguments_is_no_call_without_arguments(attributes: dict[str, str]) -> None:
    with pytest.raises(CallError, match="there is no arguments field"):
        every([span("chat", "b1", 0, **attributes)])


def test_a_block_that_looks_like_a_call_is_told_where_it_is_none() -> None:
    block = {"type": "tool_us", "id": "1", "name": "f", "input": {}}
    run = {"id": "r", "run_type": "llm", "name": "m", "trace_id": "t", "dotted_order": "x", "inputs": {}}
    trace = one([{**run, "outputs": {"message": {"role": "assistant", "content": [block]}}}])
    assert "'tool_us' was left out" in trace.warnings[0]


def test_marks_that_nobody_reads_are_told_of_spans_too() -> None:
    parts = [{"type": "text", "content": "<tool_call>f(a=1)</tool_call>"}]
    output = json.dumps([{"role": "assistant", "parts": parts}])
    trace = one([span("chat", "b1", 0, gen_ai__operation__name="chat", gen_ai__output__messages=output)])
    assert "no call could be read" in trace.warnings[0]


@pytest.mark.parametrize(
    "message",
    [
        {"type": "ai", "content": "", "tool_calls": [{"name": "f", "argz": {"a": 1}, "id": "1"}]},
        {
            "lc": 1,
            "id": ["AIMessage"],
            "kwargs": {"content": "", "tool_calls": [{"name": "f", "argz": {"a": 1}}]},
        },
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "argz": {"a": 1}}}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "inptu": {"a": 1}}]},
    ],
)
def test_a_misspelled_field_of_a_run_is_no_call_without_arguments(message: dict[str, Any]) -> None:
    run = {"id": "r", "run_type": "llm", "name": "m", "trace_id": "t", "dotted_order": "x", "inputs": {}}
    for outputs in ({"generations": [[{"message": message}]]}, {"message": message}):
        with pytest.raises(CallError, match="there is no arguments field"):
            every([{**run, "outputs": outputs}])
    none = json.loads(
        json.dumps(message)
        .replace('"argz": {"a": 1}', '"args": {}')
        .replace('"inptu": {"a": 1}', '"input": {}')
    )
    assert [call.arguments for call in one([{**run, "outputs": {"message": none}}]).calls or ()] == [{}]


def test_a_misspelled_attribute_of_arguments_is_no_call_without_arguments() -> None:
    start = "llm__output_messages__0__message__tool_calls__0__tool_call__"
    told = {"openinference__span__kind": "LLM", f"{start}function__name": "f"}
    assert [call.arguments for call in one([span("m", "b1", 0, **told)]).calls or ()] == [{}]
    with pytest.raises(CallError, match="there is no attribute"):
        every([span("m", "b1", 0, **told, **{f"{start}function__argument": '{"a": 1}'})])
