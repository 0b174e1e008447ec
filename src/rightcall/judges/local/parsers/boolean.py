"""Yes and no: ``true``, ``"yes"``, ``"on"``, ``1`` where the schema asks for a boolean."""

from __future__ import annotations

from typing import Any, Final

from ..fields import Inner
from ..verdict import About, Verdict, differs, same

ORDER = 10
_YES: Final = frozenset({"true", "yes", "y", "on", "t", "enabled", "1"})
_NO: Final = frozenset({"false", "no", "n", "off", "f", "disabled", "0"})


def claims(about: About) -> bool:
    """The schema says boolean."""
    return about.type == "boolean"


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both say yes or no, and one of them as a boolean, or the schema asks for one."""
    if not (claimed or isinstance(a, bool) or isinstance(b, bool)):
        return None
    left, right = _truth(a), _truth(b)
    if left is None or right is None:
        return None
    return same("the same truth value, written otherwise") if left == right else differs("yes against no")


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    if not isinstance(value, str | int) or (isinstance(value, int) and value not in {0, 1}):
        return None
    text = str(value).strip().lower()
    return True if text in _YES else False if text in _NO else None
