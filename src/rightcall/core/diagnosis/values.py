"""How two values differ that should be one: the kind, and the option that accepts it (contract 7)."""

from __future__ import annotations

import json
import re
import unicodedata
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from ..compare_numbers import is_number, within
from ..jsonvalue import InvalidJSONError, decode, same_value
from ..moments import read_moment
from ..options import Tolerance
from .quantities import exact, read_number, same_quantity, unit_names

__all__ = ["HINTS", "Kind", "for_path", "value_kind"]

Kind = tuple[str, str | None]
"""A kind of contract 7, and the option that would accept the difference; None where none would."""

HINTS: Final = {
    "case": ": only the case differs",
    "whitespace": ": only the blanks differ",
    "unicode_form": ": the same characters in another Unicode form",
    "punctuation": ": only punctuation, blanks or case differ",
    "number_precision": ": a rounding difference",
    "number_format": ": the same number in another spelling",
    "unit": ": the same quantity, another unit or spelling of it",
    "double_encoded": ": the value encoded as JSON text",
    "type_mismatch": ": another type",
    "datetime_format": ": the same moment in another spelling",
    "enum_variant": ": not a value that the tool's schema allows",
    "truncated": ": cut off",
    "nesting": ": wrapped in an object on one side only",
    "scalar_vs_list": ": a list on one side only",
}
"""What a message says beside the two values, by kind."""

_NOISE_SHARE: Final = Tolerance(1e-9, relative=True)
"""Numbers this close, as a share, differ by floating-point arithmetic and not by meaning."""


def value_kind(expected: Any, actual: Any, path: str, schema: Any = None) -> Kind:
    """The kind of difference between two unequal values.

    Args:
        expected, actual: as they were written.
        path: JSON pointer into the arguments.
        schema: of the tool's arguments: it tells what an enum has.
    """
    if isinstance(expected, str) and isinstance(actual, str):
        kind = _text_kind(expected, actual, path)
    else:
        kind = _other_kind(expected, actual, path)
    if kind == _VALUE or kind[0] in _LOOKS:
        # What the schema says is surer than how two texts look.
        return _schema_kind(expected, actual, path, schema) or kind
    return kind


_VALUE: Final[Kind] = ("value", None)
_LOOKS: Final = frozenset({"punctuation", "unit", "number_format", "truncated"})


def _schema_kind(expected: Any, actual: Any, path: str, schema: Any) -> Kind | None:
    allowed = _schema_at(schema, path).get("enum") if schema is not None else None
    if isinstance(allowed, list):
        fits = [any(same_value(value, item) for item in allowed) for value in (expected, actual)]
        if fits == [True, False]:
            return "enum_variant", None
    return None


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


def _other_kind(expected: Any, actual: Any, path: str) -> Kind:
    """Of two values that are not both texts."""
    if "null" in (expected, actual) and (expected is None or actual is None):
        return "type_mismatch", for_path("coerce_types", path)
    if expected is None or actual is None:
        return "null_vs_missing" if _blank(expected) and _blank(actual) else "type_mismatch", None
    if _wraps(expected, actual) or _wraps(actual, expected):
        return "nesting", None
    if isinstance(expected, str) != isinstance(actual, str):
        text, other = (expected, actual) if isinstance(expected, str) else (actual, expected)
        return _text_and_other(text, other, path)
    if isinstance(expected, list) != isinstance(actual, list):
        items, other = (expected, actual) if isinstance(expected, list) else (actual, expected)
        return "scalar_vs_list" if len(items) == 1 and same_value(items[0], other) else "type_mismatch", None
    if is_number(expected) and is_number(actual):
        return _number_kind(expected, actual, path)
    return _VALUE if type(expected) is type(actual) else ("type_mismatch", None)


def _wraps(outer: Any, inner: Any) -> bool:
    """Whether one value is the other in an object of one key."""
    return (
        isinstance(outer, dict)
        and len(outer) == 1
        and not isinstance(inner, dict)
        and same_value(next(iter(outer.values())), inner)
    )


def _text_and_other(text: str, other: Any, path: str) -> Kind:
    if isinstance(other, dict | list):
        if _decodes_to(text, other):
            return "double_encoded", for_path("decode_nested_json", path)
        return "scalar_vs_list" if other == [text] else "type_mismatch", None
    # coerce_types takes the number itself, not one with blanks around it.
    if text == text.strip() and _decodes_to(text, other):
        return "type_mismatch", for_path("coerce_types", path)
    if is_number(other) and isinstance(other, int | float) and len(text) <= _LONGEST:
        number = read_number(text)
        if number is not None and text == text.strip() and number == exact(other):
            return "number_format", None
        if same_quantity(text, other):
            return "unit", None
        if abs(other) >= _EPOCH and _same_moment(text, other):
            return "datetime_format", None
    return "type_mismatch", None


_EPOCH: Final = 100_000_000
"""Numbers below are seldom meant as seconds since 1970."""


def _blank(value: Any) -> bool:
    return value in (None, "", [], {}) and not isinstance(value, bool)


