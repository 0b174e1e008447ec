"""Calls of a recording out of its spans: the model's request and the tool's run of one call are one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from ..arguments import NOT_CAPTURED, Arguments, Given
from ..nodes import Node
from ..schema.tools import read_tools
from ..types import ToolCall, ToolSpec, Trace, Turn
from .moments import Moment, in_order
from .repeated import Attributes, History
from .sightings import same_call
from .spanparts import Asked, Done, Model, Recording, same_work
from .unread import unread_call

__all__ = ["Recordings"]


class Recordings:
    """The traces of a run of spans, which may come in any order.

    Attributes:
        place, history, attributes: of the item that is read; what the next request may repeat.
        offered: the definitions of tools that were read last, as they were recorded, and what was read.
    """

    def __init__(self) -> None:
        self._all: dict[str | None, Recording] = {}
        self.place: str | None = None
        self._texts: dict[str | None, int] = {}
        self._tools: dict[bytes | str, tuple[ToolSpec, ...]] = {}
        self.history = History()
        self.attributes = Attributes()
        self.offered: tuple[Node, tuple[ToolSpec, ...]] = (None, ())

    def of(self, trace: str | None) -> Recording:
        """The recording of a trace."""
        found = self._all.get(trace)
        if found is None:
            found = self._all[trace] = Recording(trace, self.place)
        return found

    def number(self, text: str | None) -> int:
        """The number of a user's text: histories repeat the same texts over and over."""
        return self._texts.setdefault(text, len(self._texts))

    def tools(self, text: bytes | str, value: Any, place: str) -> tuple[ToolSpec, ...]:
        """Tool definitions, which are the same in most spans.

        Raises:
            DataError: they can't be read.
        """
        found = self._tools.get(text)
        if found is None:
            if len(self._tools) >= 500:
                self._tools.clear()
            found = self._tools[text] = read_tools(value(), place)
        return found

    def traces(self, format: str) -> list[Trace]:
        """What was read: a trace for each conversation, or for each trace outside of one, in the order of their start."""
        groups: dict[tuple[str, str | None], list[Recording]] = {}
        for recording in self._all.values():
            key = ("trace", recording.id) if recording.session is None else ("session", recording.session)
            groups.setdefault(key, []).append(recording)
        for recording in self._all.values():
            if recording.asked_first is not None and not any(model.users for model in recording.models):
                start = min(recording.starts(), default=None)
                users = (self.number(recording.asked_first),)
                first = Model(when=start, ended=start, users=users, ends_with_user=True)
                recording.models.insert(0, first)
        self._all = {}
        texts: list[str | None] = list(self._texts)
        if len(groups) == 1:  # nothing to be put in order
            (((_, name), group),) = groups.items()
            return [_Assembly(group, name, texts).trace(format, group[0].place)]
        found: list[tuple[Moment | None, Trace]] = []
        for (_, own), group in groups.items():
            starts = [when for recording in group for when in recording.starts()]
            trace = _Assembly(group, own, texts).trace(format, group[0].place)
            found.append((min(starts, default=None), trace))
            group.clear()
        if all(when is not None for when, _ in found):
            found.sort(key=lambda item: item[0] or (0, ""))
        return [trace for _, trace in found]


class _Call(Struct, gc=False):
    """A call in the making."""

    name: str
    raw: Arguments | None
    id: str | None
    when: Moment | None
    place: str
    turn: int | None = None
    group: str | None = None
    run: Done | None = None
    span_id: str | None = None
    trace: int = 0
    model: Model | None = None  # that told it last
    message: tuple[Asked, ...] = ()  # in which it did so
    after: Moment | None = (
        None  # when the one before it in its group began, if that is later than all known of it
    )


