"""bfcl: result lines of the Berkeley Function Calling Leaderboard, `{"id", "result"}`."""

from __future__ import annotations

from typing import Any

from ..core.types import ToolCall, Trace
from ..core.writing import WriterDeclaration, argument_text, turns_of

DECLARATION = WriterDeclaration(
    id="bfcl",
    meaning="BFCL result lines",
    carries=frozenset({"turns", "groups", "trace id"}),
    reads_back="bfcl",
)


def document(trace: Trace, number: int) -> dict[str, Any]:
    """One line: the calls as one-key objects; a recording of several turns or steps keeps them."""
    turns = turns_of(trace)
    result: Any
    if len(turns) == 1 and len(turns[0].steps) <= 1:
        result = [_call(call) for call in trace.calls or ()]
    else:
        result = [[[_call(call) for call in step] for step in turn.steps] for turn in turns]
    return {"id": trace.id or f"case-{number + 1}", "result": result}


def _call(call: ToolCall) -> dict[str, str]:
    return {call.name: argument_text(call)}
