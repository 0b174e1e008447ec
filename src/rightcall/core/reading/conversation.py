"""What has been read of one recording so far: turns, calls, their outputs, and each call only once (contract 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Raw
from msgspec.structs import replace

from ...errors import CallError
from ..arguments import Arguments, Given
from ..jsonvalue import same_value
from ..nodes import Node, Within, kind_of, opened, plain
from ..types import NO_ARGUMENTS, ToolCall, ToolSpec, Trace, Turn
from .callfields import checked_name
from .sightings import Recorded, SameId, alike, same_call, told_again
from .unread import unread_call

__all__ = [
    "Conversation",
    "as_arguments",
    "join_traces",
    "real_id",
    "same_call",
    "text_of_parts",
]

_PLACEHOLDERS: Final = frozenset({"null", "none", "None", "NULL", "undefined", "nil", "N/A", "n/a"})
"""What is written as an id where there is none; so are several zeros, as of an empty UUID. One zero is a number."""
_LONGEST: Final = max(map(len, _PLACEHOLDERS))
"""Characters of the longest of them: what is longer and begins with no zero is an id without a closer look."""


def real_id(id: Any) -> str | None:
    """An id as a text; None where there is none, or a placeholder of one: that would make all calls the same."""
    own = id if type(id) is str else (None if id is None else str(id))
    if not own or own in _PLACEHOLDERS:
        return None
    return None if own[0] == "0" and len(own) > 1 and not own.strip("0-") else own


_LATER: Final = frozenset({Raw, Within, str, type(None)})
"""Kinds of outputs that are kept as they are."""


class Conversation:
    """One recording; readers tell it what they meet, in order.

    Args:
        id: the recording's own id, where it has one.
        place: the item with which it begins.

    Attributes:
        problem: why it could not be read to its end.
        unanswered: why the agent's last answer is missing, so that nobody takes it for one without calls.
    """

    def __init__(self, *, id: str | None = None, place: str | None = None) -> None:
        self.id = id
        self.place = place
        self.warnings: list[str] = []
        self.origin: tuple[Node, str] = (None, "")
        self.problem: str | None = None
        self.unanswered: str | None = None
        self._calls: list[Recorded] = []
        self._by_id: dict[str, list[int]] = {}
        self._many: dict[Any, SameId] = {}
        self._turn = -1
        self._inputs: list[str | None] = []
        self._texts: dict[int, str] = {}
        self._message = 0
        self._tools: tuple[ToolSpec, ...] | None = None
        self._repeated = 0  # calls of a repeated history that have passed again; all of them when it is new
        self._open = 0  # all calls before this one are answered
        self._repeating = False  # a history passes again, and nothing new was met yet
        self._telling = 0  # how often the recording began to tell something again
        self._since = 0  # calls that were last met in an earlier telling may pass again; 0: none may
        self._sources: set[Any] = set()
        self._source: Any = None
        self._snapshot = 0  # as `_since`, for the calls of this source

    def at(self, item: Node, place: str) -> Conversation:
        """The item that is read from now on, and its place: some calls need a closer look at it."""
        self.origin = (item, place)
        return self

    def user(self, text: str | None = None) -> None:
        """A user's message: a new turn begins."""
        self._turn += 1
        self._message += 1
        if self._turn == len(self._inputs):
            self._inputs.append(text)
            self._repeating = False

    def say(self, text: str | None) -> None:
        """The agent's text; the last one of a turn is its answer."""
        if text is not None:
            self._texts[self._turn] = text
            odd = unread_call(text)
            if odd is not None:
                self.warn(odd)

    def warn_of_twins(self, ids: Sequence[Any], place: str) -> None:
        """Of the calls of one message some may have the same id: equal ones are read as one call, which is told."""
        given = [own for own in ids if own is not None]
        if len(set(given)) == len(given):
            return
        seen: set[str] = set()
        for own in map(real_id, given):
            if own is not None and own in seen:
                self.warn(
                    f"{place}: the id {own!r} stands twice in one message; equal calls of it are read as one"
                )
            elif own is not None:
                seen.add(own)

    def message(self) -> None:
        """A new message of the agent begins; calls of one message were made in parallel."""
        self._message += 1

    def offer(self, tools: Sequence[ToolSpec] | None) -> None:
        """The tools that the agent could call."""
        if tools:
            known = self._tools
            if known is None and type(tools) is tuple and len({tool.name for tool in tools}) == len(tools):
                self._tools = tools
            elif known is not tools:
                named = {tool.name: tool for tool in known or ()} | {tool.name: tool for tool in tools}
                self._tools = tuple(named.values())

    def warn(self, text: str) -> None:
        """Something odd that was readable all the same."""
        self.warnings.append(text)

    def repeat(self) -> None:
        """The history is about to be read again from its start, and will go on after its end."""
        self.again()
        self.source(None)
        self._turn = -1
        self._repeated = 0
        self._repeating = True
        self.unanswered = None

    def again(self) -> None:
        """What comes now tells known calls once more, each once; what is not known is new."""
        self._telling += 1
        self._since = self._telling

    def news(self) -> None:
        """What comes now is told for the first time."""
        self._since = 0

    def source(self, own: Any) -> bool:
        """A message or a response begins that has an id of its own, or None; whether it has come before.

        The same one again is a snapshot of it; a call of another one is another call.
        """
        self._source = own
        known = own is not None and own in self._sources
        self._snapshot = 0
        if known:
            self._telling += 1
            self._snapshot = self._telling
        elif own is not None:
            self._sources.add(own)
        return known

    def call(
        self,
        name: Any,
        arguments: Node = None,
        *,
        place: str,
        id: Any = None,
        group: str | None = None,
        output: Node = None,
        error: Any = None,
        status: str | None = None,
        start: float | None = None,
        span_id: str | None = None,
        turn: int | None = None,
        merge: bool = True,
    ) -> bool:
        """A call was made; False if it is one that was seen before (never so without `merge`).

        Raises:
            CallError: it has no name.
        """
        if type(name) is not str or not name or not name.isascii():
            name = checked_name(name, place)
        own = id
        if id is not None and (type(id) is not str or len(id) <= _LONGEST or id[0] == "0"):
            own = real_id(id)
        raw = arguments if type(arguments) is Raw else as_arguments(arguments)
        if merge and (own in self._by_id or self._repeated < len(self._calls)):
            known = self._known(name, raw, own, place)
            if known is not None:
                self._repeated = known + 1
                if output is not None or error is not None:
                    self._told_with(self._calls[known], output, error, status)
                return False
        if own is not None:
            if own in self._by_id:
                self._by_id[own].append(len(self._calls))
            else:
                self._by_id[own] = [len(self._calls)]
        if turn is None and self._turn >= 0:
            turn = self._turn
        made = Recorded(name, raw, own, turn, self._message, len(self._calls))
        if self._telling or self._source is not None:
            made.met, made.source = self._telling, self._source
        if output is not None or error is not None or status is not None:
            made.answered = made.closed = output is not None or error is not None
            made.output, made.error, made.status = output, error, status
        if group is not None or start is not None or span_id is not None:
            made.group, made.start, made.span_id = group, start, span_id
        self._calls.append(made)
        self._repeated = len(self._calls)
        self._repeating = False
        return True

    def _known(self, name: str, raw: Arguments, id: str | None, place: str) -> int | None:
        """The place of this very call, if it was read before: histories repeat themselves."""
        if id is None:
            if self._repeated < len(self._calls):
                call = self._calls[self._repeated]
                if call.id is None and call.name == name and same_call(call.raw, raw):
                    return self._repeated
            return None
        earlier = self._by_id.get(id)
        if earlier is None:
            return None
        same = alike(name, raw, earlier, self._calls, self._many, id)
        found = self._met_before(same, id, place) if same else None
        if found is None:
            self.warn(f"{place}: the id {id!r} was used before for another call")
            return None
        found.met, found.seen, found.closed = self._telling, self._message, False
        found.source = found.source if self._source is None else self._source
        return found.at

    def _met_before(self, same: Sequence[Recorded], id: str, place: str) -> Recorded | None:
        """Of calls that look alike the one that is told once more; None if this is another one."""
        found = told_again(same, self._since) if self._since else None
        if found is None and self._snapshot:
            own = [call for call in same if call.source == self._source]
            found = told_again(own, self._snapshot)
        if found is not None:
            return found
        last, source = same[-1], self._source
        if last.closed or (source is not None and last.source is not None and source != last.source):
            return None
        if (last.message if last.seen < 0 else last.seen) == self._message:
            return last
        if (-1 if last.turn is None else last.turn) != self._turn:
            return None
        self.warn(
            f"{place}: the id {id!r} was used before for the same call, to which no answer came; read as one call"
        )
        return last

    @staticmethod
    def _told_with(call: Recorded, output: Node, error: Any, status: str | None) -> None:
        """A call came once more, and this time with what came of it."""
        call.closed = True
        if not call.answered:
            call.answered = True
            call.output, call.error, call.status = output, error, status

    def answer(
        self,
        output: Node,
        *,
        place: str,
        id: Any = None,
        name: str | None = None,
        error: Any = None,
        status: str | None = None,
    ) -> None:
        """A tool answered: by the call's id; without one by its name, or else in order."""
        own = id
        if id is not None and (type(id) is not str or len(id) <= _LONGEST or id[0] == "0"):
            own = real_id(id)
        call = self._asked(own, name)
        if call is not None:
            call.closed = True
        if call is None or call.answered:
            if not self._repeating and not self._said_before(own, output):
                which = f"id {id!r}" if own else (f"tool {name!r}" if name else "tool")
                self.warn(f"{place}: an output for the {which}, of which no unanswered call is known")
            return
        call.answered = True
        call.output = output
        if error is not None:
            call.error = error
        if status:
            call.status = status

    def _said_before(self, id: str | None, output: Node) -> bool:
        """Whether the call with this id was answered so before: what two sources tell is no oddity."""
        known = self._by_id.get(id, ()) if id is not None else ()
        said = plain(output) if known else None
        return any(same_value(plain(self._calls[index].output), said) for index in known)

    def _asked(self, id: str | None, name: str | None) -> Recorded | None:
        calls = self._calls
        if id is not None and id in self._by_id:
            # An id that was used again is answered call by call, the latest first of those that were met.
            for index in reversed(self._by_id[id]):
                call = calls[index]
                if not call.closed and (not self._since or call.met >= self._since):
                    return call
            return None
        if id is not None and name is None:
            return None
        while self._open < len(calls) and calls[self._open].answered:
            self._open += 1
        for index in range(self._open, len(calls)):
            call = calls[index]
            if not call.answered and (name is None or call.name == name) and (id is None or call.id is None):
                return call
        return None

    @property
    def empty(self) -> bool:
        """Whether nothing was read yet."""
        return not self._calls and not self._inputs and not self._texts

    @property
    def said(self) -> str | None:
        """The agent's last text."""
        return self._texts[max(self._texts)] if self._texts else None

    def last_calls(self) -> Sequence[Recorded]:
        """The calls of the agent's last message."""
        start = len(self._calls)
        while start and self._calls[start - 1].message == self._message:
            start -= 1
        return self._calls[start:]

    @property
    def called(self) -> bool:
        """Whether a call was made."""
        return bool(self._calls)

    @property
    def turn(self) -> int:
        """Number of the current turn; -1 before the first."""
        return self._turn

    def trace(self, format: str) -> Trace:
        """All that was read."""
        groups = self._groups()
        calls: list[ToolCall] = []
        for call in self._calls:
            output, error = call.output, call.error
            calls.append(
                ToolCall(
                    name=call.name,
                    raw=call.raw,
                    id=call.id,
                    turn=call.turn,
                    group=call.group or groups.get(call.message),
                    raw_output=output if type(output) in _LATER else plain(output),
                    error=None if error is None else plain(error),
                    status=call.status,
                    start=call.start,
                    span_id=call.span_id,
                )
            )
        texts = self._texts
        return Trace(
            id=self.id,
            calls=None if self.unanswered is not None and not calls else tuple(calls),
            text=texts[max(texts)] if texts else None,
            turns=tuple([Turn(text, texts.get(index)) for index, text in enumerate(self._inputs)]),
            tools=self._tools,
            format=format,
            warnings=tuple(dict.fromkeys(self.warnings)) if self.warnings else (),
            problem=self.problem or self.unanswered,
            place=self.place,
        )

    def _groups(self) -> dict[int, str]:
        """Names of the messages that hold several calls; these stand one after the other."""
        names: dict[int, str] = {}
        last = -1
        for call in self._calls:
            if call.message == last and last not in names:
                names[last] = f"message {len(names) + 1}"
            last = call.message
        return names


