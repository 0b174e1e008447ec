"""Calls in the text of a model: what the text styles have in common.

A style is a function that finds its calls in a text. Everything else is the same for all styles: what a model thought
is no call, what is left of a text when its calls are taken out is what the model said, and a text may stand alone, in a
message or in the conversations of training data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...errors import CallError, DataError
from ..arguments import Arguments, Unread
from ..jsonvalue import InvalidJSONError
from ..nodes import Node, node_from_text, opened, plain
from ..schema.tools import read_tools
from ..types import ToolCall, ToolSpec
from .callfields import NAME_KEYS, read_call, single_key_call
from .chat import ChatReader, offer, text_of_content, there, under
from .conversation import Conversation
from .format import MARKED, WOULD_DO, Evidence
from .glance import Glance
from .pycalls import python_value
from .recording import named
from .shapes import ABSENT, Shape
from .telling import CHAT_ROLES, looks_plain

__all__ = ["Spoken", "Style", "TextReader", "Tools", "call_in", "calls_in", "extent", "tell", "typed"]

Tools = Mapping[str, ToolSpec]
"""The offered tools by name: styles whose values are mere text take the types from them."""


class Spoken(Struct, gc=False):
    """A call that a text holds.

    Attributes:
        name: the tool's name.
        arguments: its arguments.
        start, end: what of the text it takes up, marks and all.
        warnings: what was odd but readable.
        output: what the tool answered, where the text goes on with it.
        alone: it begins a message of its own; the others are parallel to the call before.
    """

    name: str
    arguments: Arguments
    start: int
    end: int
    warnings: tuple[str, ...] = ()
    output: str | None = None
    alone: bool = False


Style = Callable[[str, Tools], Iterable[Spoken]]
"""Finds the calls of a text, in order.

Raises:
    CallError: something is marked as a call and can't be read without guessing.
"""

_THOUGHT: Final = re.compile(r"\s*+(?:<\|[\w▁｜]{1,40}\|>\s*+)*+<(think|thinking)>")
_ENDS: Final = ("</think>", "</thinking>")
_TOOL_ANSWER: Final = re.compile(r"<tool_response>\s*+(.*?)\s*+(?:</tool_response>|\Z)", re.DOTALL)
_TOOLS: Final = re.compile(r"<tools>(.*?)</tools>", re.DOTALL)
_NAME: Final = re.compile(r"""['"](?:name|tool|tool_name|function)['"]\s*+:\s*+['"]([^'"\\\n]{1,200})['"]""")
_BRACKETS: Final = re.compile(
    r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)'
    r"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+(?:'|\Z)"
    r"|[\[\]{}]",
    re.DOTALL,
)
_AROUND: Final = re.compile(r"<\|(?:im_(?:start|end)|eot_id|eom_id|end_of_text|endoftext)\|>|</s>")


class _Quick(Struct, gc=False):
    name: str
    arguments: Raw


_quick = msgspec.json.Decoder(_Quick).decode
_quick_list = msgspec.json.Decoder(list[_Quick]).decode


def call_in(text: str, start: int = 0, end: int | None = None) -> tuple[str, Arguments] | None:
    """The one call that this stretch of a text is: an object in JSON, or as Python writes it.

    None where it is no call. An object that is broken, but tells its name, is a call with unreadable arguments.

    Raises:
        CallError: an object that is whole and yet no call that can be read without guessing.
    """
    body = text[start:end].strip()
    if body[:1] != "{":
        return None
    try:
        quick = _quick(body.encode("utf-8", "surrogatepass"))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        pass
    else:
        # Neither a second name or arguments field nor a misspelled one: just these two.
        if len(quick.name) and body.count(":") <= bytes(quick.arguments).count(b":") + 2:
            return quick.name, quick.arguments
    try:
        fields = _object(body)
    except InvalidJSONError as error:
        named = _NAME.search(body)
        return (named[1], Unread(body, str(error))) if named is not None else None
    return _read(fields)


