"""Messages that once misled: long values, moved calls, whole numbers, fields that are nearly right."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from rightcall import DataError, evaluate, evaluate_cases


def one(made: Any, wanted: Any) -> Any:
    sides = [[{"name": "f", "arguments": {"a": value}}] for value in (made, wanted)]
    return evaluate("tool_call_args", output=sides[0], expected=sides[1])


@pytest.mark.parametrize(
    ("made", "wanted"),
    [("y" * 300 + "A", "y" * 300 + "B"), (10**400, 10**400 + 1), ([1] * 90 + [2], [1] * 90 + [3])],
)
def test_long_values_are_cut_where_they_differ(made: Any, wanted: Any) -> None:
    said = one(made, wanted).details.differences[0].message
    shown, _, expected = said.partition(" (expected ")
    assert shown.removeprefix("a is ").removeprefix("a/90 is ") != expected.removesuffix(")")


def test_whole_numbers_one_apart_are_no_rounding() -> None:
    assert one(10**29, 10**29 + 1).details.differences[0].kind == "value"
    assert one(0.1 + 0.2, 0.3).details.differences[0].kind == "number_precision"


def test_the_text_null_for_null_can_be_accepted() -> None:
    found = one("null", None).details.differences[0]
    assert (found.kind, found.accept_with) == ("type_mismatch", 'coerce_types=["/a"]')


def test_a_call_out_of_its_place_is_not_a_wrong_tool() -> None:
    made = [{"name": "a", "arguments": {"x": 1}}, {"name": "b"}, {"name": "a", "arguments": {"x": 2}}]
    result = evaluate("trajectory_match", output=made, expected=[made[0], made[2]], mode="exact")
    assert [item.kind for item in result.details.differences] == ["out_of_order", "extra_call"]


def test_an_unknown_key_with_the_text_of_an_object_is_an_error() -> None:
    with pytest.raises(DataError, match="argument"):
        evaluate("tool_call_args", output=[{"name": "f", "argument": '{"q": 1}'}], expected=[{"name": "f"}])


def test_a_field_that_is_nearly_right_is_named() -> None:
    (case,) = evaluate_cases([{"tool_call": [], "expected_tool_cals": []}], "tool_call_args")
    result = case.of("tool_call_args")
    assert result.status == "not_evaluated"
    assert any("'tool_calls'" in text for text in result.warnings)
    assert any("'expected_tool_calls'" in text for text in result.warnings)


def test_a_broken_file_in_a_folder_costs_only_itself(tmp_path: Path) -> None:
    row = json.dumps({"tool_calls": [], "expected": []})
    (tmp_path / "a.jsonl").write_text(f"{row}\n{row}\n")
    (tmp_path / "b.json").write_text("[{")
    (tmp_path / "c.jsonl").write_text(f"{row}\n")
    run = evaluate_cases(tmp_path, "tool_call_args")
    assert [case.of("tool_call_args").status for case in run] == ["scored", "scored", "error", "scored"]


@pytest.mark.parametrize(
    "options", [{"numeric_tolerance": 10_000}, {"numeric_tolerance": 0.5, "args": "allow_extra"}]
)
def test_very_many_calls_that_must_be_held_against_each_other_are_refused_at_once(
    options: dict[str, Any],
) -> None:
    calls = [{"name": "f", "arguments": {"x": number}} for number in range(5000)]
    start = time.process_time()
    with pytest.raises(DataError, match="too many"):
        evaluate("tool_call_accuracy", output=calls[::-1], expected=calls, **options)
    assert time.process_time() - start < 20


@pytest.mark.parametrize("args", ["allow_extra", "allow_missing"])
def test_keys_that_may_differ_are_no_reason_to_hold_each_call_against_each(args: str) -> None:
    calls: list[dict[str, Any]] = [
        {"name": "f", "arguments": {"x": number, "who": f"guest {number}"}} for number in range(5000)
    ]
    more = [{"name": "f", "arguments": call["arguments"] | {"at": "noon"}} for call in calls]
    sides = (more[::-1], calls) if args == "allow_extra" else (calls[::-1], more)
    start = time.process_time()
    assert evaluate("tool_call_args", output=sides[0], expected=sides[1], args=args).score == 1.0
    assert time.process_time() - start < 20


def test_calls_that_differ_in_more_than_numbers_stay_cheap_under_a_tolerance() -> None:
    calls = [{"name": "f", "arguments": {"x": number, "who": f"guest {number}"}} for number in range(3000)]
    assert (
        evaluate("tool_call_accuracy", output=calls[::-1], expected=calls, numeric_tolerance=0.5).score == 1.0
    )


def test_defaults_without_a_schema_say_that_they_do_nothing() -> None:
    made = [{"name": "f", "arguments": {}}]
    assert evaluate("tool_call_args", output=made, expected=made, schema_defaults=True).warnings
    tools = [{"name": "f", "parameters": {"type": "object"}}]
    assert not evaluate(
        "tool_call_args", output=made, expected=made, schema_defaults=True, tools=tools
    ).warnings
