"""tool_call_output: of the outputs that are expected, the share that a call of that tool gave."""

from __future__ import annotations

from typing import Any

import pytest

from rightcall import Result, evaluate


def outputs(made: list[tuple[str, Any]], wanted: list[tuple[str, Any]], **options: Any) -> Result:
    """Calls as (name, output); an output of None is none recorded."""

    def calls(side: list[tuple[str, Any]]) -> list[dict[str, Any]]:
        return [{"name": name, "arguments": {}, "output": output} for name, output in side]

    result: Result = evaluate("tool_call_output", output=calls(made), expected=calls(wanted), **options)
    return result


@pytest.mark.parametrize(
    ("made", "wanted", "same"),
    [
        (3, 3.0, True),
        ("3", 3, True),
        ('{"a": 1, "b": 2}', {"b": 2, "a": 1.0}, True),
        ("plain text", "plain text", True),
        ('"quoted"', "quoted", True),
        ("true", True, True),
        (True, 1, False),
        ("Text", "text", False),
        ([1, 2], [2, 1], False),
        ('"3"', 3, False),  # decoded once, not twice
        ("{broken", "{broken", True),
        (0, False, False),
        ("", "", True),
        (False, False, True),
    ],
    ids=str,
)
def test_outputs_are_compared_as_json_values(made: Any, wanted: Any, same: bool) -> None:
    assert outputs([("f", made)], [("f", wanted)]).score == float(same)
    assert outputs([("f", wanted)], [("f", made)]).score == float(same)


def test_one_output_serves_one_expected_one() -> None:
    assert outputs([("f", 1)], [("f", 1), ("f", 1)]).score == 0.5
    assert outputs([("f", 1), ("f", 1)], [("f", 1), ("f", 1)]).score == 1.0
    assert outputs([("f", 2), ("f", 1)], [("f", 1), ("f", 2)]).score == 1.0
    assert outputs([("g", 1)], [("f", 1)]).score == 0.0


def test_a_tool_that_was_not_called_counts_and_one_without_a_record_does_not() -> None:
    assert outputs([("g", 1)], [("f", 1), ("g", 1)]).score == 0.5
    left_out = outputs([("f", None), ("g", 1)], [("f", 1), ("g", 1)])
    assert left_out.score == 1.0
    assert any("f" in warning for warning in left_out.warnings)
    nothing = outputs([("f", None)], [("f", 1)])
    assert nothing.status == "not_evaluated"
    assert nothing.warnings
    assert outputs([("f", 1)], [("f", None)]).status == "not_evaluated"
    assert outputs([("f", 1)], [("f", None), ("f", 1)]).score == 1.0


def test_names_go_through_the_name_rule() -> None:
    assert outputs([("mcp_f", 1)], [("f", 1)], strip_name_prefix="mcp_").score == 1.0


def test_the_difference_shows_both_outputs() -> None:
    (found,) = outputs([("f", 5)], [("f", 4)]).details.differences
    assert (found.kind, found.expected, found.actual, found.tool) == ("value", 4, 5, "f")
    (missing,) = outputs([("g", 5)], [("f", 4)]).details.differences
    assert missing.kind == "missing_call"