def calls_in(text: str, start: int = 0, end: int | None = None) -> list[tuple[str, Arguments]] | None:
    """The calls that this stretch of a text is: one, a list of them, or an object with a list; None for else.

    Raises:
        CallError: as :func:`call_in`.
    """
    body = text[start:end].strip()
    if body[:1] == "{":
        found = call_in(body) if '"tool_calls"' not in body else None
        if found is not None:
            return [found]
        if '"tool_calls"' not in body:
            return None
    elif body[:1] != "[":
        return None
    try:
        calls = _quick_list(body.encode("utf-8", "surrogatepass"))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        pass
    else:
        # As in `call_in`: nothing but names and arguments.
        colons = sum(bytes(call.arguments).count(b":") + 2 for call in calls)
        if body.count(":") <= colons and all(call.name for call in calls):
            return [(call.name, call.arguments) for call in calls]
    try:
        value = _value(body)
    except InvalidJSONError as error:
        named = _NAME.search(body)
        return [(named[1], Unread(body, str(error)))] if named is not None else None
    if isinstance(value, dict) and "tool_calls" in value:
        value = opened(value["tool_calls"])
    items = [opened(item) for item in value] if isinstance(value, list) else [value]
    if not all(isinstance(item, dict) for item in items):
        return None
    return [_read(item) for item in items]


def _value(body: str) -> Any:
    try:
        return node_from_text(body)
    except InvalidJSONError as error:
        if "'" not in body and "True" not in body and "False" not in body and "None" not in body:
            raise
        try:
            value, end = python_value(body)
        except InvalidJSONError:
            raise error from None
        if body[end:].strip():
            raise
        return value


def _object(body: str) -> dict[str, Node]:
    value = _value(body)
    if not isinstance(value, dict):
        raise InvalidJSONError("no object")
    return value


def _read(fields: Mapping[str, Node]) -> tuple[str, Arguments]:
    inner = opened(fields["function"]) if "function" in fields else None
    call: ToolCall | None = None
    if not any(key in fields for key in NAME_KEYS):
        call = single_key_call(fields, "")
    if call is None:
        call = read_call(fields, "", inner=inner if isinstance(inner, dict) else None)
    return call.name, call.raw


def extent(text: str, start: int) -> int | None:
    """The place after the object or list that begins at `start`; None where it never ends."""
    depth = 0
    for found in _BRACKETS.finditer(text, start):
        mark = found.group()
        if mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
            if depth <= 0:
                return found.end()
    return None


def typed(name: str, values: Mapping[str, str], tools: Tools) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Arguments whose values are mere text, with the types that the tool's schema gives them; and warnings."""
    tool = tools.get(name)
    schema = tool.schema if tool is not None and isinstance(tool.schema, dict) else {}
    properties = schema.get("properties")
    made: dict[str, Any] = {}
    unsure: list[str] = []
    for key, text in values.items():
        known = properties.get(key) if isinstance(properties, dict) else None
        kinds = _kinds(known)
        found = _as_value(text)
        if kinds and "string" not in kinds and found is not ... and _is_of(found, kinds):
            made[key] = found
            continue
        made[key] = text
        if "string" not in kinds and (kinds or (found is not ... and not isinstance(found, str))):
            unsure.append(key)
    if not unsure:
        return made, ()
    names = ", ".join(map(repr, unsure))
    why = "no schema of it is known" if not properties else "its schema gives them no type that they have"
    return made, (f"the arguments {names} of {name} are text without a type, and stay text: {why}",)


def _kinds(schema: Any) -> frozenset[str]:
    """The types that a schema allows; empty where it does not say."""
    if not isinstance(schema, dict):
        return frozenset()
    kind = schema.get("type")
    if isinstance(kind, str):
        return frozenset({kind})
    if isinstance(kind, list):
        return frozenset(item for item in kind if isinstance(item, str))
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            return frozenset().union(*(_kinds(item) for item in schema[key] if isinstance(item, dict)))
    return frozenset()


