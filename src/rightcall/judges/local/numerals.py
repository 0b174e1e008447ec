"""Numbers however they are written: digits with any grouping, words, fractions, ``1.5k``, ``2 million``."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from ...core.diagnosis.quantities import read_number
from ...core.equality.numbers import exact, is_number

__all__ = ["digits_for_words", "numbers_of"]

_LONGEST: Final = 80
_UNITS: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
]
_WORDS: Final = frozenset((*_UNITS, "hundred", "thousand", "million", "billion", "trillion", "and"))
_SCALES: Final = {
    "k": 1_000, "thousand": 1_000, "m": 1_000_000, "mn": 1_000_000, "mio": 1_000_000, "million": 1_000_000,
    "millions": 1_000_000, "bn": 10**9, "b": 10**9, "billion": 10**9, "trillion": 10**12, "dozen": 12, "hundred": 100,
}  # fmt: skip
_SCALED: Final = re.compile(r"([+-]?[\d.,]+) ?([a-z]+)\Z")
_FRACTION: Final = re.compile(r"(?:(\d+)[ -])?(\d+)/(\d+)\Z")
_NEGATIVE: Final = re.compile(r"\(\s*(\d[\d.,' ]*)\s*\)\Z|(\d[\d.,]*)-\Z", re.ASCII)
"""How accountants write negative numbers: (1,250.00) and 100-."""

_POWER: Final = re.compile(r"(?:([+-]?\d[\d.,]*) ?[x×·*] ?)?(\d{1,4})([⁻⁺]?[⁰¹²³⁴-⁹]{1,2})\Z")
_TWO_WAYS: Final = re.compile(r"[+-]?[1-9]\d{0,2}([.,])\d{3}\Z")
_SIGNS: Final = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
_PHRASES: Final = {
    "a dozen": Fraction(12), "dozen": Fraction(12), "half a dozen": Fraction(6), "a half": Fraction(1, 2),
    "half": Fraction(1, 2), "one half": Fraction(1, 2), "a quarter": Fraction(1, 4), "one quarter": Fraction(1, 4),
    "three quarters": Fraction(3, 4), "a third": Fraction(1, 3), "one third": Fraction(1, 3),
    "two thirds": Fraction(2, 3), "a hundred": Fraction(100), "a thousand": Fraction(1000),
    "a million": Fraction(10**6), "a couple": Fraction(2), "once": Fraction(1), "twice": Fraction(2), "none": Fraction(0),
}  # fmt: skip


def numbers_of(value: Any) -> tuple[Fraction, ...]:
    """The numbers that a value may spell, the likelier first; empty where it spells none.

    ``1.234`` may be one and a bit or, on the continent, a thousand and more; the first is the likelier.
    """
    if isinstance(value, bool):
        return ()
    if is_number(value):
        number = exact(value)
        return () if number is None else (number,)
    return _of_text(value) if isinstance(value, str) else ()


@lru_cache(maxsize=4096)
def _of_text(text: str) -> tuple[Fraction, ...]:
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return ()
    if (found := _NEGATIVE.match(text)) is not None:
        return tuple(-number for number in _of_text(found[1] or found[2]))
    if not text.isascii() and (found := _POWER.match(text)) is not None:
        return _power(found)
    text = text.lower()
    for sign, spelled in _SIGNS.items():
        text = text.replace(sign, f" {spelled}") if sign in text else text
    text = text.strip().replace("−", "-")
    plain = read_number(text)
    if plain is not None:
        if found := _TWO_WAYS.match(text):
            both = text.replace(found[1], "")
            other = Fraction(both) if found[1] == "." else Fraction(text.replace(",", "."))
            return plain, other
        return (plain,)
    if found := _SCALED.match(text):
        number = read_number(found[1])
        scale = _SCALES.get(found[2])
        if number is not None and scale is not None:
            return (number * scale,)
    if (found := _FRACTION.match(text)) and int(found[3]):
        return (int(found[1] or 0) + Fraction(int(found[2]), int(found[3])),)
    return _spelled(text)


def _power(found: re.Match[str]) -> tuple[Fraction, ...]:
    """10⁵ and 3 × 10⁵; the exponent has two digits at most."""
    times = read_number(found[1]) if found[1] else Fraction(1)
    exponent = int(unicodedata.normalize("NFKC", found[3]).replace("−", "-"))
    base = int(found[2])
    return () if times is None or (base == 0 and exponent < 0) else (times * Fraction(base) ** exponent,)


def _spelled(text: str) -> tuple[Fraction, ...]:
    if not text[0].isalpha():
        return ()
    words = " ".join(text.replace("-", " ").replace(",", " ").split())
    if words in _PHRASES:
        return (_PHRASES[words],)
    sign = 1
    for minus in ("minus ", "negative "):
        if words.startswith(minus):
            sign, words = -1, words[len(minus) :]
    whole, _, part = words.partition(" point ")
    number = _in_words(whole)
    if number is None:
        return ()
    if part:
        digits = [_UNITS.index(word) if word in _UNITS[:10] else None for word in part.split()]
        if None in digits:
            return ()
        number += Fraction(f"0.{''.join(map(str, digits))}")
    return (sign * number,)


def _in_words(text: str) -> Fraction | None:
    parts = text.split()
    if not parts or not _WORDS.issuperset(parts) or parts[0] == "and":
        return None
    from text_to_num import text2num

    try:
        return Fraction(int(text2num(text, "en")))
    except ValueError:
        return None


def digits_for_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words with every run of number words written in digits: five years is 5 years."""
    if _WORDS.isdisjoint(words):
        return words
    out: list[str] = []
    run: list[str] = []
    for word in (*words, ""):
        if word in _WORDS and (run or word != "and"):
            run.append(word)
            continue
        if run:
            tail = ["and"] if run[-1] == "and" else []
            number = _in_words(" ".join(run[: len(run) - len(tail)]))
            out += [*run] if number is None else [str(number), *tail]
            run = []
        if word:
            out.append(word)
    return tuple(out)
