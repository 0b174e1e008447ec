"""LlamaIndex, Pydantic AI and OpenAI's Agents SDK."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import pytest

from rightcall import CallError, DataError, Trace, read
from rightcall.core.arguments import read_arguments
from rightcall.run.intake.traces import traces_of


def told(trace: Trace) -> list[tuple[Any, ...]]:
    return [(call.name, call.arguments, call.id) for call in trace.calls or ()]


def llama(role: str, *blocks: dict[str, Any], **extra: Any) -> dict[str, Any]:
    return {"role": role, "additional_kwargs": extra, "blocks": list(blocks)}


def text(said: str) -> dict[str, Any]:
    return {"block_type": "text", "text": said}


def tool(id: str, arguments: Any, name: str = "book") -> dict[str, Any]:
    return {"block_type": "tool_call", "tool_call_id": id, "tool_name": name, "tool_kwargs": arguments}


SENT = {"id": "c1", "type": "function", "function": {"name": "book", "arguments": '{"seat": "4A"}'}}


def test_llamaindex_arguments_are_an_object_or_its_text() -> None:
    trace = read(
        [llama("user", text("Hi")), llama("assistant", tool("c1", {"seat": 1}), tool("c2", '{"seat": 2}'))]
    )
    assert trace.format == "llamaindex"
    assert told(trace) == [("book", {"seat": 1}, "c1"), ("book", {"seat": 2}, "c2")]
    assert [call.group for call in trace.calls or ()] == ["message 1", "message 1"]


@pytest.mark.parametrize(
    "message",
    [
        llama("assistant", tool("c1", {"seat": "4A"}), tool_calls=[SENT]),
        llama("assistant", text("Booking."), tool_calls=[SENT]),
        {"role": "assistant", "content": None, "additional_kwargs": {"tool_calls": [SENT]}},
        llama(
            "assistant",
            tool_calls=[{"type": "tool_use", "id": "c1", "name": "book", "input": {"seat": "4A"}}],
        ),
    ],
)
def test_llamaindex_calls_are_read_once_from_where_they_are(message: dict[str, Any]) -> None:
    for source in ([message], json.dumps([message]).encode()):
        trace = read(source)
        assert trace.format == "llamaindex"
        assert told(trace) == [("book", {"seat": "4A"}, "c1")]


def test_llamaindex_calls_without_ids_are_read_once_too() -> None:
    sent = {"function": SENT["function"]}
    block = tool("", {"seat": "4A"}) | {"tool_call_id": None}
    assert told(read([llama("assistant", block, tool_calls=[sent])])) == [("book", {"seat": "4A"}, None)]


def test_messages_and_events_in_one_document_tell_each_call_once() -> None:
    messages = [
        llama("user", text("Hi")),
        llama("assistant", tool("c1", {"seat": 1})),
        llama("tool", text("{'ok': 1}"), tool_call_id="c1"),
    ]
    event = {
        "tool_name": "book",
        "tool_kwargs": {"seat": 1},
        "tool_id": "c1",
        "tool_output": {"raw_output": {"ok": 1}},
    }
    (trace,) = traces_of({"chat_messages": messages, "workflow_events": [event]})
    assert told(trace) == [("book", {"seat": 1}, "c1")]
    assert (trace.calls or ())[0].output == "{'ok': 1}"
    assert trace.warnings == ()


def test_two_keys_of_a_store_that_begin_alike_are_two_recordings() -> None:
    store = {
        "ann": [llama("user", text("Hi"))],
        "bob": [llama("user", text("Hi")), llama("assistant", tool("c", {}))],
    }
    traces = traces_of(json.dumps({"store": store}).encode())
    assert [(trace.id, len(trace.calls or ())) for trace in traces] == [("ann", 0), ("bob", 1)]


def test_events_of_a_workflow_tell_a_call_three_times() -> None:
    called = {"tool_name": "book", "tool_kwargs": {"seat": "4A"}, "tool_id": "c1"}
    output = {"tool_name": "book", "raw_output": {"ok": 1}, "is_error": False, "blocks": [text("{'ok': 1}")]}
    step = {"response": llama("assistant", tool("c1", {"seat": "4A"})), "tool_calls": [called]}
    failed = {"raw_output": None, "is_error": True, "blocks": [text("boom")]}
    events = [
        step | {"current_agent_name": "agent", "raw": None},
        called,
        called | {"tool_output": output, "return_direct": False},
        {"tool_name": "pay", "tool_kwargs": {}, "tool_id": "c2", "tool_output": failed},
    ]
    trace = read(events)
    assert told(trace) == [("book", {"seat": "4A"}, "c1"), ("pay", {}, "c2")]
    assert [(call.output, call.error, call.status) for call in trace.calls or ()] == [
        ({"ok": 1}, None, None),
        ("boom", "boom", "error"),
    ]
    assert trace.warnings == ()


def test_a_chat_store_holds_a_recording_for_each_key() -> None:
    store = {
        name: [llama("user", text(name)), llama("assistant", tool("c1", {"of": name}))]
        for name in ("ann", "bob")
    }
    traces = traces_of(json.dumps({"store": store}).encode())
    assert [(trace.id, told(trace)[0][1]) for trace in traces] == [
        ("ann", {"of": "ann"}),
        ("bob", {"of": "bob"}),
    ]


class Role(StrEnum):
    """As the SDK's own roles are."""

    ASSISTANT = "assistant"


