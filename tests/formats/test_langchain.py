"""LangChain's messages: `messages_to_dict`, `dumpd`, `model_dump`, LangGraph's states, and Ragas, which borrows them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from rightcall import CallError, Trace, read
from rightcall.core.arguments import read_arguments
from rightcall.run.intake.traces import traces_of

CALL = {"name": "book", "args": {"seat": "4A"}, "id": "c1", "type": "tool_call"}
SENT = {"id": "c1", "type": "function", "function": {"name": "book", "arguments": '{"seat": "4A"}'}}
BLOCK = {"type": "tool_use", "id": "c1", "name": "book", "input": {"seat": "4A"}}


def ai(**fields: Any) -> dict[str, Any]:
    return {"type": "ai", "content": "", "id": None, **fields}


def human(text: str = "Book 4A", **fields: Any) -> dict[str, Any]:
    return {"type": "human", "content": text, **fields}


def written(message: dict[str, Any], style: str) -> dict[str, Any]:
    """A flat message as each of the three ways of dumping writes it."""
    if style == "langchain":
        return {"type": message["type"], "data": message}
    if style == "langchain_dumpd":
        name = {"ai": "AIMessage", "human": "HumanMessage", "tool": "ToolMessage"}[message["type"]]
        return {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "messages", name],
            "kwargs": message,
        }
    return message


def told(trace: Trace) -> list[tuple[Any, ...]]:
    return [(call.name, call.arguments, call.id) for call in trace.calls or ()]


STYLES = ["langchain", "langchain_dumpd", "langgraph"]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "fields",
    [
        {"tool_calls": [CALL]},
        {"tool_calls": [CALL], "additional_kwargs": {"tool_calls": [SENT]}},
        {"tool_calls": [CALL], "additional_kwargs": {"tool_calls": [SENT]}, "content": [BLOCK]},
        {"tool_calls": [], "additional_kwargs": {"tool_calls": [SENT]}},
        {"additional_kwargs": {"tool_calls": [SENT]}, "content": [BLOCK]},
        {"tool_calls": None, "content": [{"type": "text", "text": "Booking."}, BLOCK]},
        {"content": [{"type": "tool_call", "id": "c1", "name": "book", "args": {"seat": "4A"}}]},
    ],
)
def test_a_call_that_is_written_up_to_three_times_is_one(style: str, fields: dict[str, Any]) -> None:
    message = written(ai(**fields), style)
    for source in (message, [message], {"messages": [message]}, json.dumps([message]).encode()):
        trace = read(source)
        assert trace.format == style
        assert told(trace) == [("book", {"seat": "4A"}, "c1")]


def without_id(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key != "id"}


def test_without_ids_too_a_call_is_read_from_one_place() -> None:
    call, sent, block = map(without_id, (CALL, SENT, BLOCK))
    for fields in (
        {"tool_calls": [call], "additional_kwargs": {"tool_calls": [sent]}},
        {"tool_calls": [call], "content": [block]},
        {"additional_kwargs": {"tool_calls": [sent]}, "content": [block]},
    ):
        assert told(read([ai(**fields)])) == [("book", {"seat": "4A"}, None)]


def test_the_oldest_form_is_one_function_call_without_an_id() -> None:
    trace = read([ai(additional_kwargs={"function_call": {"name": "book", "arguments": '{"seat": "4A"}'}})])
    assert told(trace) == [("book", {"seat": "4A"}, None)]


@pytest.mark.parametrize("style", STYLES)
def test_an_invalid_call_stays_a_call_with_unreadable_arguments(style: str) -> None:
    bad = {
        "name": "book",
        "args": '{"seat": "4',
        "id": "c2",
        "error": "not JSON",
        "type": "invalid_tool_call",
    }
    trace = read([written(ai(tool_calls=[CALL], invalid_tool_calls=[bad]), style)])
    assert trace.calls
    first, second = trace.calls
    assert (first.name, first.id, second.name, second.id) == ("book", "c1", "book", "c2")
    assert second.arguments is None
    assert read_arguments(second.raw).problem
    assert second.error == "not JSON"
    assert first.group == second.group is not None


@pytest.mark.parametrize("style", STYLES)
def test_a_tool_message_answers_by_id_and_tells_its_status(style: str) -> None:
    other = {"name": "book", "args": {"seat": "4B"}, "id": "c2"}
    messages = [
        human(),
        ai(tool_calls=[CALL, other]),
        {"type": "tool", "content": "taken", "tool_call_id": "c2", "status": "error"},
        {"type": "tool", "content": [{"type": "text", "text": '{"ok":'}, {"type": "text", "text": " 1}"}]}
        | {"tool_call_id": "c1", "status": "success"},
        ai(content="4A it is."),
    ]
    trace = read([written(message, style) for message in messages])
    assert [(call.output, call.failed, call.turn) for call in trace.calls or ()] == [
        ('{"ok": 1}', False, 0),
        ("taken", True, 0),
    ]
    assert trace.text == "4A it is."
    assert [turn.input for turn in trace.turns] == ["Book 4A"]
    assert trace.warnings == ()


@pytest.mark.parametrize("style", STYLES)
def test_a_call_without_a_name_is_an_error_with_its_place(style: str) -> None:
    entry = {"args": {"seat": "4A"}, "id": "c1"}
    with pytest.raises(CallError) as caught:
        read([written(ai(tool_calls=[CALL, entry]), style)])
    assert caught.value.field is not None
    assert caught.value.field.endswith("tool_calls[1]")


@pytest.mark.parametrize("style", STYLES)
def test_misspelled_arguments_are_an_error_not_no_arguments(style: str) -> None:
    entry = {"name": "book", "argumnets": {"seat": "4A"}, "id": "c1"}
    with pytest.raises(CallError, match="argumnets"):
        read(json.dumps([written(ai(tool_calls=[entry]), style)]).encode())
    with pytest.raises(CallError, match="argumnets"):
        read([written(ai(tool_calls=[entry]), style)])


def test_a_call_without_arguments_is_one_with_none() -> None:
    trace = read([ai(tool_calls=[{"name": "a", "id": "1"}, {"name": "b", "args": None, "id": "2"}])])
    assert told(trace) == [("a", {}, "1"), ("b", {}, "2")]


def test_a_tool_that_the_provider_runs_is_a_call_with_its_result() -> None:
    blocks = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "seats"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"type": "hit", "url": "u"}]},
    ]
    trace = read([ai(content=blocks, tool_calls=[CALL])])
    assert told(trace) == [("book", {"seat": "4A"}, "c1"), ("web_search", {"query": "seats"}, "s1")]
    assert (trace.calls or ())[1].output == [{"type": "hit", "url": "u"}]


def chunk(id: str | None, text: Any, *fragments: tuple[Any, ...]) -> dict[str, Any]:
    names = ("name", "args", "id", "index")
    return {
        "type": "AIMessageChunk",
        "content": text,
        "id": id,
        "tool_calls": [],
        "invalid_tool_calls": [],
        "tool_call_chunks": [dict(zip(names, fragment, strict=True)) for fragment in fragments],
    }


def test_the_chunks_of_a_streamed_message_are_joined_by_index() -> None:
    trace = read(
        [
            human(),
            chunk("m1", "Bo", ("book", '{"se', "c1", 0), ("pay", "", "c2", 1)),
            chunk("m1", "oking", (None, '{"sum": 3}', None, 1), (None, 'at": "4A"}', None, 0)),
            chunk("m1", ""),
            chunk("m2", "", ("log", "{}", "c3", 0)),
        ]
    )
    assert told(trace) == [("book", {"seat": "4A"}, "c1"), ("pay", {"sum": 3}, "c2"), ("log", {}, "c3")]
    assert [call.group for call in trace.calls or ()] == ["message 1", "message 1", None]
    assert trace.text == "Booking"


def test_a_name_after_complete_arguments_begins_another_call() -> None:
    trace = read([chunk("m1", "", ("book", "{}", None, 0)), chunk("m1", "", ("pay", '{"sum": 3}', None, 0))])
    assert told(trace) == [("book", {}, None), ("pay", {"sum": 3}, None)]


def test_a_whole_chunk_is_read_like_a_message() -> None:
    whole = chunk("m1", "", ("book", '{"seat": "4A"}', "c1", 0)) | {"tool_calls": [CALL]}
    assert told(read([whole])) == [("book", {"seat": "4A"}, "c1")]


PIECES: list[list[tuple[Any, ...]]] = [
    [("book", "", "c1", 0)],
    [(None, '{"se', None, 0), ("pay", "", "c2", 1)],
    [(None, '{"sum": 3}', None, 1), (None, 'at": "4A"}', None, 0)],
]
JOINED = [("book", {"seat": "4A"}, "c1"), ("pay", {"sum": 3}, "c2")]


def pieces(id: str | None, **fields: Any) -> list[dict[str, Any]]:
    return [chunk(id, "", *fragments) | fields for fragments in PIECES]


@pytest.mark.parametrize("id", ["m1", None])
@pytest.mark.parametrize("fields", [{}, {"tool_calls": []}, {"tool_calls": None, "invalid_tool_calls": []}])
@pytest.mark.parametrize("form", ["flat", "to_dict", "dumped", "role"])
def test_chunks_without_tool_calls_are_joined_in_every_form(id: str | None, fields: Any, form: str) -> None:
    answer = {"type": "tool", "content": "ok", "tool_call_id": "c1"}
    messages = [human(), *pieces(id, **fields), answer]
    if form == "to_dict":
        messages = [{"type": message["type"], "data": message} for message in messages]
    elif form == "dumped":
        names = {"human": "HumanMessage", "tool": "ToolMessage"}
        messages = [
            {"lc": 1, "type": "constructor", "kwargs": message}
            | {"id": ["langchain", "schema", names.get(message["type"], message["type"])]}
            for message in messages
        ]
    elif form == "role":
        messages = [messages[0], *pieces(id, type="ai", **fields), answer]
    for source in (messages, json.dumps(messages).encode(), "\n".join(map(json.dumps, messages)).encode()):
        trace = read(source)
        assert told(trace) == JOINED
        assert [call.output for call in trace.calls or ()] == ["ok", None]
        assert trace.warnings == ()


def test_chunks_whose_tool_calls_are_guessed_from_the_pieces_are_joined_all_the_same() -> None:
    # LangChain itself fills `tool_calls` of each chunk with what it makes of the piece.
    guessed = [{"name": "book", "args": {}, "id": "c1", "type": "tool_call"}]
    odd = [{"name": None, "args": '{"se', "id": None, "error": None, "type": "invalid_tool_call"}]
    first, second, third = pieces(None)
    messages = [first | {"tool_calls": guessed}, second | {"invalid_tool_calls": odd}, third]
    assert told(read(messages)) == JOINED


def test_a_chunk_with_tool_calls_alone_keeps_them() -> None:
    for own in ("m1", None):
        whole = chunk(own, "") | {"tool_calls": [CALL]}
        assert told(read([human(), whole])) == [("book", {"seat": "4A"}, "c1")]
        assert told(read([human(), chunk(own, "Boo"), whole])) == [("book", {"seat": "4A"}, "c1")]


@pytest.mark.parametrize(
    "end", [{"chunk_position": "last"}, {"response_metadata": {"finish_reason": "tool_calls"}}]
)
def test_streams_without_ids_of_messages_end_where_they_say_so(end: dict[str, Any]) -> None:
    stream = [*pieces(None), chunk(None, "") | end]
    trace = read([human(), *stream, *stream])
    assert told(trace) == [*JOINED, *JOINED]
    assert [call.group for call in trace.calls or ()] == ["message 1"] * 2 + ["message 2"] * 2


def test_chunks_among_content_blocks_are_joined() -> None:
    names = ("name", "args", "id", "index")
    messages = [
        chunk("m1", [{"type": "tool_call_chunk", **dict(zip(names, one, strict=True))} for one in fragments])
        for fragments in PIECES
    ]
    assert told(read(messages)) == JOINED


def test_a_stream_of_chunks_that_breaks_off_is_told() -> None:
    trace = read([human(), *pieces(None)[:2]])
    assert [call.name for call in trace.calls or ()] == ["book", "pay"]
    assert any("the stream ends inside a call of 'book'" in warning for warning in trace.warnings)


def state(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"values": {"messages": list(messages)}, "next": [], **fields}


def test_states_of_one_thread_tell_each_call_once_in_either_order() -> None:
    first = [human(id="h1"), ai(id="a1", tool_calls=[CALL])]
    again = {"name": "book", "args": {"seat": "9C"}, "id": "c9"}
    second = [*first, human("And 9C", id="h2"), ai(id="a2", tool_calls=[again])]
    thread = {"config": {"configurable": {"thread_id": "t-7"}}}
    states = [state(*first, **thread), state(*second, **thread)]
    for order in (states, states[::-1], [*states, states[-1]]):
        (trace,) = traces_of(order)
        assert trace.id == "t-7"
        assert told(trace) == [("book", {"seat": "4A"}, "c1"), ("book", {"seat": "9C"}, "c9")]
        assert [call.turn for call in trace.calls or ()] == [0, 1]
        assert trace.warnings == ()


def test_messages_without_ids_may_be_alike_by_chance() -> None:
    messages = [human(), ai(tool_calls=[CALL])]
    assert len(traces_of(json.dumps([state(*messages), state(*messages)]).encode())) == 2


def test_messages_alike_in_two_threads_are_two_recordings() -> None:
    messages = [human(id="h1"), ai(tool_calls=[CALL])]
    lines = b"\n".join(
        json.dumps(state(*messages, checkpoint={"thread_id": name})).encode() for name in ("t1", "t2")
    )
    assert [(trace.id, len(trace.calls or ())) for trace in traces_of(lines)] == [("t1", 1), ("t2", 1)]


def test_a_thread_that_begins_like_another_is_not_its_end() -> None:
    short = state(human("Hi"), checkpoint={"thread_id": "t1"})
    long = state(human("Hi"), ai(tool_calls=[CALL]), checkpoint={"thread_id": "t2"})
    assert [
        (trace.id, len(trace.calls or ())) for trace in traces_of(json.dumps([short, long]).encode())
    ] == [
        ("t1", 0),
        ("t2", 1),
    ]


def test_an_unknown_type_of_message_is_an_error() -> None:
    with pytest.raises(CallError, match="robot"):
        read({"messages": [human(), {"type": "robot", "content": ""}]}, format="langgraph")


def test_tool_calls_of_another_kind_are_an_error_with_their_place() -> None:
    with pytest.raises(CallError) as caught:
        read({"messages": [human(), ai(tool_calls={"name": "book"})]})
    assert caught.value.field == "trace.messages[1].tool_calls"


@dataclass
class Message:
    """Like the SDK's own objects, which open as their fields."""

    type: str
    content: str = ""
    id: str | None = None
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    tool_call_id: str | None = None
    status: str | None = None


