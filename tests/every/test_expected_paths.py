"""Several whole paths: for every evaluator the best of what it gives to each path alone. New members are covered as they are.

The exception is said in docs/design/decisions.md: a path that passes goes before one of a greater mean that does not.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall import Result, evaluate, evaluate_cases, evaluator, list_evaluators
from rightcall.core.types import Case

Call = dict[str, Any]
EVERY = list_evaluators()

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "tool_call_accuracy": [{}, {"matching": "optimal"}],
    "tool_call_args": [{}, {"strict": True}, {"numeric_tolerance": 1}],
    "tool_call_order": [{}, {"strict": True}],
    "tool_call_f1": [{}, {"match": "name"}],
    "trajectory_match": [{"mode": mode} for mode in ("exact", "in_order", "superset", "unordered", "subset")],
    "forbidden_tools": [{"forbidden": ["f"]}],
}
CHOICES = [(name, options) for name in EVERY for options in OPTIONS.get(name, [{}])]
TOOLS = [{"name": "f", "parameters": {"type": "object", "required": ["a"]}}, {"name": "g"}]

made_calls = st.builds(
    lambda name, value, output: {"name": name, "arguments": {"a": value}, "output": output},
    st.sampled_from("fg"),
    st.sampled_from([1, 2, "Nov 12 2025", "2025-11-12"]),
    st.sampled_from([1, 2]),
)


@st.composite
def wanted_calls(draw: Any) -> Call:
    call = dict(draw(made_calls))
    kind = draw(st.integers(0, 7))
    if kind == 1:
        call["optional"] = True
    elif kind == 2:
        call["count"] = {"min": 1, "max": 2}
    elif kind == 3:
        call["alternatives"] = [dict(draw(made_calls))]
    elif kind == 4:
        call["arguments"] = {"a": {"$type": "integer"}}
    elif kind == 5:
        del call["output"]
    return call


paths_and_calls = st.tuples(
    st.lists(made_calls, max_size=3), st.lists(st.lists(wanted_calls(), max_size=3), min_size=1, max_size=3)
)


def run(name: str, options: dict[str, Any], **sides: Any) -> Result:
    result: Result = evaluate(name, tools=TOOLS, **sides, **options)
    return result


@pytest.mark.parametrize(("name", "options"), CHOICES, ids=str)
@given(pair=paths_and_calls)
def test_it_is_the_best_of_what_each_path_gives_alone(
    name: str, options: dict[str, Any], pair: tuple[list[Call], list[list[Call]]]
) -> None:
    actual, paths = pair
    together = run(name, options, output=actual, expected_any_of=paths)
    alone = [run(name, options, output=actual, expected=path) for path in paths]
    scores = [result.score for result in alone if result.score is not None]
    best = max((bool(result.passed), result.score or 0.0) for result in alone)
    assert bool(together.passed) is best[0]
    assert (together.score or 0.0) == pytest.approx(best[1], abs=1e-8)
    assert scores or together.status == "not_evaluated"
    if together.status == "scored":
        taken = alone[together.details["path"]]
        assert taken.score == pytest.approx(together.score, abs=1e-8), (
            "the details are those of the path taken"
        )
        expected = paths[together.details["path"]]
        owners = together.details.get("slots", range(len(expected)))
        assert all(owners[item.expected] < len(expected) for item in together.details.pairs)


def call(name: str, **arguments: Any) -> Call:
    return {"name": name, "arguments": arguments}


MADE = [call("g", i=1), call("f", i=1), call("g", i=0)]
PATHS = [[call("g", i=0), call("f", i=1), call("g", i=0)], [call("f", i=1), call("g", i=0)]]


def test_evaluators_may_take_different_paths_and_each_explains_its_own() -> None:
    row = {"tool_calls": MADE, "expected_any_of": PATHS}
    (case,) = evaluate_cases([row], ["tool_call_accuracy", "tool_call_args", "tool_call_order"])
    taken = {result.evaluator: (result.details["path"], result.score) for result in case.results}
    assert taken == {
        "tool_call_accuracy": (0, pytest.approx(2.5 / 3)),
        "tool_call_args": (1, 1.0),
        "tool_call_order": (0, 1.0),
    }
    assert case.of("tool_call_args").reason == "2/2 matched."
    assert [(pair.actual, pair.expected) for pair in case.of("tool_call_args").details.pairs] == [
        (1, 0),
        (2, 1),
    ]


def test_a_path_that_passes_goes_before_one_of_a_greater_mean() -> None:
    made = [call("f", a=1), call("f", a="2025-11-12")]
    failing = [call("f", a=1), call("f", a="2025-11-12"), call("g")]  # two of three are made: mean 2/3
    for paths in ([failing, [call("f", a="12 November 2025")]], [[call("f", a="12 November 2025")], failing]):
        found = run("tool_call_semantic", {}, output=made, expected_any_of=paths)
        assert found.passed
        assert len(paths[found.details["path"]]) == 1


def test_one_of_ones_own_that_needs_expected_calls_sees_each_path_and_any_other_is_asked_once() -> None:
    seen: list[tuple[str, int]] = []

    @evaluator(inputs=("actual", "expected"))
    def as_many(case: Case) -> float:
        seen.append(("as_many", len(case.expected_calls or ())))
        return float(len(case.actual or ()) == len(case.expected_calls or ()))

    @evaluator
    def few(case: Case) -> float:
        seen.append(("few", 0))
        return 0.0

    row = {"tool_calls": MADE, "expected_any_of": [PATHS[1], [], PATHS[0]]}
    (case,) = evaluate_cases([row], [as_many, few])
    assert case.of("as_many").score == 1.0
    assert [name for name, _ in seen].count("few") == 1
    assert seen[0] == ("as_many", 3)


def test_a_path_that_is_an_error_is_none_where_another_passes() -> None:
    torn = [{**call("f", i=1), "group": "x"}, call("g", i=0), {**call("f", i=1), "group": "x"}]
    row = {"tool_calls": MADE, "expected_any_of": [torn, PATHS[1]]}
    for mode, status in (("in_order", "scored"), ("exact", "error")):
        (case,) = evaluate_cases([row], "trajectory_match", mode=mode)
        assert case.of("trajectory_match").status == status
