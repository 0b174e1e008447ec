"""One suite for every evaluator. A new file in `evaluators/` is covered without a change here.

Where a member differs from the common rule, the contract's row says so and the sets below repeat it.
"""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import msgspec
import pytest
from hypothesis import given

from rightcall import OptionError, Result, UsageError, evaluate, evaluate_cases, list_evaluators, list_suites
from rightcall.core.declare import Declaration
from rightcall.run.plan import make_plan, options_of
from rightcall.run.sets import EVALUATORS
from tests import strategies as draw_from

EVERY = list_evaluators()

NEEDS_NO_EXPECTED = {"tool_call_count", "tool_call_valid", "forbidden_tools", "redundant_calls"}
"""Their rows in contract 5 say that expected calls are not needed, or that a table may stand for them."""

OWN_EMPTY_RULE = {
    "tool_call_output": "compares outputs: without any given it is not evaluated",
    "tool_call_valid": "no calls is 1.0",
    "forbidden_tools": "without rules it is not evaluated",
    "redundant_calls": "no calls is 1.0; one call repeats nothing",
}

COUNTED = (
    *("No call", "No further"),
    *(f"{digit}" for digit in range(10)),
)
"""A reason begins with a count, or says that there was nothing to count."""

CALL = {"name": "f", "arguments": {"a": 1}}
TOOLS = [{"name": "f", "parameters": {"type": "object"}}]


def declaration(name: str) -> Declaration:
    return EVALUATORS.get(name).declaration


def example_result(name: str, **more: Any) -> Result:
    example = declaration(name).example
    assert example is not None
    result: Result = evaluate(
        name,
        output=example.actual,
        expected=example.expected,
        tools=example.tools,
        **{**example.options, **more},
    )
    return result


@pytest.mark.parametrize("name", EVERY)
def test_the_declaration_is_complete(name: str) -> None:
    found = declaration(name)
    assert found.id == name
    advice = (
        "meaning",
        "when_to_use",
        "when_not",
        "watch_out",
        "when_low",
        "cost",
        "aggregate",
        "result_shape",
    )
    empty = [field for field in advice if not getattr(found, field).strip()]
    assert not empty
    assert "\n" not in found.meaning
    assert all(
        getattr(found, field).rstrip().endswith((".", "?"))
        for field in ("when_to_use", "when_not", "when_low")
    )
    assert set(found.related) <= set(EVERY) - {name}
    assert found.related
    assert found.example is not None
    assert 0 <= found.threshold <= 1
    assert all(question.endswith("?") and answer.endswith((".", "!")) for question, answer in found.questions)
    assert set(found.suites) <= {"agent", "trajectory", "everything"}
    assert "everything" in found.suites


@pytest.mark.parametrize("name", EVERY)
def test_the_example_gives_its_score(name: str) -> None:
    example = declaration(name).example
    assert example is not None
    before = copy.deepcopy((example.actual, example.expected, example.tools, example.options))
    result = example_result(name)
    assert result.score == pytest.approx(example.score, abs=1e-12)
    assert (result.evaluator, result.status) == (name, "scored")
    assert (example.actual, example.expected, example.tools, example.options) == before


def test_the_suites_are_those_of_the_contract() -> None:
    suites = list_suites()
    assert suites["everything"] == EVERY
    assert set(suites["agent"]) == {
        "tool_call_accuracy",
        "tool_call_args",
        "tool_call_order",
        "tool_call_count",
        "tool_call_semantic",
    }
    assert set(suites["trajectory"]) == {
        *("tool_call_accuracy", "tool_call_order", "tool_call_count", "trajectory_match", "tool_call_f1")
    }
    assert set(suites) == {"agent", "trajectory", "everything"}


def test_every_evaluator_of_the_contract_is_there() -> None:
    assert set(EVERY) == {
        *("tool_call_accuracy", "tool_call_args", "tool_call_order", "tool_call_count", "tool_call_f1"),
        *("argument_accuracy", "trajectory_match", "tool_call_output", "tool_call_valid", "forbidden_tools"),
        *("redundant_calls", "tool_selection", "tool_call_semantic"),
    }
    assert {name: declaration(name).threshold for name in EVERY if declaration(name).threshold != 1.0} == {
        "tool_call_semantic": 0.5
    }


@pytest.mark.parametrize("name", [name for name in EVERY if name not in OWN_EMPTY_RULE])
def test_both_sides_empty_is_one_and_one_side_empty_is_nothing(name: str) -> None:
    assert evaluate(name, output=[], expected=[]).score == 1.0
    assert evaluate(name, output=[CALL], expected=[]).score == 0.0
    assert evaluate(name, output=[], expected=[CALL]).score == 0.0
    assert evaluate(name, output=[CALL], expected=[CALL]).score == 1.0


