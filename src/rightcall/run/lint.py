"""Faults in golden sets: what a run would report case by case, and what it never would (a tool that nobody offers)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from ..core.alignments import Alignments, Comparing
from ..core.arguments import Given, read_arguments
from ..core.counts import parse_counts
from ..core.jsonvalue import canonical_key, show
from ..core.matcher import Matcher
from ..core.types import Case, Expectation, ExpectedCall, Source, ToolSpec
from ..core.views import view
from ..errors import DataError, RightcallError, nearest
from ..evaluators.forbidden_tools import parse_rules
from ..evaluators.tool_call_valid import violations
from .dataset import Dataset, Reading
from .meanings import means
from .momentary import momentary_values
from .schemas import satisfies
from .stages import BadCase

__all__ = ["Finding", "lint"]

Severity = Literal["error", "warning"]


class Finding(Struct, frozen=True, kw_only=True):
    """One fault of a golden set.

    Attributes:
        severity: an ``error`` makes a case score wrongly or not at all, a ``warning`` may be meant.
        kind: its short stable name.
        case: id of the case.
        source: where it stands.
        field: where in the row; None for the case as a whole.
        message: the fault in words.
    """

    severity: Severity
    kind: str
    case: str
    source: Source
    field: str | None = None
    message: str


def lint(path: str, *, tools: tuple[ToolSpec, ...] | None = None) -> Iterator[Finding]:
    """The faults of a golden set, case by case.

    Args:
        path: its file or folder; ``-`` is standard input.
        tools: the offered tools, for rows that carry none.

    Raises:
        PathNotFoundError, SourceError: it can't be read as a whole.
    """
    data = Dataset(path, reading=Reading(tools=tools))
    seen: dict[bytes, str] = {}
    ids: dict[tuple[str, int | None], Source] = {}
    for case in data:
        place = case.source or Source()
        key = (case.id, case.trial)
        if key in ids:
            message = f"the id stands in line {ids[key].line} too; a join takes neither"
            yield Finding(severity="error", kind="repeated_id", case=case.id, source=place, message=message)
        ids.setdefault(key, place)
        if isinstance(case, BadCase):
            yield _unreadable(case, case.error)
        else:
            yield from _case(case, seen)


def _unreadable(case: Case | BadCase, error: RightcallError) -> Finding:
    hint = f" ({error.hint})" if error.hint else ""
    return Finding(
        severity="error",
        kind="unreadable",
        case=case.id,
        source=case.source or Source(),
        field=error.field,
        message=f"{error.message}{hint}",
    )


class _Notes:
    """Makes findings of one case."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def __call__(self, severity: Severity, kind: str, message: str, field: str | None = None) -> Finding:
        place = self._case.source or Source()
        return Finding(
            severity=severity, kind=kind, case=self._case.id, source=place, field=field, message=message
        )


def _case(case: Case, seen: dict[bytes, str]) -> Iterator[Finding]:
    note = _Notes(case)
    if case.source is not None and case.id == f"{case.source.path}:{case.source.line}":
        yield note("warning", "no_id", "no id: it can't be joined with what an agent did")
    for warning in case.warnings:
        yield note("warning", "odd", warning)
    expected = case.expected
    if expected is None:
        yield note("error", "nothing_expected", "no expected calls, counts or forbidden tools")
        return
    yield from _alike(case, expected, seen, note)
    for place, calls in _lists(expected):
        try:
            yield from _calls(case, calls, place, note)
        except DataError as error:
            yield _unreadable(case, error)
    yield from _rules(case, expected, note)


def _lists(expected: Expectation) -> Iterator[tuple[str, tuple[ExpectedCall, ...]]]:
    """The lists of calls of a case with the fields that they stand in."""
    if expected.paths:
        yield from ((f"expected_any_of[{index}]", path) for index, path in enumerate(expected.paths))
    elif expected.calls is not None:
        yield "expected_tool_calls", expected.calls


def _alike(case: Case, expected: Expectation, seen: dict[bytes, str], note: _Notes) -> Iterator[Finding]:
    """A case that says what an earlier one says. Without an input, equal calls may well be two cases."""
    if case.input is None or expected.calls is None:
        return
    calls = [[call.name, show(_written(call), 10_000)] for call in expected.calls]
    key = canonical_key([show(case.input, 10_000), calls])
    if seen.get(key, case.id) != case.id:  # another trial of the same case is no duplicate
        yield note("warning", "duplicate_case", f"asks and expects the same as {seen[key]!r}")
    seen.setdefault(key, case.id)


def _written(call: ExpectedCall) -> Any:
    return call.raw.value if isinstance(call.raw, Given) else read_arguments(call.raw).value


