"""Words more that say nothing new: the kind of a thing, its legal form, the city around it, the argument's name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from .naming import LEGAL, ORGANISATIONS, PERSONS, PLACES
from .spelling import fold, listed
from .tables import cities, countries, states, synonyms
from .verdict import About
from .words import stem

__all__ = ["GENERIC", "TITLES", "is_name", "is_partitive", "names_a_house", "qualifies", "surrounds"]

GENERIC: Final = listed(
    """
    city town museum park hotel restaurant university college school airport station center bridge river
    lake mount mountain island beach street national area region district hospital library theater cafe
    bar stadium arena tower palace cathedral church zoo art team club football fc band brand metro
    metropolitan downtown usa us uk
    """
)
"""Kinds of what has a name."""

_AREAS: Final = listed("city town area region district metro metropolitan downtown national usa us uk")
"""Kinds that leave a city what it is: Oslo Hotel is no Oslo."""

TITLES: Final = listed("mr mrs ms dr prof professor sir doctor miss")
_MEASURES: Final = frozenset({"pair", "piece", "pieces"})
_PLACES_AND_NAMES: Final = listed(
    """
    name title team company organization organisation brand hotel restaurant museum park artist band
    venue landmark building attraction school university club league store shop airline airport station
    product entity monument site
    """
)
_KINDS: Final[Mapping[str, frozenset[str]]] = {
    word: listed(kinds)
    for words, kinds in {
        "cuisine cuisines": "food foods cuisine cooking restaurant restaurants dish dishes kitchen",
        "genre genres": "music movie movies film films song songs book books novel novels game games genre",
        "sport sports": "sport sports game games",
        "diet dietary": "diet diets meal meals food foods",
        "plant tree flower species": "tree trees plant plants flower flowers species",
        "platform console": "console consoles platform system",
        "unit units system": "unit units system systems",
        "stat stats statistic": "rating ratings score scores stat stats statistic",
        "disease condition disorder diagnosis": "disease disorder condition",
        "theater theatre cinema venue": "theater theatre theaters theatres cinema cinemas drive multiplex",
        "particle discovery element": "particle particles element",
        "airport origin destination": "airport airports international intl",
        "station terminal": "station terminal",
        "language languages": "language",
        "car vehicle": "car vehicle",
        "instrument": "instrument",
        "dance style": "dance style",
        "war battle event": "war battle",
        "tournament competition league": "tournament championship championships competition league",
        "currency crypto cryptocurrency coin": "coin token crypto cryptocurrency currency",
        "stock company": "stock stocks shares",
        "planet star body": "planet star",
        "drug medication": "tablet tablets pill pills capsule capsules medication",
        "theorem law principle theory": "theorem law principle theory",
        "airline carrier": "airline airlines airways air",
        "fabric material": "fabric material",
        "ingredient ingredients": "fresh raw",
        "room bed": "room rooms bed beds size",
    }.items()
    for word in words.split()
}
"""By a word of the argument's name, the kinds that every value of it is of."""


def qualifies(word: str, about: About) -> bool:
    """Whether a word more says nothing new: what the argument's name says already, or a known qualifier of names."""
    if word in _MEASURES or word in _said(about.name) or stem(word) in _said(about.name):
        return True
    if any(word in _KINDS[each] for each in about.name if each in _KINDS):
        return True
    if not is_name(about):
        return False
    return word in GENERIC or word in LEGAL or word in TITLES or word in states() or word in countries()


@lru_cache(maxsize=2048)
def _said(name: frozenset[str]) -> frozenset[str]:
    """The words of an argument's name, their stems, and the first of their synonyms, as texts are compared."""
    return frozenset({*name, *map(stem, name), *(synonyms().get(word, word) for word in name)})


def names_a_house(words: tuple[str, ...], other: str, about: About) -> bool:
    """Whether the words make a house or the like of a city, a state or a country that stands alone on the other side."""
    kinds = [
        word for word in words if word in GENERIC and word not in _AREAS and word not in _said(about.name)
    ]
    whole = fold(other)
    return bool(kinds) and (whole in cities() or whole in states() or whole in countries())


def is_name(about: About) -> bool:
    """Whether the argument holds the name of a place, a person, an organisation or a thing."""
    return (
        about.named(_PLACES_AND_NAMES)
        or about.named(PLACES)
        or about.named(PERSONS)
        or about.named(ORGANISATIONS)
    )


def surrounds(words: tuple[str, ...], text: str, about: About) -> bool:
    """Whether the words that are left over name a city, a state or a country around a name, or are known to say nothing.

    Behind a name only where a comma or ``in`` parts them: the Louvre Abu Dhabi is another museum. Never behind ``of``:
    the Supreme Court of Canada.
    """
    if not words or not is_name(about):
        return False
    if is_partitive(words, text):
        return False
    name = " ".join(words)
    whole = fold(text)
    if (
        whole.endswith(f" {name}")
        and "," not in text
        and not whole.endswith(f" in {name}")
        and name not in states()
    ):
        return False
    if name in cities() or name in states() or name in countries():
        return True
    parts = [word for word in words if not qualifies(word, about)]
    return not parts or " ".join(parts) in cities()


_WHOLE_OF: Final = (
    "city",
    "state",
    "town",
    "province",
    "county",
    "republic",
    "kingdom",
    "district",
    "borough",
)


def is_partitive(words: tuple[str, ...], text: str) -> bool:
    """Whether one of the words names a place behind ``of``, and what stands before is not the kind of a place."""
    whole = fold(text)
    for word in words:
        before, found, _ = whole.partition(f" of {word}")
        if found and (word in states() or word in countries() or word in cities()):
            return not before.endswith(_WHOLE_OF)
    return False
