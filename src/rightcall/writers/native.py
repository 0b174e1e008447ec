"""native: rightcall's own cases, one a line, with all that was recorded."""

from __future__ import annotations

from typing import Any

from ..core.arguments import read_arguments
from ..core.types import ToolCall, Trace
from ..core.writing import CARRIED, WriterDeclaration, argument_text, tool_document

DECLARATION = WriterDeclaration(
    id="native",
    meaning="rightcall's own cases, one a line",
    carries=frozenset(CARRIED),
    reads_back="native",
)

_RECORDED = ("id", "turn", "group", "output", "error", "status", "start", "span_id")


def document(trace: Trace, number: int) -> dict[str, Any]:
    """One case."""
    row: dict[str, Any] = {} if trace.id is None else {"id": trace.id}
    if trace.turns and trace.turns[0].input is not None:
        row["input"] = trace.turns[0].input
    row["tool_calls"] = [_call(call) for call in trace.calls or ()]
    if trace.text is not None:
        row["output"] = trace.text
    if trace.turns:
        row["turns"] = [{"input": turn.input, "text": turn.text} for turn in trace.turns]
    if trace.tools is not None:
        row["tools"] = [tool_document(tool, "parameters") for tool in trace.tools]
    return row


def _call(call: ToolCall) -> dict[str, Any]:
    value = read_arguments(call.raw).value
    item: dict[str, Any] = {"name": call.name, "arguments": argument_text(call) if value is None else value}
    found = {name: getattr(call, name) for name in _RECORDED}
    return item | {name: value for name, value in found.items() if value is not None}
