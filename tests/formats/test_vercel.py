"""The Vercel AI SDK: steps, model messages and UI messages, of version 4 and of later ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import CallError, Trace, read, read_all
from rightcall.core.arguments import read_arguments
from rightcall.run.intake.traces import traces_of


def told(trace: Trace) -> list[tuple[Any, ...]]:
    return [(call.name, call.arguments, call.id) for call in trace.calls or ()]


def call(id: str = "c1", name: str = "book", **fields: Any) -> dict[str, Any]:
    return {"type": "tool-call", "toolCallId": id, "toolName": name, **(fields or {"input": {"seat": id}})}


def result(id: str = "c1", **fields: Any) -> dict[str, Any]:
    return {"type": "tool-result", "toolCallId": id, "toolName": "book", **fields}


def test_steps_that_only_keep_content_hold_the_same_calls_once() -> None:
    content = [
        {"type": "text", "text": "Booking."},
        call(),
        call("c2"),
        result(output={"ok": True}),
        {"type": "tool-error", "toolCallId": "c2", "toolName": "book", "input": {"seat": "c2"}, "error": {}},
    ]
    lists = {"toolCalls": [call(), call("c2")], "toolResults": [result(output={"ok": True})]}
    for step in ({"content": content}, {"content": content, **lists}):
        trace = read({"steps": [step | {"finishReason": "tool-calls"}], "text": "Done."})
        assert trace.format == "vercel_steps"
        assert told(trace) == [("book", {"seat": "c1"}, "c1"), ("book", {"seat": "c2"}, "c2")]
        # An Error has no fields of its own in JSON: that it failed must not be lost.
        assert [(made.output, made.failed) for made in trace.calls or ()] == [
            ({"ok": True}, False),
            (None, True),
        ]
        assert [made.group for made in trace.calls or ()] == ["message 1", "message 1"]
        assert trace.text == "Done."


def test_input_that_could_not_be_parsed_stays_unreadable() -> None:
    bad = call(input='{"seat": ', invalid=True, dynamic=True, error={})
    trace = read({"steps": [{"toolCalls": [bad], "toolResults": []}]})
    (made,) = trace.calls or ()
    assert made.arguments is None
    assert read_arguments(made.raw).problem
    assert made.failed


def test_calls_of_two_steps_are_not_parallel() -> None:
    steps = [{"toolCalls": [call(name)], "toolResults": []} for name in ("c1", "c2")]
    assert [made.group for made in read({"steps": steps}).calls or ()] == [None, None]


def test_each_result_is_a_recording_and_a_turn() -> None:
    lines = b"\n".join(
        json.dumps({"steps": [{"toolCalls": [call(name)], "toolResults": []}], "text": name}).encode()
        for name in ("one", "two", "one")
    )
    traces = traces_of(lines)
    assert [(trace.text, told(trace)[0][2]) for trace in traces] == [
        ("one", "one"),
        ("two", "two"),
        ("one", "one"),
    ]
    assert [made.turn for trace in traces for made in trace.calls or ()] == [0, 0, 0]


@pytest.mark.parametrize(
    ("source", "format"),
    [
        ([call()], "vercel_steps"),
        ([call(args={"seat": "c1"})], "vercel_v4_steps"),
        ([{"toolCalls": [call()], "toolResults": []}], "vercel_steps"),
        ([{"toolCalls": [call(args={"seat": "c1"})], "toolResults": []}], "vercel_v4_steps"),
        ({"steps": [{"toolCalls": [call(args={"seat": "c1"})]}]}, "vercel_v4_steps"),
    ],
)
def test_a_call_or_a_step_may_stand_alone(source: Any, format: str) -> None:
    for given in (source, json.dumps(source).encode()):
        trace = read(given)
        assert trace.format == format
        assert told(trace) == [("book", {"seat": "c1"}, "c1")]


def test_steps_without_calls_and_calls_without_input_are_no_riddle() -> None:
    assert read({"steps": [{"text": "Hello", "finishReason": "stop", "toolCalls": []}]}).calls == ()
    bare = {"type": "tool-call", "toolCallId": "c1", "toolName": "ping"}
    assert told(read({"steps": [{"toolCalls": [bare]}]})) == [("ping", {}, "c1")]


def test_a_preliminary_result_is_not_the_answer() -> None:
    parts = [call(), result(output="half", preliminary=True), result(output="whole")]
    (made,) = read({"steps": [{"content": parts, "finishReason": "stop"}]}).calls or ()
    assert made.output == "whole"


@pytest.mark.parametrize(
    ("output", "expected", "failed"),
    [
        ({"type": "json", "value": {"n": 1}}, {"n": 1}, False),
        ({"type": "text", "value": '{"n": 1}'}, '{"n": 1}', False),
        (
            {"type": "content", "value": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            "ab",
            False,
        ),
        ({"type": "error-text", "value": "boom"}, None, True),
        ({"type": "error-json", "value": {"code": 5}}, None, True),
        ({"type": "execution-denied", "reason": "no"}, None, True),
    ],
)
def test_the_kind_of_an_output_is_taken_off(output: dict[str, Any], expected: object, failed: bool) -> None:
    messages = [
        {"role": "user", "content": "Book"},
        {"role": "assistant", "content": [call()]},
        {"role": "tool", "content": [result(output=output)]},
        {"role": "assistant", "content": "Done"},
    ]
    for source in (messages, {"messages": messages}):
        trace = read(source)
        assert trace.format == "vercel_messages"
        (made,) = trace.calls or ()
        assert (made.output, made.failed, made.turn) == (expected, failed, 0)
        assert trace.text == "Done"


def test_an_unknown_kind_of_output_is_an_error_with_its_place() -> None:
    messages = [
        {"role": "assistant", "content": [call()]},
        {"role": "tool", "content": [result(output={"type": "x"})]},
    ]
    with pytest.raises(CallError) as caught:
        read(messages)
    assert caught.value.field == "trace[1].content[0].output"


def test_core_messages_of_version_4_say_args_and_result() -> None:
    messages = [
        {"role": "assistant", "content": [call(args={"seat": "c1"}), call("c2", args={})]},
        {"role": "tool", "content": [result(result={"ok": 1}), result("c2", result="full", isError=True)]},
    ]
    trace = read(messages)
    assert told(trace) == [("book", {"seat": "c1"}, "c1"), ("book", {}, "c2")]
    assert [(made.output, made.failed) for made in trace.calls or ()] == [({"ok": 1}, False), ("full", True)]


def test_a_long_run_of_messages_stays_one_recording() -> None:
    def turn(number: int) -> list[dict[str, Any]]:
        return [
            {"role": "user", "content": f"Seat {number}"},
            {"role": "assistant", "content": [{"type": "text", "text": "hm"}, call(f"c{number}")]},
            {"role": "tool", "content": [result(f"c{number}", output={"type": "json", "value": number})]},
            {"role": "assistant", "content": [{"type": "text", "text": f"Done {number}"}]},
        ]

    messages = [message for number in range(5) for message in turn(number)]
    for source in (messages, json.dumps(messages).encode()):
        trace = read(source)
        assert [made.turn for made in trace.calls or ()] == [0, 1, 2, 3, 4]
        assert [made.output for made in trace.calls or ()] == [0, 1, 2, 3, 4]
        assert trace.turns[4].text == "Done 4"


def test_a_history_that_is_sent_again_adds_only_its_end() -> None:
    first = [{"role": "user", "content": "A"}, {"role": "assistant", "content": [call()]}]
    second = [*first, {"role": "tool", "content": [result(output={"type": "text", "value": "ok"})]}]
    trace = read([{"messages": first}, {"messages": second}])
    assert told(trace) == [("book", {"seat": "c1"}, "c1")]
    assert (trace.calls or ())[0].output == "ok"


def ui(*parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"id": "m1", "role": "assistant", "parts": list(parts), **fields}


def test_ui_parts_between_two_steps_are_parallel() -> None:
    step = {"type": "step-start"}
    trace = read(
        [
            ui({"type": "text", "text": "Book"}, role="user"),
            ui(
                step,
                {
                    "type": "tool-book",
                    "toolCallId": "c1",
                    "state": "output-available",
                    "input": {},
                    "output": 1,
                },
                {"type": "dynamic-tool", "toolName": "pay", "toolCallId": "c2", "state": "output-error"}
                | {"input": {"sum": 3}, "errorText": "declined"},
                step,
                {"type": "tool-log", "toolCallId": "c3", "state": "input-available", "input": {"a": 1}},
                {"type": "text", "text": "Done"},
            ),
        ]
    )
    assert trace.format == "vercel_ui"
    assert told(trace) == [("book", {}, "c1"), ("pay", {"sum": 3}, "c2"), ("log", {"a": 1}, "c3")]
    assert [made.group for made in trace.calls or ()] == ["message 1", "message 1", None]
    assert [(made.output, made.error) for made in trace.calls or ()] == [
        (1, None),
        (None, "declined"),
        (None, None),
    ]
    assert [(turn.input, turn.text) for turn in trace.turns] == [("Book", "Done")]


def test_raw_input_of_a_ui_part_that_failed_is_kept_unreadable() -> None:
    part = {
        "type": "tool-book",
        "toolCallId": "c1",
        "state": "output-error",
        "rawInput": '{"seat',
        "errorText": "x",
    }
    (made,) = read([ui(part)]).calls or ()
    assert made.arguments is None
    assert made.failed


def test_input_that_is_still_streamed_says_so() -> None:
    trace = read(
        [ui({"type": "tool-book", "toolCallId": "c1", "state": "input-streaming", "input": {"se": ""}})]
    )
    assert len(trace.calls or ()) == 1
    assert "still being written" in trace.warnings[0]


def test_tool_invocations_of_version_4_are_read_once_though_written_twice() -> None:
    invocation = {
        "state": "result",
        "step": 0,
        "toolCallId": "c1",
        "toolName": "book",
        "args": {"seat": "4A"},
    }
    invocation["result"] = {"ok": True}
    parts = [{"type": "tool-invocation", "toolInvocation": invocation}]
    nameless = {key: value for key, value in invocation.items() if key != "toolCallId"}
    twice = ui({"type": "tool-invocation", "toolInvocation": nameless}, toolInvocations=[nameless])
    assert told(read([twice])) == [("book", {"seat": "4A"}, None)]
    for message in (
        ui(*parts, content="Done"),
        ui(*parts, content="Done", toolInvocations=[invocation]),
        {"id": "m1", "role": "assistant", "content": "Done", "toolInvocations": [invocation]},
    ):
        trace = read([message])
        assert trace.format == "vercel_ui"
        assert told(trace) == [("book", {"seat": "4A"}, "c1")]
        assert (trace.calls or ())[0].output == {"ok": True}
        assert trace.text == "Done"


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ([ui({"type": "tool-", "toolCallId": "c1", "input": {}})], "trace[0].parts[0]"),
        ([{"role": "assistant", "content": [call(name="")]}], "trace[0].content[0]"),
        ({"steps": [{"toolCalls": [call(), call(name="")]}]}, "trace.steps[0].toolCalls[1]"),
    ],
)
def test_a_call_without_a_name_is_an_error_with_its_place(source: Any, place: str) -> None:
    with pytest.raises(CallError) as caught:
        read(source)
    assert caught.value.field == place


@pytest.mark.parametrize(
    "source",
    [
        [ui({"type": "tool-book", "toolCallId": "c1", "inputs": {"seat": 1}})],
        [{"role": "assistant", "content": [call(inputs={"seat": 1})]}],
        {"steps": [{"toolCalls": [call(inputs={"seat": 1})]}]},
    ],
)
def test_misspelled_arguments_are_an_error_not_no_arguments(source: Any) -> None:
    for given in (source, json.dumps(source).encode()):
        with pytest.raises(CallError, match="inputs"):
            read(given)


@pytest.mark.parametrize("arguments", ["input", "args"])
def test_a_step_that_only_says_something_is_one_of_the_steps_in_a_bare_list(arguments: str) -> None:
    made: dict[str, Any] = {"content": [], "text": "", "toolResults": []}
    made["toolCalls"] = [{"type": "tool-call", "toolCallId": "1", "toolName": "f", arguments: {"a": 1}}]
    said: dict[str, Any] = {"content": [], "text": "done", "toolCalls": [], "toolResults": []}
    for steps in ([made, said], [said, made], [made, said, made, said]):
        (trace,) = read_all(json.dumps(steps).encode())
        assert {call.name for call in trace.calls or ()} == {"f"}
        assert trace.text == "done"
    (trace,) = read_all(json.dumps([said]).encode())
    assert (trace.calls, trace.text) == ((), "done")
