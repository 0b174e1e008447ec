"""One row of data becomes a case.

Two ways lead there and give the same case: most rows are native and are decoded in one step, their arguments
kept as raw bytes; any other row is opened level by level, which also finds the words for what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from msgspec import UNSET, Struct

from ..core.jsonvalue import InvalidJSONError, decode, same_value, show
from ..core.nodes import Node, kind_of, node_from_text, opened, plain
from ..core.schema.tools import read_tools
from ..core.types import Case, Expectation, ExpectedCall, Source, ToolCall, ToolSpec, Trace
from ..errors import ExpectationError, RecordError, nearest
from .expected import check_expected, expectation_of, expected_calls
from .fieldnames import check_field_names, misspelled
from .intake.reading import parse_text, read_calls, recording_in
from .wire import WireRow, all_readable, decode_row

__all__ = ["NO_MAP", "ColumnMap", "case_from_fields", "case_from_line", "open_row"]

ACTUAL_FIELDS: Final = ("tool_calls", "actual", "output")
EXPECTED_FIELDS: Final = ("expected_tool_calls", "expected")
OTHER_EXPECTED: Final = ("expected_any_of", "expected_any")

OF_A_CASE: Final = frozenset({*EXPECTED_FIELDS, *OTHER_EXPECTED, "actual"})
"""Fields that no recording has: a row with one of them is a case."""

CASE_FIELDS: Final = (
    *ACTUAL_FIELDS,
    *EXPECTED_FIELDS,
    *(
        "id",
        "tools",
        "input",
        "trial",
        "tags",
        "cluster",
        "verdict",
        "metadata",
        "forbidden",
        "expected_counts",
    ),
    *OTHER_EXPECTED,
)
"""Every field of a row that has a meaning."""


class ColumnMap(Struct, frozen=True):
    """Which column holds which field (``--map expected=gold.calls``); dots lead into objects.

    A mapped side is the whole of that side: mapping `expected` also keeps `expected_any` from being read.
    """

    columns: tuple[tuple[str, str], ...] = ()

    @property
    def maps_expected(self) -> bool:
        """Whether the expected side is taken from a named column."""
        return any(name in (*EXPECTED_FIELDS, *OTHER_EXPECTED) for name, _ in self.columns)

    @property
    def maps_actual(self) -> bool:
        """Whether the actual side is taken from a named column."""
        return any(name in ("tool_calls", "actual") for name, _ in self.columns)


NO_MAP: Final = ColumnMap()


def case_from_line(
    data: bytes, *, row: int, source: Source, format: str = "auto", tools: tuple[ToolSpec, ...] | None = None
) -> Case:
    """The case on one line of JSON.

    Raises:
        DataError: the row can't be read; `field` says where in it.
    """
    if format == "auto":
        wire = decode_row(data)
        case = None if wire is None else _native(wire, data, row, source, tools)
        if case is not None:
            return case
    return case_from_fields(open_row(data), row=row, source=source, format=format, tools=tools)


def _native(
    wire: WireRow, data: bytes, row: int, source: Source, tools: tuple[ToolSpec, ...] | None
) -> Case | None:
    """The case of a decoded native row; None where the long way must look at it."""
    actual, expected, alias = wire.tool_calls, wire.expected_tool_calls, wire.actual
    if actual is UNSET and wire.output is UNSET:
        actual, alias = alias, UNSET
    if expected is UNSET:
        expected = wire.expected
    elif wire.expected is not UNSET:
        return None
    if alias is not UNSET or actual is UNSET or expected is UNSET or actual is None or expected is None:
        return None
    if not (UNSET is wire.expected_any is wire.expected_any_of is wire.forbidden is wire.expected_counts):
        return None
    if not all_readable(expected):
        check_expected(expected, "expected_tool_calls" if wire.expected is UNSET else "expected")
    if UNSET is wire.tools is wire.input is wire.metadata is wire.output:
        return Case(
            id=wire.id or row_id(source),
            actual=actual,
            expected=Expectation(calls=expected),
            tools=tools,
            row=row,
            source=source,
            trial=wire.trial,
            tags=wire.tags,
            cluster=wire.cluster,
            verdict=wire.verdict,
            recorded=data,
        )
    return Case(
        id=wire.id or row_id(source),
        actual=actual,
        expected=Expectation(calls=expected),
        tools=tools if wire.tools is UNSET else (_tools(bytes(wire.tools)) or tools),
        input=None if wire.input is UNSET else plain(wire.input),
        output=None if wire.output is UNSET else wire.output,
        row=row,
        source=source,
        trial=wire.trial,
        tags=wire.tags,
        cluster=wire.cluster,
        verdict=wire.verdict,
        metadata=None if wire.metadata is UNSET else plain(wire.metadata),
        recorded=data,
    )


def _make_expectation(fields: Mapping[str, Node], expected_field: str | None) -> Expectation | None:
    forbidden, counts = _json_field(fields, "forbidden"), _json_field(fields, "expected_counts")
    if isinstance(forbidden, str | dict):
        forbidden = [forbidden]
    if forbidden is not None and not isinstance(forbidden, list):
        raise ExpectationError(
            f"forbidden is {kind_of(forbidden)}, not a list of tool names", field="forbidden"
        )
    given = [name for name in OTHER_EXPECTED if name in fields and not _is_null(fields[name])]
    calls: tuple[ExpectedCall, ...] | None = None
    paths: tuple[tuple[ExpectedCall, ...], ...] = ()
    if expected_field is not None and not _is_null(fields[expected_field]):
        calls = expected_calls(fields[expected_field], place=expected_field)
        given = [expected_field, *given]
    if len(given) > 1:
        hint = f"keep one of them; on the command line --map {given[0]}={given[0]} says which"
        raise ExpectationError(f"{' and '.join(given)} both say what is expected", field=given[-1], hint=hint)
    if given == ["expected_any_of"]:
        paths = _paths(fields["expected_any_of"])
    elif given == ["expected_any"]:
        calls = _accepted_calls(fields["expected_any"])
    if calls is None and not paths and not forbidden and counts is None:
        return None
    return expectation_of(calls, paths, tuple(forbidden or ()), counts)


def _listed(node: Node, name: str) -> list[Any]:
    """The items of a field that holds a list, or the JSON text of one."""
    value = opened(node)
    if isinstance(value, str):
        value = opened(parse_text(value, name))
    if not isinstance(value, list | tuple):
        raise ExpectationError(f"{name} is {kind_of(value)}, not a list", field=name)
    return [opened(item) for item in value]


def _paths(node: Node) -> tuple[tuple[ExpectedCall, ...], ...]:
    """Several whole lists of calls, any of which is fine."""
    items = _listed(node, "expected_any_of")
    if not items:
        raise ExpectationError("expected_any_of holds no path", field="expected_any_of")
    for index, item in enumerate(items):
        if not isinstance(item, list | tuple):
            field = f"expected_any_of[{index}]"
            hint = "each path is a list of calls: [[call, ..], ..]"
            raise ExpectationError(f"{kind_of(item)} where a path should be", field=field, hint=hint)
    return tuple(expected_calls(item, place=f"expected_any_of[{index}]") for index, item in enumerate(items))


def _accepted_calls(node: Node) -> tuple[ExpectedCall, ...]:
    """Calls whose arguments each have a list of accepted values (BFCL)."""
    field = "expected_any"
    calls: list[dict[str, Any]] = []
    for index, item in enumerate(_listed(node, field)):
        if not isinstance(item, Mapping):
            raise ExpectationError(f"{kind_of(item)} where a call should be", field=f"{field}[{index}]")
        try:
            ((name, accepted),) = _name_and_values(item)
        except ValueError:
            hint = '{"name": .., "arguments": {..}} or {"tool": {..}}'
            raise ExpectationError(
                "no call of accepted values", field=f"{field}[{index}]", hint=hint
            ) from None
        calls.append({"name": name, "accepted": plain(accepted) or {}})
    return expected_calls(calls, place=field)


def _name_and_values(item: Mapping[str, Node]) -> list[tuple[Any, Node]]:
    if "name" in item:
        if set(item) <= {"name", "arguments"}:
            return [(plain(item["name"]), item.get("arguments"))]
        return []
    return list(item.items())


@lru_cache(maxsize=256)
def _tools(data: bytes) -> tuple[ToolSpec, ...] | None:
    """Offered tools; rows of one data set mostly repeat them byte for byte."""
    value = decode(data)
    if isinstance(value, str):
        value = _json_cell(value, "tools")
    return None if value is None else read_tools(value)


def open_row(data: bytes) -> dict[str, Node]:
    """The fields of a row, each a node.

    Raises:
        RecordError: broken JSON, or not an object.
    """
    try:
        value = node_from_text(data)
    except InvalidJSONError as error:
        raise RecordError(f"not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise RecordError(
            f"{kind_of(value)} where a case should be", hint="a row is an object with tool_calls"
        )
    return value


def row_id(source: Source) -> str:
    """``FILE:LINE`` for a row without an id."""
    if source.path is None:
        return f"row {source.line}" if source.line is not None else "case"
    return f"{source.path}:{source.line}" if source.line is not None else source.path


def mapped(fields: Mapping[str, Node], columns: ColumnMap) -> dict[str, Node]:
    """The row's fields after ``--map``."""
    hidden: set[str] = set()
    if columns.maps_expected:
        hidden |= {*EXPECTED_FIELDS, *OTHER_EXPECTED}
    if columns.maps_actual:
        hidden |= {"tool_calls", "actual"}
        # A column called output is the agent's text once the calls come from elsewhere.
    row = {key: value for key, value in fields.items() if key not in hidden}
    for name, column in columns.columns:
        value = column_of(fields, column) if column else None
        if value is None:
            row.pop(name, None)
        else:
            row[name] = value
        if value is None and name in ("expected", "expected_tool_calls", "actual", "tool_calls"):
            row[name] = None
    # What a map speaks of, or takes a column from, is told: nothing else was meant by it.
    told = {name for name, _ in columns.columns} | (hidden if columns.maps_expected else set())
    for found in misspelled(frozenset(fields)):
        if found.meant in told or any(found.field == column for _, column in columns.columns):
            row.pop(found.field, None)
    return row


