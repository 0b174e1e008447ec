"""What every writer has: a declaration of what its form can hold, and a document for one recording."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ..errors import CallError
from .arguments import read_arguments
from .types import ToolCall, ToolSpec, Trace

__all__ = [
    "CARRIED",
    "Writer",
    "WriterDeclaration",
    "argument_text",
    "as_text",
    "chat_messages",
    "losses",
    "message_of",
    "object_arguments",
    "tool_document",
    "turns_of",
    "writer_of",
]

CARRIED: Final = (
    "ids",
    "turns",
    "groups",
    "outputs",
    "errors",
    "texts",
    "inputs",
    "tools",
    "times",
    "trace id",
)
"""What a recording may hold beside names and arguments."""


_encode = msgspec.json.Encoder(decimal_format="number").encode


class WriterDeclaration(Struct, frozen=True, kw_only=True):
    """A form that recordings can be written in.

    Attributes:
        id: its registered name.
        meaning: one line.
        carries: which of :data:`CARRIED` it holds.
        reads_back: the format that reads it.
        lines: several recordings are one document a line; else one document holds them all.
    """

    id: str
    meaning: str
    carries: frozenset[str]
    reads_back: str
    lines: bool = True


class Writer(Struct, frozen=True):
    """One form: `document` makes the plain data for a recording, `together` one document for several.

    `changes` says, in words, what of a recording is written otherwise than it was.
    """

    declaration: WriterDeclaration
    document: Callable[[Trace, int], Any]
    together: Callable[[Sequence[Any]], Any] | None = None
    changes: Callable[[Trace], Sequence[str]] | None = None


def writer_of(module: ModuleType) -> Writer:
    """The writer that a file of the `writers` folder holds."""
    together, changes = getattr(module, "together", None), getattr(module, "changes", None)
    return Writer(module.DECLARATION, module.document, together, changes)


def losses(trace: Trace, declaration: WriterDeclaration) -> list[str]:
    """What of the recording the form can't hold, in words."""
    calls = trace.calls or ()
    there = {
        "ids": any(call.id is not None for call in calls),
        "turns": any(call.turn for call in calls),
        "groups": any(call.group is not None for call in calls),
        "outputs": any(call.output is not None for call in calls),
        "errors": any(call.failed for call in calls),
        "texts": trace.text is not None or any(turn.text is not None for turn in trace.turns),
        "inputs": any(turn.input is not None for turn in trace.turns),
        "tools": bool(trace.tools),
        "times": any(call.start is not None for call in calls),
        "trace id": trace.id is not None,
    }
    return [name for name, found in there.items() if found and name not in declaration.carries]


def object_arguments(call: ToolCall, form: str) -> dict[str, Any]:
    """The arguments for a form that holds them as an object.

    Raises:
        CallError: they can't be read, so there is no object.
    """
    reading = read_arguments(call.raw)
    if reading.value is None:
        raise CallError(
            f"{form} holds arguments as an object, and those of {call.name!r} can't be read: {reading.problem}"
        )
    return reading.value


def argument_text(call: ToolCall) -> str:
    """The arguments for a form that holds them as text; unreadable ones as they were recorded."""
    reading = read_arguments(call.raw)
    if reading.value is not None:
        return as_text(reading.value)
    if isinstance(call.raw, Raw):
        text = bytes(call.raw).decode("utf-8", "replace")
        return msgspec.json.decode(text, type=str) if text[:1] == '"' else text
    return call.raw.value if isinstance(call.raw.value, str) else as_text(call.raw.value)


def as_text(value: Any) -> str:
    """A value as JSON text; a text stays as it is where the form wants text."""
    return _encode(value).decode()


def message_of(output: Any) -> str:
    """A tool's answer as the text of a message."""
    return output if isinstance(output, str) else as_text(output)


class WrittenTurn(Struct):
    """A turn as the forms with messages need it: the question, the steps of calls, the answer."""

    input: str | None
    steps: list[list[ToolCall]]
    text: str | None


def turns_of(trace: Trace) -> list[WrittenTurn]:
    """The recording by turns; calls of one group are one step. Calls before any question come first.

    Where calls tell of turns, a question that is not known is an empty one: without it their turns would run together.
    """
    calls = list(trace.calls or ())
    first = [call for call in calls if call.turn is None]
    unknown = "" if len(first) < len(calls) else None
    count = max([len(trace.turns), *(call.turn + 1 for call in calls if call.turn is not None)])
    turns = [WrittenTurn(None, _steps(first), None)] if first or not count else []
    for number in range(count):
        known = trace.turns[number] if number < len(trace.turns) else None
        steps = _steps(call for call in calls if call.turn == number)
        asked = known.input if known else None
        turns.append(WrittenTurn(unknown if asked is None else asked, steps, known.text if known else None))
    if turns and turns[-1].text is None and all(turn.text is None for turn in turns):
        turns[-1].text = trace.text
    return turns


def _steps(calls: Iterable[ToolCall]) -> list[list[ToolCall]]:
    steps: list[list[ToolCall]] = []
    for call in calls:
        if steps and call.group is not None and steps[-1][-1].group == call.group:
            steps[-1].append(call)
        else:
            steps.append([call])
    return steps


def chat_messages(trace: Trace, *, no_text: str | None = None) -> list[dict[str, Any]]:
    """The recording as messages with `tool_calls`; `no_text` is the content of a message that only calls."""
    found: list[dict[str, Any]] = []
    for turn in turns_of(trace):
        if turn.input is not None:
            found.append({"role": "user", "content": turn.input})
        for step in turn.steps:
            entries = [_entry(call) for call in step]
            found.append({"role": "assistant", "content": no_text, "tool_calls": entries})
            found += [_answer(call) for call in step if call.output is not None]
        if turn.text is not None:
            found.append({"role": "assistant", "content": turn.text})
    return found


def _entry(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": argument_text(call)}
    return ({} if call.id is None else {"id": call.id}) | {"type": "function", "function": function}


def _answer(call: ToolCall) -> dict[str, Any]:
    whose = {"name": call.name} if call.id is None else {"tool_call_id": call.id}
    return {"role": "tool", **whose, "content": message_of(call.output)}


def tool_document(tool: ToolSpec, schema_key: str) -> dict[str, Any]:
    """A tool definition with its schema under `schema_key`."""
    found: dict[str, Any] = {"name": tool.name}
    if tool.description is not None:
        found["description"] = tool.description
    found[schema_key] = tool.schema if tool.schema is not None else {"type": "object", "properties": {}}
    return found
