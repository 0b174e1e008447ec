"""Streams: fragments join by response and index; what the end cuts stays, and says so."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import CallError, Trace, read


def both_ways(source: Any) -> Trace:
    trace, text = read(source), read(json.dumps(source).encode())
    assert told(text) == told(trace)
    return trace


def told(trace: Trace) -> list[Any]:
    return [(call.name, call.arguments, call.id, call.group is not None) for call in trace.calls or ()]


def fragment(
    index: int | None = 0, id: str | None = None, name: str | None = None, text: Any = None
) -> dict[str, Any]:
    return {"index": index, "id": id, "function": {"name": name, "arguments": text}}


def chunk(*pieces: Any, id: str | None = "r1", finish: str | None = None, **delta: Any) -> dict[str, Any]:
    delta |= {"tool_calls": [*pieces]} if pieces else {}
    made = {
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return made if id is None else made | {"id": id}


def test_interleaved_fragments_join_by_index() -> None:
    trace = both_ways(
        [
            chunk(role="assistant", content="I look"),
            chunk(fragment(0, "a", "add", ""), fragment(1, "b", "mul", "")),
            chunk(fragment(1, None, None, '{"a"')),
            chunk(fragment(0, "", "", '{"a": ')),
            chunk(fragment(1, None, None, ": 2}"), fragment(0, None, None, "1}")),
            chunk(content=" twice."),
            chunk(finish="tool_calls"),
            {"id": "r1", "object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 5}},
        ]
    )
    assert told(trace) == [("add", {"a": 1}, "a", True), ("mul", {"a": 2}, "b", True)]
    assert (trace.text, trace.warnings, trace.format) == ("I look twice.", (), "openai_chat_stream")


def test_responses_keep_apart_by_their_id_even_when_they_interleave() -> None:
    trace = both_ways(
        [
            chunk(fragment(0, "a", "add", '{"a": '), id="r1"),
            chunk(fragment(0, "b", "mul", '{"a": '), id="r2"),
            chunk(fragment(0, None, None, "1}"), id="r1", finish="tool_calls"),
            chunk(fragment(0, None, None, "2}"), id="r2", finish="tool_calls"),
        ]
    )
    assert told(trace) == [("add", {"a": 1}, "a", False), ("mul", {"a": 2}, "b", False)]


def test_without_ids_a_response_begins_after_the_end_of_one() -> None:
    trace = both_ways(
        [
            chunk(fragment(0, None, "add", '{"a": 1}'), id=None),
            chunk(id=None, finish="tool_calls"),
            chunk(fragment(0, None, "add", '{"a": 2}'), id=None, finish="tool_calls"),
        ]
    )
    assert told(trace) == [("add", {"a": 1}, None, False), ("add", {"a": 2}, None, False)]


def test_a_server_that_makes_up_an_id_for_each_chunk() -> None:
    trace = both_ways(
        [
            chunk(fragment(0, "a", "add", ""), id="x1"),
            chunk(fragment(0, None, None, '{"a": '), id="x2"),
            chunk(fragment(0, None, None, "1}"), id="x3", finish="tool_calls"),
        ]
    )
    assert told(trace) == [("add", {"a": 1}, "a", False)]
    assert any("different ids" in warning for warning in trace.warnings)


@pytest.mark.parametrize(
    ("pieces", "wanted"),
    [
        # A new id under a used index; a name after whole arguments; names in pieces; the head told again.
        ([("a", "f", '{"p": 1}'), ("b", "f", '{"p": 2}')], [("f", {"p": 1}), ("f", {"p": 2})]),
        ([("a", "f", '{"p": 1}'), (None, "f", '{"p": 2}')], [("f", {"p": 1}), ("f", {"p": 2})]),
        ([("a", "get_", ""), (None, "time", ""), (None, None, "{}")], [("get_time", {})]),
        ([("a", "f", ""), ("a", "f", '{"p"'), ("a", "f", ": 1}")], [("f", {"p": 1})]),
        ([(None, "f", ""), ("a", None, '{"p": 1}')], [("f", {"p": 1})]),
        ([("a", "f", None), ("", "", "{}"), (None, None, "")], [("f", {})]),
        ([("a", "f", {"p": 1}), ("b", "f", {"p": 2})], [("f", {"p": 1}), ("f", {"p": 2})]),
    ],
)
@pytest.mark.parametrize("index", [0, None])
def test_where_a_call_begins(pieces: list[Any], wanted: list[Any], index: int | None) -> None:
    bare = [fragment(index, *piece) for piece in pieces]
    for source in (bare, [chunk(piece) for piece in bare] + [chunk(finish="tool_calls")]):
        assert [(name, arguments) for name, arguments, *_ in told(both_ways(source))] == wanted


def test_a_stream_that_ends_inside_a_call() -> None:
    cut = [chunk(fragment(0, "a", "add", '{"a": 1}')), chunk(fragment(1, "b", "mul", '{"a": 1, "b'))]
    for source in (cut, {"chunks": cut}, [*cut, chunk(finish="length")]):
        trace = both_ways(source)
        assert told(trace) == [("add", {"a": 1}, "a", True), ("mul", None, "b", True)]
        assert any("ends inside a call of 'mul'" in warning for warning in trace.warnings)
    nothing = both_ways([chunk(fragment(0, "a", "add", ""))])
    assert any("ends inside" in warning for warning in nothing.warnings), (
        "no arguments came, but some might have"
    )
    whole = both_ways([*cut[:1], chunk(finish="tool_calls")])
    assert whole.warnings == ()


def test_legacy_deltas() -> None:
    def piece(**call: str) -> dict[str, Any]:
        return chunk(function_call=call)

    trace = both_ways(
        [
            piece(name="add", arguments=""),
            piece(arguments='{"a"'),
            piece(arguments=": 1}"),
            chunk(finish="function_call"),
        ]
    )
    assert told(trace) == [("add", {"a": 1}, None, False)]


def test_other_choices_did_not_happen() -> None:
    other = {
        "object": "chat.completion.chunk",
        "id": "r1",
        "choices": [{"index": 1, "delta": {"tool_calls": [fragment(0, "z", "no", "{}")]}}],
    }
    trace = both_ways([chunk(fragment(0, "a", "add", "{}")), other, chunk(finish="tool_calls")])
    assert [name for name, *_ in told(trace)] == ["add"]
    assert any("several choices" in warning for warning in trace.warnings)


def test_a_fragment_that_begins_no_call_is_an_error() -> None:
    with pytest.raises(CallError) as caught:
        read([chunk(fragment(0, "a", None, '{"a": 1}'))])
    assert caught.value.field == "trace[0].choices[0].delta.tool_calls[0]"


def start(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, text: str) -> dict[str, Any]:
    return {
        "type": "content_block_delta",
        "index": index,
        "delta": {"type": "input_json_delta", "partial_json": text},
    }


def stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


BEGIN = {
    "type": "message_start",
    "message": {"id": "m", "type": "message", "role": "assistant", "content": []},
}
END = {"type": "message_stop"}


def test_anthropic_events_of_several_messages() -> None:
    use = {"type": "tool_use", "input": {}}
    events = [
        BEGIN,
        {"type": "ping"},
        start(0, type="text", text=""),
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I look"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "."}},
        stop(0),
        start(1, id="t1", name="add", **use),
        start(2, id="t2", name="now", **use),
        delta(2, ""),
        delta(1, '{"a": "caf\\u00'),
        delta(1, 'e9"}'),
        stop(2),
        stop(1),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        END,
        BEGIN,
        start(0, type="tool_use", id="t3", name="add", input={"a": 2}),
        stop(0),
        END,
    ]
    for source in (events, {"events": events}):
        trace = both_ways(source)
        assert told(trace) == [
            ("add", {"a": "café"}, "t1", True),
            ("now", {}, "t2", True),
            ("add", {"a": 2}, "t3", False),
        ]
        assert (trace.text, trace.warnings, trace.format) == ("I look.", (), "anthropic_stream")


def test_an_anthropic_stream_that_ends_inside_a_call() -> None:
    trace = both_ways([BEGIN, start(0, type="tool_use", id="t", name="add", input={}), delta(0, '{"a"')])
    assert told(trace) == [("add", None, "t", False)]
    assert any("ends inside a call of 'add'" in warning for warning in trace.warnings)


def test_anthropic_tools_that_the_provider_ran() -> None:
    result = {
        "type": "web_search_tool_result",
        "tool_use_id": "s1",
        "content": [{"type": "web_search_result", "url": "u"}],
    }
    trace = both_ways(
        [
            BEGIN,
            start(0, type="server_tool_use", id="s1", name="web_search", input={}),
            delta(0, '{"query": "x"}'),
            stop(0),
            start(1, **result),
            stop(1),
            END,
        ]
    )
    assert told(trace) == [("web_search", {"query": "x"}, "s1", False)]
    assert (trace.calls or ())[0].output == [{"type": "web_search_result", "url": "u"}]


def test_anthropic_fragments_without_a_beginning_are_an_error() -> None:
    with pytest.raises(CallError) as caught:
        read([BEGIN, delta(3, '{"a": 1}')])
    assert caught.value.field == "trace[1]"


# Bedrock ----------------------------------------------------------------------------------------------------------


def begins(index: int, id: str, name: str) -> dict[str, Any]:
    return {
        "contentBlockStart": {
            "contentBlockIndex": index,
            "start": {"toolUse": {"toolUseId": id, "name": name}},
        }
    }


def piece(index: int, text: str) -> dict[str, Any]:
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": {"toolUse": {"input": text}}}}


def words(text: str) -> dict[str, Any]:
    return {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": text}}}


def ends(index: int) -> dict[str, Any]:
    return {"contentBlockStop": {"contentBlockIndex": index}}


STARTS = {"messageStart": {"role": "assistant"}}
STOPS = {"messageStop": {"stopReason": "tool_use"}}
USED = {"metadata": {"usage": {"inputTokens": 1, "outputTokens": 2}, "metrics": {"latencyMs": 3}}}


def test_the_events_of_converse_stream_are_joined_by_block() -> None:
    events = [
        *(STARTS, words("I "), words("look."), ends(0)),
        *(begins(1, "t1", "add"), piece(1, '{"a": "ca'), begins(2, "t2", "now"), piece(1, 'fé"}')),
        *(ends(1), ends(2), STOPS, USED),
        *(STARTS, begins(0, "t3", "add"), piece(0, ""), piece(0, '{"a": 2}'), ends(0), STOPS, USED),
    ]
    for source in (events, {"stream": events}, {"events": events}):
        trace = both_ways(source)
        assert told(trace) == [
            ("add", {"a": "café"}, "t1", True),
            ("now", {}, "t2", True),
            ("add", {"a": 2}, "t3", False),
        ]
        assert (trace.text, trace.warnings, trace.format) == ("I look.", (), "bedrock_converse_stream")


@pytest.mark.parametrize("stop", [[], [{"messageStop": {"stopReason": "max_tokens"}}]])
def test_a_converse_stream_that_ends_inside_a_call(stop: list[Any]) -> None:
    trace = both_ways([STARTS, begins(0, "t", "add"), piece(0, '{"a"'), *stop])
    assert told(trace) == [("add", None, "t", False)]
    assert any("ends inside a call of 'add'" in warning for warning in trace.warnings)


def test_a_converse_stream_that_tells_an_error_says_so() -> None:
    trace = both_ways([STARTS, words("I"), {"modelStreamErrorException": {"message": "x"}}])
    assert "modelStreamErrorException" in trace.warnings[0]


def test_fragments_of_a_block_that_has_not_begun_are_an_error() -> None:
    with pytest.raises(CallError, match="block 1, which has not begun"):
        read([STARTS, begins(0, "t", "add"), piece(1, "{}")])
    start = {"start": {"toolUse": {"toolUseId": "t", "name": "add"}}}
    with pytest.raises(CallError, match="without a contentBlockIndex"):
        read([STARTS, {"contentBlockStart": start}])


def test_two_converse_streams_with_one_id_are_two_calls() -> None:
    stream = [STARTS, begins(0, "t", "add"), piece(0, "{}"), ends(0), STOPS]
    trace = both_ways([*stream, *stream])
    assert told(trace) == [("add", {}, "t", False)] * 2
    assert "used before" in trace.warnings[0]