def as_arguments(node: Node) -> Arguments:
    """A node as arguments that are decoded when somebody needs them."""
    if node is None:
        return NO_ARGUMENTS
    if isinstance(node, Raw | Given):
        return node
    return Given(plain(node))


def join_traces(traces: Sequence[Trace]) -> Trace:
    """Several recordings as one, in order; turns are counted on, groups keep apart."""
    if len(traces) == 1:
        return traces[0]
    calls: list[ToolCall] = []
    turns: list[Turn] = []
    tools: dict[str, ToolSpec] = {}
    offered: tuple[ToolSpec, ...] | None = None
    for number, trace in enumerate(traces):
        base = len(turns)
        for call in trace.calls or ():
            turn = call.turn if call.turn is None else call.turn + base
            if call.group is not None and number:
                moved = replace(call, turn=turn, group=f"{call.group} of {number + 1}")
            else:
                moved = call if turn == call.turn else replace(call, turn=turn)
            calls.append(moved)
        turns += trace.turns
        if trace.tools is not offered and trace.tools is not None:
            offered = trace.tools
            tools |= {tool.name: tool for tool in offered}
    formats = {trace.format for trace in traces}
    recorded = not traces or any(trace.calls is not None for trace in traces)
    return Trace(
        calls=tuple(calls) if recorded else None,
        text=next((trace.text for trace in reversed(traces) if trace.text is not None), None),
        turns=tuple(turns),
        tools=tuple(tools.values()) or None,
        format=formats.pop() if len(formats) == 1 else ("mixed" if formats else None),
        warnings=tuple(dict.fromkeys(warning for trace in traces for warning in trace.warnings)),
        problem=next((trace.problem for trace in traces if trace.problem is not None), None),
        place=traces[0].place if traces else None,
    )


def text_of_parts(content: Node, place: str) -> str | None:
    """The text of a message's content: a text, or the joined texts of its parts."""
    value = opened(content)
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, list | tuple):
        raise CallError(f"content is {kind_of(value)}, neither a text nor parts", field=f"{place}.content")
    texts = [part if isinstance(part, str) else _part_text(part) for part in map(opened, value)]
    found = [text for text in texts if text is not None]
    return "".join(found) if found else None


def _part_text(part: Any) -> str | None:
    text = opened(part["text"]) if isinstance(part, dict) and "text" in part else None
    return text if isinstance(text, str) else None
