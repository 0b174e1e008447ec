"""Two texts word by word: which words answer each other, in which way, and which are left over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from msgspec import Struct

from .inflections import is_inflected
from .numerals import digits_for_words
from .romans import digits_for_romans
from .spelling import listed, tokens
from .tables import synonyms

__all__ = ["Aligned", "align", "content", "stem"]

STOP: Final = listed(
    """
    a an the of in at on for and is are be s please to by about this that these those my your our
    """
)
_ORDINALS: Final = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th",
    "eighth": "8th", "ninth": "9th", "tenth": "10th", "eleventh": "11th", "twelfth": "12th", "thirteenth": "13th",
    "fourteenth": "14th", "fifteenth": "15th", "sixteenth": "16th", "seventeenth": "17th", "eighteenth": "18th",
    "nineteenth": "19th", "twentieth": "20th", "thirtieth": "30th", "fortieth": "40th", "fiftieth": "50th",
    "sixtieth": "60th", "seventieth": "70th", "eightieth": "80th", "ninetieth": "90th", "hundredth": "100th",
}  # fmt: skip
_TENS: Final = frozenset({"20", "30", "40", "50", "60", "70", "80", "90"})
_AMOUNTS: Final = frozenset({"half", "dozen", "hour", "week", "month", "year", "quarter", "third", "couple"})
_THOUSANDS: Final = re.compile(r"([$€£])?(\d{1,6})k\Z", re.ASCII)
_FEW: Final = frozenset({"few", "little"})
_MOST: Final = 2500
"""Pairs of words left over that are still held against each other."""

_LONGEST_WORD: Final = 30
"""Letters of a word in which a slip may be seen; what is longer is no word."""

_LONGEST: Final = 400
"""Words that are compared; what is longer must be equal but for spelling."""


class Aligned(Struct, frozen=True):
    """How the words of two texts answer each other.

    Attributes:
        exact, stems, joined, initials, typos, acronyms: words of the shorter side that were matched so.
        left, right: what is left over on each side, in order.
        sizes: words of each side that count.
        swapped: whether the words that are on both sides come in another order.
    """

    exact: int
    stems: int
    joined: int
    initials: int
    typos: int
    acronyms: int
    left: tuple[str, ...]
    right: tuple[str, ...]
    sizes: tuple[int, int]
    swapped: bool

    @property
    def matched(self) -> int:
        """Words that were matched in any way."""
        return self.exact + self.stems + self.joined + self.initials + self.typos + self.acronyms


@lru_cache(maxsize=8192)
def content(text: str) -> tuple[str, ...]:
    """The words that count: numbers in digits, one word of each group of synonyms, no articles."""
    words = digits_for_words(tuple(part for word in tokens(text) for part in _sharp(word)))
    words = digits_for_romans(words, text)
    if " v. " in text or " v " in text:
        words = tuple("versus" if word == "v" else word for word in words)
    if len(words) > _LONGEST:
        return words
    table = synonyms()
    out: list[str] = []
    place = 0
    while place < len(words):
        for size in (3, 2, 1):
            group = table.get(" ".join(words[place : place + size])) if place + size <= len(words) else None
            if (
                group is not None
                and not _is_plain_about(words, place, size)
                and not _is_unit(words, place, size)
            ):
                out += group.split()
                place += size
                break
        else:
            _add(out, _ORDINALS.get(words[place]) or _in_full(words[place]))
            place += 1
    # Product A: a letter at the end is a name.
    kept = [
        word for place, word in enumerate(out) if word not in STOP or (word == "a" and place == len(out) - 1)
    ]
    return tuple(kept) or tuple(out)


_UNITS: Final = frozenset({"min", "ml", "c", "n", "s", "e", "w", "hr", "max"})


def _is_unit(words: tuple[str, ...], place: int, size: int) -> bool:
    """Whether a short word stands behind a number, where it is a unit: 5 min are no minimum."""
    return size == 1 and place > 0 and words[place] in _UNITS and words[place - 1][:1].isdigit()


def _is_plain_about(words: tuple[str, ...], place: int, size: int) -> bool:
    """Whether this is the about of ``news about Tesla``, and not a synonym of approximately."""
    if size > 1 or words[place] != "about" or not place:
        return False
    return not any(word[:1].isdigit() or word in _AMOUNTS for word in words[place + 1 : place + 3])


def _in_full(word: str) -> str:
    """500k is 500000; other scales are units as often as not."""
    found = _THOUSANDS.match(word)
    return f"{found[1] or ''}{int(found[2]) * 1000}" if found else word


def _add(out: list[str], word: str) -> None:
    """One word more: twenty-first is one number, a few is not few."""
    if (
        out
        and out[-1] in _TENS
        and len(word) == 3
        and word[0].isdigit()
        and word[1:] in {"st", "nd", "rd", "th"}
    ):
        out[-1] = out[-1][0] + word
    elif out and out[-1] == "a" and word in _FEW:
        out[-1] = f"a{word}"
    else:
        out.append(word)


def _sharp(word: str) -> tuple[str, ...]:
    """C# is C sharp."""
    return (word[0], "sharp") if len(word) == 2 and word[1] == "#" else (word,)


