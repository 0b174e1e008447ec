"""LangSmith's runs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from rightcall import CallError, read
from rightcall.errors import DataError
from rightcall.run.intake.traces import traces_of


def run(kind: str, second: int, name: str = "m", *, trace: str = "t1", **more: Any) -> dict[str, Any]:
    own = f"{kind}-{second}"
    order = f"20260105T080000000000Z{trace}.20260105T0800{second:02}000000Z{own}"
    parent = {"parent_run_id": trace}
    return {
        "id": own,
        "trace_id": trace,
        **parent,
        "name": name,
        "run_type": kind,
        "dotted_order": order,
        **more,
    }


def model(second: int, *calls: dict[str, Any], users: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    message = {"type": "ai", "content": "", "tool_calls": list(calls)}
    inputs = {"messages": [[{"type": "human", "content": text} for text in users]]}
    return run("llm", second, outputs={"generations": [[{"message": message}]]}, inputs=inputs, **more)


def asks(name: str, id: str | None = None, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args, "id": id, "type": "tool_call"}


def told(trace: Any) -> list[tuple[str, Any]]:
    return [(call.name, call.arguments) for call in trace.calls or ()]


def test_a_models_request_and_the_tools_run_are_one_call() -> None:
    output = {"output": {"type": "tool", "content": "4", "tool_call_id": "c1", "status": "success"}}
    made = read([model(1, asks("look", "c1", q=1)), run("tool", 2, "look", inputs={"q": 1}, outputs=output)])
    assert [(call.id, call.arguments, call.output) for call in made.calls or ()] == [("c1", {"q": 1}, "4")]
    by_name = read(
        [model(1, asks("look", "c1", q=1)), run("tool", 2, "look", inputs={"q": 1}, outputs={"output": "4"})]
    )
    assert [(call.id, call.output) for call in by_name.calls or ()] == [("c1", "4")]


@pytest.mark.parametrize(
    ("inputs", "arguments"),
    [
        ({"q": 1}, {"q": 1}),
        ({"input": "{'q': None, 'w': (1, True)}"}, {"q": None, "w": [1, True]}),
        ({"input": '{"q": null}'}, {"q": None}),
        ({"input": '{"it\'s": True}'}, {"it's": True}),
        ({"input": "Oslo"}, {"input": "Oslo"}),
        ({"input": "{'q': f()}"}, None),
        ({}, {}),
        (None, {}),
    ],
)
def test_inputs_as_object_json_or_repr(inputs: Any, arguments: Any) -> None:
    item = run("tool", 1, "look", inputs=inputs)
    for source in ([item], json.dumps([item]).encode()):
        assert told(read(source)) == [("look", arguments)]


def test_runs_come_in_any_order_and_parallel_calls_are_a_group() -> None:
    runs = [run("tool", 3, "b", inputs={}), run("tool", 2, "a", inputs={}), model(1, asks("a"), asks("b"))]
    made = read("\n".join(map(json.dumps, runs)).encode())
    assert [call.name for call in made.calls or ()] == ["a", "b"]
    assert len({call.group for call in made.calls or ()} - {None}) == 1


def test_traces_stay_apart_and_threads_join_them() -> None:
    apart = [run("tool", 1, "a", inputs={}), run("tool", 2, "b", trace="t2", inputs={})]
    assert [trace.id for trace in traces_of("\n".join(map(json.dumps, apart)).encode())] == ["t1", "t2"]
    thread = {"extra": {"metadata": {"thread_id": "v"}}}
    joined = [
        model(1, asks("a"), users=("one",), **thread),
        model(2, asks("b"), users=("one", "two"), trace="t2", **thread),
    ]
    (made,) = traces_of("\n".join(map(json.dumps, joined)).encode())
    assert (made.id, [call.turn for call in made.calls or ()]) == ("v", [0, 1])
    assert [turn.input for turn in made.turns] == ["one", "two"]


def test_nested_runs_of_a_root() -> None:
    root = run("chain", 0) | {
        "parent_run_id": None,
        "inputs": {"input": "find it"},
        "outputs": {"output": "found"},
    }
    root["child_runs"] = [run("chain", 1, child_runs=[run("tool", 2, "look", inputs={"q": 1})])]
    for source in (root, json.dumps(root).encode(), {"runs": [root]}):
        made = read(source)
        assert told(made) == [("look", {"q": 1})]
        assert [(turn.input, turn.text) for turn in made.turns] == [("find it", "found")]


def test_errors() -> None:
    failed = run("tool", 1, "look", inputs={}, error="ToolError('no')", status="error")
    refused = {"output": {"type": "tool", "content": "no", "tool_call_id": "c", "status": "error"}}
    first, second = read([failed, run("tool", 2, "buy", inputs={}, outputs=refused)]).calls or ()
    assert (first.error, first.failed) == ("ToolError('no')", True)
    assert (second.status, second.output, second.failed) == ("error", "no", True)


@pytest.mark.parametrize(
    "outputs",
    [
        {"choices": [{"message": {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "look", "arguments": '{"q": 1}'}}]}}]},
        {"role": "assistant", "content": [{"type": "text", "text": "I look"}, {"type": "tool_use", "id": "c", "name": "look", "input": {"q": 1}}]},
        {"output": [{"type": "function_call", "call_id": "c", "name": "look", "arguments": '{"q": 1}'}]},
        {"message": {"lc": 1, "type": "constructor", "id": ["x", "AIMessage"], "kwargs": {"content": "", "tool_calls": [asks("look", "c", q=1)], "additional_kwargs": {"tool_calls": [{"id": "c", "function": {"name": "look", "arguments": '{"q": 1}'}}]}}}},
        {"messages": [{"type": "ai", "data": {"content": "", "tool_calls": [asks("look", "c", q=1)]}}]},
        {"generations": [{"message": {"type": "ai", "additional_kwargs": {"tool_calls": [{"id": "c", "function": {"name": "look", "arguments": '{"q": 1}'}}]}}}]},
    ],
)  # fmt: skip
def test_models_outputs_in_their_many_forms(outputs: Any) -> None:
    item = run("llm", 1, outputs=outputs)
    for source in ([item], json.dumps([item]).encode()):
        (call,) = read(source).calls or ()
        assert (call.name, call.arguments, call.id) == ("look", {"q": 1}, "c")


def test_invalid_tool_calls_stay_unreadable_calls() -> None:
    message = {
        "type": "ai",
        "invalid_tool_calls": [{"name": "look", "args": '{"q": ', "id": "c", "error": "x"}],
    }
    made = read([run("llm", 1, outputs={"generations": [[{"message": message}]]})])
    assert told(made) == [("look", None)]


@dataclass
class Run:
    """As the SDK's object: ids are UUIDs, times are datetimes."""

    id: UUID = field(default_factory=lambda: UUID(int=5))
    trace_id: UUID = field(default_factory=lambda: UUID(int=5))
    name: str = "look"
    run_type: str = "tool"
    start_time: datetime = datetime(2026, 1, 5, 8, tzinfo=UTC)
    inputs: dict[str, Any] = field(default_factory=lambda: {"q": 1})
    outputs: dict[str, Any] = field(default_factory=lambda: {"output": {"n": 2}})


