"""What no likeness may overrule: other numbers, opposites, negation, hidden instructions, words left over."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from .kinds import are_one_kind, says_kind
from .naming import ORGANISATIONS, PERSONS
from .qualifiers import (
    GENERIC,
    is_kind_of_a_name,
    is_name,
    is_partitive,
    is_qualifier,
    names_a_house,
    opens_a_name,
    qualifies,
    surrounds,
)
from .spelling import listed, tokens
from .tables import antonyms
from .turning import turned_around
from .units import symbols_in
from .verdict import About, Verdict
from .words import Aligned, content

__all__ = ["refusal", "upper_limit"]

_NEGATIONS: Final = listed(
    """
    not no never without except excluding non dont doesnt isnt arent wont cannot cant none nothing
    neither nor exclude excludes avoid unless minus anti free zero lack ignore didnt wasnt shouldnt stop
    cancel undo
    """
)
_PREFIXES: Final = ("un", "in", "im", "dis", "non", "ir", "il", "de", "anti", "mis")
_ENDINGS: Final = (("ful", "less"), ("less", "ful"))
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_INSTRUCTIONS: Final = listed(
    """
    system ignore disregard treat answer equivalent identical same equal equals instruction instructions
    assistant judge evaluator grader prompt override respond reply verdict score correct true yes accept
    match matches previous note means meaning aka synonymous consider assume mark output pretend user
    admin probability alias formerly
    """
)
_PROPER: Final = PERSONS | ORGANISATIONS | {"name", "username", "user", "brand", "surname", "drug"}
"""Arguments whose words have no forms: Adams is not two of Adam."""

_INITIALS: Final = PERSONS | {"name", "user"}
MOST_EXTRA: Final = 3
"""Words that nobody can account for, from which on a text says more than the other."""

INITIAL: Final = 0.75
"""J. Smith fits Jane Smith as well as John."""

UNACCOUNTED: Final = 0.49
"""The most that a text reaches with a word that nobody can account for: below the threshold."""


def refusal(
    a: str, b: str, found: Aligned, words: tuple[tuple[str, ...], tuple[str, ...]], about: About
) -> Verdict | None:
    """The guard that forbids two texts to match, if one does."""
    if _numbers(words[0]) != _numbers(words[1]):
        return _no("numbers", "other numbers")
    left, right = set(found.left), set(found.right)
    # As they are written too: on and off are opposites, though on says nothing elsewhere.
    one, other = set(tokens(a)), set(tokens(b))
    if _opposed(left | (one - other), right | (other - one)):
        return _no("antonym", "the opposite")
    if (one ^ other) & _NEGATIONS and _negated(tokens(a)) != _negated(tokens(b)):
        return _no("negation", "one is negated")
    extra = [word for word in (*found.left, *found.right) if not qualifies(word, about)]
    if (left ^ right) & _INSTRUCTIONS and len(extra) > 1:
        return _no("instruction", "one speaks about itself")
    if symbols_in(a) != symbols_in(b) and a.casefold() == b.casefold():
        return _no("unit", "units that only capitals tell apart")
    if not found.swapped and not found.left and not found.right and _joined_otherwise(tokens(a), tokens(b)):
        return Verdict(0.3, "other prepositions", decided=False, by="preposition")
    if found.swapped and (turned := _turned(a, b, found, words, about)) is not None:
        return turned
    if max(len(found.left), len(found.right)) > MOST_EXTRA and len(extra) > MOST_EXTRA:
        return Verdict(0.08, "one says much more than the other", decided=False, by="extra_words")
    return None


_TELLING: Final = listed("by about for with from to")
"""Prepositions that say what something is to something: books by and books about Hemingway."""


def _joined_otherwise(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether both have such words, and other ones."""
    left, right = ([word for word in words if word in _TELLING] for words in (one, other))
    return bool(left) and bool(right) and left != right


def _turned(
    a: str, b: str, found: Aligned, words: tuple[tuple[str, ...], tuple[str, ...]], about: About
) -> Verdict | None:
    """What the other order means, words that say nothing new not counted: they may be all that stands elsewhere."""
    turned = turned_around(a, b, words, about)
    if turned is None or turned.decided or not (found.left or found.right):
        return turned
    rests = []
    for side, text in ((found.left, a), (found.right, b)):
        if side and not _is_accounted_for(side, text, about):
            return turned
        rests.append(" ".join(_without(tokens(text), side)))
    if rests[0] == rests[1]:
        return None
    return turned_around(rests[0], rests[1], (content(rests[0]), content(rests[1])), about)


def _without(words: tuple[str, ...], less: tuple[str, ...]) -> list[str]:
    gone = Counter(less)
    kept = []
    for word in words:
        if gone[word]:
            gone[word] -= 1
        else:
            kept.append(word)
    return kept


def _no(by: str, words: str, probability: float = 0.01) -> Verdict:
    return Verdict(probability, words, by=by)


def _numbers(words: tuple[str, ...]) -> Counter[str]:
    found: Counter[str] = Counter()
    for word in words:
        if not word.isalpha():
            found.update(each.lstrip("0") or "0" for each in _NUMBER.findall(word))
            found.update(each for each in word if each in "%$€£¥<>=+")
            if word[0] == "-":
                found["-"] += 1
    return found


def _negated(words: tuple[str, ...]) -> int:
    # Gluten free has no gluten; free parking is parking.
    return sum(word in _NEGATIONS for word in (words[1:] if words[0] == "free" else words)) % 2


def _opposed(left: set[str], right: set[str]) -> bool:
    table = antonyms()
    for word in left:
        if not table.get(word, frozenset()).isdisjoint(right):
            return True
        if any(_reverses(word, other) for other in right):
            return True
    return False


def _reverses(one: str, other: str) -> bool:
    short, long = (one, other) if len(one) < len(other) else (other, one)
    if len(short) < 4:
        return False
    if long.endswith(short) and long[: -len(short)] in _PREFIXES:
        return True
    stems = {
        (one.removesuffix(x), other.removesuffix(y))
        for x, y in _ENDINGS
        if one.endswith(x) and other.endswith(y)
    }
    return any(x == y for x, y in stems)


def upper_limit(a: str, b: str, found: Aligned, about: About) -> float:
    """What the regression may say at most. Slips of the pen make another word as often as not."""
    if found.typos or (found.initials and not about.named(_INITIALS)):
        return UNACCOUNTED
    if found.initials and max(found.sizes) == found.exact + found.initials:
        return INITIAL
    if found.stems and about.named(_PROPER):
        return UNACCOUNTED
    if found.left and found.right and not all(map(_is_place_or_form, (*found.left, *found.right))):
        return 1.0 if are_one_kind(found.left, found.right, about) else UNACCOUNTED
    for side, text, other in ((found.left, a, b), (found.right, b, a)):
        if side and not says_kind(side, text, about):
            house = names_a_house(side, other, about) or not is_kind_of_a_name(side, other, about)
            if house or not _is_accounted_for(side, text, about):
                return UNACCOUNTED
    return 1.0


def _is_place_or_form(word: str) -> bool:
    """Whether the word says only where or of which legal form: two other kinds are two things, film and novel."""
    return is_qualifier(word) and word not in GENERIC


def _is_accounted_for(words: tuple[str, ...], text: str, about: About) -> bool:
    """Whether the words of one side that are left over say nothing new."""
    if surrounds(words, text, about) or says_kind(words, text, about):
        return True
    if not is_name(about) or not all(map(is_qualifier, words)):
        return False
    return not (is_partitive(words, text) or opens_a_name(words, text))
