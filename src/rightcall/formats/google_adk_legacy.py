"""google_adk_legacy: the first test files of Google's ADK: queries with the tool uses that are expected."""

from __future__ import annotations

from typing import Final

from msgspec import Raw, Struct

from ..core.nodes import Node
from ..core.reading.chat import under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHARED, Evidence, FormatDeclaration, Taken
from ..core.reading.given import given
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, list_of, named
from ..core.reading.shapes import ABSENT, Shape

DECLARATION = FormatDeclaration(
    id="google_adk_legacy",
    meaning="a test file of early versions of Google's ADK; the calls are the expected ones",
    detected_by="entries with a `query` and an `expected_tool_use`",
    name_at="expected_tool_use[].tool_name",
    arguments_at="expected_tool_use[].tool_input: an object",
    result_at="expected_tool_use[].mock_tool_output",
    turn_at="one entry is one turn",
    group_at="none: one flat list a turn",
    cannot_carry="calls that were made, ids, parallel calls, times",
    example='[{"query": "Weather in Oslo?", "expected_tool_use": [{"tool_name": "get_weather", "tool_input": {"city": '
    '"Oslo"}}], "reference": "4 degrees."}]',
    keys=frozenset({"query", "expected_tool_use", "data"}),
    source="google-adk, evaluation before eval sets",
)


class _Use(Struct, kw_only=True, gc=False):
    tool_name: str | None = None
    tool_input: Raw = ABSENT
    mock_tool_output: Raw = ABSENT


class _Item(Struct, kw_only=True, gc=False):
    """An entry, or a session of entries: one shape, so that each item is decoded once."""

    query: str | None = None
    expected_tool_use: list[_Use] | None = None
    reference: str | None = None
    name: str | None = None
    data: list[Raw] | None = None


class _Held(_Item, kw_only=True, gc=False):
    """The same, with what may stand beside them only: items are many, and each field costs time."""

    id: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT


_item = Shape(_Item)
_held = Shape(_Held)
_EVIDENCE: Final = Evidence(MARKED, "an entry with expected_tool_use")


class Reader(RecordingReader):
    """Loose entries are the turns of one trace, each session is one of its own."""

    format = DECLARATION.id

    def _read(self, item: Node, place: str) -> None:
        value = _held(item, place)
        if value.data is None:
            _entry(value, place, self._all.loose().at(item, place))
            return
        into = self._all.document([item], id=named(value.case_id, value.custom_id, value.name, value.id))
        for index, entry in enumerate(value.data):
            where = f"{under(place, 'data')}[{index}]"
            _entry(_item(entry, where), where, into.at(entry, where))

    def _read_own(self, item: Node, place: str) -> bool:
        value = _item.attempt(item)
        if value is None or not _is_entry(value):
            return False
        _entry(value, place, self._all.loose().at(item, place))
        return True

    def take_list(self, items: Raw, place: str) -> Taken | None:
        """Entries, if each has its expected calls."""
        entries = list_of(_item, items, _is_entry)
        if entries is None:
            return None
        into = self._all.loose().at(items, place)
        for index, entry in enumerate(entries):
            _entry(entry, f"{place}[{index}]", into)
        return Taken(len(entries), _EVIDENCE)


def _is_entry(value: _Item) -> bool:
    return value.data is None and value.expected_tool_use is not None


def _entry(value: _Item, place: str, into: Conversation) -> None:
    into.user(value.query)
    for index, use in enumerate(value.expected_tool_use or ()):
        into.message()  # one flat list says nothing of what is to be made in parallel
        output = None if use.mock_tool_output is ABSENT else use.mock_tool_output
        where = f"{under(place, 'expected_tool_use')}[{index}]"
        arguments = given(use.tool_input, into, where, "mock_tool_output")
        into.call(use.tool_name, arguments, place=where, output=output)
    into.say(value.reference)


def detect(glance: Glance) -> Evidence | None:
    """By `expected_tool_use`, of the item or of the first of its data."""
    first = glance.at("data", 0)
    entry = Glance(first) if first is not None else glance
    if isinstance(entry.at("expected_tool_use"), list | tuple):
        return _EVIDENCE
    if isinstance(entry.at("query"), str) and "reference" in entry.keys:
        return Evidence(SHARED, "an entry with query and reference")
    return None
