"""Roman numerals as the numbers that they are: Henry VIII, Type II, Chapter V."""

from __future__ import annotations

from typing import Final

from .spelling import listed

__all__ = ["NUMERALS", "digits_for_romans"]

_MOST: Final = 49


def _written(number: int) -> str:
    tens, ones = divmod(number, 10)
    return ("", "x", "xx", "xxx", "xl")[tens] + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[
        ones
    ]


NUMERALS: Final = {_written(number): number for number in range(1, _MOST + 1)}
"""Those that are met; from fifty on they are more often abbreviations (CD, DC, MM)."""

_LETTERS: Final = frozenset({"i", "v", "x", "xl"})
"""Which mean other things as well, so that the word before must say that a number follows."""

_NUMBERED: Final = listed(
    """
    type part chapter war volume vol book act phase stage grade level class section episode article title
    appendix season round tier group division schedule table figure factor category bowl games olympiad
    """
)


def digits_for_romans(words: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Folded words with Roman numerals in digits. `text` says what was written in capitals."""
    if NUMERALS.keys().isdisjoint(words):
        return words
    out = list(words)
    for place in range(1, len(words)):
        word, before = words[place], words[place - 1]
        if word not in NUMERALS or not before.isalpha():
            continue
        named = before in _NUMBERED or (before.endswith("s") and before[:-1] in _NUMBERED)
        if word in _LETTERS:
            # Elizabeth I: in capitals, at the end, behind a name.
            last = place == len(words) - 1 and word in {"i", "v"} and len(before) > 3
            if not named and not (last and text.rstrip(" .!?").endswith(f" {word.upper()}")):
                continue
        out[place] = str(NUMERALS[word])
    return tuple(out)
