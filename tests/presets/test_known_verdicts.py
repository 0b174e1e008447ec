"""Inputs on which tools are known to disagree, with the score of each: what people meet who change from one to another."""

from __future__ import annotations

from typing import Any

import pytest

from rightcall import evaluate
from rightcall.errors import PeerError


def f(**arguments: Any) -> dict[str, Any]:
    return {"name": "f", "arguments": arguments}


G = {"name": "g", "arguments": {"y": 2}}
F1, F2, F9 = f(x=1), f(x=2), f(x=9)

COLUMNS: list[tuple[str, dict[str, Any]]] = [
    ("futureagi.tool_call_accuracy", {}),
    ("uipath.args", {}),
    ("deepeval.default", {}),
    ("deepeval.arguments", {}),
    ("ragas.accuracy", {}),
    ("ragas.accuracy", {"strict_order": False}),
    ("ragas.f1", {}),
    ("agentevals.unordered", {}),
    ("adk.exact", {}),
    ("adk.any_order", {}),
    ("mlflow.exact_ordered", {}),
]
RAISES = "raises"
KEYS = ([f(o={"a": 1, "b": 2})], [f(o={"b": 2, "a": 1})])
CASE = ([{"name": "F", "arguments": {"x": 1}}], [F1])

KNOWN: dict[str, tuple[Any, Any, list[Any]]] = {
    "both sides empty": ([], [], [1, 1, 1, 1, 1, 1, 0, 1, 1, 1, RAISES]),
    "nothing expected, one call": ([F1], [], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, RAISES]),
    "one expected, no call": ([], [F1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    "an unrelated call more": ([F1, G], [F1], [0.5, 1, 1, 1, 0, 0, 0.6667, 0, 0, 1, 0]),
    "two identical, both made": ([F1, F1], [F1, F1], [1, 1, 0.5, 0.5, 1, 1, 1, 1, 1, 1, 1]),
    "made three times": ([F1] * 3, [F1], [1 / 3, 1, 1, 1, 0, 0, 1, 0, 0, 1, 0]),
    "extra argument": ([f(x=1, y=2)], [F1], [0.5, 1, 1, 0.5, 1, 1, 0, 0, 0, 0, 0]),
    "missing argument": ([F1], [f(x=1, y=2)], [0.5, 0, 1, 0.5, 0.5, 0.5, 0, 0, 0, 0, 0]),
    "true for 1": ([f(x=True)], [F1], [1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0]),
    "1.0 for 1": ([f(x=1.0)], [F1], [1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0]),
    "text for number": ([f(x="1")], [F1], [0.5, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0]),
    "keys inside an object": (*KEYS, [1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1]),
    "list order": ([f(x=[1, 2])], [f(x=[2, 1])], [0.5, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
    "name case": (*CASE, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    "wrong value": ([F2], [F1], [0.5, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
    "greedy trap": ([F9, F1], [F1, F2], [0.5, 0.5, 1, 0.5, 0, 0.5, 0.5, 0, 0, 0, 0]),
    "greedy trap, swapped": ([F1, F9], [F1, F2], [0.75, 0.5, 1, 0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0]),
}


@pytest.mark.parametrize("name", KNOWN)
def test_what_each_tool_says(name: str) -> None:
    actual, expected, scores = KNOWN[name]
    for (rule, options), wanted in zip(COLUMNS, scores, strict=True):
        if wanted == RAISES:
            with pytest.raises(PeerError):
                evaluate(rule, output=actual, expected=expected, **options)
        else:
            assert evaluate(rule, output=actual, expected=expected, **options).score == pytest.approx(
                wanted
            ), rule


def test_malformed_arguments_by_the_published_rule_of_future_agi() -> None:
    same = [{"name": "f", "arguments": "{"}]
    with pytest.raises(Exception, match="expected_tool_calls"):
        evaluate(
            "futureagi.tool_call_accuracy", output=same, expected=same
        )  # our reader refuses what is expected
    result = evaluate("futureagi.tool_call_accuracy", output=same, expected=[f()])
    assert result.score == 0.5


def test_one_call_serves_two_expectations_in_tau2() -> None:
    assert evaluate("tau2.action", output=[F1], expected=[F1, F1]).score == 1
    assert evaluate("tau2.action", output=[f()], expected=[F1]).score == 1
    assert evaluate("tau2.action", output=[f(x=1, y=2)], expected=[F1]).score == 0
    assert evaluate("tau2.action", output=[f(x=1, y=2)], expected=[F1], compare_args={"f": ["x"]}).score == 1
    assert evaluate("tau2.action", output=[f(x=2)], expected=[F1], compare_args={"f": []}).score == 1


@pytest.mark.parametrize(
    ("mode", "score"), [("strict", 0.5), ("unordered", 2 / 3), ("subset", 1), ("superset", 2 / 3)]
)
def test_future_agi_matches_names(mode: str, score: float) -> None:
    made = [f(), {"name": "h", "arguments": {}}, G, G]
    wanted = [f(x=3), {"name": "h", "arguments": {}}]
    made_less = evaluate(f"futureagi.trajectory_match_{mode}", output=made, expected=wanted).score
    assert made_less == pytest.approx(score)
