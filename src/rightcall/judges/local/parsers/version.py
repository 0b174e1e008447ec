"""Versions: v1.2, version 1.2 and 1.2; a zero more behind is most likely the same release."""

from __future__ import annotations

import re
from typing import Any, Final

from ..fields import Inner
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 22
_VERSION: Final = re.compile(
    r"\s*(?:v|ver|version|release|rel)?[. ]?\s*(\d{1,9}(?:\.\d{1,9}){0,4})"
    r"[-.]?((?:a|alpha|b|beta|rc|dev|pre)[-.]?\d{0,4})?\s*\Z",
    re.ASCII | re.IGNORECASE,
)


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(frozenset({"version", "release", "tag", "ver"}))


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are versions."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str):
        return None
    left, right = _VERSION.match(a), _VERSION.match(b)
    if left is None or right is None:
        return None
    (x, pre_x), (y, pre_y) = _read(left), _read(right)
    if pre_x != pre_y:
        return differs("other versions")
    if x == y:
        return same("the same version, written otherwise")
    longest = max(len(x), len(y))
    if (*x, *(0,) * (longest - len(x))) == (*y, *(0,) * (longest - len(y))):
        return perhaps(0.7, "the same version but for zeros behind")
    return differs("other versions")


def _read(found: re.Match[str]) -> tuple[tuple[int, ...], str]:
    return tuple(map(int, found[1].split("."))), re.sub(r"[-.]", "", found[2] or "").lower()
