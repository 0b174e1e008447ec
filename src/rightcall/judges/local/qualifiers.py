"""Words more that say nothing new: the kind of a thing, its legal form, the city around it, the argument's name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from .naming import LEGAL, ORGANISATIONS, PERSONS, PLACES
from .spelling import fold, listed, tokens
from .tables import cities, countries, states, synonyms
from .verdict import About
from .words import content, stem

Words = tuple[str, ...]

__all__ = [
    "GENERIC",
    "TITLES",
    "is_name",
    "are_one_kind",
    "is_kind_of_a_name",
    "is_named_so",
    "is_partitive",
    "is_qualifier",
    "is_said",
    "names_a_house",
    "opens_a_name",
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
_SAYS: Final[Mapping[str, str]] = {
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
}
"""By words of the argument's name, the kinds that every value of it is of."""


def _by_word() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for words, kinds in _SAYS.items():
        for word in words.split():
            found[word] = found.get(word, frozenset()) | listed(kinds)
    return found


_KINDS: Final[Mapping[str, frozenset[str]]] = _by_word()

_ONE_KIND: Final = tuple(
    listed(words)
    for words in (
        "food foods cuisine cuisines cooking kitchen dish dishes",
        "theater theatre theaters theatres cinema cinemas",
        "airline airlines airways air",
        "era period age epoch times",
        "exercise exercises workout workouts training",
        "disease disorder condition",
        "job position role",
        "tournament championship championships competition",
        "class course lesson lessons classes courses",
        "level difficulty",
        "insurance policy",
        "picture pictures image images",
    )
)
"""Kinds that are one: Thai food, Thai cuisine. A horror movie is no horror novel."""

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

_ASKING: Final = re.compile(
    r"(?:please )?(?:(?:what|who) (?:is|are|was|were)|tell me about|(?:give|show|find) me|search for|look for) (?:the )?"
)
"""How a search begins that could begin with what it is for: what is the capital of Peru."""

_SEARCHES: Final = listed("query search keyword keywords q question prompt topic term terms phrase")
_WORKS: Final = listed(
    "title movie film song track album book novel show series game play story opera poem headline"
)
_SORTS: Final = listed("genre type category style kind platform console format job position role")
_OF_A_NAME: Final = listed(
    """
    battle theory law principle city state town treaty war siege kingdom republic lake mount river island recipe pair
    piece pieces genre type kind style form county province
    """
)
"""Kinds that stand before ``of`` and say nothing about what follows; the Bank of America is not America."""

_BEFORE_A_NAME: Final = listed(
    """
    planet lake mount mountain hotel team project plan user agent player river restaurant cafe museum palace castle
    element vitamin airport station theater theatre ocean constellation galaxy hurricane
    """
)
"""Kinds that stand before names: Lake Michigan, planet Mars."""

_SIZES: Final = frozenset({"size", "sized"})
"""Said anywhere: a king size bed."""

_HOUSES: Final = listed("hospital stadium arena tower church zoo bar club fc football us uk usa")
"""Kinds of a name that stand before it as often as behind it."""

_KINDS_OF_PLACES: Final = GENERIC - listed(
    "national us uk usa football fc club brand team art metro metropolitan city"
)
_BARE_NAMES: Final = frozenset({"name", "entity"})
_PLAIN: Final = frozenset({"free", "fresh", "raw"})
"""Said of such things anyway, and before them: fresh basil as an ingredient."""

_THINGS: Final = listed("product item target object resource component device part accessory goods article")
"""Arguments that hold the thing itself: a tool that finds water bottles is asked for a wine bottle, not for wine."""

_CHANGES: Final = listed(
    """
    delete remove cancel drop reset restart kill stop terminate revoke disable destroy erase wipe pay transfer buy sell
    order purchase password turn
    """
)
"""Words of tools that change something, of which only what the argument's name says may be left out."""

_SHORT_NAME: Final = 3
_JOINS: Final = frozenset({"for", "about", "on", "regarding", "named", "called"})
"""What stands between the kind of a thing and the thing: a recipe for lasagna."""


def qualifies(word: str, about: About) -> bool:
    """Whether a word more may say nothing new: what the argument's name says already, or a known qualifier of names."""
    if is_said(word, about) or word in _MEASURES:
        return True
    return is_name(about) and is_qualifier(word)


def is_qualifier(word: str) -> bool:
    """Whether the word says nothing new about whatever has a name."""
    return word in GENERIC or word in LEGAL or word in TITLES or word in states() or word in countries()


def is_said(word: str, about: About) -> bool:
    """Whether the argument's name says the word, or that every value is of that kind."""
    if any(word in _KINDS[each] for each in about.name if each in _KINDS):
        return True
    return word not in _NARROWS and (word in _said(about.name) or stem(word) in _said(about.name))


