"""Options of a plan: hashable, equal ones equal, and own evaluators checked before they run."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from rightcall import OptionError, RightcallError, UsageError, evaluate, evaluate_cases, evaluator
from rightcall.run.plan import make_plan

OPTIONS: list[dict[str, Any]] = [
    {},
    {"ignore_case": ["/a"], "per_tool": {"f": {"args": "ignore"}}},
    {"expected_counts": {"f": [">=", 1]}, "name_map": {"a": "b"}, "numeric_tolerance": {"/a": 0.1}},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_options_are_hashable_and_equal_when_they_say_the_same(options: dict[str, Any]) -> None:
    names = ["tool_call_accuracy", "tool_call_count"]
    one, two = (make_plan(names, options=options).evaluators for _ in range(2))
    for left, right in zip(one, two, strict=True):
        assert left.options == right.options
        assert hash(left.options) == hash(right.options)
    plain = make_plan(names).evaluators[0].options
    assert (one[0].options == plain) is (not options)


@pytest.mark.parametrize(
    ("name", "settings"),
    [("a b!", {}), ("", {"threshold": 7}), ("fine", {"threshold": True}), ("fine", {"inputs": ("foo",)})],
)
def test_a_wrong_declaration_is_refused(name: str, settings: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        evaluator(name, **settings)(lambda _case: 1)


def test_the_name_of_a_built_in_is_taken() -> None:
    @evaluator("tool_call_args")
    def shadow(case: Any) -> float:
        return 0.0

    with pytest.raises(UsageError):
        evaluate_cases([{"tool_calls": [], "expected": []}], ["tool_call_args", shadow])
    with pytest.raises(UsageError):
        evaluate(shadow, output=[], expected=[])


@pytest.mark.parametrize(
    "leave", [lambda: sys.exit(0), lambda: (_ for _ in ()).throw(GeneratorExit), lambda: 1 / 0]
)
def test_a_check_that_leaves_is_an_error_of_its_case(leave: Any) -> None:
    @evaluator("leaves")
    def check(case: Any) -> float:
        if case.id == "bad":
            leave()
        return 1.0

    rows: list[dict[str, Any]] = [{"id": name, "tool_calls": []} for name in ("good", "bad", "fine")]
    run = evaluate_cases(rows, check)
    assert [case.of("leaves").status for case in run] == ["scored", "error", "scored"]


@pytest.mark.parametrize("cases", [None, 5, {"id": "a"}])
def test_what_is_no_list_of_cases_is_refused(cases: Any) -> None:
    with pytest.raises(RightcallError):
        evaluate_cases(cases, "tool_call_args")


def test_an_option_out_of_range_names_its_field() -> None:
    with pytest.raises(OptionError, match="threshold"):
        evaluate("tool_call_args", output=[], expected=[], threshold=1.5)
