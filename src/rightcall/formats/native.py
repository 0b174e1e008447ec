"""native: rightcall's own cases, of which the actual side is read."""

from __future__ import annotations

from msgspec import Raw, Struct

from ..core.nodes import Node, kind_of, opened
from ..core.reading.callfields import Usual, is_untyped, made_call, read_call, usual_call
from ..core.reading.chat import offer, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import SHARED, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.shapes import ABSENT, Shape
from ..core.types import ToolCall, Trace
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="native",
    meaning="rightcall's own cases, one a line; the calls made are read",
    detected_by="`tool_calls` or `actual` with plain calls, and no role",
    name_at="tool_calls[].name",
    arguments_at="tool_calls[].arguments: an object or its JSON text",
    id_at="tool_calls[].id",
    result_at="tool_calls[].output, .error, .status",
    group_at="tool_calls[].group",
    turn_at="tool_calls[].turn; `turns` holds the texts",
    example='{"id": "c1", "tool_calls": [{"name": "get_weather", "arguments": {"city": "Oslo"}}], "output": "Cold."}',
    keys=frozenset({"tool_calls", "actual"}),
    source="the interface of this project",
)


class _Turn(Struct, gc=False):
    input: str | None = None
    text: str | None = None


class _Case(Struct, kw_only=True, gc=False):
    id: str | int | None = None
    tool_calls: list[Raw] | None = None
    actual: list[Raw] | None = None
    output: Raw = ABSENT
    turns: list[_Turn] = []
    tools: Raw = ABSENT


class _SureTurn(_Turn, gc=False, forbid_unknown_fields=True):
    """A turn without anything else."""


class _SureCase(Struct, kw_only=True, gc=False, forbid_unknown_fields=True):
    """A case as most are written: what no other format has beside plain calls under `tool_calls`."""

    tool_calls: list[Usual]
    id: str | int | None = None
    output: str | None = None
    turns: list[_SureTurn] = []
    tools: Raw = ABSENT
    expected: Raw = ABSENT


_case = Shape(_Case)
_sure_case = Shape(_SureCase)
SURE = Evidence(SHARED + 1, "plain calls under 'tool_calls'")


def detect(glance: Glance) -> Evidence | None:
    """By calls under `tool_calls` or `actual` that are plain, beside no role."""
    if "role" in glance.keys or "content" in glance.keys:
        return None
    for field in ("tool_calls", "actual"):
        first = glance.at(field, 0)
        if isinstance(first, dict) and "name" in first:
            return Evidence(SHARED + 1, f"plain calls under {field!r}")
        if glance.at(field) == [] and "id" in glance.keys:
            return Evidence(SHARED + 1, f"no calls under {field!r}")
    return None


def surely(item: Node) -> _SureCase | None:
    """A case that has nothing but what :class:`_SureCase` says; None says nothing."""
    case = _sure_case.attempt(item)
    if case is None or not case.tool_calls:
        return None
    for call in case.tool_calls:
        if not is_untyped(call) or not call.name or not call.name.isascii():
            return None
    return case


class Reader:
    """Each case is a recording of its own."""

    def __init__(self) -> None:
        self._all: list[Conversation] = []

    def feed(self, item: Node, place: str) -> None:
        """Take one case.

        Raises:
            CallError: a call in it can't be read.
        """
        if type(item) is _SureCase:
            self._feed_sure(item, place)
            return
        case = _case(item, place)
        field = "tool_calls" if case.tool_calls is not None else "actual"
        into = Conversation(id=None if case.id is None else str(case.id), place=place)
        for turn in case.turns:
            into.user(turn.input)
            into.say(turn.text)
        output = opened(case.output)
        if isinstance(output, str) and not case.turns:
            into.say(output)
        offer(into, case.tools, under(place, "tools"))
        for index, entry in enumerate(getattr(case, field) or ()):
            into.message()
            where = f"{under(place, field)}[{index}]"
            call = usual_call(entry)
            if call is not None:
                _take(call, where, into)
                continue
            fields = opened(entry)
            if not isinstance(fields, dict):
                raise CallError(f"{kind_of(fields)} where a call should be", field=where)
            _take(read_call(fields, where), where, into)
        self._all.append(into)

    def _feed_sure(self, case: _SureCase, place: str) -> None:
        into = Conversation(id=None if case.id is None else str(case.id), place=place)
        for turn in case.turns:
            into.user(turn.input)
            into.say(turn.text)
        if not case.turns:
            into.say(case.output)
        offer(into, case.tools, under(place, "tools"))
        at = under(place, "tool_calls")
        for index, entry in enumerate(case.tool_calls):
            call = made_call(entry)
            assert call is not None  # noqa: S101 - its name was looked at
            into.message()
            _take(call, f"{at}[{index}]", into)
        self._all.append(into)

    def traces(self) -> list[Trace]:
        """A recording for each case."""
        return [into.trace(DECLARATION.id) for into in self._all]


def _take(call: ToolCall, place: str, into: Conversation) -> None:
    into.call(
        call.name,
        call.raw,
        place=place,
        id=call.id,
        group=call.group,
        output=call.raw_output,
        error=call.error,
        status=call.status,
        start=call.start,
        span_id=call.span_id,
        turn=call.turn,
        merge=False,
    )
