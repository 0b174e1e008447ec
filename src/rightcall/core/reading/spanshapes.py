"""Shapes of spans: OTLP/JSON with its attribute lists, and the flat ones of exporters, in all their spellings."""

from __future__ import annotations

from msgspec import UNSET, Raw, Struct, UnsetType, field

from .moments import Time
from .shapes import ABSENT

__all__ = [
    "Context",
    "EventShape",
    "ItemShape",
    "Pair",
    "Pairs",
    "RunAttributes",
    "RunShape",
    "SpanShape",
    "Status",
    "Value",
    "Values",
    "WholeShape",
]


class Value(Struct, kw_only=True, gc=False):
    """OTLP's value of any kind; int64 comes as a text."""

    stringValue: Raw = ABSENT  # noqa: N815 - OTLP's own spelling; a prompt is long, and mostly nobody asks for it
    intValue: int | str | None = None  # noqa: N815
    boolValue: bool | None = None  # noqa: N815
    doubleValue: Raw = ABSENT  # noqa: N815
    arrayValue: Raw = ABSENT  # noqa: N815
    kvlistValue: Raw = ABSENT  # noqa: N815
    bytesValue: str | None = None  # noqa: N815
    string_value: str | None = None
    int_value: int | str | None = None
    bool_value: bool | None = None
    double_value: Raw = ABSENT
    array_value: Raw = ABSENT
    kvlist_value: Raw = ABSENT
    bytes_value: str | None = None


class Pair(Struct, kw_only=True, gc=False):
    """An attribute as OTLP writes it."""

    key: str = ""
    value: Value | None = None


class Values(Struct, kw_only=True, gc=False):
    """A list of values as OTLP writes it."""

    values: list[Value] | None = None


class Pairs(Struct, kw_only=True, gc=False):
    """An object as OTLP writes it."""

    values: list[Pair] | None = None


class Status(Struct, kw_only=True, gc=False):
    """How a span ended."""

    code: int | str | None = None
    status_code: int | str | None = None
    statusCode: int | str | None = None  # noqa: N815
    message: str | None = None
    description: str | None = None


class Context(Struct, kw_only=True, gc=False):
    """The ids of a span, where they stand apart."""

    trace_id: str | int | None = None
    span_id: str | int | None = None
    traceId: str | int | None = None  # noqa: N815
    spanId: str | int | None = None  # noqa: N815


class Scope(Struct, kw_only=True, gc=False):
    """The spans of one library."""

    spans: list[Raw] | None = None


class Resource(Struct, kw_only=True, gc=False):
    """The spans of one service."""

    scopeSpans: list[Scope] | None = None  # noqa: N815
    scope_spans: list[Scope] | None = None
    instrumentationLibrarySpans: list[Scope] | None = None  # noqa: N815 - before OTLP 0.15


class SpanShape(Struct, kw_only=True, gc=False):
    """A span in any of its spellings."""

    name: str | None = None
    attributes: list[Pair] | dict[str, Raw] | None = None
    status: Status | str | int | None = None
    events: Raw = ABSENT
    traceId: str | int | None = None  # noqa: N815
    spanId: str | int | None = None  # noqa: N815
    parentSpanId: str | int | None = None  # noqa: N815
    startTimeUnixNano: Time = None  # noqa: N815
    endTimeUnixNano: Time = None  # noqa: N815
    context: Context | None = None
    trace_id: str | int | None = None
    span_id: str | int | None = None
    parent_span_id: str | int | None = None
    parent_id: str | int | None = None
    start_time_unix_nano: Time = None
    end_time_unix_nano: Time = None
    start_time: Time = None
    end_time: Time = None
    startTime: Time = None  # noqa: N815
    endTime: Time = None  # noqa: N815
    span_kind: str | int | None = None
    status_code: str | int | None = None
    status_message: str | None = None


class ItemShape(SpanShape, kw_only=True, gc=False):
    """A span, or what holds spans: one shape, so that each item is decoded once."""

    resourceSpans: list[Resource] | None = None  # noqa: N815
    resource_spans: list[Resource] | None = None
    scopeSpans: list[Scope] | None = None  # noqa: N815
    scope_spans: list[Scope] | None = None
    spans: list[Raw] | None = None


class RunAttributes(Struct, kw_only=True, gc=False):
    """What UiPath's spans tell of a tool's run, each under its flat name; and names under which more could stand."""

    span_type: Raw = ABSENT
    made_up: bool | UnsetType = field(default=UNSET, name="tool.synthesized")
    tool_name: str | UnsetType = field(default=UNSET, name="tool.name")
    input_value: str | None = field(default=None, name="input.value")
    output_value: Raw = field(default=ABSENT, name="output.value")
    tool_id: str | None = field(default=None, name="tool.id")
    call_id: str | None = field(default=None, name="tool_call.id")
    tool_parameters: Raw = field(default=ABSENT, name="tool.parameters")
    error_type: Raw = field(default=ABSENT, name="error.type")
    tool: Raw = ABSENT
    input: Raw = ABSENT
    output: Raw = ABSENT


class RunShape(ItemShape, kw_only=True, gc=False):
    """A span whose attributes are decoded with it."""

    attributes: RunAttributes | None = None  # type: ignore[assignment]


class WholeScope(Struct, kw_only=True, gc=False):
    """The spans of one library, decoded."""

    spans: list[SpanShape] | None = None


class WholeResource(Struct, kw_only=True, gc=False):
    """The spans of one service, decoded."""

    scopeSpans: list[WholeScope]  # noqa: N815


class WholeShape(Struct, kw_only=True, gc=False):
    """A request of OTLP/JSON that is decoded in one go, down to the attributes."""

    resourceSpans: list[WholeResource]  # noqa: N815


class EventShape(Struct, kw_only=True, gc=False):
    """An event of a span."""

    name: str | None = None
    attributes: list[Pair] | dict[str, Raw] | None = None
