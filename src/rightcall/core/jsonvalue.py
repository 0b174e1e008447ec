"""JSON values: exact decoding, one form for equal values, and the one decision whether two are the same.

Contract 2 ("When are two arguments the same?") is decided in :func:`same_value`. Everything that reaches it
is *canonical*: numbers with an integral value are ints of any size, other numbers are IEEE doubles, numbers
too large for a double are exact Decimals. Then Python's ``==`` differs from JSON equality in one point only,
booleans, and that point is handled here.
"""

from __future__ import annotations

import json
import math
import numbers
import re
from collections.abc import Mapping
from decimal import Context, Decimal, DecimalException
from typing import Any, Final, NoReturn

import msgspec

__all__ = [
    "MAX_DEPTH",
    "InvalidJSONError",
    "canonical",
    "canonical_key",
    "class_in_words",
    "decode",
    "depth_exceeds",
    "duplicate_keys",
    "has_lone_surrogate",
    "is_finite",
    "same_value",
    "show",
    "show_apart",
]

MAX_DEPTH: Final = 200
"""Levels of nesting that arguments may have; the arguments object is level 1 (contract 3)."""

_INT_DIGITS: Final = 4300
"""Integers with more digits are kept as Decimals: CPython refuses to convert longer texts to int."""

_EXACT: Final = Context(
    prec=999_999_999_999_999_999, Emax=999_999_999_999_999_999, Emin=-999_999_999_999_999_999
)
_NAN: Final = math.nan
"""Every NaN becomes this one object, so that a call always equals itself (``is`` is tried before ``==``)."""


class InvalidJSONError(ValueError):
    """A text that is not JSON, or not JSON that can be held: the message says what and where."""


def number_from_text(text: str) -> int | float | Decimal | HugeNumber:
    """A number literal with a fraction or exponent, or of very many digits, in canonical form."""
    value = float(text) if len(text) < _INT_DIGITS or not text.lstrip("-").isdigit() else math.inf
    if value.is_integer():
        return int(value)
    return _exact_decimal(text) if math.isinf(value) else value


class HugeNumber(msgspec.Struct, frozen=True):
    """A number whose exponent no Decimal holds: its digits without trailing zeros, and the exponent."""

    digits: str
    exponent: int

    def __str__(self) -> str:
        return f"{self.digits}e{self.exponent}"


def _exact_decimal(text: str) -> int | Decimal | HugeNumber:
    try:
        value = _EXACT.create_decimal(text)
    except DecimalException:
        digits, _, exponent = text.lower().partition("e")
        if len(exponent) > _INT_DIGITS:
            raise InvalidJSONError("a number whose exponent has thousands of digits") from None
        whole, _, fraction = digits.partition(".")
        kept = (whole + fraction).rstrip("0")
        dropped = len(whole + fraction) - len(kept)
        return HugeNumber(kept, int(exponent) - len(fraction) + dropped)
    if value.adjusted() < _INT_DIGITS and value == value.to_integral_value():
        return int(value)
    # normalize() under a context as precise as the number itself only drops trailing zeros.
    return value.normalize(
        Context(prec=max(1, len(value.as_tuple().digits)), Emax=_EXACT.Emax, Emin=_EXACT.Emin)
    )


_decode_fast = msgspec.json.Decoder(float_hook=number_from_text).decode


