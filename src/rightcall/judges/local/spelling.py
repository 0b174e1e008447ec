"""Texts as they are compared: small letters, ASCII, punctuation that says nothing taken off; and their words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

__all__ = ["fold", "letters", "listed", "tokens"]

_APOSTROPHES: Final = re.compile(r"[’‘`´']")
_HALVES: Final = re.compile("[\ud800-\udfff]")
"""Halves of characters, which broken texts hold."""

_ABBREVIATED: Final = re.compile(r"\b((?:[a-z]\.){2,}|(?:[a-z]\.)+[a-z]\b\.?)")
_SIGNED: Final = re.compile(r"(?<![\w.])-(?=[\d.])|(?<!\S)-(?=[^\W\d_])")
_BRACKETED: Final = re.compile(
    r"\A\s*([-+]?(?:[$€£¥₹]|[a-z]{3})? ?)\(([^()\d]{0,3}\d[\d.,' ]*[^()\d]{0,5})\)( ?(?:[$€£¥₹%]|[a-z]{3})?)\s*\Z"
)
_SIGN_APART: Final = re.compile(r"\A\s*-\s+(?=[\d.,]+\s*\Z)")
_SIGN_BEHIND: Final = re.compile(r"(?<![\w.,-])(\d[\d.,]*)-(?=\s*\Z)")
"""How accountants write negative numbers: (100) and 100-."""

_RAISED: Final = re.compile(r"(?<=[\w)])([⁺⁻]?[⁰¹²³⁴-⁹]+)")
_RAISED_UNIT: Final = re.compile(r"\b([ckm]?m|ft|in|km)\^([23])\b", re.IGNORECASE)
_MICRO: Final = re.compile(r"(?<![^\W\d_])[µμ](?=[a-z]{1,3}\b)", re.IGNORECASE)
_SHORTENED: Final = (
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\b(?:can't|cannot)\b"), "can not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"\b([a-z]+)n't\b"), r"\1 not"),
    (re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should)nt\b"), r"\1 not"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"\b(it|he|she|that|there|what|who|where|here|how|when)'s\b"), r"\1 is"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\b(we|you|they)'re\b"), r"\1 are"),
    (re.compile(r"\b(i|we|you|they)'ve\b"), r"\1 have"),
    (re.compile(r"\b(i|we|you|they|he|she|it)'ll\b"), r"\1 will"),
)
_SHORTENS: Final = re.compile(r"'|cannot|nt\b")
_NUMBERED: Final = re.compile(r"(?:\b(?:no|nr)\.|№|(?<![\w#])#) ?(?=\d)")
"""No. 5 and #5 are 5."""

_GROUPED: Final = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])")
"""Thousands parted by commas, within a text."""

_POINT: Final = re.compile(r"(?<=\d)[.](?=\d)")
_SAYS_NOTHING: Final = re.compile(r"[^\w+#%$€£¥&@<>=*^~!\x00\x01]+|_|(?<=[^\s])!(?!=)|!(?![\w=])")


def listed(words: str) -> frozenset[str]:
    """The words of a text, as a set: how the parsers write down the words they know."""
    return frozenset(words.split())


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """A text in small ASCII letters with single blanks. Signs that change a meaning stay: ``-5``, ``C#``, ``50%``.

    ``U.S.`` is ``us`` and ``don't`` is ``do not``; hyphens and underscores part words. ``(5)`` and ``5-`` as a whole
    are -5, ``10⁵`` is ``10^5``, ``µg`` is ``ug``.
    """
    if not text.isascii():
        text = _raised(text)
        text = unicodedata.normalize("NFKC", text)
        if not text.isascii():
            text = _in_ascii(_HALVES.sub(" ", _APOSTROPHES.sub("'", text)))
    text = text.lower()
    if _SHORTENS.search(text):
        for pattern, instead in _SHORTENED:
            text = pattern.sub(instead, text)
    text = _APOSTROPHES.sub("", text)
    if "#" in text or "№" in text or "o." in text or "r." in text:
        text = _NUMBERED.sub("", text)
    if "," in text:
        text = _GROUPED.sub(lambda found: found[0].replace(",", ""), text)
    if ")" in text:
        text = _BRACKETED.sub(r"\1 -\2\3", text)
    if "." in text:
        text = _ABBREVIATED.sub(lambda found: found[1].replace(".", ""), text)
        text = _POINT.sub("\x01", text)
    if "-" in text:
        text = _SIGN_APART.sub("-", _SIGN_BEHIND.sub(r"-\1", text))
        text = _SIGNED.sub("\x00", text)
    text = _SAYS_NOTHING.sub(" ", text).replace("&", " and ")
    return " ".join(text.split()).replace("\x00", "-").replace("\x01", ".")


def _raised(text: str) -> str:
    """Raised digits with a sign for it, but in units of area and volume; micro as u."""
    if _RAISED.search(text):
        text = _RAISED.sub(lambda found: "^" + unicodedata.normalize("NFKC", found[1]), text)
        text = _RAISED_UNIT.sub(r"\1\2", text)
    return _MICRO.sub("u", text).replace("Ω", "ohm").replace("Ω", "ohm")


def _in_ascii(text: str) -> str:
    """Letters of every script as near as ASCII comes; accents only where unidecode is not installed, for its licence."""
    try:
        from unidecode import unidecode
    except ImportError:
        kept = unicodedata.normalize("NFKD", text)
        return "".join(char for char in kept if not unicodedata.combining(char))
    return str(unidecode(text, errors="preserve"))


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a text, folded."""
    return tuple(fold(text).split())


def letters(text: str) -> str:
    """A folded text without its blanks: ``data set`` and ``dataset`` are one."""
    return fold(text).replace(" ", "")
