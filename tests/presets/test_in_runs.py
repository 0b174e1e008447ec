"""Rules of presets behave as evaluators: asked for in every way, with options, thresholds, reports and reasons."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rightcall import UsageError, evaluate, evaluate_cases
from rightcall.core.summing.summary import RunSummary
from rightcall.errors import PeerError, UnknownNameError
from rightcall.run.sets import EVALUATORS, PRESETS, list_evaluators, list_presets

F1: dict[str, Any] = {"name": "f", "arguments": {"x": 1}}
F12: dict[str, Any] = {"name": "f", "arguments": {"x": 1, "y": 2}}
SIDES: dict[str, Any] = {"output": [F12], "expected": [F1]}
CASES: list[dict[str, Any]] = [
    {"id": "a", "tool_calls": [F1], "expected_tool_calls": [F1]},
    {"id": "b", "tool_calls": [F12], "expected_tool_calls": [F1]},
    {"id": "c", "tool_calls": [F12, F1], "expected_tool_calls": [F1]},
    {"id": "d", "tool_calls": [], "expected_tool_calls": [F1]},
    {"id": "e", "tool_calls": [{"name": "f", "arguments": "{"}], "expected_tool_calls": [F1]},
    {"id": "f", "tool_calls": [F1], "expected_tool_calls": None},
]


def write() -> None:
    Path("cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES))


def test_a_preset_gives_all_of_its_rules() -> None:
    assert list(evaluate(preset="uipath", **SIDES)) == list(PRESETS.get("uipath").ids)


@pytest.mark.parametrize("name", ["tool_call_args", "args", "uipath.args"])
def test_a_rule_is_found_by_its_own_name_or_by_ours(name: str) -> None:
    result = evaluate(name, preset="uipath", **SIDES)
    assert (result.evaluator, result.score) == ("uipath.args", 1.0)
    assert evaluate("tool_call_args", **SIDES).score == 0.0


def test_rules_stand_beside_evaluators_in_one_run() -> None:
    run = evaluate_cases(CASES, ["tool_call_args", "uipath.args", "deepeval.arguments"])
    found = {name: run.results[1].of(name).score for name in run.summary().evaluators}
    assert found == {"tool_call_args": 0.0, "uipath.args": 1.0, "deepeval.arguments": 0.5}


def test_what_the_tool_raises_on_is_an_error_of_the_case() -> None:
    with pytest.raises(PeerError, match="DeepEval raises"):
        evaluate("deepeval.arguments", output=[{"name": "f", "arguments": "{"}], expected=[F1])
    run = evaluate_cases(CASES, preset="deepeval")
    result = run.results[4].of("deepeval.arguments")
    assert (result.status, result.score, result.error) == ("error", None, "peer-raises")
    assert "raises on arguments" in result.reason
    assert run.results[5].of("deepeval.arguments").status == "not_evaluated"


def test_options_and_thresholds_of_its_own() -> None:
    sides: dict[str, Any] = {"output": [F1], "expected": [F1, F12]}
    assert evaluate("uipath.args", **sides).score == 0.5
    assert evaluate("uipath.args", strict=True, **sides).score == 0.0
    of_one: dict[str, Any] = {"uipath.args": {"strict": True}}
    found = evaluate(["uipath.args", "tool_call_args"], **sides, **of_one)
    assert [result.score for result in found.values()] == [0.0, 0.5]
    assert evaluate("deepeval.default", **sides).threshold == 0.5
    assert evaluate("deepeval.default", threshold=0.9, **sides).passed is False
    with pytest.raises(UsageError):
        evaluate("uipath.args", numeric_tolerance=1, **SIDES)


def test_the_pairs_of_a_rule_are_its_evidence() -> None:
    details = evaluate("uipath.args", output=[F12, F1], expected=[F12, F12]).details
    assert [(pair.actual, pair.expected) for pair in details.pairs] == [(0, 0)]
    assert (details.missing, details.extra) == ((1,), (1,))
    assert all(item.accept_with is None for item in details.differences)


def test_what_no_tool_knows_is_not_evaluated() -> None:
    expected = [{"name": "f", "arguments": {"x": {"$any": True}}}]
    result = evaluate("uipath.args", output=[F1], expected=expected)
    assert result.status == "not_evaluated"
    assert "matchers" in result.reason


def test_wrong_requests_are_refused_with_the_nearest_name() -> None:
    requests: list[dict[str, Any]] = [
        {"preset": "uipat"},
        {"evaluator": "uipath.arg"},
        {"evaluator": "tool_call_f1", "preset": "tau2"},
    ]
    for wrong in requests:
        with pytest.raises(UnknownNameError):
            evaluate(**wrong, **SIDES)
    with pytest.raises(UsageError):
        evaluate(suite="agent", preset="uipath", **SIDES)


def test_listings_show_our_own_evaluators_only() -> None:
    assert not [name for name in list_evaluators() if "." in name]
    assert "uipath.args" in EVALUATORS
    assert "uipath.nothing" not in EVALUATORS
    assert set(list_presets()) == {
        *("adk", "agentevals", "bfcl", "deepeval", "futureagi", "mlflow", "ragas", "tau2", "uipath")
    }


def test_a_run_with_a_preset_is_written_and_explained(call: Callable[..., Any]) -> None:
    write()
    done = call(
        *("run", "cases.jsonl", "--preset", "uipath", "--option", "uipath.args.strict=true"),
        *("--threshold", "uipath.order=0.5", "--out", "out", "--report", "md,junit,json", "--no-gate"),
    )
    assert done.code == 0, done.err
    lines = [json.loads(line) for line in Path("out/results.jsonl").read_text().splitlines()]
    assert {line["evaluator"] for line in lines} == set(PRESETS.get("uipath").ids)
    assert '"uipath.args":{"strict":true}' in json.loads(Path("out/summary.json").read_text())["signature"]
    shown = call("explain", "out", "c")
    assert shown.code == 0, shown.err
    assert "uipath.args" in shown.out


def test_a_preset_and_the_ids_it_stands_for(call: Callable[..., Any]) -> None:
    write()
    done = call("run", "cases.jsonl", "--preset", "deepeval", "-e", "tool_call_args", "--json", "--no-gate")
    assert list(json.loads(done.out)["evaluators"]) == ["deepeval.arguments"]
    Path("rightcall.toml").write_text('suite = "agent"\n')
    done = call("run", "cases.jsonl", "--preset", "tau2", "--json", "--no-gate")
    assert list(json.loads(done.out)["evaluators"]) == ["tau2.action"]
    done = call("run", "cases.jsonl", "--preset", "tau2", "--suite", "agent")
    assert done.code == 2


def test_eval_takes_the_id_of_a_rule(call: Callable[..., Any]) -> None:
    sides = ("--output", json.dumps([F12]), "--expected", json.dumps([F1]))
    assert call("eval", "uipath.args", *sides).code == 0
    done = call("eval", "uipath.args,tool_call_args", *sides, "--json")
    assert [result["score"] for result in json.loads(done.out)] == [1.0, 0.0]


def test_compare_presets_says_how_far_and_why(call: Callable[..., Any]) -> None:
    write()
    done = call("compare-presets", "cases.jsonl", "--preset", "uipath,deepeval", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["cases"] == 6
    rules = {rule["rule"]["id"]: rule for rule in found["rules"]}
    args = rules["uipath.args"]
    assert args["beside"]["id"] == "tool_call_args"
    assert (args["rule"]["mean"], args["beside"]["mean"]) == (0.6, 0.4)
    assert (args["compared"], args["differ"], args["verdicts_differ"]) == (5, 1, 1)
    assert args["causes"][0]["what"] == "an extra argument"
    assert args["causes"][0]["examples"] == ["b"]
    raised = [cause for cause in rules["deepeval.arguments"]["causes"] if cause["theirs"] is None]
    assert raised[0]["what"].startswith("it raises on arguments that are a text")
    shown = call("compare-presets", "cases.jsonl", "--preset", "uipath")
    assert "an extra argument" in shown.out
    assert "uipath.count" in shown.out


CAUSES = [
    pytest.param("uipath.args", [{"name": "f", "arguments": {"x": True}}], [F1], "a value of another type", id="type"),
    pytest.param("ragas.accuracy", [{"name": "f", "arguments": {"x": 1.5, "o": {"a": 1, "b": 2}}}],
                 [{"name": "f", "arguments": {"x": 1.5, "o": {"b": 2, "a": 1}}}], "written otherwise", id="keys"),
    pytest.param("ragas.f1", [F1, F1, F1], [F1], "repeated calls", id="repeated"),
    pytest.param("adk.exact", [{"name": "g", "arguments": {}}, F1], [F1, {"name": "g", "arguments": {}}],
                 "calls in another order", id="order"),
    pytest.param("adk.any_order", [F1], [], "no calls on one side", id="empty"),
    pytest.param("agentevals.superset", [F1, {"name": "g", "arguments": {}}], [F1], "extra calls", id="extra"),
    pytest.param("futureagi.trajectory_match_subset", [F12], [F1], "an extra argument", id="argument"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "actual", "expected", "what"), CAUSES)
def test_the_trait_that_makes_the_difference_is_named(
    rule: str, actual: Any, expected: Any, what: str, call: Callable[..., Any]
) -> None:
    Path("cases.jsonl").write_text(
        json.dumps({"id": "r", "tool_calls": actual, "expected_tool_calls": expected})
    )
    found = json.loads(
        call("compare-presets", "cases.jsonl", "--preset", rule.partition(".")[0], "--json").out
    )
    (compared,) = [one for one in found["rules"] if one["rule"]["id"] == rule]
    assert what in compared["causes"][0]["what"]


def test_compare_presets_of_nothing_or_of_broken_rows(call: Callable[..., Any]) -> None:
    Path("none.jsonl").write_text("\n")
    assert call("compare-presets", "none.jsonl").code == 3
    Path("broken.jsonl").write_text('{"id": "a", "tool_calls": []\n')
    assert call("compare-presets", "broken.jsonl").code == 3
    assert call("compare-presets", "none.jsonl", "--preset", "nobody").code == 2


def test_the_summary_of_a_preset_is_a_summary(call: Callable[..., Any]) -> None:
    run = evaluate_cases(CASES, preset="uipath")
    assert isinstance(run.summary(), RunSummary)
    tools = run.summary().evaluators["uipath.args"].tools["f"]
    assert tools.expected == 5
