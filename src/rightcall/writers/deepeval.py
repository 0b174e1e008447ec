"""deepeval: test cases with `tools_called`, as DeepEval dumps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.types import ToolCall, Trace
from ..core.writing import WriterDeclaration, object_arguments

DECLARATION = WriterDeclaration(
    id="deepeval",
    meaning="DeepEval test cases",
    carries=frozenset({"outputs", "texts", "inputs"}),
    reads_back="deepeval",
    lines=False,
)


def document(trace: Trace, number: int) -> dict[str, Any]:
    """One test case; its input is the first question, its output the last answer.

    Raises:
        CallError: unreadable arguments, which an object can't hold.
    """
    inputs = [turn.input for turn in trace.turns if turn.input is not None]
    found: dict[str, Any] = {"name": trace.id} if trace.id is not None else {}
    found |= {"input": "\n".join(inputs), "actual_output": trace.text}
    found["tools_called"] = [_call(call) for call in trace.calls or ()]
    return found


def _call(call: ToolCall) -> dict[str, Any]:
    item: dict[str, Any] = {"name": call.name, "input_parameters": object_arguments(call, DECLARATION.id)}
    return item if call.output is None else {**item, "output": call.output}


def together(documents: Sequence[Any]) -> Any:
    """Several test cases are a list of them."""
    return documents[0] if len(documents) == 1 else list(documents)
