"""Currencies by code, sign and name."""

from __future__ import annotations

from typing import Any, Final

from ..fields import Inner
from ..tables import currencies
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 31
_NAMES: Final = frozenset({"currency", "currencies", "fiat"})


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are currencies."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    left, right = _name(a), _name(b)
    if not claimed and not (_is_code(a) and len(right) > 3) and not (_is_code(b) and len(left) > 3):
        return None
    x, y = currencies().get(left), currencies().get(right)
    if not x or not y:
        return None
    if x[0] == y[0]:
        return same("the same currency", 0.99 if x == y else 0.96)
    if not set(x).isdisjoint(y):
        return perhaps(0.3, "currencies that share a name")
    return differs("other currencies")


def _name(text: str) -> str:
    return " ".join(text.lower().replace(".", "").split())


def _is_code(text: str) -> bool:
    return len(text) == 3 and text.isupper()
