"""Text that merely mentions a call is no call (contract 3): not a user's, nor the agent's beside real calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import read_all
from tests.every.test_in_one_go import both_ways

TAG = '<tool_call>{"name": "x", "arguments": {}}</tool_call>'
USER = {"role": "user", "content": "q"}
QUOTE = {"role": "assistant", "content": f"docs: {TAG}"}
ARGUMENTS = '{"a": 1}'
CALLED: dict[str, list[Any]] = {
    "openai_chat": [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "f", "arguments": ARGUMENTS}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "ok"},
    ],
    "openai_function_call": [
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": ARGUMENTS}},
        {"role": "function", "name": "f", "content": "ok"},
    ],
    "anthropic": [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]},
    ],
    "ollama": [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}],
        },
        {"role": "tool", "tool_name": "f", "content": "ok"},
    ],
    "mistral": [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "abcdefghi", "function": {"name": "f", "arguments": {"a": 1}}}],
        },
        {"role": "tool", "tool_call_id": "abcdefghi", "name": "f", "content": "ok"},
    ],
    "cohere": [
        {
            "role": "assistant",
            "tool_plan": "I look.",
            "tool_calls": [
                {"id": "f_1", "type": "function", "function": {"name": "f", "arguments": ARGUMENTS}}
            ],
        },
        {
            "role": "tool",
            "tool_call_id": "f_1",
            "content": [{"type": "document", "document": {"data": "ok"}}],
        },
    ],
    "vercel_messages": [
        {
            "role": "assistant",
            "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "f", "input": {"a": 1}}],
        },
        {
            "role": "tool",
            "content": [
                {
                    "type": "tool-result",
                    "toolCallId": "c1",
                    "toolName": "f",
                    "output": {"type": "text", "value": "ok"},
                }
            ],
        },
    ],
    "openai_responses": [
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": ARGUMENTS},
        {"type": "function_call_output", "call_id": "c1", "output": "ok"},
    ],
}


def read_in(items: list[Any], how: str) -> list[tuple[str | None, list[str]]]:
    """Format and names of the calls of each recording: of a list, of JSON Lines, or of messages in an object."""
    held = {"list": json.dumps(items), "object": json.dumps({"messages": items})}
    data = held.get(how) or "\n".join(map(json.dumps, items))
    return [(trace.format, [call.name for call in trace.calls or ()]) for trace in read_all(data.encode())]


@pytest.mark.parametrize("how", ["list", "lines", "object"])
@pytest.mark.parametrize("name", CALLED)
def test_a_text_beside_real_calls_mentions_calls(name: str, how: str) -> None:
    if (name, how) == ("openai_responses", "object"):
        return  # its items stand under `input` or `output`
    call, answer = CALLED[name]
    again = {"role": "user", "content": "go on"}
    for items in (
        [USER, call, answer, QUOTE],
        [USER, QUOTE, again, call, answer],
        [USER, call, answer, QUOTE, again, QUOTE],
        [QUOTE, call, answer],
    ):
        assert read_in(items, how) == [(name, ["f"])]
        both_ways(items)


@pytest.mark.parametrize("how", ["list", "lines", "object"])
def test_a_conversation_of_text_calls_alone_is_read_as_such(how: str) -> None:
    items = [USER, {"role": "assistant", "content": TAG}, {"role": "tool", "content": "ok"}, QUOTE]
    assert read_in(items, how) == [("hermes", ["x", "x"])]
    both_ways(items)


def test_documents_of_text_calls_and_of_real_calls_stay_apart() -> None:
    call, answer = CALLED["openai_chat"]
    texts = {"messages": [USER, QUOTE]}
    real = {"messages": [{"role": "user", "content": "other"}, call, answer]}
    for lines in ([texts, real, texts], [real, texts, real]):
        read = read_in(lines, "lines")
        assert read == [("hermes", ["x"]) if line is texts else ("openai_chat", ["f"]) for line in lines]
        both_ways(lines)


@pytest.mark.parametrize("how", ["list", "lines", "object"])
def test_no_text_of_langchain_messages_is_a_call(how: str) -> None:
    evil = [{"type": "human", "content": TAG}, {"type": "ai", "content": "no"}]
    quoted = [{"type": "human", "content": "q"}, {"type": "ai", "content": TAG}]
    for items in (evil, quoted, quoted[1:]):
        assert read_in(items, how) == [("langgraph", [])]
        both_ways(items)


def test_what_a_langchain_user_says_is_kept_as_the_input() -> None:
    items = [{"type": "human", "content": TAG}, {"type": "ai", "content": "no"}]
    (trace,) = read_all(json.dumps({"messages": items}).encode())
    assert trace.turns[0].input == TAG
    assert trace.text == "no"
