"""Spans by OpenInference's conventions (Arize, Phoenix), and UiPath's, which follow them for tools."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Final

from msgspec import UNSET, Raw, Struct

from ...errors import CallError
from ..nodes import is_text, kept, opened, plain
from .chat import output_of
from .genai import offer_tools, run_of
from .shapes import ABSENT
from .spancalls import Recordings
from .spanparts import Asked, Model, Recording, asked
from .spans import Span
from .spanshapes import RunAttributes

__all__ = ["read_openinference", "read_uipath", "read_uipath_run"]

_INPUT: Final = "llm.input_messages."
_OUTPUT: Final = "llm.output_messages."
_TOOLS: Final = "llm.tools."
_ROLES: Final = {f'"{role}"'.encode(): role for role in ("user", "assistant", "tool", "system", "developer")}
_Number = tuple[int, str]
_NONE: Final[_Number] = (-1, "")


class _CallNames(Struct, frozen=True, gc=False):
    """Which attributes hold what of a call."""

    place: str
    name: str | None
    arguments: str | None
    id: str | None
    odd: str | None = None  # an unknown attribute where that of the arguments is missing


class _MessageNames(Struct, frozen=True, gc=False):
    """Which attributes hold what of a message."""

    number: _Number
    role: str | None
    content: str | None
    parts: tuple[str, ...]
    id: str | None
    name: str | None
    calls: tuple[_CallNames, ...]


class _Names(Struct, frozen=True, gc=False):
    """Which attributes of a request hold what: messages to the model and from it, and the tools on offer."""

    told: tuple[_MessageNames, ...]
    said: tuple[_MessageNames, ...]
    tools: tuple[str, ...]
    inputs: tuple[str, ...]


def read_openinference(span: Span, into: Recording, all: Recordings) -> None:
    """Take what one span tells.

    Raises:
        CallError: a call without a name.
    """
    session = span.text("session.id")
    if session is not None:
        into.session = session
    kind = (span.text("openinference.span.kind") or span.kind or "").upper()
    if kind == "TOOL":
        _read_tool(span, into)
    elif kind == "LLM" or (not kind and any(key.startswith(_OUTPUT) for key in span.fields)):
        _read_model(span, into, all)
    elif span.parent is None and kind in ("AGENT", "CHAIN"):
        into.asked_first = into.asked_first or _mere_text(span.text("input.value"))
        into.said_last = into.said_last or _mere_text(span.text("output.value"))


def read_uipath(span: Span, into: Recording) -> None:
    """Take what one of UiPath's spans tells: only runs of tools, and of those none that was made up.

    Raises:
        CallError: a tool without a name.
    """
    into.tools_only = True
    made_up = span.get("tool.synthesized")
    if "tool.name" in span.fields and made_up not in (True, "true", "True", 1):
        _read_tool(span, into)


def read_uipath_run(span: Span, told: RunAttributes, into: Recording) -> None:
    """As :func:`read_uipath`, of a span whose attributes were decoded with it.

    Raises:
        CallError: a tool without a name.
    """
    into.tools_only = True
    if told.tool_name is UNSET or told.made_up is True:
        return
    output = None if told.output_value == ABSENT else kept(told.output_value)
    own = told.call_id or told.tool_id or None
    into.done.append(run_of(span, told.tool_name or span.name, told.input_value, own, output))


def _read_tool(span: Span, into: Recording) -> None:
    arguments = span.node("input.value")
    text = arguments if type(arguments) is str else opened(arguments)
    if isinstance(text, str) and not text.lstrip().startswith("{"):
        parameters = span.node("tool.parameters")
        arguments = arguments if parameters is None else parameters
    elif arguments is None:
        arguments = span.node("tool.parameters")
    own = span.text("tool_call.id") or span.text("tool.id")
    name = span.text("tool.name") or span.name
    into.done.append(run_of(span, name, arguments, own, span.answer("output.value")))


def _mere_text(text: str | None) -> str | None:
    return None if text is None or text.lstrip()[:1] in ("{", "[") else text


def _read_model(span: Span, into: Recording, all: Recordings) -> None:
    start, end = span.start, span.end
    model = Model(
        when=None if start is None else (start, ""),
        ended=None if end is None else (end, ""),
        span_id=span.id,
        parent=span.parent,
    )
    unnamed = len(into.unnamed)
    names = _read_rest(span, model, into, all) or _read_all(span, model, into, all)
    for key in names.tools:
        offer_tools(span, key, into, all)
    messages = []
    for message in names.said:
        if message.calls:
            messages.append(tuple([_call(span, call) for call in message.calls]))
        model.text = _text(span, message) or model.text
    model.messages = tuple(messages)
    into.tell(model, unnamed)


def _read_all(span: Span, model: Model, into: Recording, all: Recordings) -> _Names:
    """Read what a request tells the model; what else it tells is still to be read."""
    names, unnamed = _names_of(span.fields), len(into.unnamed)
    _read_inputs(span, names.told, model, into, all)
    all.attributes.begin(into)
    all.attributes.add(span.fields, names.inputs, model.users, ends_with_user=model.ends_with_user)
    all.attributes.last = names.told[-1].number if names.told else _NONE
    if len(into.unnamed) != unnamed:
        all.attributes.forget()  # answers without an id are counted, so that none may be passed over
    return names


def _read_rest(span: Span, model: Model, into: Recording, all: Recordings) -> _Names | None:
    """As :func:`_read_all`, only what goes beyond the request before it; None, and nothing read, if it is another."""
    known = all.attributes
    keys = known.rest(into, span.fields)
    names = None if keys is None else _names_of(keys)
    if names is None or (names.told and names.told[0].number <= known.last):
        return None
    unnamed = len(into.unnamed)
    model.users, model.ends_with_user = known.users, known.ends_with_user
    if names.told:
        _read_inputs(span, names.told, model, into, all)
        known.add(span.fields, names.inputs, model.users, ends_with_user=model.ends_with_user)
        known.last = names.told[-1].number
    if len(into.unnamed) != unnamed:
        known.forget()
    return names


def _names_of(keys: Collection[str]) -> _Names:
    """What is where; long histories are not remembered, since they would fill the memory."""
    return _names(tuple(keys)) if len(keys) <= _MOST_NAMES else _names.__wrapped__(tuple(keys))


_MOST_NAMES: Final = 500


@lru_cache(maxsize=256)
def _names(keys: tuple[str, ...]) -> _Names:
    """What is where. The names of a request's attributes come again in other recordings: told once."""
    found: dict[str, dict[_Number, dict[str, str]]] = {_INPUT: {}, _OUTPUT: {}}
    tools: list[str] = []
    inputs: list[str] = []
    for key in keys:
        if key.startswith((_INPUT, _OUTPUT)):
            kind = _INPUT if key.startswith(_INPUT) else _OUTPUT
            number, _, field = key[len(kind) :].partition(".message.")
            found[kind].setdefault(_number(number), {})[field] = key
            if kind == _INPUT:
                inputs.append(key)
        elif key.startswith(_TOOLS) and key.endswith(".tool.json_schema"):
            tools.append(key)
    told, said = (
        tuple([_message_names(number, fields) for number, fields in sorted(found[kind].items())])
        for kind in (_INPUT, _OUTPUT)
    )
    tools.sort(key=lambda key: _number(key[len(_TOOLS) :].partition(".")[0]))
    return _Names(told, said, tuple(tools), tuple(inputs))


