"""inspect: logs of Inspect (`inspect_ai`): samples with messages and events."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from msgspec import Raw, Struct

from ..core.nodes import Node, is_text_or_list, opened, plain
from ..core.reading.chat import output_of, there, under
from ..core.reading.conversation import Conversation, text_of_parts
from ..core.reading.format import MARKED, SHAPED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.given import given
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, whole_of
from ..core.reading.shapes import ABSENT, Shape
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="inspect",
    meaning="an Inspect log, one sample of it, or its messages",
    detected_by="messages with tool_calls whose `function` is a text, in a sample, in a log, or alone",
    name_at="samples[].messages[].tool_calls[].function",
    arguments_at="samples[].messages[].tool_calls[].arguments: an object; unreadable where there is a parse_error",
    id_at="samples[].messages[].tool_calls[].id",
    result_at="the later message of role `tool` with that tool_call_id: content, and its error",
    group_at="the entries of one tool_calls list",
    turn_at="messages of role `user`",
    cannot_carry="the offered tools; start times, where a sample has messages",
    example='{"version": 2, "eval": {"task": "weather"}, "samples": [{"id": 1, "epoch": 1, "input": "Weather in Oslo?", '
    '"messages": [{"role": "user", "content": "Weather in Oslo?"}, {"role": "assistant", "content": "", '
    '"tool_calls": [{"id": "c1", "function": "get_weather", "arguments": {"city": "Oslo"}, "type": "function"}]}]}]}',
    keys=frozenset({"samples", "messages", "role", "tool_calls", "events"}),
    source="inspect.aisi.org.uk, log files; inspect-ai, EvalLog",
)


class _Call(Struct, kw_only=True, gc=False):
    id: str | None = None
    function: str | None = None
    arguments: Raw = ABSENT
    parse_error: str | None = None


class _Event(Struct, kw_only=True, gc=False):
    """An event of a sample; those of tools repeat what the messages say."""

    event: str | None = None
    id: str | None = None
    function: Raw = ABSENT
    arguments: Raw = ABSENT
    result: Raw = ABSENT
    error: Raw = ABSENT


class _Message(Struct, kw_only=True, gc=False):
    role: str | None = None
    tool_calls: list[_Call] | None = None
    tool_call_id: str | None = None
    function: str | None = None
    error: Raw = ABSENT


class _Item(_Message, kw_only=True, gc=False):
    """A log, a sample or a message: one shape, so that each item is decoded once."""

    id: str | int | None = None
    epoch: int | None = None
    content: str | list[Raw] | None = None
    samples: list[Raw] | None = None
    messages: list[Raw] | None = None
    events: list[Raw] | None = None
    attachments: Raw = ABSENT


class _RawMessage(_Message, kw_only=True, gc=False):
    """A message whose text is not decoded, since nobody may ask for it."""

    content: Raw = ABSENT


class _Sample(Struct, kw_only=True, gc=False):
    id: str | int | None = None
    epoch: int
    messages: list[_RawMessage]
    attachments: Raw = ABSENT


class _Log(Struct, kw_only=True, gc=False):
    """A log that is decoded in one go."""

    samples: list[_Sample]
    role: Raw = ABSENT


_APART: Final = b"attachment://"
_DEEPEST: Final = 250
_item = Shape(_Item)
_log = Shape(_Log)
_event = Shape(_Event)


class Reader(RecordingReader):
    """Each sample is a trace; messages that stand alone are one."""

    format = DECLARATION.id

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        if value.samples is not None:
            self._samples(value.samples, place)
        elif value.messages is not None or value.events is not None:
            self._sample(value, item, place)
        else:
            _message(value, place, self._all.loose().at(item, place), _Attachments(ABSENT))

    def _read_own(self, item: Node, place: str) -> bool:
        whole = whole_of(_log, item)
        if whole is not None and whole.role is ABSENT and whole.samples and _are_texts(whole):
            for index, sample in enumerate(whole.samples):
                self._whole_sample(sample, item, f"{under(place, 'samples')}[{index}]", place)
            return True
        value = _item.attempt(item)
        if value is None or value.role is not None:
            return False
        if value.samples:
            first = _item.attempt(value.samples[0])
            if first is None or first.epoch is None or first.messages is None:
                return False
            self._samples(value.samples, place, first)
            return True
        if value.epoch is None or value.messages is None:
            return False
        self._sample(value, item, place)
        return True

    def _whole_sample(self, sample: _Sample, log: Node, place: str, outside: str) -> None:
        into = self._all.document([log], id=_name_of(sample)).at(log, outside)
        apart = _Attachments(sample.attachments)
        for index, message in enumerate(sample.messages):
            _message(message, f"{place}.messages[{index}]", into, apart)

    def _samples(self, samples: list[Raw], place: str, first: _Item | None = None) -> None:
        for index, node in enumerate(samples):
            where = f"{under(place, 'samples')}[{index}]"
            known = first if index == 0 else None
            self._sample(known or _item(node, where), node, where)

    def _sample(self, value: _Item, node: Node, place: str) -> None:
        into = self._all.document([node], id=_name_of(value))
        apart = _Attachments(value.attachments)
        at = under(place, "messages")
        for index, message in enumerate(value.messages or ()):
            where = f"{at}[{index}]"
            _message(_item(message, where), where, into.at(message, where), apart)
        if not value.messages:
            for index, event in enumerate(value.events or ()):
                where = f"{under(place, 'events')}[{index}]"
                _tool_event(_event(event, where), where, into.at(event, where), apart)


def _name_of(sample: _Item | _Sample) -> str | None:
    name = None if sample.id is None else str(sample.id)
    return name if name is None or (sample.epoch or 1) <= 1 else f"{name} epoch {sample.epoch}"


def _are_texts(whole: _Log) -> bool:
    """Whether the samples have messages (else their events are read), and these hold texts or lists."""
    return all(
        [one.messages and all(map(_is_told, one.messages)) for one in whole.samples]  # noqa: C419 - faster
    )


def _is_told(message: _RawMessage) -> bool:
    return is_text_or_list(message.content)


class _Attachments:
    """Long texts of a sample, which stand apart from where they belong; there a text names them by their hash."""

    def __init__(self, node: Node) -> None:
        self._node = node

    @cached_property
    def _texts(self) -> dict[str, Any]:
        found = opened(self._node)
        return found if isinstance(found, dict) else {}

    def put_back(self, node: Node) -> Node:
        """The node with its texts in place; one without such names stays as it was recorded."""
        if not self._texts or (isinstance(node, Raw) and _APART not in bytes(node)):
            return node
        return self._whole(plain(node), 0)

    def _whole(self, value: Any, level: int) -> Any:
        if level > _DEEPEST:
            return value  # whoever reads it as arguments refuses it
        if isinstance(value, str) and value.startswith(_APART.decode()):
            return plain(self._texts.get(value[len(_APART) :], value))
        if isinstance(value, dict):
            return {key: self._whole(item, level + 1) for key, item in value.items()}
        return [self._whole(item, level + 1) for item in value] if isinstance(value, list) else value


def _message(value: _Item | _RawMessage, place: str, into: Conversation, apart: _Attachments) -> None:
    if value.role == "user":
        into.user(_text(value.content, place))
    elif value.role == "assistant":
        into.message()
        into.say(_text(value.content, place) or None)
        for index, call in enumerate(value.tool_calls or ()):
            _call(call, f"{under(place, 'tool_calls')}[{index}]", into, apart)
    elif value.role == "tool":
        error = plain(value.error)
        into.answer(
            apart.put_back(output_of(value.content) if there(value.content) else None),
            place=place,
            id=value.tool_call_id,
            name=value.function,
            error=error,
            status=None if error is None else "error",
        )
    elif value.role != "system":
        raise CallError(f"a message of the unknown role {value.role!r}", field=place)


def _text(content: Node, place: str) -> str | None:
    text = opened(content)
    return text if type(text) is str else text_of_parts(text, place)


def _call(call: _Call, place: str, into: Conversation, apart: _Attachments) -> None:
    # What the model wrote is kept only within the words of the error, which are no JSON.
    arguments: Any = (
        apart.put_back(call.arguments) if not call.parse_error else f"parse error: {call.parse_error}"
    )
    into.call(call.function, given(arguments, into, place, "view"), place=place, id=call.id)


def _tool_event(event: _Event, place: str, into: Conversation, apart: _Attachments) -> None:
    if event.event != "tool":
        return
    into.message()
    error = plain(event.error)
    into.call(
        opened(event.function),
        given(apart.put_back(event.arguments), into, place, "view", "result", "metadata", "events"),
        place=place,
        id=event.id,
        output=None if event.result is ABSENT else apart.put_back(event.result),
        error=error,
        status=None if error is None else "error",
    )


def detect(glance: Glance) -> Evidence | None:
    """By the words of a log or a sample, or by a call whose `function` is a text."""
    if isinstance(glance.at("samples"), list | tuple) and isinstance(glance.at("eval"), dict):
        return Evidence(MARKED, "an eval with its samples")
    if {"epoch", "input", "target"} <= glance.keys and glance.keys & {"messages", "events"}:
        return Evidence(MARKED, "a sample with its epoch")
    message = glance.telling
    calls = message.get("tool_calls")
    first = Glance(calls[0]) if isinstance(calls, list | tuple) and calls else None
    if first is not None and isinstance(first.at("function"), str) and "arguments" in first.keys:
        return Evidence(MARKED, "a call whose function is a text")
    if glance.at("role") == "tool" and isinstance(glance.at("function"), str):
        return Evidence(SHAPED, "an answer that names its function")
    if not message and glance.at("role") in ("system", "user", "assistant"):
        return Evidence(WOULD_DO, "a message with a role")
    return None
