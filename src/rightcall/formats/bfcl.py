"""bfcl: result lines of the Berkeley Function Calling Leaderboard, `{"id", "result"}`."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw, Struct

from ..core.nodes import Node, kind_of, opened
from ..core.reading.barestyles import python_calls
from ..core.reading.chat import there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import SHAPED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.recording import whole_of
from ..core.reading.shapes import ABSENT, Shape
from ..core.types import Trace
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="bfcl",
    meaning="BFCL: result lines of the Berkeley Function Calling Leaderboard, each a recording of its own",
    detected_by="an object with a text under `id` and, under `result`, calls as one-key objects or as Python text",
    name_at="the only key of a call's object, or before the bracket",
    arguments_at="its value: JSON text or an object; or keyword arguments",
    id_at="none; the line's id is the recording's",
    group_at="the calls of one step",
    turn_at="the outer list of a multi-turn result",
    cannot_carry="ids, outputs, what the user asked",
    example='{"id": "simple_1", "result": [{"get_weather": "{\\"city\\": \\"Oslo\\"}"}]}',
    keys=frozenset({"result"}),
    source="result files of the Berkeley Function Calling Leaderboard",
)

_OTHERS: Final = frozenset({"jsonrpc", "role", "type", "messages", "name", "toolCallId", "tool_call_id"})
"""Fields that say that a `result` is something else."""


class _Line(Struct, kw_only=True, gc=False):
    id: str | int | None = None
    result: Raw = ABSENT


class _Typical(Struct, kw_only=True, gc=False):
    """A line of several turns, each of steps that are calls or a text; and the fields that say it is none."""

    id: str
    result: list[list[list[dict[str, Raw]] | str]]
    jsonrpc: Raw = ABSENT
    role: Raw = ABSENT
    type: Raw = ABSENT
    messages: Raw = ABSENT
    name: Raw = ABSENT
    toolCallId: Raw = ABSENT  # noqa: N815 - the field's own spelling
    tool_call_id: Raw = ABSENT


_line = Shape(_Line)
_typical = Shape(_Typical)
_ARGUMENTS: Final = frozenset(b'"{n')
"""First letters of arguments: a text, an object or null."""


class Reader:
    """Each line is a recording."""

    def __init__(self) -> None:
        self._all: list[Conversation] = []

    def feed(self, item: Node, place: str) -> None:
        """Take one line.

        Raises:
            CallError: a result that is neither a text nor lists of calls.
        """
        line = _line(item, place)
        if line.result is ABSENT:
            raise CallError("a line without a result", field=place)
        into = Conversation(id=None if line.id is None else str(line.id), place=place)
        result = opened(line.result) if there(line.result) else None
        self._all.append(into)
        _result(result, under(place, "result"), into)

    def take(self, item: Node, place: str) -> bool:
        """Read a line of several turns that nobody could claim with more right."""
        line = whole_of(_typical, item)
        if line is None or not _is_own(line):
            return False
        into = Conversation(id=line.id, place=place)
        self._all.append(into)
        at = under(place, "result")
        for number, turn in enumerate(line.result):
            into.user()
            for index, step in enumerate(turn):
                where = f"{at}[{number}][{index}]"
                into.message()
                if isinstance(step, str):
                    _text(step, where, into)
                    continue
                for position, call in enumerate(step):
                    ((name, arguments),) = call.items()
                    into.call(name, arguments, place=f"{where}[{position}]")
        return True

    def traces(self) -> list[Trace]:
        """A trace for each line."""
        return [one.trace(DECLARATION.id) for one in self._all]


def _is_own(line: _Typical) -> bool:
    if not line.jsonrpc is line.role is line.type is line.messages is line.name is ABSENT:
        return False
    if not line.toolCallId is line.tool_call_id is ABSENT:
        return False
    calls = [call for turn in line.result for step in turn if type(step) is list for call in step]
    return bool(calls) and all(
        len(call) == 1 and all(memoryview(node)[0] in _ARGUMENTS for node in call.values()) for call in calls
    )


def _result(result: Any, place: str, into: Conversation) -> None:
    if result is None:
        into.warn(f"{place}: no result")
        return
    turns = [opened(turn) for turn in result] if isinstance(result, list | tuple) else [result]
    if not any(isinstance(turn, list | tuple) for turn in turns):
        into.user()
        _step(turns if isinstance(result, list | tuple) else result, place, into)
        return
    for number, turn in enumerate(turns):
        into.user()
        where = f"{place}[{number}]"
        steps = [opened(step) for step in turn] if isinstance(turn, list | tuple) else [turn]
        if steps and all(isinstance(step, dict) for step in steps):
            _step(steps, where, into)  # a turn of one step
            continue
        for index, step in enumerate(steps):
            _step(step, f"{where}[{index}]", into)


def _step(step: Any, place: str, into: Conversation) -> None:
    """The calls of one step: a text, or a list of calls."""
    into.message()
    if isinstance(step, str):
        _text(step, place, into)
        return
    if isinstance(step, dict):
        step = [step]
    if not isinstance(step, list | tuple):
        raise CallError(f"{kind_of(step)} where the calls of a step should be", field=place)
    for index, item in enumerate(step):
        call, where = opened(item), f"{place}[{index}]"
        if isinstance(call, str):
            _text(call, where, into)
        elif isinstance(call, dict) and len(call) == 1:
            ((name, arguments),) = call.items()
            value = opened(arguments)
            if value is not None and not isinstance(value, str | dict):
                raise CallError(f"{kind_of(value)} where the arguments of {name!r} should be", field=where)
            into.call(name, arguments, place=where)
        else:
            seen = f"an object with {len(call)} keys" if isinstance(call, dict) else kind_of(call)
            raise CallError(f"{seen} where a call should be: its name as the only key", field=where)


def _text(text: str, place: str, into: Conversation) -> None:
    try:
        calls = list(python_calls(text, {}))
    except CallError as error:
        raise error.at(place) from None
    for call in calls:
        for warning in call.warnings:
            into.warn(f"{place}: {warning}")
        into.call(call.name, call.arguments, place=place)
    if not calls:
        into.say(text or None)


def detect(glance: Glance) -> Evidence | None:
    """By one-key objects or Python calls under `result`; prose there would do."""
    if not isinstance(glance.at("id"), str) or not _OTHERS.isdisjoint(glance.keys):
        return None
    result = glance.at("result")
    if isinstance(result, str):
        try:
            called = any(True for _ in python_calls(result, {}))
        except CallError:
            called = True
        return (
            Evidence(SHAPED, "a result of Python calls") if called else Evidence(WOULD_DO, "a result of text")
        )
    if not isinstance(result, list | tuple):
        return None
    return _by_list(glance)


def _by_list(glance: Glance) -> Evidence | None:
    """The first thing in the lists that is no list."""
    path: tuple[str | int, ...] = ("result",)
    while isinstance(glance.at(*path), list | tuple) and len(path) < 5:
        index = next((at for at, item in enumerate(glance.at(*path)) if opened(item)), None)
        if index is None:
            return Evidence(WOULD_DO, "a result without calls")
        path = (*path, index)
    first = glance.at(*path)
    if isinstance(first, str):
        return Evidence(SHAPED if len(path) > 3 else WOULD_DO, "a result of texts")
    if isinstance(first, dict) and len(first) == 1:
        ((name, arguments),) = first.items()
        if name and isinstance(opened(arguments), str | dict):
            return Evidence(SHAPED, "a result of calls, their names as keys")
    return None
