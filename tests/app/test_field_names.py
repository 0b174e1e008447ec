"""Fields that are misspelled: no rule may be lost in silence, and no column of somebody's own may be refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rightcall
from rightcall.core.types import Source
from rightcall.errors import ExpectationError
from rightcall.run.fieldnames import DECIDING, misspelled
from rightcall.run.golden.lint import lint
from rightcall.run.rows import case_from_line

F = [{"name": "f", "arguments": {}}]
GOOD: dict[str, Any] = {"id": "a", "tool_calls": F, "expected_tool_calls": F}


def case_of(row: dict[str, Any]) -> Any:
    return case_from_line(json.dumps(row).encode(), row=0, source=Source())


@pytest.mark.parametrize(
    ("field", "value", "meant"),
    [
        ("forbiden", ["f"], "forbidden"),
        ("Forbidden", ["f"], "forbidden"),
        ("forbid", ["f"], "forbidden"),
        ("forbidden_tools", "f", "forbidden"),
        ("forbidden-tools", '["f"]', "forbidden"),
        ("expected_count", {"f": 1}, "expected_counts"),
        ("expectd_counts", {"f": 1}, "expected_counts"),
        ("expectedCounts", '{"f": 1}', "expected_counts"),
        ("expected_anyof", [F], "expected_any_of"),
        ("expected_any_off", [F], "expected_any_of"),
        ("expectd_any", [{"f": {}}], "expected_any"),
    ],
)
@pytest.mark.parametrize("calls", [F, [{"tool": "f"}]])
def test_a_rule_under_a_misspelled_name_is_an_error_of_the_case(
    field: str, value: Any, meant: str, calls: list[Any]
):
    row = {**GOOD, "tool_calls": calls, field: value}
    with pytest.raises(ExpectationError, match=meant) as raised:
        case_of(row)
    assert raised.value.field == field
    assert raised.value.hint is not None
    assert f"did you mean {meant!r}?" in raised.value.hint
    run = rightcall.evaluate_cases([row, GOOD], "tool_call_args")
    assert [case.passed for case in run.results] == [False, True]
    assert meant in run.results[0].results[0].reason


def test_it_is_an_error_beside_a_conversation_too():
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    row = {"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "tool_calls": [call]}]}
    with pytest.raises(ExpectationError, match="forbidden"):
        case_of({**row, "expected": F, "forbiden": ["f"]})


@pytest.mark.parametrize(
    ("field", "meant"),
    [
        ("tols", "tools"),
        ("trail", "trial"),
        ("tag", "tags"),
        ("Cluster", "cluster"),
        ("meta_data", "metadata"),
    ],
)
def test_another_field_under_a_misspelled_name_is_a_warning(field: str, meant: str):
    case = case_of({**GOOD, field: ["x"]})
    assert case.warnings == (f"the field '{field}' has no meaning here; did you mean {meant!r}?",)
    run = rightcall.evaluate_cases([{**GOOD, field: ["x"]}], "tool_call_args")
    assert run.results[0].results[0].warnings == case.warnings
    assert run.results[0].passed


@pytest.mark.parametrize(
    "column",
    [
        *("difficulty", "expected_output", "expected_answer", "expected_cost", "expected_points", "count"),
        *("expected_amount", "uid", "idx", "model", "train", "flags", "counts", "any_of", "forced"),
        *("expected_at", "inputs_text", "tool_name", "tagline", "trials_left", "verdict_by", "context"),
    ],
)
def test_columns_of_ones_own_are_nothing_to_speak_of(column: str):
    for value in ("x", 3, ["x"], {"x": 1}):
        assert case_of({**GOOD, column: value}).warnings == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [("expected_count", 3), ("forbid", True), ("forbiden", None), ("forbiden", []), ("expected_anyof", "x")],
)
def test_a_column_that_could_not_hold_the_rule_is_no_error(field: str, value: Any):
    case = case_of({**GOOD, field: value})
    assert [field in warning for warning in case.warnings] == [True]
    assert case_of({**GOOD, "tool": "search"}).warnings == ()


def test_what_is_there_under_its_own_name_is_not_looked_for():
    row = {**GOOD, "forbidden": ["g"], "forbidden_tools": ["f"], "tags": ["x"], "tag": "y"}
    assert case_of(row).warnings == ()


def test_columns_that_a_map_speaks_of_are_told(call: Callable[..., Any], tmp_path: Path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({**GOOD, "forbidden_tools": ["g"], "tag": "y"}) + "\n")
    assert call("run", str(rows), "-e", "tool_call_args").code == 3
    for said in ("forbidden=forbidden_tools", "forbidden="):
        done = call("run", str(rows), "-e", "tool_call_args", "--map", said, "--map", "tags=tag")
        assert done.code == 0
        assert "no meaning" not in done.out


def test_a_golden_set_of_its_own_is_looked_through_too(call: Callable[..., Any], tmp_path: Path):
    rows, gold = tmp_path / "rows.jsonl", tmp_path / "gold.jsonl"
    rows.write_text(json.dumps({"id": "a", "tool_calls": F, "forbiden": ["x"]}) + "\n")
    gold.write_text(json.dumps({"id": "a", "expected": F}) + "\n")
    assert call("run", str(rows), "-e", "tool_call_args", "--expected", str(gold)).code == 0
    gold.write_text(json.dumps({"id": "a", "expected": F, "forbiden": ["f"]}) + "\n")
    done = call("run", str(rows), "-e", "tool_call_args", "--expected", str(gold))
    assert done.code == 3
    assert "did you mean 'forbidden'" in done.err


def test_lint_tells_both(tmp_path: Path):
    gold = tmp_path / "gold.jsonl"
    rows = [{"id": "a", "expected": F, "forbiden": ["g"]}, {"id": "b", "expected": F, "tag": "x"}]
    gold.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = [(item.severity, item.kind, item.case) for item in lint(str(gold))]
    assert found == [("error", "unreadable", "a"), ("warning", "odd", "b")]


def test_rows_with_and_without_columns_of_their_own_may_take_turns():
    rows = [
        GOOD,
        {**GOOD, "model": "m"},
        {**GOOD, "tol": 1},
        GOOD,
        {**GOOD, "tag": "x"},
        {**GOOD, "tols": []},
    ]
    rows += [{**GOOD, "tags": [], "tag": "x"}, {**GOOD, "tag": "x"}, {**GOOD, "model": "m", "trail": 1}]
    told = [len(case_of(row).warnings) for row in rows + rows[::-1]]
    assert told == [0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0]


def test_how_many_cases_have_a_warning_is_told(call: Callable[..., Any], tmp_path: Path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({**GOOD, "id": f"r{n}", "trail": n}) + "\n" for n in range(300)))
    done = call("run", str(rows), "-e", "tool_call_args")
    assert "300 cases, first r0: the field 'trail' has no meaning here; did you mean 'trial'?" in done.out
    two = call("run", str(rows), "-e", "tool_call_args", "--workers", "2", "--out", str(tmp_path / "run"))
    assert "300 cases, first r0: the field 'trail'" in two.out


def test_no_field_is_taken_for_another_one():
    assert misspelled(frozenset({"forbidden", "expected_any", "expected_any_of", "expected_counts"})) == ()
    for name in DECIDING:
        assert misspelled(frozenset({name})) == ()