def column_of(fields: Mapping[str, Node], column: str) -> Node | None:
    """The node of a column; a name with dots is tried whole first, then step by step."""
    if column in fields:
        return fields[column]
    node: Any = fields
    for step in column.split("."):
        value = opened(node)
        if isinstance(value, Mapping) and step in value:
            node = value[step]
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            node = value[int(step)]
        else:
            return None
    return node


def case_from_fields(
    fields: Mapping[str, Node],
    *,
    row: int,
    source: Source,
    format: str = "auto",
    tools: tuple[ToolSpec, ...] | None = None,
) -> Case:
    """The case of an opened row.

    Raises:
        DataError: something in it can't be read; `field` says what.
    """
    actual_field, text = _actual_field(fields)
    expected_field = _one_of(fields, EXPECTED_FIELDS)
    actual: tuple[ToolCall, ...] | None = None
    odd = check_field_names(fields)
    warnings = (*_near_misses(fields, actual_field, expected_field), *odd)
    if actual_field is not None and not _is_null(fields[actual_field]):
        trace = read_calls(fields[actual_field], place=actual_field, format=format)
        actual, warnings = trace.calls, warnings + trace.warnings
        text = text if text is not None else trace.text
    elif actual_field is None:
        recorded = _recording(fields, format)
        if recorded is not None:
            actual, text, warnings = recorded.calls, recorded.text, recorded.warnings
            tools = tools if recorded.tools is None else recorded.tools
    return Case(
        id=_text_field(fields, "id") or row_id(source),
        actual=actual,
        expected=_make_expectation(fields, expected_field),
        tools=_row_tools(fields, tools),
        input=plain(fields.get("input")),
        output=text,
        row=row,
        source=source,
        trial=_whole_number(fields, "trial"),
        tags=_tags(fields),
        cluster=_text_field(fields, "cluster"),
        verdict=_flag(fields, "verdict"),
        metadata=plain(fields.get("metadata")),
        warnings=warnings,
    )


