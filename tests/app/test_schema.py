"""The schema that editors are given takes what the reader takes, and marks what is misspelled."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rightcall import ExpectationError, UsageError
from rightcall.core.matcher import MATCHERS
from rightcall.core.options import CALL_OPTIONS, parse_call_options
from rightcall.core.types import Source
from rightcall.run.golden.editor_schema import expectation_schema
from rightcall.run.rows import case_from_line
from rightcall.run.sets import EVALUATORS

ROOT = Path(__file__).parents[2]
F = {"name": "f", "arguments": {"a": 1}}


@cache
def validator() -> Any:
    schema = json.loads(json.dumps(expectation_schema()))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def faults(row: dict[str, Any]) -> list[str]:
    return [error.message for error in validator().iter_errors(row)]


def is_read(row: dict[str, Any]) -> bool:
    try:
        case_from_line(json.dumps({"tool_calls": [], **row}).encode(), row=0, source=Source())
    except ExpectationError:
        return False
    return True


@pytest.mark.parametrize("file", ["examples/travel/cases.jsonl", "tests/cases/contract.jsonl"])
def test_rows_of_examples_and_of_the_contract_are_fine(file: str) -> None:
    rows = [json.loads(line) for line in (ROOT / file).read_text().splitlines()]
    assert rows
    for row in rows:
        expected = {
            key: value for key, value in row.items() if key.startswith("expected") or key == "forbidden"
        }
        assert not faults(expected), row


@pytest.mark.parametrize("name", MATCHERS.ids())
def test_the_example_of_every_matcher_is_fine_at_any_depth(name: str) -> None:
    matcher = MATCHERS.get(name).declaration.example
    for value in (matcher, [matcher], {"b": {"c": matcher}}, {"$optional": matcher}):
        assert not faults({"expected": [{"name": "f", "arguments": {"a": value}}]})
    misspelled = {f"{key}x" if key == f"${name}" else key: value for key, value in matcher.items()}
    assert faults({"expected": [{"name": "f", "arguments": {"a": misspelled}}]})
    assert faults({"expected": [{"name": "f", "arguments": {"a": [{"b": misspelled}]}}]})
    # No schema knows which key is the first, so this may be a plain object, and the reader takes it for one.
    row = {"expected": [{"name": "f", "arguments": {"a": {"nonsense": 1, **matcher}}}]}
    assert not faults(row)
    assert is_read(row)


@pytest.mark.parametrize("name", EVALUATORS.ids())
def test_the_example_of_every_evaluator_is_fine(name: str) -> None:
    example = EVALUATORS.get(name).declaration.example
    assert example is not None
    options: dict[str, Any] = {
        key: example.options[key] for key in ("forbidden", "expected_counts") if key in example.options
    }
    assert not faults({"expected": example.expected, **options})


FINE: list[dict[str, Any]] = [
    {"expected": None},
    {"expected": []},
    {"expected": F},
    {"expected": [{**F, "optional": True}]},
    {"expected": [{**F, "count": {"min": 1, "max": 3}, "group": "g"}]},
    {"expected": [{**F, "count": {"max": 3}}]},
    {"expected": [{**F, "count": 2}]},
    {"expected": [{"name": "f", "arguments": {"$filter": "a eq 1", "$top": 5}}]},
    {"expected": [{"name": "f", "arguments": {"$schema": "x", "$id": 1, "type": "object"}}]},
    {"expected": [{"name": "f", "arguments": {"$literal": {"$any": True}}}]},
    {"expected": [{"name": "f", "arguments": {"a": {"rel": 1, "abs": 2}}}]},
    {
        "expected": [
            {**F, "alternatives": [{"name": "g", "arguments": {"b": {"$one_of": [1, {"$any": True}]}}}]}
        ]
    },
    {"expected": [{"alternatives": [F, F], "optional": True}]},
    {"expected": [{"name": "f", "accepted": {"a": [1, ""]}}]},
    {"expected": [{"tool": "f", "args": '{"a": 1}', "options": {"numeric_tolerance": {"/a": {"rel": 0.1}}}}]},
    {"expected_any_of": [[F], []]},
    {"expected_any": [{"name": "f", "arguments": {"a": [1, {"b": [2, ""]}]}}, {"g": {}}]},
    {"forbidden": ["a*", {"name": "pay", "arguments": {"amount": {"$range": [1, None]}}}]},
    {"forbidden": "pay"},
    {"expected_counts": {"a": 2, "b": [">=", 1], "c": {"min": 1, "max": None}}},
    {"id": "x", "input": "hello", "tags": ["a"], "note": "fields without a meaning are allowed"},
]

WRONG: list[dict[str, Any]] = [
    {"expected": [{"name": "f", "arguments": {"$any": True}}]},
    {"expected": [{"name": "f", "arguments": {"$approx": 1, "abs": 2}}]},
    {"expected": [{"name": "f", "arguments": {"a": {"$onof": [1], "$any": True}}}]},
    {"expected": [{"name": "f", "arguments": {"a": {"$onof": [1]}}}]},
    {"expected": [{**F, "optionl": True}]},
    {"expected": [{**F, "optional": "yes"}]},
    {"expected": [{**F, "count": "2"}]},
    {"expected": [{**F, "count": -1}]},
    {"expected": [{**F, "count": {}}]},
    {"expected": [{**F, "count": {"min": -1}}]},
    {"expected": [{**F, "count": {"at_least": 1}}]},
    {"expected": [{**F, "alternatives": []}]},
    {"expected": [{**F, "alternatives": [{**F, "optional": True}]}]},
    {"expected": [{**F, "options": {"ignore_cases": True}}]},
    {"expected": [{**F, "options": {"args": "subset"}}]},
    {"expected": [F], "expected_any_of": [[F]]},
    {"expected_any_of": []},
    {"expected_any_of": [F]},
    {"expected_any": [{"f": {"a": 1}}]},
    {"forbidden": [{"name": "f", "args": {}}]},
]


@pytest.mark.parametrize("row", FINE, ids=str)
def test_what_is_read_is_fine(row: dict[str, Any]) -> None:
    assert not faults(row)
    assert is_read(row)


@pytest.mark.parametrize("row", WRONG, ids=str)
def test_what_is_wrong_is_marked(row: dict[str, Any]) -> None:
    assert faults(row)


def test_every_call_option_has_a_schema_that_takes_what_its_parser_takes() -> None:
    values: list[Any] = [
        True,
        False,
        0.1,
        {"rel": 0.1},
        {"/a": 0.1},
        "NFC",
        {"/a": "NFC"},
        ["/a"],
        "/a",
        "allow_extra",
    ]
    for name, spec in CALL_OPTIONS.items():
        assert spec.schema, name
        for value in values:
            try:
                parse_call_options({name: value}, field="")
            except UsageError:
                continue
            assert not faults({"expected": [{**F, "options": {name: value}}]}), (name, value)


def test_the_command_prints_it(call: Callable[..., Any]) -> None:
    assert json.loads(call("schema", "expectation").out) == json.loads(json.dumps(expectation_schema()))
