"""Scores of Ragas' ToolCallAccuracy and ToolCallF1."""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = str(Path(__file__).parent)
sys.path[:] = [path for path in sys.path if path != HERE]  # this file has the name of the package
for gone, kind in (("chat_models", "ChatVertexAI"), ("llms", "VertexAI")):
    # The package imports these for a model that no score here asks; newer releases of theirs have left them out.
    made: Any = ModuleType(f"langchain_community.{gone}.vertexai")
    setattr(made, kind, object)
    sys.modules[made.__name__] = made
messages: Any = import_module("ragas.messages")
accuracy: Any = import_module("ragas.metrics.collections.tool_call_accuracy").ToolCallAccuracy
f1: Any = import_module("ragas.metrics.collections.tool_call_f1").ToolCallF1
sys.path.append(HERE)
harness: Any = import_module("harness")


def score(case: dict[str, Any], rule: str, options: dict[str, Any]) -> float:
    """One metric on one case."""
    made = [_call(call) for call in case["actual"]]
    asked = [messages.HumanMessage(content="x"), messages.AIMessage(content="y", tool_calls=made)]
    metric = f1() if rule == "f1" else accuracy(**options)
    wanted = [_call(call) for call in case["expected"]]
    return float(asyncio.run(metric.ascore(user_input=asked, reference_tool_calls=wanted)).value)


def _call(call: dict[str, Any]) -> Any:
    return messages.ToolCall(name=call["name"], **harness.given(call, "args"))


if __name__ == "__main__":
    harness.serve("ragas", score)