def decode(data: bytes | str | msgspec.Raw) -> Any:
    """The canonical value of a JSON text.

    Raises:
        InvalidJSONError: broken JSON, NaN or infinity, invalid UTF-8, a lone surrogate, or nesting beyond
            what can be held. The message names the character position.
    """
    try:
        return _decode_fast(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return _decode_slow(_text(data))


def decode_loose(data: bytes | str | msgspec.Raw) -> Any:
    """Like :func:`decode`, but lone surrogates stay in the value, for rows that hold one somewhere."""
    try:
        return _decode_fast(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return _decode_with_json(_text(data))


def _text(data: bytes | str | msgspec.Raw) -> str:
    if isinstance(data, str):
        return data
    raw = bytes(data)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise InvalidJSONError(f"invalid UTF-8 at byte {error.start}") from None


def _decode_slow(text: str) -> Any:
    """msgspec refused: either say precisely why, or decode what only the standard library holds."""
    value = _decode_with_json(text)
    if has_lone_surrogate(value):
        raise InvalidJSONError("a lone surrogate (half of a character) in a text")
    return value


def _decode_with_json(text: str) -> Any:
    try:
        return json.loads(
            text, parse_float=number_from_text, parse_int=_int_from_text, parse_constant=_refuse
        )
    except json.JSONDecodeError as error:
        raise InvalidJSONError(
            f"{_lower_first(error.msg).removesuffix(' at')} at character {error.pos}"
        ) from None
    except RecursionError:
        raise InvalidJSONError(f"nested more than {MAX_DEPTH} levels deep") from None


def _int_from_text(text: str) -> int | Decimal | HugeNumber:
    if len(text) > _INT_DIGITS:
        return _exact_decimal(text)
    return int(text)


def _refuse(constant: str) -> NoReturn:
    raise InvalidJSONError(f"{constant} is not JSON")


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def canonical(value: object, *, level: int = 1) -> Any:
    """A Python object as a canonical JSON value; the input is not modified.

    Tuples count as arrays; NaN and infinity are kept (they equal themselves).

    Raises:
        InvalidJSONError: a type that JSON does not have, a key that is not a text, a lone surrogate, or
            more than :data:`MAX_DEPTH` levels.
    """
    if isinstance(value, str):
        text = str.__str__(value)  # str() of an enum's member would be its name
        if not text.isascii() and _surrogate(text):
            raise InvalidJSONError("a lone surrogate (half of a character) in a text")
        return text
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, numbers.Number):
        return _canonical_number(value)
    if level > MAX_DEPTH and isinstance(value, (Mapping, list, tuple)):
        raise InvalidJSONError(f"nested more than {MAX_DEPTH} levels deep")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise InvalidJSONError(f"the key {key!r} is not a text")
        return {str(canonical(key)): canonical(item, level=level + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [canonical(item, level=level + 1) for item in value]
    raise InvalidJSONError(_no_json(value))


_INSTEAD: Final = {
    "bytes": "decode it to a text",
    "date": "write its text, as its isoformat() does",
    "datetime": "write its text, as its isoformat() does",
    "frozenset": "make it a list",
    "set": "make it a list",
    "time": "write its text, as its isoformat() does",
    "UUID": "write its text, as str() does",
}
"""What to do with an object of Python, by the name of its class."""


def _no_json(value: object) -> str:
    """Why an object of Python is no value of JSON, and what can be written instead."""
    kind = class_in_words(value)
    if kind == _MATCHER:
        return f"{kind} says which values are fine: it stands in expected arguments, never in actual ones"
    instead = _INSTEAD.get(type(value).__name__, "pass objects, lists, texts, numbers, booleans and None")
    return f"{kind} is not a JSON value: {instead}"


def class_in_words(value: object) -> str:
    """What an object of Python is, by its class: ``a set``, ``an int``, ``a matcher``."""
    kind = type(value)
    if hasattr(kind, "accepts") and hasattr(kind, "as_json"):
        return _MATCHER
    return f"{'an' if kind.__name__[:1] in 'AEIOUaeiou' else 'a'} {kind.__name__}"


_MATCHER: Final = "a matcher"


def _canonical_number(value: numbers.Number) -> int | float | Decimal | HugeNumber:
    if isinstance(value, numbers.Integral):
        whole = int(value)
        # A Decimal beyond the digit limit, as when the same number is read from text.
        return whole if whole.bit_length() < _INT_DIGITS * 3 else _canonical_huge(whole)
    if isinstance(value, Decimal):
        if value.is_nan():
            return _NAN
        return number_from_text(str(value)) if value.is_finite() else float(value)
    if isinstance(value, numbers.Rational) and value.denominator == 1:
        return _canonical_number(int(value.numerator))  # type: ignore[arg-type]  # typeshed has no numeric tower
    if isinstance(value, numbers.Real):
        try:
            double = float(value)
        except OverflowError:
            raise InvalidJSONError(f"a {type(value).__name__} too large for a number of JSON") from None
        if math.isnan(double):
            return _NAN
        return int(double) if double.is_integer() else double
    raise InvalidJSONError(_no_json(value))


def _canonical_huge(whole: int) -> int | Decimal | HugeNumber:
    exact = _EXACT.create_decimal(whole)
    return whole if exact.adjusted() < _INT_DIGITS else _exact_decimal(str(exact))


def same_value(a: Any, b: Any) -> bool:
    """Whether two canonical JSON values are the same (contract 2, without options).

    Objects ignore key order, arrays do not; numbers compare by value; a boolean is never a number.
    """
    return bool(a is b or a == b) and _booleans_agree(a, b)


def _booleans_agree(a: Any, b: Any) -> bool:
    """Of two values that Python finds equal: is every boolean opposite a boolean?"""
    kind = type(a)
    if kind is str:
        return True
    if kind is dict:
        # Nearly every value is a text, which needs no look; a loop is faster than a generator.
        for key, item in a.items():  # noqa: SIM110
            if type(item) is not str and not _booleans_agree(item, b[key]):
                return False
        return True
    if kind is list:
        return all(map(_booleans_agree, a, b))
    return (kind is bool) == (type(b) is bool)


_encode_sorted = msgspec.json.Encoder(order="sorted", decimal_format="number").encode


def canonical_key(value: Any) -> bytes:
    """A hash key, equal exactly for values that are the same."""
    data = _encode_sorted(value)
    # NaN and infinity, which only Python objects can hold, are written as null; no other key begins with !.
    return b"!" + _encode_sorted(_spelled_out(value)) if b"null" in data and _has_non_finite(value) else data


def _has_non_finite(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_non_finite, value.values()))
    if isinstance(value, list):
        return any(map(_has_non_finite, value))
    return isinstance(value, float) and not math.isfinite(value)


def is_finite(value: Any) -> bool:
    """Whether a canonical value is JSON: Python's objects may hold NaN and infinity, which are none."""
    return not _has_non_finite(value)


def _spelled_out(value: Any) -> Any:
    """A value with its non-finite numbers as texts, which no other text of it is spelled like."""
    if isinstance(value, dict):
        return {key: _spelled_out(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_spelled_out(item) for item in value]
    if isinstance(value, str):
        return f"s{value}"
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def depth_exceeds(value: Any, limit: int = MAX_DEPTH) -> bool:
    """Whether `value`, itself level 1, has more than `limit` levels. No recursion, so any depth is safe."""
    level = [value]
    for _ in range(limit):
        level = [
            child
            for item in level
            if isinstance(item, (dict, list))
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return False
    return True


def has_lone_surrogate(value: Any) -> bool:
    """Whether a text or key anywhere in a decoded value holds half of a surrogate pair."""
    if isinstance(value, str):
        return not value.isascii() and _surrogate(value)
    if isinstance(value, dict):
        return any(has_lone_surrogate(key) or has_lone_surrogate(item) for key, item in value.items())
    return isinstance(value, list) and any(map(has_lone_surrogate, value))


def _surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def duplicate_keys(raw: bytes, value: Any) -> tuple[str, ...]:
    """Keys that the JSON text `raw` gives twice in one object."""
    found: list[str] = []

    def notice(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen and key not in found:
                found.append(key)
            seen.add(key)

    json.loads(raw, object_pairs_hook=notice, parse_int=str, parse_float=str)
    return tuple(found)


_DEEP_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)


def prune(data: bytes, limit: int = 2 * MAX_DEPTH) -> bytes:
    """A JSON text with everything below level `limit` replaced by null, so that a decoder can hold it.

    Arguments that were nested too deeply still are, and are found unreadable; the rest of the row is kept.
    """
    kept: list[bytes] = []
    depth, position = 0, 0
    for token in _DEEP_TOKEN.finditer(data):
        text = token.group()
        if text in (b"{", b"["):
            depth += 1
            if depth == limit + 1:
                kept += (data[position : token.start()], b"null")
        elif text in (b"}", b"]"):
            depth -= 1
            if depth == limit:
                position = token.end()
    if depth > limit:
        return data
    kept.append(data[position:])
    return b"".join(kept)


def show(value: Any, limit: int = 80) -> str:
    """A value as a message shows it: texts in single quotes, numbers unrounded, long ones cut."""
    if isinstance(value, str):
        cut = value[:limit]
        shown = cut if cut.isascii() and cut.isprintable() else cut.translate(_VISIBLE)
        text = f"'{shown}'" if len(value) <= limit else f"'{shown}"
    elif isinstance(value, (float, Decimal, HugeNumber)):
        text = str(value)
    else:
        try:
            text = _encode_shown(value).decode()
        except (TypeError, ValueError, RecursionError):
            text = class_in_words(value)
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def show_apart(a: Any, b: Any, limit: int = 80) -> tuple[str, str]:
    """Two different values as a message shows them: long ones are cut so that the difference is seen."""
    left, right = show(a, limit), show(b, limit)
    if left != right:
        return left, right
    left, right = show(a, _WHOLE), show(b, _WHOLE)
    start = next((place for place, (x, y) in enumerate(zip(left, right, strict=False)) if x != y), 0)
    start = max(0, start - limit // 2)
    return f"...{left[start : start + limit]}", f"...{right[start : start + limit]}"


_WHOLE: Final = 10_000_000

_encode_shown = msgspec.json.Encoder(decimal_format="number").encode

_VISIBLE: Final = {
    **{code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))},
    9: "\\t",
    10: "\\n",
    13: "\\r",
    **{code: f"\\u{code:04x}" for code in (0xA0, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF)},
    **{code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))},
    **{code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)},
}
"""Control, invisible and direction-changing characters as escapes: they must not act on a terminal. Halves of
characters too, which nothing could write."""
