"""Letters of other scripts that look like Latin ones, and characters that nobody sees: never the same text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Final

from .verdict import DIFFERS, Verdict

__all__ = ["disguised"]

_LOOK_ALIKE: Final = dict(
    zip(
        "асеорхуіјѕһԁԛԝѵкмнтвгпАВЕКМНОРСТУХІЈЅԌαινορυχκτωγΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոհցաՕՍ",
        "aceopxyijshdqwvkmhtbrnABEKMHOPCTYXIJSGaivopuxktwyABEZHIKMNOPTYXounhgwOU",
        strict=True,
    )
)
"""Cyrillic, Greek and Armenian letters with the Latin ones that they are taken for (Unicode UTS 39, the common ones)."""

_SCRIPTS: Final = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"})
_UNIT: Final = re.compile(r"(?<![^\W\d_])(?:[µμ](?=[A-Za-z]{1,3}\b)|(?:[kMG]?[ΩΩ]|π)(?![^\W\d_]))")
_WORD: Final = re.compile(r"[^\W\d_]+")


def disguised(a: str, b: str) -> Verdict | None:
    """A refusal where one text only looks like the other; None where both are what they seem."""
    if a.isascii() and b.isascii():
        return None
    if _unseen(a) != _unseen(b):
        return Verdict(DIFFERS, "one holds characters that nobody sees", by="look_alike")
    left, right = _foreign(a), _foreign(b)
    # Москва and Moskva are letters of one script each, and don't look alike.
    others = {word.lower() for text in (a, b) for word in _WORD.findall(text)}
    if any(mixed or _latin(word) in others for word, mixed in left ^ right):
        return Verdict(DIFFERS, "letters of another script that look alike", by="look_alike")
    return None


def _unseen(text: str) -> Counter[str]:
    """Characters without a shape: joiners, marks of direction, tags, soft hyphens, controls."""
    if text.isascii():
        return Counter()
    return Counter(
        char for char in text if not char.isascii() and unicodedata.category(char) in {"Cf", "Cc", "Cn", "Co"}
    )


@lru_cache(maxsize=4096)
def _foreign(text: str) -> frozenset[tuple[str, bool]]:
    """Words with letters beyond Latin, and whether they are mixed with Latin ones."""
    if text.isascii():
        return frozenset()
    plain = _UNIT.sub("", unicodedata.normalize("NFKC", text))
    found = set()
    for word in _WORD.findall(plain):
        scripts = {_script(char) for char in word} & _SCRIPTS
        if scripts - {"LATIN"}:
            found.add((word, len(scripts) > 1))
    return frozenset(found)


def _latin(word: str) -> str:
    """The Latin word that this one would be taken for."""
    return "".join(_LOOK_ALIKE.get(char, char) for char in word).lower()


@lru_cache(maxsize=2048)
def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0]
