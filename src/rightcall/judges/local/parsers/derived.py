"""A field, who works in it and what is of it: cardiology and cardiologist, Buddhism and Buddhist, stoicism and Stoic."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from ..fields import Inner
from ..kinds import is_said
from ..spelling import listed, tokens
from ..verdict import About, Verdict, perhaps

ORDER = 56
_FIELDS: Final = listed(
    """
    religion faith philosophy movement style era period specialty speciality specialist specialization
    specialisation field discipline subject theorem school tradition art ideology doctor
    """
)
"""Arguments that hold what such words have in common, so that which of them stands there says nothing."""

_FAMILIES: Final = (
    ("isms", "ism", "ists", "ist", "istic"),
    ("ology", "ologists", "ologist"),
    ("ics", "ic", "icists", "icist", "icians", "ician", "ist", "ists"),
    ("y", "ist", "ists"),
    ("istry", "ist", "ists"),
)
"""Endings of a field and of who works in it or believes it."""

_OF_FAITHS: Final = (("", "ism", "isms", "ist", "ists", "ity"),)
_OF_NAMES: Final = (("", "as", "ian", "ean", "an"),)
_FAITHS: Final = frozenset({"religion", "faith", "philosophy"})
_SHORTEST: Final = 3
"""Letters of what the two share."""


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(_FIELDS)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Likely one where all that parts the two is the ending of one word."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str):
        return None
    left, right = _words(a, about), _words(b, about)
    if len(left) != len(right) or not left:
        return None
    others = [(one, other) for one, other in zip(left, right, strict=True) if one != other]
    if len(others) != 1:
        return None
    named = any(word[:1].isupper() for word in f"{a} {b}".split())
    families = (
        _FAMILIES
        + _OF_FAITHS * (named and about.named(_FAITHS))
        + _OF_NAMES * about.named(frozenset({"theorem"}))
    )
    if any(not _roots(others[0][0], family).isdisjoint(_roots(others[0][1], family)) for family in families):
        return perhaps(0.85, "forms of one word")
    return None


def _words(text: str, about: About) -> tuple[str, ...]:
    words = tokens(text)
    return tuple(word for word in words if not is_said(word, about)) or words


@lru_cache(maxsize=4096)
def _roots(word: str, family: tuple[str, ...]) -> frozenset[str]:
    """What is left of the word without an ending of the family."""
    found = (word[: len(word) - len(ending)] for ending in family if word.endswith(ending))
    return frozenset(root for root in found if len(root) >= _SHORTEST)
