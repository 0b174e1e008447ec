"""No call is lost, added or doubled without a word: unknown items, telemetry of several libraries, misspelt parts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rightcall import Trace, read_all
from rightcall.errors import DataError, FormatError, SourceError
from tests.every.test_in_one_go import both_ways

USER = {"role": "user", "content": "roll a die"}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a three"}]}
ASKS = {"type": "mcp_approval_request", "id": "a", "name": "roll", "arguments": '{"d": 1}'}
APPROVES = {"type": "mcp_approval_response", "approval_request_id": "a", "approve": True}
CALL = {"type": "mcp_call", "id": "m", "name": "roll", "arguments": '{"d": 1}', "output": "3"}
UNKNOWN = {"type": "hologram_call", "name": "beam", "arguments": "{}"}
COMPACTED = {"type": "compaction", "id": "c", "encrypted_content": "zz"}


def every(value: Any) -> list[Trace]:
    """All recordings of one document, which is read the same in one go and level by level."""
    both_ways([value])
    both_ways([value, value])
    return list(read_all(json.dumps(value).encode()))


def one(value: Any) -> Trace:
    (trace,) = every(value)
    return trace


def names(trace: Trace) -> list[str]:
    return [call.name for call in trace.calls or ()]


@pytest.mark.parametrize(
    "items",
    [
        [USER, ASKS, CALL, SAID],
        [USER, ASKS, APPROVES, CALL, SAID],
        [ASKS, APPROVES, CALL],
        [USER, COMPACTED, CALL],
    ],
)
def test_items_of_responses_that_hold_no_call_split_no_list(items: list[Any]) -> None:
    trace = one(items)
    assert (trace.format, names(trace), trace.warnings) == ("openai_responses", ["roll"], ())
    assert names(one({"object": "response", "output": items[-2:]})) == ["roll"]


@pytest.mark.parametrize("items", [[USER, UNKNOWN, CALL, SAID], [CALL, UNKNOWN, SAID], [UNKNOWN, CALL]])
def test_a_call_of_an_unknown_kind_among_items_is_left_out_with_a_warning(items: list[Any]) -> None:
    trace = one(items)
    assert names(trace) == ["roll"]
    assert "'hologram_call' was left out" in trace.warnings[0]


def test_a_call_of_an_unknown_kind_alone_is_not_guessed() -> None:
    with pytest.raises(FormatError, match="openai_responses"):
        every([UNKNOWN])


HELD = {"name": "f", "args": {"a": 1}}
OK = {"functionCall": {"name": "g", "args": {}}}
GOOGLE = {
    "functionCal": HELD,
    "function_cal": HELD,
    "toolCall": {"toolType": "GOOGLE_SEARCH", "args": {}, "id": "1"},
}


@pytest.mark.parametrize("key", GOOGLE)
def test_an_unknown_part_of_googles_contents_is_left_out_with_a_warning(key: str) -> None:
    parts = [OK, {key: GOOGLE[key]}]
    told = {"content": {"role": "model", "parts": parts}}
    asked = {"role": "user", "parts": [{"text": "hi"}]}
    said = {"role": "model", "parts": parts}
    event = {"author": "agent", "invocationId": "i", **told}
    documents: list[Any] = [
        {"contents": [asked, said]},
        {"candidates": [{**told, "finishReason": "STOP"}]},
        [asked, said],
        [event],
        {"id": "s", "appName": "a", "userId": "u", "events": [event]},
        {
            "eval_id": "e",
            "conversation": [{"user_content": asked, "intermediate_data": {"invocation_events": [told]}}],
        },
    ]
    for document in documents:
        (trace,) = every(document)[:1]
        assert names(trace) == ["g"]
        assert len(trace.warnings) == 1
        assert repr(key) in trace.warnings[0]


def test_the_known_parts_of_googles_contents_cost_no_warning() -> None:
    known: list[dict[str, Any]] = [
        *({"text": ""}, {"thoughtSignature": "s", "text": ""}, {"inline_data": {}}, {"fileData": {}}),
        *({"code_execution_result": {}}, {"thought": True}),
    ]
    assert one({"contents": [{"role": "model", "parts": [*known, OK]}]}).warnings == ()
    assert (
        one(
            [{"author": "a", "invocation_id": "i", "content": {"role": "model", "parts": [*known, OK]}}]
        ).warnings
        == ()
    )


TEXT = {"text": "hm"}
ODD: dict[str, Any] = {
    "bedrock_converse": {
        "messages": [
            {"role": "user", "content": [TEXT]},
            {
                "role": "assistant",
                "content": [TEXT, {"toolUSe": {"toolUseId": "1", "name": "f", "input": {}}}],
            },
        ]
    },
    "pydantic_ai": [
        {
            "kind": "response",
            "parts": [
                {"part_kind": "text", "content": "hm"},
                {"part_kind": "tool-cal", "tool_name": "f", "args": {}, "tool_call_id": "1"},
            ],
        }
    ],
    "vercel_ui": [
        {
            "id": "1",
            "role": "assistant",
            "parts": [
                {"type": "text", "text": "hm"},
                {"type": "step-start"},
                {"type": "tol-f", "toolCallId": "1", "state": "output-available", "input": {}, "output": 1},
            ],
        }
    ],
    "vercel_messages": [
        {
            "role": "assistant",
            "content": [
                {"type": "tool-call", "toolCallId": "0", "toolName": "g", "input": {}},
                {"type": "tol-call", "toolCallId": "1", "toolName": "f", "input": {}},
            ],
        }
    ],
    "vercel_steps": {
        "steps": [
            {
                "content": [{"type": "tol-call", "toolCallId": "1", "toolName": "f", "input": {}}],
                "toolCalls": [],
            }
        ]
    },
    "otel_genai": [
        {
            "name": "chat",
            "context": {"trace_id": "1", "span_id": "2"},
            "attributes": {
                "gen_ai.operation.name": "chat",
                "gen_ai.output.messages": json.dumps(
                    [{"role": "assistant", "parts": [{"type": "tool_cal", "name": "f", "arguments": {}}]}]
                ),
            },
        }
    ],
}


@pytest.mark.parametrize("name", ODD)
def test_a_part_of_an_unknown_kind_is_left_out_with_a_warning(name: str) -> None:
    traces = every(ODD[name])
    assert [trace.format for trace in traces] == [name]
    assert "f" not in names(traces[0])
    assert len(traces[0].warnings) == 1
    assert "unknown" in traces[0].warnings[0]


STRANGERS: dict[str, list[Any]] = {
    "UI message stream": [
        {"type": "tool-input-start", "toolCallId": "1", "toolName": "f"},
        {"type": "tool-input-available", "toolCallId": "1", "toolName": "f", "input": {"a": 1}},
    ],
    "Cohere's stream": [
        {"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": {"id": "1"}}}}
    ],
    "LangGraph": [{"tools": {"messages": [{"type": "tool", "content": "1", "tool_call_id": "1"}]}}],
    "OTLP's logs": [{"resourceLogs": [{"scopeLogs": []}]}],
    "OTLP's metrics": [{"resourceMetrics": []}],
    "Gemini's Live": [
        {"toolCall": {"functionCalls": [{"id": "1", "name": "f", "args": {}}]}},
        {"serverContent": {}},
    ],
}


@pytest.mark.parametrize("name", STRANGERS)
def test_a_well_known_form_that_is_not_read_is_named(name: str) -> None:
    for item in STRANGERS[name]:
        with pytest.raises(FormatError, match=f"{name}.*not read"):
            list(read_all(json.dumps([item]).encode()))


def test_a_file_that_is_no_json_is_named(tmp_path: Path) -> None:
    for name, data in (("a.json", b'{"messages": [}'), ("b.json", b'{"messages": "\xff"}')):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(SourceError, match=rf"{name} is not valid JSON: .* at (character|byte) 14"):
            list(read_all(tmp_path / name))
    (tmp_path / "c.jsonl").write_bytes(b'{"messages": []}\n{"messages": "\xff"}\n')
    with pytest.raises(DataError, match=r"c\.jsonl line [12]"):
        list(read_all(tmp_path / "c.jsonl"))
