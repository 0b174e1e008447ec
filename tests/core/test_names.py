"""The one rule for tool names, and how often a tool is to be called."""

from __future__ import annotations

import time
from typing import Any

import pytest

from rightcall import CallError, OptionError, evaluate, evaluate_cases
from rightcall.core.counts import parse_counts
from rightcall.core.names import NameRule
from rightcall.errors import EvaluatorError


@pytest.mark.parametrize(
    ("rule", "name", "becomes"),
    [
        (NameRule(), "F", "F"),
        (NameRule((("a_b", "a.b"),)), "a_b", "a.b"),
        (NameRule((("a_b", "a.b"),)), "A_b", "A_b"),
        (NameRule((), "mcp__[a-z]+__"), "mcp__shop__buy", "buy"),
        (NameRule((), "mcp__[a-z]+__"), "mcp__shop__mcp__x__buy", "mcp__x__buy"),
        (NameRule((), "mcp__[a-z]+__"), "x_mcp__shop__buy", "x_mcp__shop__buy"),
        (NameRule((), "x|y"), "yz", "z"),
        (NameRule((("p_a", "whole"), ("a", "part")), "p_"), "p_a", "whole"),
        (NameRule((("p_a", "whole"), ("a", "part")), "p_"), "a", "part"),
        (NameRule((("a", "part"),), "p_"), "p_a", "part"),
        (NameRule((("a", "b"), ("b", "c")), None), "a", "b"),
    ],
)
def test_the_map_is_asked_then_the_prefix_goes_then_the_map_again(
    rule: NameRule, name: str, becomes: str
) -> None:
    assert rule(name) == becomes


SHORT: dict[str, Any] = {"strip_name_prefix": "mcp_"}


def test_the_rule_holds_for_actual_expected_offered_counted_and_forbidden_tools() -> None:
    made, wanted = [{"name": "mcp_f", "arguments": {}}], [{"name": "f", "arguments": {}}]
    for left, right in ((made, wanted), (wanted, made)):
        assert evaluate("tool_call_args", output=left, expected=right, **SHORT).score == 1.0
        assert evaluate("tool_call_order", output=left, expected=right, **SHORT).score == 1.0
        assert evaluate("tool_selection", output=left, expected=right, **SHORT).score == 1.0
        assert evaluate("tool_call_args", output=left, expected=right).score == 0.0
    for name in ("f", "mcp_f"):
        assert evaluate("tool_call_count", output=made, expected_counts={name: 1}, **SHORT).score == 1.0
        assert evaluate("forbidden_tools", output=made, forbidden=[name], **SHORT).score == 0.0
        pytest.importorskip("jsonschema_rs")
        tools = [{"name": name, "parameters": {"type": "object"}}]
        assert evaluate("tool_call_valid", output=made, tools=tools, **SHORT).score == 1.0


def test_a_rule_that_gives_two_offered_tools_one_name_draws_a_warning() -> None:
    tools = [{"name": name, "parameters": {"type": "object"}} for name in ("a_f", "b_f", "g")]
    sides: dict[str, Any] = {"output": [{"name": "g"}], "expected": [{"name": "g"}], "tools": tools}
    for options in ({"strip_name_prefix": "[ab]_"}, {"name_map": {"a_f": "b_f"}}):
        result = evaluate("tool_call_args", **sides, **options)
        assert any("a_f" in warning and "b_f" in warning for warning in result.warnings), options
    assert evaluate("tool_call_args", **sides).warnings == ()
    assert evaluate("tool_call_args", **sides, strip_name_prefix="a_").warnings == ()


@pytest.mark.parametrize("pattern", ["(?i)MCP_", "^mcp_", "(mcp)_", "(?x) m c p _"])
def test_any_regular_expression_can_be_the_prefix(pattern: str) -> None:
    made, wanted = [{"name": "mcp_f"}], [{"name": "f"}]
    assert evaluate("tool_call_args", output=made, expected=wanted, strip_name_prefix=pattern).score == 1.0


@pytest.mark.parametrize(
    ("rule", "names", "score"),
    [
        ("delete_*", ["delete_user"], 0.0),
        ("delete_*", ["undelete_user"], 1.0),
        ("delete_?", ["delete_12"], 1.0),
        ("Delete_*", ["delete_user"], 1.0),
        ("pay", ["pay"], 0.0),
        ("pay", ["payment"], 1.0),
        ("x[0]", ["x[0]"], 0.0),
        ("x[0]", ["x0"], 0.0),
        ("*", [], 1.0),
    ],
)
def test_a_forbidden_tool_is_a_name_or_a_glob(rule: str, names: list[str], score: float) -> None:
    made = [{"name": name, "arguments": {}} for name in names]
    assert evaluate("forbidden_tools", output=made, forbidden=[rule]).score == score
    (case,) = evaluate_cases([{"tool_calls": made, "forbidden": [rule]}], "forbidden_tools")
    assert case.of("forbidden_tools").score == score


def test_no_rules_means_not_evaluated() -> None:
    assert evaluate("forbidden_tools", output=[]).status == "not_evaluated"
    assert evaluate("forbidden_tools", output=[], forbidden=[]).status == "not_evaluated"


