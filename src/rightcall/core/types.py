"""What is compared: tool calls, traces, cases and what was expected of them.

`None` means "not recorded", empty means "empty". Everything here is frozen and holds plain data, so it can be
shared, hashed into caches and sent to workers. ``gc=False`` is safe since none of these can hold a cycle.
"""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

from .arguments import Arguments, read_arguments
from .nodes import plain

__all__ = [
    "Case",
    "CountRange",
    "ExpectedCall",
    "Expectation",
    "Source",
    "ToolCall",
    "ToolSpec",
    "Trace",
    "Turn",
]

NO_ARGUMENTS = Raw(b"{}")


class ToolCall(Struct, frozen=True, kw_only=True, gc=False):
    """One call of one tool.

    Attributes:
        name: the tool's name as the agent wrote it.
        raw: the arguments as they were recorded, not yet decoded (see :attr:`arguments`).
        id: the call's own id, where the format carries one.
        turn: number of the user turn it belongs to, from 0.
        group: calls made in parallel share one.
        raw_output: what the tool answered, as it was recorded, not yet decoded (see :attr:`output`).
        error: what went wrong, in the recorded form; None, false and empty mean nothing did.
        status: the recorded status, e.g. ``ok``, ``error``, ``failed``.
        start: when the call started, in seconds; its origin is the trace's own.
        span_id: the span it was read from.
    """

    name: str
    raw: Arguments = NO_ARGUMENTS
    id: str | None = None
    turn: int | None = None
    group: str | None = None
    raw_output: Any = None
    error: Any = None
    status: str | None = None
    start: float | None = None
    span_id: str | None = None

    @property
    def arguments(self) -> dict[str, Any] | None:
        """The decoded arguments; None when they can't be read (then :func:`read_arguments` says why)."""
        return read_arguments(self.raw).value

    @property
    def output(self) -> Any:
        """What the tool answered; None if not recorded. Decoded when asked: outputs may be most of a recording."""
        return plain(self.raw_output)

    @property
    def failed(self) -> bool:
        """Whether the record says that this call failed. Words in an output are never read as failure."""
        error = self.error
        # An error code of 0 is neither null, false nor empty.
        return bool(error) or (error == 0 and error is not False) or self.status in ("error", "failed")


class CountRange(Struct, frozen=True, kw_only=True, gc=False):
    """How often something may happen; None is an open end."""

    min: int | None = None
    max: int | None = None


class ExpectedCall(ToolCall, frozen=True, kw_only=True, gc=False):
    """A call that should be made, and what may differ about it (contract 6).

    Attributes:
        options: comparison options of this call alone, as they were written.
        optional: may be left out.
        count: how often it is to be made.
        alternatives: other calls that fill the same slot.
        accepted: for each argument the values that are fine (BFCL's ``expected_any``).
        matching: its arguments hold matchers, so they are no plain JSON value; known when it is read.
    """

    options: Any = None
    optional: bool = False
    count: CountRange | None = None
    alternatives: tuple[ExpectedCall, ...] = ()
    accepted: Any = None
    matching: bool = False


class Expectation(Struct, frozen=True, kw_only=True, gc=False):
    """What should have happened in a case.

    Attributes:
        calls: the expected calls; None when there is nothing to compare with.
        paths: several whole lists of calls, any of which is fine.
        path: which of them `calls` is, once one was taken.
        forbidden: rules for calls that must not be made.
        counts: how often each tool is to be called, as written.
        special: some call says more than plain JSON does, or there are several paths; known when it is read.
    """

    calls: tuple[ExpectedCall, ...] | None = None
    paths: tuple[tuple[ExpectedCall, ...], ...] = ()
    path: int | None = None
    forbidden: tuple[Any, ...] = ()
    counts: Any = None
    special: bool = False


class ToolSpec(Struct, frozen=True, kw_only=True, gc=False):
    """A tool that was offered to the agent: its name and the JSON Schema of its arguments."""

    name: str
    schema: dict[str, Any] | None = None
    description: str | None = None


class Source(Struct, frozen=True, gc=False):
    """Where a row was read: file as given, line from 1, byte offset and length in the decompressed text."""

    path: str | None = None
    line: int | None = None
    offset: int | None = None
    length: int | None = None


class Turn(Struct, frozen=True, gc=False):
    """What a user asked, and the agent's answer to it; None where not recorded."""

    input: str | None = None
    text: str | None = None


class Trace(Struct, frozen=True, kw_only=True):
    """What was read from one recording of an agent.

    Attributes:
        id: the recording's own id, where the format carries one.
        calls: in the order in which they started.
        text: the agent's final text; None if not recorded.
        turns: the user's messages and the agent's answers; a call's `turn` is an index into them.
        tools: the tools that were offered, where the format carries them.
        format: id of the format that was read.
        warnings: what was odd but readable.
        problem: why it could not be read to its end, where errors are collected instead of raised.
        place: the item with which it begins, as errors name it, e.g. ``line 3`` or ``trace[2]``.
    """

    id: str | None = None
    calls: tuple[ToolCall, ...] | None = None
    text: str | None = None
    turns: tuple[Turn, ...] = ()
    tools: tuple[ToolSpec, ...] | None = None
    format: str | None = None
    warnings: tuple[str, ...] = ()
    problem: str | None = None
    place: str | None = None


class Case(Struct, frozen=True, kw_only=True, gc=False):
    """One row: what the agent did and what it should have done.

    Attributes:
        id: the row's own id, or ``FILE:LINE``.
        actual: the calls made; None when not recorded.
        expected: None when there is nothing to compare with.
        tools: the offered tools, as :class:`ToolSpec`; None when not recorded.
        row: number of the row in its run, from 0.
        trial: which repetition of the same case this is.
        cluster: rows of one cluster are not independent (contract 8).
        verdict: somebody's own pass or fail.
        warnings: what was odd in reading the row.
        recorded: the bytes of the row, where it was read from some; it can be read again from them.
    """

    id: str
    actual: tuple[ToolCall, ...] | None = None
    expected: Expectation | None = None
    tools: tuple[ToolSpec, ...] | None = None
    input: Any = None
    output: str | None = None
    row: int = 0
    source: Source | None = None
    trial: int | None = None
    tags: tuple[str, ...] = ()
    cluster: str | None = None
    verdict: bool | None = None
    metadata: Any = None
    trace: Trace | None = None
    warnings: tuple[str, ...] = ()
    recorded: bytes | None = None

    @property
    def expected_calls(self) -> tuple[ExpectedCall, ...] | None:
        """The expected calls; None when there is nothing to compare with."""
        return self.expected.calls if self.expected is not None else None
