"""The named differences of a pair of calls: kind, words, and which option would accept each (contract 7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from ..equality.compare import Comparer, Gap
from ..jsonvalue import same_value, show, show_apart
from ..paths import readable
from ..results import Difference
from ..schema.document import NO_DEFAULT, document_of, parts_at
from .joining import Joined, join_gaps, key_of
from .values import for_path, value_kind

__all__ = ["differences_of"]


def differences_of(
    comparer: Comparer,
    expected: dict[str, Any],
    actual: dict[str, Any],
    *,
    tool: str,
    pair: tuple[int, int],
    schema: Any = None,
) -> list[Difference]:
    """The named differences of two readable argument objects.

    Args:
        comparer: how they were compared.
        expected, actual: the arguments.
        tool: the tool's name.
        pair: (actual, expected) index.
        schema: the JSON Schema of the tool's arguments, where it is known: it tells what an enum has, and defaults.
    """
    gaps = comparer.gaps(expected, actual)
    found: list[Difference] = []
    for gap in gaps if len(gaps) == 1 else join_gaps(gaps):
        form = gap.form
        kind, message, accept_with = _NAMED[form](gap, comparer, schema)
        found.append(
            Difference(
                kind=kind,
                path=gap.path,
                expected=UNSET if form == "extra" else gap.expected,
                actual=UNSET if form == "missing" else gap.actual,
                message=message,
                accept_with=accept_with,
                tool=tool,
                actual_call=pair[0],
                expected_call=pair[1],
            )
        )
    return found


Named = tuple[str, str, str | None]
"""(kind, message, option that accepts it)"""


def _missing(gap: Gap, comparer: Comparer, schema: Any) -> Named:
    name = readable(gap.path)
    if gap.expected is None:
        return (
            "null_vs_missing",
            f"{name} is missing (expected null)",
            for_path("null_equals_missing", gap.path),
        )
    accept = 'args="allow_missing"' if gap.path.count("/") == 1 else for_path("ignore", gap.path)
    if _is_default(schema, gap.path, gap.expected):
        return (
            "default_left_out",
            f"{name} is missing (its default, {show(gap.expected)}, was expected)",
            _DEFAULTS,
        )
    return "missing_key", f"{name} is missing (expected {show(gap.expected)})", accept


def _extra(gap: Gap, comparer: Comparer, schema: Any) -> Named:
    name = readable(gap.path)
    if gap.absent:
        return "extra_key", f"{name} must be left out (is {show(gap.actual)})", for_path("ignore", gap.path)
    if gap.actual is None:
        return (
            "null_vs_missing",
            f"{name} is null (expected to be left out)",
            for_path("null_equals_missing", gap.path),
        )
    accept = 'args="allow_extra"' if gap.path.count("/") == 1 else for_path("ignore", gap.path)
    if _is_default(schema, gap.path, gap.actual):
        return "default_spelled_out", f"{name} is spelled out as its default, {show(gap.actual)}", _DEFAULTS
    return "extra_key", f"{name} was not expected (is {show(gap.actual)})", accept


_DEFAULTS: Final = "schema_defaults=true"


def _is_default(schema: Any, path: str, value: Any) -> bool:
    """Whether the schema declares `value` as the default at `path`."""
    if not isinstance(schema, dict):
        return False
    default = document_of(schema).default(parts_at(schema, path))
    return default is not NO_DEFAULT and same_value(default, value)


def _renamed(gap: Gap, comparer: Comparer, schema: Any) -> Named:
    assert isinstance(gap, Joined)  # noqa: S101 - the only gap of this form
    message = f"{readable(gap.path)} is named {key_of(gap.new)}"
    if not same_value(gap.expected, gap.actual):
        message += f" and is {show(gap.actual)} (expected {show(gap.expected)})"
    return "renamed_key", message, None


def _nested(gap: Gap, comparer: Comparer, schema: Any) -> Named:
    assert isinstance(gap, Joined)  # noqa: S101 - the only gap of this form
    name = readable(gap.path)
    if gap.how == "wrapped":
        names = ", ".join(map(str, gap.expected))
        message = f"{names} {'stands' if len(gap.expected) == 1 else 'stand'} inside {readable(gap.new)}"
    elif gap.how == "unwrapped":
        message = f"what belongs inside {name} stands outside of it"
    else:
        message = f"{name} stands at {readable(gap.new)}"
    return "nesting", message, None


def _length(gap: Gap, comparer: Comparer, schema: Any) -> Named:
    wanted, made = len(gap.expected), len(gap.actual)
    items = "item" if made == 1 else "items"
    return (
        "list_length",
        f"{readable(gap.path)} has {made} {items} (expected {wanted}): {show(gap.actual)}",
        None,
    )


def _order(gap: Gap, comparer: Comparer, schema: Any) -> Named:
    message = f"{readable(gap.path)} has the right items in another order: {show(gap.actual)}"
    return "list_order", f"{message} (expected {show(gap.expected)})", for_path("unordered", gap.path)


def _value(gap: Gap, comparer: Comparer, schema: Any) -> Named:
    if gap.words is not None:
        made = show(gap.actual)
        return "value", f"{readable(gap.path)} is {made} (expected {gap.words})", None
    kind = value_kind(gap.expected, gap.actual, gap.path, schema)
    made, wanted = show_apart(gap.actual, gap.expected)
    message = f"{readable(gap.path)} is {made} (expected {wanted})"
    return kind.name, message + kind.hint, kind.accept_with


_NAMED: Final[dict[str, Callable[[Gap, Comparer, Any], Named]]] = {
    "missing": _missing,
    "extra": _extra,
    "renamed": _renamed,
    "nested": _nested,
    "value": _value,
    "length": _length,
    "order": _order,
}
