"""Colours in hexadecimal digits: #FFF is #ffffff."""

from __future__ import annotations

import re
from typing import Any, Final

from ..fields import Inner
from ..verdict import About, Verdict, differs, same

ORDER = 8
_NAMES: Final = frozenset({"color", "colour", "background", "foreground", "fill", "stroke"})
_HEX: Final = re.compile(r"\s*(#?)([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\s*\Z", re.IGNORECASE)
_FULL: Final = 8


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are colours with a number sign, or one is and the name says so."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    left, right = _HEX.match(a), _HEX.match(b)
    if left is None or right is None:
        return None
    signs = bool(left[1]) + bool(right[1])
    letters = claimed or (any(map(str.isalpha, left[2])) and any(map(str.isalpha, right[2])))
    if not signs or (signs == 1 and not claimed) or not letters:
        return None
    return same("the same colour") if _full(left[2]) == _full(right[2]) else differs("other colours")


def _full(digits: str) -> str:
    """Red, green, blue and how opaque, two digits each."""
    digits = digits.lower()
    if len(digits) <= 4:
        digits = "".join(digit * 2 for digit in digits)
    return digits.ljust(_FULL, "f")
