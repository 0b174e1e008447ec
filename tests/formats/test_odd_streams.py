"""Streams of servers that repeat themselves, begin emptily or misspell: each call once, or told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import CallError, read


def streamed(*pieces: dict[str, Any]) -> list[Any]:
    """Chunks with a piece of a call each, and the end."""
    choices: list[Any] = [{"index": 0, "delta": {"tool_calls": [{"index": 0} | piece]}} for piece in pieces]
    choices.append({"index": 0, "delta": {}, "finish_reason": "tool_calls"})
    return [{"id": "r1", "object": "chat.completion.chunk", "choices": [choice]} for choice in choices]


def piece(arguments: str | None, id: str | None = "c1", name: str | None = "f") -> dict[str, Any]:
    return {"id": id, "function": {"name": name, "arguments": arguments}}


def read_calls(chunks: list[Any]) -> list[Any]:
    listed = read(json.dumps(chunks).encode())
    lines = read("\n".join(map(json.dumps, chunks)).encode())
    found = [(call.name, call.arguments, call.id) for call in listed.calls or ()]
    assert found == [(call.name, call.arguments, call.id) for call in lines.calls or ()]
    return found


@pytest.mark.parametrize(
    "told",
    [
        ['{"a": 1}', '{"a": 1}'],  # the whole call again
        ['{"a"', '{"a": 1}'],  # all that came before, and more
        ["{", '{"a"', '{"a": 1}', '{"a": 1}'],
        ['{"a"', '{"a"', ": 1}"],  # one piece twice
        ['{"a"', ": 1}"],
        ["", '{"a": 1}', ""],
        ['{"a": 1}', "\n"],
    ],
)
@pytest.mark.parametrize("again", [("c1", "f"), ("c1", None), (None, None)])
def test_pieces_that_repeat_are_one_call(told: list[str], again: tuple[str | None, str | None]) -> None:
    chunks = streamed(piece(told[0]), *(piece(text, *again) for text in told[1:]))
    assert read_calls(chunks) == [("f", {"a": 1}, "c1")]


def test_other_arguments_after_complete_ones_are_another_call() -> None:
    chunks = streamed(piece('{"a": 1}'), piece('{"a": 2}'))
    assert read_calls(chunks) == [("f", {"a": 1}, "c1"), ("f", {"a": 2}, "c1")]
    assert "was used before" in read(json.dumps(chunks).encode()).warnings[0]


def test_a_piece_that_begins_as_those_before_it_did_is_no_repetition_where_they_join() -> None:
    chunks = streamed(piece('{"a": "'), piece('{"a": "', None, None), piece('"}', None, None))
    assert read_calls(chunks)[0][1] == {"a": ""}
    chunks = streamed(piece('{"a": ['), piece('{"a": [', None, None), piece("]}]}", None, None))
    assert read_calls(chunks)[0][1] == {"a": [{"a": []}]}


def test_a_placeholder_goes_on_with_a_call() -> None:
    assert read_calls(streamed(piece('{"a"'), piece(": 1}", "null", None))) == [("f", {"a": 1}, "c1")]


@pytest.mark.parametrize("key", ["argument", "argumnets", "paramters"])
def test_a_misspelt_key_in_a_stream_is_an_error(key: str) -> None:
    whole = {"id": "c1", "function": {"name": "f", key: '{"a": 1}'}}
    later = {"function": {key: '"a": 1}'}}
    for chunks in (streamed(whole), streamed(piece("{"), later)):
        with pytest.raises(CallError, match=f"unknown key {key}"):
            read(json.dumps(chunks).encode())


def test_another_word_for_the_arguments_is_read_in_a_stream_too() -> None:
    chunks = streamed({"id": "c1", "function": {"name": "f", "parameters": {"a": 1}}})
    assert read_calls(chunks) == [("f", {"a": 1}, "c1")]


def test_the_first_chunk_of_azure_holds_nothing() -> None:
    first = {
        "choices": [],
        "id": "",
        "object": "",
        "model": "",
        "prompt_filter_results": [{"prompt_index": 0}],
    }
    assert read_calls([first, *streamed(piece('{"a": 1}'))]) == [("f", {"a": 1}, "c1")]
