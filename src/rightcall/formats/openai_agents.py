"""openai_agents: runs and items of OpenAI's Agents SDK."""

from __future__ import annotations

from typing import Final

from msgspec import Raw, Struct

from ..core.nodes import Node, opened, plain
from ..core.reading.chat import custom_call, under
from ..core.reading.conversation import Conversation, text_of_parts
from ..core.reading.format import MARKED, Evidence, FormatDeclaration
from ..core.reading.given import given
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, named, whole_of
from ..core.reading.shapes import ABSENT, Shape
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="openai_agents",
    meaning="results and run items of OpenAI's Agents SDK",
    detected_by="items with a `raw_item` and a `type` such as `tool_call_item`, alone or under `new_items`",
    name_at="raw_item.name; a hand-off is a call named transfer_to_...",
    arguments_at="raw_item.arguments: JSON text",
    id_at="raw_item.call_id",
    result_at="the tool_call_output_item with that raw_item.call_id: raw_item.output, or else its output",
    group_at="calls that follow each other",
    turn_at="the user's messages in to_input_list or input; without these one run is one turn",
    cannot_carry="times, the offered tools, whether a call failed",
    example='{"input": "Weather in Oslo?", "new_items": [{"type": "tool_call_item", "raw_item": {"type": '
    '"function_call", "call_id": "c1", "name": "get_weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}, {"type": '
    '"tool_call_output_item", "output": "4", "raw_item": {"type": "function_call_output", "call_id": "c1", '
    '"output": "4"}}]}',
    keys=frozenset({"raw_item", "new_items", "to_input_list"}),
    source="openai-agents, RunResult and RunItem",
)

_KINDS: Final = frozenset(
    {"tool_call_item", "tool_call_output_item", "handoff_call_item", "handoff_output_item", "reasoning_item"}
    | {"message_output_item", "mcp_list_tools_item", "mcp_approval_request_item", "compaction_item"}
    | {"mcp_approval_response_item", "tool_approval_item", "tool_search_call_item", "tool_search_output_item"}
    | {"input_item"}
)
_APART: Final = ("caller", "provider_data", "agent", "tool_origin")
_CALL_ITEMS: Final = frozenset({"tool_call_item", "handoff_call_item", "tool_search_call_item"})
_OUTPUT_ITEMS: Final = frozenset({"tool_call_output_item", "handoff_output_item"})


class _Raw(Struct, kw_only=True, gc=False):
    """What the model's interface says: an item of the Responses API."""

    type: str | None = None
    role: str | None = None
    content: Raw = ABSENT
    name: str | None = None
    arguments: Raw = ABSENT
    input: Raw = ABSENT
    call_id: str | None = None
    id: str | int | None = None
    output: Raw = ABSENT
    error: Raw = ABSENT


class _Item(_Raw, kw_only=True, gc=False):
    """A run item, a result, or an input item: one shape, so that each item is decoded once."""

    raw_item: _Raw | None = None
    new_items: list[Raw] | None = None
    to_input_list: list[Raw] | None = None


class _Held(_Item, kw_only=True, gc=False):
    """The same, with what may stand beside them only: items are many, and each field costs time."""

    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Whole(_Held, kw_only=True, gc=False):
    """A result whose items are decoded with it."""

    new_items: list[_Item]  # type: ignore[assignment]


_item = Shape(_Held)
_whole = Shape(_Whole)