def _message_names(number: _Number, fields: dict[str, str]) -> _MessageNames:
    parts = sorted(filter(_is_part, fields), key=lambda field: _number(field.split(".")[1]))
    return _MessageNames(
        number,
        fields.get("role"),
        fields.get("content"),
        tuple([fields[part] for part in parts]),
        fields.get("tool_call_id"),
        fields.get("name"),
        tuple(_call_names(fields)),
    )


def _is_part(field: str) -> bool:
    return field.startswith("contents.") and field.endswith(".message_content.text")


def _call_names(fields: dict[str, str]) -> Iterator[_CallNames]:
    found: dict[str, dict[str, str]] = {}
    for field, key in fields.items():
        if field.startswith("tool_calls."):
            number, _, name = field[len("tool_calls.") :].partition(".tool_call.")
            found.setdefault(number, {})[name] = key
    for number in sorted(found, key=_number):
        keys = found[number]
        place = next(iter(keys.values())).partition(".tool_call.")[0]
        arguments = keys.get("function.arguments")
        odd = next((name for name in keys if name not in _CALL_FIELDS), None) if arguments is None else None
        yield _CallNames(place, keys.get("function.name"), arguments, keys.get("id"), odd)
    if "function_call_name" in fields:
        key = fields["function_call_name"]
        yield _CallNames(key, key, fields.get("function_call_arguments_json"), None)


def _read_inputs(
    span: Span, told: Iterable[_MessageNames], model: Model, into: Recording, all: Recordings
) -> None:
    users = list(model.users)
    for message in told:
        role = None if message.role is None else _role(span, message.role)
        model.ends_with_user = role in ("user", "human")
        if model.ends_with_user:
            users.append(all.number(_text(span, message)))
        elif role in ("tool", "function") and (message.content is not None or message.parts):
            own = None if message.id is None else span.text(message.id)
            name = None if message.name is None else span.text(message.name)
            if own is None or own not in into.answers:
                content = _text(span, message) if message.content is None else span.answer(message.content)
                into.answer(own, name, content if is_text(content) else output_of(opened(content)))
    model.users = tuple(users)


def _role(span: Span, key: str) -> str | None:
    node = span.fields.get(key)
    known = _ROLES.get(bytes(node)) if type(node) is Raw else None
    return known or span.text(key)


def _text(span: Span, message: _MessageNames) -> str | None:
    if message.content is not None:
        content = span.get(message.content)
        content = output_of(content) if isinstance(content, list | tuple) else content
        return content if isinstance(content, str) and content else None
    if not message.parts:
        return None
    found = [text for text in map(span.text, message.parts) if text]
    return "".join(found) if found else None


_CALL_FIELDS: Final = frozenset({"id", "type", "function.name", "function.description"})


def _call(span: Span, call: _CallNames) -> Asked:
    if call.odd is not None:
        raise CallError(
            f"unknown attribute {call.odd!r}, and there is no attribute 'function.arguments'",
            field=f"{span.place}.{call.place}",
        )
    called = None if call.name is None else span.get(call.name)
    arguments = None if call.arguments is None else span.node(call.arguments)
    own = None if call.id is None else span.text(call.id)
    return asked(
        called if type(called) is str else plain(called), arguments, own, f"{span.place}.{call.place}"
    )


def _number(text: str) -> tuple[int, str]:
    return (int(text), text) if text.isdecimal() and len(text) < 10 else (10**9, text)
