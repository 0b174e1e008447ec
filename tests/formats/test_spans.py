"""Spans: OpenTelemetry GenAI, OpenInference and UiPath, as OTLP, as lists and as tables."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall import CallError, Trace, read
from rightcall.errors import DataError
from rightcall.run.intake.traces import traces_of


def otlp(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}


def span(name: str, start: int = 0, *, trace: str = "a1", number: int = 0, **more: Any) -> dict[str, Any]:
    """A span of OTLP; its attributes are given with `__` for dots, any value as OTLP wants it."""
    fields: dict[str, Any] = {
        key: more.pop(key) for key in ("status", "parentSpanId", "events", "endTimeUnixNano") if key in more
    }
    attributes = [
        {"key": key.replace("__", "."), "value": value if isinstance(value, dict) else {"stringValue": value}}
        for key, value in more.items()
    ]
    times = {"startTimeUnixNano": str(10**18 + start), "endTimeUnixNano": str(10**18 + start + 1)}
    ids = {"traceId": trace, "spanId": f"{number:x}" if number else ""}
    return {"name": name, **ids, **times, "attributes": attributes, **fields}


def chat(start: int, output: Any = (), input: Any = (), **more: Any) -> dict[str, Any]:
    more = {"gen_ai__operation__name": "chat", **more}
    if output:
        more["gen_ai__output__messages"] = json.dumps(output)
    if input:
        more["gen_ai__input__messages"] = json.dumps(input)
    return span("chat m", start, **more)


def tool(start: int, name: str = "look", arguments: str | None = '{"q": 1}', **more: Any) -> dict[str, Any]:
    more = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": name, **more}
    if arguments is not None:
        more["gen_ai__tool__call__arguments"] = arguments
    return span(f"execute_tool {name}", start, **more)


def says(*parts: dict[str, Any], role: str = "assistant") -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


def part(name: str, id: str | None = None, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_call", "id": id, "name": name, "arguments": arguments}


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "content": content}


def told(trace: Trace) -> list[tuple[str, Any]]:
    return [(call.name, call.arguments) for call in trace.calls or ()]


# One call once ----------------------------------------------------------------------------------------------------


def test_request_and_run_are_one_call_by_id() -> None:
    made = read(otlp(chat(1, [says(part("look", "c1", q=1))]), tool(5, gen_ai__tool__call__id="c1")))
    assert told(made) == [("look", {"q": 1})]
    assert made.format == "otel_genai"
    assert made.warnings == ()


def test_request_and_run_are_one_call_by_name_and_arguments_without_an_id() -> None:
    made = read(
        otlp(
            chat(1, [says(part("look", "c1", q=2), part("look", "c2", q=1))]),
            tool(5),
            tool(6, arguments='{"q": 2}'),
        )
    )
    assert [(call.id, call.arguments) for call in made.calls or ()] == [("c2", {"q": 1}), ("c1", {"q": 2})]


def test_a_second_request_of_the_same_is_a_second_call() -> None:
    made = read(
        otlp(chat(1, [says(part("look", q=1))]), tool(2), chat(3, [says(part("look", q=1))]), tool(4))
    )
    assert len(made.calls or ()) == 2


def test_a_run_without_recorded_arguments_is_joined_and_alone_is_told() -> None:
    joined = read(otlp(chat(1, [says(part("look", "c1", q=1))]), tool(5, arguments=None)))
    assert told(joined) == [("look", {"q": 1})]
    assert joined.warnings == ()
    alone = read(otlp(tool(5, arguments=None)))
    assert told(alone) == [("look", {})]
    assert "not captured" in alone.warnings[0]


def test_an_id_of_another_call_removes_none_and_is_told() -> None:
    made = read(
        otlp(tool(1, gen_ai__tool__call__id="x"), tool(2, arguments='{"q": 2}', gen_ai__tool__call__id="x"))
    )
    assert [call.arguments for call in made.calls or ()] == [{"q": 1}, {"q": 2}]
    assert "used before" in made.warnings[0]


def test_input_messages_definitions_and_wrappers_add_no_calls() -> None:
    definitions = json.dumps([{"name": "look"}, {"name": "buy"}])
    history = [says(part("old", "c0")), says(part("look", "c1", q=1))]
    wrapper = span(
        "invoke_agent a",
        gen_ai__operation__name="invoke_agent",
        gen_ai__output__messages=json.dumps([says(part("look", q=1))]),
    )
    made = read(
        otlp(
            wrapper, chat(1, [says(part("look", "c1", q=1))], history, gen_ai__tool__definitions=definitions)
        )
    )
    assert told(made) == [("look", {"q": 1})]
    assert [item.name for item in made.tools or ()] == ["look", "buy"]


def test_a_wrapper_counts_where_nobody_else_tells_of_calls() -> None:
    output = json.dumps([says(part("look", q=1))])
    wrapper = span("a", gen_ai__operation__name="invoke_agent", gen_ai__output__messages=output)
    assert told(read(otlp(wrapper))) == [("look", {"q": 1})]


def test_a_run_inside_a_run_of_the_same_tool_is_one_call() -> None:
    made = read(
        otlp(tool(1, number=7), tool(2, number=8, parentSpanId="7"), tool(3, number=9, parentSpanId="5"))
    )
    assert len(made.calls or ()) == 2


def test_two_libraries_that_record_one_request() -> None:
    made = read(otlp(chat(1, [says(part("look", "c1", q=1))]), chat(2, [says(part("look", "c1", q=1))])))
    assert len(made.calls or ()) == 1


# Order, turns, outputs --------------------------------------------------------------------------------------------


def test_calls_come_in_the_order_of_their_start_and_ties_in_file_order() -> None:
    made = read(otlp(tool(9, "late"), tool(3, "first"), tool(5, "b"), tool(5, "a")))
    assert [call.name for call in made.calls or ()] == ["first", "b", "a", "late"]


def test_nanoseconds_are_told_apart() -> None:
    made = read(otlp(tool(2, "b"), tool(1, "a")))
    assert [call.name for call in made.calls or ()] == ["a", "b"]


def test_parts_of_one_message_are_a_group_and_a_single_one_is_none() -> None:
    made = read(otlp(chat(1, [says(part("a"), part("b"))]), chat(2, [says(part("c"))])))
    groups = [call.group for call in made.calls or ()]
    assert groups[0] == groups[1] is not None
    assert groups[2] is None


def test_outputs_come_from_the_run_or_from_a_later_request() -> None:
    answers = says({"type": "tool_call_response", "id": "c1", "response": {"n": 1}}, role="tool")
    by_name = says({"type": "tool_call_response", "name": "b", "response": "two"}, role="tool")
    asks = [says(part("a", "c1"), part("b"))]
    made = read(otlp(chat(1, asks), chat(2, [says(text("done"))], [*asks, answers, by_name])))
    assert [call.output for call in made.calls or ()] == [{"n": 1}, "two"]
    assert made.text == "done"
    ran = read(otlp(tool(1, gen_ai__tool__call__result='{"n": 1}')))
    assert [call.output for call in ran.calls or ()] == ['{"n": 1}']


def test_new_users_messages_begin_turns_and_results_in_a_users_message_do_not() -> None:
    first, second = says(text("one"), role="user"), says(text("two"), role="user")
    results = says({"type": "tool_call_response", "id": "c1", "response": 1}, role="user")
    made = read(
        otlp(
            chat(1, [says(part("a", "c1"))], [first]),
            chat(2, [says(text("A"))], [first, says(part("a", "c1")), results]),
            chat(3, [says(part("b", "c2"))], [first, says(text("A")), second]),
        )
    )
    assert [turn.input for turn in made.turns] == ["one", "two"]
    assert [call.turn for call in made.calls or ()] == [0, 1]
    assert made.turns[0].text == "A"


def test_a_conversation_joins_its_traces_and_other_traces_stay_apart() -> None:
    one, two = says(text("yes"), role="user"), says(text("yes"), role="user")
    conversation = {"gen_ai__conversation__id": "v"}
    spans = [
        chat(1, [says(part("a"))], [one], trace="t1", **conversation),
        chat(5, [says(part("b"))], [two], trace="t2", **conversation),
        tool(3, "c", trace="t3"),
    ]
    lines = "\n".join(json.dumps(otlp(item)) for item in spans)
    traces = traces_of(lines.encode())
    assert [(trace.id, [call.name for call in trace.calls or ()]) for trace in traces] == [
        ("v", ["a", "b"]),
        ("t3", ["c"]),
    ]
    assert [call.turn for call in traces[0].calls or ()] == [0, 1]


def test_without_users_messages_each_trace_of_a_conversation_is_a_turn() -> None:
    made = read(otlp(*(tool(i, trace=f"t{i}", gen_ai__conversation__id="v") for i in (1, 2))))
    assert [call.turn for call in made.calls or ()] == [0, 1]


def test_a_trace_may_be_spread_over_lines() -> None:
    lines = [otlp(tool(5, gen_ai__tool__call__id="c1")), otlp(chat(1, [says(part("look", "c1", q=1))]))]
    made = traces_of("\n".join(map(json.dumps, lines)).encode())
    assert [len(trace.calls or ()) for trace in made] == [1]


def test_lines_of_other_services_are_no_oddity() -> None:
    lines = [otlp(span("GET /")), otlp(tool(5)), otlp(span("GET /")), {"resourceSpans": []}]
    made = traces_of("\n".join(map(json.dumps, lines)).encode())
    assert [(trace.format, len(trace.calls or ())) for trace in made] == [("otel_genai", 1)]
    assert read(json.dumps(lines[0]).encode()).calls == ()


# Errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"status": {"code": 2, "message": "no such parcel"}}, "no such parcel"),
        ({"status": {"code": "STATUS_CODE_ERROR"}, "error__type": "Timeout"}, "Timeout"),
        ({"error__type": "Timeout"}, "Timeout"),
    ],
)
def test_a_run_that_failed(more: dict[str, Any], error: str) -> None:
    (call,) = read(otlp(tool(1, **more))).calls or ()
    assert (call.failed, call.status, call.error) == (True, "error", error)


@pytest.mark.parametrize(
    ("item", "place"),
    [
        (otlp(span("x", gen_ai__operation__name="execute_tool")), "spans[0]"),
        (otlp(chat(1, [{"role": "assistant", "parts": [{"type": "tool_call", "id": "c"}]}])), "parts[0]"),
        (otlp(chat(1, gen_ai__output__messages='[{"role": ')), "gen_ai.output.messages"),
        (otlp(span("x", gen_ai__operation__name={"intValue": "many"})), "gen_ai.operation.name"),
        (otlp({"name": 5, "attributes": [{"key": "gen_ai.tool.name"}]}), "spans[0].name"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_place(item: Any, place: str) -> None:
    for source in (item, json.dumps(item).encode()):
        with pytest.raises(CallError) as caught:
            read(source, format="otel_genai")
        assert place in str(caught.value)


def test_broken_input_messages_hide_no_call_and_are_told() -> None:
    made = read(otlp(chat(1, [says(part("a"))], gen_ai__input__messages='[{"role": "us')))
    assert [call.name for call in made.calls or ()] == ["a"]
    assert "left out" in made.warnings[0]


def test_a_part_of_an_unknown_kind_of_call_is_told() -> None:
    made = read(otlp(chat(1, [says({"type": "server_tool_call", "name": "search"}, part("a"))])))
    assert [call.name for call in made.calls or ()] == ["a"]
    assert "server_tool_call" in made.warnings[0]


# Other spellings --------------------------------------------------------------------------------------------------


def test_snake_case_ids_of_0x_and_iso_times() -> None:
    item = {
        "resource_spans": [
            {
                "scope_spans": [
                    {
                        "spans": [
                            {
                                "trace_id": "0xa1",
                                "name": "execute_tool look",
                                "start_time": "2026-01-05T08:00:00.000001Z",
                                "attributes": [
                                    {
                                        "key": "gen_ai.operation.name",
                                        "value": {"string_value": "execute_tool"},
                                    },
                                    {
                                        "key": "gen_ai.tool.call.arguments",
                                        "value": {
                                            "kvlist_value": {
                                                "values": [
                                                    {"key": "n", "value": {"int_value": "9007199254740993"}},
                                                    {
                                                        "key": "l",
                                                        "value": {
                                                            "array_value": {
                                                                "values": [
                                                                    {"double_value": 0.5},
                                                                    {"bool_value": False},
                                                                    {},
                                                                ]
                                                            }
                                                        },
                                                    },
                                                ]
                                            }
                                        },
                                    },
                                ],
                            }
                        ]
                    }
                ]
            }
        ]
    }
    for source in (item, json.dumps(item).encode()):
        (trace,) = traces_of(source)
        assert told(trace) == [("look", {"n": 9007199254740993, "l": [0.5, False, None]})]
        assert trace.id == "a1"
        assert (trace.calls or ())[0].start == pytest.approx(1767600000.000001, abs=1e-6)


def test_a_plain_list_as_exporters_write_it() -> None:
    spans: list[dict[str, Any]] = [
        {
            "name": "execute_tool look",
            "context": {"trace_id": "0xa1", "span_id": "0xb1", "trace_state": "[]"},
            "kind": "SpanKind.INTERNAL",
            "parent_id": None,
            "start_time": "2026-01-05T08:00:00.000000Z",
            "status": {"status_code": "ERROR", "description": "down"},
            "attributes": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.arguments": {"q": 1}},
            "events": [],
        }
    ]
    for source in (spans, json.dumps(spans).encode(), json.dumps(spans[0]).encode(), {"spans": spans}):
        (call,) = read(source).calls or ()
        assert (call.name, call.arguments, call.error) == ("look", {"q": 1}, "down")


@dataclass
class FinishedSpan:
    """As an SDK's span object: its fields, no dict."""

    name: str = "execute_tool look"
    start_time: int = 10**18
    attributes: dict[str, Any] = field(
        default_factory=lambda: {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.call.arguments": '{"q": 1}',
        }
    )


