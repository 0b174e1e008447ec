"""Spans by OpenInference's conventions (Arize, Phoenix), and UiPath's, which follow them for tools."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from msgspec import Raw

from ..nodes import is_text, opened, plain
from .chat import output_of
from .genai import offer_tools, run_of
from .spancalls import Asked, Model, Recording, Recordings, asked
from .spans import Span

__all__ = ["read_openinference", "read_uipath"]

_INPUT: Final = "llm.input_messages."
_OUTPUT: Final = "llm.output_messages."
_TOOLS: Final = "llm.tools."
_Fields = dict[tuple[int, str], dict[str, str]]
"""Of each message, by its number, the attributes' names by the field."""


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


def _read_tool(span: Span, into: Recording) -> None:
    arguments = span.node("input.value")
    text = opened(arguments)
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
    told: _Fields = {}
    said: _Fields = {}
    for key in span.fields:
        # Long histories have thousands of these, and the next request has the same ones: taken to pieces once.
        if key[:4] != "llm.":
            continue
        kind, number, field = _parts(key)
        if kind == _INPUT:
            if number in told:
                told[number][field] = key
            else:
                told[number] = {field: key}
        elif kind == _OUTPUT:
            said.setdefault(number, {})[field] = key
        elif kind == _TOOLS:
            offer_tools(span, key, into, all)
    start, end = span.start, span.end
    model = Model(
        when=None if start is None else (start, ""),
        ended=None if end is None else (end, ""),
        span_id=span.id,
    )
    _read_inputs(span, told, model, into, all)
    messages = []
    for number in sorted(said):
        calls = _calls(span, said[number])
        if calls:
            messages.append(tuple(calls))
        model.text = _text(span, said[number]) or model.text
    model.messages = tuple(messages)
    into.models.append(model)


@lru_cache(maxsize=10_000)
def _parts(key: str) -> tuple[str, tuple[int, str], str]:
    """Which list of messages an attribute belongs to, the number of its message, and the field of that."""
    for kind in (_INPUT, _OUTPUT):
        if key.startswith(kind):
            number, _, field = key[len(kind) :].partition(".message.")
            return kind, _number(number), field
    return _TOOLS if key.startswith(_TOOLS) and key.endswith(".tool.json_schema") else "", (0, ""), ""


def _role(span: Span, key: str) -> str | None:
    node = span.fields.get(key)
    known = _ROLES.get(bytes(node)) if type(node) is Raw else None
    return known or span.text(key)


_ROLES: Final = {f'"{role}"'.encode(): role for role in ("user", "assistant", "tool", "system", "developer")}


def _read_inputs(span: Span, told: _Fields, model: Model, into: Recording, all: Recordings) -> None:
    users: list[int] = []
    for number in sorted(told):
        fields = told[number]
        role = (_role(span, fields["role"]) if "role" in fields else None) or ""
        model.ends_with_user = role in ("user", "human")
        if model.ends_with_user:
            users.append(all.number(_text(span, fields)))
        elif role in ("tool", "function") and ("content" in fields or any(map(_is_part, fields))):
            own = span.text(fields["tool_call_id"]) if "tool_call_id" in fields else None
            name = span.text(fields["name"]) if "name" in fields else None
            if own is None or own not in into.answers:
                content = span.answer(fields["content"]) if "content" in fields else _text(span, fields)
                into.answer(own, name, content if is_text(content) else output_of(opened(content)))
    model.users = tuple(users)


def _text(span: Span, fields: dict[str, str]) -> str | None:
    if "content" in fields:
        content = span.get(fields["content"])
        content = output_of(content) if isinstance(content, list | tuple) else content
        return content if isinstance(content, str) and content else None
    parts = sorted(
        (field for field in fields if _is_part(field)), key=lambda field: _number(field.split(".")[1])
    )
    found = [text for text in (span.text(fields[field]) for field in parts) if text]
    return "".join(found) if found else None


def _is_part(field: str) -> bool:
    return field.startswith("contents.") and field.endswith(".message_content.text")


def _calls(span: Span, fields: dict[str, str]) -> list[Asked]:
    found: dict[str, dict[str, Any]] = {}
    for field, key in fields.items():
        if field.startswith("tool_calls."):
            number, _, name = field[len("tool_calls.") :].partition(".tool_call.")
            found.setdefault(number, {})[name] = key
    calls: list[Asked] = []
    for number in sorted(found, key=_number):
        keys = found[number]
        called = span.get(keys["function.name"]) if "function.name" in keys else None
        arguments = span.node(keys["function.arguments"]) if "function.arguments" in keys else None
        own = span.text(keys["id"]) if "id" in keys else None
        calls.append(asked(plain(called), arguments, own, f"{span.place}.{_base(keys)}"))
    if "function_call_name" in fields:
        key = fields["function_call_name"]
        held = fields.get("function_call_arguments_json")
        calls.append(asked(span.get(key), span.node(held) if held else None, None, f"{span.place}.{key}"))
    return calls


def _base(keys: dict[str, str]) -> str:
    return next(iter(keys.values())).partition(".tool_call.")[0]


def _number(text: str) -> tuple[int, str]:
    return (int(text), text) if text.isdecimal() and len(text) < 10 else (10**9, text)