def test_subset_alone_allows_that_nothing_was_done() -> None:
    for mode in ("exact", "in_order", "any_order", "superset", "unordered", "subset"):
        assert evaluate("trajectory_match", output=[], expected=[CALL], mode=mode).score == float(
            mode == "subset"
        )
        assert evaluate("trajectory_match", output=[CALL], expected=[], mode=mode).score == 0.0
        assert evaluate("trajectory_match", output=[], expected=[], mode=mode).score == 1.0


def test_the_empty_rules_of_their_own() -> None:
    assert evaluate("tool_call_output", output=[], expected=[]).status == "not_evaluated"
    assert evaluate("tool_call_output", output=[CALL], expected=[CALL]).status == "not_evaluated"
    assert evaluate("tool_call_output", output=[], expected=[{**CALL, "output": 1}]).score == 0.0
    assert evaluate("tool_call_valid", output=[], tools=TOOLS).score == 1.0
    assert evaluate("tool_call_valid", output=[CALL], tools=[]).score == 0.0
    assert evaluate("redundant_calls", output=[]).score == 1.0
    assert evaluate("forbidden_tools", output=[], forbidden=["f"]).score == 1.0


@pytest.mark.parametrize("name", EVERY)
def test_without_a_declared_input_it_is_not_evaluated(name: str) -> None:
    sides: dict[str, Any] = {"output": [CALL], "expected": [CALL], "tools": TOOLS}
    fields = {"actual": "output", "expected": "expected", "tools": "tools"}
    assert ("expected" not in declaration(name).inputs) == (name in NEEDS_NO_EXPECTED)
    for needed in declaration(name).inputs:
        result = evaluate(name, **{key: value for key, value in sides.items() if key != fields[needed]})
        assert (result.status, result.score, result.passed, result.label) == (
            "not_evaluated",
            None,
            None,
            "not_evaluated",
        )
        assert result.reason.startswith("no ")


@pytest.mark.parametrize("name", EVERY)
def test_an_unneeded_input_is_not_asked_for(name: str) -> None:
    example = declaration(name).example
    assert example is not None
    kept: dict[str, Any] = {"output": example.actual}
    if "expected" in declaration(name).inputs:
        kept["expected"] = example.expected
    if "tools" in declaration(name).inputs:
        kept["tools"] = example.tools
    assert evaluate(name, **kept, **example.options).score == example_result(name).score


@pytest.mark.parametrize("name", EVERY)
@given(pair=draw_from.call_lists())
def test_a_score_is_a_share_and_its_reason_says_what_was_counted(name: str, pair: Any) -> None:
    actual, expected = pair
    more: Any = {"forbidden": ["f"]} if name == "forbidden_tools" else {}
    tools: Any = [{"name": "f", "parameters": {"type": "object", "required": ["a"]}}, {"name": "g"}]
    result = evaluate(name, output=actual, expected=expected, tools=tools, **more)
    if result.status == "not_evaluated":
        assert name == "tool_call_output"
        return
    assert result.score is not None
    assert 0 <= result.score <= 1
    assert result.reason
    start = result.reason
    if name == "trajectory_match" and start.startswith("unordered: "):
        start = start.removeprefix("unordered: ")
    assert start.startswith(COUNTED), start
    assert "None" not in result.reason
    alignment = result.details
    for side, size in (("actual", len(actual)), ("expected", len(expected))):
        used = [getattr(item, side) for item in alignment.pairs]
        rest = alignment.extra if side == "actual" else alignment.missing
        assert len({*used, *rest}) == len(used) + len(rest), "each call in one place"
        if alignment.rule is not None and declaration(name).pairs_calls:
            assert {*used, *rest} == set(range(size)), "and every call in some place"


@pytest.mark.parametrize("name", EVERY)
def test_options_parse_their_defaults_and_refuse_nonsense(name: str) -> None:
    example = declaration(name).example
    assert example is not None
    for option, spec in options_of(declaration(name)).items():
        assert spec.meaning
        assert spec.form
        assert not isinstance(spec.default, (list, dict, set)), "a default is shared, so it must not change"
        if spec.default is not None and spec.default != ():
            assert spec.parse(spec.default, option) == spec.default
            assert example_result(name, **{option: spec.default, **example.options}).score == example.score
        for nonsense in (object(), 3.7, float("nan"), "\x00nonsense", [object()], {"\x00": object()}, {1: 2}):
            if option in ("strip_name_prefix", "forbidden") and isinstance(nonsense, str):
                continue  # any text is a pattern, and any text a name
            if option == "numeric_tolerance" and nonsense == 3.7:
                continue
            with pytest.raises(OptionError):
                evaluate(name, output=[], expected=[], **_any({option: nonsense}))


