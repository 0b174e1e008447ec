"""openinference: the spans of Arize Phoenix and other OpenInference libraries, as OTLP/JSON or as exported lists."""

from __future__ import annotations

from typing import Final

from ..core.reading.format import MARKED, SHARED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spanreader import SPAN_KEYS, SpanReader, marks
from ..core.reading.spans import Span

DECLARATION = FormatDeclaration(
    id="openinference",
    meaning="OpenInference spans: OTLP (JSON or protobuf), lists of spans and table rows that Phoenix exports",
    detected_by="the attribute `openinference.span.kind`, or attributes called `llm.…`",
    name_at="TOOL spans: tool.name; LLM spans: llm.output_messages.N.message.tool_calls.M.tool_call.function.name",
    arguments_at="input.value or tool.parameters; …tool_call.function.arguments: JSON text, a Python dict's repr",
    id_at="tool_call.id or tool.id; …tool_call.id",
    result_at="output.value of the TOOL span; the tool's message in a later LLM span's llm.input_messages; status",
    group_at="the M of one output message N",
    turn_at="users' messages that are new in llm.input_messages; else input.value of the outermost span",
    cannot_carry="what was masked; a tool span's call id, in most libraries: it is joined by name and arguments",
    example='[{"name": "get_weather", "attributes": {"openinference.span.kind": "TOOL", "tool.name": "get_weather", '
    '"input.value": "{\\"city\\": \\"Oslo\\"}", "output.value": "{\\"celsius\\": 4}"}}]',
    keys=SPAN_KEYS,
    family="spans",
    source="OpenInference specification: semantic conventions, tool calling",
)


_EVIDENCE: Final = Evidence(MARKED, "attributes called `openinference.span.kind` or `llm.…`")
_OTHERS: Final = frozenset({"span_type", "tool.synthesized"})


class Reader(SpanReader):
    """See :class:`SpanReader`."""

    format = DECLARATION.id

    def evidence(self, span: Span) -> Evidence | None:
        """By the kind of a span in which nobody else's words stand, as flat attributes."""
        fields = span.fields
        if "openinference.span.kind" not in fields or not _OTHERS.isdisjoint(fields):
            return None
        return _EVIDENCE


def detect(glance: Glance) -> Evidence | None:
    """By the names of attributes."""
    found = marks(glance)
    if found is None:
        return None
    if found.openinference:
        return Evidence(SHARED, _EVIDENCE.seen) if found.uipath else _EVIDENCE
    if found.genai or found.uipath or found.tool_name:
        return None
    return Evidence(WOULD_DO, "spans")
