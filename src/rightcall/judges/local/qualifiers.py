"""Words more that say nothing new of whatever has a name: its kind, its legal form, the city around it."""

from __future__ import annotations

from typing import Final

from .kinds import BEFORE_A_NAME, CLUBS, MEASURES, OF_A_NAME, TOWNS, is_said, said_by
from .naming import LEGAL, ORGANISATIONS, PERSONS, PLACES
from .spelling import fold, listed, tokens
from .tables import cities, countries, states
from .verdict import About

__all__ = [
    "GENERIC",
    "TITLES",
    "is_kind_of_a_name",
    "is_name",
    "is_partitive",
    "is_qualifier",
    "names_a_house",
    "opens_a_name",
    "qualifies",
    "surrounds",
]

Words = tuple[str, ...]

GENERIC: Final = listed(
    """
    city town museum park hotel restaurant university college school airport station center bridge river
    lake mount mountain island beach street national area region district hospital library theater cafe
    bar stadium arena tower palace cathedral church zoo art team club football fc band brand metro
    metropolitan usa us uk
    """
)
"""Kinds of what has a name."""

_AREAS: Final = listed("city town area region district metro metropolitan national usa us uk")
"""Kinds that leave a city what it is: Oslo Hotel is no Oslo."""

TITLES: Final = listed("mr mrs ms dr prof professor sir doctor miss")
_PLACES_AND_NAMES: Final = listed(
    """
    name title team company organization organisation brand hotel restaurant museum park artist band
    venue landmark building attraction school university club league store shop airline airport station
    product entity monument site
    """
)
_HOUSES: Final = listed("hospital stadium arena tower church zoo bar club fc football us uk usa")
"""Kinds of a name that stand before it as often as behind it."""

_KINDS_OF_PLACES: Final = GENERIC - listed(
    "national us uk usa football fc club brand team art metro metropolitan city"
)
_BARE_NAMES: Final = frozenset({"name", "entity"})
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


def qualifies(word: str, about: About) -> bool:
    """Whether a word more may say nothing new: what the argument's name says already, or a known qualifier of names."""
    if is_said(word, about) or word in MEASURES:
        return True
    return is_name(about) and is_qualifier(word)


def is_qualifier(word: str) -> bool:
    """Whether the word says nothing new about whatever has a name."""
    return word in GENERIC or word in LEGAL or word in TITLES or word in states() or word in countries()


def is_kind_of_a_name(words: Words, other: str, about: About) -> bool:
    """Whether words of kind may be left out of such a name: not the Tower of Central Park Tower, nor of a Kim Park."""
    if about.named(CLUBS) and not TOWNS.isdisjoint(words):
        return False
    kinds = [word for word in words if word in _KINDS_OF_PLACES]
    if about.name <= _BARE_NAMES or not _KINDS_OF_PLACES.isdisjoint(tokens(other)):
        return not kinds
    return _KINDS_OF_PLACES.isdisjoint(about.name) or all(is_said(word, about) for word in kinds)


def names_a_house(words: tuple[str, ...], other: str, about: About) -> bool:
    """Whether the words make a house or the like of a city, a state or a country that stands alone on the other side."""
    if about.named(CLUBS):
        return False
    kinds = [
        word for word in words if word in GENERIC and word not in _AREAS and word not in said_by(about.name)
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
    if len(name) == len("ME") and name.upper() not in text:
        return False  # Stand by Me is not in Maine
    if "," not in text and not whole.startswith(f"{name} ") and not whole.endswith(f" {name}"):
        return False
    if name in cities() or name in states() or name in countries():
        return True
    if opens_a_name(words, text):
        return False
    parts = [word for word in words if not is_qualifier(word)]
    return not parts or " ".join(parts) in cities()


def opens_a_name(words: tuple[str, ...], text: str) -> bool:
    """Whether a kind among the words stands first in the text and is part of the name: Park City, School of Rock."""
    spoken = [word for word in tokens(text) if word not in {"a", "an", "the"}]
    if not spoken or spoken[0] not in words or spoken[0] not in GENERIC:
        return False
    if spoken[1:2] == ["of"]:
        return spoken[0] not in OF_A_NAME
    return spoken[0] not in BEFORE_A_NAME and spoken[0] not in _HOUSES


def is_partitive(words: tuple[str, ...], text: str) -> bool:
    """Whether one of the words names a place behind ``of``, and what stands before is not the kind of a place."""
    whole = fold(text)
    for word in words:
        before, found, _ = whole.partition(f" of {word}")
        if found and (word in states() or word in countries() or word in cities()):
            return not before.endswith(_WHOLE_OF)
    return False
