"""Identifiers, codes and versions: never compared by likeness."""

from __future__ import annotations

import re
from typing import Any, Final

from ..fields import Inner
from ..spelling import listed
from ..units import measured
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 16
_NAMES: Final = listed(
    """
    id ids uid uuid guid sku isbn iban serial vin barcode tracking hash sha token zip zipcode postcode postal
    reference ref pnr ssn ean upc imei mac ip commit confirmation plate version identifier reservation
    invoice
    """
)
_NUMBERED: Final = listed(
    """
    order account ticket case flight booking member policy card room seat gate employee customer part
    model license passport
    """
)
_COUNTED: Final = frozenset({"count", "limit", "length", "size", "max", "min", "maximum", "minimum"})
"""With such a word a name is a number: token_count, max_tokens."""

_STRICT: Final = listed(
    """
    id ids uid uuid guid sku hash sha commit isbn iban vin barcode ssn upc imei mac pnr
    """
)
_ANY_CASE: Final = listed(
    """
    isbn iban vin zip zipcode postcode postal plate pnr flight ssn mac imei ean upc uuid guid booking
    license passport room seat gate country language currency locale state type algorithm algo category
    """
)
"""Numbers on paper, that people write in small letters as well."""

_SHAPE: Final = re.compile(
    r"#?(?=[\w-]*\d)(?=[\w-]*[A-Za-z_-])[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*\Z|0\d+\Z|v?\d+(?:\.\d+){2,}\S*\Z|#\d+\Z"
    r"|(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\Z|(?:\d{1,3}\.){3}\d{1,3}(?:/\d+)?\Z",
    re.IGNORECASE,
)
_NO_ID: Final = re.compile(
    r"\d+(?:st|nd|rd|th|k|m|bn|am|pm|km|kg|g|cm|mm|mb|gb|tb|lb|lbs|oz|ft|in|min|h|hr|hrs|s|d|w|y|c|f|x)\Z"
    r"|\d+(?:\.\d+)?e[+-]?\d{1,3}\Z|\d+-(?:day|week|month|year|hour|minute|night|star|bedroom|seat|person)s?\Z",
    re.IGNORECASE,
)
_UUID: Final = re.compile(r"\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?\Z", re.IGNORECASE)
_HEX: Final = re.compile(r"(?:0x)?[0-9a-f]{16,}\Z", re.IGNORECASE)
_VERSION: Final = re.compile(r"v?(\d+(?:\.\d+)+)\Z", re.IGNORECASE)
_SPACED: Final = listed(
    """
    isbn iban card ssn phone ean zip postcode postal account plate
    """
)

_LARGEST: Final = 10**200


def claims(about: About) -> bool:
    """The format or the name says so."""
    if about.named(_COUNTED):
        return False
    if about.format in {"uuid", "ipv4", "ipv6"} or about.named(_NAMES):
        return True
    return about.named(_NUMBERED) and about.named(frozenset({"number", "no", "code", "num"}))


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where one has the shape of an identifier, or the name says so and both are one word."""
    left, right = _text(a), _text(b)
    if left is None or right is None:
        return None
    shaped = _is_shaped(left), _is_shaped(right)
    if not claimed and not all(shaped):
        return None
    if claimed and not any(shaped) and not (_is_code(left) and _is_code(right)):
        return _plain(left, right, about)
    if left == right:
        return same("the same id")
    if left.casefold() == right.casefold():
        return _capitals(left, right, about, claimed=claimed)
    short_a, short_b = _bare(left), _bare(right)
    if short_a == short_b and short_a:
        if not _parted_alike(left.lstrip("vV"), right.lstrip("vV")):
            return differs("the same signs, parted at other places")
        if not _capitals_alike(left, right):
            return _capitals(left, right, about, claimed=claimed)
        free = about.named(_SPACED) or all(_UUID.match(each.strip()) for each in (left, right))
        return same("the same id") if free else perhaps(0.85, "the same id but for signs between its parts")
    return _versions(left, right) or differs("other ids")


def _capitals(left: str, right: str, about: About, *, claimed: bool) -> Verdict:
    """Whether capitals matter: in most ids they do, in hexadecimal digits and in some numbers on paper they don't."""
    if all(_UUID.match(each) or _HEX.match(each) for each in (left, right)):
        return same("the same id")
    if about.named(_ANY_CASE) or not claimed:
        return perhaps(0.8, "the same id but for capitals")
    return perhaps(0.3, "the same id but for capitals, which count in most ids")


def _plain(left: str, right: str, about: About) -> Verdict | None:
    """Ids of letters alone, one word each; names of numbers may hold other texts."""
    if not about.named(_STRICT) or " " in left or " " in right or not left or not right:
        return None
    if left == right:
        return same("the same id")
    if left.casefold() == right.casefold():
        return _capitals(left, right, about, claimed=True)
    return differs("other ids")


def _parted_alike(a: str, b: str) -> bool:
    """Whether separators were left out only, and not moved: 1-23 is no 12-3."""
    one, other = _cuts(a), _cuts(b)
    return one <= other or other <= one


def _capitals_alike(a: str, b: str) -> bool:
    a, b = (text.removeprefix("v") if _VERSION.match(text) else text for text in (a, b))
    return [char for char in a if char.isalpha()] == [char for char in b if char.isalpha()]


def _cuts(text: str) -> set[int]:
    place, found = 0, set()
    for char in text.strip("#{}"):
        if char in " -_/.":
            found.add(place)
        elif char not in "#{}":
            place += 1
    return found - {0, place}


def _text(value: Any) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value) if abs(value) < _LARGEST else None
    return value.strip() if isinstance(value, str) and len(value) <= 200 else None


def _is_shaped(text: str) -> bool:
    return bool(_SHAPE.match(text)) and not _NO_ID.match(text) and not (text[0].isdigit() and measured(text))


def _is_code(text: str) -> bool:
    return (
        text.isdigit()
        or (" " not in text and any(char.isdigit() for char in text))
        or text.replace(" ", "").replace("-", "").isdigit()
    )


def _bare(text: str) -> str:
    """Letters and digits alone; what is first, a number sign, says nothing."""
    return (
        "".join(char for char in text.casefold() if char not in " -_#{}/.")
        if "." not in text
        else text.casefold().lstrip("#v")
    )


def _versions(a: str, b: str) -> Verdict | None:
    left, right = _VERSION.match(a), _VERSION.match(b)
    if not left or not right:
        return None
    x, y = ([int(part) for part in found[1].split(".")] for found in (left, right))
    while len(x) < len(y):
        x.append(0)
    while len(y) < len(x):
        y.append(0)
    return perhaps(0.8, "the same version, zeros left out") if x == y else None