def test_the_sdks_own_objects_are_read_alone_and_in_a_state() -> None:
    messages = [
        Message("human", "Book 4A"),
        Message("ai", tool_calls=[CALL]),
        Message("tool", "ok", tool_call_id="c1", status="success"),
    ]
    for source in (messages, {"messages": messages}, {"values": {"messages": messages}}):
        trace = read(source)
        assert trace.format == "langgraph"
        assert told(trace) == [("book", {"seat": "4A"}, "c1")]
        assert (trace.calls or ())[0].output == "ok"


def test_a_prompt_and_a_generation_hold_messages() -> None:
    message = written(ai(tool_calls=[CALL]), "langchain_dumpd")
    prompt = {"lc": 1, "type": "constructor", "id": ["langchain", "prompts", "chat", "ChatPromptValue"]}
    generation = {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "output", "ChatGeneration"]}
    for source in (
        prompt | {"kwargs": {"messages": [message]}},
        generation | {"kwargs": {"text": "", "message": message}},
    ):
        assert told(read(source)) == [("book", {"seat": "4A"}, "c1")]


def test_reference_calls_of_ragas_were_not_made() -> None:
    sample = {
        "user_input": [human(), {"type": "ai", "content": "", "tool_calls": [{"name": "book", "args": {}}]}],
        "reference_tool_calls": [{"name": "book", "args": {"seat": "4A"}}, {"name": "pay", "args": {}}],
    }
    trace = read(sample)
    assert trace.format == "ragas"
    assert told(trace) == [("book", {}, None)]


def test_ragas_answers_in_order_and_samples_are_recordings() -> None:
    def sample(seat: str) -> dict[str, Any]:
        calls = [{"name": "book", "args": {"seat": seat}}, {"name": "book", "args": {"seat": seat}}]
        answers = [{"type": "tool", "content": text} for text in ("first", "second")]
        return {"user_input": [human(), {"type": "ai", "content": "", "tool_calls": calls}, *answers]}

    traces = traces_of(b"\n".join(json.dumps(sample(seat)).encode() for seat in ("1A", "2B")))
    assert [[call.output for call in trace.calls or ()] for trace in traces] == [["first", "second"]] * 2
    assert [call.arguments for call in traces[1].calls or ()] == [{"seat": "2B"}] * 2
