"""Arguments of a call, kept as they were recorded and decoded when somebody needs them (contract 3).

Arguments stay raw until then because most pairs are equal byte for byte, and equal bytes are equal values.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from .jsonvalue import (
    MAX_DEPTH,
    InvalidJSONError,
    canonical,
    decode,
    depth_exceeds,
    duplicate_keys,
    has_lone_surrogate,
)

__all__ = [
    "Arguments",
    "Given",
    "NOT_CAPTURED",
    "Uncaptured",
    "is_cut_off",
    "Reading",
    "Repair",
    "Unread",
    "read_arguments",
    "repeated_keys",
    "repeats_no_key",
    "surely_readable",
]

Repair = Callable[[str], object]
"""Reads a broken JSON text as well as it can; injected, since it needs a library."""


class Given(Struct, frozen=True, eq=False, gc=False):
    """Arguments that came as a Python value: an object, the JSON text of one, or None."""

    value: Any


class Unread(Given, frozen=True, eq=False, gc=False):
    """Arguments that stay as the text in which they were recorded, since nothing can be made of it.

    Attributes:
        reason: why, in words.
    """

    reason: str


class Uncaptured(Given, frozen=True, eq=False, gc=False):
    """Arguments that nobody recorded, as tracers leave content out by default: read as none, and nothing to expect."""


NOT_CAPTURED: Final = Uncaptured({})

Arguments = Raw | Given
"""Recorded arguments: JSON bytes (an object, or a JSON text that holds the text of one), or a Python value."""


class Reading(Struct, frozen=True, gc=False):
    """What recorded arguments say.

    Attributes:
        value: the canonical object; None when unreadable.
        problem: why they can't be read, with the position in the text; None when readable.
        warnings: what was odd but readable (encoded twice, repaired, a duplicate key).
    """

    value: dict[str, Any] | None = None
    problem: str | None = None
    warnings: tuple[str, ...] = ()


_OPEN_BRACE, _BACKSLASH = b"{\\"
_encode = msgspec.json.Encoder(decimal_format="number").encode
_EMPTY: Final = Reading(value={})


def surely_readable(arguments: Arguments) -> bool:
    """Whether JSON bytes are a readable object, told without decoding them; False means "look closer".

    A row's reader has checked the JSON and its UTF-8. What is left is the kind and the depth, and more than
    `MAX_DEPTH` levels take as many opening and as many closing brackets.
    """
    if not isinstance(arguments, Raw):
        return False
    data = bytes(arguments)
    if data[0] != _OPEN_BRACE:
        return False
    return len(data) <= 2 * MAX_DEPTH or data.count(b"{") + data.count(b"[") <= MAX_DEPTH


def read_arguments(arguments: Arguments, *, repair: Repair | None = None) -> Reading:
    """Decode recorded arguments.

    Missing, null, blank and the text ``null`` mean no arguments. A text that decodes to a text that decodes
    to an object is unwrapped once, with a warning. Anything else is unreadable and says why.
    """
    if isinstance(arguments, Given):
        reading = _read_given(arguments.value, repair)
        return _unread(arguments.reason, reading) if isinstance(arguments, Unread) else reading
    data = bytes(arguments)
    if data[:1] == b"{":
        return _read_object_bytes(arguments, data)
    try:
        value = decode(data)
    except InvalidJSONError as error:
        return Reading(problem=f"arguments are not valid JSON: {error}")
    return _read_given(value, repair)


def _unread(reason: str, reading: Reading) -> Reading:
    """What is said of a text that a reader gave up on; only a repair may have made something of it."""
    return (
        reading
        if reading.value and reading.warnings
        else Reading(problem=f"arguments can't be read: {reason}")
    )


def _read_object_bytes(arguments: Raw, data: bytes) -> Reading:
    try:
        value = decode(data)
    except InvalidJSONError as error:
        return Reading(problem=f"arguments are not valid JSON: {error}")
    if len(data) > 2 * MAX_DEPTH and not surely_readable(arguments) and depth_exceeds(value):
        return Reading(problem=f"arguments are nested more than {MAX_DEPTH} levels deep")
    return Reading(value)


def is_cut_off(arguments: Arguments) -> bool:
    """Whether unreadable arguments are the beginning of a JSON object, as a token limit leaves it.

    Every bracket and text that is open at the end is merely not closed; nothing before is wrong in its nesting.
    """
    recorded = bytes(arguments) if isinstance(arguments, Raw) else arguments.value
    if isinstance(recorded, bytes):
        text = recorded.decode("utf-8", "replace")
        if text[:1] == '"':
            try:
                text = decode(recorded)  # the text of an object, as a JSON text
            except InvalidJSONError:
                return False
    elif isinstance(recorded, str):
        text = recorded
    else:
        return False
    text = text.strip()
    return text[:1] == "{" and _stays_open(text)


def _stays_open(text: str) -> bool:
    """Whether a text ends within a bracket or a quoted part, all brackets before it being well paired."""
    closing: list[str] = []
    for part in _QUOTED_OR_BRACKET.findall(text):
        if part[0] == '"':
            if len(part) == 1 or part[-1] != '"':
                return True
        elif part in _PAIRS:
            closing.append(_PAIRS[part])
        elif not closing or closing.pop() != part:
            return False
    return bool(closing)


_QUOTED_OR_BRACKET: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)
_PAIRS: Final = {"{": "}", "[": "]"}


def repeats_no_key(arguments: Arguments, value: dict[str, Any]) -> bool:
    """Whether recorded arguments surely give no key twice; False means "look closer" (:func:`repeated_keys`).

    What is the value written out again gives none twice. Else a key that was dropped took a colon with it, so the
    colons are counted against those of the value; a backslash could hide one.
    """
    if not isinstance(arguments, Raw):
        return isinstance(arguments.value, dict)
    data = bytes(arguments)
    if data[0] != _OPEN_BRACE or _BACKSLASH in data:
        return False
    written = _encode(value)
    return data == written or data.count(b":") == written.count(b":")


def repeated_keys(arguments: Arguments, reading: Reading) -> tuple[str, ...]:
    """Warnings for keys that recorded arguments give twice in one object; `reading` is what was read of them."""
    if reading.value is None:
        return ()
    text: Any = None
    if isinstance(arguments, Given):
        text = arguments.value
    else:
        data = bytes(arguments)
        text = data if data[:1] == b"{" else decode(data)
    if isinstance(text, str):
        if not text.lstrip().startswith("{"):
            return ()  # nothing, or encoded twice: the inner text is not looked at again
        text = text.encode()
    if not isinstance(text, bytes):
        return ()
    try:
        repeated = duplicate_keys(text, reading.value)
    except ValueError:
        return ()  # repaired: the text is no JSON
    return tuple(f"the key {key!r} is given twice; the last one counts" for key in repeated)


def _read_given(value: object, repair: Repair | None) -> Reading:
    if value is None:
        return _EMPTY
    if isinstance(value, str):
        return _read_text(value, repair)
    try:
        plain = canonical(value)
    except InvalidJSONError as error:
        return Reading(problem=f"arguments can't be read: {error}")
    if not isinstance(plain, dict):
        return Reading(problem=_not_an_object(plain))
    return Reading(value=plain)


def _not_an_object(value: object) -> str:
    kind = {bool: "a boolean", int: "a number", float: "a number", str: "a text", list: "an array"}
    return f"arguments are not an object but {kind.get(type(value), 'something else')}"


def _read_text(text: str, repair: Repair | None) -> Reading:
    if not text or text.isspace() or text.strip() == "null":
        return _EMPTY
    try:
        value = _decode_checked(text)
    except InvalidJSONError as error:
        return _repaired(text, repair) or Reading(problem=f"arguments are not valid JSON: {error}")
    warnings: tuple[str, ...] = ()
    if isinstance(value, str):
        inner = _unwrap(value)
        if inner is None:
            return Reading(problem=_not_an_object(value))
        value = inner
        warnings = ("arguments were encoded as JSON twice; unwrapped once",)
    if not isinstance(value, dict):
        return Reading(problem=_not_an_object(value))
    return Reading(value=value, warnings=warnings)


def _decode_checked(text: str) -> Any:
    value = decode(text)
    if len(text) > 2 * MAX_DEPTH and depth_exceeds(value):
        raise InvalidJSONError(f"nested more than {MAX_DEPTH} levels deep")
    return value


def _unwrap(text: str) -> dict[str, Any] | None:
    try:
        value = _decode_checked(text)
    except InvalidJSONError:
        return None
    return value if isinstance(value, dict) else None


def _repaired(text: str, repair: Repair | None) -> Reading | None:
    if repair is None or has_lone_surrogate(text):
        return None
    value = repair(text)
    if not isinstance(value, dict):
        return None
    try:
        return Reading(value=canonical(value), warnings=("arguments were broken JSON and were repaired",))
    except InvalidJSONError:
        return None