def test_objects_of_an_sdk() -> None:
    assert told(read([FinishedSpan()])) == [("look", {"q": 1})]


def test_older_forms_choice_events_and_numbered_attributes() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}}
    events = [
        {"name": "gen_ai.user.message", "attributes": {"content": "find it"}},
        {"name": "gen_ai.choice", "attributes": {"message": json.dumps({"tool_calls": [call]}), "index": 0}},
    ]
    by_events = {"name": "chat", "attributes": {"gen_ai.operation.name": "chat"}, "events": events}
    numbered = {
        "gen_ai.system": "x",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "find it",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.tool_calls.0.id": "c1",
        "gen_ai.completion.0.tool_calls.0.name": "look",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"q": 1}',
    }
    old = {
        "gen_ai.system": "x",
        "gen_ai.prompt": json.dumps([{"role": "user", "content": "find it"}]),
        "gen_ai.completion": json.dumps([{"role": "assistant", "tool_calls": [call]}]),
    }
    for item in (by_events, {"name": "c", "attributes": numbered}, {"name": "c", "attributes": old}):
        for source in ([item], json.dumps([item]).encode()):
            made = read(source)
            assert told(made) == [("look", {"q": 1})]
            assert [turn.input for turn in made.turns] == ["find it"]


# OpenInference ----------------------------------------------------------------------------------------------------

