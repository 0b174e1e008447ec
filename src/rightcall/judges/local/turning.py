"""The same words in another order: who owes whom, which of two is red. And the ways of saying one thing that look so."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from .qualifiers import GENERIC, TITLES
from .spelling import fold, listed, tokens
from .tables import cities, countries, states
from .verdict import About, Verdict
from .words import stem

__all__ = ["TURNED", "turned_around"]

Words = tuple[str, ...]

TURNED: Final = 0.35
"""The same words in another order, where nothing says that one is a list: for a remote judge to decide."""

_PERHAPS_TWO: Final = 0.4
"""The University of Washington is not Washington University, though few tasks hold both."""

_RELATIONS: Final = listed(
    """
    to from over before after vs versus than minus divided into then beats under per against by
    """
)
_TURNING: Final = frozenset({"of", "in", "about", "for", "at", "on"})
"""Words that join a thing to what it belongs to: the price of gold is the gold price."""

_NAMED_AFTER_PLACES: Final = frozenset({"university", "college", "bank", "institute", "school"})
_BEFORE_AND_BEHIND: Final = listed(
    "hotel restaurant cafe museum lake mount hospital palace castle theater stadium arena airport library zoo"
)
"""Kinds that stand before a name as well as behind it: hotel Astoria. Central Park is no Park Central."""

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_YEAR: Final = re.compile(r"(?:19|20)\d\d\Z", re.ASCII)
_OWNING: Final = re.compile(r"(?<=\w)['’]s?(?= )")
_HOLDERS: Final = frozenset(
    map(
        stem,
        listed(
            "glass cup bottle box bag pot can case basket jar mug tin bowl pack carton pair queen king man"
        ),
    )
)
"""A glass of wine is no wine glass."""

_SEARCHES: Final = listed("query search keyword keywords q term terms phrase")
_FEWEST_KEYWORDS: Final = 3
_SEQUENCES: Final = listed("step steps instruction instructions sequence order route stops itinerary")
_CHOICES: Final = frozenset({"and", "or", "not"})
_KEYWORDS: Final = 0.6
_TURNED_SEARCH: Final = 0.45
"""Most searches find the same whatever the order, but what dog bites man finds is not what man bites dog finds."""

_PREPOSITIONS: Final = listed(
    "to from in at on for with without about near around before after until during via by"
)
_TIMES: Final = listed("today tonight tomorrow yesterday now nearby")
_ARTICLES: Final = frozenset({"a", "an", "the"})
_LISTED: Final = re.compile(r" ?[,;&] ?(?:and |or )?| (?:and|or) ")
_JOINTS: Final = re.compile(r"\b(?:and|or)\b")
_LONGEST_ITEM: Final = 4
"""Words of an item of a list within a text."""


def turned_around(a: str, b: str, words: tuple[Words, Words], about: About) -> Verdict | None:
    """What the other order means; None where it means nothing, so that the rest decides.

    Args:
        a, b: the texts.
        words: those of their words that count.
        about: what is known of the argument.
    """
    if "," not in a + b and not about.named(_SEQUENCES) and _are_phrases_moved(tokens(a), tokens(b)):
        return None
    if not _RELATIONS.isdisjoint((*tokens(a), *tokens(b))):
        return Verdict(0.05, "the same words the other way round", by="order")
    if any(_NUMBER.search(word) for word in words[0]):
        return None if _only_a_year_moved(*words) else Verdict(0.1, "numbers in another order", by="order")
    if not about.named(_SEQUENCES) and (_is_one_list(a, b) or _is_list_within(tokens(a), tokens(b))):
        return None
    if _is_name_turned(a, b) or _is_name_turned(b, a):
        return None
    left, right = _plain(a), _plain(b)
    if head := _turned_head(left, right) or _turned_head(right, left):
        if not _HOLDERS.isdisjoint(head):
            return Verdict(TURNED, "what holds a thing, and the thing", decided=False, by="order")
        if _NAMED_AFTER_PLACES.isdisjoint(head):
            return None
        return Verdict(_PERHAPS_TWO, "the same words in another order", decided=False, by="order")
    if _is_kind_around_name(a, b, words) or _is_place_around_name(left, right):
        return None
    return _moved(left, right, about)


def _moved(one: Words, other: Words, about: About) -> Verdict:
    """Words of a search say much the same wherever they stand, if no two change places: a cat chases a dog."""
    said = "the same words in another order"
    searched = about.named(_SEARCHES)
    if len(one) != len(other) or not _is_one_move(one, other):
        return Verdict(_TURNED_SEARCH if searched else TURNED, said, decided=False, by="order")
    return Verdict(_KEYWORDS if searched else _PERHAPS_TWO, said, decided=False, by="order")


def _is_one_move(one: Words, other: Words) -> bool:
    """Whether taking some neighbours out of one and putting them in elsewhere makes the other."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    if len(one) < _FEWEST_KEYWORDS or not _CHOICES.isdisjoint(one):
        return False
    return any(one[size:] + one[:size] == other for size in range(1, len(one)))


