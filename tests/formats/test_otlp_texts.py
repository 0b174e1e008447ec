"""Texts of OTLP attributes stay as they were recorded until somebody asks for them; nothing is lost by that."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rightcall
from rightcall.errors import CallError


def _span(number: int, **fields: Any) -> dict[str, Any]:
    listed = [{"key": key, "value": value} for key, value in fields.items()]
    return {"traceId": "a" * 32, "spanId": f"{number:016x}", "name": "s", "attributes": listed}


def _request(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": [*spans]}]}]}


def _text(value: Any) -> dict[str, Any]:
    return {"stringValue": value}


def _run(name: Any, result: Any) -> dict[str, Any]:
    return _span(1, **{
        "gen_ai.operation.name": _text("execute_tool"),
        "gen_ai.tool.name": _text(name),
        "gen_ai.tool.call.arguments": _text('{"city": "Oslo"}'),
        "gen_ai.tool.call.result": _text(result),
    })  # fmt: skip


def _chat(number: int, told: list[Any], said: list[Any]) -> dict[str, Any]:
    return _span(number, **{
        "gen_ai.operation.name": _text("chat"),
        "gen_ai.input.messages": _text(json.dumps(told)),
        "gen_ai.output.messages": _text(json.dumps(said)),
    })  # fmt: skip


def test_an_answer_is_the_text_that_its_escapes_stand_for() -> None:
    trace = rightcall.read(json.dumps(_request(_run("find", 'a "quoted"\nÄ \U0001f600'))).encode())
    assert [call.output for call in trace.calls or ()] == ['a "quoted"\nÄ \U0001f600']


def test_an_answer_that_is_null_is_none() -> None:
    trace = rightcall.read(json.dumps(_request(_run("find", None))).encode())
    assert [call.output for call in trace.calls or ()] == [None]


@pytest.mark.parametrize("odd", [5, ["find"], {"a": 1}, True])
def test_a_text_of_another_kind_is_told_with_its_place(odd: Any) -> None:
    with pytest.raises(CallError, match="not a text") as raised:
        rightcall.read(json.dumps(_request(_run(odd, "x"))).encode())
    assert "gen_ai.tool.name" in str(raised.value.field)


def test_a_history_with_escapes_goes_on_where_the_request_before_ended() -> None:
    asked = {"role": "user", "parts": [{"type": "text", "content": 'How "warm"],\n is it?\\'}]}
    call = {"type": "tool_call", "id": "c", "name": "find", "arguments": {"text": 'x"]\\'}}
    made = {"role": "assistant", "parts": [call]}
    answer = {
        "role": "tool",
        "parts": [{"type": "tool_call_response", "id": "c", "response": '7 "degrees"'}],
    }
    more = {"role": "user", "parts": [{"type": "text", "content": "And Bergen?"}]}
    end = {"role": "assistant", "parts": [{"type": "text", "content": "8"}]}
    spans = (_chat(1, [asked], [made]), _chat(2, [asked, made, answer, more], [end]))
    trace = rightcall.read(json.dumps(_request(*spans)).encode())
    assert [(c.arguments, c.output, c.turn) for c in trace.calls or ()] == [
        ({"text": 'x"]\\'}, '7 "degrees"', 0)
    ]
    assert [turn.input for turn in trace.turns] == ['How "warm"],\n is it?\\', "And Bergen?"]


def test_spans_under_the_name_of_old_libraries_are_read_beside_new_ones() -> None:
    old = {"instrumentationLibrarySpans": [{"spans": [_run("find", "x")]}], "scopeSpans": []}
    line = json.dumps({"resourceSpans": [old]})
    other = line.replace('"spanId": "', '"spanId": "9')  # the same span again would be the same call
    assert other != line
    trace = rightcall.read(f"{line}\n{other}\n".encode())
    assert [call.name for call in trace.calls or ()] == ["find", "find"]
