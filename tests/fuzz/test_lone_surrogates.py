"""Half of a character anywhere in a row, in options or in tools: an error of the family or a result, and nothing else."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rightcall import RightcallError, evaluate, evaluate_cases
from rightcall.app.cli.root import run as main
from rightcall.core.matcher import MATCHERS

HALF = "\ud800"
EXAMPLES = {name: MATCHERS.get(name).declaration.example for name in MATCHERS.ids()}
TOOLS = [
    {
        "name": "f",
        "description": "says so",
        "parameters": {
            "type": "object",
            "properties": {"x": {"type": "string", "enum": ["a"], "default": "d", "pattern": "^a"}},
            "required": ["x"],
            "$defs": {"s": {"const": "c"}},
        },
    }
]
ROWS: dict[str, dict[str, Any]] = {
    "plain": {
        "id": "i",
        "tool_calls": [
            {
                "name": "f",
                "arguments": {"x": "a", "deep": [{"k": "v"}]},
                "id": "c",
                "group": "g",
                "output": "o",
            },
            {"name": "g", "arguments": '{"x": 1}', "error": "e", "status": "ok", "span_id": "s"},
        ],
        "expected_tool_calls": [
            {"name": "f", "arguments": {"x": "a", "deep": [{"k": "v"}]}, "group": "h", "output": "o"},
            {"name": "g", "arguments": '{"x": 2}', "options": {"ignore": ["/x"], "unicode": "NFC"}},
        ],
        "tools": TOOLS,
        "input": "what",
        "output": "said",
        "tags": ["t"],
        "cluster": "c",
        "metadata": {"m": "v"},
        "forbidden": ["a*", {"name": "b", "arguments": {"x": "y"}}],
        "expected_counts": {"f": [">=", 1]},
    },
    "matchers": {
        "tool_calls": [{"name": "f", "arguments": dict.fromkeys(EXAMPLES, "a")}],
        "expected": [{"name": "f", "arguments": EXAMPLES, "optional": True}],
    },
    "ways": {
        "tool_calls": [{"name": "f", "arguments": {"x": "a"}}],
        "expected": [
            {"name": "f", "arguments": {"x": "b"}, "alternatives": [{"name": "g", "arguments": {"x": "a"}}]},
            {"name": "h", "accepted": {"x": ["a", {"b": ["c"]}]}},
        ],
    },
    "paths": {"tool_calls": [{"name": "f"}], "expected_any_of": [[{"name": "f"}], [{"name": "g"}]]},
    "accepted": {"tool_calls": [{"name": "f"}], "expected_any": [{"f": {"x": ["a", ""]}}]},
    "messages": {
        "messages": [
            {"role": "user", "content": "hi"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": "1", "content": "o"},
        ],
        "expected": [{"name": "f"}],
    },
}
OPTIONS: dict[str, Any] = {
    "args": "exact",
    "numeric_tolerance": {"/x": 0.1},
    "coerce_types": ["/x"],
    "unordered": ["/x"],
    "unicode": {"/x": "NFC"},
    "ignore": ["/x"],
    "per_tool": {"f": {"ignore_case": ["/x"]}},
    "name_map": {"a": "b"},
    "strip_name_prefix": "p_",
    "matchers": "auto",
    "forbidden": ["x*", {"name": "f", "arguments": {"x": {"$regex": "a"}}}],
    "expected_counts": {"f": 1},
    "matching": "optimal",
    "tool_call_accuracy": {"ignore": ["/x"]},
}


def spoiled(value: Any) -> Iterator[Any]:
    """Copies of a value, each with half of a character in one of its texts or keys."""
    if isinstance(value, str):
        yield HALF
        yield value + HALF
    elif isinstance(value, dict):
        for key, item in value.items():
            for worse in spoiled(item):
                yield {**value, key: worse}
            yield {(key + HALF if other == key else other): each for other, each in value.items()}
    elif isinstance(value, list):
        for index, item in enumerate(value):
            for worse in spoiled(item):
                yield [*value[:index], worse, *value[index + 1 :]]


GOOD = {"id": "good", "tool_calls": [{"name": "f"}], "expected": [{"name": "f"}]}


@pytest.mark.parametrize("name", ROWS)
def test_a_row_is_an_error_of_its_own_at_most(name: str) -> None:
    for row in spoiled(ROWS[name]):
        run = evaluate_cases([copy.deepcopy(row), GOOD], suite="everything", ignore_case=True)
        assert [case.id for case in run][1] == "good", row
        assert run.results[1].of("tool_call_args").score == 1.0
        msgspec.json.encode([result.as_dict() for result in run.results[0].results])


@pytest.mark.parametrize("name", ROWS)
def test_a_file_of_such_rows_is_run_to_its_end(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [*spoiled(ROWS[name])]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in [*rows, GOOD]))
    out = tmp_path / "out"
    asked = ["--suite", "everything", "--option", "ignore_case=true", "--out", str(out)]
    assert main(["run", str(file), *asked]) in (1, 3)
    assert "a fault in rightcall" not in capsys.readouterr().err
    lines = (out / "results.jsonl").read_text().splitlines()
    assert len({str(json.loads(line)["row"]) for line in lines}) == len(rows) + 1


def test_an_option_is_refused_or_does_no_harm() -> None:
    sides: dict[str, Any] = {"output": [{"name": "f", "arguments": {"x": "a"}}], "expected": [{"name": "f"}]}
    for options in spoiled(OPTIONS):
        try:
            evaluate(suite="everything", **sides, tools=TOOLS, **options)
        except RightcallError as error:
            str(error).encode()


def test_tools_are_refused_or_do_no_harm() -> None:
    sides: dict[str, Any] = {"output": [{"name": "f", "arguments": {"x": "a"}}], "expected": [{"name": "f"}]}
    for tools in spoiled(TOOLS):
        choices: list[dict[str, Any]] = [{}, {"schema_defaults": True}]
        for options in choices:
            try:
                evaluate(suite="everything", **sides, tools=tools, **options)
            except RightcallError as error:
                str(error).encode()