def test_llamaindex_objects_have_roles_of_their_own_kind() -> None:
    assert told(read([llama(Role.ASSISTANT, tool("c1", {"seat": 1}))])) == [("book", {"seat": 1}, "c1")]


@pytest.mark.parametrize(
    ("message", "place", "words"),
    [
        (llama("assistant", text("x"), tool("c1", {}, "")), "trace[0].blocks[1]", "without a name"),
        (
            llama("assistant", {"block_type": "tool_call", "tool_name": "book", "kwarg": {"seat": 1}}),
            "trace[0].blocks[0]",
            "kwarg",
        ),
    ],
)
def test_llamaindex_errors_have_their_place(message: dict[str, Any], place: str, words: str) -> None:
    with pytest.raises(CallError, match=words) as caught:
        read([message])
    assert caught.value.field == place


def asked(id: str, args: Any, name: str = "book", kind: str = "tool-call") -> dict[str, Any]:
    return {"part_kind": kind, "tool_name": name, "args": args, "tool_call_id": id}


def request(*parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"kind": "request", "parts": list(parts), **fields}


def response(*parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"kind": "response", "parts": list(parts), **fields}


def test_pydantic_ai_arguments_are_text_an_object_or_null() -> None:
    trace = read(
        [response(asked("a", '{"n": 1}'), asked("b", {"n": 2}), asked("c", None), asked("d", "{bad"))]
    )
    assert [call.arguments for call in trace.calls or ()] == [{"n": 1}, {"n": 2}, {}, None]
    assert read_arguments((trace.calls or ())[3].raw).problem


def test_pydantic_ai_answers_retries_and_turns() -> None:
    prompt = {"part_kind": "user-prompt", "content": ["Book ", {"kind": "image-url", "url": "u"}, "4A"]}
    retry = {
        "part_kind": "retry-prompt",
        "tool_name": "book",
        "tool_call_id": "a",
        "content": [{"type": "missing"}],
    }
    done = {"part_kind": "tool-return", "tool_name": "book", "content": {"ok": 1}, "tool_call_id": "b"}
    lost = {"part_kind": "tool-return", "tool_name": "pay", "content": "no card", "tool_call_id": "c"}
    messages = [
        request({"part_kind": "system-prompt", "content": "s"}, prompt, conversation_id="talk-1"),
        response(asked("a", {})),
        request(retry),
        response({"part_kind": "text", "content": "Hm"}, asked("b", {"seat": "4A"}), asked("c", {}, "pay")),
        request(done | {"outcome": "success"}, lost | {"outcome": "failed"}),
        request({"part_kind": "retry-prompt", "content": "Please answer"}),
        response({"part_kind": "text", "content": "Booked."}),
    ]
    for source in (
        messages,
        json.dumps(messages).encode(),
        {"messages": messages, "conversation_id": "talk-1"},
    ):
        trace = read(source)
        assert trace.format == "pydantic_ai"
        assert trace.id == "talk-1"
        first, second, third = trace.calls or ()
        assert (first.error, first.failed, first.output) == ([{"type": "missing"}], True, None)
        assert (second.output, second.failed, second.group) == ({"ok": 1}, False, third.group)
        assert third.failed
        # Feedback of the framework is no message of a user.
        assert [(turn.input, turn.text) for turn in trace.turns] == [("Book 4A", "Booked.")]
        assert trace.warnings == ()


def test_pydantic_ai_histories_that_go_on_add_only_their_end() -> None:
    said = request({"part_kind": "user-prompt", "content": "Hi"}, conversation_id="talk")
    first, second = response(asked("a", {"n": 1})), response(asked("b", {"n": 2}))
    documents = [{"messages": [said, first]}, {"messages": [said, first, said, second]}]
    (trace,) = traces_of(json.dumps(documents).encode())
    assert [(call.id, call.turn) for call in trace.calls or ()] == [("a", 0), ("b", 1)]


def test_pydantic_ai_tools_that_the_provider_runs_are_calls() -> None:
    back = {
        "part_kind": "builtin-tool-return",
        "tool_name": "web_search",
        "content": {"hits": 2},
        "tool_call_id": "w",
    }
    trace = read([response(asked("w", {"q": "x"}, "web_search", "builtin-tool-call"), back)])
    assert told(trace) == [("web_search", {"q": "x"}, "w")]
    assert (trace.calls or ())[0].output == {"hits": 2}


def test_pydantic_ai_errors_have_their_place() -> None:
    with pytest.raises(CallError) as caught:
        read([request(), response({"part_kind": "text", "content": ""}, asked("a", {}, ""))])
    assert caught.value.field == "trace[1].parts[1]"
    with pytest.raises(CallError, match="argz"):
        read([response({"part_kind": "tool-call", "tool_name": "book", "argz": {"seat": 1}})])


