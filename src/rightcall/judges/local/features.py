"""What the regression sees of two texts that no parser and no guard decided about: about forty numbers, symmetric."""

from __future__ import annotations

from typing import Final

from .kinds import says_kind
from .naming import ORGANISATIONS, PERSONS, PLACES
from .qualifiers import is_name, qualifies, surrounds
from .spelling import fold
from .tables import cities
from .verdict import About
from .words import Aligned

__all__ = ["NAMES", "features"]

_SEEN: Final = 500
"""Characters whose spelling is held against each other; words are, all of them."""

NAMES: Final = (
    "same_letters", "same_words", "ratio", "ratio_high", "sorted_ratio", "set_ratio",
    "partial_ratio", "jaro_winkler", "length_ratio", "shortest_words", "longest_words", "jaccard",
    "share_short", "share_long", "left_over_short", "left_over_long", "both_left_over", "qualified",
    "unaccounted", "all_accounted", "surrounded", "stems", "joined", "initials",
    "typos", "acronym_whole", "acronym_part", "swapped", "same_first", "same_last", "first_letter",
    "contains", "contains_name", "contains_person", "contains_place", "contains_text",
    "one_word_each", "both_cities", "is_name", "is_free_text", "short_code",
)  # fmt: skip
"""In the order of the numbers."""


def features(
    a: str, b: str, words: tuple[tuple[str, ...], tuple[str, ...]], found: Aligned, about: About
) -> list[float]:
    """The numbers of :data:`NAMES`, each about 0..1, up to 2 for counts."""
    one, other = words
    short, long = sorted((len(one), len(other)))
    rest = sorted((len(found.left), len(found.right)))
    extra = (*found.left, *found.right)
    known = _known(found.left, a, about) + _known(found.right, b, about)
    around = surrounds(found.left, a, about) or surrounds(found.right, b, about)
    total = max(short + long - found.exact, 1)
    whole = found.acronyms > 0 and not extra
    matched = found.matched
    left, right = fold(a), fold(b)
    spelled = _likeness(left[:_SEEN], right[:_SEEN])
    return [
        float(left.replace(" ", "") == right.replace(" ", "")),
        float(not extra and matched == found.exact),
        *spelled,
        min(short, 5) / 5,
        min(long, 10) / 10,
        found.exact / total,
        min(1.0, matched / max(short, 1)),
        min(1.0, matched / max(long, 1)),
        min(rest[0], 4) / 2,
        min(rest[1], 4) / 2,
        float(rest[0] > 0),
        min(known, 2) / 2,
        min(len(extra) - known, 4) / 2,
        float(known == len(extra)),
        float(around),
        min(found.stems, 2) / 2,
        min(found.joined, 2) / 2,
        min(found.initials, 2) / 2,
        min(found.typos, 2) / 2,
        float(whole),
        float(found.acronyms > 0 and not whole),
        float(found.swapped),
        float(one[:1] == other[:1]),
        float(one[-1:] == other[-1:]),
        float(left[:1] == right[:1]),
        *_containing(about, contained=rest[0] == 0 and rest[1] > 0),
        float(short == long == 1),
        float(left in cities() and right in cities()),
        float(is_name(about)),
        float(long > 5),
        float(min(len(left), len(right)) <= 4),
    ]


def _known(words: tuple[str, ...], text: str, about: About) -> int:
    """How many of the words that one text has more say nothing new."""
    if says_kind(words, text, about):
        return len(words)
    return sum(qualifies(word, about) for word in words)


def _likeness(left: str, right: str) -> list[float]:
    """From ``ratio`` to ``length_ratio``."""
    from rapidfuzz import fuzz
    from rapidfuzz.distance import JaroWinkler

    ratio = fuzz.ratio(left, right) / 100
    return [
        ratio,
        max(0.0, ratio - 0.8) * 5,
        fuzz.token_sort_ratio(left, right) / 100,
        fuzz.token_set_ratio(left, right) / 100,
        fuzz.partial_ratio(left, right) / 100,
        JaroWinkler.similarity(left, right),
        min(len(left), len(right)) / max(len(left), len(right), 1),
    ]


def _containing(about: About, *, contained: bool) -> list[float]:
    """From ``contains`` to ``contains_text``: one holds all words of the other, and what the argument is."""
    names = is_name(about)
    return [
        float(contained),
        float(contained and names),
        float(contained and (about.named(PERSONS) or about.named(ORGANISATIONS))),
        float(contained and about.named(PLACES)),
        float(contained and not names),
    ]
