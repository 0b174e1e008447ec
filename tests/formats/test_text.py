"""Calls in the text of a model: each style, what only looks like a call, and what stands around the calls."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest

from rightcall import CallError, DataError, Trace, read
from rightcall.core.arguments import read_arguments
from rightcall.errors import FormatError
from rightcall.run.intake.reading import read_calls
from rightcall.run.intake.traces import traces_of

OSLO = ("get_weather", {"city": "Oslo"})
BERGEN = ("get_weather", {"city": "Bergen"})
JSON = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'
MORE = '{"name": "get_weather", "arguments": {"city": "Bergen"}}'
SEPARATOR = "<｜tool▁sep｜>"
BEGIN, END = "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"


def told(trace: Trace) -> list[tuple[str, Any]]:
    return [(call.name, call.arguments) for call in trace.calls or ()]


def text(value: str, format: str = "auto") -> Trace:
    return read(value.encode(), format=format)


def problem(trace: Trace, index: int = 0) -> str:
    return read_arguments((trace.calls or ())[index].raw).problem or ""


def chat(*contents: tuple[str, Any], **more: Any) -> Trace:
    return read({"messages": [{"role": role, "content": content} for role, content in contents], **more})


def prefixed(value: str) -> str:
    """Tags with the namespace that some models write before their names."""
    return (
        value.replace("</", "</antml" + ":")
        .replace("<f", "<antml" + ":f")
        .replace("<i", "<antml" + ":i")
        .replace("<p", "<antml" + ":p")
    )


INVOKE = (
    '<function_calls>\n<invoke name="f">\n<parameter name="a">x</parameter>\n</invoke>\n</function_calls>'
)
STYLES = [
    ("hermes", f"<tool_call>{JSON}</tool_call>\n<tool_call>\n{MORE}\n</tool_call>", [OSLO, BERGEN]),
    ("hermes", f"<tool_call>\n[{JSON}, {MORE}]\n</tool_call>", [OSLO, BERGEN]),
    ("hermes", f"<tool_call>{JSON}<|im_end|>", [OSLO]),
    ("hermes", f"<tool_call>{JSON}\n<tool_call>{MORE}", [OSLO, BERGEN]),
    ("hermes", "<tool_call>{'name': 'f', 'arguments': {'a': True, 'b': None}}</tool_call>", [("f", {"a": True, "b": None})]),
    ("hermes", "<tool_call>{\"arguments\": {'a': 1}, \"name\": 'f'}</tool_call>", [("f", {"a": 1})]),
    ("hermes", '<tool_call>{"name": "f", "arguments": {"a": "</tool_call>"}}</tool_call>', [("f", {"a": "</tool_call>"})]),
    ("hermes", '<tool_call>{"name": "f"}</tool_call>', [("f", {})]),
    ("llama_function_tag", '<function=f>{"a": 1}</function><function=g></function>', [("f", {"a": 1}), ("g", {})]),
    ("llama_function_tag", '<function=f>{"a": "</function>"}<|eom_id|>', [("f", {"a": "</function>"})]),
    ("qwen_coder", "<tool_call>\n<function=f>\n</function>\n</tool_call>", [("f", {})]),
    ("qwen_coder", "<function=f><parameter=a>x\n\ny\n</parameter><parameter=b>z", [("f", {"a": "x\n\ny", "b": "z"})]),
    ("invoke_xml", '<invoke name="f"><parameter name="a">x < y</parameter></invoke><invoke name="g"></invoke>', [("f", {"a": "x < y"}), ("g", {})]),
    ("invoke_xml", INVOKE, [("f", {"a": "x"})]),
    ("invoke_xml", prefixed(INVOKE), [("f", {"a": "x"})]),
    ("python_tag", f"<|python_tag|>{JSON}; {MORE}<|eom_id|>", [OSLO, BERGEN]),
    ("python_tag", '<|python_tag|>search.call(query="Oslo")', [("search.call", {"query": "Oslo"})]),
    ("mistral_text", f"[TOOL_CALLS][{JSON}, {MORE}]</s>", [OSLO, BERGEN]),
    ("mistral_text", '[TOOL_CALLS]f[ARGS]{"a": 1}[TOOL_CALLS]g[CALL_ID]abcdefghi[ARGS]{}', [("f", {"a": 1}), ("g", {})]),
    ("mistral_text", 'Let me look.[TOOL_CALLS]f{"a": 1}', [("f", {"a": 1})]),
    ("granite", f"<|tool_call|>[{JSON}, {MORE}]", [OSLO, BERGEN]),
    ("granite", f"<function_call> {JSON} <function_call> {MORE}", [OSLO, BERGEN]),
    ("raven", "Call: f(a=1); g(b='x');<bot_end>\nThought: done", [("f", {"a": 1}), ("g", {"b": "x"})]),
    ("deepseek", f'{BEGIN}f{SEPARATOR}{{"a": 1}}{END}{BEGIN}g{SEPARATOR}{{}}{END}', [("f", {"a": 1}), ("g", {})]),
    ("react", "Action: f\nAction Input: {'a': 1}\nObservation: 2\nAction: g\nAction Input:\nObservation: 3", [("f", {"a": 1}), ("g", {})]),
    ("react", 'Action:\n```json\n{"action": "f", "action_input": {"a": 1}}\n```\nObservation: 2', [("f", {"a": 1})]),
]  # fmt: skip


@pytest.mark.parametrize(("style", "value", "calls"), STYLES)
def test_a_style_is_told_by_its_marks(style: str, value: str, calls: list[Any]) -> None:
    for trace in (
        text(value),
        text(value, style),
        chat(("user", "Hi"), ("assistant", value)),
        text(value, "model_text"),
    ):
        assert trace.format in (style, "model_text")
        assert told(trace) == calls
    groups = {call.group for call in text(value).calls or ()}
    assert groups == ({"message 1"} if len(calls) > 1 and style != "react" else {None})


@pytest.mark.parametrize(
    "value",
    [
        "Put the call between <tool_call> and </tool_call>.",
        "A <tool_call>{...}</tool_call> tag holds it.",
        "The <function=name> tag takes {}.",
        "Use [TOOL_CALLS] for that.",
        "<|python_tag|>import math\nprint(math.pi)",
        "Call: mom(cell) tomorrow",
        "Action: none so far.\nThe input is missing.",
        f"{BEGIN} comes before the name.",
        "<function_call> and <|tool_call|> are marks of Granite.",
        "<think>I could write <tool_call>" + JSON + "</tool_call> now.</think>Which city?",
        "<think>I never stop <tool_call>" + JSON + "</tool_call>",
    ],
)
def test_a_mark_that_is_mentioned_is_no_call(value: str) -> None:
    with pytest.raises(FormatError):
        text(value)
    trace = chat(("user", "How?"), ("assistant", value))
    assert trace.format == "openai_chat"
    assert trace.calls == ()
    assert text(value, "model_text").calls == ()


def test_only_the_agent_calls_and_real_calls_make_texts_a_mention() -> None:
    tagged = f"<tool_call>{JSON}</tool_call>"
    assert chat(("system", tagged), ("user", tagged), ("assistant", "No.")).calls == ()
    real = {
        "role": "assistant",
        "content": tagged,
        "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    }
    for messages in ([real], [{"role": "assistant", "content": tagged}, real]):
        trace = read({"messages": messages})
        assert trace.format == "openai_chat"
        assert told(trace) == [("f", {})]


def test_a_conversation_goes_on_through_answers_and_turns() -> None:
    messages = [
        {"role": "system", "content": "You may call tools."},
        {"role": "user", "content": "Oslo and Bergen?"},
        {
            "role": "assistant",
            "content": f"<think>two</think>Looking.<tool_call>{JSON}</tool_call><tool_call>{MORE}</tool_call>",
        },
        {
            "role": "user",
            "content": "<tool_response>\n7\n</tool_response>\n<tool_response>\n8\n</tool_response>",
        },
        {"role": "assistant", "content": "7 and 8."},
        {"role": "user", "content": "Oslo again?"},
        {"role": "assistant", "content": [{"type": "text", "text": f"<tool_call>{JSON}"}]},
        {"role": "tool", "content": "9"},
        {"role": "assistant", "content": "9."},
    ]
    for source in (
        {"id": "c-1", "messages": messages},
        messages,
        json.dumps(messages).encode(),
        "\n".join(map(json.dumps, messages)).encode(),
    ):
        trace = read(source)
        assert trace.format == "hermes"
        calls = trace.calls or ()
        assert told(trace) == [OSLO, BERGEN, OSLO]
        assert [call.output for call in calls] == ["7", "8", "9"]
        assert [call.turn for call in calls] == [0, 0, 1]
        assert calls[0].group == calls[1].group != calls[2].group
        assert [(turn.input, turn.text) for turn in trace.turns] == [
            ("Oslo and Bergen?", "7 and 8."),
            ("Oslo again?", "9."),
        ]
        assert trace.warnings == ()


def test_a_history_that_is_logged_again_adds_no_calls() -> None:
    ask, call = (
        {"role": "user", "content": "Oslo?"},
        {"role": "assistant", "content": f"<tool_call>{JSON}</tool_call>"},
    )
    logged = [
        {"messages": [ask, call]},
        {"messages": [ask, call, {"role": "tool", "content": "7"}, {"role": "assistant", "content": "7."}]},
    ]
    (trace,) = traces_of("\n".join(map(json.dumps, logged)).encode())
    assert told(trace) == [OSLO]
    assert trace.text == "7."


def test_training_data_and_responses_and_objects_hold_texts_too() -> None:
    tagged = f"<tool_call>{JSON}</tool_call>"
    turns = [
        {"from": "human", "value": "Oslo?"},
        {"from": "gpt", "value": tagged},
        {"from": "tool", "value": "<tool_response>7</tool_response>"},
        {"from": "gpt", "value": "7."},
    ]
    trace = read({"conversations": turns, "id": "s-1"})
    assert (trace.format, trace.id, told(trace), trace.text) == ("hermes", "s-1", [OSLO], "7.")
    assert (trace.calls or ())[0].output == "7"
    answer = {
        "object": "chat.completion",
        "id": "r-1",
        "choices": [{"message": {"role": "assistant", "content": tagged}}],
    }
    assert told(read(answer)) == [OSLO]
    assert [
        call.turn
        for call in read(
            [{"turn": 0, "step": 0, "text": tagged}, {"turn": 2, "step": 0, "text": tagged}]
        ).calls
        or ()
    ] == [0, 2]

    @dataclass
    class Message:
        role: str
        content: str

    assert told(read([Message("user", "Oslo?"), Message("assistant", tagged)])) == [OSLO]


TYPED = (
    "<tool_call>\n<function=book>\n<parameter=nights>\n3\n</parameter>\n<parameter=room>\n204\n</parameter>\n"
    "<parameter=flags>\n[True]\n</parameter>\n<parameter=late>\nmaybe\n</parameter>\n</function>\n</tool_call>"
)
SCHEMA = {
    "type": "object",
    "properties": {
        "nights": {"type": ["integer", "null"]},
        "room": {"type": "string"},
        "flags": {"anyOf": [{"type": "array"}, {"type": "null"}]},
        "late": {"type": "boolean"},
    },
}


def test_mere_texts_take_their_types_from_the_offered_tools() -> None:
    invoked = (
        TYPED.replace("<tool_call>\n", "")
        .replace("\n</tool_call>", "")
        .replace("<function=book>", '<invoke name="book">')
        .replace("</function>", "</invoke>")
    )
    for key in ("nights", "room", "flags", "late"):
        invoked = invoked.replace(f"<parameter={key}>", f'<parameter name="{key}">')
    tools = [{"type": "function", "function": {"name": "book", "parameters": SCHEMA}}]
    for value in (TYPED, invoked):
        trace = chat(("user", "Book."), ("assistant", value), tools=tools)
        assert told(trace) == [("book", {"nights": 3, "room": "204", "flags": [True], "late": "maybe"})]
        assert "'late'" in trace.warnings[0]
        bare = text(value)
        assert told(bare) == [("book", {"nights": "3", "room": "204", "flags": "[True]", "late": "maybe"})]
        assert "'nights', 'room', 'flags'" in bare.warnings[0]
        assert "late" not in bare.warnings[0]


def test_what_is_broken_keeps_its_name_and_says_why() -> None:
    trace = text('<tool_call>{"name": "f", "arguments": {"a": }}</tool_call>')
    assert told(trace) == [("f", None)]
    assert "character" in problem(trace)
    cut = text('<tool_call>{"name": "f", "arguments": {"a": "x')
    assert told(cut) == [("f", None)]
    assert told(text('<function=f>{"a": }</function>')) == [("f", None)]
    assert told(text("Action: f\nAction Input: the weather in Oslo")) == [("f", None)]


@pytest.mark.parametrize(
    "body",
    ['{"arguments": {"a": 1}}', '{"name": "", "arguments": {}}', '{"name": "f", "argumens": {"a": 1}}'],
)
def test_a_tag_without_a_name_or_with_a_misspelled_field_is_an_error_with_its_place(body: str) -> None:
    for source, place in (
        (f"<tool_call>{body}</tool_call>".encode(), "trace"),
        (
            {
                "messages": [
                    {"role": "user", "content": "x"},
                    {"role": "assistant", "content": f"<tool_call>{body}</tool_call>"},
                ]
            },
            "messages[1].content",
        ),
    ):
        with pytest.raises(CallError) as caught:
            read(source)
        assert place in (caught.value.field or "")


def test_react_keeps_observations_and_the_final_answer() -> None:
    trace = text(
        'Thought: x\nAction: f\nAction Input: {"a": 1}\nObservation: 7\nThought: y\nFinal Answer: It is 7.'
    )
    assert [(call.name, call.output) for call in trace.calls or ()] == [("f", "7")]
    assert trace.text == "It is 7."


PYTHON = [
    ("[f(a=1), ns.g(b='x')]", [("f", {"a": 1}), ("ns.g", {"b": "x"})]),
    ("f(a=1), g()", [("f", {"a": 1}), ("g", {})]),
    ("f(a=1);\ng(b=2);", [("f", {"a": 1}), ("g", {"b": 2})]),
    ("[\"f(a='x')\", 'g()']", [("f", {"a": "x"}), ("g", {})]),
    ("'f(a=\"x\")'", [("f", {"a": "x"})]),
    ("['f'(a=1)]", [("f", {"a": 1})]),
    (r"[solve\_it(x\_1='a\_b')]", [("solve_it", {"x_1": "a_b"})]),
    ("[f(a=1, # the first\n b=2)]  # done", [("f", {"a": 1, "b": 2})]),
    ("f(a=2 * 3.5, b=-5, c=10**2, d=7 // 2, e='x' + 'y', g=-2**2, h=1_000)", [("f", {"a": 7.0, "b": -5, "c": 100, "d": 3, "e": "xy", "g": -4, "h": 1000})]),
    ("f(a=(1, (2,)), b={'k': [True, None]}, c={}, d=())", [("f", {"a": [1, [2]], "b": {"k": [True, None]}, "c": {}, "d": []})]),
    ("f(a='it\\'s', b=\"\"\"x\n\"y\" \"\"\", c=r'\\d', d='a' 'b', e='\\u00e9')", [("f", {"a": "it's", "b": 'x\n"y" ', "c": r"\d", "d": "ab", "e": "é"})]),
    ("f(a=true, b=null, c=10L, d={key: 1})", [("f", {"a": True, "b": None, "c": 10, "d": {"key": 1}})]),
    ("f(**{'a': 1}, b=2)", [("f", {"a": 1, "b": 2})]),
    ("```python\n[f(a=1)]\n```\nThis calls f.", [("f", {"a": 1})]),
    ("Sure:\n```\nf(a=1)\n```", [("f", {"a": 1})]),
    ("[f(a=1)]\n\nThis line calls f(b=2).", [("f", {"a": 1})]),
    ("[f(a=1)]\n[g(b=2)]", [("f", {"a": 1}), ("g", {"b": 2})]),
    ("[{'name': 'f', 'parameters': {'a': 1}}]", [("f", {"a": 1})]),
    ("größe(länge=1)", [("größe", {"länge": 1})]),
    ("[]", []),
]  # fmt: skip


@pytest.mark.parametrize(("value", "calls"), PYTHON)
def test_calls_as_python_writes_them(value: str, calls: list[Any]) -> None:
    for trace in (
        text(value, "python_calls"),
        text(value, "model_text"),
        read_calls(value, place="calls", format="python_calls"),
    ):
        assert told(trace) == calls
    if calls:
        (line,) = traces_of(json.dumps({"id": "x_1", "result": value}).encode())
        assert (line.format, line.id, told(line)) == ("bfcl", "x_1", calls)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("f('Oslo')", "positional"),
        ("f(city, a=1)", "positional"),
        ('f({"city": "Oslo"})', "positional"),
        ("f(a=dict(b=1))", "a call as a value"),
        ("f(a=datetime(2024, 1, 2))", "a call as a value"),
        ("f(a=math.pi)", "a name with a dot"),
        ("f(a={1, 2})", "a key that is no text"),
        ("f(a={'x', 'y'})", "no colon"),
        ("f(a=x[0])", "an index"),
        ("f(a=[x for x in y])", "no comma"),
        ("f(a=New York)", "no comma"),
        ("f(a=1, a=2)", "given twice"),
        ("f(a=05)", "leading zero"),
        ("f(a=2**99999999)", "too large"),
        ("f(a=9**9**9)", "too large"),
        ("f(a=1/0)", "without a result"),
        ("f(a='x' * 9)", "something else than numbers"),
        ("f(a=__import__('os').system('true'))", "a call as a value"),
        ("f(a=lambda: 1)", "no comma"),
        ("[f(a=1, b='x", "cut off"),
    ],
)
def test_what_python_would_have_to_run_is_kept_as_text_with_the_reason(value: str, reason: str) -> None:
    trace = text(value, "python_calls")
    assert told(trace) == [("f", None)]
    assert reason in problem(trace)
    assert (trace.calls or ())[0].raw.value == value.strip("[]f")  # type: ignore[union-attr]


def test_odd_and_readable_is_warned_of() -> None:
    trace = text("[f(a=vegan)", "python_calls")
    assert told(trace) == [("f", {"a": "vegan"})]
    assert "vegan" in trace.warnings[0]
    assert "not closed" in trace.warnings[1]


@pytest.mark.parametrize(
    "value",
    [
        "I can call get_stock_level(sku, warehouse) for you.",
        "get_stock_level(sku='x') is what I would call.",
        "[get_stock_level(sku='x')] is what I would call.",
        "Sure (I will).",
        "To do so:\n```python\nimport f\nf.run(a=1)\n```",
        "```json\n{'a': 1}\n```",
        "[1, 2]",
        "",
        "name\nanother line {}",
        '["a", "b"]',
    ],
)
def test_prose_is_no_call_where_it_is_named(value: str) -> None:
    for name in ("python_calls", "name_then_json", "model_text"):
        try:
            trace = read_calls(value, place="calls", format=name)
        except CallError:
            continue
        assert trace.calls == ()
    with pytest.raises(CallError):
        read_calls(value, place="calls")


def test_a_list_that_goes_on_as_something_else_is_an_error() -> None:
    with pytest.raises(CallError, match="goes on as something else"):
        text("[f(a=1) + g(b=2)]", "python_calls")


def test_other_styles_without_marks() -> None:
    assert told(text('f\n{"a": 1}\ng\n{}', "name_then_json")) == [("f", {"a": 1}), ("g", {})]
    assert told(text(f"First:\n```json\n{JSON}\n```\nthen\n```json\n[{MORE}]\n```", "fenced_json")) == [
        OSLO,
        BERGEN,
    ]
    assert told(text(JSON, "fenced_json")) == [OSLO]
    assert told(text('{"tool_calls": [' + JSON + "]}", "model_text")) == [OSLO]
    assert text("```json\n[1]\n```", "fenced_json").calls == ()


def test_bfcl_lines() -> None:
    nested = {"id": "m_1", "result": [["[f(a=1)]", "Done."], [[{"g": {"b": 2}}]], ["Hello."]]}
    (trace,) = traces_of(nested, "bfcl")
    assert told(trace) == [("f", {"a": 1}), ("g", {"b": 2})]
    prose = [
        {"id": "a", "result": "I can't."},
        {"id": "b", "result": []},
        {"id": "c", "result": [{"f": "{}"}]},
    ]
    traces = traces_of(json.dumps(prose).encode())
    assert [(one.id, told(one)) for one in traces] == [("a", []), ("b", []), ("c", [("f", {})])]
    wrong: list[Any] = [[{"f": 1}], [{"f": {}, "g": {}}], [5], 5]
    for result in wrong:
        with pytest.raises(DataError):
            read({"id": "x", "result": result}, format="bfcl")


@pytest.mark.parametrize(
    "value",
    [
        *("<tool_call>{" * 40_000, "<tool_call>{</tool_call>" * 30_000, "[TOOL_CALLS][" * 40_000, "<function=f>{" * 40_000),
        *("<function=f><parameter=a>" * 20_000, '<invoke name="f">' * 20_000, "Call: f(" * 40_000, "Action:\n```{" * 40_000),
        *("Action: f\nAction Input: {" * 20_000, BEGIN * 20_000 + "f{", "f(a=" * 60_000, "[" * 200_000, "f(a='" + "\\" * 200_000),
        *("f\n{" * 60_000, "```" * 60_000, "```\n[f(a=1)" * 20_000, "'" * 200_000, "f(a=" + "-" * 100_000, "f(a=1**" * 30_000, "#" * 200_000),
        *("<|python_tag|>{" * 40_000, "<think>" * 50_000, "f(a=" + "(" * 100_000, "['" * 60_000, "\n " * 100_000, "f(a=1)," * 30_000),
        *("f(" * 100_000, "[f(a=b(" * 20_000, "<function_call> {" * 40_000, '"\\' * 100_000, "{'a':" * 40_000),
    ],
    ids=lambda value: value[:20],
)  # fmt: skip
def test_hostile_texts_end_in_time(value: str) -> None:
    for name in ("model_text", "hermes", "react", "raven", "mistral_text", "python_tag", "auto"):
        before = time.process_time()
        try:
            read_calls(value, place="calls", format=name)
        except DataError as error:
            str(error).encode()
        assert time.process_time() - before < 2, name


BROKEN = [
    *(
        "Action: f\nAction Input: {\n",
        "Action: f\n",
        "Action:\n```json\n{\n",
        "Call: f(\n",
        "Call: f([\n",
        "<tool_call>{",
    ),
    *(
        '<tool_call>{"name": "f"}',
        "[TOOL_CALLS] [{",
        "<|python_tag|>f(",
        "<function=f>{",
        '<invoke name="f">',
    ),
    *(f"{BEGIN}f{SEPARATOR}{{", "<function_call> {", "<tool_call><function=f><parameter=a>", "f\n{\n"),
]


@pytest.mark.parametrize("mark", BROKEN)
def test_twenty_thousand_broken_calls_take_no_longer_than_their_length(mark: str) -> None:
    started = time.perf_counter()
    said = {"role": "assistant", "content": mark * 20_000}
    for form in ("auto", "model_text"):
        with suppress(DataError):
            read(json.dumps(said).encode(), format=form)
    assert time.perf_counter() - started < 8


def test_a_long_text_of_honest_steps_is_read_in_one_pass() -> None:
    step = 'Thought: hm\nAction: f\nAction Input: {"a": 1}\nObservation: fine\n'
    started = time.perf_counter()
    assert len(text(step * 4000).calls or ()) == 4000
    assert time.perf_counter() - started < 1.5


GLM = "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>"


@pytest.mark.parametrize("form", ["auto", "glm", "model_text"])
def test_the_calls_of_glm_are_read(form: str) -> None:
    trace = text(f"I look it up.\n{GLM}\n{GLM.replace('Oslo', 'Bergen')}", form)
    assert told(trace) == [OSLO, BERGEN]
    assert trace.text == "I look it up."
    message = {"messages": [{"role": "assistant", "content": GLM}]}
    assert told(read(json.dumps(message).encode())) == [OSLO]


def test_a_call_of_glm_without_arguments_and_one_that_was_cut_off() -> None:
    assert told(text("<tool_call>now\n</tool_call>", "glm")) == [("now", {})]
    (cut,) = text("<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Os", "glm").calls or ()
    assert read_arguments(cut.raw).value is None


UNREAD = [
    "<tool_call>get_weather(city='Oslo')</tool_call>",
    '<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>',
    '<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>',
]


@pytest.mark.parametrize("said", UNREAD)
def test_marks_of_a_call_that_no_style_reads_are_told(said: str) -> None:
    trace = read(
        json.dumps([{"role": "user", "content": "hi"}, {"role": "assistant", "content": said}]).encode()
    )
    assert trace.calls == ()
    assert "no call could be read" in trace.warnings[0]


def test_a_mention_of_the_marks_is_not_told() -> None:
    for said in ("Write <tool_call>...</tool_call>.", "Write <tool_call></tool_call>.", "a < b, <b>c</b>"):
        assert read(json.dumps([{"role": "assistant", "content": said}]).encode()).warnings == ()