def test_objects_of_the_sdk() -> None:
    made = read([Run()])
    assert [(call.name, call.arguments, call.output, call.start) for call in made.calls or ()] == [
        ("look", {"q": 1}, {"n": 2}, 1767600000.0)
    ]


@pytest.mark.parametrize(
    ("item", "place"),
    [
        (run("tool", 1, ""), "without a name"),
        (run("tool", 1) | {"name": 5}, "name"),
        (model(1, {"args": {}}), "outputs.generations"),
        (model(1) | {"child_runs": "x"}, "child_runs"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_place(item: Any, place: str) -> None:
    for source in ([item], json.dumps([item]).encode()):
        with pytest.raises(CallError) as caught:
            read(source)
        assert place in str(caught.value)


def test_runs_nested_without_end_are_refused() -> None:
    item: dict[str, Any] = run("chain", 1)
    for _ in range(300):
        item = run("chain", 1, child_runs=[item])
    with pytest.raises(DataError):
        read([item])


def test_a_streamed_message_with_nothing_but_fragments_is_joined() -> None:
    fragments = [
        {"name": "book", "args": "", "id": "c1", "index": 0},
        {"name": None, "args": '{"seat": ', "id": None, "index": 0},
        {"name": None, "args": '"4A"}', "id": None, "index": 0},
    ]
    message = {"type": "AIMessageChunk", "content": "", "tool_calls": [], "tool_call_chunks": fragments}
    made = read([run("llm", 1, outputs={"generations": [[{"message": message}]]}, inputs={"messages": [[]]})])
    assert [(call.name, call.arguments, call.id) for call in made.calls or ()] == [
        ("book", {"seat": "4A"}, "c1")
    ]
