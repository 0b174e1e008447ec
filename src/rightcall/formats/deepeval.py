"""deepeval: test cases, goldens and tool calls of DeepEval; the calls are those under `tools_called`."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw, Struct

from ..core.nodes import Node, opened
from ..core.reading.chat import under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHAPED, SHARED, Evidence, FormatDeclaration
from ..core.reading.given import given
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, named
from ..core.reading.shapes import ABSENT, Shape
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="deepeval",
    meaning="DeepEval test cases, conversational ones too, and tool calls; expected_tools are not read here",
    detected_by="`tools_called` (`toolsCalled`), or a call with `input_parameters` (`inputParameters`)",
    name_at="tools_called[].name",
    arguments_at="tools_called[].input_parameters: an object or null",
    result_at="tools_called[].output",
    turn_at="turns[] of role `user`, in a conversational test case",
    group_at="none",
    cannot_carry="ids, parallel calls, times, whether a call failed",
    example='{"input": "Weather in Oslo?", "actual_output": "4 degrees.", "tools_called": [{"name": "get_weather", '
    '"input_parameters": {"city": "Oslo"}, "output": 4}], "expected_tools": []}',
    keys=frozenset(
        {
            "tools_called",
            "toolsCalled",
            "input_parameters",
            "inputParameters",
            "test_cases",
            "testCases",
            "turns",
        }
        | {"conversationalTestCases", "expected_tools", "expectedTools"}
    ),
    source="deepeval.com, LLMTestCase and ToolCall",
)


# Both spellings of every field are in use: `model_dump` says `tools_called`, files and the web API `toolsCalled`.
class _Tool(Struct, kw_only=True, gc=False):
    name: str | None = None
    input_parameters: Raw = ABSENT
    inputParameters: Raw = ABSENT  # noqa: N815
    output: Raw = ABSENT


class _Turn(Struct, kw_only=True, gc=False):
    role: str | None = None
    content: str | None = None
    tools_called: list[_Tool] | None = None
    toolsCalled: list[_Tool] | None = None  # noqa: N815


class _Item(_Tool, kw_only=True, gc=False):
    """A run, a test case or a call: one shape, so that each item is decoded once."""

    actual_output: Raw = ABSENT
    actualOutput: Raw = ABSENT  # noqa: N815
    tools_called: list[_Tool] | None = None
    toolsCalled: list[_Tool] | None = None  # noqa: N815
    expected_tools: Raw = ABSENT
    expectedTools: Raw = ABSENT  # noqa: N815
    turns: list[_Turn] | None = None
    test_cases: list[Raw] | None = None
    testCases: list[Raw] | None = None  # noqa: N815
    conversationalTestCases: list[Raw] | None = None  # noqa: N815
    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


_item = Shape(_Item)
_LISTS: Final = ("test_cases", "testCases", "conversationalTestCases")
_CASE_FIELDS: Final = (
    *("tools_called", "toolsCalled", "expected_tools", "expectedTools", "actual_output", "actualOutput"),
)


class Reader(RecordingReader):
    """Each test case is a trace; calls that stand alone are one."""

    format = DECLARATION.id

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        lists = {field: found for field in _LISTS if (found := getattr(value, field)) is not None}
        for field, cases in lists.items():
            for index, case in enumerate(cases):
                where = f"{under(place, field)}[{index}]"
                self._case(_item(case, where), case, where)
        if not lists:
            self._case(value, item, place)

    def _read_own(self, item: Node, place: str) -> bool:
        value = _item.attempt(item)
        if value is None:
            return False
        told = value.turns if value.turns is not None else (value,)
        if all(case.tools_called is None and case.toolsCalled is None for case in told):
            return False
        self._case(value, item, place)
        return True

    def _case(self, value: _Item, node: Node, place: str) -> None:
        if value.turns is not None:
            into = self._all.document([node], id=_id_of(value)).at(node, place)
            for index, turn in enumerate(value.turns):
                _turn(turn, f"{under(place, 'turns')}[{index}]", into)
        elif _is_case(value):
            into = self._all.document([node], id=_id_of(value)).at(node, place)
            _tools(value, place, into)
            text = opened(_either(value, "actual_output", "actualOutput")[0])
            into.say(text if isinstance(text, str) else None)
        elif value.input_parameters is not ABSENT or value.inputParameters is not ABSENT:
            _tool(value, place, self._all.loose().at(node, place))
        else:
            raise CallError(
                "neither a test case with tools_called nor a call with input_parameters", field=place
            )


def _id_of(value: _Item) -> str | None:
    """A test case's name, or what stands beside it."""
    return named(value.case_id, value.custom_id, value.name, value.id)


def _is_case(value: _Item) -> bool:
    return any(getattr(value, field) not in (None, ABSENT) for field in _CASE_FIELDS)


def _turn(turn: _Turn, place: str, into: Conversation) -> None:
    if turn.role == "user":
        into.user(turn.content)
    elif turn.role == "assistant":
        into.say(turn.content)
    else:
        raise CallError(f"a turn of the unknown role {turn.role!r}", field=place)
    _tools(turn, place, into)


def _tools(value: _Item | _Turn, place: str, into: Conversation) -> None:
    tools, field = _either(value, "tools_called", "toolsCalled")
    for index, tool in enumerate(tools or ()):
        _tool(tool, f"{under(place, field)}[{index}]", into)


def _tool(tool: _Tool, place: str, into: Conversation) -> None:
    into.message()  # one flat list says nothing of what was made in parallel
    arguments = given(_either(tool, "input_parameters", "inputParameters")[0], into, place)
    output = None if tool.output is ABSENT else tool.output
    into.call(tool.name, arguments, place=place, output=output)


def _either(value: Any, snake: str, camel: str) -> tuple[Any, str]:
    """A field in either spelling, and the spelling."""
    found = getattr(value, snake)
    return (found, snake) if found is not None and found is not ABSENT else (getattr(value, camel), camel)


def detect(glance: Glance) -> Evidence | None:
    """By `tools_called` in a test case, in a turn of one or in the first of a run, or by `input_parameters`."""
    for key in _LISTS:
        if isinstance(glance.at(key), list | tuple):
            first = Glance(glance.at(key, 0))
            return detect(first) if first.keys else None
    for key in ("tools_called", "toolsCalled"):
        if key in glance.keys and "role" not in glance.keys:
            return Evidence(MARKED, f"a test case with {key}")
        if any(key in turn for turn in glance.each("turns")):
            return Evidence(MARKED, f"turns with {key}")
    if glance.keys & {"input_parameters", "inputParameters"} and "name" in glance.keys:
        return Evidence(SHAPED, "a call with input_parameters")
    if glance.keys & {"expected_tools", "expectedTools"} and "input" in glance.keys:
        return Evidence(SHARED, "a test case with expected_tools")
    return None
