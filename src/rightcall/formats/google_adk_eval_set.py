"""google_adk_eval_set: eval sets of Google's ADK: cases with invocations and what was done in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Raw, Struct

from ..core.nodes import Node
from ..core.reading.adk import (
    Content,
    FunctionCall,
    FunctionResponse,
    read_answers,
    read_parts,
    text_of_content,
)
from ..core.reading.chat import under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, Evidence, FormatDeclaration
from ..core.reading.given import given
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader
from ..core.reading.shapes import Shape

DECLARATION = FormatDeclaration(
    id="google_adk_eval_set",
    meaning="an eval set of Google's ADK, one of its cases, or one invocation; the calls are what it holds as right",
    detected_by="`eval_cases`, a `conversation` beside an `eval_id`, or an invocation with `intermediate_data`",
    name_at="intermediate_data.tool_uses[].name, or functionCall.name in intermediate_data.invocation_events[]",
    arguments_at="intermediate_data.tool_uses[].args: an object",
    id_at="intermediate_data.tool_uses[].id, often null",
    result_at="intermediate_data.tool_responses[].response with that id, or else that name; an `error` in it is the "
    "call's error",
    group_at="none in tool_uses, which is one flat list; the parts of one of the invocation_events",
    turn_at="one invocation is one turn",
    cannot_carry="parallel calls (in tool_uses), times",
    example='{"eval_set_id": "weather", "eval_cases": [{"eval_id": "oslo", "conversation": [{"invocation_id": "i1", '
    '"user_content": {"role": "user", "parts": [{"text": "Weather in Oslo?"}]}, "intermediate_data": {"tool_uses": '
    '[{"id": "adk-1", "name": "get_weather", "args": {"city": "Oslo"}}], "tool_responses": []}}]}]}',
    keys=frozenset(
        {"eval_cases", "evalCases", "conversation", "intermediate_data", "intermediateData", "user_content"}
        | {"userContent"}
    ),
    source="google-adk, EvalSet",
)


class _Said(Struct, kw_only=True, gc=False):
    content: Content | None = None


# Both spellings of every field are in use: the files say `tool_uses`, the web API says `toolUses`.
class _Between(Struct, kw_only=True, gc=False):
    tool_uses: list[FunctionCall] | None = None
    toolUses: list[FunctionCall] | None = None  # noqa: N815
    tool_responses: list[FunctionResponse] | None = None
    toolResponses: list[FunctionResponse] | None = None  # noqa: N815
    invocation_events: list[_Said] | None = None
    invocationEvents: list[_Said] | None = None  # noqa: N815


class _Invocation(Struct, kw_only=True, gc=False):
    user_content: Content | None = None
    userContent: Content | None = None  # noqa: N815
    final_response: Content | None = None
    finalResponse: Content | None = None  # noqa: N815
    intermediate_data: _Between | None = None
    intermediateData: _Between | None = None  # noqa: N815


class _Item(_Invocation, kw_only=True, gc=False):
    """A set, a case or an invocation: one shape, so that each item is decoded once."""

    eval_cases: list[Raw] | None = None
    evalCases: list[Raw] | None = None  # noqa: N815
    eval_id: str | None = None
    evalId: str | None = None  # noqa: N815
    conversation: list[_Invocation] | None = None


_item = Shape(_Item)


class Reader(RecordingReader):
    """Each case is a trace; invocations that stand alone are one."""

    format = DECLARATION.id

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        cases, field = _either(value, "eval_cases", "evalCases")
        if cases is not None:
            self._set(cases, under(place, field))
        elif value.eval_id is not None or value.evalId is not None or value.conversation is not None:
            self._case(value, item, place)
        else:
            _invocation(value, place, self._all.loose().at(item, place))

    def _read_own(self, item: Node, place: str) -> bool:
        value = _item.attempt(item)
        if value is None:
            return False
        cases, field = _either(value, "eval_cases", "evalCases")
        if cases is None:
            return False
        self._set(cases, under(place, field))
        return True

    def _set(self, cases: list[Raw], place: str) -> None:
        for index, case in enumerate(cases):
            where = f"{place}[{index}]"
            self._case(_item(case, where), case, where)

    def _case(self, value: _Item, node: Node, place: str) -> None:
        into = self._all.document([node], id=value.eval_id or value.evalId).at(node, place)
        if value.conversation is None:
            into.warn(f"{place}: a case without a conversation holds no calls")
        for index, invocation in enumerate(value.conversation or ()):
            _invocation(invocation, f"{under(place, 'conversation')}[{index}]", into)


def _invocation(value: _Invocation, place: str, into: Conversation) -> None:
    into.user(text_of_content(value.user_content or value.userContent))
    between, field = _either(value, "intermediate_data", "intermediateData")
    if between is not None:
        _calls(between, under(place, field), into)
    into.say(text_of_content(value.final_response or value.finalResponse))


def _calls(between: _Between, place: str, into: Conversation) -> None:
    events, field = _either(between, "invocation_events", "invocationEvents")
    for index, event in enumerate(events or ()):
        into.message()
        if event.content is not None:
            read_parts(event.content, f"{under(place, field)}[{index}].content", into)
    if events:
        return
    uses, field = _either(between, "tool_uses", "toolUses")
    for index, use in enumerate(uses or ()):
        into.message()  # one flat list says nothing of what was made in parallel
        where = f"{under(place, field)}[{index}]"
        into.call(use.name, given(use.args, into, where), place=where, id=use.id)
    answers: Sequence[FunctionResponse] | None
    answers, field = _either(between, "tool_responses", "toolResponses")
    read_answers(answers or (), under(place, field), into)


def _either(value: Any, snake: str, camel: str) -> tuple[Any, str]:
    """A field in either spelling, and the spelling."""
    found = getattr(value, snake)
    return (found, snake) if found is not None else (getattr(value, camel), camel)


def detect(glance: Glance) -> Evidence | None:
    """By the words of a set, of a case or of an invocation."""
    for key in ("eval_cases", "evalCases"):
        if isinstance(glance.at(key), list | tuple):
            return Evidence(MARKED, f"a list of {key}")
    if glance.keys & {"eval_id", "evalId"} and isinstance(glance.at("conversation"), list | tuple):
        return Evidence(MARKED, "a conversation with the id of its case")
    if glance.keys & {"intermediate_data", "intermediateData"} and glance.keys & {
        "user_content",
        "userContent",
    }:
        return Evidence(MARKED, "an invocation with its intermediate_data")
    return None
