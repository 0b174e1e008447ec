"""Formulas: the same where they have the same values. 3x^2, 3*x**2 and lambda x: 3*x**2; another name for x is not."""

from __future__ import annotations

import re
from typing import Any, Final

from ..algebra import Formula, read, same_values
from ..fields import Inner
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 3
_NAMES: Final = frozenset(
    {
        "expression",
        "formula",
        "equation",
        "function",
        "func",
        "polynomial",
        "integrand",
        "derivative",
        "curve",
        "fn",
    }
)


_SYMBOLS: Final = re.compile(r"(?:[A-Z][a-z]?\d*)+", re.ASCII)
"""Of chemistry: CO is no Co."""

_EQUATIONS: Final = frozenset({"equation", "equations"})
_FUNCTION_OF_X: Final = frozenset({"y", "f(x)", "y(x)"})


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are formulas; equations are the same where both their sides are."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str):
        return None
    if a.casefold() == b.casefold() and _SYMBOLS.fullmatch(a) and _SYMBOLS.fullmatch(b):
        return perhaps(0.3, "formulas that only capitals tell apart")
    sides = [_sides(text, about) for text in (a, b)]
    if len(sides[0]) != len(sides[1]):
        return None
    read_sides = [[read(side) for side in each] for each in sides]
    if not any(formula is not None and formula.computes for each in read_sides for formula in each):
        return None
    found = [_compared(one, other) for one, other in zip(*read_sides, strict=True)]
    if None in found:
        return None
    if all(found):
        return same("the same formula, written otherwise", 0.97)
    if len(found) > 1:
        return perhaps(0.1, "other equations")
    return differs("formulas with other values")


def _sides(text: str, about: About) -> list[str]:
    """Both sides of an equation; y before the sign, as f(x), only says that a function follows."""
    left, sign, right = text.partition("=")
    if not sign or "=" in right or read(left) is None:
        return [text]
    if left.strip() in _FUNCTION_OF_X and not about.named(_EQUATIONS):
        return [right]
    return [left, right]


def _compared(one: Formula | None, other: Formula | None) -> bool | None:
    if one is None or other is None:
        return None
    found = same_values(one, other)
    if found is False and any(len(name) > 1 for name in (*one.variables, *other.variables)):
        return None  # xy may be x times y, or a name
    return found