class _Assembly:
    """One conversation: its traces' models in order, then the runs of tools, each joined with its request."""

    def __init__(self, traces: Sequence[Recording], id: str | None, texts: Sequence[str | None]) -> None:
        self._traces = in_order(traces, _start_of)
        self._texts = texts
        self._id = id
        self._warnings: list[str] = []
        self._tools: tuple[ToolSpec, ...] = ()
        self._calls: list[_Call] = []
        self._by_id: dict[str, list[_Call]] = {}
        self._open: dict[tuple[int, str], list[_Call]] = {}
        self._users: list[int] = []
        self._said: dict[int, str] = {}
        self._turns: dict[int, list[tuple[Moment | None, int]]] = {}
        self._groups = 0

    def trace(self, format: str, place: str | None) -> Trace:
        """The finished trace."""
        tools_only = any(recording.tools_only for recording in self._traces)
        for recording in self._traces:
            recording.done = recording.runs_once()
            self._warnings += recording.warnings
            if recording.tools:
                known = {tool.name: tool for tool in self._tools}
                self._tools = tuple((known | {tool.name: tool for tool in recording.tools}).values())
        if len(self._traces) > 1 or self._traces[0].models:
            self._read_models(tools_only=tools_only)
        alone = len(self._traces) == 1 and not self._calls and not self._users
        if alone and _stand_alone(self._traces[0]):
            self._calls = [_call_of(done) for done in self._traces[0].done]
        for number, recording in enumerate(() if self._calls and alone else self._traces):
            for done in in_order(recording.done, _when_of):
                self._done(done, number)
        if any(recording.answers or recording.unnamed for recording in self._traces):
            self._answer()
        calls = self._told()
        said = self._said
        asked = [self._texts[user] if user >= 0 else None for user in self._users]
        turns = tuple([Turn(text, said.get(number)) for number, text in enumerate(asked)])
        return Trace(
            id=self._id,
            calls=calls,
            text=said[max(said)] if said else None,
            turns=turns,
            tools=self._tools or None,
            format=format,
            warnings=tuple(dict.fromkeys(self._warnings)),
            place=place,
        )

    def _read_models(self, *, tools_only: bool) -> None:
        models = [(number, model) for number, trace in enumerate(self._traces) for model in trace.models]
        wrapped = any([model.wrapper for _, model in models])  # noqa: C419 - faster
        wrapped = wrapped and not any(trace.done for trace in self._traces)
        if wrapped:
            wrapped = not any(model.messages and not model.wrapper for _, model in models)
        seen: set[int] = set()
        # Where no user's message tells of turns, each trace of a conversation is one.
        several = len(self._traces) > 1 and not any(model.users for _, model in models)
        if several:
            self._users = [-1] * len(self._traces)
            self._turns = {number: [(None, number)] for number in range(len(self._traces))}
        last: tuple[int, tuple[int, ...]] | None = None
        turn = -1
        for number, model in in_order(models, _when_of_model):
            if (number, model.users) != last:  # else it goes on with the turn that it saw before
                if model.users:
                    self._meet(model, new=number not in seen)
                seen.add(number)
                turn = number if several else self._turn_of(model.users)
                last = number, model.users
            if not several:
                self._turns.setdefault(number, []).append((model.when, turn))
            if model.text is not None:
                self._say(turn, model.text, model)
            if not tools_only and (wrapped or not model.wrapper):
                for message in model.messages:
                    self._asked(message, model, turn, number)
        for number, recording in enumerate(self._traces):
            if recording.said_last is not None:
                turns = self._turns.get(number)
                self._said[turns[-1][1] if turns else len(self._users) - 1] = recording.said_last

    def _say(self, turn: int, text: str, model: Model) -> None:
        self._said[turn] = text
        odd = None if model.messages else unread_call(text)
        if odd is not None:
            self._warnings.append(odd)

    def _meet(self, model: Model, *, new: bool) -> None:
        """Users' messages that were not there before: what goes beyond the longest part that is known."""
        users, known = model.users, self._users
        if new and model.ends_with_user and len(users) <= len(known) and known[-len(users) :] == [*users]:
            known.append(users[-1])  # the same words again, as the start of a trace of its own
            return
        if _within(users, known):
            return
        overlap = min(len(users), len(known))
        while overlap and known[-overlap:] != [*users[:overlap]]:
            overlap -= 1
        known.extend(users[overlap:])

    def _turn_of(self, users: tuple[int, ...]) -> int:
        """The turn that the last of these messages began."""
        known, last = self._users, len(self._users) - 1
        while users and last > 0 and known[last] != users[-1]:
            last -= 1
        return last

    def _asked(self, message: tuple[Asked, ...], model: Model, turn: int, number: int) -> None:
        new = [item for item in message if not self._seen(item, message, model)]
        group = None
        if len(new) > 1:
            self._groups += 1
            group = f"message {self._groups}"
        for item in new:
            call = _Call(
                item.name,
                item.raw,
                item.id,
                model.ended or model.when,
                item.place,
                turn if turn >= 0 else None,
            )
            call.group, call.span_id, call.trace = group, model.span_id, number
            call.model, call.message = model, message
            self._add(call)
            self._open.setdefault((number, item.name), []).append(call)

    def _seen(self, item: Asked, message: tuple[Asked, ...], model: Model) -> bool:
        """Whether this very call was asked for before: two libraries may record the same request."""
        earlier = self._by_id.get(item.id) if item.id is not None else None
        if not earlier:
            return False
        for call in earlier:
            known = call.model
            if not _same(call, item.name, item.raw) or (known is model and call.message is not message):
                continue
            # What is wrapped around requests tells all of their calls, each in a message of its own.
            wrapped = model.wrapper or known is None or known is model or known.wrapper
            told = True if wrapped or known is None else same_work(known, model)
            if told is False:
                continue
            if told is None:
                self._unsure(item.place, item.id)
            call.model, call.message = model, message
            return True
        self._warnings.append(f"{item.place}: the id {item.id!r} was used before for another call")
        return False

    def _unsure(self, place: str, id: str | None) -> None:
        self._warnings.append(
            f"{place}: the id {id!r} was used before for the same call, maybe by another library; read as one call"
        )

    def _add(self, call: _Call) -> None:
        self._calls.append(call)
        if call.id is not None:
            self._by_id.setdefault(call.id, []).append(call)

    def _done(self, done: Done, number: int) -> None:
        call = self._request_of(done, number)
        if call is None:
            turn = self._turn_at(done.when, number)
            call = _Call(done.name, done.raw, done.id, done.when, done.place, turn)
            call.trace = number
            self._add(call)
        elif done.when is not None:
            first = call.run is None or call.run.when is None or call.when is None
            call.when = done.when if first else min(call.when or done.when, done.when)
        call.raw = done.raw if call.raw is None else call.raw
        if call.run is None or (call.run.output is None and call.run.error is None):
            call.run = done
        call.span_id = call.run.span_id

    def _request_of(self, done: Done, number: int) -> _Call | None:
        """The call that this run of a tool belongs to."""
        if done.id is not None and done.id in self._by_id:
            return self._request_with_id(done)
        waiting = self._open.get((number, done.name), [])
        for call in waiting:
            if call.run is None and (call.id is None or done.id is None) and _same(call, done.name, done.raw):
                waiting.remove(call)
                return call
        return self._around(done, number) if done.parent is not None and done.id is None else None

    def _request_with_id(self, done: Done) -> _Call | None:
        """The same, by the id: the call whose run this is too, else the first one that has not run."""
        found = [call for call in self._by_id[done.id or ""] if _same(call, done.name, done.raw)]
        told = [True if call.run is None else same_work(call.run, done) for call in found]
        ran = [call for call, same in zip(found, told, strict=True) if same and call.run is not None]
        waiting = [call for call in found if call.run is None]
        if ran or waiting:
            return (ran or waiting)[0]
        unsure = next((call for call, same in zip(found, told, strict=True) if same is None), None)
        if unsure is not None:
            self._unsure(done.place, done.id)
            return unsure
        self._warnings.append(f"{done.place}: the id {done.id!r} was used before for another call")
        return None

    def _around(self, done: Done, number: int) -> _Call | None:
        """The call whose run contains this one: a tool's run that was recorded by two libraries."""
        for call in reversed(self._calls):
            run = call.run
            if run is not None and run.span_id == done.parent and call.trace == number:
                return call if _same(call, done.name, done.raw) else None
        return None

    def _turn_at(self, when: Moment | None, number: int) -> int | None:
        turns = self._turns.get(number)
        if turns is None:
            return len(self._users) - 1 if self._users else None
        turn = turns[0][1]
        for start, at in turns:
            if start is not None and when is not None and start <= when:
                turn = at
        return turn if turn >= 0 else None

    def _answer(self) -> None:
        """Outputs that only a later request to the model tells of."""
        unnamed = [list(recording.unnamed) for recording in self._traces]
        answers: dict[str, list[Node]] = {}
        for recording in self._traces:
            for own, outputs in recording.answers.items():
                known = answers.setdefault(own, [])
                known += [output for output in outputs if output not in known] if known else outputs
        for call in self._calls:
            if call.run is not None and (call.run.output is not None or call.run.error is not None):
                continue
            if call.id is None:
                output = _take(unnamed[call.trace], call.name)
            else:
                output = self._answer_of(call, answers.get(call.id))
            if output is not None:
                made = call.run or Done(
                    name=call.name,
                    raw=call.raw,
                    id=call.id,
                    when=None,
                    place=call.place,
                    span_id=call.span_id,
                )
                made.output = output
                call.run = made

    def _answer_of(self, call: _Call, outputs: Sequence[Node] | None) -> Node:
        """What was answered to a call with an id: the first words, or where calls share the id, each its own."""
        if not outputs:
            return None
        at = 0
        if len(outputs) > 1:
            at = next(at for at, known in enumerate(self._by_id[call.id or ""]) if known is call)
        return outputs[min(at, len(outputs) - 1)]

    def _told(self) -> tuple[ToolCall, ...]:
        if self._groups:
            self._keep_asked_order()
        return tuple([self._finished(call) for call in in_order(self._calls, _begun)])

    def _keep_asked_order(self) -> None:
        """Calls of one message that no run of a tool dates stay behind those that were asked for before them."""
        last: dict[str, Moment] = {}
        for call in self._calls:
            if call.group is None or call.when is None:
                continue
            before = last.get(call.group, call.when)
            if before > call.when and (call.run is None or call.run.when is None):
                call.after = before
            last[call.group] = max(before, call.when)

    def _finished(self, call: _Call) -> ToolCall:
        raw, run = call.raw, call.run or _NO_RUN
        if raw is None:
            raw = NOT_CAPTURED
            self._warnings.append(f"{call.place}: the arguments of {call.name!r} were not captured")
        return ToolCall(
            name=call.name,
            raw=raw,
            id=call.id,
            turn=call.turn,
            group=call.group,
            raw_output=run.output,
            error=run.error,
            status=run.status,
            start=call.when[0] / 1e9 if call.when else None,
            span_id=call.span_id,
        )


