"""Scores of DeepEval's ToolCorrectnessMetric; no model is asked, and none is set up."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
HERE = str(Path(__file__).parent)
sys.path[:] = [path for path in sys.path if path != HERE]  # this file has the name of the package
metric: Any = import_module("deepeval.metrics.tool_correctness.tool_correctness").ToolCorrectnessMetric
cases: Any = import_module("deepeval.test_case")
params: Any = import_module("deepeval.test_case.llm_test_case").ToolCallParams
sys.path.append(HERE)
harness: Any = import_module("harness")


def score(case: dict[str, Any], rule: str, options: dict[str, Any]) -> float:
    """One setting of the metric on one case."""
    default = ["input_parameters"] if rule == "arguments" else []
    chosen = options.get("evaluation_params", default)
    made = metric.__new__(metric)  # the constructor sets up a model, which the score never asks
    made.should_exact_match = rule == "exact"
    made.should_consider_ordering = rule == "ordered"
    made.evaluation_params = [params(name) for name in chosen] if chosen else []
    made.strict_mode = options.get("strict_mode", False)
    made.threshold = 1 if made.strict_mode else 0.5
    made.tools_called = [_call(call) for call in case["actual"]]
    made.expected_tools = [_call(call) for call in case["expected"]]
    return float(made._calculate_score())


def _call(call: dict[str, Any]) -> Any:
    return cases.ToolCall(
        name=call["name"],
        **harness.given(call, "input_parameters"),
        output=call.get("output"),
    )


if __name__ == "__main__":
    harness.serve("deepeval", score)
