"""MCP's JSON-RPC messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import CallError, read
from rightcall.run.intake.traces import traces_of


def call(id: Any = 1, name: Any = "look", **arguments: Any) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": id,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }


def answer(id: Any = 1, **result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": result}


def words(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def test_answers_in_any_order_even_before_the_request() -> None:
    items = [
        answer(3, content=words("three")),
        call(1, q=1),
        call(2, q=2),
        call(3),
        answer(2, content=words("two")),
        answer(1, content=[]),
    ]
    for source in (items, "\n".join(map(json.dumps, items)).encode()):
        made = read(source)
        assert [(item.id, item.output) for item in made.calls or ()] == [
            ("1", []),
            ("2", "two"),
            ("3", "three"),
        ]
        assert [item.group for item in made.calls or ()] == [None] * 3
        assert made.warnings == ()


def test_structured_content_comes_before_text() -> None:
    made = read([call(), answer(content=words("{}"), structuredContent={"n": 1}, isError=False)])
    assert [item.output for item in made.calls or ()] == [{"n": 1}]


def test_errors_of_the_tool_and_of_the_protocol() -> None:
    refused = {"jsonrpc": "2.0", "id": 2, "error": {"code": -32602, "message": "unknown tool"}}
    first, second = (
        read([call(1), call(2), answer(1, content=words("no"), isError=True), refused]).calls or ()
    )
    assert (first.status, first.output, first.failed) == ("error", "no", True)
    assert (second.error, second.status) == ({"code": -32602, "message": "unknown tool"}, "error")


def test_offered_tools_and_answers_to_other_requests() -> None:
    asked = {"jsonrpc": "2.0", "id": 9, "method": "resources/read", "params": {"uri": "x"}}
    tools = [{"name": "look", "inputSchema": {"type": "object"}}, {"name": "buy", "inputSchema": {}}]
    note = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}
    made = read(
        [
            note,
            asked,
            answer(9, content=words("x")),
            answer(8, tools=tools),
            call(1),
            answer(1, content=words("y")),
        ]
    )
    assert [item.name for item in made.tools or ()] == ["look", "buy"]
    assert [item.output for item in made.calls or ()] == ["y"]
    assert made.warnings == ()


def test_arguments_may_be_missing_and_a_number_is_no_text_id() -> None:
    bare = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look"}}
    assert [item.arguments for item in read(bare).calls or ()] == [{}]
    assert [item.output for item in read([call(1), answer("1", content=words("other"))]).calls or ()] == [
        None
    ]


def test_a_session_is_a_recording() -> None:
    start = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}
    items = [start, call(1), answer(1, content=words("a")), start, call(1), answer(1, content=words("b"))]
    made = traces_of("\n".join(map(json.dumps, items)).encode())
    assert [[item.output for item in trace.calls or ()] for trace in made] == [["a"], ["b"]]


@pytest.mark.parametrize(
    ("item", "place"),
    [
        (call(name=None), "params"),
        (call(name=""), "params"),
        (call(name=5), "params.name"),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}, "without a name"),
        ({"jsonrpc": "2.0", "id": [], "method": "tools/call"}, "id"),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []}, "params"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_place(item: Any, place: str) -> None:
    for source in (item, json.dumps(item).encode()):
        with pytest.raises(CallError) as caught:
            read(source)
        assert place in str(caught.value)


@pytest.mark.parametrize(
    "result", [None, [], "x", 5, {"content": 5}, {"content": [5]}, {"task": {"id": "t"}}]
)
def test_odd_results_are_kept_as_they_are(result: Any) -> None:
    items = [call(), {"jsonrpc": "2.0", "id": 1, "result": result}]
    (made,) = read(json.dumps(items).encode()).calls or ()
    assert made.name == "look"