def _as_value(text: str) -> Any:
    """The value that a text spells in JSON or Python; `...` where it spells none."""
    text = text.strip()
    try:
        return plain(node_from_text(text))
    except InvalidJSONError:
        pass
    try:
        value, end = python_value(text)
    except InvalidJSONError:
        return ...
    return ... if text[end:].strip() else value


def _is_of(value: Any, kinds: frozenset[str]) -> bool:
    if value is None:
        return "null" in kinds
    if isinstance(value, bool):
        return "boolean" in kinds
    if isinstance(value, str):
        return "string" in kinds
    if isinstance(value, list):
        return "array" in kinds
    if isinstance(value, dict):
        return "object" in kinds
    return "number" in kinds or (
        "integer" in kinds and isinstance(value, int | float) and value == int(value)
    )


def _after_thought(text: str) -> int:
    """Where what a model says begins, after what it thought."""
    if "think" not in text:
        return 0
    found = _THOUGHT.match(text)
    if found is not None:
        end = text.find(f"</{found[1]}>", found.end())
        return len(text) if end < 0 else end + len(found[1]) + 3
    # Some templates give the first mark, so that the text has only the last one.
    for mark in _ENDS:
        end = text.find(mark)
        after = text[end + len(mark) : end + len(mark) + 1]
        if end >= 0 and (not after or after.isspace() or after == "<") and "<" not in text[:end]:
            return end + len(mark)
    return 0


def tell(glance: Glance, style: Style, seen: str) -> Evidence | None:
    """By a mark of the style in the agent's text, followed by what can be read as a call."""
    # A response is told by its own words too, and what it says is its calls all the same.
    strength = MARKED if glance.keys.isdisjoint(("choices", "response", "message")) else MARKED + 1
    if any(_has_call(text, style) for text in glance.spoken):
        return Evidence(strength, seen)
    if looks_plain(glance, CHAT_ROLES):
        return Evidence(WOULD_DO, "a message with a role")
    return None


def _has_call(text: str, style: Style) -> bool:
    try:
        return any(True for _ in style(text[_after_thought(text) :], {}))
    except CallError:
        return True  # marked, and broken: its reader says what is wrong


class _Probe(Struct, kw_only=True, gc=False):
    text: Raw = ABSENT
    turn: int | None = None
    step: Raw = ABSENT
    role: Raw = ABSENT
    conversations: list[Raw] | None = None
    messages: Raw = ABSENT
    tools: Raw = ABSENT
    id: str | int | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Turn(Struct, kw_only=True, gc=False):
    from_: str | None = msgspec.field(default=None, name="from")
    value: str | None = None


_probe = Shape(_Probe)
_turn = Shape(_Turn)
_AGENTS: Final = frozenset({"gpt", "assistant", "model"})
_USERS: Final = frozenset({"human", "user"})


class _Structured(Struct, gc=False):
    tool_calls: Raw = ABSENT
    function_call: Raw = ABSENT


_structured = Shape(_Structured)


def _has_calls(item: Node) -> bool:
    """Whether an item has a field for calls that is filled; what is no raw object is looked at elsewhere."""
    value = _structured.attempt(item)
    return value is not None and (bool(opened(value.tool_calls)) or there(value.function_call))


