"""Scores of UiPath's own evaluators, fed with spans."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

HERE = str(Path(__file__).parent)
sys.path[:] = [path for path in sys.path if path != HERE]  # this file has the name of the package
evaluators: Any = import_module("uipath.eval.evaluators")
models: Any = import_module("uipath.eval.models.models")
sys.path.append(HERE)
harness: Any = import_module("harness")

KINDS = {
    "args": "ToolCallArgs",
    "order": "ToolCallOrder",
    "count": "ToolCallCount",
    "output": "ToolCallOutput",
}


def score(case: dict[str, Any], rule: str, options: dict[str, Any]) -> float | None:
    """One evaluator on one case."""
    by_id = options["match_by_id"]
    criteria = _criteria(case, rule, by_id=by_id)
    if criteria is None:
        return None
    kind = getattr(evaluators, f"{KINDS[rule]}Evaluator")
    settings = {name: value for name, value in options.items() if name != "match_by_id"}
    evaluator = kind(id="x", evaluatorConfig={"name": "x", **settings})
    spans = [_span(call, by_id=by_id) for call in case["actual"]]
    execution = SimpleNamespace(agent_input={}, agent_output={}, workload_trace=spans)
    made = evaluator.evaluation_criteria_type.model_validate(criteria)
    result = asyncio.run(evaluator.evaluate(execution, made))
    if isinstance(result, models.ErrorEvaluationResult):  # an exception, caught and given the score 0
        raise RuntimeError(result.details)  # noqa: TRY004 - it stands for whatever was raised
    return float(result.score)


def _span(call: dict[str, Any], *, by_id: bool) -> Any:
    attributes = {"tool.name": call["name"]}
    if "arguments" in call:
        arguments = call["arguments"]
        attributes["input.value"] = json.dumps(arguments) if isinstance(arguments, dict) else arguments
    if "output" in call:
        attributes["output.value"] = call["output"]
    if by_id and "id" in call:
        attributes["tool.id"] = call["id"]
    return SimpleNamespace(attributes=attributes)


def _criteria(case: dict[str, Any], rule: str, *, by_id: bool) -> dict[str, Any] | None:
    expected = case["expected"]
    words = [call["id"] if by_id and "id" in call else call["name"] for call in expected]
    if rule == "order":
        return {"toolCallsOrder": words, "tool_calls_order": words}
    if rule == "count":
        counts = case.get("counts")
        if counts is None:
            counts = {word: ["==", words.count(word)] for word in words}
        return {"toolCallsCount": counts, "tool_calls_count": counts}
    calls = []
    for call in expected:
        made = {"name": call["name"], "id": call.get("id") if by_id else None}
        if rule == "args":
            calls.append({**made, **harness.given(call, "args")})
        elif "output" in call:
            calls.append({**made, "output": call["output"]})
    if rule == "output" and expected and not calls:
        return None
    name = "tool_calls" if rule == "args" else "tool_outputs"
    return {name: calls, "toolCalls" if rule == "args" else "toolOutputs": calls}


if __name__ == "__main__":
    harness.serve("uipath", score)
