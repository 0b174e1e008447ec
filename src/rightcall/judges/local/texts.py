"""Texts that no parser reads on both sides: spelling, guards, then the regression."""

from __future__ import annotations

import re
from typing import Final

from . import features, guards, regression
from .kinds import are_one_kind, is_named_so, says_kind
from .qualifiers import (
    is_kind_of_a_name,
    is_name,
    is_partitive,
    is_qualifier,
    names_a_house,
    opens_a_name,
    surrounds,
)
from .spelling import fold, listed
from .units import symbols_in
from .verdict import About, Verdict
from .words import Aligned, align, content

__all__ = ["judge_texts", "seen"]

_MOST: Final = 20_000
"""Characters that are looked at; longer texts must be equal but for spelling."""

Words = tuple[tuple[str, ...], tuple[str, ...]]


def judge_texts(a: str, b: str, about: About) -> Verdict:
    """How likely two texts mean the same."""
    found = seen(a, b, about)
    if isinstance(found, Verdict):
        return found
    words, aligned = found
    if (exact := _more_exact(a, b, aligned, about)) is not None:
        return exact
    limit = min(
        guards.upper_limit(a, b, aligned, about), guards.UNACCOUNTED if about.named(_VERBATIM) else 1.0
    )
    value = regression.probability(features.features(a, b, words, aligned, about))
    return Verdict(min(value, limit), _words(aligned, value, limit), decided=False, by="features")


_VERBATIM: Final = listed("username login host hostname server table column branch bucket namespace")
"""Arguments of which another word is another thing, though it means the same: app_users, application_users."""

_KIND_SAID: Final = 0.96
_KIND_OF_THE_TOOL: Final = 0.9
_KIND_OF_A_NAME: Final = 0.85
_AREA_SAID: Final = 0.92
_JOINED: Final = 0.92
_LONG: Final = 6


def _more_exact(a: str, b: str, found: Aligned, about: About) -> Verdict | None:
    """One is the other with its kind or with the place around it: jazz music as a style, a bridge and its city."""
    if found.typos or found.initials or found.swapped:
        return None
    if found.joined and not (found.left or found.right or found.stems or found.acronyms) and _are_long(a, b):
        return Verdict(_JOINED, "the same words, once written together", decided=False, by="joined")
    if found.left and found.right and are_one_kind(found.left, found.right, about):
        return Verdict(_KIND_SAID, "the same, its kind in other words", decided=False, by="kind")
    if bool(found.left) == bool(found.right):
        return None
    words, text, other = (found.left, a, b) if found.left else (found.right, b, a)
    if says_kind(words, text, about):
        sure = _KIND_SAID if is_named_so(words, about) else _KIND_OF_THE_TOOL
        return Verdict(sure, "the same, once with its kind", decided=False, by="kind")
    if names_a_house(words, other, about) or not is_kind_of_a_name(words, other, about):
        return None
    if surrounds(words, text, about):
        return Verdict(_AREA_SAID, "the same, once with the place around it", decided=False, by="around")
    if is_name(about) and all(map(is_qualifier, words)):
        if is_partitive(words, text) or opens_a_name(words, text):
            return None
        return Verdict(_KIND_OF_A_NAME, "the same, once with its kind", decided=False, by="kind")
    return None


def _are_long(a: str, b: str) -> bool:
    """Letters enough that what is written together is no other word: chatbot, not maybe."""
    return min(len(fold(a)), len(fold(b))) >= _LONG and not any(map(str.isdigit, a))


def seen(a: str, b: str, about: About) -> Verdict | tuple[Words, Aligned]:
    """What spelling and guards say; where they say nothing, the words and how they answer each other."""
    if len(a) > _MOST or len(b) > _MOST:
        return Verdict(0.01, "long texts that differ", decided=False, by="length")
    left, right = fold(a), fold(b)
    if left == right:
        return _spelled(a, b, left)
    if not left or not right:
        return Verdict(0.01, "one says nothing", by="empty")
    if _run_together(a, b, left, right):
        return Verdict(0.98, "the same words, once written together", by="spelling")
    words = content(a), content(b)
    aligned = align(*words)
    refused = guards.refusal(a, b, aligned, words, about)
    return refused if refused is not None else (words, aligned)


def _spelled(a: str, b: str, folded: str) -> Verdict:
    """Nothing but capitals, blanks, accents and punctuation parts the two."""
    one, other = _parted(a), _parted(b)
    if one and other and one != other:
        return Verdict(0.05, "numbers parted by other signs", by="spelling")
    if a.casefold() == b.casefold() and symbols_in(a) != symbols_in(b):
        return Verdict(0.01, "units that only capitals tell apart", by="unit")
    if (
        len(folded) < _GRADE
        and a.rstrip()[-1:] != b.rstrip()[-1:]
        and {a.rstrip()[-1:], b.rstrip()[-1:]} & {"+", "-"}
    ):
        return Verdict(0.05, "another sign behind it", by="spelling")
    if not folded:
        return Verdict(0.05, "other signs", by="spelling")
    if "\n" in a and _indents(a) != _indents(b):
        return Verdict(0.3, "lines indented otherwise", decided=False, by="spelling")
    what = "capitals" if a.casefold() == b.casefold() else "capitals, blanks, accents or punctuation"
    return Verdict(0.99, f"the same words, other {what}", by="spelling")


_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BEFORE_DIGITS: Final = re.compile(r"(?<=[^\W\d_]{3})(?=\d)")
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


def _run_together(a: str, b: str, left: str, right: str) -> bool:
    """InTransit and in_transit; MUELLER and Müller; iPhone 12 and iphone12; a name and its letters of another script."""
    if left.replace(" ", "") == right.replace(" ", ""):
        if a.isascii() != b.isascii() and left.replace(" ", "").isalpha():
            return True
        return _parts(_HUMP.sub(" ", a)) == _parts(_HUMP.sub(" ", b)) or _parts(a) == _parts(b)
    return not (a.isascii() and b.isascii()) and fold(a.translate(_UMLAUTS)) == fold(b.translate(_UMLAUTS))


def _parts(text: str) -> str:
    return fold(_BEFORE_DIGITS.sub(" ", text))


def _indents(text: str) -> list[int]:
    """Which level each line stands on, whatever its blanks: 2 and 4 of one text are 4 and 8 of another."""
    blanks = [len(line) - len(line.lstrip()) for line in text.splitlines() if line.strip()]
    levels = {width: level for level, width in enumerate(sorted(set(blanks)))}
    return [levels[width] for width in blanks]


_GRADE: Final = 4
"""Letters in front of a sign that counts: A- is no A, O- no O."""

_BETWEEN: Final = re.compile(r"(?<=\d)\s*([,;:/–—-])\s*(?=\d)")


def _parted(text: str) -> list[str]:
    """The signs between digits that mean something: 1-5 is no 1,5. Thousands may be parted or not."""
    return ["-" if sign in "-–—/" else sign for sign in _BETWEEN.findall(text)]


def _words(found: Aligned, value: float, limit: float) -> str:
    if limit < 1.0:
        return f"words on one side only: {len(found.left) + len(found.right)}"
    if found.left or found.right:
        return (
            "the same but for words that say nothing new" if value >= 0.5 else "one says more than the other"
        )
    if found.acronyms:
        return "an acronym of the other"
    return "the same words in other forms" if value >= 0.5 else "words that are alike"