@pytest.mark.parametrize(
    ("rule", "fits"),
    [
        (2, {2}),
        (0, {0}),
        (["==", 2], {2}),
        (["!=", 2], {0, 1, 3, 4}),
        (["<", 2], {0, 1}),
        (["<=", 2], {0, 1, 2}),
        ([">", 2], {3, 4}),
        ([">=", 2], {2, 3, 4}),
        ({"min": 1, "max": 3}, {1, 2, 3}),
        ({"min": 3}, {3, 4}),
        ({"max": 1}, {0, 1}),
        ({"min": None, "max": 0}, {0}),
    ],
    ids=str,
)
def test_a_count_is_a_number_a_comparison_or_a_range(rule: Any, fits: set[int]) -> None:
    for made in range(5):
        score = evaluate("tool_call_count", output=[{"name": "f"}] * made, expected_counts={"f": rule}).score
        assert score == float(made in fits)


@pytest.mark.parametrize(
    ("rule", "hint"),
    [
        (-1, ""),
        (1.5, ""),
        (True, ""),
        ("2", ""),
        (None, ""),
        (["=", 1], "=="),
        (["=>", 1], ">="),
        (["=<", 1], "<="),
        (["<>", 1], "!="),
        (["~", 1], ""),
        ([">=", -1], ""),
        ([">=", "1"], ""),
        ([">="], ""),
        ([], ""),
        ({}, ""),
        ({"min": 2, "max": 1}, ""),
        ({"minimum": 1}, ""),
        ({"min": -1}, ""),
        ({"min": 1, "max": 2, "x": 3}, ""),
    ],
    ids=str,
)
def test_anything_else_is_no_count(rule: Any, hint: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse_counts({"f": rule}, "expected_counts")
    assert caught.value.field == "expected_counts.f"
    assert hint in str(caught.value)
    (case,) = evaluate_cases([{"tool_calls": [], "expected_counts": {"f": rule}}], "tool_call_count")
    assert case.of("tool_call_count").status == "error"


def count(made: str, **more: Any) -> Any:
    return evaluate("tool_call_count", output=[{"name": name, "arguments": {}} for name in made], **more)


def test_counts_of_the_expected_calls() -> None:
    wanted = [{"name": name, "arguments": {}} for name in "ffg"]
    assert count("ffg", expected=wanted).score == 1.0
    assert count("fg", expected=wanted).score == 0.5
    assert count("fffgg", expected=wanted).score == 0.0
    assert count("", expected=wanted).score == 0.0
    assert count("f", expected=[]).score == 0.0
    assert count("", expected=[]).score == 1.0
    free = count("ffgh", expected=wanted)
    assert free.score == 1.0
    assert "h" in free.reason
    assert count("ffgh", expected=wanted, count_unlisted=True).score == pytest.approx(2 / 3)


def test_explicit_counts_need_no_expected_calls_and_know_no_empty_side() -> None:
    assert count("", expected_counts={"delete": ["==", 0]}).score == 1.0
    assert count("", expected_counts={"f": 1, "delete": 0}).score == 0.5
    assert count("f", expected_counts={"delete": 0}, expected=[]).score == 1.0
    assert count("f", expected_counts={"g": 0}, count_unlisted=True).score == 0.5
    assert count("f", expected_counts={}).status == "not_evaluated"
    assert count("f").status == "not_evaluated"
    (case,) = evaluate_cases(
        [{"tool_calls": [{"name": "f"}], "expected_counts": {"f": 1}}], "tool_call_count"
    )
    assert case.of("tool_call_count").score == 1.0


def test_options_of_a_tool_are_found_under_either_of_its_names() -> None:
    made = [{"name": "math_hcf", "arguments": {"a": "X"}}]
    wanted = [{"name": "math.hcf", "arguments": {"a": "x"}}]
    for written in ("math_hcf", "math.hcf"):
        result = evaluate(
            "tool_call_args",
            output=made,
            expected=wanted,
            name_map={"math_hcf": "math.hcf"},
            per_tool={written: {"ignore_case": True}},
        )
        assert result.score == 1.0


def test_a_user_message_with_calls_is_an_error_not_a_silence() -> None:
    with pytest.raises(CallError):
        evaluate("tool_call_args", output=[{"role": "user", "tool_calls": [{"name": "f"}]}], expected=[])


def test_no_prefix_hangs() -> None:
    start = time.process_time()
    made = [{"name": "a" * 40 + "!"}]
    result = evaluate("tool_call_args", output=made, expected=made, strip_name_prefix="(a+)+$")
    assert result.score == 1.0
    long = [{"name": "".join(map(chr, range(256, 50_000)))}]
    with pytest.raises(EvaluatorError) as caught:
        evaluate("tool_call_args", output=long, expected=made, strip_name_prefix="(.*){400}x")
    assert caught.value.field == "strip_name_prefix"
    assert time.process_time() - start < 20


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("pattern", [r"(a)\1", "(?=a)b", "(", "x" * 3000, "[[:alpha:]]", "\ud800", 5])
def test_a_prefix_that_can_not_be_is_refused_by_its_name(pattern: Any) -> None:
    with pytest.raises(OptionError) as caught:
        evaluate("tool_call_args", output=[], expected=[], strip_name_prefix=pattern)
    assert caught.value.field == "strip_name_prefix"


def test_no_glob_hangs() -> None:
    start = time.process_time()
    made = [{"name": "a" * 5000 + "!"}]
    for glob in ("*a" * 50 + "b", "?" * 100 + "*a" * 100 + "*b", "[a]*" * 50 + "b"):
        assert evaluate("forbidden_tools", output=made, forbidden=[glob]).score == 1.0
    assert time.process_time() - start < 5
