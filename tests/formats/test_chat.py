"""Formats whose messages carry `tool_calls` as OpenAI writes them: openai_chat, legacy, mistral, cohere, ollama."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from rightcall import CallError, Trace, read
from rightcall.core.reading.detection import Formats, Sorting
from rightcall.run.sets import FORMATS


def call(name: str = "add", arguments: Any = '{"a": 1}', id: str | None = "c1") -> dict[str, Any]:
    own = {} if id is None else {"id": id, "type": "function"}
    return own | {"function": {"name": name, "arguments": arguments}}


def says(*calls: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": [*calls]} | fields


def both_ways(source: Any, format: str = "auto") -> Trace:
    """The trace of a source, which its JSON text must give too."""
    trace = read(source, format=format)
    text = read(json.dumps(source).encode(), format=format)
    assert told(text) == told(trace)
    assert (text.turns, text.text, text.format) == (trace.turns, trace.text, trace.format)
    return trace


def told(trace: Trace) -> list[Any]:
    return [
        (made.name, made.arguments, made.id, made.turn, made.group, made.output, made.error)
        for made in trace.calls or ()
    ]


def separately(*items: Any) -> list[Trace]:
    """The traces of the lines of a file."""
    sorting = Sorting(Formats(FORMATS))
    for index, item in enumerate(items):
        sorting.feed(item, f"line {index + 1}")
    return sorting.traces()


@pytest.mark.parametrize("nothing", ["", "  ", "null", "{}", None, {}], ids=repr)
def test_arguments_that_are_nothing(nothing: Any) -> None:
    assert (both_ways([says(call(arguments=nothing))]).calls or ())[0].arguments == {}


def test_arguments_as_text_or_object_in_one_message() -> None:
    trace = both_ways([says(call(arguments={"a": 1}, id="c1"), call(arguments='{"a": 2}', id="c2"))])
    assert [made.arguments for made in trace.calls or ()] == [{"a": 1}, {"a": 2}]
    assert {made.group for made in trace.calls or ()} == {"message 1"}


def test_broken_arguments_stay_and_are_no_empty_ones() -> None:
    assert (both_ways([says(call(arguments="{'a': 1}"))]).calls or ())[0].arguments is None


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ({"id": "a", "type": "function", "function": None}, "tool_calls[0]"),
        ({"id": "a", "function": {"name": None, "arguments": "{}"}}, "tool_calls[0]"),
        ({"id": "a", "function": {"name": "", "arguments": "{}"}}, "tool_calls[0]"),
        ({"id": "a", "function": {"arguments": "{}"}}, "tool_calls[0]"),
        ({"id": "a", "function": {"name": 5, "arguments": "{}"}}, "tool_calls[0]"),
        ({"id": "a", "function": {"name": "f", "argument": {"a": 1}}}, "tool_calls[0]"),
        ({"id": "a", "custom": {"input": "x"}}, "tool_calls[0]"),
        ({"id": ["a"], "function": {"name": "f"}}, "tool_calls[0]"),
        (7, "tool_calls[0]"),
    ],
    ids=str,
)
def test_a_call_that_cannot_be_read_is_an_error_at_its_place(entry: Any, place: str) -> None:
    for source in ([says(entry, call())], {"messages": [{"role": "user", "content": "x"}, says(entry)]}):
        for form in (source, json.dumps(source).encode()):
            with pytest.raises(CallError) as caught:
                read(form, format="openai_chat")
            assert place in (caught.value.field or "")


def test_an_unknown_kind_of_call_is_left_out_with_a_warning() -> None:
    trace = both_ways([says({"id": "x", "type": "telepathy", "telepathy": {}}, call())])
    assert [made.name for made in trace.calls or ()] == ["add"]
    assert "telepathy" in trace.warnings[0]


def test_a_custom_tools_text_is_its_input() -> None:
    trace = both_ways([says({"id": "x", "type": "custom", "custom": {"name": "sql", "input": "select 1"}})])
    assert told(trace)[0][:3] == ("sql", {"input": "select 1"}, "x")
    assert "free text" in trace.warnings[0]


def test_results_come_by_id_in_any_order_and_keep_their_form() -> None:
    trace = both_ways(
        [
            {"role": "user", "content": "go"},
            says(call(id="c1"), call(id="c2"), call(id="c3")),
            {"role": "tool", "tool_call_id": "c2", "content": '{"x": 1}'},
            {
                "role": "tool",
                "tool_call_id": "c1",
                "content": [{"type": "text", "text": "o"}, {"type": "text", "text": "k"}],
            },
            {"role": "tool", "tool_call_id": "c3", "content": {"y": [1]}},
        ]
    )
    assert [made.output for made in trace.calls or ()] == ["ok", '{"x": 1}', {"y": [1]}]
    assert trace.warnings == ()


def test_a_log_of_requests_that_repeat_their_history_tells_each_call_once() -> None:
    first: list[Any] = [{"role": "user", "content": "go"}]
    second = [*first, says(call(id=None)), {"role": "tool", "content": "2"}]
    third = [*second, says(call(id=None)), {"role": "tool", "content": "3"}]
    for form in (
        lambda messages: {"messages": messages},
        lambda messages: json.dumps({"messages": messages}).encode(),
    ):
        log = [form(messages) for messages in (first, second, third)]
        items = [item if isinstance(item, dict) else _raw(item) for item in log]
        (trace,) = separately(*items)
        assert [made.output for made in trace.calls or ()] == ["2", "3"]
        assert trace.warnings == ()


def _raw(data: bytes) -> Any:
    import msgspec

    return msgspec.Raw(data)


def test_pairs_of_request_and_response() -> None:
    request = {"messages": [{"role": "user", "content": "go"}]}
    answer = {"id": "r1", "object": "chat.completion", "choices": [{"message": says(call())}]}
    again = {
        "messages": [
            *request["messages"],
            says(call()),
            {"role": "tool", "tool_call_id": "c1", "content": "2"},
        ]
    }
    done = {"choices": [{"message": {"role": "assistant", "content": "two"}}]}
    trace = both_ways([{"request": request, "response": answer}, {"request": again, "response": done}])
    assert told(trace) == [("add", {"a": 1}, "c1", 0, None, "2", None)]
    assert trace.text == "two"


def test_lines_of_a_batch() -> None:
    ask = {
        "custom_id": "q1",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"messages": [{"role": "user", "content": "go"}, says(call())]},
    }
    answered = {
        "id": "b1",
        "custom_id": "q2",
        "response": {
            "status_code": 200,
            "body": {"object": "chat.completion", "id": "r", "choices": [{"message": says(call("mul"))}]},
        },
        "error": None,
    }
    failed = {"id": "b2", "custom_id": "q3", "response": None, "error": {"code": "x"}}
    traces = separately(ask, answered, failed)
    assert [trace.id for trace in traces] == ["q1", "q2", "q3"]
    assert [[made.name for made in trace.calls or ()] for trace in traces] == [["add"], ["mul"], []]
    assert traces[2].calls is None  # not recorded, which is not the same as none
    assert "without a response" in (traces[2].problem or "")


def test_of_several_choices_only_the_first_happened() -> None:
    trace = both_ways(
        {"object": "chat.completion", "choices": [{"message": says(call())}, {"message": says(call("mul"))}]}
    )
    assert [made.name for made in trace.calls or ()] == ["add"]
    assert "2 choices" in trace.warnings[0]


def test_fine_tuning_lines_are_recordings_of_their_own() -> None:
    line = {
        "messages": [{"role": "user", "content": "go"}, says(call())],
        "parallel_tool_calls": False,
        "tools": [{"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}],
    }
    traces = separately(*[_raw(json.dumps(line | {"id": f"s{n}"}).encode()) for n in range(3)])
    assert [trace.id for trace in traces] == ["s0", "s1", "s2"]
    assert all(len(trace.calls or ()) == 1 and trace.tools for trace in traces)


def test_a_mention_is_no_call_and_ends_no_conversation() -> None:
    trace = both_ways(
        [
            {"role": "user", "content": "go"},
            says(call()),
            {"role": "assistant", "content": "Action: none. I won't run drop({}) for you."},
            {"role": "user", "content": "more"},
            says(call(id="c2")),
        ]
    )
    assert [made.turn for made in trace.calls or ()] == [0, 1]
    assert trace.format == "openai_chat"


@dataclass
class Function:
    name: str
    arguments: str


@dataclass
class ToolCallObject:
    id: str
    function: Function
    type: str = "function"


@dataclass
class MessageObject:
    role: str
    content: str | None
    tool_calls: list[ToolCallObject]
    function_call: None = None
    refusal: None = None


def test_objects_of_a_library_read_like_their_json() -> None:
    made = MessageObject("assistant", None, [ToolCallObject("c1", Function("add", '{"a": 1}'))])
    assert told(read([{"role": "user", "content": "go"}, made])) == [
        ("add", {"a": 1}, "c1", 0, None, None, None)
    ]

    class Response:
        def model_dump(self) -> dict[str, Any]:
            return {
                "id": "r1",
                "object": "chat.completion",
                "choices": [
                    {
                        "index": 0,
                        "message": {
                            "role": "assistant",
                            "content": None,
                            "refusal": None,
                            "annotations": None,
                            "audio": None,
                            "function_call": None,
                            "tool_calls": [call()],
                        },
                    }
                ],
            }

    trace = read(Response())
    assert (trace.id, [made.name for made in trace.calls or ()]) == ("r1", ["add"])


def test_legacy_calls_have_no_ids_and_pair_by_name() -> None:
    trace = both_ways(
        [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": None, "function_call": {"name": "add", "arguments": '{"a": 1}'}},
            {"role": "function", "name": "add", "content": "2"},
            {"role": "assistant", "content": None, "function_call": {"name": "now"}},
            {"role": "function", "name": "now", "content": "noon"},
            {"role": "assistant", "content": "done"},
        ]
    )
    assert told(trace) == [
        ("add", {"a": 1}, None, 0, None, "2", None),
        ("now", {}, None, 0, None, "noon", None),
    ]
    assert (trace.format, trace.text) == ("openai_function_call", "done")
    with pytest.raises(CallError) as caught:
        read([{"role": "assistant", "function_call": {"arguments": "{}"}}], format="openai_function_call")
    assert caught.value.field == "trace[0].function_call"


def test_mistral_mixes_texts_and_objects_and_writes_null_for_no_id() -> None:
    trace = both_ways([says(call(id="aB3dE5gH7"), call(arguments={"a": 2}, id="null"))])
    assert [(made.id, made.arguments) for made in trace.calls or ()] == [
        ("aB3dE5gH7", {"a": 1}),
        (None, {"a": 2}),
    ]
    assert trace.format == "mistral"


def test_ids_of_nine_letters_split_no_conversation_of_another_server() -> None:
    trace = both_ways(
        [
            {"role": "user", "content": "go"},
            says(call(id="call_1")),
            {"role": "user", "content": "more"},
            says(call(id="aB3dE5gH7")),
            says(call(arguments={"a": 3}, id=None)),
        ]
    )
    assert [made.turn for made in trace.calls or ()] == [0, 1, 1]
    assert trace.format == "openai_chat"


def test_ollama_pairs_by_tool_name_and_order() -> None:
    trace = both_ways(
        [
            {"role": "user", "content": "go"},
            says(
                call(arguments={"a": 1}, id=None),
                call("mul", {"a": 2}, id=None),
                call(arguments={"a": 3}, id=None),
            ),
            {"role": "tool", "tool_name": "mul", "content": "m"},
            {"role": "tool", "tool_name": "add", "content": "first"},
            {"role": "tool", "content": "second"},
        ]
    )
    assert [made.output for made in trace.calls or ()] == ["first", "m", "second"]
    assert trace.format == "ollama"


def test_ollamas_pieces_are_one_response() -> None:
    def piece(done: bool, **fields: Any) -> dict[str, Any]:
        return {"model": "m", "message": {"role": "assistant", "content": ""} | fields, "done": done}

    trace = both_ways(
        [
            piece(False, content="I "),
            piece(False, content="look."),
            piece(False, tool_calls=[call(arguments={"a": 1}, id=None)]),
            piece(False, tool_calls=[call(arguments={"a": 2}, id=None)]),
            piece(True),
            piece(True, tool_calls=[call("now", {}, id=None)]),
        ]
    )
    assert [made.name for made in trace.calls or ()] == ["add", "add", "now"]
    groups = [made.group for made in trace.calls or ()]
    assert groups[0] == groups[1] != groups[2]
    assert trace.turns == ()


def test_cohere_answers_with_documents_or_text() -> None:
    plan = {
        "role": "assistant",
        "tool_plan": "I look.",
        "tool_calls": [call(id="a"), call(id="b"), call(id="c")],
    }
    trace = both_ways(
        {
            "messages": [
                {"role": "user", "content": "go"},
                plan,
                {
                    "role": "tool",
                    "tool_call_id": "a",
                    "content": [{"type": "document", "document": {"data": {"x": 1}}}],
                },
                {
                    "role": "tool",
                    "tool_call_id": "b",
                    "content": [{"type": "document", "document": {"data": '{"x": 2}'}}],
                },
                {"role": "tool", "tool_call_id": "c", "content": "plain"},
            ]
        }
    )
    assert [made.output for made in trace.calls or ()] == [{"x": 1}, '{"x": 2}', "plain"]
    assert trace.format == "cohere"
    assert both_ways({"id": "x", "finish_reason": "TOOL_CALL", "message": plan}).format == "cohere"


V1_CALL = {"name": "add", "parameters": {"a": 1}}
V1_TOOL = {
    "name": "add",
    "description": "d",
    "parameter_definitions": {"a": {"type": "int", "required": True}},
}


@pytest.mark.parametrize(
    ("request_", "response"),
    [
        ({"message": "go"}, {"tool_calls": [V1_CALL]}),
        ({"message": "go", "chat_history": []}, {"text": "", "tool_calls": [V1_CALL]}),
        ({"message": "go", "tools": [V1_TOOL]}, {"text": "", "generation_id": "g", "tool_calls": [V1_CALL]}),
        ({"body": {"message": "go"}}, {"status_code": 200, "body": {"tool_calls": [V1_CALL], "text": ""}}),
    ],
)
def test_a_pair_of_coheres_first_version(request_: Any, response: Any) -> None:
    trace = both_ways({"request": request_, "response": response, "id": "c-1"})
    assert (trace.format, trace.id, trace.turns[0].input) == ("cohere", "c-1", "go")
    assert [(made.name, made.arguments, made.turn) for made in trace.calls or ()] == [("add", {"a": 1}, 0)]
    assert trace.warnings == ()


def test_pairs_of_coheres_first_version_go_on_with_each_other() -> None:
    first = {
        "request": {"message": "go", "chat_history": []},
        "response": {"text": "", "tool_calls": [V1_CALL]},
    }
    asked = [{"role": "USER", "message": "go"}, {"role": "CHATBOT", "message": "", "tool_calls": [V1_CALL]}]
    results = [{"call": V1_CALL, "outputs": [{"sum": 2}]}]
    then = {
        "request": {"message": "", "chat_history": asked, "tool_results": results},
        "response": {"text": "two", "generation_id": "g"},
    }
    trace = both_ways([first, then])
    assert [(made.name, made.output) for made in trace.calls or ()] == [("add", {"sum": 2})]
    assert ([turn.input for turn in trace.turns], trace.text) == (["go"], "two")


def test_a_request_of_coheres_first_version_without_an_answer_is_not_recorded() -> None:
    for answer in ({"response": {"message": "too many tokens"}}, {"response": None, "error": {"code": 429}}):
        (trace,) = separately({"request": {"message": "go", "chat_history": []}, **answer})
        assert trace.calls is None
        assert "without a response" in (trace.problem or "")


def test_coheres_first_version() -> None:
    made = {"name": "add", "parameters": {"a": 1}}
    history = [
        {"role": "USER", "message": "go"},
        {"role": "CHATBOT", "message": "", "tool_calls": [made]},
        {"role": "TOOL", "tool_results": [{"call": made, "outputs": [{"sum": 2}]}]},
        {"role": "CHATBOT", "message": "two"},
    ]
    trace = both_ways({"text": "two", "generation_id": "g", "chat_history": history})
    assert told(trace) == [("add", {"a": 1}, None, 0, None, {"sum": 2}, None)]
    assert (trace.format, trace.text) == ("cohere", "two")
    asked = both_ways({"text": "", "generation_id": "g", "tool_calls": [made], "chat_history": history[:1]})
    assert told(asked) == [("add", {"a": 1}, None, 0, None, None, None)]


def test_one_id_for_thousands_of_calls_ends_in_time() -> None:
    messages = [says(call(arguments=json.dumps({"a": n % 3000}), id="call_0")) for n in range(4000)]
    trace = read(json.dumps(messages).encode())
    assert [made.arguments for made in trace.calls or ()] == [{"a": n} for n in range(3000)]


BAD = {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": ""}}]}


@pytest.mark.parametrize("name", ["openai_chat", "anthropic"])
def test_what_breaks_off_is_told_of_its_own_recording_only(name: str) -> None:
    good: dict[str, Any] = says(call())
    bad: dict[str, Any] = BAD
    if name == "anthropic":
        good = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "add", "input": {}}]}
        bad = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "", "input": {}}]}

    def read_all(*items: Any) -> tuple[list[tuple[int, bool]], int]:
        problems: list[Any] = []
        sorting = Sorting(Formats(FORMATS), problems=problems)
        for index, item in enumerate(items):
            sorting.feed(_raw(json.dumps(item).encode()), f"line {index + 1}")
        return [(len(trace.calls or ()), trace.problem is not None) for trace in sorting.traces()], len(
            problems
        )

    documents = [{"messages": [{"role": "user", "content": str(n)}, good]} for n in range(3)]
    broken = {"messages": [{"role": "user", "content": "x"}, good, bad]}
    assert read_all(documents[0], broken, documents[2]) == ([(1, False), (1, True), (1, False)], 0)
    assert read_all({"role": "user", "content": "x"}, good, bad) == ([(1, True)], 0)
    unreadable: dict[str, Any] = {
        "messages": [{"role": "user", "content": "x"}, good],
        "content": 7,
        "id": [7],
    }
    assert read_all(documents[0], unreadable, documents[2]) == ([(1, False), (1, False)], 1)
