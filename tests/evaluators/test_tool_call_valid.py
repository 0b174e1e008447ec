"""tool_call_valid on ordinary schemas, in every form in which tools are offered."""

from __future__ import annotations

import math
import socket
import threading
from typing import Any

import pytest

from rightcall import DataError, evaluate, evaluate_cases

pytest.importorskip("jsonschema_rs")

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
FORMS: dict[str, Any] = {
    "bare": {"name": "f", "parameters": SCHEMA},
    "openai": {"type": "function", "function": {"name": "f", "parameters": SCHEMA}},
    "anthropic": {"name": "f", "input_schema": SCHEMA},
    "mcp": {"name": "f", "inputSchema": SCHEMA},
    "gemini": {"functionDeclarations": [{"name": "f", "parameters": SCHEMA}]},
    "gemini in capitals": {
        "function_declarations": [
            {
                "name": "f",
                "parameters": {"type": "OBJECT", "properties": {"n": {"type": "INTEGER"}}, "required": ["n"]},
            }
        ]
    },
    "bedrock": {"toolSpec": {"name": "f", "inputSchema": {"json": SCHEMA}}},
}


def valid(arguments: Any, schema: Any = SCHEMA, name: str = "f") -> Any:
    tools = [{"name": "f", "parameters": schema}]
    return evaluate("tool_call_valid", output=[{"name": name, "arguments": arguments}], tools=tools)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_tool(form: str) -> None:
    for tools in ([FORMS[form]], FORMS[form], {"tools": [FORMS[form]]}):
        made = [{"name": "f", "arguments": {"n": 1}}, {"name": "f", "arguments": {"n": "1"}}, {"name": "f"}]
        assert evaluate("tool_call_valid", output=made, tools=tools).score == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("arguments", "schema", "score"),
    [
        ({"n": 1}, SCHEMA, 1.0),
        ({"n": 1.0}, SCHEMA, 1.0),  # one kind of number: 1.0 is an integer
        ({"n": True}, SCHEMA, 0.0),
        ({"n": None}, SCHEMA, 0.0),
        ({"n": 2**70}, SCHEMA, 1.0),
        ({"n": 10**400}, SCHEMA, 1.0),
        ({"n": 1, "more": 2}, SCHEMA, 1.0),
        ({"n": 1, "more": 2}, {**SCHEMA, "additionalProperties": False}, 0.0),
        ({"d": "not a date"}, {"properties": {"d": {"format": "date"}}}, 1.0),
        ({"d": "é"}, {"properties": {"d": {"maxLength": 1}}}, 1.0),
        (
            {"a": [1, "x"]},
            {"properties": {"a": {"prefixItems": [{"type": "integer"}, {"type": "integer"}]}}},
            0.0,
        ),
        (
            {"a": [1, "x"]},
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "properties": {"a": {"prefixItems": [{"type": "integer"}, {"type": "integer"}]}},
            },
            1.0,
        ),
        (
            {"a": {"b": 1}},
            {"$defs": {"x": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/x"}}},
            0.0,
        ),
        ({"a": 1}, {}, 1.0),
        ({"a": 1}, None, 1.0),
        ("{", SCHEMA, 0.0),
        ("[1]", SCHEMA, 0.0),
        ('{"n": 1}', SCHEMA, 1.0),
    ],
    ids=str,
)
def test_a_call_satisfies_its_schema_or_not(arguments: Any, schema: Any, score: float) -> None:
    result = valid(arguments, schema)
    assert result.score == score
    assert (result.details.differences == ()) == (score == 1.0)


def test_an_unknown_tool_is_named_with_its_neighbour() -> None:
    result = valid({}, name="ff")
    assert result.score == 0.0
    assert [item.kind for item in result.details.differences] == ["unknown_tool"]
    result = evaluate("tool_call_valid", output=[{"name": "get_wether"}], tools=[{"name": "get_weather"}])
    assert "get_weather" in result.reason


def test_a_violation_names_its_place() -> None:
    schema = {"properties": {"a/b": {"items": {"type": "string"}}}}
    (found,) = valid({"a/b": ["x", 5]}, schema).details.differences
    assert found.path == "/a~1b/1"
    assert found.actual_call == 0


