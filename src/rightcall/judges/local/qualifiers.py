"""Words more that say nothing new: the kind of a thing, its legal form, the city around it, the argument's name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from .naming import LEGAL, ORGANISATIONS, PERSONS, PLACES
from .spelling import fold, listed, tokens
from .tables import cities, countries, states, synonyms
from .verdict import About
from .words import content, stem

__all__ = [
    "GENERIC",
    "TITLES",
    "is_name",
    "is_partitive",
    "is_said",
    "names_a_house",
    "qualifies",
    "says_kind",
    "surrounds",
]

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
        "genre genres": "music movie movies film films song songs book books novel novels game games genre concert "
        "concerts show shows",
        "music": "music song songs genre",
        "sport sports": "sport sports game games",
        "diet dietary": "diet diets meal meals food foods",
        "plant tree flower species": "tree trees plant plants flower flowers species",
        "platform console": "console consoles platform system",
        "unit units system": "unit units system systems",
        "stat stats statistic": "rating ratings score scores stat stats statistic",
        "disease condition disorder diagnosis": "disease disorder condition",
        "theater theatre cinema venue": "theater theatre theaters theatres cinema cinemas drive multiplex",
        "particle discovery element": "particle particles element",
        "discovery invention concept": "theory law principle effect",
        "airport origin destination": "airport airports international intl",
        "station terminal": "station terminal",
        "language languages": "language",
        "car vehicle": "car vehicle",
        "instrument": "instrument",
        "dance": "dance style",
        "style aesthetic design": "style styled design",
        "war battle event conflict": "war battle",
        "event festival": "event festival",
        "holiday": "day holiday",
        "tournament competition league": "tournament championship championships competition league cup",
        "currency crypto cryptocurrency coin": "coin token crypto cryptocurrency currency",
        "stock company": "stock stocks shares",
        "planet star body": "planet star",
        "constellation galaxy nebula": "constellation galaxy nebula",
        "ocean sea": "ocean sea",
        "desert": "desert",
        "river": "river",
        "island": "island",
        "mountain peak": "mountain mount peak",
        "drug medication": "tablet tablets pill pills capsule capsules medication",
        "theorem law principle theory": "theorem law principle theory",
        "airline carrier": "airline airlines airways air",
        "fabric material": "fabric material",
        "ingredient ingredients": "fresh raw",
        "room bed": "room rooms bed beds size sized",
        "period era age epoch": "period era age",
        "movement": "movement art",
        "religion faith": "religion faith",
        "philosophy school": "philosophy",
        "subject course class": "subject course class studies",
        "industry sector market": "industry sector market",
        "field discipline area": "field studies",
        "job occupation profession position role": "job position role",
        "court": "court",
        "legal": "law",
        "crime offense offence": "crime offense offence",
        "gene": "gene",
        "protein enzyme": "protein enzyme",
        "cell": "cell cells",
        "virus bacteria": "virus bacteria bacterium",
        "chemical compound substance": "compound",
        "metal": "metal",
        "shape": "shape shaped",
        "color colour": "color colour colored coloured",
        "size": "size sized",
        "level difficulty skill priority severity": "level",
        "mode": "mode",
        "status state": "status",
        "format extension": "format file files",
        "cloth clothing garment": "clothing clothes",
        "exercise workout activity": "exercise exercises workout workouts activity training class classes session "
        "sessions",
        "procedure scan imaging": "procedure scan",
        "specialty speciality": "specialist doctor physician",
        "recipe dish meal": "recipe recipes dish meal",
        "meal": "meal time",
        "skill": "skill skills programming",
        "degree": "degree",
        "distribution": "distribution",
        "algorithm method": "algorithm method",
        "metric measure": "metric score measure",
        "insurance policy": "insurance policy",
        "loan": "loan",
        "account": "account",
        "fuel": "fuel",
        "property": "property",
        "amenity amenities facilities": "free available onsite",
        "view": "view",
        "seat cabin fare": "seat class fare",
        "transport transportation travel": "transport transportation",
        "framework library": "framework library js",
    }.items()
    for word in words.split()
}
"""By a word of the argument's name, the kinds that every value of it is of."""