LLM = {
    "openinference.span.kind": "LLM",
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.contents.0.message_content.text": "find ",
    "llm.input_messages.0.message.contents.1.message_content.text": "it",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.tool_calls.10.tool_call.function.name": "last",
    "llm.output_messages.0.message.tool_calls.2.tool_call.function.name": "look",
    "llm.output_messages.0.message.tool_calls.2.tool_call.function.arguments": '{"q": 1}',
    "llm.output_messages.0.message.tool_calls.2.tool_call.id": "c1",
}
TOOL = {
    "openinference.span.kind": "TOOL",
    "tool.name": "look",
    "input.value": "{'q': 1}",
    "output.value": "4",
}


def test_openinference_joins_llm_and_tool_spans_and_keeps_the_numbers_order() -> None:
    made = read([{"name": "m", "attributes": LLM}, {"name": "t", "attributes": TOOL}])
    assert made.format == "openinference"
    assert told(made) == [("look", {"q": 1}), ("last", {})]
    assert [(call.id, call.output) for call in made.calls or ()] == [("c1", "4"), (None, None)]
    assert [turn.input for turn in made.turns] == ["find it"]


def test_openinference_nested_attributes_and_table_rows() -> None:
    call = {"tool_call": {"function": {"name": "look", "arguments": '{"q": 1}'}, "id": "c1"}}
    nested = {
        "name": "m",
        "span_kind": "LLM",
        "context": {"trace_id": "a1"},
        "attributes": {
            "openinference": {"span": {"kind": "LLM"}},
            "llm": {"output_messages": [{"message": {"role": "assistant", "tool_calls": [call]}}]},
        },
    }
    row_call = {"tool_call.function.name": "look", "tool_call.function.arguments": '{"q": 1}'}
    row = {
        "name": "m",
        "span_kind": "LLM",
        "context.trace_id": "a1",
        "attributes.llm.output_messages": [{"message.role": "assistant", "message.tool_calls": [row_call]}],
        "attributes.llm.tools": None,
    }
    for item in (nested, row):
        for source in ([item], json.dumps([item]).encode()):
            (trace,) = traces_of(source) if isinstance(source, bytes) else (read(source),)
            assert (told(trace), trace.id, trace.format) == ([("look", {"q": 1})], "a1", "openinference")


