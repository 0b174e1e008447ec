"""Phone numbers: the digits, with or without the country's code."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from ..fields import Inner
from ..spelling import listed
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 13
_SHAPE: Final = re.compile(
    r"(?:tel:)?[+(]?\d[\d\s().\-/]{5,22}\d(?:\s*(?:x|ext\.?|extension)\s*\d{1,6})?\Z", re.IGNORECASE
)
_EXTENSION: Final = re.compile(r"\s*(?:x|ext\.?|extension)\s*(\d{1,6})\Z", re.IGNORECASE)
_FEWEST: Final = 7
_LARGEST: Final = 10**25
"""Integers from here on are no numbers to call, and too long ones can't be written out."""


def claims(about: About) -> bool:
    """The format or the name says so."""
    return about.format == "phone" or about.named(
        listed(
            """
    phone telephone mobile cell cellphone fax tel sms whatsapp msisdn
    """
        )
    )


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are numbers to call; by shape alone only with a plus or a bracket."""
    left, right = _text(a), _text(b)
    if not _SHAPE.match(left) or not _SHAPE.match(right):
        return None
    if not claimed and not (
        _is_plain(left) and _is_plain(right) and not {left[0], right[0]}.isdisjoint("+(")
    ):
        return None
    left, right = _abroad(left), _abroad(right)
    (x, more_x), (y, more_y) = _digits(left), _digits(right)
    if min(len(x), len(y)) < _FEWEST:
        return None
    if more_x != more_y:
        return differs("other extensions", 0.05)
    if x == y:
        return same("the same phone number")
    plus = left.lstrip("tel: ").startswith("+"), right.lstrip("tel: ").startswith("+")
    if all(plus):
        return differs("other phone numbers")
    longer, shorter = (x, y) if len(x) > len(y) else (y, x)
    national = shorter.lstrip("0")
    if longer.endswith(national) and any(plus):
        code = longer[: len(longer) - len(national)]
        if code and _is_national(longer, code):
            return same("the same phone number, once without the country's code", 0.97)
    if longer.endswith(shorter) and longer[: -len(shorter)] == "1" and len(shorter) == 10:
        return perhaps(0.95, "the same phone number, once without the country's code")
    return differs("other phone numbers")


def _is_plain(text: str) -> bool:
    """Whether a text is a number to call by its first signs."""
    return text[0] in "+(" or text.startswith("00")


def _abroad(text: str) -> str:
    """00 and the country's code is how + is dialled."""
    return "+" + text[2:] if text.startswith("00") else text


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int) and abs(value) < _LARGEST else ""


def _digits(text: str) -> tuple[str, str]:
    found = _EXTENSION.search(text)
    number = text[: found.start()] if found else text
    # +44 (0)20 is dialled without the zero.
    number = number.replace("(0)", "") if "+" in number else number
    return "".join(char for char in number if char.isdigit()), found[1] if found else ""


@lru_cache(maxsize=1024)
def _is_national(number: str, code: str) -> bool:
    """Whether the number begins with this country's code."""
    import phonenumbers

    try:
        found = phonenumbers.parse("+" + number, None)
    except phonenumbers.NumberParseException:
        return False
    return str(found.country_code) == code
