"""Faults of one expected call: its matchers, what the tool's schema says of it, its options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from ...core.arguments import Given, read_arguments
from ...core.comparators.one_of import OneOf
from ...core.comparators.optional import Maybe
from ...core.equality.comparing import Comparing
from ...core.jsonvalue import InvalidJSONError, decode_loose, show
from ...core.matcher import MATCHERS, Matcher, holds_matcher
from ...core.options import CALL_OPTIONS
from ...core.pairing.matched import MatchingAlignments
from ...core.paths import join
from ...core.schema.document import parts_at
from ...core.types import Case, Expectation, ExpectedCall, ToolSpec
from ...errors import nearest
from ...evaluators.tool_call_valid import violations
from ..judging.meanings import means
from ..schemas import satisfies
from .finding import Finding, Notes
from .momentary import momentary_values
from .unmeetable import kind_of_matcher, unmeetable

__all__ = ["faults_of_call", "written"]


def written(call: ExpectedCall) -> Any:
    """The arguments of an expected call as they are written, matchers and all."""
    return call.raw.value if isinstance(call.raw, Given) else read_arguments(call.raw).value


def faults_of_call(
    case: Case, call: ExpectedCall, specs: Mapping[str, ToolSpec], field: str, note: Notes
) -> Iterator[Finding]:
    """The faults of one call, or of one of several that fill a place.

    Raises:
        DataError: a matcher, or the tool's schema, can't be read.
    """
    value = _readable(case, call, field)
    if specs:
        yield from _against_tools(call, value, specs, field, note)
    spec = specs.get(call.name)
    for path, why in unmeetable(value, None if spec is None else spec.schema):
        yield note("error", "unmeetable", f"{call.name}: {path[1:]}: {why}", f"{field}.arguments")
    for path in _late_matchers(written(call), "") if _is_object(call) else ():
        where = path[1:] or "the arguments"
        message = (
            f"{call.name}: in {where} a key names a matcher, but it is not the first, so it is a plain value"
        )
        yield note("warning", "no_matcher", message, f"{field}.arguments")
    for path, text, matcher in _as_text(written(call), "") if _is_object(call) else ():
        message = f"{call.name}: {path[1:]}: {show(text, 40)} is a plain text here, no matcher"
        yield note("warning", "no_matcher", f"{message}; write {matcher}", f"{field}.arguments")
    for path, kind in momentary_values(value):
        if path in _paths(call, "ignore"):
            continue
        hint = f'{path[1:]} looks like {kind}; pass over it with "options": {{"ignore": ["{path}"]}}'
        yield note("warning", "momentary_value", f"{call.name}: {hint}", field)
    for name in CALL_OPTIONS:
        for path in _paths(call, name):
            yield from _unknown_path(call, value, spec, (name, path), field, note)


def _readable(case: Case, call: ExpectedCall, field: str) -> dict[str, Any]:
    """The arguments of an expected call with their matchers made.

    Raises:
        ExpectationError: they can't be read.
    """
    alone = replace(call, alternatives=(), count=None, optional=False)
    bare = Case(id=case.id, actual=(), expected=Expectation(calls=(alone,), special=True))
    seen = MatchingAlignments(bare, Comparing(validate=satisfies, means=means), fields=(field,))
    return seen.expected_reading(0).value or {}


def _is_object(call: ExpectedCall) -> bool:
    """Whether its arguments are written as an object, in which matchers are read."""
    return isinstance(call.raw, Given) or bytes(call.raw)[:1] == b"{"


def _late_matchers(value: Any, path: str) -> Iterator[str]:
    """Where an object has the name of a matcher among its keys, but not as its first."""
    if isinstance(value, Mapping):
        keys = list(value)
        if path and keys and str(keys[0]).startswith("$"):
            return  # a matcher: what stands in it, and beside its name, was read
        if any(isinstance(key, str) and key[:1] == "$" and key[1:] in MATCHERS for key in keys[not path :]):
            yield path
        for key, item in value.items():
            yield from _late_matchers(item, join(path, str(key)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _late_matchers(item, join(path, index))


def _as_text(value: Any, path: str) -> Iterator[tuple[str, str, str]]:
    """(path, text, the matcher that was meant) of each text that is a matcher's name, or the JSON text of one."""
    if isinstance(value, Mapping):
        for key, item in () if "$literal" in value else value.items():
            yield from _as_text(item, join(path, str(key)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _as_text(item, join(path, index))
    elif isinstance(value, str) and value.strip()[:1] in ("$", "{"):
        text = value.strip()
        if text[1:] in MATCHERS and text[0] == "$":
            yield path, value, show(MATCHERS.get(text[1:]).declaration.example, 80)
        elif '"$' in text and holds_matcher({"value": _decoded(text)}):
            yield path, value, "the object itself"


def _decoded(text: str) -> Any:
    try:
        return decode_loose(text.encode())
    except InvalidJSONError:
        return None


def _paths(call: ExpectedCall, option: str) -> Sequence[str]:
    """The paths that one of a call's own options lists, or has values for."""
    found = call.options.get(option) if isinstance(call.options, Mapping) else None
    listed = found if isinstance(found, list | tuple | Mapping) else ()
    return [path for path in listed if isinstance(path, str) and path[:1] == "/"]


def _unknown_path(
    call: ExpectedCall,
    value: Mapping[str, Any],
    spec: ToolSpec | None,
    said: tuple[str, str],
    field: str,
    note: Notes,
) -> Iterator[Finding]:
    option, path = said
    steps = [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]
    if _leads(value, steps):
        return
    schema = None if spec is None else spec.schema
    # Any index stands for the items of a list.
    if schema is not None and any(True for _ in parts_at(schema, path.replace("/*", "/0"))):
        return
    near = nearest(steps[0], value) if steps else None
    hint = f"; did you mean {join('', near)!r}?" if near else ""
    message = f"{call.name}: {option} {path!r} leads to no argument{hint}"
    yield note("warning", "unknown_path", message, f"{field}.options")


def _leads(value: Any, steps: Sequence[str]) -> bool:
    """Whether something is at a path, or may be inside a matcher there."""
    if not steps or isinstance(value, Matcher):
        return True
    if isinstance(value, Mapping):
        return steps[0] in value and _leads(value[steps[0]], steps[1:])
    if isinstance(value, list):
        if steps[0] == "*":
            return any(_leads(item, steps[1:]) for item in value)
        return steps[0].isdecimal() and int(steps[0]) < len(value) and _leads(value[int(steps[0])], steps[1:])
    return False


def _against_tools(
    call: ExpectedCall, value: Mapping[str, Any], specs: Mapping[str, ToolSpec], field: str, note: Notes
) -> Iterator[Finding]:
    spec = specs.get(call.name)
    if spec is None:
        near = nearest(call.name, specs)
        hint = f"; did you mean {near!r}?" if near else ""
        message = f"{call.name!r} is not among the offered tools{hint}"
        yield note("error", "unknown_tool", message, f"{field}.name")
        return
    if spec.schema is None:
        return
    matchers = dict(_matchers(value, ""))
    for path, message in violations(spec, _plain(value)):
        # A matcher says which values are fine; its stand-in says nothing.
        if any(path == each or path.startswith(f"{each}/") for each in matchers):
            continue
        if any(each.startswith(f"{path}/") for each in matchers) and not _is_of_keys(message):
            continue
        if "required" in message and _names_optional(message, _at(value, path)):
            continue
        yield note("error", "schema", f"{call.name}: {message}", f"{field}.arguments")
    for path, matcher in matchers.items():
        yield from _refused(call, spec, value, path, matcher, field, note)


def _is_of_keys(message: str) -> bool:
    """Whether a violation is about which keys there are, not about the values under them."""
    return "is a required property" in message or "Additional properties" in message


def _matchers(value: Any, path: str) -> Iterator[tuple[str, Matcher]]:
    if isinstance(value, Matcher):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _matchers(item, join(path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _matchers(item, join(path, index))


def _at(value: Any, path: str) -> Any:
    for step in path.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


_MOST_VALUES: Final = 200
"""Values of one ``$one_of`` that are held against the schema."""


def _refused(
    call: ExpectedCall,
    spec: ToolSpec,
    value: Mapping[str, Any],
    path: str,
    matcher: Matcher,
    field: str,
    note: Notes,
) -> Iterator[Finding]:
    """The values of a ``$one_of``, or of a list of accepted values, that the schema does not allow."""
    inner = matcher.value if isinstance(matcher, Maybe) else matcher
    values = inner.values[:_MOST_VALUES] if isinstance(inner, OneOf) else (inner,)
    if call.accepted is not None:  # an empty text says that the argument may be left out
        values = tuple(each for each in values if each != "" or not isinstance(each, str))
    plain = [each for each in values if not isinstance(each, Matcher) and not holds_matcher(each)]
    wrong = []
    for each in plain:
        found = violations(spec, _plain(_with(value, path.split("/")[1:], each)))
        if any(where == path or where.startswith(f"{path}/") for where, _ in found):
            wrong.append(each)
    if not wrong:
        return
    shown = ", ".join(show(each, 30) for each in wrong[:6])
    name = "the accepted values" if call.accepted is not None else f"the values of {kind_of_matcher(matcher)}"
    every = len(wrong) == len(values)
    message = f"{call.name}: {path[1:]}: of {name} the schema allows {'none' if every else 'not'}: {shown}"
    yield note("error" if every else "warning", "schema", message, f"{field}.arguments")


def _with(value: Any, steps: Sequence[str], new: Any) -> Any:
    """A value with another one at a place."""
    if not steps:
        return new
    key = steps[0].replace("~1", "/").replace("~0", "~")
    if isinstance(value, list):
        return [
            _with(item, steps[1:], new) if index == int(key) else item for index, item in enumerate(value)
        ]
    return {name: _with(item, steps[1:], new) if name == key else item for name, item in value.items()}


def _plain(value: Any) -> Any:
    """Arguments without what may be left out, and with something in the place of every other matcher."""
    if isinstance(value, Mapping):
        return {
            key: _plain(item)
            for key, item in value.items()
            if not (isinstance(item, Matcher) and (item.optional or item.absent))
        }
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if isinstance(value, Matcher) else value


def _names_optional(message: str, value: Any) -> bool:
    return isinstance(value, Mapping) and any(
        isinstance(item, Matcher) and item.optional and not item.absent and repr(key).strip("'") in message
        for key, item in value.items()
    )
