"""The summary of a run: every figure of contract 8 from small runs that can be counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

from rightcall import Run, evaluate_cases
from rightcall.core.summing.summary import ToolSummary
from rightcall.run.summarize import summary_of


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def run_of(*pairs: tuple[Any, Any], evaluator: str = "tool_call_accuracy", **fields: list[Any]) -> Run:
    rows: list[dict[str, Any]] = []
    for n, (actual, expected) in enumerate(pairs):
        row = {"id": f"r{n}", "tool_calls": actual, "expected_tool_calls": expected}
        rows.append(row | {name: values[n] for name, values in fields.items()})
    return evaluate_cases(rows, evaluator)


def of(run: Run, evaluator: str = "tool_call_accuracy") -> Any:
    return summary_of(run).evaluators[evaluator]


A, B, C = call("a", x=1), call("b"), call("c")


def test_counts_and_rates_stand_beside_the_mean():
    summary = summary_of(run_of(([A], [A]), ([], [A]), (None, [A]), (42, [A])))
    found = summary.evaluators["tool_call_accuracy"]
    assert (summary.cases, summary.passed, summary.failed, summary.errors, summary.not_evaluated) == (
        4,
        1,
        2,
        1,
        1,
    )
    assert (found.scored, found.errors, found.not_evaluated, found.mean) == (2, 1, 1, 0.5)
    assert found.pass_rate == pytest.approx(1 / 3)
    assert found.mean_interval is not None
    assert found.mean_interval.method == "wilson"


def test_nothing_scored_has_no_mean_and_no_rate():
    found = of(run_of((None, [A])))
    assert (found.mean, found.mean_interval, found.pass_rate, found.pass_rate_interval) == (
        None,
        None,
        None,
        None,
    )


def test_micro_sums_counts_and_macro_averages_cases():
    found = of(run_of(([A, B], [A, B]), ([C], [A]), ([], [])))
    assert (
        found.micro["true_positives"],
        found.micro["false_positives"],
        found.micro["false_negatives"],
    ) == (2, 1, 1)
    assert found.micro["precision"] == pytest.approx(2 / 3)
    # The case without calls has no precision; it is left out, not counted as 0.
    assert (found.macro["precision"], found.macro["precision_cases"]) == (0.5, 2)


def test_the_table_of_tools():
    found = of(run_of(([A, B], [A, C]), ([call("a", x=2)], [A])))
    assert found.tools["a"] == ToolSummary(expected=2, made=2, exact=1, name_only=1, missing=0, extra=0)
    assert found.tools["b"] == ToolSummary(expected=0, made=1, exact=0, name_only=0, missing=0, extra=1)
    assert found.tools["c"] == ToolSummary(expected=1, made=0, exact=0, name_only=0, missing=1, extra=0)


def test_the_confusion_matrix_accounts_for_every_call():
    found = of(run_of(([B], [A]), ([A], [A]), ([], [C]), ([C], [])))
    assert found.confusion == {"": {"c": 1}, "a": {"a": 1, "b": 1}, "c": {"": 1}}


def test_agreement_with_the_cases_own_verdict():
    pairs: tuple[tuple[Any, Any], ...] = (([A], [A]), ([A], [A]), ([], [A]), ([], [A]))
    found = of(run_of(*pairs, verdict=[True, False, False, True]))
    assert found.verdict["agreement"] == 0.5
    assert found.verdict["right"]["precision"] == 0.5
    assert found.verdict["wrong"]["recall"] == 0.5
    assert of(run_of(*pairs)).verdict is None


def test_trials_of_one_case():
    rows = [
        {"id": "t", "trial": n, "tool_calls": calls, "expected_tool_calls": [A]}
        for n, calls in enumerate(([A], [A], []))
    ]
    found = of(evaluate_cases(rows, "tool_call_accuracy"))
    assert found.trials["pass_at_k"]["1"] == {"value": pytest.approx(2 / 3), "cases": 1}
    assert found.trials["pass_at_k"]["2"]["value"] == 1.0
    assert found.trials["pass_hat_k"]["2"]["value"] == pytest.approx(1 / 3)
    assert found.trials["pass_hat_k"]["3"]["value"] == 0.0


def test_causes_are_ranked_by_the_points_they_cost():
    summary = summary_of(
        run_of(
            ([call("a", x="UP")], [call("a", x="up")]),
            ([], [A]),
            ([], [A]),
            ([call("a", x="Up")], [call("a", x="up")]),
        )
    )
    first, second = summary.evaluators["tool_call_accuracy"].causes
    assert (first.kind, first.tool, first.cases, first.lost, first.examples) == (
        "missing_call",
        "a",
        2,
        2.0,
        ("r1", "r2"),
    )
    assert (second.kind, second.path) == ("case", "/x")
    assert second.share == pytest.approx(1 / 3)
    assert second.accept_with is not None
    assert second.accept_with in second.fix
    assert summary.causes[0].kind == "missing_call"
    assert sum(cause.share for cause in summary.causes) == pytest.approx(1)


def test_causes_of_a_run_add_up_over_evaluators():
    rows = [{"id": "r", "tool_calls": [], "expected_tool_calls": [A]}]
    summary = summary_of(evaluate_cases(rows, suite="agent"))
    (cause,) = summary.causes
    assert (cause.kind, cause.lost, cause.share, cause.cases) == ("missing_call", 5.0, 1.0, 1)


def test_the_summary_says_how_it_was_made():
    run = evaluate_cases([], "tool_call_accuracy", threshold=0.5, ignore_case=True)
    summary = summary_of(run)
    assert summary.options == {"ignore_case": True}
    assert summary.thresholds == {"tool_call_accuracy": 0.5}
    assert summary.signature.startswith("rightcall/")