def _are_phrases_moved(one: Words, other: Words) -> bool:
    """Hotels in Paris for two, hotels for two in Paris; not where and or a second phrase of the kind could take it."""
    if not _CHOICES.isdisjoint(one):
        return False
    if any(count > 1 and word in _PREPOSITIONS | _TIMES for word, count in Counter(one).items()):
        return False
    return _phrases(one) == _phrases(other)


def _phrases(words: Words) -> Counter[Words]:
    """The parts of a text that may change places: what stands before the first preposition, and what each rules."""
    found: list[list[str]] = [[]]
    for word in words:
        if word in _PREPOSITIONS or word in _TIMES or (found[-1] and found[-1][-1] in _TIMES):
            found.append([])
        if word not in _ARTICLES:
            found[-1].append(stem(word))
    return Counter(tuple(phrase) for phrase in found if phrase)


def _only_a_year_moved(one: Words, other: Words) -> bool:
    """2022 FIFA World Cup, FIFA World Cup 2022."""
    numbers = [word for word in one if _NUMBER.search(word)]
    if len(numbers) != 1 or not _YEAR.match(numbers[0]):
        return False
    return [word for word in one if word != numbers[0]] == [word for word in other if word != numbers[0]]


def _is_one_list(a: str, b: str) -> bool:
    """Whether both are plain lists of the same items."""
    plain = [" ".join(text.casefold().split()) for text in (a, b)]
    items = [sorted(filter(None, map(fold, _LISTED.split(text)))) for text in plain]
    joints = {joint for text in plain for joint in _JOINTS.findall(text)}
    return len(items[0]) > 1 and items[0] == items[1] and len(joints) < 2


def _is_list_within(one: Words, other: Words) -> bool:
    """Buy milk and eggs, buy eggs and milk: two items around one word, the rest as it is."""
    joints = [place for place, word in enumerate(one) if word in {"and", "or"}]
    if len(joints) != 1 or len(one) != len(other):
        return False
    place, joint = joints[0], one[joints[0]]
    for before in range(1, min(place, _LONGEST_ITEM) + 1):
        for behind in range(1, min(len(one) - place - 1, _LONGEST_ITEM) + 1):
            first, second = one[place - before : place], one[place + 1 : place + 1 + behind]
            turned = (*one[: place - before], *second, joint, *first, *one[place + 1 + behind :])
            if turned == other:
                return True
    return False


def _is_name_turned(a: str, b: str) -> bool:
    """Cohen, Ruth and Ruth Cohen; knee (left) and left knee."""
    last, comma, first = a.rstrip(" )").partition("(" if a.rstrip().endswith(")") else ",")
    words = tokens(a)
    return (
        bool(comma)
        and "," not in first + b
        and len(words) <= _LONGEST_ITEM
        and all(map(str.isalpha, words))
        and (*tokens(first), *tokens(last)) == tokens(b)
    )


def _plain(text: str) -> Words:
    """The words but for articles and the s of who owns something."""
    return tuple(word for word in tokens(_OWNING.sub("", text)) if word not in _ARTICLES)


def _turned_head(one: Words, other: Words) -> Words:
    """Of ``price of gold`` and ``gold price`` the price; empty where they are not so."""
    one, other = tuple(map(stem, one)), tuple(map(stem, other))
    joints = [place for place, word in enumerate(one) if word in _TURNING]
    if len(joints) != 1 or not _TURNING.isdisjoint(other):
        return ()
    head, tail = one[: joints[0]], one[joints[0] + 1 :]
    return head if head and tail and other == tail + head else ()


def _is_kind_around_name(a: str, b: str, words: tuple[Words, Words]) -> bool:
    """Hotel Astoria, Astoria hotel."""
    one = words[0]
    if len(one) < 2 or ("of" in tokens(a) and "of" in tokens(b)):
        return False
    name = _named(one)
    return (
        name != one
        and not _BEFORE_AND_BEHIND.union(TITLES).isdisjoint((one[0], one[-1]))
        and name == _named(words[1])
    )


def _named(words: Words) -> Words:
    """A name without the word of its kind at one of its ends."""
    if words[0] in GENERIC or words[0] in TITLES:
        return words[1:]
    return words[:-1] if words[-1] in GENERIC or words[-1] in TITLES else words


def _is_place_around_name(one: Words, other: Words) -> bool:
    """Sydney Opera House, Opera House Sydney: a city, a state or a country before the name or behind it."""
    return any(
        name == name_2 and (place == place_2 or not place or not place_2)
        for name, place in _names_with_places(one)
        for name_2, place_2 in _names_with_places(other)
    )


def _names_with_places(words: Words) -> list[tuple[Words, object]]:
    """The readings of a text as a name and what lies around it."""
    found: list[tuple[Words, object]] = [(words, None)]
    for size in (1, 2, 3):
        for place, name in ((words[:size], words[size:]), (words[-size:], words[:-size])):
            whole = " ".join(place)
            known = cities().get(whole) or states().get(whole) or countries().get(whole)
            if name and known:
                found.append((name, known))
    return [(reading, place) for name, place in found for reading in (name, _without_of(name))]


def _without_of(words: Words) -> Words:
    """Museum of Modern Art as Modern Art Museum."""
    joints = [place for place, word in enumerate(words) if word == "of"]
    return words[joints[0] + 1 :] + words[: joints[0]] if len(joints) == 1 else words
