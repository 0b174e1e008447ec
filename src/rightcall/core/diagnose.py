"""Names the kind of each difference, says it in words, and which option would accept it (contract 7)."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

from msgspec import UNSET

from .compare import Comparer, Gap
from .compare_numbers import is_number, within
from .jsonvalue import InvalidJSONError, canonical, decode, same_value, show, show_apart
from .moments import read_moment
from .options import Tolerance
from .paths import readable
from .results import Difference

__all__ = ["differences_of", "moved", "near_names", "repeats", "unreadable", "unpaired"]

_MANY: Final = 2500

_NOISE_SHARE: Final = Tolerance(1e-9, relative=True)
"""Numbers this close, as a share, differ by floating-point arithmetic and not by meaning."""


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
        schema: the JSON Schema of the tool's arguments, where it is known: it tells what an enum has.
    """
    gaps = comparer.gaps(expected, actual)
    found: list[Difference] = []
    for gap in gaps if len(gaps) == 1 else _join_renamed(gaps):
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


class _Renamed(Gap, frozen=True):
    """A missing and an extra key that are one key under two names; `new` is the extra one's pointer."""

    new: str = ""


def _join_renamed(gaps: list[Gap]) -> Iterator[Gap]:
    """Missing and extra keys of one object that are the same key renamed: an equal value, or near names."""
    extras = [gap for gap in gaps if gap.form == "extra"]
    # Every missing key is held against every extra one; of very many keys nobody wants to know which is which.
    if not extras or len(extras) * (len(gaps) - len(extras)) > _MANY:
        yield from gaps
        return
    joined: dict[int, _Renamed] = {}
    gone: set[int] = set()
    for test in (_same_content, _near_keys):
        for gap in gaps:
            if gap.form != "missing" or id(gap) in joined:
                continue
            for extra in extras:
                if id(extra) not in gone and _parent(extra.path) == _parent(gap.path) and test(gap, extra):
                    joined[id(gap)] = _Renamed(gap.path, "renamed", gap.expected, extra.actual, extra.path)
                    gone.add(id(extra))
                    break
    for gap in gaps:
        if id(gap) not in gone:
            yield joined.get(id(gap), gap)


def _same_content(missing: Gap, extra: Gap) -> bool:
    if not same_value(missing.expected, extra.actual):
        return False
    # Under a general value such as true or 0 any two keys would look like one.
    telling = not isinstance(missing.expected, bool) and missing.expected not in (None, 0, 1, "", [], {})
    return telling or _near_keys(missing, extra)


def _near_keys(missing: Gap, extra: Gap) -> bool:
    return type(missing.expected) is type(extra.actual) and near_names(_key(missing.path), _key(extra.path))


