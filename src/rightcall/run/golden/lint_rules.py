"""Faults of golden sets in what stands beside the expected calls: counts, forbidden tools, and the offered tools."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from ...core.counts import CountRule, parse_counts
from ...core.summing.tally import Tally
from ...core.types import Case, Expectation, ExpectedCall, ToolCall, ToolSpec
from ...errors import RightcallError, nearest
from ...evaluators.forbidden_tools import Rule, parse_rules
from ..plan import make_plan
from ..stages import Scorer
from .finding import Finding, Notes, unreadable

__all__ = ["repeated_tools", "rules"]


def repeated_tools(case: Case, note: Notes, seen: set[str]) -> Iterator[Finding]:
    """Tools that are offered twice under one name; each is told once for the whole set."""
    first: dict[str, ToolSpec] = {}
    for spec in case.tools or ():
        known = first.setdefault(spec.name, spec)
        if known is spec or spec.name in seen:
            continue
        seen.add(spec.name)
        if known.schema == spec.schema:
            yield note("warning", "repeated_tool", f"{spec.name!r} is offered twice", "tools")
        else:
            message = f"{spec.name!r} is offered twice with different schemas; the first one holds"
            yield note("error", "repeated_tool", message, "tools")


def rules(case: Case, expected: Expectation, note: Notes) -> Iterator[Finding]:
    """Counts and forbidden tools: can they be read, are they offered, do they contradict the expected calls?"""
    offered = {spec.name for spec in case.tools or ()}
    paths = expected.paths or (() if expected.calls is None else (expected.calls,))
    yield from _counts(case, expected, paths, offered, note)
    yield from _forbidden(case, expected, paths, offered, note)


_Paths = tuple[tuple[ExpectedCall, ...], ...]


def _counts(
    case: Case, expected: Expectation, paths: _Paths, offered: Collection[str], note: Notes
) -> Iterator[Finding]:
    try:
        counts = {} if expected.counts is None else parse_counts(expected.counts, "expected_counts")
    except RightcallError as error:
        yield unreadable(case, error)
        return
    for name, rule in counts.items():
        if offered and name not in offered:
            near = nearest(name, offered)
            hint = f"; did you mean {near!r}?" if near else ""
            message = f"{name!r} is not among the offered tools{hint}"
            yield note("error", "unknown_tool", message, "expected_counts")
        if paths and all(_contradicts(rule, calls, name) for calls in paths):
            asked = _asked_for(paths[0], name) or CountRule(0, 0)
            message = (
                f"{name!r} is to be called {rule} times by the counts, and {asked} by the expected calls"
            )
            yield note("error", "contradiction", message, "expected_counts")


def _contradicts(rule: CountRule, calls: tuple[ExpectedCall, ...], name: str) -> bool:
    """Whether no number of calls fits both a count and the expected calls."""
    asked = _asked_for(calls, name)
    if asked is None:
        return False  # calls beside the expected ones may be counted
    low = max(asked.min or 0, rule.min or 0)
    if any(most is not None and low > most for most in (asked.max, rule.max)):
        return True
    return rule.other_than is not None and asked.min == asked.max == rule.other_than


def _asked_for(calls: tuple[ExpectedCall, ...], name: str) -> CountRule | None:
    """How often the expected calls let a tool be called; None where none of them is of this tool."""
    low, high = 0, 0.0
    there = False
    for call in calls:
        names = {each.name for each in (call, *call.alternatives)}
        if name not in names:
            continue
        there = True
        least = 0 if call.optional else 1 if call.count is None else call.count.min or 0
        most = 1 if call.count is None else math.inf if call.count.max is None else call.count.max
        low += least if names == {name} else 0
        high += most
    return CountRule(low, None if high == math.inf else int(high)) if there else None


def _forbidden(
    case: Case, expected: Expectation, paths: _Paths, offered: Collection[str], note: Notes
) -> Iterator[Finding]:
    try:
        found = parse_rules(list(expected.forbidden), "forbidden")
    except RightcallError as error:
        yield unreadable(case, error)
        return
    for rule in found:
        for call, needed in _asked(paths):
            if _forbids(rule, call):
                sure = needed and all(_must_break(rule, path) for path in paths)
                what = (
                    "is expected and forbidden"
                    if rule.tool == call.name
                    else f"is expected, and {rule.tool!r} is forbidden"
                )
                how = "" if rule.arguments is None else " with these arguments"
                yield note(
                    "error" if sure else "warning", "contradiction", f"{call.name!r} {what}{how}", "forbidden"
                )
                break
        if offered and not any(fnmatchcase(name, rule.tool) or name == rule.tool for name in offered):
            message = f"{rule.tool!r} is forbidden, but nobody offers it"
            yield note("warning", "unknown_tool", message, "forbidden")


def _must_break(rule: Rule, path: tuple[ExpectedCall, ...]) -> bool:
    """Whether a path can't be followed without a forbidden call."""
    return any(needed and _forbids(rule, call) for call, needed in _asked((path,)))


def _asked(paths: _Paths) -> Iterator[tuple[ExpectedCall, bool]]:
    """Every call that fills a place, and whether it must be made; those that must be first."""
    calls = [call for path in paths for call in path]
    for call in calls:
        if not (call.optional or call.alternatives or (call.count is not None and not call.count.min)):
            yield call, True
    for call in calls:
        if call.optional or call.alternatives:
            yield from ((each, False) for each in (call, *call.alternatives))


def _forbids(rule: Rule, call: ExpectedCall) -> bool:
    if rule.arguments is None:
        return rule.tool == call.name or fnmatchcase(call.name, rule.tool)
    if call.matching or call.arguments is None:
        return False  # some of what it takes may be fine
    written: Mapping[str, Any] = {"name": rule.tool, "arguments": rule.arguments}
    plan = make_plan(["forbidden_tools"], options={"forbidden": [written]})
    made = Case(id="", actual=(ToolCall(name=call.name, raw=call.raw),))
    return Scorer(plan, Tally()).score(made)[0].score == 0
