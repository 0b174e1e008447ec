"""What frameworks for evaluation record: tau2-bench, Inspect and DeepEval."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from rightcall import CallError, Trace, read
from rightcall.core.arguments import read_arguments
from rightcall.run.intake.traces import traces_of


def told(trace: Trace) -> list[tuple[Any, ...]]:
    return [(call.name, call.arguments, call.id) for call in trace.calls or ()]


def tau(id: str, name: str = "book", requestor: str = "assistant", **fields: Any) -> dict[str, Any]:
    return {"id": id, "name": name, "arguments": {"seat": id}, "requestor": requestor, **fields}


def said(role: str, content: str | None, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "content": content, "tool_calls": list(calls) or None}


def back(id: str, content: str, requestor: str = "assistant", *, error: bool = False) -> dict[str, Any]:
    return {"id": id, "role": "tool", "content": content, "requestor": requestor, "error": error}


MESSAGES = [
    said("user", "Book me in"),
    said("assistant", None, tau("c1"), tau("c2")),
    {"role": "tool", "tool_messages": [back("c1", "ok"), back("c2", "full", error=True)]},
    said("assistant", "Please restart your phone."),
    said("user", None, tau("u1", "restart", "user")),
    back("u1", "restarted", "user"),
    said("user", "Done."),
    said("assistant", None, tau("c3")),
]


def test_only_the_agents_calls_are_read_and_a_users_tool_is_no_turn() -> None:
    for source in (
        MESSAGES,
        {"simulations": [{"id": "s", "messages": MESSAGES}]},
        json.dumps(MESSAGES).encode(),
    ):
        trace = read(source)
        assert trace.format == "tau2"
        assert told(trace) == [("book", {"seat": name}, name) for name in ("c1", "c2", "c3")]
        assert [(call.output, call.failed, call.turn) for call in trace.calls or ()] == [
            ("ok", False, 0),
            ("full", True, 0),
            (None, False, 1),
        ]
        assert [turn.input for turn in trace.turns] == ["Book me in", "Done."]
        assert trace.warnings == ()


def test_simulations_are_recordings_with_their_ids_and_expected_actions_are_no_calls() -> None:
    task = {"id": "t", "evaluation_criteria": {"actions": [tau("x", "pay")]}}
    simulations = [
        {
            "id": f"s{trial}",
            "task_id": "t",
            "trial": trial,
            "termination_reason": "user_stop",
            "messages": MESSAGES,
        }
        for trial in range(3)
    ]
    whole = json.dumps({"tasks": [task], "simulations": simulations}).encode()
    lines = b"\n".join(json.dumps(simulation).encode() for simulation in simulations)
    for source in (whole, lines):
        traces = traces_of(source)
        assert [(trace.id, len(trace.calls or ())) for trace in traces] == [("s0", 3), ("s1", 3), ("s2", 3)]


def test_tau2_errors_have_their_place() -> None:
    for call, words in ((tau("c1", ""), "without a name"), ({"name": "f", "argumens": {"a": 1}}, "argumens")):
        with pytest.raises(CallError, match=words) as caught:
            read({"simulations": [{"id": "s", "messages": [said("assistant", None, tau("c0"), call)]}]})
        assert caught.value.field == "trace.simulations[0].messages[0].tool_calls[1]"


def made(id: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "function": "book", "arguments": {"seat": id}, "type": "function", **fields}


def sample(id: Any = 1, epoch: int = 1, **fields: Any) -> dict[str, Any]:
    messages = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "Book"},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "Hm"}],
            "tool_calls": [made("c1"), made("c2")],
        },
        {"role": "tool", "content": "ok", "tool_call_id": "c1", "function": "book"},
        {"role": "tool", "content": "", "tool_call_id": "c2", "function": "book"}
        | {"error": {"type": "timeout", "message": "slow"}},
        {"role": "assistant", "content": "Half done."},
    ]
    event = {"event": "tool", "function": "book", "arguments": {"seat": "c1"}, "result": "ok"}
    events = [event | {"id": "c1"}, event | {"id": "one-of-a-sub-agent"}]
    whole = {"id": id, "epoch": epoch, "input": "Book", "target": "", "messages": messages, "events": events}
    return whole | fields


def test_a_log_a_sample_and_its_messages_are_read_alike_and_events_add_nothing() -> None:
    log = {"version": 2, "eval": {"task": "t"}, "samples": [sample()]}
    for source in (log, sample(), sample()["messages"], json.dumps(log).encode()):
        trace = read(source)
        assert trace.format == "inspect"
        assert told(trace) == [("book", {"seat": "c1"}, "c1"), ("book", {"seat": "c2"}, "c2")]
        assert [(call.output, call.failed, call.turn) for call in trace.calls or ()] == [
            ("ok", False, 0),
            ("", True, 0),
        ]
        assert trace.text == "Half done."
        assert trace.warnings == ()


def test_samples_and_epochs_are_recordings_with_their_ids() -> None:
    log = {"eval": {}, "samples": [sample("a"), sample("a", 2), sample(7)]}
    lines = b"\n".join(json.dumps(entry).encode() for entry in log["samples"])
    for source in (json.dumps(log).encode(), lines):
        assert [(trace.id, len(trace.calls or ())) for trace in traces_of(source)] == [
            ("a", 2),
            ("a epoch 2", 2),
            ("7", 2),
        ]


@pytest.mark.parametrize("error", ["Error parsing arguments: {bad", "null", "", '{"a": 1}'])
def test_arguments_with_a_parse_error_are_unreadable(error: str) -> None:
    (call,) = (
        read([{"role": "assistant", "content": "", "tool_calls": [made("c1", parse_error=error)]}]).calls
        or ()
    )
    assert (call.arguments is None) is bool(error)
    assert bool(read_arguments(call.raw).problem) is bool(error)


def test_a_sample_that_kept_only_events_is_read_from_these() -> None:
    events = [
        {"event": "model", "output": {"choices": []}},
        {
            "event": "tool",
            "id": "c1",
            "function": "book",
            "arguments": {"seat": 1},
            "result": "ok",
            "error": None,
        },
        {
            "event": "tool",
            "id": "c2",
            "function": "pay",
            "arguments": {},
            "result": "",
            "error": {"type": "timeout"},
        },
    ]
    trace = read(sample(messages=[], events=events))
    assert told(trace) == [("book", {"seat": 1}, "c1"), ("pay", {}, "c2")]
    assert [(call.output, call.failed, call.group) for call in trace.calls or ()] == [
        ("ok", False, None),
        ("", True, None),
    ]


def test_texts_that_an_inspect_sample_keeps_apart_are_put_back() -> None:
    """Of events every text of more than 100 characters is kept apart, of messages only images."""
    apart = {"0a": "a long “text”", "0b": "long, too"}
    arguments = {
        "notes": ["attachment://0a", {"deep": "attachment://0b"}],
        "n": 2**70,
        "own": "attachment://gone",
    }
    result = "attachment://0b"
    event = {"event": "tool", "id": "c1", "function": "book", "arguments": arguments, "result": result}
    messages = [
        {"role": "assistant", "content": "", "tool_calls": [made("c1", arguments=arguments)]},
        {"role": "tool", "content": result, "tool_call_id": "c1", "function": "book"},
    ]
    for source in (sample(messages=[], events=[event]), sample(messages=messages)):
        for given in (source | {"attachments": apart}, json.dumps(source | {"attachments": apart}).encode()):
            (call,) = read(given).calls or ()
            notes = ["a long “text”", {"deep": "long, too"}]
            assert call.arguments == {"notes": notes, "n": 2**70, "own": "attachment://gone"}
            assert call.output == "long, too"
    (call,) = read(sample(messages=messages)).calls or ()
    assert call.arguments == arguments


def test_attachments_may_be_anything() -> None:
    deep: Any = "attachment://0a"
    for _ in range(600):
        deep = [deep]
    odd: list[Any] = [None, 7, [], {"0a": None}, {"0a": {"x": 1}}]
    for apart in odd:
        event = {"event": "tool", "id": "c1", "function": "book", "arguments": {"x": deep}, "result": deep}
        source = sample(messages=[], events=[event], attachments=apart)
        assert [call.name for call in read(source).calls or ()] == ["book"]
        assert [call.name for call in read(json.dumps(source).encode()).calls or ()] == ["book"]


def test_inspect_errors_have_their_place() -> None:
    for call, words in (
        (made("c1", function=""), "without a name"),
        ({"function": "f", "argument_": {"a": 1}}, "argument_"),
    ):
        with pytest.raises(CallError, match=words) as caught:
            read(
                {
                    "eval": {},
                    "samples": [
                        sample(messages=[{"role": "assistant", "content": "", "tool_calls": [call]}])
                    ],
                }
            )
        assert caught.value.field == "trace.samples[0].messages[0].tool_calls[0]"


def test_deepeval_reads_what_was_called_in_either_spelling() -> None:
    for called, expected, parameters, said_by in (
        ("tools_called", "expected_tools", "input_parameters", "actual_output"),
        ("toolsCalled", "expectedTools", "inputParameters", "actualOutput"),
    ):
        tools = [
            {"name": "book", parameters: {"seat": 1}, "output": "ok"},
            {"name": "book", parameters: None},
        ]
        case = {
            "name": "case-1",
            "input": "Book",
            said_by: "Done.",
            called: tools,
            expected: [{"name": "pay"}],
        }
        trace = read(case)
        assert trace.format == "deepeval"
        assert trace.id == "case-1"
        assert [(call.name, call.arguments, call.output, call.group) for call in trace.calls or ()] == [
            ("book", {"seat": 1}, "ok", None),
            ("book", {}, None, None),
        ]
        assert trace.text == "Done."
        run = {"testCases" if called == "toolsCalled" else "test_cases": [case, case | {"name": "case-2"}]}
        for source in (run, [case, case | {"name": "case-2"}]):
            found = traces_of(json.dumps(source).encode())
            assert [(trace.id, len(trace.calls or ())) for trace in found] == [("case-1", 2), ("case-2", 2)]


def test_deepeval_two_equal_calls_are_two() -> None:
    assert (
        len(read({"input": "x", "tools_called": [{"name": "a", "input_parameters": {}}] * 2}).calls or ())
        == 2
    )


def test_a_conversational_test_case_has_turns() -> None:
    turns = [
        {"role": "user", "content": "Book", "tools_called": None},
        {
            "role": "assistant",
            "content": "Done.",
            "tools_called": [{"name": "book", "input_parameters": {"seat": 1}}],
        },
        {"role": "user", "content": "Thanks"},
    ]
    trace = read({"scenario": "s", "turns": turns})
    assert trace.format == "deepeval"
    assert [(call.name, call.turn) for call in trace.calls or ()] == [("book", 0)]
    assert [(turn.input, turn.text) for turn in trace.turns] == [("Book", "Done."), ("Thanks", None)]


@dataclass
class Tool:
    """Like the SDK's own tool calls."""

    name: str
    input_parameters: dict[str, Any] | None = None
    output: Any = None


def test_the_sdks_own_tool_calls_are_read_alone_and_in_a_case() -> None:
    tools = [Tool("book", {"seat": 1}), Tool("list")]
    for source in (tools, {"input": "x", "tools_called": tools}):
        trace = read(source)
        assert trace.format == "deepeval"
        assert told(trace) == [("book", {"seat": 1}, None), ("list", {}, None)]


def test_deepeval_errors_have_their_place() -> None:
    for tool, words in (
        ({"name": ""}, "without a name"),
        ({"name": "f", "input_params": {"a": 1}}, "input_params"),
    ):
        with pytest.raises(CallError, match=words) as caught:
            read({"input": "x", "tools_called": [{"name": "a", "input_parameters": {}}, tool]})
        assert caught.value.field == "trace.tools_called[1]"
