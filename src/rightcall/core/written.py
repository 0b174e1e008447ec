"""Expected calls as they were written, matchers and all: for people and for JSON, never a Python representation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .arguments import Given, read_arguments
from .jsonvalue import InvalidJSONError, canonical, show
from .matcher import Matcher, as_json
from .types import CountRange, ExpectedCall

__all__ = ["written_arguments", "written_call", "written_words"]


def written_arguments(call: ExpectedCall) -> Any:
    """The arguments of an expected call: accepted values, matchers as JSON, or the plain object."""
    if call.accepted is not None:
        return _plain(call.accepted)
    if isinstance(call.raw, Given) and isinstance(call.raw.value, Mapping):
        return _plain(call.raw.value)
    return read_arguments(call.raw).value


def written_call(call: ExpectedCall) -> dict[str, Any]:
    """An expected call as JSON."""
    found: dict[str, Any] = {"name": call.name}
    found["arguments" if call.accepted is None else "accepted"] = written_arguments(call)
    for name in ("group", "output", "options"):
        value = getattr(call, name)
        if value is not None:
            found[name] = _plain(value)
    if call.optional:
        found["optional"] = True
    if call.count is not None:
        found["count"] = _bounds(call.count)
    if call.alternatives:
        found["alternatives"] = [written_call(each) for each in call.alternatives]
    return found


def written_words(call: ExpectedCall) -> str:
    """What an expected call says of itself beside its arguments, in words; empty where it is plain."""
    words: list[str] = []
    if call.optional:
        words.append("optional")
    if call.count is not None:
        low, high = call.count.min or 0, call.count.max
        times = f"{low} or more times" if high is None else f"{low} to {high} times"
        words.append(f"{low} times" if low == high else times)
    words += [f"or {each.name} {show(written_arguments(each))}" for each in call.alternatives]
    return ", ".join(words)


def _bounds(count: CountRange) -> dict[str, int]:
    ends = {"min": count.min, "max": count.max}
    return {name: end for name, end in ends.items() if end is not None}


def _plain(value: Any) -> Any:
    """A value as JSON; an object of Python's own, which only Python can give, as its words."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Matcher):
        return as_json(value)
    try:
        return canonical(value)
    except InvalidJSONError:
        return {"$python": show(repr(value), 200)}
