"""Recordings as answers show them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...core.arguments import read_arguments
from ...core.types import ToolCall, Trace

__all__ = ["CallShown", "TraceShown", "call_shown", "trace_shown"]


class CallShown(Struct, frozen=True, kw_only=True):
    """A call as it was read; `arguments` are null where they can't be read, and then `problem` says why."""

    name: str
    arguments: dict[str, Any] | None
    id: str | None
    problem: str | None
    failed: bool


class TraceShown(Struct, frozen=True, kw_only=True):
    """A recording as it was read."""

    format: str | None
    calls: list[CallShown]
    text: str | None
    warnings: list[str]


def trace_shown(trace: Trace) -> TraceShown:
    """A recording, ready to be sent."""
    return TraceShown(
        format=trace.format,
        calls=[call_shown(call) for call in trace.calls or ()],
        text=trace.text,
        warnings=list(trace.warnings),
    )


def call_shown(call: ToolCall) -> CallShown:
    """A call, ready to be sent."""
    read = read_arguments(call.raw)
    return CallShown(
        name=call.name, arguments=read.value, id=call.id, problem=read.problem, failed=call.failed
    )
