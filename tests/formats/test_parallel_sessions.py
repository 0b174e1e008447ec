"""Logs of requests in which several sessions lie between each other: each call once, in its own session's recording."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from rightcall import read_all
from tests.every.test_in_one_go import both_ways

Message = dict[str, Any]


def session(asked: str, name: str, *, steps: int = 2, ids: bool = True) -> list[Message]:
    """What one agent said and heard: calls with ids, or as Ollama writes them, without."""
    told: list[Message] = [{"role": "system", "content": "help"}, {"role": "user", "content": asked}]
    for step in range(steps):
        arguments = {"of": name, "step": step}
        function = {"name": "f", "arguments": json.dumps(arguments) if ids else arguments}
        call = {"function": function} | ({"id": f"{name}{step}", "type": "function"} if ids else {})
        told.append({"role": "assistant", "content": "", "tool_calls": [call]})
        told.append(
            {"role": "tool", "content": "ok"}
            | ({"tool_call_id": f"{name}{step}"} if ids else {"tool_name": "f"})
        )
    return [*told, {"role": "assistant", "content": f"done by {name}"}]


def snapshots(told: list[Message]) -> list[Any]:
    """The messages as they grow."""
    return [{"messages": told[:size]} for size in range(2, len(told) + 1)]


def requests(told: list[Message]) -> list[Any]:
    """Each request with its history, and the response beside it."""
    return [
        {
            "request": {"model": "m", "messages": told[:at]},
            "response": {"object": "chat.completion", "choices": [{"message": message}]},
        }
        for at, message in enumerate(told)
        if message["role"] == "assistant"
    ]


def pieces(told: list[Message]) -> list[Any]:
    """As Ollama answers."""
    return [
        {"request": {"messages": told[:at]}, "response": {"message": message, "done": True}}
        for at, message in enumerate(told)
        if message["role"] == "assistant"
    ]


def between(logs: list[list[Any]], seed: int) -> list[Any]:
    """The lines of several logs, each in its own order, dealt out at random; 0 takes turns."""
    chance = random.Random(seed)  # noqa: S311
    left = [list(log) for log in logs]
    lines: list[Any] = []
    while any(left):
        held = [log for log in left if log]
        if seed == 0:
            lines += [log.pop(0) for log in held]
        else:
            lines.append(chance.choice(held).pop(0))
    return lines


def who_made_what(lines: list[Any]) -> list[list[str]]:
    """Of each recording the calls, as whose they are and the step, and the last text."""
    read = read_all("\n".join(map(json.dumps, lines)).encode())
    return sorted(
        [f"{(call.arguments or {})['of']}{(call.arguments or {})['step']}" for call in trace.calls or ()]
        + [trace.text or ""]
        for trace in read
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("same", [True, False], ids=["same-words", "other-words"])
@pytest.mark.parametrize("written", [snapshots, requests, pieces])
def test_parallel_sessions_stay_apart(written: Any, same: bool, seed: int) -> None:
    names = ("a", "b", "c")
    told = [session("q" if same else f"q {name}", name, ids=written is not pieces) for name in names]
    lines = between([written(each) for each in told], seed)
    expected = [[f"{name}0", f"{name}1", f"done by {name}"] for name in names]
    assert who_made_what(lines) == expected
    both_ways(lines)


def test_one_session_after_the_other_is_two_recordings_though_they_begin_alike() -> None:
    told = [session("q", name) for name in ("a", "b")]
    lines = [line for each in told for line in requests(each)]
    assert who_made_what(lines) == [["a0", "a1", "done by a"], ["b0", "b1", "done by b"]]


def test_the_same_request_twice_is_two_trials() -> None:
    first = requests(session("q", "a"))[0]
    assert who_made_what([first, first]) == [["a0", ""], ["a0", ""]]


def test_a_request_that_goes_on_with_another_answer_is_another_recording() -> None:
    first = requests(session("q", "a"))[0]
    other = requests(session("q", "b"))[1]
    assert who_made_what([first, other]) == [["a0", ""], ["b0", "b1", ""]]


def test_a_document_goes_on_with_the_longest_that_it_begins_with() -> None:
    told = session("q", "a")
    short, long, whole = ({"messages": told[:size]} for size in (2, 4, 7))
    assert len(read_all("\n".join(map(json.dumps, [long, short, whole])).encode())) == 2
    both_ways([long, short, whole])


def test_ids_keep_documents_apart_wherever_they_stand() -> None:
    told = session("q", "a")
    lines = [{"id": f"row {size}", "messages": told[:size]} for size in (3, 5, 7)]
    assert len(read_all("\n".join(map(json.dumps, lines)).encode())) == 3


def test_many_open_sessions_are_followed() -> None:
    told = [session(f"q {number}", str(number), steps=1) for number in range(200)]
    lines = [line for step in zip(*map(requests, told), strict=True) for line in step]
    assert len(who_made_what(lines)) == 200


def test_what_is_open_is_bounded() -> None:
    from rightcall.core.reading.conversation import Conversation
    from rightcall.core.reading.opendocs import OpenDocuments

    found = OpenDocuments()
    for number in range(1000):
        found.add([{"role": "user", "content": str(number)}], Conversation())
        if number % 3 == 0:
            found.take([{"role": "user", "content": "other"}] * 2, None, thread=False)
    assert len(found._all) <= 512
    assert sum(map(len, found._by_key.values())) + len(found._unmarked) == len(found._all)
    assert sum(found._lengths.values()) == len(found._all)
    assert (
        found.take([{"role": "user", "content": "999"}, {"role": "assistant"}], None, thread=False)
        is not None
    )


@pytest.mark.parametrize("written", [snapshots, requests, pieces])
def test_many_trials_of_one_prompt_are_followed(written: Any) -> None:
    told = [session("q", f"n{number}", steps=1, ids=written is not pieces) for number in range(60)]
    lines = between([written(each) for each in told], 0)
    assert who_made_what(lines) == sorted([f"n{number}0", f"done by n{number}"] for number in range(60))


@pytest.mark.parametrize("seed", range(4))
def test_sessions_of_several_formats_stay_apart(seed: int) -> None:
    texts = [{"role": "user", "content": "q"}]
    for step in range(2):
        call = json.dumps({"name": "f", "arguments": {"of": "t", "step": step}})
        texts += [
            {"role": "assistant", "content": f"<tool_call>{call}</tool_call>"},
            {"role": "tool", "content": "ok"},
        ]
    texts.append({"role": "assistant", "content": "done by t"})
    logs = [requests(session("q a", "a")), requests(texts), pieces(session("q o", "o", ids=False))]
    lines = between(logs, seed)
    assert who_made_what(lines) == [[f"{name}0", f"{name}1", f"done by {name}"] for name in ("a", "o", "t")]
    both_ways(lines)