@pytest.mark.parametrize("name", EVERY)
def test_an_unknown_option_is_a_wrong_request(name: str) -> None:
    with pytest.raises(UsageError):
        evaluate(name, output=[], expected=[], no_such_option=1)
    with pytest.raises(UsageError):
        evaluate(name, output=[], expected=[], **_any({name: {"no_such_option": 1}}))


def _any(options: Any) -> Any:
    return options


@pytest.mark.parametrize("name", EVERY)
def test_a_result_pickles_and_round_trips(name: str) -> None:
    for result in (
        example_result(name),
        evaluate(name, output=[CALL] * 7, expected=[CALL], forbidden=["f"])
        if name == "forbidden_tools"
        else evaluate(name, output=[CALL, CALL], expected=[{**CALL, "output": 2}, CALL], tools=TOOLS),
    ):
        again = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own bytes
        assert again == result
        assert again.as_dict() == result.as_dict()
        plain = json.loads(msgspec.json.encode(result.as_dict()))
        assert plain["score"] == result.score
        assert plain["reason"] == result.reason
        assert len(plain["details"]["pairs"]) == len(result.details.pairs)
        assert result["score"] == result.score
        assert result.details["differences"] == result.details.differences
        with pytest.raises(KeyError):
            assert result["nope"]


@pytest.mark.parametrize("name", EVERY)
def test_unreadable_arguments_cost_something_only_where_arguments_count(name: str) -> None:
    broken = [{"name": "f", "arguments": "{"}]
    more: dict[str, Any] = {"forbidden": ["g"]} if name == "forbidden_tools" else {}
    result = evaluate(name, output=broken, expected=[{**CALL, "output": 1}], tools=TOOLS, **more)
    wanted = {
        "tool_call_accuracy": 0.5,
        "tool_call_args": 0.0,
        "tool_call_f1": 0.0,
        "tool_call_semantic": 0.0,
        "argument_accuracy": 0.0,
        "trajectory_match": 0.0,
        "tool_call_valid": 0.0,
        "tool_call_output": None,
    }
    assert result.score == wanted.get(name, 1.0)


@pytest.mark.parametrize("name", EVERY)
def test_unreadable_arguments_never_equal_each_other(name: str) -> None:
    if name == "redundant_calls":
        assert evaluate(name, output=[{"name": "f", "arguments": "{"}] * 3).score == 1.0
    rows = [
        {
            "tool_calls": [{"name": "f", "arguments": "{"}],
            "expected": [{"name": "f", "arguments": "{"}],
            "tools": TOOLS,
        }
    ]
    (case,) = evaluate_cases(rows, name)
    assert case.of(name).status == "error", "the expected side is at fault"


@pytest.mark.parametrize("name", EVERY)
def test_it_is_registered_under_its_file_name_and_found_by_a_near_one(name: str) -> None:
    assert name in EVALUATORS
    with pytest.raises(UsageError) as caught:
        evaluate(name.replace("_", "-").upper()[:-1] + "x", output=[], expected=[])
    assert name in str(caught.value)


@pytest.mark.parametrize("name", EVERY)
def test_a_threshold_below_the_score_passes_and_says_so(name: str) -> None:
    example = declaration(name).example
    assert example is not None
    result = evaluate(
        name,
        threshold=0.0,
        output=example.actual,
        expected=example.expected,
        tools=example.tools,
        **example.options,
    )
    assert result.passed
    assert result.threshold == 0.0
    strict = example_result(name)
    assert strict.passed == (strict.score == 1.0)
    assert strict.label == {1.0: "match", 0.0: "mismatch"}.get(strict.score or 0.0, "partial")


@pytest.mark.parametrize("names", [("f",), ("f", "g", "f"), tuple("abcdefgh")])
def test_as_expected_is_what_scoring_the_case_gives(names: tuple[str, ...]) -> None:
    calls = [{"name": name, "arguments": {"place": place}} for place, name in enumerate(names)]
    for planned in make_plan(suite="everything").evaluators:
        make = getattr(planned.evaluator, "as_expected", None)
        if make is not None:
            scored = evaluate(planned.id, output=calls, expected=calls)
            assert make(names, planned.options).as_dict() == scored.as_dict()