@lru_cache(maxsize=4096)
def near_names(a: str, b: str) -> bool:
    """Whether two names are near: the same letters in another style, one inside the other, or few edits."""
    short, long = sorted((_letters(a), _letters(b)), key=len)
    if not short:
        return False
    return (
        short == long
        or (len(short) >= 4 and short in long)
        or (len(long) <= _LONG_NAME and _few_edits(short, long, len(long) // 4))
    )


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


_LONG_NAME: Final = 64
"""Letters above which edits are not counted."""


def _few_edits(short: str, long: str, limit: int) -> bool:
    """Whether at most `limit` edits make one of the other; most names differ by far more, which shows early."""
    if len(long) - len(short) > limit:
        return False
    start, size = 0, len(short)
    while start < size and short[start] == long[start]:
        start += 1
    end = 0
    while end < size - start and short[-1 - end] == long[-1 - end]:
        end += 1
    rest = len(long) - start - end
    # What is left begins and ends with an edit.
    return rest <= limit or (
        limit > 1 and _edits(short[start : size - end], long[start : start + rest]) <= limit
    )


def _edits(a: str, b: str) -> int:
    """Levenshtein distance; names are short."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (left != right))
    return row[-1]


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _key(path: str) -> str:
    return path.rpartition("/")[2]


Named = tuple[str, str, str | None]


def _missing(gap: Gap, comparer: Comparer, schema: Any) -> Named:
    name = readable(gap.path)
    if gap.expected is None:
        return (
            "null_vs_missing",
            f"{name} is missing (expected null)",
            _for_path("null_equals_missing", gap.path),
        )
    accept = 'args="allow_missing"' if gap.path.count("/") == 1 else _ignore(gap.path)
    if _is_default(comparer, gap.path, gap.expected):
        return (
            "default_left_out",
            f"{name} is missing (its default, {show(gap.expected)}, was expected)",
            _DEFAULTS,
        )
    return "missing_key", f"{name} is missing (expected {show(gap.expected)})", accept


def _extra(gap: Gap, comparer: Comparer, schema: Any) -> Named:
    name = readable(gap.path)
    if gap.absent:
        return "extra_key", f"{name} must be left out (is {show(gap.actual)})", _ignore(gap.path)
    if gap.actual is None:
        return (
            "null_vs_missing",
            f"{name} is null (expected to be left out)",
            _for_path("null_equals_missing", gap.path),
        )
    accept = 'args="allow_extra"' if gap.path.count("/") == 1 else _ignore(gap.path)
    if _is_default(comparer, gap.path, gap.actual):
        return "default_spelled_out", f"{name} is spelled out as its default, {show(gap.actual)}", _DEFAULTS
    return "extra_key", f"{name} was not expected (is {show(gap.actual)})", accept


_DEFAULTS: Final = "schema_defaults=true"


def _is_default(comparer: Comparer, path: str, value: Any) -> bool:
    """Whether the schema declares `value` as the default at `path`."""
    schema: Any = comparer.schema
    if schema is None:
        return False
    for step in path.split("/")[1:]:
        properties = schema.get("properties") if isinstance(schema, dict) else None
        schema = (
            properties.get(step.replace("~1", "/").replace("~0", "~"))
            if isinstance(properties, dict)
            else None
        )
    if not isinstance(schema, dict) or "default" not in schema:
        return False
    try:
        return same_value(canonical(schema["default"]), value)
    except InvalidJSONError:
        return False


def _renamed(gap: Gap, comparer: Comparer, schema: Any) -> Named:
    assert isinstance(gap, _Renamed)  # noqa: S101 - the only gap of this form
    message = f"{readable(gap.path)} is named {_key(gap.new)}"
    if not same_value(gap.expected, gap.actual):
        message += f" and is {show(gap.actual)} (expected {show(gap.expected)})"
    return "renamed_key", message, None


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
    return "list_order", f"{message} (expected {show(gap.expected)})", _for_path("unordered", gap.path)


def _value(gap: Gap, comparer: Comparer, schema: Any) -> Named:
    if gap.words is not None:
        made = show(gap.actual)
        return "value", f"{readable(gap.path)} is {made} (expected {gap.words})", None
    kind, accept = _value_kind(gap.expected, gap.actual, gap.path)
    if kind == "value":
        kind = _known_kind(gap, schema)
    made, wanted = show_apart(gap.actual, gap.expected)
    message = f"{readable(gap.path)} is {made} (expected {wanted})"
    return kind, message + _HINTS.get(kind, ""), accept


def _known_kind(gap: Gap, schema: Any) -> str:
    """What the tool's schema, or the look of two texts, tells of a value that is just another one."""
    allowed = _schema_at(schema, gap.path).get("enum")
    if isinstance(allowed, list):
        fits = [any(same_value(value, item) for item in allowed) for value in (gap.expected, gap.actual)]
        if fits == [True, False]:
            return "enum_variant"
    if isinstance(gap.expected, str) and isinstance(gap.actual, str) and _DIGIT.search(gap.expected):
        for day_first in (False, True):
            moment = read_moment(gap.expected, day_first=day_first)
            if moment is not None and moment == read_moment(gap.actual, day_first=day_first):
                return "datetime_format"
    return "value"


_DIGIT: Final = re.compile(r"\d")


def _schema_at(schema: Any, path: str) -> dict[str, Any]:
    """What a schema says of the value at a path; empty where it says nothing."""
    for step in path.split("/")[1:]:
        if not isinstance(schema, dict):
            return {}
        properties = schema.get("properties")
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(properties, dict) and key in properties:
            schema = properties[key]
        else:
            schema = schema.get("items") if key.isdigit() else None
    return schema if isinstance(schema, dict) else {}


_HINTS: Final = {
    "case": ": only the case differs",
    "whitespace": ": only the blanks differ",
    "unicode_form": ": the same characters in another Unicode form",
    "number_precision": ": a rounding difference",
    "double_encoded": ": the value encoded as JSON text",
    "type_mismatch": ": another type",
    "datetime_format": ": the same moment in another spelling",
    "enum_variant": ": not a value that the tool's schema allows",
}


def _value_kind(expected: Any, actual: Any, path: str) -> tuple[str, str | None]:
    if isinstance(expected, str) and isinstance(actual, str):
        return _text_kind(expected, actual, path)
    if "null" in (expected, actual) and (expected is None or actual is None):
        return "type_mismatch", _for_path("coerce_types", path)
    if expected is None or actual is None:
        return "null_vs_missing" if _blank(expected) and _blank(actual) else "type_mismatch", None
    if isinstance(expected, str) != isinstance(actual, str):
        text, other = (expected, actual) if isinstance(expected, str) else (actual, expected)
        if isinstance(other, (dict, list)):
            if _decodes_to(text, other):
                return "double_encoded", _for_path("decode_nested_json", path)
            return "scalar_vs_list" if other == [text] else "type_mismatch", None
        # coerce_types takes the number itself, not one with blanks around it.
        same = text == text.strip() and _decodes_to(text, other)
        return "type_mismatch", _for_path("coerce_types", path) if same else None
    if isinstance(expected, list) != isinstance(actual, list):
        items, other = (expected, actual) if isinstance(expected, list) else (actual, expected)
        return "scalar_vs_list" if len(items) == 1 and same_value(items[0], other) else "type_mismatch", None
    if is_number(expected) and is_number(actual):
        return _number_kind(expected, actual, path)
    return "value" if type(expected) is type(actual) else "type_mismatch", None


def _blank(value: Any) -> bool:
    return value in (None, "", [], {}) and not isinstance(value, bool)


def _text_kind(expected: str, actual: str, path: str) -> tuple[str, str | None]:
    if expected.casefold() == actual.casefold():
        return "case", _for_path("ignore_case", path)
    if expected.strip() == actual.strip():
        return "whitespace", _for_path("strip", path)
    if "".join(expected.split()) == "".join(actual.split()):
        return "whitespace", None
    plain = expected.isascii() and actual.isascii()  # then there is only one form
    if not plain and unicodedata.normalize("NFC", expected) == unicodedata.normalize("NFC", actual):
        return "unicode_form", f'unicode={{{json.dumps(path)}: "NFC"}}'
    return "value", None


def _number_kind(expected: Any, actual: Any, path: str) -> tuple[str, str | None]:
    # Two whole numbers that differ were never rounded: they may be ids.
    whole = isinstance(expected, int) and isinstance(actual, int)
    if not whole and within(expected, actual, _NOISE_SHARE):
        return "number_precision", f'numeric_tolerance={{{json.dumps(path)}: {{"rel": 1e-9}}}}'
    return "value", None


def _decodes_to(text: str, value: Any) -> bool:
    if text[:1] not in _JSON_STARTS:
        return False
    try:
        return same_value(decode(text), value)
    except InvalidJSONError:
        return False


_JSON_STARTS: Final = frozenset('{["-0123456789tfn')


def _for_path(option: str, path: str) -> str:
    return f"{option}=[{json.dumps(path)}]"


def _ignore(path: str) -> str:
    return _for_path("ignore", path)


_NAMED: Final[dict[str, Callable[[Gap, Comparer, Any], Named]]] = {
    "missing": _missing,
    "extra": _extra,
    "renamed": _renamed,
    "value": _value,
    "length": _length,
    "order": _order,
}


def unreadable(problem: str, *, tool: str, pair: tuple[int, int]) -> Difference:
    """The difference of a pair whose actual arguments can't be read."""
    return Difference(
        kind="unreadable_arguments",
        message=problem,
        tool=tool,
        actual_call=pair[0],
        expected_call=pair[1],
    )


def moved(name: str, actual: int, expected: int) -> Difference:
    """A call that was made just as expected, but at another place in the order."""
    return Difference(
        kind="out_of_order",
        message=f"{name} was called at another place in the order",
        tool=name,
        actual_call=actual,
        expected_call=expected,
    )


def repeats(name: str, actual: int, earlier: int) -> Difference:
    """An extra call that says again what an earlier one said."""
    return Difference(
        kind="duplicate_call",
        message=f"{name} was called again with the same arguments as call {earlier + 1}",
        tool=name,
        actual_call=actual,
    )


def unpaired(
    kind: str,
    name: str,
    *,
    actual: int | None = None,
    expected: int | None = None,
    other: str | None = None,
    title: str | None = None,
) -> Difference:
    """A call without a partner: ``missing_call``, ``extra_call`` or ``wrong_tool`` (made as `other`).

    A confused tool carries both names as its values. `title` is the name in words, where several would do.
    """
    if kind == "missing_call":
        message = f"{title or name} was not called"
    elif kind == "extra_call":
        message = f"{name} was called but not expected"
    else:
        message = f"{other} was called instead of {name}"
    return Difference(
        kind=kind,
        message=message,
        expected=name if other is not None else UNSET,
        actual=other if other is not None else UNSET,
        tool=name,
        actual_call=actual,
        expected_call=expected,
    )