def test_openinference_root_tells_the_turn_where_no_model_does() -> None:
    root = {"openinference.span.kind": "AGENT", "input.value": "find it", "output.value": "found"}
    made = read([{"name": "r", "attributes": root}, {"name": "t", "attributes": TOOL}])
    assert [(turn.input, turn.text) for turn in made.turns] == [("find it", "found")]
    assert [call.turn for call in made.calls or ()] == [0]


def test_tool_parameters_stand_in_for_an_input_that_is_mere_text() -> None:
    made = read([{"name": "t", "attributes": TOOL | {"input.value": "one", "tool.parameters": '{"q": 2}'}}])
    assert told(made) == [("look", {"q": 2})]
    bare = read([{"name": "t", "attributes": TOOL | {"input.value": "one"}}])
    assert told(bare) == [("look", None)]


# UiPath -----------------------------------------------------------------------------------------------------------


def test_uipath_counts_only_tools_that_ran() -> None:
    spans: list[dict[str, Any]] = [
        {"name": "m", "attributes": LLM | {"span_type": "completion"}},
        {"name": "e", "attributes": {"tool.name": "end", "tool.synthesized": True, "input.value": "{}"}},
        {"name": "t", "start_time": "2026-01-05T08:00:02Z", "attributes": TOOL | {"span_type": "TOOL"}},
        {
            "name": "t",
            "start_time": "2026-01-05T08:00:01Z",
            "attributes": TOOL | {"span_type": "TOOL", "input.value": '{"q": 0}'},
        },
    ]
    made = read(spans)
    assert made.format == "uipath"
    assert told(made) == [("look", {"q": 0}), ("look", {"q": 1})]


