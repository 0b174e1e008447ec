"""Scores of ADK's trajectory evaluator."""

from __future__ import annotations

from importlib import import_module
from typing import Any

harness: Any = import_module("harness")
evaluator: Any = import_module("google.adk.evaluation.trajectory_evaluator")
metrics: Any = import_module("google.adk.evaluation.eval_metrics")
cases: Any = import_module("google.adk.evaluation.eval_case")
genai: Any = import_module("google.genai.types")


def score(case: dict[str, Any], rule: str, options: dict[str, Any]) -> float:
    """One mode on one case of one invocation."""
    kind = metrics.ToolTrajectoryCriterion
    criterion = kind(
        threshold=1.0, match_type=kind.MatchType[rule.upper()], ignore_args=options["ignore_args"]
    )
    metric = metrics.EvalMetric(metric_name="x", threshold=1.0, criterion=criterion)
    result = evaluator.TrajectoryEvaluator(eval_metric=metric).evaluate_invocations(
        [_invocation(case["actual"])], [_invocation(case["expected"])]
    )
    return float(result.overall_score)


def _invocation(calls: list[dict[str, Any]]) -> Any:
    uses = [genai.FunctionCall(name=call["name"], **harness.given(call, "args")) for call in calls]
    content = genai.Content(parts=[genai.Part(text="x")])
    return cases.Invocation(user_content=content, intermediate_data=cases.IntermediateData(tool_uses=uses))


if __name__ == "__main__":
    harness.serve("adk", score)
