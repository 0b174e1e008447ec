"""How two values differ that should be one: the kind, and the option that accepts it (contract 7)."""

from __future__ import annotations

import datetime as dt
import json
import re
import unicodedata
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NamedTuple

from ..equality.numbers import is_number, within
from ..jsonvalue import InvalidJSONError, decode, same_value
from ..moments import Moment, read_moment
from ..options import Tolerance
from ..schema.document import parts_at
from .names import letters
from .quantities import exact, read_number, same_quantity, unit_names

__all__ = ["Kind", "for_path", "value_kind"]


class Kind(NamedTuple):
    """A kind of contract 7, and the option that would accept the difference; None where none would.

    `words` say how the two values differ, where the kind alone (:data:`_HINTS`) does not.
    """

    name: str
    accept_with: str | None = None
    words: str | None = None

    @property
    def hint(self) -> str:
        """What a message says beside the two values."""
        words = self.words or _HINTS.get(self.name)
        return "" if words is None else f": {words}"


_HINTS: Final = {
    "case": "only the case differs",
    "whitespace": "only the blanks differ",
    "unicode_form": "the same characters in another Unicode form",
    "punctuation": "only punctuation, blanks or case differ",
    "number_precision": "a rounding difference",
    "number_format": "the same number in another spelling",
    "unit": "the same quantity, another unit or spelling of it",
    "double_encoded": "the value encoded as JSON text",
    "type_mismatch": "another type",
    "datetime_format": "the same moment in another spelling",
    "enum_variant": "not a value that the tool's schema allows",
    "truncated": "cut off",
    "nesting": "wrapped in an object on one side only",
    "scalar_vs_list": "a list on one side only",
}
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
    if kind.name == "value" or kind.name in _LOOKS:
        # What the schema says is surer than how two texts look.
        return _schema_kind(expected, actual, path, schema) or kind
    return kind


_VALUE: Final = Kind("value")
_LOOKS: Final = frozenset({"punctuation", "unit", "number_format", "truncated"})


def _schema_kind(expected: Any, actual: Any, path: str, schema: Any) -> Kind | None:
    for part in parts_at(schema, path) if schema is not None else ():
        allowed = part.get("enum")
        if isinstance(allowed, list):
            fits = [any(same_value(value, item) for item in allowed) for value in (expected, actual)]
            if fits == [True, False]:
                return Kind("enum_variant")
    return None


def _other_kind(expected: Any, actual: Any, path: str) -> Kind:
    """Of two values that are not both texts."""
    if "null" in (expected, actual) and (expected is None or actual is None):
        return Kind("type_mismatch", for_path("coerce_types", path))
    if expected is None or actual is None:
        return Kind("null_vs_missing" if _blank(expected) and _blank(actual) else "type_mismatch")
    if _wraps(expected, actual) or _wraps(actual, expected):
        return Kind("nesting")
    if isinstance(expected, str) != isinstance(actual, str):
        text, other = (expected, actual) if isinstance(expected, str) else (actual, expected)
        return _text_and_other(text, other, path)
    if isinstance(expected, list) != isinstance(actual, list):
        items, other = (expected, actual) if isinstance(expected, list) else (actual, expected)
        return Kind("scalar_vs_list" if len(items) == 1 and same_value(items[0], other) else "type_mismatch")
    if is_number(expected) and is_number(actual):
        return _number_kind(expected, actual, path)
    return _VALUE if type(expected) is type(actual) else Kind("type_mismatch")


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
            return Kind("double_encoded", for_path("decode_nested_json", path))
        return Kind("scalar_vs_list" if other == [text] else "type_mismatch")
    # coerce_types takes the number itself, not one with blanks around it.
    if text == text.strip() and _decodes_to(text, other):
        return Kind("type_mismatch", for_path("coerce_types", path))
    if is_number(other) and isinstance(other, int | float) and len(text) <= _LONGEST:
        number = read_number(text)
        if number is not None and text == text.strip() and number == exact(other):
            return Kind("number_format")
        if same_quantity(text, other):
            return Kind("unit")
        if abs(other) >= _EPOCH and _same_moment(text, other):
            return Kind("datetime_format")
    return Kind("type_mismatch")


_EPOCH: Final = 100_000_000
"""Numbers below are seldom meant as seconds since 1970."""


def _blank(value: Any) -> bool:
    return value in (None, "", [], {}) and not isinstance(value, bool)


def _text_kind(expected: str, actual: str, path: str) -> Kind:
    folded = expected.casefold(), actual.casefold()
    if folded[0] == folded[1]:
        return Kind("case", for_path("ignore_case", path))
    if expected.strip() == actual.strip():
        return Kind("whitespace", for_path("strip", path))
    if "".join(expected.split()) == "".join(actual.split()):
        return Kind("whitespace")
    plain = expected.isascii() and actual.isascii()  # then there is only one form
    if not plain and unicodedata.normalize("NFC", expected) == unicodedata.normalize("NFC", actual):
        return Kind("unicode_form", f'unicode={{{json.dumps(path)}: "NFC"}}')
    if not plain and _without_accents(folded[0]) == _without_accents(folded[1]):
        return Kind("unicode_form", words="only accents differ")
    if len(expected) <= _LONGEST and len(actual) <= _LONGEST:
        kind = _short_text_kind(expected, actual)
        if kind is not None:
            return Kind(kind)
    # Marks are no letters, so texts of other letters need no closer look, which takes a while.
    if letters(folded[0]) == letters(folded[1]) and _words(folded[0]) == _words(folded[1]) != "":
        return Kind("punctuation")
    return Kind("truncated") if _is_cut(expected, actual) else _VALUE


def _without_accents(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))


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
        other = read_moment(actual, day_first=day_first)
        if moment is not None and other is not None and _as_day(moment) == _as_day(other):
            return True
    if isinstance(expected, str) and isinstance(actual, str) and ":" in expected + actual:
        # Times without a day are compared on one.
        moment = read_moment(f"{_SOME_DAY} {expected}", day_first=False)
        return moment is not None and moment == read_moment(f"{_SOME_DAY} {actual}", day_first=False)
    return False


_SOME_DAY: Final = "2000-01-01"


def _as_day(moment: Moment) -> Moment:
    """A midnight as its day: a day that was written with a time says no more than one without."""
    when = moment[1]
    return ("day", when.date()) if moment[0] != "day" and when.time() == _MIDNIGHT else moment


_MIDNIGHT: Final = dt.time()


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


_ENDING: Final = 12
"""Characters at the end of a text that may be an ellipsis."""

_ELLIPSIS: Final = re.compile(r"\s*(?:\.{3,}|…)\s*\Z")
_CUT_WORD: Final = 10
_CUT_TEXT: Final = 40


def _is_cut(expected: str, actual: str) -> bool:
    """Whether the actual text is the beginning of the expected one, and no shorter way to say the same.

    It ends in an ellipsis, within a word, or is long.
    """
    kept = actual[:-_ENDING] + _ELLIPSIS.sub("", actual[-_ENDING:])
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
        return Kind("number_precision", f'numeric_tolerance={{{json.dumps(path)}: {{"rel": 1e-9}}}}')
    step = _rounded(expected, actual)
    if step is not None:
        return Kind("number_precision", f"numeric_tolerance={{{json.dumps(path)}: {step}}}")
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