@dataclass
class Part:
    tool_name: str
    args: Any
    tool_call_id: str
    part_kind: str = "tool-call"


@dataclass
class Response:
    parts: list[Part]
    kind: str = "response"


def test_pydantic_ai_objects_are_read_as_they_are() -> None:
    assert told(
        read([Response([Part("book", '{"seat": "4A"}', "a"), Part("book", {"seat": "4B"}, "b")])])
    ) == [
        ("book", {"seat": "4A"}, "a"),
        ("book", {"seat": "4B"}, "b"),
    ]


@dataclass
class State:
    message_history: list[Response]


@dataclass
class Result:
    output: str
    _state: Any


def test_a_result_of_pydantic_ai_is_read_as_the_messages_that_it_keeps() -> None:
    asked_for = Response([Part("book", {"seat": "4A"}, "a")])
    assert told(read(Result("x", State([asked_for])))) == [("book", {"seat": "4A"}, "a")]
    odd: list[Any] = [None, 7, [], "x", State([])]
    for other in odd:
        with pytest.raises(DataError):
            read(Result("x", other))


def function(id: str, name: str = "book", arguments: str = "{}") -> dict[str, Any]:
    return {"type": "function_call", "call_id": id, "name": name, "arguments": arguments, "id": f"fc_{id}"}


def item(raw: Any, kind: str = "tool_call_item", **fields: Any) -> dict[str, Any]:
    return {"type": kind, "raw_item": raw, **fields}


def output(id: str, said: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": id, "output": said}


ITEMS = [
    item({"type": "reasoning", "id": "rs"}, "reasoning_item"),
    item(function("c1", arguments='{"seat": "4A"}')),
    item(function("c2", "transfer_to_payments"), "handoff_call_item"),
    item(output("c1", "ok"), "tool_call_output_item", output="ok"),
    item(output("c2", '{"assistant": "payments"}'), "handoff_output_item"),
    item(function("c3", "pay")),
    item(
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Paid."}]},
        "message_output_item",
    ),
]
CALLS = [("book", {"seat": "4A"}, "c1"), ("transfer_to_payments", {}, "c2"), ("pay", {}, "c3")]


def test_a_handoff_is_a_call_and_adjacent_calls_are_parallel() -> None:
    for source in (
        ITEMS,
        {"new_items": ITEMS},
        {"input": "Book", "new_items": ITEMS},
        json.dumps(ITEMS).encode(),
    ):
        trace = read(source)
        assert trace.format == "openai_agents"
        assert told(trace) == CALLS
        assert [call.output for call in trace.calls or ()] == ["ok", '{"assistant": "payments"}', None]
        assert [call.group for call in trace.calls or ()] == ["message 1", "message 1", None]
        assert trace.text == "Paid."


def test_new_items_and_to_input_list_are_merged_once() -> None:
    history: list[Any] = [
        {"role": "user", "content": "Hello"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi"}]},
        {"role": "user", "content": "Book"},
        *(entry["raw_item"] for entry in ITEMS),
    ]
    for source in ({"new_items": ITEMS, "to_input_list": history}, {"to_input_list": history}):
        trace = read(source)
        assert told(trace) == CALLS
        assert [call.turn for call in trace.calls or ()] == [1, 1, 1]
        assert [(turn.input, turn.text) for turn in trace.turns] == [("Hello", "Hi"), ("Book", "Paid.")]
        assert trace.warnings == ()


def test_what_a_hosted_tool_did_is_read_where_it_has_a_name() -> None:
    mcp = {
        "type": "mcp_call",
        "id": "m1",
        "name": "find",
        "arguments": '{"q": 1}',
        "output": "hit",
        "error": None,
    }
    trace = read([item({"type": "web_search_call", "id": "ws"}), item(mcp)])
    assert told(trace) == [("find", {"q": 1}, "m1")]
    assert (trace.calls or ())[0].output == "hit"
    assert "web_search_call" in trace.warnings[0]


def test_agents_errors_have_their_place() -> None:
    for raw, words in (
        (function("c1", ""), "without a name"),
        ({"type": "function_call", "name": "f", "argument": '{"a": 1}'}, "argument"),
    ):
        with pytest.raises(CallError, match=words) as caught:
            read({"new_items": [ITEMS[0], item(raw)]})
        assert caught.value.field == "trace.new_items[1].raw_item"


@dataclass
class RawCall:
    name: str
    arguments: str
    call_id: str
    type: str = "function_call"


@dataclass
class ToolCallItem:
    raw_item: Any
    agent: Any = None
    type: str = "tool_call_item"


@dataclass
class RunResult:
    input: Any
    new_items: list[Any] = field(default_factory=list)
    final_output: Any = None


def test_a_result_of_the_sdk_is_read_as_it_is() -> None:
    result = RunResult("Book", [ToolCallItem(RawCall("book", '{"seat": "4A"}', "c1"), agent=object())])
    trace = read(result)
    assert told(trace) == [("book", {"seat": "4A"}, "c1")]
    assert [turn.input for turn in trace.turns] == ["Book"]
