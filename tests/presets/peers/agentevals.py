"""Scores of agentevals, fed with OpenAI messages."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = str(Path(__file__).parent)
sys.path[:] = [path for path in sys.path if path != HERE]  # this file has the name of the package
match: Any = import_module("agentevals.trajectory.match")
sys.path.append(HERE)
harness: Any = import_module("harness")


def score(case: dict[str, Any], rule: str, options: dict[str, Any]) -> float:
    """One mode on one case."""
    evaluator = match.create_trajectory_match_evaluator(trajectory_match_mode=rule, **options)
    result = evaluator(outputs=_messages(case["actual"]), reference_outputs=_messages(case["expected"]))
    return float(result["score"])


def _messages(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    group = None
    for call in calls:
        function = {"name": call["name"]}
        if "arguments" in call:
            arguments = call["arguments"]
            function["arguments"] = arguments if isinstance(arguments, str) else json.dumps(arguments)
        told = {"id": "", "type": "function", "function": function}
        if messages and call.get("group") is not None and call.get("group") == group:
            messages[-1]["tool_calls"].append(told)
        else:
            messages.append({"role": "assistant", "content": "", "tool_calls": [told]})
        group = call.get("group")
    return messages


if __name__ == "__main__":
    harness.serve("agentevals", score)