class Reader(RecordingReader):
    """Each result is a trace; items that stand alone are one."""

    format = DECLARATION.id

    def __init__(self) -> None:
        super().__init__()
        self._into: Conversation | None = None
        self._calling = False

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        if value.new_items is None and value.to_input_list is None:
            self._one(value, place, self._all.loose().at(item, place))
            return
        self._result(value, item, place)

    def _result(self, value: _Held, item: Node, place: str) -> None:
        asked = opened(value.input)
        field, given = "to_input_list", value.to_input_list or []
        if value.to_input_list is None and isinstance(asked, list | tuple):
            field, given = "input", list(asked)
        into = self._all.document(given or [item], id=named(value.case_id, value.custom_id, value.id))
        if not given:
            into.user(asked if isinstance(asked, str) else None)
        # `to_input_list` is the whole history; `new_items` tells the end of it again.
        for name, nodes in ((field, given), ("new_items", value.new_items or [])):
            at = under(place, name)
            for index, node in enumerate(nodes):
                where = f"{at}[{index}]"
                self._one(_item(node, where), where, into.at(node, where))
            if field == "to_input_list" and given:
                into.again()

    def _read_whole(self, item: Node, place: str) -> bool:
        """Read a result that tells only new items, if these can be decoded in one go."""
        value = whole_of(_whole, item)
        if value is None or value.type is not None or not value.new_items:
            return False
        asked = opened(value.input)
        if value.new_items[0].raw_item is None or value.to_input_list is not None or isinstance(asked, list):
            return False
        into = self._all.document([item], id=named(value.case_id, value.custom_id, value.id)).at(item, place)
        into.user(asked if isinstance(asked, str) else None)
        at = under(place, "new_items")
        for index, one in enumerate(value.new_items):
            self._one(one, f"{at}[{index}]", into)
        return True

    def _read_own(self, item: Node, place: str) -> bool:
        if not self._all.loosely and self._read_whole(item, place):
            return True
        value = _item.attempt(item)
        if value is not None and value.new_items and value.type is None:
            first = _item.attempt(value.new_items[0])
            if first is not None and first.raw_item is not None:
                self._result(value, item, place)
                return True
        if value is None or value.raw_item is None or value.type not in _KINDS:
            return False
        self._one(value, place, self._all.loose().at(item, place))
        return True

    def _one(self, value: _Item, place: str, into: Conversation) -> None:
        if into is not self._into:
            self._into, self._calling = into, False
        if value.raw_item is None:
            self._raw(value, place, into, value.output)
            return
        where = under(place, "raw_item")
        if value.type in _CALL_ITEMS:
            self._call(value.raw_item, where, into)
        elif value.type in _OUTPUT_ITEMS or value.type == "message_output_item":
            output = value.output if value.raw_item.output is ABSENT else value.raw_item.output
            self._raw(value.raw_item, where, into, output)

    def _raw(self, raw: _Raw, place: str, into: Conversation, output: Node) -> None:
        kind = raw.type or "message"
        if kind.endswith("_call"):
            self._call(raw, place, into)
        elif kind.endswith("_call_output"):
            self._calling = False
            into.answer(output, place=place, id=raw.call_id)
        elif kind == "message" and raw.role is not None:
            self._calling = False
            _message(raw, place, into)
        elif raw.type is None:
            raise CallError("neither an item of a run nor a message", field=place)

    def _call(self, raw: _Raw, place: str, into: Conversation) -> None:
        if not self._calling:
            into.message()
            self._calling = True
        if raw.type in (None, "function_call"):
            into.call(raw.name, given(raw.arguments, into, place, *_APART), place=place, id=raw.call_id)
        elif raw.type == "mcp_call":
            output, error = plain(raw.output), plain(raw.error)
            arguments = given(raw.arguments, into, place, *_APART)
            into.call(raw.name, arguments, place=place, id=raw.id, output=output, error=error)
        elif raw.type == "custom_tool_call":
            custom_call({"name": raw.name, "input": plain(raw.input)}, raw.call_id, place, into)
        else:
            into.warn(f"{place}: a tool call of the unknown kind {raw.type!r} was left out")


def _message(raw: _Raw, place: str, into: Conversation) -> None:
    text = text_of_parts(raw.content, place)
    if raw.role == "user":
        into.user(text)
    elif raw.role == "assistant":
        into.say(text)
    elif raw.role not in ("system", "developer"):
        raise CallError(f"a message of the unknown role {raw.role!r}", field=place)


def detect(glance: Glance) -> Evidence | None:
    """By the type of an item with a `raw_item`, or by the lists of a result."""
    kind = glance.at("type")
    if "raw_item" in glance.keys and isinstance(kind, str) and kind in _KINDS:
        return Evidence(MARKED, f"a {kind} with its raw_item")
    items = glance.at("new_items")
    if isinstance(items, list | tuple):
        first = Glance(items[0]) if items else None
        return Evidence(MARKED, "new_items") if first is None or "raw_item" in first.keys else None
    if isinstance(glance.at("to_input_list"), list | tuple):
        return Evidence(MARKED, "to_input_list")
    return None