class TextReader(ChatReader):
    """Reads texts that stand alone, in messages, in `conversations`, or in objects with a turn and a step.

    Attributes:
        style: finds the calls of a text.
    """

    style: ClassVar[staticmethod[[str, Tools], Iterable[Spoken]]]

    def __init__(self) -> None:
        super().__init__()
        self._tools: dict[str, ToolSpec] = {}
        self._loose_only = True

    def _read(self, item: Node, place: str) -> None:
        text = opened(item) if not isinstance(item, Raw) or bytes(memoryview(item)[:1]) == b'"' else None
        if isinstance(text, str):
            self._speak(text, place, self._all.loose())
            return
        value = _probe(item, place)
        if there(value.tools):
            self._learn(value.tools)
        if value.conversations is not None:
            self._conversations(value, place)
        elif there(value.text) and value.role is ABSENT and isinstance(opened(value.text), str):
            self._speak(opened(value.text), under(place, "text"), self._all.loose(), value.turn)
        else:
            self._loose_only = self._loose_only and value.messages is ABSENT
            super()._read(item, place)

    def take(self, item: Node, place: str) -> bool:
        """Read an item that nobody could claim with more right: what has calls of its own is another format's."""
        return self._loose_only and not _has_calls(item) and super().take(item, place)

    def _learn(self, tools: Node) -> None:
        """Remember the offered tools, for the types of mere texts; odd ones are told where they are offered."""
        try:
            value = plain(tools)
            self._tools |= {tool.name: tool for tool in read_tools(value)}
        except DataError:
            return

    def _conversations(self, value: _Probe, place: str) -> None:
        turns = value.conversations or []
        into = self._all.document(turns, id=named(value.case_id, value.custom_id, value.id))
        offer(into, value.tools, under(place, "tools"))
        for index, node in enumerate(turns):
            where = f"{under(place, 'conversations')}[{index}]"
            turn = _turn(node, where)
            text = turn.value or ""
            if turn.from_ in _AGENTS:
                self._speak(text, where, into)
            elif turn.from_ in _USERS:
                self._heard(text, where, into)
            elif turn.from_ == "system":
                self._told(text, where, into)
            elif not self._answered(text, where, into):
                into.answer(text, place=where)

    def _message(self, value: Any, item: Node, place: str, into: Conversation) -> None:
        content = value.content
        if isinstance(content, str) and not value.tool_calls:
            if value.role == "user":
                self._heard(content, place, into)
                return
            if value.role == "tool" and value.tool_call_id is None and self._answered(content, place, into):
                return
            if value.role == "system":
                self._told(content, place, into)
        super()._message(value, item, place, into)

    def _agent(self, value: Any, item: Node, place: str, into: Conversation) -> None:
        text = None if value.tool_calls or value.function_call else text_of_content(value.content, place)
        if text is None:
            super()._agent(value, item, place, into)
        else:
            self._speak(text, under(place, "content"), into)

    def _heard(self, text: str, place: str, into: Conversation) -> None:
        """A message of the user; one that holds only what tools answered begins no turn."""
        if not self._answered(text, place, into):
            into.user(text)

    def _answered(self, text: str, place: str, into: Conversation) -> bool:
        """Whether a text is what tools answered, each between tags, in the order of their calls."""
        if not text.lstrip().startswith("<tool_response>"):
            return False
        for found in _TOOL_ANSWER.finditer(text):
            into.answer(found[1], place=place)
        return True

    def _told(self, text: str, place: str, into: Conversation) -> None:
        """A system message; in some templates it lists the tools."""
        found = _TOOLS.search(text) if "<tools>" in text else None
        for line in found[1].splitlines() if found is not None else ():
            try:
                tools = node_from_text(line) if line.strip() else None
            except InvalidJSONError:
                continue
            if isinstance(tools, list | dict):
                offer(into, plain(tools), place)
                self._learn(tools)

    def _speak(self, text: str, place: str, into: Conversation, turn: int | None = None) -> None:
        """A text of the agent: its calls, and what it says besides."""
        begin = _after_thought(text)
        said: list[str] = []
        at = begin
        into.message()
        try:
            for call in type(self).style(text[begin:], self._tools):
                if call.alone:
                    into.message()
                said.append(text[at : begin + call.start])
                at = begin + call.end
                for warning in call.warnings:
                    into.warn(f"{place}: {warning}")
                into.call(call.name, call.arguments, place=place, turn=turn, output=call.output)
        except CallError as error:
            raise error.at(place) if not error.field else error from None
        said.append(text[at:])
        rest = _AROUND.sub("", "".join(said)).strip()
        into.say(self.rest(rest) or None)

    def rest(self, text: str) -> str:
        """What a model said, of what is left of its text without the calls."""
        return text
