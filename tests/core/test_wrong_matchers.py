"""A matcher that can't be is the fault of its case, whatever the agent did and whichever evaluator asks (contract 3)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rightcall import ExpectationError, evaluate, evaluate_cases
from rightcall.app.cli.root import run as main
from rightcall.run.golden.record import literal
from rightcall.run.sets import EVALUATORS

WRONG: list[Any] = [
    {"$onof": [1]},
    {"$one_of": "a"},
    {"$type": "int"},
    {"$range": [1]},
    {"$schema": {"type": 5}},
]
MADE: list[Any] = [[], [{"name": "g"}], [{"name": "f", "arguments": {"x": 1}}]]
COMPARING = [name for name in EVALUATORS.ids() if "expected" in EVALUATORS.get(name).declaration.inputs]


def sides(wrong: Any) -> dict[str, dict[str, Any]]:
    call = {"name": "f", "arguments": {"x": wrong}}
    return {
        "a call": {"expected": [call]},
        "one of several": {
            "expected": [{"name": "g"}, {"name": "h", "arguments": {"x": {"$any": True}}}, call]
        },
        "an alternative": {"expected": [{"name": "g", "alternatives": [call]}]},
        "an optional call": {"expected": [{**call, "optional": True}]},
        "a path": {"expected_any_of": [[{"name": "g"}], [call]]},
    }


@pytest.mark.parametrize("wrong", WRONG, ids=str)
@pytest.mark.parametrize("made", MADE, ids=str)
def test_every_evaluator_refuses_it(wrong: Any, made: Any) -> None:
    assert {"tool_call_args", "tool_call_order", "tool_call_accuracy"} <= set(COMPARING)
    for where, side in sides(wrong).items():
        row = {"tool_calls": made, **side}
        (case,) = evaluate_cases([row], [*COMPARING, "tool_call_count"])
        for result in case.results:
            assert result.status == "error", (where, result.evaluator)
            assert ".arguments.x" in result.reason
        for evaluator in ("tool_call_args", "tool_call_order", "tool_call_count"):
            with pytest.raises(ExpectationError) as caught:
                evaluate(evaluator, output=made, **side)
            assert (caught.value.field or "").endswith(".arguments.x")


def test_options_may_make_it_plain_and_plain_texts_a_matcher() -> None:
    call = {"name": "f", "arguments": {"x": {"$onof": [1]}}}
    assert evaluate("tool_call_args", output=[call], expected=[call], matchers="off").score == 1.0
    text = [{"name": "f", "arguments": json.dumps(call["arguments"])}]
    assert evaluate("tool_call_args", output=[call], expected=text).score == 1.0
    with pytest.raises(ExpectationError):
        evaluate("tool_call_accuracy", output=[], expected=text, matchers="on")
    both = evaluate(["tool_call_args", "tool_call_order"], output=[call], expected=[call], matchers="off")
    assert [result.score for result in both.values()] == [1.0, 1.0]


def test_a_run_keeps_the_other_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"id": f"bad {number}", "tool_calls": [], **sides(wrong)["a call"]}
        for number, wrong in enumerate(WRONG)
    ]
    rows.append({"id": "good", "tool_calls": [{"name": "f"}], "expected": [{"name": "f"}]})
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "out"
    assert main(["run", str(tmp_path / "rows.jsonl"), "-e", "tool_call_order", "--out", str(out)]) == 3
    found = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    assert [line["status"] for line in found] == ["error"] * len(WRONG) + ["scored"]
    capsys.readouterr()


@pytest.mark.parametrize(
    "more",
    [
        {"forbidden": [{"name": "pay", "arguments": {"a": {"$rnge": [1, 2]}}}]},
        {"forbidden": [5]},
        {"expected_counts": {"f": "x"}},
    ],
    ids=str,
)
def test_rules_and_counts_that_can_not_be_are_the_case_s_fault_too(more: dict[str, Any]) -> None:
    (case,) = evaluate_cases([{"tool_calls": [], "expected": [], **more}], "tool_call_args")
    assert case.of("tool_call_args").status == "error"
    assert next(iter(more)) in case.of("tool_call_args").reason


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ({"$any": True}, "ignore"),
        ({"$at_least": {"a": 1}}, "allow_extra"),
        ({"$one_of": [{}]}, "alternatives"),
        ({"$approx": 1, "abs": 2}, "literal"),
    ],
)
def test_a_matcher_in_the_place_of_all_arguments_is_refused_with_what_is_meant(
    arguments: Any, hint: str
) -> None:
    with pytest.raises(ExpectationError, match=hint) as caught:
        evaluate("tool_call_order", output=[], expected=[{"name": "f", "arguments": arguments}])
    assert caught.value.field == "expected_tool_calls[0].arguments"


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ({"$filter": "a eq 1"}, {"$filter": "a eq 1"}),
        ({"$schema": "u", "x": 1}, {"$schema": "u", "x": 1}),
        ({"$literal": {"$any": True}}, {"$any": True}),
    ],
)
def test_arguments_may_have_such_names(arguments: Any, meant: Any) -> None:
    made = [{"name": "f", "arguments": meant}]
    assert (
        evaluate("tool_call_args", output=made, expected=[{"name": "f", "arguments": arguments}]).score == 1.0
    )


def test_the_place_of_a_fault_is_written_in_one_style_and_bounded() -> None:
    deep: Any = {"$onof": 1}
    for _ in range(60):
        deep = {"$one_of": [{"$at_least": {"k": {"$not": deep}}}]}
    for value, field in (
        ([{"$contains": {"$onof": 1}}], "arguments.x[0].$contains"),
        ({"$unordered": [1, {"$onof": 1}]}, "arguments.x.$unordered[1]"),
        ({"$range": ["a", 1]}, "arguments.x"),
        (deep, "arguments.x.$one_of[0].$at_least.k.$not.$one_of[0]"),
    ):
        with pytest.raises(ExpectationError) as caught:
            evaluate("tool_call_args", output=[], expected=[{"name": "f", "arguments": {"x": value}}])
        found = caught.value.field or ""
        assert found.startswith(f"expected_tool_calls[0].{field}")
        assert len(found) <= 200


def test_two_rules_that_differ_far_behind_are_two() -> None:
    long = ["x" * 300]
    rules = [{"name": "f", "arguments": {"a": {"$one_of": [*long, last]}}} for last in ("b", "c")]
    rules += [
        {"name": "f", "arguments": {"a": value}}
        for value in ({"$literal": {"$any": True}}, {"$type": "null"})
    ]
    made = [{"name": "f", "arguments": {"a": "c"}}]
    assert evaluate("forbidden_tools", output=made, forbidden=rules).score == 0.0
    assert (
        evaluate("forbidden_tools", output=[{"name": "f", "arguments": {"a": 1}}], forbidden=rules).score
        == 1.0
    )


def test_a_forbidden_call_that_nobody_can_read_is_named() -> None:
    made = [{"name": "pay", "arguments": "{"}, {"name": "ask", "arguments": "{"}]
    rule = {"name": "p*", "arguments": {"amount": {"$range": [500, None]}}}
    result = evaluate("forbidden_tools", output=made, forbidden=[rule])
    assert result.score == 1.0
    assert "pay (call 1)" in result.reason
    assert "not valid JSON" in result.warnings[0]
    assert "ask" not in result.reason
    assert evaluate("forbidden_tools", output=made, forbidden=[rule, "pay"]).warnings == ()


@pytest.mark.parametrize(
    "arguments",
    [{"$any": True}, {"$filter": "x"}, {"$schema": "u", "x": 1}, {"a": {"$any": True}}, {"a": 1}],
    ids=str,
)
def test_what_is_written_as_expected_of_recorded_arguments_equals_them(arguments: Any) -> None:
    written = [{"name": "f", "arguments": literal(arguments, top=True)}]
    made = [{"name": "f", "arguments": arguments}]
    assert evaluate("tool_call_args", output=made, expected=written).score == 1.0
