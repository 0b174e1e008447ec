"""Faults in golden sets: what a run would report case by case, and what it never would (a tool that nobody offers)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core.jsonvalue import canonical_key, duplicate_keys, show
from ...core.matcher import as_json
from ...core.nodes import plain
from ...core.types import Case, Expectation, ExpectedCall, Source, ToolSpec
from ...errors import DataError
from ..dataset import Dataset, Reading
from ..intake.files import SourceFile, find_files
from ..stages import BadCase
from .finding import Finding, Notes, unreadable
from .lint_calls import faults_of_call, written
from .lint_rules import repeated_tools, rules

__all__ = ["Finding", "lint"]


def lint(path: str, *, tools: tuple[ToolSpec, ...] | None = None) -> Iterator[Finding]:
    """The faults of a golden set, case by case.

    Args:
        path: its file or folder; ``-`` is standard input.
        tools: the offered tools, for rows that carry none.

    Raises:
        PathNotFoundError, SourceError: it can't be read as a whole.
    """
    data = Dataset(path, reading=Reading(tools=tools))
    twice = {} if path == "-" else _keys_given_twice(path)
    seen: dict[bytes, str] = {}
    offered: set[str] = set()
    ids: dict[tuple[str, int | None], Source] = {}
    for case in data:
        place = case.source or Source()
        note = Notes(case)
        key = (case.id, case.trial)
        if key in ids:
            message = f"the id stands in line {ids[key].line} too; a join takes neither"
            yield note("error", "repeated_id", message)
        ids.setdefault(key, place)
        for name in twice.get((place.path, place.line), ()):
            message = f"the key {name!r} stands twice in one object; only the last one is read"
            yield note("error", "repeated_key", message)
        if isinstance(case, BadCase):
            yield unreadable(case, case.error)
        else:
            yield from repeated_tools(case, note, offered)
            yield from _case(case, note, seen)


def _keys_given_twice(path: str) -> dict[tuple[str | None, int | None], tuple[str, ...]]:
    """By file and line the keys that a row gives twice in one object: what is read no longer shows them."""
    found: dict[tuple[str | None, int | None], tuple[str, ...]] = {}
    for file in find_files(path):
        for record in SourceFile(str(file), file).records():
            if record.data is not None:
                try:
                    names = duplicate_keys(record.data, None)
                except (ValueError, RecursionError):
                    continue  # reading it says what is wrong
                if names:
                    found[(record.source.path, record.source.line)] = names
    return found


def _case(case: Case, note: Notes, seen: dict[bytes, str]) -> Iterator[Finding]:
    if case.source is not None and case.id == f"{case.source.path}:{case.source.line}":
        yield note("warning", "no_id", "no id: it can't be joined with what an agent did")
    for warning in case.warnings:
        yield note("warning", "odd", warning)
    expected = case.expected
    if expected is None:
        yield note("error", "nothing_expected", "no expected calls, counts or forbidden tools")
        return
    yield from _alike(case, expected, seen, note)
    yield from _equal_paths(expected, note)
    for place, calls in _lists(expected):
        yield from _calls(case, calls, place, note)
    yield from rules(case, expected, note)


def _lists(expected: Expectation) -> Iterator[tuple[str, tuple[ExpectedCall, ...]]]:
    """The lists of calls of a case with the fields that they stand in."""
    if expected.paths:
        yield from ((f"expected_any_of[{index}]", path) for index, path in enumerate(expected.paths))
    elif expected.calls is not None:
        yield "expected_tool_calls", expected.calls


def _equal_paths(expected: Expectation, note: Notes) -> Iterator[Finding]:
    """Paths that say what an earlier one of the same case says."""
    first: dict[bytes, int] = {}
    for index, path in enumerate(expected.paths):
        key = canonical_key([_whole(call) for call in path])
        if key in first:
            message = f"this path says the same as path {first[key] + 1}"
            yield note("warning", "duplicate_path", message, f"expected_any_of[{index}]")
        first.setdefault(key, index)


def _whole(call: ExpectedCall) -> list[Any]:
    """All that an expected call says, as plain JSON."""
    count = None if call.count is None else [call.count.min, call.count.max]
    others = [_whole(each) for each in call.alternatives]
    more = [call.optional, count, call.group, call.raw_output, others]
    return [call.name, as_json(written(call)), as_json(call.options), *map(plain, more)]


def _alike(case: Case, expected: Expectation, seen: dict[bytes, str], note: Notes) -> Iterator[Finding]:
    """A case that says what an earlier one says. Without an input, equal calls may well be two cases."""
    if case.input is None or expected.calls is None:
        return
    lists = [[_whole(call) for call in calls] for _, calls in _lists(expected)]
    key = canonical_key([show(case.input, 10_000), lists, list(expected.forbidden), expected.counts])
    if seen.get(key, case.id) != case.id:  # another trial of the same case is no duplicate
        yield note("warning", "duplicate_case", f"asks and expects the same as {seen[key]!r}")
    seen.setdefault(key, case.id)


def _calls(case: Case, calls: tuple[ExpectedCall, ...], place: str, note: Notes) -> Iterator[Finding]:
    specs: dict[str, ToolSpec] = {}
    for spec in case.tools or ():
        specs.setdefault(spec.name, spec)  # of two the first holds, as it does in a run
    first: dict[bytes, int] = {}
    for index, call in enumerate(calls):
        field = f"{place}[{index}]"
        own: dict[bytes, int] = {}
        for number, each in enumerate((call, *call.alternatives)):
            where = f"{field}.alternatives[{number - 1}]" if number else field
            try:
                yield from faults_of_call(case, each, specs, where, note)
            except DataError as error:
                yield unreadable(case, error)
            if number and _key(each) in own:
                message = f"an alternative repeats the same call of {each.name}"
                yield note("warning", "duplicate_alternative", message, where)
            own.setdefault(_key(each), number)
        key = _key(call)
        if key in first and not call.optional and call.count is None and not call.alternatives:
            message = f"{call.name} is expected twice with the same arguments (call {first[key] + 1} and {index + 1})"
            yield note("warning", "duplicate_call", message, field)
        first.setdefault(key, index)
    yield from _groups(calls, place, note)


def _key(call: ExpectedCall) -> bytes:
    return canonical_key([call.name, as_json(written(call))])


def _groups(calls: tuple[ExpectedCall, ...], place: str, note: Notes) -> Iterator[Finding]:
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
