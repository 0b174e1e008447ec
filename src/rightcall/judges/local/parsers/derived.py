"""A field, who works in it and what is of it: cardiology and cardiologist, Buddhism and Buddhist, stoicism and Stoic."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from ..fields import Inner
from ..qualifiers import is_said
from ..spelling import listed, tokens
from ..verdict import About, Verdict, perhaps

ORDER = 56
_FIELDS: Final = listed(
    """
    religion faith philosophy movement style era period specialty speciality specialist specialization
    specialisation field discipline subject theorem school tradition art ideology provider branch genre domain doctor
    """
)
"""Arguments that hold what such words have in common, so that which of them stands there says nothing."""

_STYLES: Final = listed("style movement art genre period era tradition")
"""Arguments in which the bare word is another thing: modern and modernism, real and realism."""

_ENDINGS: Final = (
    "ists", "ist", "isms", "ism", "istic", "istry", "icists", "icist", "icism", "icians", "ician", "ical", "ics", "ic",
    "eans", "ean", "as", "ians", "ian", "ans", "an", "y", "ity",
)  # fmt: skip
_SCHOOLS: Final = frozenset({"ists", "ist", "isms", "ism"})
_SHORTEST: Final = 4
"""Letters of what the two share; one less before -ism and -ist."""


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
    one, other = others[0]
    common = _roots(one) & _roots(other)
    if about.named(_STYLES):
        common -= {one, other}
    return perhaps(0.85, "forms of one word") if common else None


def _words(text: str, about: About) -> tuple[str, ...]:
    words = tokens(text)
    return tuple(word for word in words if not is_said(word, about)) or words


@lru_cache(maxsize=2048)
def _roots(word: str) -> frozenset[str]:
    """The word, and what is left of it without one of the endings and the vowel before it."""
    found = {word}
    for ending in _ENDINGS:
        if word.endswith(ending):
            root = word[: -len(ending)]
            shortest = _SHORTEST - (ending in _SCHOOLS)
            found |= {each for each in (root, root.rstrip("aeiou")) if len(each) >= shortest}
    return frozenset(found)