_NO_RUN: Final = Done(name="", raw=None, id=None, when=None, place="")


def _stand_alone(recording: Recording) -> bool:
    """Whether no run tells a call that another one tells too; so it is where every library records for itself."""
    spans, ids = {done.span_id for done in recording.done}, [done.id for done in recording.done]
    if None in ids:
        ids = [own for own in ids if own is not None]
        if not spans.isdisjoint([done.parent for done in recording.done if done.parent is not None]):
            return False
    return len(set(ids)) == len(ids)


def _call_of(done: Done) -> _Call:
    return _Call(done.name, done.raw, done.id, done.when, done.place, None, None, done, done.span_id)


def _when_of(part: Done) -> Moment | None:
    return part.when


def _begun(call: _Call) -> Moment | None:
    return call.when if call.after is None else call.after


def _when_of_model(item: tuple[int, Model]) -> Moment | None:
    return item[1].when


def _start_of(trace: Recording) -> Moment | None:
    return min(trace.starts(), default=None)


def _same(call: _Call, name: str, raw: Arguments | None) -> bool:
    if call.name != name:
        return False
    own = call.raw
    if own is None or raw is None:
        return True
    if type(own) is Given and type(raw) is Given and type(own.value) is str and own.value == raw.value:
        return True
    return same_call(own, raw)


def _within(users: tuple[int, ...], known: list[int]) -> bool:
    size = len(users)
    held = [*users]
    if held == known:
        return True
    return any([known[at : at + size] == held for at in range(len(known) - size + 1)])  # noqa: C419 - faster


def _take(unnamed: list[tuple[str | None, Node]], name: str) -> Node:
    for index, (own, output) in enumerate(unnamed):
        if own is None or own == name:
            del unnamed[index]
            return output
    return None