def says_kind(words: tuple[str, ...], text: str, about: About) -> bool:
    """Whether the words that one text has more say of what kind it is, and anybody knows that.

    They stand where kinds do: behind the rest (jazz music, sushi restaurant), before ``of`` and the like (recipe for
    lasagna), or before a name (Lake Michigan, plan B). An account manager is no manager's account, and a title keeps
    its words: The Jungle Book.
    """
    if about.named(_SEARCHES) and _only_asks(words, text):
        return True
    if about.named(_CLUBS) and not _TOWNS.isdisjoint(words):
        return False  # Manchester City and Manchester United
    known = _said(about.tool | about.kinds)
    if not words or not all(
        word in _MEASURES or word in _FILLERS or is_said(word, about) or _is_among(word, known)
        for word in words
    ):
        return False
    if (about.named(_THINGS) or not about.tool.isdisjoint(_CHANGES)) and not is_named_so(words, about):
        return False
    whole, size = content(text), len(words)
    if (
        len(whole) <= size
        or _is_what_the_tool_is_for(whole, words, about)
        or (_is_work(about) and not _is_added_to_a_title(words, text))
    ):
        return False
    if _SIZES.issuperset(words):
        return True
    if whole[-size:] == words:
        return _FILLERS.isdisjoint(words)
    return whole[:size] == words and _leads(words, text, about)


def are_one_kind(one: Words, other: Words, about: About) -> bool:
    """Whether both texts add the kind that the argument's name says, in other words."""
    if not all(is_said(word, about) for word in (*one, *other)):
        return False
    return any(kinds.issuperset(one) and kinds.issuperset(other) for kinds in _ONE_KIND)


def _is_what_the_tool_is_for(whole: Words, words: Words, about: About) -> bool:
    """Whether the tool's name or the description says the rest as well: a shoe rack for a tool that finds shoe racks."""
    if all(is_said(word, about) for word in words):
        return False
    known = _said(about.tool | about.kinds)
    rest = [word for word in whole if word not in words]
    return all(_is_among(word, known) for word in rest)


def is_named_so(words: Words, about: About) -> bool:
    """Whether the argument's name says all of the words; not the tool's name or the description alone."""
    return all(word in _MEASURES or is_said(word, about) for word in words)


def is_kind_of_a_name(words: Words, other: str, about: About) -> bool:
    """Whether words of kind may be left out of such a name: not the Tower of Central Park Tower, nor of a Kim Park."""
    if about.named(_CLUBS) and not _TOWNS.isdisjoint(words):
        return False
    kinds = [word for word in words if word in _KINDS_OF_PLACES]
    if about.name <= _BARE_NAMES or not _KINDS_OF_PLACES.isdisjoint(tokens(other)):
        return not kinds
    return _KINDS_OF_PLACES.isdisjoint(about.name) or all(is_said(word, about) for word in kinds)


def _is_among(word: str, known: frozenset[str]) -> bool:
    return word not in _NARROWS and (word in known or stem(word) in known)


def _leads(words: tuple[str, ...], text: str, about: About) -> bool:
    """Whether the words before the rest are its kind."""
    spoken = [word for word in tokens(text) if word not in {"a", "an", "the"}]
    written = [word for word in text.split() if fold(word) not in {"a", "an", "the"}]
    following = spoken[len(words)] if len(spoken) > len(words) else ""
    if following == "of":
        return not _OF_A_NAME.isdisjoint(words) or not _FILLERS.isdisjoint(words)
    if following in _JOINS:
        return True
    if not all(is_said(word, about) for word in words):
        return False
    if following.isdecimal() or len(following) < _SHORT_NAME or not _PLAIN.isdisjoint(words):
        return True
    capital = len(written) > len(words) and written[len(words)][:1].isupper()
    return not _BEFORE_A_NAME.isdisjoint(words) and (capital or text.islower())


def _is_work(about: About) -> bool:
    """Whether the argument holds the title of a work, rather than what sort of work it is."""
    return about.named(_WORKS) and not about.named(_SORTS)


def _is_added_to_a_title(words: tuple[str, ...], text: str) -> bool:
    """Inception movie: the kind in small letters behind a name in capitals."""
    spelled = text.split()
    return all(word in spelled for word in words) and any(word[:1].isupper() for word in spelled)


def _only_asks(words: tuple[str, ...], text: str) -> bool:
    """Whether the words begin a text that says in at least two more what is wanted: show times are times of shows."""
    asked = _ASKING.match(fold(text))
    return asked is not None and content(asked[0]) == words and len(content(text)) > len(words) + 1


@lru_cache(maxsize=2048)
def _said(name: frozenset[str]) -> frozenset[str]:
    """The words of an argument's name, their stems, and the first of their synonyms, as texts are compared."""
    return frozenset({*name, *map(stem, name), *(synonyms().get(word, word) for word in name)})


_TOWNS: Final = frozenset({"city", "town", "united", "county"})
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
        return spoken[0] not in _OF_A_NAME
    return spoken[0] not in _BEFORE_A_NAME and spoken[0] not in _HOUSES


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
