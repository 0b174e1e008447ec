"""What the options and gates of a run aim at, tags, tools and paths into arguments, and whether any case has it.

An option for a tool that nobody calls, or for a path that leads nowhere, changes nothing and looks as if it did. A
gate on a tag that no case has is missed anyway; here it is told which tag may have been meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Raw, Struct

from ..core.arguments import Given, read_arguments
from ..core.names import NameRule
from ..core.options import Setting
from ..core.summing.slices import Slice
from ..core.types import Case, ExpectedCall, ToolCall
from ..errors import EvaluatorError, nearest
from .plan import Plan

__all__ = ["Aim", "Aims", "leads", "steps_of"]


class Aim(Struct, frozen=True):
    """An option for a tool (then `path` is None), or for a path, of the calls of one tool or of all (None).

    `gate` is the part of the cases that a gate looks at: ``tool:NAME``, or ``tag:NAME`` with the tag in `tag`.
    """

    tool: str | None
    option: str | None = None
    path: str | None = None
    gate: str | None = None
    tag: str | None = None


class Aims:
    """Looks at cases until everything that options aim at was seen.

    Args:
        plan: what is run; None where nothing is looked for.

    Attributes:
        hit: what was seen so far.
        tools: names of tools that were seen, as they are written and as the name options make them.
        keys: names of arguments that were seen.
        tags: tags that were seen. Of all three the first ones only: they are for finding the nearest.
    """

    def __init__(self, plan: Plan | None = None) -> None:
        self.hit: set[tuple[str | None, str | None, str | None]] = set()
        self.tools: dict[str, None] = {}
        self.keys: dict[str, None] = {}
        self.tags: dict[str, None] = {}
        self._rules: tuple[NameRule, ...] = ()
        self._aims: tuple[Aim, ...] = ()
        if plan is not None:
            seen = [planned.options.comparing for planned in plan.evaluators]
            self._rules = tuple(dict.fromkeys(comparing.names for comparing in seen))
            aims = [aim for comparing in seen for aim in _aims(comparing.layers, comparing.per_tool)]
            self._aims = tuple(dict.fromkeys([*aims, *map(_of_gate, plan.slices)]))
        self._open = self._aims
        self._tries = 0

    def look(self, case: Case) -> None:
        """Take note of what a case has."""
        if not self._open:
            return
        for spec in case.tools or ():
            self._see(spec.name)
        for tag in case.tags:
            if len(self.tags) < _MOST or any(aim.tag == tag for aim in self._open):
                self.tags[tag] = None
        for call in _calls(case):
            names = self._see(call.name)
            for aim in self._open:
                if aim.path is not None and (aim.tool is None or aim.tool in names):
                    self._try(aim, call)
        self._open = tuple(aim for aim in self._open if not self._is_hit(aim))

    def _is_hit(self, aim: Aim) -> bool:
        if aim.tag is not None:
            return aim.tag in self.tags
        return aim.tool in self.tools if aim.path is None else (aim.tool, aim.option, aim.path) in self.hit

    def _see(self, name: str) -> set[str]:
        names = {name}
        for rule in self._rules:
            try:
                names.add(rule(name))
            except EvaluatorError:
                continue  # the results of its case say so
        if len(self.tools) < _MOST or any(aim.tool in names for aim in self._open):
            self.tools.update(dict.fromkeys(names))
        return names

    def _try(self, aim: Aim, call: ToolCall) -> None:
        steps = steps_of(aim.path or "")
        # Most calls are told by their bytes: a key that is not in them is not in the arguments.
        self._tries += 1
        if self._tries > _MOST and isinstance(call.raw, Raw) and not _may_hold(bytes(call.raw), steps):
            return
        value = call.raw.value if isinstance(call.raw, Given) else None
        value = value if isinstance(value, Mapping) else read_arguments(call.raw).value
        if not isinstance(value, Mapping):
            return
        if len(self.keys) < _MOST:
            self.keys.update(dict.fromkeys(map(str, value)))
        if leads(value, steps):
            self.hit.add((aim.tool, aim.option, aim.path))

    def merge(self, other: Aims) -> None:
        """Take in what was seen elsewhere."""
        self.hit |= other.hit
        self.tools |= other.tools
        self.keys |= other.keys
        self.tags |= other.tags
        self._open = tuple(aim for aim in self._aims if not self._is_hit(aim))

    def missed(self) -> Iterator[str]:
        """A line for each option that hit nothing; only of a run whose cases were looked at."""
        for aim in self._open if self.tools or self.tags else ():
            if aim.tag is not None:
                yield f"@{aim.gate}: no case has this tag{_meant(nearest(aim.tag, self.tags))}"
            elif aim.path is None:
                tool = _meant(nearest(aim.tool or "", self.tools))
                where = "per_tool" if aim.gate is None else f"@{aim.gate}"
                yield f"{where}: no case has a tool {aim.tool!r}{tool}"
            elif aim.tool is None or aim.tool in self.tools:
                first, slash, rest = aim.path[1:].partition("/")
                near = nearest(first, self.keys) if first not in self.keys else None
                of = "" if aim.tool is None else f"per_tool.{aim.tool}."
                hint = _meant(None if near is None else f"/{near}{slash}{rest}")
                yield f"{of}{aim.option}: {aim.path!r} leads to no argument of any case{hint}"


_MOST: Final = 1000
"""Names that are kept for finding the nearest, and calls that are read for them."""


def _meant(near: str | None) -> str:
    return "" if near is None else f"; did you mean {near!r}?"


def _aims(
    layers: Iterable[Mapping[str, Any]], tables: Iterable[Mapping[str, Mapping[str, Any]]]
) -> Iterator[Aim]:
    for layer in layers:
        yield from _paths(None, layer)
    for table in tables:
        for tool, given in table.items():
            yield Aim(tool)
            yield from _paths(tool, given)


def _of_gate(part: Slice) -> Aim:
    if part.kind == "tag":
        return Aim(None, gate=str(part), tag=part.name)
    return Aim(part.name, gate=str(part))


def _paths(tool: str | None, given: Mapping[str, Any]) -> Iterator[Aim]:
    for option, setting in given.items():
        for path, _ in (setting.paths or ()) if isinstance(setting, Setting) else ():
            yield Aim(tool, option, path)


def _calls(case: Case) -> Iterator[ToolCall]:
    yield from case.actual or ()
    if case.expected is None:
        return
    for path in (case.expected.calls or (), *case.expected.paths):
        for call in path:
            yield call
            yield from _others(call)


def _others(call: ExpectedCall) -> Iterator[ToolCall]:
    yield from call.alternatives


def steps_of(path: str) -> tuple[str, ...]:
    """The steps of a JSON pointer."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:])


def _may_hold(data: bytes, steps: tuple[str, ...]) -> bool:
    return b"\\" in data or all(step.encode() in data for step in steps if not _is_index(step))


def _is_index(step: str) -> bool:
    return step == "*" or step.isdecimal()


def leads(value: Any, steps: tuple[str, ...]) -> bool:
    """Whether something is at a place in arguments, or may be inside a matcher or a JSON text there."""
    if not steps:
        return True
    if isinstance(value, Mapping):
        if str(next(iter(value), "")).startswith("$"):
            return True
        return steps[0] in value and leads(value[steps[0]], steps[1:])
    if isinstance(value, list | tuple):
        if steps[0] == "*":
            return any(leads(item, steps[1:]) for item in value)
        return steps[0].isdecimal() and int(steps[0]) < len(value) and leads(value[int(steps[0])], steps[1:])
    # A text may hold JSON (`decode_nested_json`); whatever else is no plain value is a matcher made in Python.
    if isinstance(value, str):
        return value.lstrip()[:1] in ("{", "[")
    return not isinstance(value, bool | int | float | None)
