"""Expected calls as they would have to be for the calls that were made: what already fits stays as it is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from ...core.diagnosis.calls import CONFUSED
from ...core.equality.compare import Comparer
from ...core.jsonvalue import InvalidJSONError, decode, same_value, show
from ...core.matcher import is_whole_matcher, parse_expected
from ...core.paths import join
from ...core.reading.callfields import ARGUMENT_KEYS, NAME_KEYS
from ...core.results import Difference, Pair
from ...core.types import ToolCall
from ...errors import RightcallError
from ..convert import encoded
from ..judging.meanings import means
from ..schemas import satisfies
from .record import literal

__all__ = ["Failure", "corrected_calls", "made_calls"]


class Failure(Struct, frozen=True):
    """How a case failed, with expected calls counted as they are written.

    Attributes:
        pairs, differences: as in :class:`Details`.
        path: which of several expected paths was taken.
    """

    pairs: tuple[Pair, ...] = ()
    differences: tuple[Difference, ...] = ()
    path: int | None = None


_Said = list[str]


def made_calls(made: Sequence[ToolCall]) -> tuple[list[Any], list[str]]:
    """The calls that were made, as expected calls; and that in words."""
    return [_fresh(call) for call in made], ["the calls that were made"]


def corrected_calls(
    items: Sequence[Any], made: Sequence[ToolCall], failure: Failure, *, narrow: bool, in_order: bool
) -> tuple[list[Any], list[str]]:
    """Expected calls changed where they differ from the calls made; and what changed in words.

    Args:
        items: the expected calls as they are written.
        made: the calls made; their arguments can be read.
        failure: how they were paired, and what was different.
        narrow: whether arguments change only where a difference was found.
        in_order: whether the expected calls take the order of the calls made.
    """
    serves = _partners(failure)
    said: _Said = []
    found: list[tuple[int, Any]] = []  # (place, item)
    used: set[int] = set()
    place = -1
    for index, call in enumerate(made):
        partner = serves.get(index)
        if partner is None or partner[0] >= len(items):
            found.append((place, _fresh(call)))
            said.append(f"also {_shown(call)}")
            continue
        at, differs = partner
        place = max(place, at) if in_order else at
        if at in used:
            continue  # several calls for one that is expected often
        used.add(at)
        paths = _paths(failure, index, at) if narrow else None
        item = _changed(items[at], call, paths, said) if differs else items[at]
        found.append((place, item))
    gone = {item.expected_call for item in failure.differences if item.kind == "missing_call"} - used
    for at, item in enumerate(items):
        if at in used:
            continue
        if at in gone:
            said.append(f"no {_name(item)}")
        else:
            found.append((at, item))
    if not in_order:
        found.sort(key=lambda each: each[0])
    return [item for _, item in found], list(dict.fromkeys(said))


def _partners(failure: Failure) -> dict[int, tuple[int, bool]]:
    """For each call made the expected call that it is about, and whether the two differ."""
    named = {item.actual_call for item in failure.differences if item.kind != "out_of_order"}
    serves = {
        pair.actual: (pair.expected, pair.credit < 1.0 or pair.actual in named) for pair in failure.pairs
    }
    for item in failure.differences:
        if item.kind in CONFUSED and item.actual_call is not None and item.expected_call is not None:
            serves.setdefault(item.actual_call, (item.expected_call, True))
    return serves


_ELSEWHERE: Final = ("renamed_key", "nesting")
"""Kinds whose path is only one of the places that differ."""


def _paths(failure: Failure, actual: int, expected: int) -> tuple[str, ...] | None:
    """Where the arguments of a pair differ; None where that can be anywhere."""
    found = [
        item
        for item in failure.differences
        if item.actual_call == actual and item.expected_call == expected and item.path
    ]
    if not found or any(item.kind in _ELSEWHERE for item in found):
        return None
    return tuple(item.path for item in found)


def _fresh(call: ToolCall) -> dict[str, Any]:
    return {"name": call.name, "arguments": literal(call.arguments, top=True)}


def _shown(call: ToolCall) -> str:
    return f"{call.name}({show(call.arguments, 60)})"


def _name(item: Any) -> str:
    body = _body(item)
    key = next((key for key in NAME_KEYS if isinstance(body.get(key), str)), None)
    return str(body[key]) if key is not None else next((str(key) for key in body), "call")


def _body(item: Any) -> Mapping[str, Any]:
    """The part of a written call that has name and arguments."""
    if not isinstance(item, Mapping):
        return {}
    inner = item.get("function")
    return inner if isinstance(inner, Mapping) else item


def _changed(item: Any, call: ToolCall, paths: tuple[str, ...] | None, said: _Said) -> Any:
    """A written call so that it asks for the call made."""
    if isinstance(item, Mapping) and item.get("alternatives"):
        said.append(f"{_name(item)}: or {_shown(call)}")
        return {**item, "alternatives": [*item["alternatives"], _fresh(call)]}
    body = _body(item)
    key = next((key for key in NAME_KEYS if isinstance(body.get(key), str)), None)
    if key is None or "accepted" in body:
        said.append(f"{_shown(call)} instead of {_name(item)}")
        return _fresh(call)
    changed = dict(body)
    if body[key] != call.name:
        said.append(f"{call.name} instead of {body[key]}")
        changed[key] = call.name
    where = next((name for name in ARGUMENT_KEYS if name in body), "arguments")
    wire = body is not item
    changed[where] = _arguments(body.get(where), call, paths, wire=wire, said=said)
    return {**item, "function": changed} if wire else changed


def _arguments(
    written: Any, call: ToolCall, paths: tuple[str, ...] | None, *, wire: bool, said: _Said
) -> Any:
    """The arguments of a written call, in the form in which they were written."""
    text = isinstance(written, str)
    before = written
    if isinstance(written, str):
        try:
            before = decode(written)
        except InvalidJSONError:
            before = None
    before = before if isinstance(before, dict) else {}
    made = call.arguments or {}
    new = _merged(before, made, paths, "", matching=not (text or wire))
    if not (text or wire) and (is_whole_matcher(before) or is_whole_matcher(new)):
        new = literal(made, top=True)  # arguments that look like a matcher are written as what they are
    said += [f"{call.name}: {words}" for words in _words(before, new, "")]
    if isinstance(written, str):
        return written if same_value(before, new) and written.strip() else encoded(new).decode()
    return new


def _merged(before: Any, made: Any, paths: tuple[str, ...] | None, path: str, *, matching: bool) -> Any:
    """What is written, with what was made at and below the paths; everywhere without paths."""
    if paths is not None:
        if any(path == each or path.startswith(f"{each}/") for each in paths):
            paths = None
        elif not any(each.startswith(f"{path}/") for each in paths):
            return before
    if matching and path and _is_matcher(before):
        return before if _takes(before, made) else literal(made)
    if isinstance(before, dict) and isinstance(made, dict):
        return _merged_object(before, made, paths, path, matching=matching)
    if isinstance(before, list) and isinstance(made, list) and len(before) == len(made):
        return [
            _merged(old, new, paths, join(path, index), matching=matching)
            for index, (old, new) in enumerate(zip(before, made, strict=True))
        ]
    if paths is not None or same_value(before, made):
        return before
    return literal(made) if matching else made


def _merged_object(
    before: dict[str, Any], made: dict[str, Any], paths: tuple[str, ...] | None, path: str, *, matching: bool
) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, old in before.items():
        where = join(path, key)
        if key in made:
            kept[key] = _merged(old, made[key], paths, where, matching=matching)
        elif (paths is not None and where not in paths) or (matching and _may_be_absent(old)):
            kept[key] = old
    for key, new in made.items():
        if key not in before and (paths is None or join(path, key) in paths):
            kept[key] = literal(new) if matching else new
    return kept


def _is_matcher(value: Any) -> bool:
    return isinstance(value, dict) and next(iter(value), "").startswith("$")


def _may_be_absent(value: Any) -> bool:
    return _is_matcher(value) and next(iter(value)) in ("$optional", "$absent")


_WITH_MATCHERS: Final = Comparer(matching=True)


def _takes(written: Any, made: Any) -> bool:
    try:
        matcher = parse_expected({"value": written}, "", validate=satisfies, means=means)
        return _WITH_MATCHERS.same(matcher, {"value": made})
    except RightcallError:
        return False


def _words(before: Any, after: Any, path: str) -> Iterator[str]:
    """What changed between two arguments, place by place."""
    if isinstance(before, dict) and isinstance(after, dict) and not (path and _is_matcher(before)):
        for key in before:
            if key not in after:
                yield f"no {join(path, key)[1:]}"
        for key, value in after.items():
            if key not in before:
                yield f"{join(path, key)[1:]} = {show(value, 40)}"
            else:
                yield from _words(before[key], value, join(path, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        other = [index for index, old in enumerate(before) if not same_value(old, after[index])]
        if len(other) == 1:
            yield from _words(before[other[0]], after[other[0]], join(path, other[0]))
        elif other:
            yield f"{path[1:]} = {show(after, 60)}"
    elif not same_value(before, after):
        yield f"{path[1:]} = {show(after, 40)}" if path else f"arguments {show(after, 60)}"
