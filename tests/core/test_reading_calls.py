"""Contract 3, bullet by bullet: what is read as a call, what is unreadable, and what is never guessed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import CallError, DataError, evaluate, read

NAMES = ("name", "tool", "tool_name", "toolName", "function", "action")
ARGUMENTS = (
    *(
        "arguments",
        "args",
        "input",
        "parameters",
        "params",
        "kwargs",
        "tool_input",
        "toolInput",
        "action_input",
    ),
)


def calls(source: Any) -> list[tuple[str, Any]]:
    return [(call.name, call.arguments) for call in read(source).calls or ()]


def refused(source: Any) -> DataError:
    with pytest.raises(DataError) as caught:
        read(source)
    return caught.value


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_every_name_key_goes_with_every_arguments_key(name: str, arguments: str) -> None:
    for value in ({"a": 1}, '{"a": 1}'):
        assert calls([{name: "f", arguments: value}]) == [("f", {"a": 1})]
        assert calls(json.dumps({name: "f", arguments: value}).encode()) == [("f", {"a": 1})]


def test_a_list_one_object_or_the_text_of_either() -> None:
    one = {"name": "f", "arguments": {"a": 1}}
    for source in (
        [one],
        one,
        json.dumps([one]).encode(),
        json.dumps(one).encode(),
        f"  {json.dumps(one)}\n".encode(),
    ):
        assert calls(source) == [("f", {"a": 1})]
    assert calls([]) == calls(b"[]") == []
    assert evaluate("tool_call_args", output=json.dumps(one), expected=json.dumps([one])).score == 1.0


@pytest.mark.parametrize("nothing", [None, "null", "", "   ", "\n\t", " null "])
def test_no_arguments_are_an_empty_object(nothing: Any) -> None:
    assert calls([{"name": "f", "arguments": nothing}]) == [("f", {})]
    assert calls(json.dumps([{"name": "f", "arguments": nothing}]).encode()) == [("f", {})]
    assert calls([{"type": "function", "function": {"name": "f", "arguments": nothing}}]) == [("f", {})]
    assert calls([{"name": "f"}]) == [("f", {})]


def test_arguments_encoded_twice_are_unwrapped_once_with_a_warning() -> None:
    once = json.dumps({"a": 1})
    wanted = [{"name": "f", "arguments": {"a": 1}}]
    twice = evaluate("tool_call_args", output=[{"name": "f", "arguments": json.dumps(once)}], expected=wanted)
    assert twice.score == 1.0
    assert any("twice" in warning for warning in twice.warnings)
    thrice = evaluate(
        "tool_call_args", output=[{"name": "f", "arguments": json.dumps(json.dumps(once))}], expected=wanted
    )
    assert thrice.score == 0.0


UNREADABLE = (
    *('{"a": 1', "{'a': 1}", "[1]", "7", "true", '"x"', '{"a": NaN}', '{"a": Infinity}', '{"a": -Infinity}'),
    *(
        '{"a": "\\ud800"}',
        '{"a": 1} x',
        "{",
        "nul",
        '{"a": 01}',
        '{"a": .5}',
        '{"a": 1,}',
        "\ufeff{}",
        '{"\\udc00": 1}',
    ),
    *('{"a": "\n"}', "[]", "[null]"),
)


@pytest.mark.parametrize("text", UNREADABLE)
def test_unreadable_arguments_keep_the_call_and_say_which_and_why(text: str) -> None:
    good = {"name": "f", "arguments": {}}
    made = json.dumps([good, {"name": "f", "arguments": text}])
    assert [name for name, _ in calls(made.encode())] == ["f", "f"]
    assert calls(made.encode())[1][1] is None
    result = evaluate(
        "tool_call_accuracy", output=made, expected=[good, {"name": "f", "arguments": {"a": 1}}]
    )
    assert result.score == 0.75
    assert any("2" in warning and "f" in warning for warning in result.warnings), "the call and its position"
    assert evaluate("tool_call_args", output=made, expected=[good, good]).score == 0.5
    assert (
        evaluate("tool_call_args", output=[{"name": "f", "arguments": text}] * 2, expected=[good]).score
        == 0.0
    )


@pytest.mark.parametrize("value", [7, True, [1], [], 1.5, [{"a": 1}]])
def test_arguments_of_another_kind_are_unreadable(value: Any) -> None:
    for source in (
        [{"name": "f", "arguments": value}],
        json.dumps([{"name": "f", "arguments": value}]).encode(),
    ):
        assert calls(source) == [("f", None)]


def test_a_syntax_error_is_told_with_its_position() -> None:
    result = evaluate(
        "tool_call_accuracy", output=[{"name": "f", "arguments": '{"a": x}'}], expected=[{"name": "f"}]
    )
    assert "6" in result.reason


def test_broken_arguments_are_repaired_when_asked_for_and_say_so() -> None:
    pytest.importorskip("json_repair")
    made, wanted = [{"name": "f", "arguments": "{'a': 1,"}], [{"name": "f", "arguments": {"a": 1}}]
    assert evaluate("tool_call_args", output=made, expected=wanted).score == 0.0
    result = evaluate("tool_call_args", output=made, expected=wanted, repair_json=True)
    assert result.score == 1.0
    assert any("repaired" in warning for warning in result.warnings)
    hopeless = [{"name": "f", "arguments": "[1"}]
    assert evaluate("tool_call_args", output=hopeless, expected=wanted, repair_json=True).score == 0.0


def test_of_duplicate_keys_the_last_counts_and_a_warning_is_given_where_they_were_read() -> None:
    made, wanted = '[{"name": "f", "arguments": {"a": 1, "a": 2}}]', '[{"name": "f", "arguments": {"a": 2 }}]'
    result = evaluate("tool_call_args", output=made, expected=wanted)
    assert result.score == 1.0
    assert any("'a'" in warning and "twice" in warning for warning in result.warnings)
    in_text = [{"name": "f", "arguments": '{"o": {"a:": 1, "a:": 2}}'}]
    result = evaluate(
        "tool_call_args", output=in_text, expected=[{"name": "f", "arguments": {"o": {"a:": 2}}}]
    )
    assert result.score == 1.0
    assert any("twice" in warning for warning in result.warnings)
    assert evaluate("tool_call_args", output=made, expected=made).warnings == ()


def test_one_key_is_the_name() -> None:
    assert calls([{"get_weather": {"city": "Oslo"}}]) == [("get_weather", {"city": "Oslo"})]
    assert calls([{"get_weather": '{"city": "Oslo"}'}]) == [("get_weather", {"city": "Oslo"})]
    assert calls([{"get_time": {}}]) == [("get_time", {})]


@pytest.mark.parametrize(
    "word",
    [
        *("function", "functionCall", "function_call", "toolUse", "tool_use", "tool_call", "toolCall"),
        *("arguments", "args", "input", "inputs", "message", "data", "parameters", "params", "kwargs"),
        *("tool_input", "toolInput", "action_input", "name", "tool", "action", "content", "parts", "output"),
        *("messages", "tool_result", "functionResponse", "choices", "delta", "attributes", "resourceSpans"),
        *("response", "result", "metadata", "options", "error", "id", "raw_item", "toolInvocation"),
    ],
)
def test_a_wrapper_word_is_no_tool(word: str) -> None:
    for value in ({"city": "Oslo"}, '{"city": "Oslo"}', {}):
        refused([{word: value}])


@pytest.mark.parametrize(
    "item", [{"f": None}, {"f": 1}, {"f": [1]}, {"f": "x"}, {"": {}}, {}, {"f": {}, "g": {}}]
)
def test_what_is_no_call_is_an_error(item: Any) -> None:
    error = refused([{"name": "ok"}, item])
    assert "[1]" in (error.field or "")


@pytest.mark.parametrize(
    ("item", "key", "near"),
    [
        ({"name": "f", "argumets": {"a": 1}}, "argumets", "arguments"),
        ({"name": "f", "Arguments": {"a": 1}}, "Arguments", "arguments"),
        ({"name": "f", "parms": [1]}, "parms", "params"),
        ({"name": "f", "payload": {}}, "payload", ""),
        ({"tool": "f", "tool_args": {"a": 1}}, "tool_args", ""),
        ({"name": "f", "options": {"a": 1}}, "options", ""),
        ({"name": "f", "count": {"min": 1}}, "count", ""),
        ({"name": "f", "accepted": {"a": [1]}}, "accepted", ""),
        ({"name": "f", "alternatives": [{"a": 1}]}, "alternatives", ""),
        ({"type": "function", "function": {"name": "f", "argument": {"a": 1}}}, "argument", "arguments"),
    ],
    ids=str,
)
def test_an_unknown_key_that_may_hold_the_arguments_is_an_error(item: Any, key: str, near: str) -> None:
    error = refused([item])
    assert isinstance(error, CallError)
    assert key in str(error)
    assert near in str(error)


def test_an_unknown_key_with_a_scalar_or_beside_arguments_is_let_be() -> None:
    assert calls([{"name": "f", "note": "x", "weight": 3}]) == [("f", {})]
    assert calls([{"name": "f", "arguments": {"a": 1}, "extra": {"b": 2}}]) == [("f", {"a": 1})]
    assert calls([{"name": "f", "output": {"b": 2}, "error": [1]}]) == [("f", {})]


@pytest.mark.parametrize(
    "item",
    [
        {"arguments": {}},
        {"name": "", "arguments": {}},
        {"name": None, "arguments": {}},
        {"name": 5, "arguments": {}},
        {"name": ["f"], "arguments": {}},
        {"name": {"x": 1}, "arguments": {}},
        {"name": "\ud800", "arguments": {}},
        {"type": "function", "function": {"arguments": "{}"}},
        {"type": "function", "function": {"name": "", "arguments": "{}"}},
        {"type": "function", "function": None},
        {"type": "function", "function": []},
        {"id": "1", "type": "function"},
    ],
    ids=str,
)
def test_a_call_without_a_name_is_an_error_with_its_place(item: Any) -> None:
    error = refused([{"name": "f"}, {"name": "g"}, item])
    assert "[2]" in (error.field or "")
    with pytest.raises(DataError) as caught:
        evaluate("tool_call_args", output=[], expected=[{"name": "f"}, item])
    assert "[1]" in (caught.value.field or "")


def test_two_arguments_fields() -> None:
    assert calls([{"name": "f", "arguments": {"a": 1}, "args": {"a": 1.0}}]) == [("f", {"a": 1})]
    assert calls([{"name": "f", "arguments": {"a": 1}, "input": '{"a": 1}'}]) == [("f", {"a": 1})]
    for other in ({"a": 2}, {}, None, '{"a": 2}', "x"):
        error = refused([{"name": "f", "arguments": {"a": 1}, "args": other}])
        assert "arguments" in str(error)
        assert "args" in str(error)


@pytest.mark.parametrize(
    "text", ["", "hello", "f(a=1)", "7", "null", "true", '"f"', "[f]", '["f"]', "[1]", "[[]]", "{"]
)
def test_a_text_that_holds_no_calls_is_an_error(text: str) -> None:
    with pytest.raises(DataError):
        evaluate("tool_call_args", output=text, expected=[])


@pytest.mark.parametrize("source", [7, True, 1.5, [7], [None], [[{"name": "f"}]], ["x"]])
def test_a_value_that_holds_no_calls_is_an_error(source: Any) -> None:
    refused(source)


def test_openai_calls() -> None:
    text = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    value = {"function": {"name": "f", "arguments": {"a": 1}}}
    assert calls([text]) == calls([value]) == calls(text) == [("f", {"a": 1})]
    assert calls([text, {"name": "g"}, value]) == [("f", {"a": 1}), ("g", {}), ("f", {"a": 1})], (
        "kinds may be mixed"
    )
    assert (read([text]).calls or ())[0].id == "c1"


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": "I'd call f(a=1)."},
        {"role": "assistant", "content": None, "tool_calls": None},
        {"role": "assistant", "tool_calls": []},
        {"role": "user", "content": '[{"name": "f", "arguments": {}}]'},
        {"content": "x", "tool_calls": None},
    ],
)
def test_a_message_without_calls_holds_none(message: Any) -> None:
    assert calls(message) == calls([message]) == []
    assert evaluate("tool_call_args", output=message, expected=[]).score == 1.0


def test_messages_carry_calls_text_and_groups() -> None:
    entry = {"id": "1", "function": {"name": "f", "arguments": "{}"}}
    other = {"id": "2", "function": {"name": "g", "arguments": "{}"}}
    history = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "u"},
        {"role": "assistant", "tool_calls": [entry, other]},
        {"role": "tool", "tool_call_id": "2", "content": "[1]"},
        {"role": "assistant", "content": "done"},
    ]
    trace = read(history)
    first, second = trace.calls or ()
    assert (first.name, second.name, trace.text) == ("f", "g", "done")
    assert first.group is not None
    assert first.group == second.group
    assert (first.output, second.output) == (None, "[1]")
    lone = read([{"role": "assistant", "tool_calls": [entry]}]).calls or ()
    assert lone[0].group is None
    assert (
        evaluate("tool_call_order", output=[{"name": "g"}, {"name": "f"}], expected=history[2]).score == 1.0
    )


def history(*entries: tuple[str, str, Any]) -> list[Any]:
    """One assistant message for each (id, name, arguments)."""
    return [
        {"role": "assistant", "tool_calls": [{"id": id_, "function": {"name": name, "arguments": arguments}}]}
        for id_, name, arguments in entries
    ]


SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}


@pytest.mark.parametrize(
    "item",
    [
        {"type": "function", "function": {"name": "search", "description": "Finds.", "parameters": SCHEMA}},
        {"name": "search", "description": "Finds.", "parameters": SCHEMA},
        {"name": "search", "description": "Finds.", "inputSchema": SCHEMA},
        {"usage": {"total_tokens": 5}},
        {"contentBlockStart": {"start": {"toolUse": {"toolUseId": "t", "name": "f"}}}},
        {"agent": {"messages": [{"type": "ai", "content": "", "tool_calls": []}]}},
        {"state": {"messages": [{"role": "user", "content": "x"}]}},
    ],
    ids=str,
)
def test_definitions_and_wrappers_are_no_calls(item: dict[str, Any]) -> None:
    for source in (item, [item], json.dumps(item).encode()):
        with pytest.raises(CallError):
            read(source)


def test_a_message_with_a_name_is_no_call_of_that_name() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "hi", "name": "ines"},
        {"role": "assistant", "name": "bot", "content": None, "tool_calls": [call]},
        {"role": "tool", "name": "f", "tool_call_id": "c1", "content": "x"},
        {"role": "assistant", "name": "bot", "content": "done"},
    ]
    trace = read(messages)
    assert (trace.format, trace.text) == ("openai_chat", "done")
    assert [(made.name, made.output) for made in trace.calls or ()] == [("f", "x")]


@pytest.mark.parametrize("role", ["assistant", "user", "tool", "model"])
@pytest.mark.parametrize("key", ["arguments", "args", "parameters"])
def test_a_message_that_holds_arguments_is_refused_whoever_could_read_it(role: str, key: str) -> None:
    for message in (
        {"role": role, "name": "f", key: {"a": 1}},
        {"role": role, "content": "x", key: {"a": 1}},
    ):
        with pytest.raises(CallError):
            read([message])


def test_in_a_history_the_same_call_seen_again_is_one_call() -> None:
    assert calls(history(("1", "f", "{}"), ("1", "f", "{}"))) == [("f", {})]
    assert calls(history(("1", "f", '{"a": 1}'), ("2", "g", "{}"), ("1", "f", '{"a":1.0}'))) == [
        ("f", {"a": 1}),
        ("g", {}),
    ]
    assert len(calls(history(("1", "f", "{"), ("1", "f", "{")))) == 1, "unreadable arguments do not differ"


@pytest.mark.parametrize("again", [("1", "g", "{}"), ("1", "f", '{"a": 2}')])
def test_a_reused_id_is_another_call_with_a_warning(again: tuple[str, str, Any]) -> None:
    source = history(("1", "f", "{}"), again)
    assert len(calls(source)) == 2
    result = evaluate("tool_call_args", output=source, expected=[])
    assert any("'1'" in warning for warning in result.warnings)


def test_without_an_id_nothing_is_merged() -> None:
    assert len(calls(history(("", "f", "{}"), ("", "f", "{}")))) == 2


def test_the_answer_to_a_reused_id_goes_to_the_call_before_it() -> None:
    first, second = history(("1", "f", "{}"), ("1", "g", "{}"))
    answers = [{"role": "tool", "tool_call_id": "1", "content": text} for text in ("A", "B")]
    found = read([first, answers[0], second, answers[1]]).calls or ()
    assert [(call.name, call.output) for call in found] == [("f", "A"), ("g", "B")]


def test_in_one_plain_list_an_id_merges_nothing() -> None:
    plain = [{"id": "1", "name": "f", "arguments": {}}] * 2
    openai = [{"id": "1", "function": {"name": "f", "arguments": "{}"}}] * 2
    assert len(calls(plain)) == len(calls(openai)) == 2


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {"a": 1}}]},
        {"role": "assistant", "content": [{"functionCall": {"name": "f", "args": {"a": 1}}}]},
        {"role": "assistant", "function_call": {"name": "f", "arguments": '{"a": 1}'}},
        {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"a": 1}}}]},
        {"role": "assistant", "name": "f", "arguments": {"a": 1}},
        {"role": "assistant", "tool_calls": {"name": "f"}},
        {"role": "assistant", "tool_calls": "f"},
        {"role": "assistant", "tool_calls": [5]},
        {"role": "assistant", "tool_calls": [{"name": "f", "argz": {"a": 1}}]},
        {"role": "assistant", "tool_calls": [{"function": {"name": "f", "argument": {"a": 1}}}]},
        {"role": "assistant", "function_call": {"name": "f", "argument": {"a": 1}}},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "inputs": {"a": 1}}]},
        {"role": "model", "parts": [{"functionCall": {"name": "f", "arg": {"a": 1}}}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "1", "name": "f", "inputs": {"a": 1}}}]},
        {"type": "tool_use", "id": "1", "name": "f", "inputs": {"a": 1}},
        {"type": "function_call", "call_id": "1", "name": "f", "argument": {"a": 1}},
        {"toolUse": {"toolUseId": "1", "name": "f", "input": {"a": 1}}},
        {"functionCall": {"name": "f", "args": {"a": 1}}},
    ],
    ids=str,
)
def test_an_unknown_shape_is_an_error_or_its_call_but_never_no_call(message: Any) -> None:
    try:
        found = calls([message])
    except DataError:
        return
    assert [name for name, _ in found] == ["f"]
    assert found[0][1] == {"a": 1}


def test_a_flat_call_is_read_without_arguments_and_says_so() -> None:
    trace = read([{"name": "f", "q": 1, "limit": "5", "id": "c1"}])
    assert [(call.name, call.arguments) for call in trace.calls or ()] == [("f", {})]
    assert trace.warnings == ("trace[0]: no field of arguments, and 'q', 'limit' are not read as such",)
    assert read([{"name": "f", "id": "c1", "status": "ok"}, {"f": {"q": 1}}]).warnings == ()
