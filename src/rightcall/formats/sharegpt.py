"""sharegpt: conversations of training data, turns with `from` and `value`; calls are turns from `function_call`."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw, Struct, field

from ..core.jsonvalue import InvalidJSONError
from ..core.nodes import Node, kind_of, node_from_text, opened
from ..core.reading.callfields import read_call, usual_fields
from ..core.reading.chat import offer, there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHAPED, SHARED, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.recording import Decoded, RecordingReader, named, whole_of
from ..core.reading.shapes import ABSENT, Shape
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="sharegpt",
    meaning="ShareGPT: training data with `conversations` of turns, calls as turns of their own",
    detected_by="`conversations` of objects with `from` and `value`, or such an object",
    name_at="the JSON text under value of a turn from `function_call`: name",
    arguments_at="arguments in that JSON text; a list holds several calls",
    id_at="id in that JSON text, mostly none",
    result_at="the next turn from `observation` or `tool`, in order",
    group_at="the calls of one turn",
    turn_at="turns from `human` or `user`",
    cannot_carry="times, whether a call failed; calls marked by tags in a turn's text are left out with a warning",
    example='{"conversations": [{"from": "human", "value": "How warm is it in Oslo?"}, {"from": "function_call", '
    '"value": "{\\"name\\": \\"get_weather\\", \\"arguments\\": {\\"city\\": \\"Oslo\\"}}"}, '
    '{"from": "observation", "value": "7 degrees"}, {"from": "gpt", "value": "It is 7 degrees."}]}',
    keys=frozenset({"conversations", "conversation", "from"}),
    source="the ShareGPT layout as training tools document it",
)

_USER: Final = frozenset({"human", "user"})
_AGENT: Final = frozenset({"gpt", "assistant", "chatgpt", "model", "bot"})
_CALL: Final = frozenset({"function_call", "function-call", "tool_call"})
_ANSWER: Final = frozenset({"observation", "tool", "function_response", "function-response", "tool_response"})
_ROLES: Final = _USER | _AGENT | _CALL | _ANSWER | {"system"}
_TAGS: Final = ("<tool_call", "<function")


class _Turn(Struct, kw_only=True, gc=False):
    from_: str | None = field(default=None, name="from")
    value: Raw = ABSENT


class _Item(_Turn, kw_only=True, gc=False):
    """A turn, or a conversation: one shape, so that each item is decoded once."""

    conversations: list[Raw] | None = None
    conversation: list[Raw] | None = None
    tools: Raw = ABSENT
    id: str | int | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


class _Whole(Struct, kw_only=True, gc=False):
    """A conversation that is decoded in one go."""

    conversations: list[_Turn]
    conversation: Raw = ABSENT
    from_: Raw = field(default=ABSENT, name="from")
    tools: Raw = ABSENT
    id: str | int | None = None
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


_turn = Shape(_Turn)
_whole = Shape(_Whole)
_item = Shape(_Item)


class Reader(RecordingReader):
    """Loose turns are one recording, each conversation is one of its own."""

    format = DECLARATION.id

    def __init__(self) -> None:
        super().__init__()
        self._last_tools: tuple[Node, Node] = (None, None)

    def _tools(self, node: Node, place: str) -> Node:
        """The offered tools, out of a JSON text where they are one; training data offers the same again and again."""
        if type(node) is Raw and node == self._last_tools[0]:
            return self._last_tools[1]
        tools = opened(node)
        if isinstance(tools, str):
            text, tools = tools, None
            if text.strip():
                _json(text, place)
                tools = Raw(text.encode("utf-8", "surrogatepass"))
        self._last_tools = node, tools
        return tools

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        held = "conversations" if value.conversations is not None else "conversation"
        turns = value.conversations if value.conversations is not None else value.conversation
        if turns is None:
            _take(value, place, self._all.loose())
        else:
            self._document(value, turns, under(place, held), place)

    def _read_own(self, item: Node, place: str) -> bool:
        value = whole_of(_whole, item)
        if value is None or not value.from_ is value.conversation is ABSENT:
            return False
        froms = {turn.from_ for turn in value.conversations}
        if not froms <= _ROLES or froms.isdisjoint(_CALL) or value.conversations[0].value is ABSENT:
            return False
        turns = Decoded(value.conversations, item, "conversations")
        self._document(value, turns, under(place, "conversations"), place)
        return True

    def _document(self, value: _Item | _Whole, turns: list[Raw] | Decoded, at: str, place: str) -> None:
        into = self._all.document(turns, id=named(value.case_id, value.custom_id, value.id))
        if value.tools is not ABSENT:
            offer(into, self._tools(value.tools, under(place, "tools")), under(place, "tools"))
        if isinstance(turns, Decoded):
            for index, turn in enumerate(turns.items):
                _take(turn, f"{at}[{index}]", into)
            return
        for index, node in enumerate(turns):
            where = f"{at}[{index}]"
            _take(_turn(node, where), where, into)


def _take(turn: _Turn, place: str, into: Conversation) -> None:
    role = turn.from_ or ""
    if role in _CALL:
        _calls(turn.value, under(place, "value"), into)
        return
    if role in _ANSWER:
        into.answer(turn.value if there(turn.value) else None, place=place)
        return
    if role not in _ROLES:
        raise CallError(f"a turn from the unknown role {turn.from_!r}", field=place)
    value = opened(turn.value)
    if value is not None and not isinstance(value, str):
        raise CallError(f"the value is {kind_of(value)}, not a text", field=place)
    if role in _USER:
        into.user(value)
    elif role in _AGENT:
        if value is not None and _is_tagged(value):
            into.warn(f"{place}: tags of calls in a text were left out; name a text format to read them")
        into.message()
        into.say(value or None)


def _calls(node: Node, place: str, into: Conversation) -> None:
    value = opened(node)
    if isinstance(value, str):
        usual = usual_fields(Raw(value.encode("utf-8", "surrogatepass")))
        if usual is not None:
            into.message()
            into.call(usual.name, usual.arguments, place=place, id=usual.id)
            return
        value = _json(value, place)
    calls = value if isinstance(value, list | tuple) else [value]
    into.message()
    for index, call in enumerate(calls):
        where = f"{place}[{index}]" if isinstance(value, list | tuple) else place
        fields: Any = opened(call)
        if not isinstance(fields, dict):
            raise CallError(f"{kind_of(fields)} where a call should be", field=where)
        function = opened(fields["function"]) if "function" in fields else None
        read = read_call(fields, where, inner=function if isinstance(function, dict) else None)
        into.call(read.name, read.raw, place=where, id=read.id)


def _json(text: str, place: str) -> Any:
    try:
        return node_from_text(text)
    except InvalidJSONError as error:
        raise CallError(f"a text that is not JSON ({error})", field=place) from None


def detect(glance: Glance) -> Evidence | None:
    """By turns with `from` and `value`; where calls are only tags in texts, a text format has more right."""
    if {"from", "value"} <= glance.keys and glance.word("from") in _ROLES:
        return Evidence(SHARED if _tagged(glance) else SHAPED, "a turn with from and value")
    for held in ("conversations", "conversation"):
        if held not in glance.keys:
            continue
        turns = [Glance(turn) for turn in glance.each(held, most=200)]
        if not turns or not {"from", "value"} <= turns[0].keys:
            return None
        if any(turn.word("from") in _CALL for turn in turns):
            return Evidence(MARKED, f"{held} with a turn from function_call")
        if any(map(_tagged, turns)):
            return Evidence(SHARED, f"{held} of turns with tags in their texts")
        return Evidence(SHAPED, f"{held} of turns with from and value")
    return None


def _tagged(turn: Glance) -> bool:
    value = turn.at("value")
    return turn.word("from") in _AGENT and isinstance(value, str) and _is_tagged(value)


def _is_tagged(text: str) -> bool:
    return "<" in text and any(tag in text for tag in _TAGS)
