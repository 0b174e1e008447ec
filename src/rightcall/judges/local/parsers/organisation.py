"""Organisations: legal suffixes and articles say nothing."""

from __future__ import annotations

from typing import Any, Final

from ..fields import Inner
from ..naming import LEGAL, ORGANISATIONS
from ..spelling import tokens
from ..verdict import About, Verdict, same

ORDER = 54
_FORMS: Final = frozenset(
    {"inc", "incorporated", "llc", "ltd", "limited", "corp", "corporation", "gmbh", "plc"}
)
"""Legal forms that are no words of anything else."""

_SAYS_NOTHING: Final = LEGAL - {"holdings", "group"} | {"the", "and"}


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(ORGANISATIONS)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where nothing but such words parts the two."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    if not claimed and _FORMS.isdisjoint((*tokens(a), *tokens(b))):
        return None
    left, right = _core(a), _core(b)
    return same("the same organisation", 0.97) if left and left == right else None


def _core(text: str) -> tuple[str, ...]:
    return tuple(word for word in tokens(text) if word not in _SAYS_NOTHING)
