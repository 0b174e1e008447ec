"""Formats whose messages hold blocks, parts or items: anthropic, gemini, bedrock_converse, openai_responses, sharegpt."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from rightcall import CallError, Trace, read
from rightcall.core.reading.detection import Formats, Sorting
from rightcall.run.sets import FORMATS


def both_ways(source: Any, format: str = "auto") -> Trace:
    trace = read(source, format=format)
    text = read(json.dumps(source).encode(), format=format)
    assert told(text) == told(trace)
    assert (text.turns, text.text, text.format) == (trace.turns, trace.text, trace.format)
    return trace


def told(trace: Trace) -> list[Any]:
    return [(made.name, made.arguments, made.id, made.turn, made.output) for made in trace.calls or ()]


def names(trace: Trace) -> list[str]:
    return [made.name for made in trace.calls or ()]


def separately(*items: Any) -> list[Trace]:
    sorting = Sorting(Formats(FORMATS))
    for index, item in enumerate(items):
        sorting.feed(msgspec.Raw(json.dumps(item).encode()), f"line {index + 1}")
    return sorting.traces()


def use(id: str = "t1", name: str = "add", kind: str = "tool_use", **input: Any) -> dict[str, Any]:
    return {"type": kind, "id": id, "name": name, "input": input}


def result(id: str = "t1", content: Any = "ok", **fields: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content} | fields


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": [*content] if content and isinstance(content[0], dict) else content[0]}


def agent(*content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": [*content]}


def test_anthropic_turns_results_and_failures() -> None:
    trace = both_ways(
        [
            user("go"),
            agent(
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "I look."},
                use("t1", a=1),
                use("t2", a=2),
            ),
            user(result("t2", [{"type": "text", "text": "two"}]), result("t1", "broken", is_error=True)),
            agent({"type": "text", "text": "Done."}),
            user({"type": "text", "text": "more"}, {"type": "image", "source": {}}),
            agent(use("t3", "now")),
            user(result("t3"), {"type": "text", "text": "and?"}),
            {"role": "assistant", "content": "So."},
        ]
    )
    assert told(trace) == [
        ("add", {"a": 1}, "t1", 0, "broken"),
        ("add", {"a": 2}, "t2", 0, "two"),
        ("now", {}, "t3", 1, "ok"),
    ]
    first, second, third = trace.calls or ()
    assert (first.error, first.status, second.error, second.status) == ("broken", "error", None, None)
    assert first.group == second.group is not None
    assert third.group is None
    assert [(turn.input, turn.text) for turn in trace.turns] == [
        ("go", "Done."),
        ("more", None),
        ("and?", "So."),
    ]
    assert (trace.format, trace.warnings) == ("anthropic", ())


def test_anthropic_tools_that_the_provider_ran_and_kinds_that_nobody_knows() -> None:
    trace = both_ways(
        [
            agent(
                use("s1", "web_search", "server_tool_use", query="x"),
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "s1",
                    "content": {"type": "web_search_tool_result_error", "error_code": "unavailable"},
                },
                use("m1", "echo", "mcp_tool_use") | {"server_name": "s"},
                {
                    "type": "mcp_tool_result",
                    "tool_use_id": "m1",
                    "is_error": False,
                    "content": [{"type": "text", "text": "hi"}],
                },
                use("z1", "zap", "quantum_tool_use"),
            )
        ]
    )
    assert names(trace) == ["web_search", "echo"]
    search, echo = trace.calls or ()
    assert (search.error, search.status, echo.output, echo.error) == ("unavailable", "error", "hi", None)
    assert any("quantum_tool_use" in warning for warning in trace.warnings)


def test_anthropic_documents_repeat_their_history() -> None:
    first = {
        "model": "m",
        "system": "s",
        "messages": [user("go")],
        "tools": [{"name": "add", "input_schema": {"type": "object"}}],
    }
    second = first | {"messages": [user("go"), agent(use(a=1)), user(result())]}
    (trace,) = separately(first, second)
    assert told(trace) == [("add", {"a": 1}, "t1", 0, "ok")]
    assert trace.tools is not None
    assert trace.warnings == ()


def test_anthropic_responses_pairs_and_batches() -> None:
    response = {"id": "msg_1", "type": "message", "stop_reason": "tool_use"} | agent(use(a=1))
    assert told(both_ways(response)) == [("add", {"a": 1}, "t1", None, None)]
    assert told(both_ways({"request": {"messages": [user("go")]}, "response": response})) == [
        ("add", {"a": 1}, "t1", 0, None)
    ]
    traces = separately(
        {"custom_id": "q1", "result": {"type": "succeeded", "message": response}},
        {"custom_id": "q2", "result": {"type": "errored", "error": {}}},
        {"custom_id": "q3", "params": {"messages": [user("go"), agent(use(a=3))]}},
    )
    assert [(trace.id, names(trace)) for trace in traces] == [("q1", ["add"]), ("q2", []), ("q3", ["add"])]
    # Two responses with nothing between them are two recordings; with a user's message, one goes on.
    assert len(separately(response, response)) == 2
    assert len(separately(response, user(result()), response)) == 1


def test_anthropic_blocks_alone() -> None:
    trace = both_ways([{"type": "text", "text": "I look."}, use("t1", a=1), use("t1", a=1)])
    assert [made.arguments for made in trace.calls or ()] == [{"a": 1}, {"a": 1}], (
        "in a list of calls an id merges nothing"
    )
    assert trace.format == "anthropic"


@dataclass
class ToolUse:
    id: str
    name: str
    input: dict[str, Any]
    type: str = "tool_use"


@dataclass
class Text:
    text: str
    type: str = "text"
    citations: None = None


def test_anthropic_objects_of_a_library() -> None:
    trace = read(
        [user("go"), {"role": "assistant", "content": [Text("I look."), ToolUse("t1", "add", {"a": 1})]}]
    )
    assert told(trace) == [("add", {"a": 1}, "t1", 0, None)]
    assert trace.text == "I look."


def g_call(key: str = "functionCall", **fields: Any) -> dict[str, Any]:
    return {key: {"name": "add"} | fields}


def content(role: str | None, *parts: Any) -> dict[str, Any]:
    return ({} if role is None else {"role": role}) | {"parts": [*parts]}


@pytest.mark.parametrize(
    ("call", "response"), [("functionCall", "functionResponse"), ("function_call", "function_response")]
)
def test_gemini_in_both_spellings(call: str, response: str) -> None:
    trace = both_ways(
        {
            "contents": [
                content("user", {"text": "go"}),
                content(
                    "model",
                    {"text": "hm", "thought": True},
                    g_call(call, args={"a": 1}),
                    g_call(call),
                    g_call(call, args={"a": 3}, id="x"),
                ),
                content(
                    "user",
                    {response: {"name": "add", "response": {"sum": 2}}},
                    {response: {"name": "add", "id": "x", "response": {"sum": 4}}},
                ),
                content("function", {response: {"name": "add", "response": {"error": "no a"}}}),
                content("model", {"text": "Do"}, {"text": "ne."}),
                content("user", {"text": "more"}),
            ]
        }
    )
    assert told(trace) == [
        ("add", {"a": 1}, None, 0, {"sum": 2}),
        ("add", {}, None, 0, {"error": "no a"}),
        ("add", {"a": 3}, "x", 0, {"sum": 4}),
    ]
    assert [(made.error, made.status) for made in trace.calls or ()] == [
        (None, None),
        ("no a", "error"),
        (None, None),
    ]
    assert [(turn.input, turn.text) for turn in trace.turns] == [("go", "Done."), ("more", None)]
    assert (trace.format, trace.warnings) == ("gemini", ())


def test_gemini_responses() -> None:
    def response(*parts: Any, finish: str | None = "STOP") -> dict[str, Any]:
        return {"candidates": [{"content": content("model", *parts), "finishReason": finish}]}

    two = response(g_call(args={"a": 1}))
    two["candidates"].append({"content": content("model", g_call(args={"a": 9}))})
    trace = both_ways(two)
    assert [made.arguments for made in trace.calls or ()] == [{"a": 1}]
    assert any("2 candidates" in warning for warning in trace.warnings)
    streamed = both_ways(
        [response({"text": "I "}, finish=None), response({"text": "look"}, finish=None), response(g_call())]
    )
    assert (names(streamed), streamed.text) == (["add"], "I look")
    blocked = both_ways({"candidates": [{"finishReason": "SAFETY"}]})
    assert blocked.calls == ()
    # What the library called by itself stands beside its last response.
    own = both_ways(
        response({"text": "two"})
        | {
            "automatic_function_calling_history": [
                content("user", {"text": "go"}),
                content("model", g_call(args={"a": 1})),
            ]
        }
    )
    assert told(own) == [("add", {"a": 1}, None, 0, None)]


def test_a_gemini_response_beside_its_request_is_new_unless_the_history_holds_it() -> None:
    asked = [
        content("user", {"text": "go"}),
        content("model", g_call(args={"a": 1})),
        content("user", {"functionResponse": {"name": "add", "response": {}}}),
    ]
    again = {"candidates": [{"content": content("model", g_call(args={"a": 1})), "finishReason": "STOP"}]}
    assert names(both_ways({"contents": asked} | again)) == ["add", "add"], (
        "the same call made again is another call"
    )
    whole = [*asked, content("model", {"text": "done"})]
    trace = both_ways({"contents": whole} | again)
    assert (names(trace), trace.text) == (["add"], "done")


def test_gemini_odd_contents() -> None:
    assert both_ways({"contents": ["go", content("model", g_call())]}).turns[0].input == "go"
    assert (
        both_ways({"contents": content(None, {"text": "go"}), "candidates": []}, "gemini").turns[0].input
        == "go"
    )
    trace = both_ways([content("model", {"executableCode": {"code": "1"}}, g_call())])
    assert any("code that the provider ran" in warning for warning in trace.warnings)
    unreadable: list[Any] = [
        g_call(name=""),
        g_call(arg={"a": 1}),
        {"functionCall": {"args": {}}},
        {"functionCall": "add"},
    ]
    for bad in unreadable:
        with pytest.raises(CallError) as caught:
            read([content("model", {"text": "x"}, bad)], format="gemini")
        assert "parts[1]" in (caught.value.field or "")


def t_use(id: str = "u1", **input: Any) -> dict[str, Any]:
    return {"toolUse": {"toolUseId": id, "name": "add", "input": input}}


def t_result(id: str = "u1", status: str = "success", *content: Any) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": id, "status": status, "content": [*content]}}


def test_bedrock() -> None:
    asked = [
        user({"text": "go"}),
        agent({"text": "I look."}, t_use("u1", a=1), t_use("u2", a=2), t_use("u3")),
        user(
            t_result("u1", "success", {"json": {"x": 1}}),
            t_result("u2", "error", {"text": "no"}),
            t_result("u3", "success", {"text": "a"}, {"text": "b"}),
        ),
    ]
    trace = both_ways({"messages": asked, "output": {"message": agent({"text": "Done."})}})
    assert told(trace) == [
        ("add", {"a": 1}, "u1", 0, {"x": 1}),
        ("add", {"a": 2}, "u2", 0, "no"),
        ("add", {}, "u3", 0, "ab"),
    ]
    assert [(made.error, made.status) for made in trace.calls or ()] == [
        (None, None),
        ("no", "error"),
        (None, None),
    ]
    assert (trace.text, trace.turns[0].text, trace.format) == ("Done.", "Done.", "bedrock_converse")
    assert names(both_ways({"output": {"message": agent(t_use(a=1))}, "stopReason": "tool_use"})) == ["add"]
    assert len(both_ways(asked).turns) == 1
    with pytest.raises(CallError) as caught:
        read([agent({"toolUse": {"toolUseId": "u", "input": {}}})], format="bedrock_converse")
    assert caught.value.field == "trace[0].content[0]"


def item(name: str = "add", id: str = "c1", arguments: Any = "{}", **fields: Any) -> dict[str, Any]:
    return {
        "type": "function_call",
        "call_id": id,
        "id": f"fc_{id}",
        "name": name,
        "arguments": arguments,
    } | fields


def out(id: str = "c1", output: Any = "ok") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": id, "output": output}


def test_responses_items_groups_and_turns() -> None:
    trace = both_ways(
        [
            user("go"),
            {"type": "reasoning", "id": "rs", "summary": []},
            item(id="c1", arguments='{"a": 1}'),
            item(id="c2", arguments=""),
            out("c2", [{"type": "input_text", "text": "two"}]),
            out("c1"),
            item(id="c3", arguments="{'a': 1}"),
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "more"}]},
            item(id="c4"),
        ]
    )
    assert told(trace) == [
        ("add", {"a": 1}, "c1", 0, "ok"),
        ("add", {}, "c2", 0, "two"),
        ("add", None, "c3", 0, None),
        ("add", {}, "c4", 1, None),
    ]
    groups = [made.group for made in trace.calls or ()]
    assert groups[0] == groups[1] is not None
    assert groups[2:] == [None, None]
    assert (trace.turns[0].text, trace.format, trace.warnings) == ("Done.", "openai_responses", ())


def test_responses_that_are_no_function_calls() -> None:
    trace = both_ways(
        [
            item(),
            {"type": "custom_tool_call", "call_id": "k", "name": "sql", "input": "select 1"},
            {"type": "custom_tool_call_output", "call_id": "k", "output": "1"},
            {
                "type": "mcp_call",
                "id": "m1",
                "name": "echo",
                "server_label": "s",
                "arguments": '{"x": 1}',
                "output": "hi",
                "error": None,
            },
            {
                "type": "mcp_call",
                "id": "m2",
                "name": "echo",
                "server_label": "s",
                "arguments": "{}",
                "output": None,
                "error": "gone",
            },
            {"type": "web_search_call", "id": "w", "status": "completed"},
            {"type": "teleport_call", "id": "z"},
        ],
        "openai_responses",
    )
    assert told(trace)[1:] == [
        ("sql", {"input": "select 1"}, "k", None, "1"),
        ("echo", {"x": 1}, "m1", None, "hi"),
        ("echo", {}, "m2", None, None),
    ]
    assert [(made.error, made.status) for made in trace.calls or ()][2:] == [(None, None), ("gone", "error")]
    for word in ("free text", "web_search_call", "teleport_call"):
        assert any(word in warning for warning in trace.warnings)


def test_responses_documents_tell_a_call_once() -> None:
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
    first = {"object": "response", "id": "resp_1", "output": [item()]}
    second = {
        "object": "response",
        "id": "resp_2",
        "previous_response_id": "resp_1",
        "input": [out()],
        "output": [said],
    }
    trace = both_ways([first, second])
    assert (told(trace), trace.text) == ([("add", {}, "c1", None, "ok")], "Done.")
    assert len(separately(first, second)) == 1
    history = {
        "input": [user("go"), item(), out()],
        "output": [item(id="c2")],
        "tools": [{"type": "function", "name": "add", "parameters": {}}],
    }
    assert [made.id for made in both_ways(history).calls or ()] == ["c1", "c2"]
    asked = both_ways({"input": "go", "output": [item()]})
    assert (asked.turns[0].input, names(asked)) == ("go", ["add"])
    batch = {"custom_id": "q1", "response": {"status_code": 200, "body": first}}
    assert [(trace.id, names(trace)) for trace in separately(batch)] == [("q1", ["add"])]


def test_responses_events() -> None:
    added = {"type": "response.output_item.added", "output_index": 0, "item": item(arguments="")}
    piece = {"type": "response.function_call_arguments.delta", "item_id": "fc_c1", "delta": '{"a"'}
    done = {"type": "response.output_item.done", "output_index": 0, "item": item(arguments='{"a": 1}')}
    end = {
        "type": "response.completed",
        "response": {"object": "response", "output": [item(arguments='{"a": 1}')]},
    }
    assert told(both_ways([added, piece, done, end])) == [("add", {"a": 1}, "c1", None, None)]
    cut = both_ways([added, piece])
    assert told(cut) == [("add", None, "c1", None, None)]
    assert any("ends inside the call" in warning for warning in cut.warnings)


@pytest.mark.parametrize(
    "bad",
    [
        {"type": "function_call", "call_id": "c", "arguments": "{}"},
        {"type": "function_call", "call_id": "c", "name": "f", "argument": {"a": 1}},
        {"type": "function_call", "call_id": "c", "name": ["f"], "arguments": "{}"},
        {"type": "message", "role": "wizard", "content": "x"},
        {"type": "message", "role": "assistant", "content": [use()]},
        {"content": "x"},
        7,
    ],
    ids=str,
)
def test_responses_that_cannot_be_read(bad: Any) -> None:
    with pytest.raises(CallError) as caught:
        read({"items": [item(), bad]}, format="openai_responses")
    assert "items[1]" in (caught.value.field or "")


def turn(role: str, value: Any) -> dict[str, Any]:
    return {"from": role, "value": value}


def test_sharegpt() -> None:
    two = json.dumps([{"name": "add", "arguments": {"a": 1}}, {"name": "add", "arguments": '{"a": 2}'}])
    trace = both_ways(
        {
            "id": "s1",
            "tools": json.dumps([{"name": "add", "parameters": {"type": "object"}}]),
            "conversations": [
                turn("system", "s"),
                turn("human", "go"),
                turn("function_call", two),
                turn("observation", "one"),
                turn("observation", '{"x": 2}'),
                turn("gpt", "Done."),
                turn("human", "more"),
                turn("function_call", '{"name": "now", "arguments": {}}'),
                turn("gpt", "<tool_call>{}</tool_call>"),
            ],
        }
    )
    assert told(trace) == [
        ("add", {"a": 1}, None, 0, "one"),
        ("add", {"a": 2}, None, 0, '{"x": 2}'),
        ("now", {}, None, 1, None),
    ]
    assert (trace.id, trace.turns[0].text, trace.format) == ("s1", "Done.", "sharegpt")
    assert trace.tools is not None
    assert any("tags of calls" in warning for warning in trace.warnings)


@pytest.mark.parametrize(
    "value", ["add(a=1)", "[1]", "{}", '{"name": "f", "argz": {"a": 1}}', "7", None], ids=repr
)
def test_sharegpt_calls_that_cannot_be_read(value: Any) -> None:
    with pytest.raises(CallError) as caught:
        read({"conversations": [turn("human", "x"), turn("function_call", value)]})
    assert "conversations[1].value" in (caught.value.field or "")
