"""What was met of one trace, span by span: answers of models, runs of tools, and what else there was.

A record of a span keeps names, ids, times and raw arguments only, so that large exports fit into little memory.
"""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

from ..arguments import Arguments, Given
from ..nodes import Node, kept
from ..types import ToolSpec
from .callfields import checked_name
from .conversation import as_arguments
from .moments import Moment
from .sightings import same_call

__all__ = ["Asked", "Done", "Model", "Recording", "asked", "same_work"]


class Asked(Struct, gc=False):
    """A call that a model asked for."""

    name: str
    raw: Arguments
    id: str | None
    place: str


class Model(Struct, kw_only=True, gc=False):
    """One answer of a model.

    Attributes:
        users: the users' messages that it saw, as numbers of texts (:meth:`Recordings.number`).
        ends_with_user: the last message that it saw was a user's.
        messages: the calls of each of its messages.
        wrapper: it repeats what others tell, and counts only where nobody else tells of calls.
    """

    when: Moment | None
    ended: Moment | None
    users: tuple[int, ...] = ()
    ends_with_user: bool = False
    messages: tuple[tuple[Asked, ...], ...] = ()
    text: str | None = None
    span_id: str | None = None
    parent: str | None = None
    wrapper: bool = False


class Done(Struct, kw_only=True, gc=False):
    """One run of a tool; `raw` is None where its arguments were not recorded."""

    name: str
    raw: Arguments | None
    id: str | None
    when: Moment | None
    place: str
    span_id: str | None = None
    parent: str | None = None
    ended: Moment | None = None
    output: Node = None
    error: Any = None
    status: str | None = None


def same_work(one: Model | Done, other: Model | Done) -> bool | None:
    """Whether two spans tell of the same request or run, as those of two libraries do; None if that can't be known.

    What begins after the end of the other is another; where they overlap, a parent is known to tell the same.
    """
    if one.parent is not None and one.parent == other.span_id:
        return True
    if other.parent is not None and other.parent == one.span_id:
        return True
    a, b, a_end, b_end = one.when, other.when, one.ended, other.ended
    if a is None or b is None or a_end is None or b_end is None:
        return None
    return None if a <= b_end and b <= a_end else False


def asked(name: Any, arguments: Node, id: Any, place: str) -> Asked:
    """A call that a model asked for, checked.

    Raises:
        CallError: it has no name.
    """
    own = id if type(id) is str and id else None if id is None or id == "" else str(id)
    kind = type(arguments)
    raw = arguments if kind is Given else kept(arguments) if kind is Raw else as_arguments(arguments)
    if type(name) is not str or not name or not name.isascii():
        name = checked_name(name, place)
    return Asked(name, raw, own, place)


class Recording:
    """What was met of one trace so far.

    Attributes:
        session: the conversation that it is part of.
        tools_only: only runs of tools count, since requests may name what is no tool.
        asked_first, said_last: a user's text and the answer as the trace's outermost span tells them.
    """

    __slots__ = (
        *("_offered", "answers", "asked_first", "done", "id", "models", "place", "said_last", "session"),
        *("tools", "tools_only", "unnamed", "warnings", "_by_span"),
    )

    def __init__(self, id: str | None, place: str | None = None) -> None:
        self.id = id
        self.place = place
        self.session: str | None = None
        self.tools_only = False
        self.asked_first: str | None = None
        self.said_last: str | None = None
        self.models: list[Model] = []
        self.done: list[Done] = []
        self.answers: dict[str, list[Node]] = {}
        self.unnamed: list[tuple[str | None, Node]] = []
        self.tools: tuple[ToolSpec, ...] = ()
        self._offered: tuple[ToolSpec, ...] = ()
        self.warnings: list[str] = []
        self._by_span: dict[str, Model] = {}

    def tell(self, model: Model, unnamed: int) -> None:
        """Take one answer of a model, unless it is a span that was exported before.

        Args:
            model: the answer.
            unnamed: how many answers of tools without an id were known before this span told its own.
        """
        own = model.span_id
        known = None if own is None else self._by_span.get(own)
        if known is not None and self._is_same(known.when, model.when):
            if not known.messages or not model.messages or _same_messages(known, model):
                known.messages = known.messages or model.messages
                known.text = model.text if known.text is None else known.text
                del self.unnamed[unnamed:]
                return
            self.warnings.append(f"the span {own!r} was recorded before with other calls")
        if own is not None:
            self._by_span[own] = model
        self.models.append(model)

    def runs_once(self) -> list[Done]:
        """The runs of tools, each span once: an exporter that tries again, or files that overlap, tell it twice."""
        if len({done.span_id for done in self.done}) == len(self.done):
            return self.done
        found: list[Done] = []
        by_span: dict[str, Done] = {}
        for done in self.done:
            known = None if done.span_id is None else by_span.get(done.span_id)
            if known is not None and self._is_same(known.when, done.when):
                if _same_run(known, done):
                    _fill(known, done)
                    continue
                self.warnings.append(
                    f"{done.place}: the span {done.span_id!r} was recorded before as another call"
                )
            if done.span_id is not None:
                by_span[done.span_id] = done
            found.append(done)
        return found

    def _is_same(self, one: Moment | None, other: Moment | None) -> bool:
        """Whether spans of one id are one: ids are unique in a trace; without one the moment must be the same too."""
        return self.id is not None or (one is not None and one == other)

    def answer(self, id: Any, name: str | None, output: Node) -> None:
        """What a later request to a model says that a tool answered; other words are another call's of that id."""
        own = id if type(id) is str else "" if id is None else str(id)
        if not own:
            self.unnamed.append((name, kept(output)))
        elif own not in self.answers:
            self.answers[own] = [kept(output)]
        elif output not in self.answers[own]:  # histories tell it again and again
            self.answers[own].append(kept(output))

    def offer(self, tools: tuple[ToolSpec, ...]) -> None:
        """Tools that the model could call."""
        if tools is not self._offered:  # most requests offer the same
            self._offered = tools
            known = {tool.name: tool for tool in self.tools}
            if not all(known.get(tool.name) is tool for tool in tools):
                self.tools = tuple((known | {tool.name: tool for tool in tools}).values())

    def starts(self) -> list[Moment]:
        """When its parts began, where that is known."""
        whens = [model.when for model in self.models] + [done.when for done in self.done]
        return [when for when in whens if when is not None]


def _same_messages(known: Model, model: Model) -> bool:
    """Whether two answers of a model ask for the same calls."""
    a = [call for message in known.messages for call in message]
    b = [call for message in model.messages for call in message]
    return len(a) == len(b) and all(
        x.name == y.name and x.id == y.id and same_call(x.raw, y.raw) for x, y in zip(a, b, strict=True)
    )


def _same_run(known: Done, done: Done) -> bool:
    if known.name != done.name or (known.id is not None and done.id is not None and known.id != done.id):
        return False
    return known.raw is None or done.raw is None or same_call(known.raw, done.raw)


def _fill(known: Done, done: Done) -> None:
    """What a span says that was exported before it had ended."""
    known.raw = done.raw if known.raw is None else known.raw
    known.id = known.id or done.id
    if known.output is None and known.error is None:
        known.output, known.error, known.status = done.output, done.error, done.status or known.status