def _recording(fields: Mapping[str, Node], format: str) -> Trace | None:
    """What a row without a field of calls says as a recording (a conversation beside its expected calls)."""
    rest = {key: node for key, node in fields.items() if key not in _BESIDE}
    name = recording_in(rest) if format == "auto" else format
    return None if name is None or not rest else read_calls(rest, place="", format=name)


_BESIDE: Final = frozenset(
    {*EXPECTED_FIELDS, *OTHER_EXPECTED, *ACTUAL_FIELDS, "forbidden", "expected_counts"}
)

_nearest = lru_cache(maxsize=4096)(nearest)


def _near_misses(
    fields: Mapping[str, Node], actual_field: str | None, expected_field: str | None
) -> tuple[str, ...]:
    """Fields that are spelled nearly like a side that the row lacks: a typo would make it "not evaluated"."""
    expects = expected_field or any(name in fields for name in OTHER_EXPECTED)
    lacking = (
        *(ACTUAL_FIELDS[:2] if actual_field is None else ()),
        *(() if expects else EXPECTED_FIELDS),
    )
    if not lacking:
        return ()
    found: list[str] = []
    if actual_field is None:
        found += (
            ["calls may stand in 'trace', which is not read: call it 'actual', or --map actual=trace"]
            if "trace" in fields
            else []
        )
    for key in fields:
        near = None if key in CASE_FIELDS else _nearest(key, lacking)
        if near is not None:
            found.append(f"the field {show(key)} has no meaning here; did you mean {near!r}?")
    return tuple(found)