def test_spans_of_two_conventions_are_one_recording_as_python_objects_too() -> None:
    def of(number: int, attributes: dict[str, str]) -> dict[str, Any]:
        ids = {"trace_id": "a1", "span_id": f"b{number}"}
        return {"name": "find", "context": ids, "attributes": attributes}

    asked = {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "Warm?"}
    spans = [
        of(1, {"span_type": "agentRun"}),
        of(2, {"openinference.span.kind": "LLM", **asked}),
        of(3, {"span_type": "toolCall", "tool.name": "find", "input.value": '{"city": "Oslo"}'}),
    ]
    for trace in (read(spans), read(json.dumps(spans).encode())):
        assert trace.format == "uipath"
        assert [(call.name, call.turn) for call in trace.calls or ()] == [("find", 0)]
        assert [turn.input for turn in trace.turns] == ["Warm?"]


def test_tool_name_alone_is_uipaths() -> None:
    made = read([{"name": "t", "attributes": {"tool.name": "look", "input.value": '{"q": 1}'}}])
    assert (made.format, told(made)) == ("uipath", [("look", {"q": 1})])


# Hostile ----------------------------------------------------------------------------------------------------------

SAMPLES = [
    otlp(chat(1, [says(part("a", "c"))], [says(text("u"), role="user")]), tool(2)),
    {"name": "m", "context": {"trace_id": "a"}, "attributes": LLM, "events": [{"name": "gen_ai.choice"}]},
    {"name": "t", "attributes": TOOL | {"span_type": "TOOL"}},
]
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 10**40, 1e308, "", "\ud800", "[", '{"a":', [], [[]], {}, {"a": {}}, [None], "x" * 50]
)


def changed(value: Any, path: list[int], new: Any) -> Any:
    if not path or not isinstance(value, dict | list) or not value:
        return new
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[path[0] % len(keys)]
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = changed(value[key], path[1:], new)
    return copy


@given(st.sampled_from(SAMPLES), st.lists(st.integers(0, 9), min_size=1, max_size=12), ODD)
def test_nothing_but_our_errors_escapes(sample: Any, path: list[int], new: Any) -> None:
    item = changed(sample, path, new)
    for source in ([item], json.dumps([item]).encode()):
        for name in ("auto", "otel_genai", "openinference", "uipath"):
            try:
                read(source, format=name)
            except DataError:
                continue


def test_deep_values_are_refused_or_read() -> None:
    deep: Any = {"stringValue": "x"}
    for _ in range(150):
        deep = {"arrayValue": {"values": [deep]}}
    item = otlp(
        span("execute_tool a", gen_ai__operation__name="execute_tool", gen_ai__tool__call__arguments=deep)
    )
    with pytest.raises(DataError):
        read(json.dumps(item).encode())
