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
_SIGNED: Final = re.compile(r"(?<![\w.])-(?=[\d.])")
_POINT: Final = re.compile(r"(?<=\d)[.](?=\d)")
_SAYS_NOTHING: Final = re.compile(r"[^\w+#%$€£¥&@<>=*^~\x00\x01]+|_")


def listed(words: str) -> frozenset[str]:
    """The words of a text, as a set: how the parsers write down the words they know."""
    return frozenset(words.split())


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """A text in small ASCII letters with single blanks. Signs that change a meaning stay: ``-5``, ``C#``, ``50%``.

    ``U.S.`` is ``us`` and ``don't`` is ``dont``; hyphens and underscores part words.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        if not text.isascii():
            text = _in_ascii(_HALVES.sub(" ", _APOSTROPHES.sub("", text)))
    text = _APOSTROPHES.sub("", text.lower())
    if "." in text:
        text = _ABBREVIATED.sub(lambda found: found[1].replace(".", ""), text)
        text = _POINT.sub("\x01", text)
    if "-" in text:
        text = _SIGNED.sub("\x00", text)
    text = _SAYS_NOTHING.sub(" ", text).replace("&", " and ")
    return " ".join(text.split()).replace("\x00", "-").replace("\x01", ".")


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