@pytest.mark.parametrize(
    "schema", [{"type": "nonsense"}, {"type": 5}, {"pattern": "("}, {"$ref": "#/nowhere"}], ids=str
)
def test_a_schema_that_is_none_is_an_error_of_its_case(schema: Any) -> None:
    with pytest.raises(DataError):
        valid({"n": 1}, {"properties": {"n": schema}} if "$ref" not in schema else schema)
    rows = [
        {"tool_calls": [{"name": "f", "arguments": {"n": 1}}], "tools": [{"name": "f", "parameters": wanted}]}
        for wanted in ({"properties": {"n": schema}} if "$ref" not in schema else schema, SCHEMA)
    ]
    statuses = [case.of("tool_call_valid").status for case in evaluate_cases(rows, "tool_call_valid")]
    assert statuses == ["error", "scored"]


@pytest.mark.parametrize(
    "tools", [5, "x", [5], [{}], [{"name": ""}], [{"name": "f", "parameters": 5}], [{"schema": {}}]]
)
def test_tools_of_an_unknown_form_are_an_error(tools: Any) -> None:
    with pytest.raises(DataError):
        evaluate("tool_call_valid", output=[{"name": "f"}], tools=tools)


def test_a_schema_never_opens_a_connection() -> None:
    # The schema comes from the data, and scoring is pure: a $ref to elsewhere is an error, not a request.
    reached = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(2.0)

        def answer() -> None:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            reached.set()
            connection.close()

        waiting = threading.Thread(target=answer)
        waiting.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"
        try:
            with pytest.raises(DataError):
                valid({"n": 1}, {"$ref": url})
        finally:
            if not reached.is_set():
                socket.create_connection(server.getsockname()).close()
                ours = True
            else:
                ours = False
            waiting.join()
    assert ours, "the evaluator fetched the schema"


def test_a_schema_never_opens_a_file(tmp_path: Any) -> None:
    file = tmp_path / "schema.json"
    file.write_text('{"type": "object"}')
    with pytest.raises(DataError):
        valid({"n": 1}, {"$ref": file.as_uri()})


def test_what_is_no_json_number_is_named_as_itself() -> None:
    schema = {"properties": {"n": {"type": "number"}, "o": {"type": "null"}, "l": {"type": "string"}}}
    result = valid({"n": math.inf, "o": math.nan, "l": [1, -math.inf]}, schema)
    told = {item.path: item.message for item in result.details.differences}
    assert result.score == 0.0
    assert told["/n"] == "f: n is inf, which is no JSON number"
    assert told["/o"] == "f: o is nan, which is no JSON number"
    assert told["/l/1"] == "f: l/1 is -inf, which is no JSON number"
    assert "/l" not in told  # its message would have to quote null


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "nonsense"}, r"'anyOf' keyword, at /properties/n/type"),
        ({"pattern": "("}, r"is not a \"regex\" \(missing \), unterminated subpattern"),
        ({"$ref": "https://example.org/x"}, "outside this schema"),
    ],
    ids=str,
)
def test_a_schema_that_is_none_is_told_in_one_line(schema: Any, words: str) -> None:
    with pytest.raises(DataError, match=words) as caught:
        valid({"n": 1}, {"properties": {"n": schema}})
    assert "\n" not in str(caught.value)
    wanted = [{"name": "f", "arguments": {"n": {"$schema": schema}}}]
    with pytest.raises(DataError) as caught:
        evaluate("tool_call_args", output=[{"name": "f", "arguments": {"n": 1}}], expected=wanted)
    assert "\n" not in str(caught.value)


def test_a_pattern_that_a_matcher_can_not_have_is_told_why() -> None:
    wanted = [{"name": "f", "arguments": {"n": {"$schema": {"pattern": "(?=a)b"}}}}]
    with pytest.raises(DataError, match="look-around"):
        evaluate("tool_call_args", output=[{"name": "f", "arguments": {"n": "ab"}}], expected=wanted)
    assert valid({"n": "ab"}, {"properties": {"n": {"pattern": "(?=a)a"}}}).score == 1.0
