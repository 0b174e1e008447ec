"""An id beside a recording is the recording's, in every format: golden cases are joined by it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rightcall import list_formats
from rightcall.run.intake.traces import traces_of
from rightcall.run.sets import FORMATS
from tests.every.test_in_one_go import the_long_way

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
from recordings import story
from recordings_of_evaluations import ALL

SEVERAL = {"inspect", "google_adk_eval_set"}
"""A file is one object with several recordings, each with an id of its own."""
BY_ITEM = {"langsmith", "mcp", "openinference", "otel_genai", "plain", "uipath"}
"""Spans, runs, protocol messages and calls: the recording is a list of items, and no object holds it."""
OF_CASES = {"native", "bfcl"}
"""A row is a case, and `id` is the field that names it."""
UNDER = {
    **dict.fromkeys(("anthropic_stream", "bedrock_converse_stream"), "events"),
    "openai_chat_stream": "chunks",
    "google_adk_legacy": "data",
}
WIRE = [name for name in list_formats() if not FORMATS.get(name).declaration.text]
HELD = [name for name in WIRE if name not in SEVERAL | BY_ITEM]


def held(name: str, seed: int = 0) -> dict[str, Any]:
    """A recording as an object, without an id."""
    made = ALL[name](story(seed, "small"))
    if isinstance(made, list):
        made = {UNDER.get(name, "messages"): made}
    made = made["simulations"][0] if name == "tau2" else made
    # An id of the format's own for the very same thing would say something else.
    return {key: value for key, value in made.items() if key != "id" or name == "bfcl"}


def ids(lines: list[dict[str, Any]]) -> list[str | None]:
    data = b"\n".join(json.dumps(line).encode() for line in lines)
    found = [trace.id for trace in traces_of(data)]
    with the_long_way():
        assert [trace.id for trace in traces_of(data)] == found
    return found


def test_every_format_is_looked_at() -> None:
    assert set(WIRE) == set(HELD) | SEVERAL | BY_ITEM
    assert set(HELD) <= set(ALL)


@pytest.mark.parametrize("name", HELD)
@pytest.mark.parametrize("key", ["id", "case_id", "custom_id"])
def test_an_id_beside_a_recording_is_its_id(name: str, key: str) -> None:
    if name in OF_CASES and key != "id":
        pytest.skip("a case's own field is `id`")
    lines = [held(name, seed) | {key: f"c{seed}"} for seed in range(4)]
    assert ids(lines) == ["c0", "c1", "c2", "c3"]
    assert ids(lines[:1]) == ["c0"]
    assert ids([{key: line[key]} | line for line in lines]) == ["c0", "c1", "c2", "c3"]


@pytest.mark.parametrize("name", [name for name in HELD if name != "bfcl"])
def test_a_number_is_an_id_too(name: str) -> None:
    assert ids([held(name, seed) | {"id": seed + 1} for seed in range(3)]) == ["1", "2", "3"]


@pytest.mark.parametrize("name", [name for name in HELD if name not in OF_CASES])
def test_an_id_of_the_case_goes_before_any_other(name: str) -> None:
    lines = [held(name, seed) | {"id": f"other{seed}", "case_id": f"c{seed}"} for seed in range(3)]
    assert ids(lines) == ["c0", "c1", "c2"]


@pytest.mark.parametrize("name", [name for name in HELD if name not in OF_CASES])
def test_another_id_is_another_recording_however_it_begins(name: str) -> None:
    """A data set turn by turn: each row holds the history of the one before, and is a case of its own."""
    whole = held(name)
    holder = whole["values"] if name == "langgraph" else whole
    key = max(
        (key for key, value in holder.items() if isinstance(value, list)), key=lambda key: len(holder[key])
    )
    rows = []
    for size in (4, len(holder[key])):
        part = holder | {key: holder[key][:size]}
        rows.append((whole | {"values": part} if name == "langgraph" else part) | {"case_id": f"c{size}"})
    assert ids([*rows, *rows]) == [row["case_id"] for row in [*rows, *rows]]


PAIRS: dict[str, dict[str, Any]] = {
    "anthropic": {
        "request": {"messages": [{"role": "user", "content": "Oslo?"}]},
        "response": {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "stop_reason": "tool_use",
            "content": [{"type": "tool_use", "id": "t", "name": "find", "input": {}}],
        },
    },
    "bedrock_converse": {
        "request": {"messages": [{"role": "user", "content": [{"text": "Oslo?"}]}]},
        "response": {
            "output": {
                "message": {
                    "role": "assistant",
                    "content": [{"toolUse": {"toolUseId": "t", "name": "find", "input": {}}}],
                }
            }
        },
    },
    "gemini": {
        "request": {"contents": [{"role": "user", "parts": [{"text": "Oslo?"}]}]},
        "response": {
            "responseId": "r",
            "candidates": [
                {"content": {"role": "model", "parts": [{"functionCall": {"name": "find", "args": {}}}]}}
            ],
        },
    },
    "openai_chat": {
        "request": {"messages": [{"role": "user", "content": "Oslo?"}]},
        "response": {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "choices": [
                {
                    "message": {
                        "role": "assistant",
                        "tool_calls": [
                            {"id": "t", "type": "function", "function": {"name": "find", "arguments": "{}"}}
                        ],
                    }
                }
            ],
        },
    },
    "openai_responses": {
        "request": {"input": "Oslo?"},
        "response": {
            "id": "resp_1",
            "object": "response",
            "output": [{"type": "function_call", "call_id": "t", "name": "find", "arguments": "{}"}],
        },
    },
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("key", ["id", "case_id", "custom_id"])
def test_an_id_beside_a_request_and_its_response_is_the_recordings(name: str, key: str) -> None:
    found = traces_of(json.dumps(PAIRS[name] | {key: "c0"}).encode())
    assert [(trace.id, trace.format, len(trace.calls or ())) for trace in found] == [("c0", name, 1)]


def test_the_line_of_a_batch_of_gemini_has_a_key() -> None:
    for line in (PAIRS["gemini"], {"response": PAIRS["gemini"]["response"]}):
        assert traces_of(json.dumps({"key": "c0"} | line).encode())[0].id == "c0"


def test_the_id_of_a_message_is_not_a_recordings() -> None:
    """So it is of Anthropic's responses and of OpenAI's messages; the messages of one list stay one recording."""
    anthropic = PAIRS["anthropic"]["response"]
    assert [trace.id for trace in traces_of(json.dumps(anthropic).encode())] == [None]
    item = {"type": "function_call", "id": "fc_1", "call_id": "t", "name": "find", "arguments": "{}"}
    assert [trace.id for trace in traces_of(json.dumps([item]).encode())] == [None]


def test_a_message_with_a_custom_id_keeps_its_calls() -> None:
    line = {"custom_id": "c0", "role": "assistant", "content": PAIRS["anthropic"]["response"]["content"]}
    assert [len(trace.calls or ()) for trace in traces_of(json.dumps(line).encode())] == [1]


def test_the_id_of_a_checkpoint_is_that_of_one_state_of_many() -> None:
    state = {"messages": ALL["langgraph"](story(0, "small"))["values"]["messages"]}
    line = {"id": "1ef", "v": 1, "channel_values": state}
    assert [trace.id for trace in traces_of(json.dumps(line).encode())] == [None]


@pytest.mark.parametrize("odd", [None, "", True, 1.5, [], {}])
def test_what_is_no_id_is_passed_over(odd: object) -> None:
    for name in ("anthropic", "gemini", "bedrock_converse", "langchain", "vercel_steps"):
        assert ids([held(name, seed) | {"id": odd} for seed in range(2)]) == [None, None]


@pytest.mark.parametrize("name", [name for name in list_formats() if FORMATS.get(name).declaration.text])
@pytest.mark.parametrize("key", ["id", "case_id", "custom_id"])
def test_an_id_beside_what_a_model_wrote_is_the_recordings(name: str, key: str) -> None:
    text = FORMATS.get(name).declaration.example
    said = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": text}]}
    turns = {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": text}]}
    for held in (said, turns):
        lines = [json.dumps({key: f"c{number}"} | held).encode() for number in range(3)]
        assert [trace.id for trace in traces_of(b"\n".join(lines), name)] == ["c0", "c1", "c2"]