def _calls(case: Case, calls: tuple[ExpectedCall, ...], place: str, note: _Notes) -> Iterator[Finding]:
    bare = Case(id=case.id, actual=(), expected=Expectation(calls=calls, special=True), tools=case.tools)
    seen = view(bare, Comparing(validate=satisfies, means=means))
    specs = {spec.name: spec for spec in case.tools or ()}
    first: dict[bytes, int] = {}
    for index, call in enumerate(calls):
        field = f"{place}[{index}]"
        value = _readable(seen, index)
        if specs:
            yield from _against_tools(call, value, specs, field, note)
        for path, kind in momentary_values(value):
            if path in _ignored(call):
                continue
            hint = f'{path[1:]} looks like {kind}; pass over it with "options": {{"ignore": ["{path}"]}}'
            yield note("warning", "momentary_value", f"{call.name}: {hint}", field)
        key = canonical_key([call.name, show(_written(call), 10_000)])
        if key in first and not call.optional and call.count is None:
            message = f"{call.name} is expected twice with the same arguments (call {first[key] + 1} and {index + 1})"
            yield note("warning", "duplicate_call", message, field)
        first.setdefault(key, index)
    yield from _groups(calls, place, note)


def _ignored(call: ExpectedCall) -> Sequence[str]:
    """The paths that a call's own options pass over."""
    found = call.options.get("ignore") if isinstance(call.options, Mapping) else None
    return found if isinstance(found, list | tuple) else ()


def _readable(seen: Alignments, index: int) -> dict[str, Any]:
    """The arguments of an expected call with their matchers made.

    Raises:
        ExpectationError: they can't be read.
    """
    return seen.expected_reading(index).value or {}


def _against_tools(
    call: ExpectedCall, value: Mapping[str, Any], specs: Mapping[str, ToolSpec], field: str, note: _Notes
) -> Iterator[Finding]:
    spec = specs.get(call.name)
    if spec is None:
        near = nearest(call.name, specs)
        hint = f"; did you mean {near!r}?" if near else ""
        yield note(
            "error", "unknown_tool", f"{call.name!r} is not among the offered tools{hint}", f"{field}.name"
        )
        return
    if spec.schema is None:
        return
    for path, message in violations(spec, _plain(value)):
        top = path.split("/")[1].replace("~1", "/").replace("~0", "~") if path else None
        if top is not None and _holds_matcher(value.get(top)):
            continue  # a matcher says which values are fine; its stand-in says nothing
        if top is None and call.matching and "required" in message and _names_optional(message, value):
            continue
        yield note("error", "schema", f"{call.name}: {message}", f"{field}.arguments")


def _plain(value: Any) -> Any:
    """Arguments without what may be left out, and with something in the place of every other matcher."""
    if isinstance(value, Mapping):
        return {
            key: _plain(item)
            for key, item in value.items()
            if not (isinstance(item, Matcher) and item.optional)
        }
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if isinstance(value, Matcher) else value


def _holds_matcher(value: Any) -> bool:
    if isinstance(value, Matcher):
        return True
    children: Iterable[Any] = value.values() if isinstance(value, Mapping) else ()
    return any(map(_holds_matcher, value if isinstance(value, list) else children))


def _names_optional(message: str, value: Mapping[str, Any]) -> bool:
    return any(
        isinstance(item, Matcher) and item.optional and not item.absent and repr(key).strip("'") in message
        for key, item in value.items()
    )


def _groups(calls: tuple[ExpectedCall, ...], place: str, note: _Notes) -> Iterator[Finding]:
    """Calls of one group that do not stand next to each other: evaluators of order can't use them."""
    closed: set[str] = set()
    for index, call in enumerate(calls):
        if call.group is None:
            continue
        if call.group in closed:
            message = f"the calls of group {call.group!r} do not stand next to each other"
            yield note("error", "torn_group", message, f"{place}[{index}].group")
        elif index + 1 < len(calls) and calls[index + 1].group != call.group:
            closed.add(call.group)


def _rules(case: Case, expected: Expectation, note: _Notes) -> Iterator[Finding]:
    """Counts and forbidden tools: can they be read, are they offered, do they contradict the expected calls?"""
    offered = {spec.name for spec in case.tools or ()}
    try:
        counts = {} if expected.counts is None else parse_counts(expected.counts, "expected_counts")
    except RightcallError as error:
        counts = {}
        yield _unreadable(case, error)
    for name in counts:
        if offered and name not in offered:
            near = nearest(name, offered)
            hint = f"; did you mean {near!r}?" if near else ""
            yield note(
                "error", "unknown_tool", f"{name!r} is not among the offered tools{hint}", "expected_counts"
            )
    wanted = {call.name for call in expected.calls or () if not call.optional}
    try:
        rules = parse_rules(list(expected.forbidden), "forbidden")
    except RightcallError as error:
        yield _unreadable(case, error)
        return
    for rule in rules:
        if rule.arguments is None and rule.tool in wanted:
            yield note("error", "contradiction", f"{rule.tool!r} is expected and forbidden", "forbidden")
        if offered and rule.tool not in offered and not set("*?[") & set(rule.tool):
            message = f"{rule.tool!r} is forbidden, but nobody offers it"
            yield note("warning", "unknown_tool", message, "forbidden")