_NARROWS: Final = listed(
    """
    light dark bright pale deep hot cold warm cool full half part partial new old young first second third fourth last
    next previous current past future final high higher low lower left right top bottom upper middle front back rear
    side open closed main primary secondary sub all any some no min max minimum maximum total net gross average mean
    best worst early late long short wide narrow big small large medium great good bad pro plus mini lite ultra super
    air deluxe premium basic standard advanced extra double single twin triple inner outer in out up down on off pre
    post public private local global internal external national international domestic active inactive direct express
    credit debit base case real virtual online offline digital red green blue white black yellow pink orange brown
    purple grey gray north south east west northern southern eastern western one two three
    """
)
"""Words that tell two things of a kind apart even where the argument's name holds them: light blue is no blue, though
the argument be ``light_color``."""

_FILLERS: Final = listed("information info details facts data overview")
"""Said of whatever is looked up: information about black holes."""

_ASKING: Final = listed("find get show look up give tell me what who which lookup")
"""How a search begins that could begin with what it is for: find nearby museums; what is the capital of Peru."""

_SEARCHES: Final = listed("query search keyword keywords q question prompt topic term terms phrase")
_JOINS: Final = frozenset({"of", "for", "about", "on", "regarding", "named", "called"})
"""What stands between the kind of a thing and the thing: a recipe for lasagna."""


def qualifies(word: str, about: About) -> bool:
    """Whether a word more says nothing new: what the argument's name says already, or a known qualifier of names."""
    if is_said(word, about) or word in _MEASURES:
        return True
    if not is_name(about):
        return False
    return word in GENERIC or word in LEGAL or word in TITLES or word in states() or word in countries()


def is_said(word: str, about: About) -> bool:
    """Whether the argument's name says the word, or that every value is of that kind."""
    if any(word in _KINDS[each] for each in about.name if each in _KINDS):
        return True
    return word not in _NARROWS and (word in _said(about.name) or stem(word) in _said(about.name))


def says_kind(words: tuple[str, ...], text: str, about: About) -> bool:
    """Whether the words that one text has more say of what kind it is, and anybody knows that.

    What the argument's name says may stand anywhere; what only the tool's name or the description says must stand
    behind the rest or before ``of``, where kinds do: sushi restaurant, recipe for lasagna; not light blue.
    """
    rest = tuple(word for word in words if not is_said(word, about))
    if not rest:
        return bool(words)
    if about.named(_SEARCHES) and _only_asks(rest, text):
        return True
    known = _said(about.tool | about.kinds)
    if any(
        word in _NARROWS or not (word in known or stem(word) in known or word in _FILLERS) for word in rest
    ):
        return False
    all_words, size = content(text), len(rest)
    if len(all_words) <= len(words):
        return False
    if all_words[-size:] == rest and _FILLERS.isdisjoint(rest):
        return True
    spoken = [word for word in tokens(text) if word not in {"a", "an", "the"}]
    return all_words[:size] == rest and spoken[size : size + 1] != [] and spoken[size] in _JOINS


def _only_asks(words: tuple[str, ...], text: str) -> bool:
    """Whether the words begin a text that says in at least two more what is wanted: show times are times of shows."""
    known = content(text)
    return _ASKING.issuperset(words) and known[: len(words)] == words and len(known) > len(words) + 1


@lru_cache(maxsize=2048)
def _said(name: frozenset[str]) -> frozenset[str]:
    """The words of an argument's name, their stems, and the first of their synonyms, as texts are compared."""
    return frozenset({*name, *map(stem, name), *(synonyms().get(word, word) for word in name)})


_CLUBS: Final = frozenset({"team", "club", "opponent", "league"})


def names_a_house(words: tuple[str, ...], other: str, about: About) -> bool:
    """Whether the words make a house or the like of a city, a state or a country that stands alone on the other side."""
    if about.named(_CLUBS):
        return False
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
