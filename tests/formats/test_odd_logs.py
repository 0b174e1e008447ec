"""What servers and logs write oddly: answers beside requests, errors, ids that are none, misspelt and doubled fields."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import CallError, Trace, read, read_all
from rightcall.core.reading.conversation import real_id
from tests.every.test_in_one_go import both_ways

USER = {"role": "user", "content": "q"}
TAG = '<tool_call>{"name": "x", "arguments": {}}</tool_call>'


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def called(*ids: Any, arguments: Any = '{"a": 1}', **more: Any) -> dict[str, Any]:
    function = {"name": "f", "arguments": arguments, **more}
    entries = [
        {"type": "function", "function": function} | ({"id": own} if own is not ... else {}) for own in ids
    ]
    return {"role": "assistant", "content": None, "tool_calls": entries}


def completion(message: dict[str, Any]) -> dict[str, Any]:
    return {"id": "r", "object": "chat.completion", "choices": [{"index": 0, "message": message}]}


def pair(messages: list[Any], response: Any, **more: Any) -> dict[str, Any]:
    return {"request": {"model": "m", "messages": messages}, "response": response, **more}


def read_lines(*lines: Any) -> list[Trace]:
    both_ways(list(lines))
    return read_all("\n".join(map(json.dumps, lines)).encode())


def names(trace: Trace) -> list[str]:
    return [call.name for call in trace.calls or ()]


def ollama(message: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "message": message, "done": True}


def test_a_log_of_ollama_is_told_by_its_responses() -> None:
    call = {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}],
    }
    history = [USER, call, {"role": "tool", "tool_name": "f", "content": "ok"}]
    (trace,) = read_lines(pair([USER], ollama(call)), pair(history, ollama(said("done"))))
    assert (trace.format, names(trace), trace.text) == ("ollama", ["f"], "done")
    (trace,) = read_lines(pair([USER], ollama(said("hello"))))
    assert (trace.format, names(trace), trace.text) == ("ollama", [], "hello")


def test_a_log_of_cohere_is_told_by_its_responses() -> None:
    call = {
        "role": "assistant",
        "tool_plan": "I look.",
        "tool_calls": [{"id": "f_1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}],
    }
    answer = {
        "role": "tool",
        "tool_call_id": "f_1",
        "content": [{"type": "document", "document": {"data": "ok"}}],
    }
    done = {"role": "assistant", "content": [{"type": "text", "text": "done"}]}
    first = pair([USER], {"id": "x", "message": call})
    (trace,) = read_lines(first, pair([USER, call, answer], {"id": "y", "message": done}))
    assert (trace.format, names(trace), trace.text) == ("cohere", ["f"], "done")


@pytest.mark.parametrize("respond", [completion, ollama])
def test_text_calls_of_a_response_beside_its_request_are_read(respond: Any) -> None:
    history = [USER, said(TAG), {"role": "tool", "content": "ok"}]
    for lines in ([respond(said(TAG))], [pair([USER], respond(said(TAG)))]):
        (trace,) = read_lines(*lines)
        assert (trace.format, names(trace)) == ("hermes", ["x"])
    (trace,) = read_lines(pair([USER], respond(said(TAG))), pair(history, respond(said("done"))))
    assert (trace.format, names(trace), trace.text) == ("hermes", ["x"], "done")
    batch = {"custom_id": "b", "response": {"status_code": 200, "body": respond(said(TAG))}, "error": None}
    assert [names(trace) for trace in read_lines(batch)] == [["x"]]


def test_text_calls_of_a_response_are_read_after_responses_with_real_calls_too() -> None:
    real = [pair([USER], completion(called("c1"))), completion(called("c2"))]
    other = {"role": "user", "content": "other"}
    for spoken in (pair([other], completion(said(TAG))), completion(said(TAG))):
        traces = read_lines(*real, spoken, real[0])
        assert [names(trace) for trace in traces] == [["f"], ["f"], ["x"], ["f"]]


def test_a_response_that_mentions_a_call_after_real_ones_calls_nothing() -> None:
    history = [USER, called("c1"), {"role": "tool", "tool_call_id": "c1", "content": "ok"}]
    (trace,) = read_lines(pair([USER], completion(called("c1"))), pair(history, completion(said(TAG))))
    assert (trace.format, names(trace), trace.text) == ("openai_chat", ["f"], TAG)


ERROR = {"code": "overloaded", "message": "try again"}
UNANSWERED: list[Any] = [
    {"custom_id": "r1", "response": None, "error": ERROR},
    {"custom_id": "r1", "response": {"status_code": 500, "body": {"error": ERROR}}, "error": None},
    {"custom_id": "r1", "response": {"status_code": 500, "body": {"error": ERROR}}, "error": ERROR},
    {"custom_id": "r1", "result": {"type": "errored", "error": ERROR}},
    pair([USER], {"error": ERROR}),
    pair([USER], None, error=ERROR),
]


@pytest.mark.parametrize("line", UNANSWERED)
def test_a_request_in_error_is_not_recorded_rather_than_without_calls(line: Any) -> None:
    for lines in ([line], [line, line | {"custom_id": "r2"}]):
        for trace in read_lines(*lines):
            assert trace.calls is None
            assert "overloaded" in (trace.problem or "")
    assert read(json.dumps(line).encode()).problem is not None
    with pytest.raises(CallError, match="without a response"):
        read(line)


def test_a_request_in_error_that_is_asked_again_goes_on() -> None:
    history = [USER, called("c1"), {"role": "tool", "tool_call_id": "c1", "content": "ok"}]
    lines = [
        pair([USER], {"error": ERROR}),
        pair([USER], completion(called("c1"))),
        pair(history, {"error": ERROR}),
        pair(history, completion(said("done"))),
    ]
    (trace,) = read_lines(*lines)
    assert (names(trace), trace.text, trace.problem) == (["f"], "done", None)
    (cut,) = read_lines(*lines[:3])
    assert names(cut) == ["f"]
    assert "without a response" in (cut.problem or "")


@pytest.mark.parametrize("id", [None, "", "null", "none", "None", "undefined", "000000000", "0000-00-00"])
def test_a_placeholder_is_no_id(id: Any) -> None:
    assert real_id(id) is None
    for item in (completion(called(id, id)), {"messages": [USER, called(id, id)]}, [USER, called(id, id)]):
        trace = read(json.dumps(item).encode())
        assert [call.id for call in trace.calls or ()] == [None, None]


@pytest.mark.parametrize("id", ["0", 0, "00a", "call_0", "nullable", 7])
def test_other_ids_are_kept(id: Any) -> None:
    assert real_id(id) == str(id)


def test_an_answer_to_a_placeholder_is_the_answer_of_the_call_by_name() -> None:
    answers = [
        {"role": "tool", "tool_call_id": "null", "name": "f", "content": text} for text in ("one", "two")
    ]
    (trace,) = read_lines({"messages": [USER, called("null", "null"), *answers]})
    assert [call.output for call in trace.calls or ()] == ["one", "two"]
    assert trace.warnings == ()


@pytest.mark.parametrize(
    "message",
    [
        called("c", parameters={"a": 2}),
        called("c", args='{"a": 2}'),
        {
            "role": "assistant",
            "content": None,
            "function_call": {"name": "f", "arguments": "{}", "input": {"a": 2}},
        },
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}, "arguments": {"a": 1}}],
        },
        {
            "type": "ai",
            "content": "",
            "tool_calls": [{"id": "t", "name": "f", "args": {}, "arguments": {"a": 1}}],
        },
    ],
)
def test_two_arguments_fields_that_differ_are_an_error(message: Any) -> None:
    for data in (message, {"messages": [message]}, [message]):
        with pytest.raises(CallError, match="two arguments fields that differ"):
            read(json.dumps(data).encode())
        both_ways([data])


def test_two_arguments_fields_that_say_the_same_are_read() -> None:
    for more in ({"parameters": {"a": 1.0}}, {"input": '{"a": 1}'}):
        (trace,) = read_lines({"messages": [USER, called("c", **more)]})
        assert [call.arguments for call in trace.calls or ()] == [{"a": 1}]


CALLS = [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]


@pytest.mark.parametrize(
    ("field", "held"),
    [
        *((field, CALLS) for field in ("tool_cals", "toolCalls", "tool_call", "ToolCalls", "toolcalls")),
        ("function_cal", CALLS[0]["function"]),
        ("functionCall", CALLS[0]["function"]),
    ],
)
def test_a_misspelt_field_for_calls_is_an_error(field: str, held: Any) -> None:
    odd = {"role": "assistant", "content": None, field: held}
    chained = {"type": "ai", "content": "", field: held}
    for message in (odd, odd | {"content": "I look."}, odd | {"tool_calls": []}, chained):
        begun = USER if "role" in message else {"type": "human", "content": "q"}
        for data in (
            [begun, message],
            {"messages": [begun, message]},
            {"messages": [begun, message, message]},
        ):
            with pytest.raises(CallError, match="unknown field"):
                read(json.dumps(data).encode())
            both_ways([data])


def test_an_unknown_field_that_may_hold_a_call_is_told() -> None:
    for held in ({"name": "f", "arguments": {}}, CALLS):
        usual = {"messages": [USER, called("c1"), said("done")]}
        odd = {"messages": [{**USER, "content": "other"}, called("c2"), said("done") | {"planned": held}]}
        traces = read_lines(usual, odd, usual)
        assert [bool(trace.warnings) for trace in traces] == [False, True, False]
        assert "'planned' may hold a call" in traces[1].warnings[0]


@pytest.mark.parametrize("field", ["reasoning_details", "annotations", "tool_results", "scores"])
def test_other_unknown_fields_are_nobodys_business(field: str) -> None:
    odd = said("done") | {field: [{"type": "x", "text": "y"}]}
    (trace,) = read_lines({"messages": [USER, called("c1"), odd]})
    assert (names(trace), trace.warnings) == (["f"], ())


@pytest.mark.parametrize(
    "hosted", [{"type": "web_search"}, {"type": "file_search", "vector_store_ids": ["v"]}]
)
def test_tools_that_the_provider_runs_cost_no_schema(hosted: Any) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    chat = [{"type": "function", "function": {"name": "f", "parameters": schema}}, hosted]
    flat = [hosted, {"type": "function", "name": "f", "parameters": schema}]
    output = [{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}]
    for item in (
        {"messages": [USER, called("c")], "tools": chat},
        {"object": "response", "tools": flat, "output": output},
    ):
        trace = read(json.dumps(item).encode())
        assert [(tool.name, tool.schema) for tool in trace.tools or ()] == [("f", schema)]
        assert trace.warnings == ()


@pytest.mark.parametrize(
    "message",
    [
        called("c1", "c1"),
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}] * 2},
        {"type": "ai", "content": "", "tool_calls": [{"id": "c1", "name": "f", "args": {}}] * 2},
    ],
)
def test_an_id_that_stands_twice_in_one_message_is_told(message: Any) -> None:
    (trace,) = read_lines({"messages": [message]})
    assert names(trace) == ["f"]
    assert "the id 'c1' stands twice in one message" in trace.warnings[0]
