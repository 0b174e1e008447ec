"""uipath: the spans that UiPath's agents record of the tools that they ran."""

from __future__ import annotations

from typing import Final

from ..core.reading.format import MARKED, SHAPED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spanreader import SPAN_KEYS, SpanReader, marks
from ..core.reading.spans import Span

DECLARATION = FormatDeclaration(
    id="uipath",
    meaning="UiPath agent spans: one for each tool that ran",
    detected_by="the attributes `span_type` or `tool.synthesized`, or `tool.name` without another convention's words",
    name_at="tool.name",
    arguments_at="input.value: JSON text, else the repr of a Python dict",
    id_at="tool.id, where it is set",
    result_at="output.value; status",
    cannot_carry="turns and parallel calls; calls that were asked for and did not run; made-up spans are left out",
    example='[{"name": "get_weather", "start_time": "2026-01-05T08:00:00Z", "attributes": {"span_type": "TOOL", '
    '"tool.name": "get_weather", "input.value": "{\'city\': \'Oslo\'}", "output.value": "{\\"celsius\\": 4}"}}]',
    group_at="none",
    keys=SPAN_KEYS,
    family="spans",
    source="UiPath Python SDK: tracing and evaluation",
)


_OWN: Final = frozenset({"span_type", "tool.synthesized"})
_EVIDENCE: Final = Evidence(MARKED, "attributes called `span_type` or `tool.synthesized`")


class Reader(SpanReader):
    """See :class:`SpanReader`."""

    format = DECLARATION.id

    def evidence(self, span: Span) -> Evidence | None:
        """By the name of an attribute that only these spans have."""
        return None if _OWN.isdisjoint(span.fields) else _EVIDENCE


def detect(glance: Glance) -> Evidence | None:
    """By the names of attributes."""
    found = marks(glance)
    if found is None:
        return None
    if found.uipath:
        return _EVIDENCE
    if found.openinference or found.genai:
        return None
    return (
        Evidence(SHAPED, "attributes called `tool.name`") if found.tool_name else Evidence(WOULD_DO, "spans")
    )
