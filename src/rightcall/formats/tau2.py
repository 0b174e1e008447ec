"""tau2: simulations of tau2-bench, in which the agent and the simulated user both may call tools."""

from __future__ import annotations

from msgspec import Raw, Struct

from ..core.nodes import Node, is_text_or_null, opened
from ..core.reading.chat import there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHARED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.given import given
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, named, whole_of
from ..core.reading.shapes import ABSENT, Shape
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="tau2",
    meaning="results of tau2-bench: simulations, or the messages of one; only the agent's calls are read",
    detected_by="`simulations` with messages, or a message with calls that have a `requestor`",
    name_at="simulations[].messages[].tool_calls[].name",
    arguments_at="simulations[].messages[].tool_calls[].arguments: an object",
    id_at="simulations[].messages[].tool_calls[].id",
    result_at="the later message of role `tool` with that id: content, and its error",
    group_at="the entries of one tool_calls list",
    turn_at="messages of role `user` that have a text",
    cannot_carry="start times, the offered tools",
    example='{"simulations": [{"id": "sim-7", "task_id": "weather", "messages": [{"role": "user", "content": "Weather '
    'in Oslo?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "name": "get_weather", '
    '"arguments": {"city": "Oslo"}, "requestor": "assistant"}]}]}]}',
    keys=frozenset({"simulations", "messages", "role"}),
    source="sierra-research/tau2-bench, data_model",
)


class _Call(Struct, kw_only=True, gc=False):
    id: str | None = None
    name: str | None = None
    arguments: Raw = ABSENT
    requestor: str | None = None


class _Answer(Struct, kw_only=True, gc=False):
    id: str | None = None
    content: str | None = None
    requestor: str | None = None
    error: bool | None = None


class _Message(Struct, kw_only=True, gc=False):
    role: str | None = None
    id: str | int | None = None
    requestor: str | None = None
    error: bool | None = None
    tool_calls: list[_Call] | None = None
    tool_messages: list[_Answer] | None = None


class _Item(_Message, kw_only=True, gc=False):
    """Results, a simulation or a message: one shape, so that each item is decoded once."""

    content: str | None = None
    simulations: list[Raw] | None = None
    messages: list[Raw] | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _RawMessage(_Message, kw_only=True, gc=False):
    """A message whose text is not decoded, since nobody may ask for it."""

    content: Raw = ABSENT


class _Simulation(Struct, kw_only=True, gc=False):
    id: str | int | None = None
    messages: list[_RawMessage]
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Results(Struct, kw_only=True, gc=False):
    """Results that are decoded in one go."""

    simulations: list[_Simulation]
    role: Raw = ABSENT


_item = Shape(_Item)
_results = Shape(_Results)


class Reader(RecordingReader):
    """Each simulation is a trace; messages that stand alone are one."""

    format = DECLARATION.id

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        if value.simulations is not None:
            self._listed(value.simulations, place)
        elif value.messages is not None:
            self._simulation(value, item, place)
        else:
            _message(value, place, self._all.loose().at(item, place))

    def _read_own(self, item: Node, place: str) -> bool:
        whole = whole_of(_results, item)
        if whole is not None and whole.role is ABSENT and whole.simulations and _are_texts(whole):
            for index, simulation in enumerate(whole.simulations):
                at = f"{under(place, 'simulations')}[{index}].messages"
                into = self._all.document(
                    [item], id=named(simulation.case_id, simulation.custom_id, simulation.id)
                ).at(item, place)
                for number, message in enumerate(simulation.messages):
                    _message(message, f"{at}[{number}]", into)
            return True
        value = _item.attempt(item)
        if value is None or not value.simulations or value.role is not None:
            return False
        first = _item.attempt(value.simulations[0])
        if first is None or first.messages is None:
            return False
        self._listed(value.simulations, place, first)
        return True

    def _listed(self, simulations: list[Raw], place: str, first: _Item | None = None) -> None:
        for index, node in enumerate(simulations):
            where = f"{under(place, 'simulations')}[{index}]"
            known = first if index == 0 else None
            self._simulation(known or _item(node, where), node, where)

    def _simulation(self, value: _Item, node: Node, place: str) -> None:
        into = self._all.document([node], id=named(value.case_id, value.custom_id, value.id))
        at = under(place, "messages")
        for index, message in enumerate(value.messages or ()):
            where = f"{at}[{index}]"
            _message(_item(message, where), where, into.at(message, where))


def _are_texts(whole: _Results) -> bool:
    return all([is_text_or_null(message.content) for one in whole.simulations for message in one.messages])  # noqa: C419


def _message(value: _Item | _RawMessage, place: str, into: Conversation) -> None:
    if value.role == "user":
        # A user that only uses a tool of its own says nothing.
        text = opened(value.content)
        if text is not None or not value.tool_calls:
            into.user(text)
    elif value.role == "assistant":
        into.message()
        into.say(opened(value.content))
    elif value.role == "tool":
        for answer in (value,) if value.tool_messages is None else value.tool_messages:
            _answer(answer, place, into)
    elif value.role != "system":
        raise CallError(f"a message of the unknown role {value.role!r}", field=place)
    for index, call in enumerate(value.tool_calls or ()):
        if (call.requestor or value.role) == "assistant":
            where = f"{under(place, 'tool_calls')}[{index}]"
            into.call(call.name, given(call.arguments, into, where), place=where, id=call.id)


def _answer(answer: _Answer | _Item | _RawMessage, place: str, into: Conversation) -> None:
    if (answer.requestor or "assistant") == "assistant":
        error = answer.error or None
        into.answer(
            answer.content if there(answer.content) else None,
            place=place,
            id=answer.id,
            error=error,
            status="error" if error else None,
        )


def detect(glance: Glance) -> Evidence | None:
    """By `simulations`, or by the `requestor` of a call or of an answer."""
    simulations = glance.at("simulations")
    if isinstance(simulations, list | tuple):
        first = Glance(simulations[0]) if simulations else None
        found = first is None or "messages" in first.keys
        return Evidence(MARKED, "simulations with messages") if found else None
    if glance.keys >= {"messages", "task_id", "termination_reason"}:
        return Evidence(MARKED, "the messages of a simulation")
    return _by_requestor(glance)


def _by_requestor(glance: Glance) -> Evidence | None:
    message = glance.telling
    calls = message.get("tool_calls")
    first = Glance(calls[0]) if isinstance(calls, list | tuple) and calls else None
    if first is not None and "requestor" in first.keys and "name" in first.keys:
        return Evidence(MARKED, "a call with its requestor")
    if glance.at("role") == "tool" and ("tool_messages" in glance.keys or {"id", "requestor"} <= glance.keys):
        return Evidence(MARKED, "an answer with its requestor")
    if not message and glance.at("role") in ("system", "user", "assistant"):
        return Evidence(SHARED if "turn_idx" in glance.keys else WOULD_DO, "a message with a role")
    return None
