"""otel_genai: OpenTelemetry's spans of generative AI, as OTLP/JSON or as a plain list."""

from __future__ import annotations

from ..core.reading.format import MARKED, SHARED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spanreader import SPAN_KEYS, SpanReader, marks

DECLARATION = FormatDeclaration(
    id="otel_genai",
    meaning="OpenTelemetry spans by the GenAI conventions, and the Vercel AI SDK's telemetry: OTLP (JSON or protobuf), "
    "exporters' lists, older events",
    detected_by="attributes called `gen_ai.…`, `ai.operationId` or `ai.toolCall.…` in the spans of a request or in a "
    "list of spans",
    name_at="gen_ai.tool.name of `execute_tool` spans; tool_call parts of gen_ai.output.messages; ai.toolCall.name; "
    "toolName in ai.response.toolCalls",
    arguments_at="gen_ai.tool.call.arguments; the part's `arguments`: JSON text or an object; ai.toolCall.args",
    id_at="gen_ai.tool.call.id; the part's `id`",
    result_at="gen_ai.tool.call.result; tool_call_response parts of a later gen_ai.input.messages; status, error.type",
    group_at="the parts of one output message",
    turn_at="users' messages that are new in gen_ai.input.messages; without any, the traces of a conversation",
    cannot_carry="what was not captured: arguments and messages are recorded only where that is switched on",
    example='[{"name": "execute_tool get_weather", "attributes": {"gen_ai.operation.name": "execute_tool", '
    '"gen_ai.tool.name": "get_weather", "gen_ai.tool.call.arguments": "{\\"city\\": \\"Oslo\\"}"}}]',
    keys=SPAN_KEYS,
    family="spans",
    source="OpenTelemetry semantic conventions for generative AI; OTLP specification",
)


class Reader(SpanReader):
    """See :class:`SpanReader`."""

    format = DECLARATION.id


def detect(glance: Glance) -> Evidence | None:
    """By the names of attributes; spans of nobody that we know would do, since they hold no calls."""
    found = marks(glance)
    if found is None:
        return None
    if found.uipath or found.openinference:
        return Evidence(SHARED, "spans, some with `gen_ai.…` attributes") if found.genai else None
    if found.genai:
        return Evidence(MARKED, "attributes called `gen_ai.…`")
    return None if found.tool_name else Evidence(WOULD_DO, "spans")
