"""Words more that say of what kind a thing is, where anybody knows that: from the argument's or the tool's name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from .spelling import fold, listed, tokens
from .tables import synonyms
from .verdict import About
from .words import content, stem

__all__ = [
    "BEFORE_A_NAME",
    "CLUBS",
    "MEASURES",
    "OF_A_NAME",
    "TOWNS",
    "are_one_kind",
    "is_named_so",
    "is_said",
    "said_by",
    "says_kind",
]

Words = tuple[str, ...]

MEASURES: Final = frozenset({"pair", "piece", "pieces"})
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
OF_A_NAME: Final = listed(
    """
    battle theory law principle city state town treaty war siege kingdom republic lake mount river island recipe pair
    piece pieces genre type kind style form county province
    """
)
"""Kinds that stand before ``of`` and say nothing about what follows; the Bank of America is not America."""

BEFORE_A_NAME: Final = listed(
    """
    planet lake mount mountain hotel team project plan user agent player river restaurant cafe museum palace castle
    element vitamin airport station theater theatre ocean constellation galaxy hurricane
    """
)
"""Kinds that stand before names: Lake Michigan, planet Mars."""

_SIZES: Final = frozenset({"size", "sized"})
"""Said anywhere: a king size bed."""

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

TOWNS: Final = frozenset({"city", "town", "united", "county"})
CLUBS: Final = frozenset({"team", "club", "opponent", "league"})


def is_said(word: str, about: About) -> bool:
    """Whether the argument's name says the word, or that every value is of that kind."""
    if any(word in _KINDS[each] for each in about.name if each in _KINDS):
        return True
    return word not in _NARROWS and (word in said_by(about.name) or stem(word) in said_by(about.name))


def says_kind(words: tuple[str, ...], text: str, about: About) -> bool:
    """Whether the words that one text has more say of what kind it is, and anybody knows that.

    They stand where kinds do: behind the rest (jazz music, sushi restaurant), before ``of`` and the like (recipe for
    lasagna), or before a name (Lake Michigan, plan B). An account manager is no manager's account, and a title keeps
    its words: The Jungle Book.
    """
    if about.named(_SEARCHES) and _only_asks(words, text):
        return True
    if about.named(CLUBS) and not TOWNS.isdisjoint(words):
        return False  # Manchester City and Manchester United
    known = said_by(about.tool | about.kinds)
    if not words or not all(
        word in MEASURES or word in _FILLERS or is_said(word, about) or _is_among(word, known)
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
    known = said_by(about.tool | about.kinds)
    rest = [word for word in whole if word not in words]
    return all(_is_among(word, known) for word in rest)


def is_named_so(words: Words, about: About) -> bool:
    """Whether the argument's name says all of the words; not the tool's name or the description alone."""
    return all(word in MEASURES or is_said(word, about) for word in words)


def _is_among(word: str, known: frozenset[str]) -> bool:
    return word not in _NARROWS and (word in known or stem(word) in known)


def _leads(words: tuple[str, ...], text: str, about: About) -> bool:
    """Whether the words before the rest are its kind."""
    spoken = [word for word in tokens(text) if word not in {"a", "an", "the"}]
    written = [word for word in text.split() if fold(word) not in {"a", "an", "the"}]
    following = spoken[len(words)] if len(spoken) > len(words) else ""
    if following == "of":
        return not OF_A_NAME.isdisjoint(words) or not _FILLERS.isdisjoint(words)
    if following in _JOINS:
        return True
    if not all(is_said(word, about) for word in words):
        return False
    if following.isdecimal() or len(following) < _SHORT_NAME or not _PLAIN.isdisjoint(words):
        return True
    capital = len(written) > len(words) and written[len(words)][:1].isupper()
    return not BEFORE_A_NAME.isdisjoint(words) and (capital or text.islower())


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
def said_by(name: frozenset[str]) -> frozenset[str]:
    """The words of an argument's name, their stems, and the first of their synonyms, as texts are compared."""
    return frozenset({*name, *map(stem, name), *(synonyms().get(word, word) for word in name)})
