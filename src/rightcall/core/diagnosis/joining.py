"""Missing and extra keys that are one key: renamed, or standing at another place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from ..equality.compare import Gap
from ..jsonvalue import same_value
from .names import near_names

__all__ = ["Joined", "join_gaps", "key_of"]

_MANY: Final = 2500
"""Combinations of missing and extra keys above which nobody wants to know which is which."""


class Joined(Gap, frozen=True):
    """A missing and an extra key that are one; `new` is the pointer of the extra one.

    The form is ``renamed`` (another name, the same place) or ``nested`` (another place). `how` tells of a nested one
    whether it is ``moved``, or an object ``wrapped`` around several keys or ``unwrapped`` that should hold them.
    """

    new: str = ""
    how: str = "moved"


def join_gaps(gaps: list[Gap]) -> list[Gap]:
    """The same gaps, those that are one key under two names or at two places joined."""
    extras = [gap for gap in gaps if gap.form == "extra" and not gap.absent]
    missing = [gap for gap in gaps if gap.form == "missing"]
    if not extras or not missing or len(extras) * len(missing) > _MANY:
        return gaps
    joined: dict[int, Gap] = {}
    gone: set[int] = set()
    for wrapped in _wrapped(missing, extras), _unwrapped(missing, extras):
        for gap, parts in wrapped:
            if not gone & {id(part) for part in parts}:
                joined[id(parts[0])] = gap
                gone.update(id(part) for part in parts)
    tests: list[tuple[str, Callable[[Gap, Gap], bool]]] = [
        (
            "renamed",
            lambda gap, extra: _parent(extra.path) == _parent(gap.path) and _same_content(gap, extra),
        ),
        ("renamed", lambda gap, extra: _parent(extra.path) == _parent(gap.path) and _near_keys(gap, extra)),
        ("nested", _moved),
    ]
    for form, test in tests:
        for gap in missing:
            if id(gap) in gone:
                continue
            extra = next((each for each in extras if id(each) not in gone and test(gap, each)), None)
            if extra is not None:
                joined[id(gap)] = Joined(gap.path, form, gap.expected, extra.actual, new=extra.path)
                gone.update((id(gap), id(extra)))
    return [joined.get(id(gap), gap) for gap in gaps if id(gap) in joined or id(gap) not in gone]


Wrapped = Iterator[tuple[Gap, list[Gap]]]


def _wrapped(missing: list[Gap], extras: list[Gap]) -> Wrapped:
    """Missing keys that stand together in one extra object: `{"input": {"city": ..}}` for `{"city": ..}`."""
    for extra in extras:
        if not isinstance(extra.actual, dict) or not extra.actual:
            continue
        beside = [gap for gap in missing if _parent(gap.path) == _parent(extra.path)]
        inside = [gap for gap in beside if _has(extra.actual, gap.path, gap.expected)]
        if beside and len(inside) == len(beside):
            expected = {_unescaped(key_of(gap.path)): gap.expected for gap in inside}
            yield (
                Joined(inside[0].path, "nested", expected, extra.actual, new=extra.path, how="wrapped"),
                [*inside, extra],
            )


def _unwrapped(missing: list[Gap], extras: list[Gap]) -> Wrapped:
    """A missing object whose keys stand outside: `{"city": ..}` for `{"input": {"city": ..}}`."""
    for gap in missing:
        if not isinstance(gap.expected, dict) or not gap.expected:
            continue
        beside = [extra for extra in extras if _parent(extra.path) == _parent(gap.path)]
        inside = [extra for extra in beside if _has(gap.expected, extra.path, extra.actual)]
        if inside and len(inside) == len(gap.expected):
            actual = {_unescaped(key_of(extra.path)): extra.actual for extra in inside}
            yield (
                Joined(gap.path, "nested", gap.expected, actual, new=_parent(gap.path), how="unwrapped"),
                [gap, *inside],
            )


def _has(holder: dict[str, Any], path: str, value: Any) -> bool:
    key = _unescaped(key_of(path))
    return key in holder and same_value(holder[key], value)


def _moved(missing: Gap, extra: Gap) -> bool:
    """Whether a key stands in another object: the same name and value."""
    return (
        _parent(extra.path) != _parent(missing.path)
        and key_of(extra.path) == key_of(missing.path)
        and same_value(missing.expected, extra.actual)
    )


def _same_content(missing: Gap, extra: Gap) -> bool:
    if not same_value(missing.expected, extra.actual):
        return False
    # Under a general value such as true or 0 any two keys would look like one.
    telling = not isinstance(missing.expected, bool) and missing.expected not in (None, 0, 1, "", [], {})
    return telling or _near_keys(missing, extra)


def _near_keys(missing: Gap, extra: Gap) -> bool:
    return type(missing.expected) is type(extra.actual) and near_names(
        key_of(missing.path), key_of(extra.path)
    )


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def key_of(path: str) -> str:
    """The last step of a pointer, as it is written there."""
    return path.rpartition("/")[2]


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")