def _text_kind(expected: str, actual: str, path: str) -> Kind:
    folded = expected.casefold(), actual.casefold()
    if folded[0] == folded[1]:
        return "case", for_path("ignore_case", path)
    if expected.strip() == actual.strip():
        return "whitespace", for_path("strip", path)
    if "".join(expected.split()) == "".join(actual.split()):
        return "whitespace", None
    plain = expected.isascii() and actual.isascii()  # then there is only one form
    if not plain and unicodedata.normalize("NFC", expected) == unicodedata.normalize("NFC", actual):
        return "unicode_form", f'unicode={{{json.dumps(path)}: "NFC"}}'
    if len(expected) <= _LONGEST and len(actual) <= _LONGEST:
        kind = _short_text_kind(expected, actual)
        if kind is not None:
            return kind, None
    if _words(folded[0]) == _words(folded[1]) != "":
        return "punctuation", None
    return "truncated" if _is_cut(expected, actual) else "value", None


_LONGEST: Final = 60
"""Characters up to which a text may be a number, a quantity or a moment."""

_DIGIT: Final = re.compile(r"\d")


def _short_text_kind(expected: str, actual: str) -> str | None:
    """Of texts that may be one number, quantity or moment."""
    if not (_DIGIT.search(expected) and _DIGIT.search(actual)):
        return "unit" if unit_names(expected, actual) else None
    if _same_moment(expected, actual):
        return "datetime_format"
    number = read_number(expected)
    if number is not None and number == read_number(actual):
        return "number_format"
    return "unit" if same_quantity(expected, actual) else None


def _same_moment(expected: Any, actual: Any) -> bool:
    for day_first in (False, True):
        moment = read_moment(expected, day_first=day_first)
        if moment is not None and moment == read_moment(actual, day_first=day_first):
            return True
    if isinstance(expected, str) and isinstance(actual, str) and ":" in expected + actual:
        # Times without a day are compared on one.
        moment = read_moment(f"{_SOME_DAY} {expected}", day_first=False)
        return moment is not None and moment == read_moment(f"{_SOME_DAY} {actual}", day_first=False)
    return False


_SOME_DAY: Final = "2000-01-01"


_MARKS: Final = re.compile(
    r"[;!?'\"’‘“”`´(){}\[\]_\s]"  # never part of a number
    r"|(?<!\d)[.,:]|[.,:](?!\d)"  # not within 1.5, 1,000 or 12:30
    r"|(?<!\d)[-–—](?!\d)|(?<=[^\W\d])[-–—](?=\d)|(?<=\d)[-–—](?=[^\W\d])"  # neither a minus nor a range
)
"""Punctuation and blanks without weight."""

_DASHES: Final = re.compile(r"(?<=\d)[-–—](?=\d)")
_LONG_NUMBER: Final = 7
"""Digits from which on dashes among them only part groups, as in a telephone number."""


def _words(folded: str) -> str:
    words = _MARKS.sub("", folded)
    return _DASHES.sub("", words) if sum(map(str.isdigit, words)) >= _LONG_NUMBER else words


_ELLIPSIS: Final = re.compile(r"\s*(?:\.{3,}|…)\s*\Z")
_CUT_WORD: Final = 10
_CUT_TEXT: Final = 40


def _is_cut(expected: str, actual: str) -> bool:
    """Whether the actual text is the beginning of the expected one, and no shorter way to say the same.

    It ends in an ellipsis, within a word, or is long.
    """
    kept = _ELLIPSIS.sub("", actual)
    if not kept or len(kept) >= len(expected) or not expected.startswith(kept):
        return False
    if kept != actual:
        return True
    within_word = kept[-1].isalnum() and expected[len(kept)].isalnum()
    return len(kept) >= (_CUT_WORD if within_word else _CUT_TEXT)


def _number_kind(expected: Any, actual: Any, path: str) -> Kind:
    # Two whole numbers that differ were never rounded: they may be ids.
    if isinstance(expected, int) and isinstance(actual, int):
        return _VALUE
    if within(expected, actual, _NOISE_SHARE):
        return "number_precision", f'numeric_tolerance={{{json.dumps(path)}: {{"rel": 1e-9}}}}'
    step = _rounded(expected, actual)
    if step is not None:
        return "number_precision", f"numeric_tolerance={{{json.dumps(path)}: {step}}}"
    return _VALUE


def _rounded(expected: Any, actual: Any) -> str | None:
    """The tolerance that takes one number for the other rounded to fewer decimals; None where it is not that."""
    if not (isinstance(expected, int | float) and isinstance(actual, int | float)):
        return None
    try:
        long, short = sorted((Decimal(str(expected)), Decimal(str(actual))), key=_decimals, reverse=True)
        places = _decimals(short)
        if places < 1 or _decimals(long) <= places or places > _MOST_DECIMALS:
            return None
        step = Decimal(5).scaleb(-places - 1)
    except (InvalidOperation, ValueError):
        return None
    return str(step) if abs(long - short) <= step else None


_MOST_DECIMALS: Final = 15


def _decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def _decodes_to(text: str, value: Any) -> bool:
    if text[:1] not in _JSON_STARTS:
        return False
    try:
        return same_value(decode(text), value)
    except InvalidJSONError:
        return False


_JSON_STARTS: Final = frozenset('{["-0123456789tfn')


def for_path(option: str, path: str) -> str:
    """An option that takes paths, for one path, as it stands in a configuration."""
    return f"{option}=[{json.dumps(path)}]"