_ENDINGS: Final = (
    ("ies", "y", 5),
    ("sses", "ss", 5),
    ("ches", "ch", 5),
    ("shes", "sh", 5),
    ("xes", "x", 4),
    ("ing", "", 6),
    ("ed", "", 5),
    ("es", "e", 5),
)
"""Endings, what stands in their place, and the shortest word that may have them."""


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without the endings of number and tense: enough to see that opens and open are one."""
    if len(word) <= 3 or not word.isalpha():
        return word
    for ending, instead, shortest in _ENDINGS:
        if word.endswith(ending) and len(word) >= shortest:
            return _short(word[: len(word) - len(ending)] + instead)
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return _short(word[:-1])
    return _short(word)


def _short(word: str) -> str:
    word = word.removesuffix("e") if len(word) > 3 else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls" else word


def align(a: tuple[str, ...], b: tuple[str, ...]) -> Aligned:
    """Match words one to one, the surest ways first."""
    common = Counter(a) & Counter(b)
    left, right = _less(a, common), _less(b, common)
    swapped = _is_swapped(a, b)
    exact = sum(common.values())
    sizes = (len(a), len(b))
    if not left or not right:
        return Aligned(exact, 0, 0, 0, 0, 0, tuple(left), tuple(right), sizes, swapped)
    left, right, stems = _pairwise(left, right, _is_one_word)
    left, right, joined = _joined(left, right)
    right, left, more_joined = _joined(right, left)
    left, right, acronyms = _acronym(left, right)
    right, left, more_acronyms = _acronym(right, left)
    left, right, initials = _pairwise(left, right, _is_initial)
    left, right, typos = _pairwise(left, right, _is_typo)
    return Aligned(
        exact=exact,
        stems=stems,
        joined=joined + more_joined,
        initials=initials,
        typos=typos,
        acronyms=acronyms + more_acronyms,
        left=tuple(left),
        right=tuple(right),
        sizes=sizes,
        swapped=swapped,
    )


_RANKED: Final = re.compile(r"(\d+)(?:st|nd|rd|th)\Z", re.ASCII)
_SHORTEST_SKELETON: Final = 3


def _is_one_word(one: str, other: str) -> bool:
    """Forms of one word, a number and its rank, or a word and its consonants: mgr, hwy, bldg."""
    if is_inflected(one, other):
        return True
    for short, long in ((one, other), (other, one)):
        if short.isdigit() and (found := _RANKED.match(long)) and found[1] == short:
            return True
        if _is_skeleton(short, long):
            return True
    return False


def _is_skeleton(short: str, long: str) -> bool:
    """Whether one is written of the other's consonants alone, the first and the last among them."""
    if not _SHORTEST_SKELETON <= len(short) <= len(long) - 3 or short[0] != long[0] or short[-1] != long[-1]:
        return False
    if not short.isalpha() or not long.isalpha() or any(char in "aeiou" for char in short):
        return False
    letters = iter(long)
    return all(char in letters for char in short)


def _less(words: tuple[str, ...], common: Counter[str]) -> list[str]:
    rest = Counter(common)
    out = []
    for word in words:
        if rest[word]:
            rest[word] -= 1
        else:
            out.append(word)
    return out


def _is_swapped(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether the words that both have, in whatever form, come in another order."""
    one, other = [*map(stem, a)], [*map(stem, b)]
    left, right = Counter(one), Counter(other)
    common = {word for word, count in left.items() if right[word] == count}
    return [word for word in one if word in common] != [word for word in other if word in common]


def _pairwise(
    left: list[str], right: list[str], fits: Callable[[str, str], bool]
) -> tuple[list[str], list[str], int]:
    """Take out pairs that fit, first come first served; the few words that are left make that exact enough."""
    if not left or not right or len(left) * len(right) > _MOST:
        return left, right, 0
    rest, out, count = list(right), [], 0
    for word in left:
        place = next((place for place, other in enumerate(rest) if fits(word, other)), None)
        if place is None:
            out.append(word)
        else:
            del rest[place]
            count += 1
    return out, rest, count


def _joined(left: list[str], right: list[str]) -> tuple[list[str], list[str], int]:
    """One word on the left that is two or three on the right, written together."""
    if not left or len(right) < 2 or len(left) * len(right) > _MOST:
        return left, right, 0
    out, count = [], 0
    rest = list(right)
    for word in left:
        for size in (2, 3):
            place = next(
                (i for i in range(len(rest) - size + 1) if "".join(rest[i : i + size]) == word), None
            )
            if place is not None:
                del rest[place : place + size]
                count += 1
                break
        else:
            out.append(word)
    return out, rest, count


def _acronym(left: list[str], right: list[str]) -> tuple[list[str], list[str], int]:
    """One word on the left whose letters begin the words on the right."""
    if len(left) * len(right) > _MOST:
        return left, right, 0
    out, count = [], 0
    rest = list(right)
    for word in left:
        size = len(word)
        if 2 <= size <= 6 and word.isalpha() and len(rest) >= size:
            starts = "".join(each[0] for each in rest)
            place = starts.find(word)
            if place >= 0:
                del rest[place : place + size]
                count += 1
                continue
        out.append(word)
    return out, rest, count


def _is_initial(one: str, other: str) -> bool:
    short, long = (one, other) if len(one) < len(other) else (other, one)
    return len(short) == 1 and short.isalpha() and long.isalpha() and long[0] == short


def _is_typo(one: str, other: str) -> bool:
    if (
        min(len(one), len(other)) < 5
        or one[0] != other[0]
        or not one.isalpha()
        or not other.isalpha()
        or abs(len(one) - len(other)) > 2
    ):
        return False
    if max(len(one), len(other)) > _LONGEST_WORD:
        return False
    from rapidfuzz.distance import OSA

    allowed = 1 if min(len(one), len(other)) < 9 else 2
    return bool(OSA.distance(one, other, score_cutoff=allowed) <= allowed)