def _actual_field(fields: Mapping[str, Node]) -> tuple[str | None, str | None]:
    """(field of the actual calls, the agent's text)."""
    name = _one_of(fields, ("tool_calls", "actual"))
    if name is None:
        return ("output" if "output" in fields else None), None
    output = opened(fields["output"]) if "output" in fields else None
    return name, output if isinstance(output, str) else None


def _one_of(fields: Mapping[str, Node], names: tuple[str, ...]) -> str | None:
    found = [name for name in names if name in fields and not _is_null(fields[name])]
    if len(found) > 1 and not same_value(plain(fields[found[0]]), plain(fields[found[1]])):
        raise RecordError(f"{found[0]} and {found[1]} differ; give one of them", field=found[1])
    return found[0] if found else next((name for name in names if name in fields), None)


def _is_null(node: Node) -> bool:
    return opened(node) is None


def _row_tools(fields: Mapping[str, Node], tools: tuple[ToolSpec, ...] | None) -> tuple[ToolSpec, ...] | None:
    value = _json_field(fields, "tools")
    return tools if value is None else read_tools(value)


def _json_field(fields: Mapping[str, Node], name: str) -> Any:
    """A field that may also hold JSON text, as in a table's cell."""
    value = plain(fields[name]) if name in fields else None
    return _json_cell(value, name) if isinstance(value, str) and value[:1] in ("{", "[") else value


def _json_cell(text: str, name: str) -> Any:
    try:
        return decode(text)
    except InvalidJSONError as error:
        raise RecordError(f"not valid JSON: {error}", field=name) from None


def _text_field(fields: Mapping[str, Node], name: str) -> str | None:
    value = opened(fields[name]) if name in fields else None
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise RecordError(f"{name} is {kind_of(value)}, not a text", field=name)
    return str(value).encode("utf-8", "replace").decode()


def _whole_number(fields: Mapping[str, Node], name: str) -> int | None:
    value = opened(fields[name]) if name in fields else None
    if isinstance(value, str) and value.lstrip("-").isdigit():
        value = int(value)
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise RecordError(f"{name} is {show(value)}, not a whole number", field=name)
    return value


def _flag(fields: Mapping[str, Node], name: str) -> bool | None:
    value = opened(fields[name]) if name in fields else None
    if value is None or value == "" or isinstance(value, bool):
        return value if isinstance(value, bool) else None
    words = {
        "true": True,
        "false": False,
        "pass": True,
        "fail": False,
        "1": True,
        "0": False,
        "1.0": True,
        "0.0": False,
    }
    known = words.get(str(value).strip().lower())
    if known is None:
        raise RecordError(f"{name} is {show(value)}, not true or false", field=name)
    return known


def _tags(fields: Mapping[str, Node]) -> tuple[str, ...]:
    value = _json_field(fields, "tags")
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        return tuple(tag.strip() for tag in value.split(",") if tag.strip())
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise RecordError(f"tags is {kind_of(value)}, not a list of texts", field="tags")
    return tuple(value)
