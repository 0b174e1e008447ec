"""People's names: titles say nothing, an initial fits its name, suffixes count."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from msgspec.structs import replace

from ..fields import Inner
from ..inflections import GIVEN_NAMES
from ..naming import PERSONS
from ..romans import NUMERALS
from ..spelling import fold, listed
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 52
_PARTS: Final = frozenset({"first", "last", "full", "given", "family", "middle"})
_TITLES: Final = listed(
    """
    mr mrs ms miss dr prof professor sir dame doctor mister madam president senator governor judge justice captain
    coach reverend rev hon king queen prince princess pope lord lady
    """
)
_OF_ONE: Final = tuple(
    map(
        listed,
        (
            "mr mister",
            "mrs ms miss madam",
            "king",
            "queen",
            "prince",
            "princess",
            "lord sir",
            "lady dame",
            "pope",
            "president",
            "senator",
            "governor",
            "judge justice",
        ),
    )
)
"""Titles of which nobody bears two of different lines."""

_SUFFIXES: Final = {
    "jr": "jr",
    "junior": "jr",
    "sr": "sr",
    "senior": "sr",
} | {numeral: numeral for numeral in NUMERALS if len(numeral) > 1 and numeral != "xi"}
_RANKS: Final = {"first": "i", "second": "ii", "third": "iii", "fourth": "iv", "fifth": "v", "sixth": "vi",
                 "seventh": "vii", "eighth": "viii", "1st": "i", "2nd": "ii", "3rd": "iii", "4th": "iv"}  # fmt: skip
_FIRMS: Final = frozenset(
    {"inc", "incorporated", "llc", "ltd", "limited", "corp", "corporation", "gmbh", "plc"}
)
_INITIALS: Final = re.compile(r"(?<=\b[A-Z])\.(?=[A-Z]\b)")
"""J.S. Bach is J. S. Bach."""

_PARTICLES: Final = frozenset(
    {"da", "de", "di", "del", "della", "van", "von", "der", "den", "la", "le", "bin", "al", "ibn"}
)
_MOST: Final = 5
_ALWAYS_PEOPLE: Final = listed(
    """
    person player author actor actress composer celebrity scientist lawyer doctor director teacher student patient
    passenger president athlete singer surname fullname
    """
)
"""Arguments that hold people and nothing else: a customer may be a firm, an artist a band."""

_KNOWN_TO_ALL: Final = listed(
    """
    player author actor actress artist composer celebrity scientist director president athlete singer painter musician
    writer poet philosopher inventor leader politician politics figure character person band entity team golfer driver
    """
)
"""Arguments that hold people whom everybody knows by their last names; of patients and recipients many share one."""

_SOMEBODY: Final = 0.45
_PRIVATE: Final = listed("patient recipient payee beneficiary employee contact passenger guest tenant")
"""Arguments for which the wrong one of two of a name is the wrong person: nothing but a full name passes."""

_NICKNAMES: Final = {
    nickname: frozenset(names.split())
    for nickname, names in {
        "abby": "abigail", "al": "albert alan allan alexander alfred", "alex": "alexander alexandra alexis",
        "andy": "andrew", "annie": "ann anne anna", "art": "arthur", "barb": "barbara", "becky": "rebecca",
        "ben": "benjamin", "beth": "elizabeth", "betty": "elizabeth", "bill": "william", "billy": "william",
        "bob": "robert", "bobby": "robert", "brad": "bradley", "cathy": "catherine", "charlie": "charles",
        "chris": "christopher christian christine christina", "chuck": "charles", "cindy": "cynthia", "dan": "daniel",
        "danny": "daniel", "dave": "david", "deb": "deborah", "debbie": "deborah", "dick": "richard", "don": "donald",
        "doug": "douglas", "ed": "edward edwin edmund", "eddie": "edward", "fred": "frederick alfred",
        "gabe": "gabriel", "greg": "gregory", "hank": "henry", "jack": "john", "jake": "jacob", "jeff": "jeffrey",
        "jen": "jennifer", "jenny": "jennifer", "jerry": "gerald jerome", "jim": "james", "jimmy": "james",
        "joe": "joseph", "joey": "joseph", "johnny": "john", "jon": "jonathan", "josh": "joshua", "kate": "katherine",
        "kathy": "katherine kathleen", "katie": "katherine", "ken": "kenneth", "larry": "lawrence", "leo": "leonard",
        "liz": "elizabeth", "lizzie": "elizabeth", "maggie": "margaret", "mandy": "amanda", "matt": "matthew",
        "meg": "margaret", "mike": "michael", "mickey": "michael", "nate": "nathan nathaniel", "ned": "edward",
        "nick": "nicholas", "pam": "pamela", "pat": "patrick patricia", "patty": "patricia", "peggy": "margaret",
        "pete": "peter", "phil": "philip phillip", "ray": "raymond", "rich": "richard", "rick": "richard",
        "rob": "robert", "robbie": "robert", "ron": "ronald", "sally": "sarah", "sam": "samuel samantha",
        "sandy": "sandra alexander", "steve": "steven stephen", "sue": "susan", "susie": "susan",
        "ted": "theodore edward", "terry": "terence theresa", "tim": "timothy", "tina": "christina", "tom": "thomas",
        "tommy": "thomas", "tony": "anthony", "vicky": "victoria", "walt": "walter", "will": "william",
        "zach": "zachary",
    }.items()
}  # fmt: skip
"""English short names to the names that they stand for."""


def claims(about: About) -> bool:
    """The name says so, or it is a name and the description says whose."""
    if "name" in about.name and (about.named(_PARTS) or not about.described.isdisjoint(_ALWAYS_PEOPLE)):
        return True
    return about.named(PERSONS)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are full names; leaves one name against two to the features."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str):
        return None
    if about.named(frozenset({"id", "number", "email", "phone"})):
        return None
    if _are_other_titles(a, b):
        return differs("other titles", 0.03)
    found = _compared(a, b, about)
    if found is not None and not found.decided and found.probability > _SOMEBODY and about.named(_PRIVATE):
        return replace(found, probability=_SOMEBODY)
    return found


def _compared(a: str, b: str, about: About) -> Verdict | None:
    left, right = _read(a), _read(b)
    if left is None or right is None:
        return None
    (x, end_x), (y, end_y) = left, right
    if x == y or (end_x != end_y and end_x and end_y):
        return _suffixes(end_x, end_y)
    if all(len(name) > 1 and name[0] not in _PARTICLES for name in (x, y)):
        found = _names(x, y)
        if found is not None and end_x != end_y and found.probability > _suffixes(end_x, end_y).probability:
            return _suffixes(end_x, end_y)
        return found
    return _surname_alone(x, y, about)


def _are_other_titles(a: str, b: str) -> bool:
    """Mr Lee is not Ms Lee, nor is King Henry a prince; a doctor may be called Mr."""
    one, other = (fold(text).partition(" ")[0] for text in (a, b))
    if one == other:
        return False
    kinds = [
        next((place for place, titles in enumerate(_OF_ONE) if word in titles), None) for word in (one, other)
    ]
    return None not in kinds and kinds[0] != kinds[1]


def _surname_alone(x: tuple[str, ...], y: tuple[str, ...], about: About) -> Verdict | None:
    """Bach and Johann Sebastian Bach; not Paul and John Paul, and not the post of the Washington Post."""
    last, names = sorted((x, y), key=len)
    if len(names) <= len(last) or names[-len(last) :] != last or last[0] in GIVEN_NAMES:
        return None
    if names[0] in GIVEN_NAMES or last[0] in _PARTICLES or len(names[0]) == 1 or about.says(_ALWAYS_PEOPLE):
        sure = 0.8 if about.says(_KNOWN_TO_ALL) else _SOMEBODY
        return perhaps(sure, "the same last name, once without the first")
    return None


def _suffixes(one: str, other: str) -> Verdict:
    if one == other:
        return same("the same name")
    if one and other:
        return differs("other suffixes")
    if (one or other) in NUMERALS:
        return differs("the same name, once with a number", 0.1)
    return perhaps(0.6, "the same name, once with a suffix")


def _names(x: tuple[str, ...], y: tuple[str, ...]) -> Verdict | None:
    """First, middle and last names; None where a nickname or a slip may be all that parts them."""
    for place, which in ((-1, "last"), (0, "first")):
        if which == "first" and _is_nickname(x[0], y[0]):
            break
        if not _fit(x[place], y[place]) or (which == "last" and x[-1] != y[-1]):
            return None if _is_near(x[place], y[place]) else differs(f"other {which} names", 0.03)
    if any(not _fit(one, other) for one, other in zip(x[1:-1], y[1:-1], strict=False)):
        return differs("other middle names", 0.03)
    if len(x[0]) == 1 or len(y[0]) == 1:
        return perhaps(0.75, "a name that its initial fits")
    if x[0] != y[0]:
        several = any(len(_NICKNAMES.get(name, ())) > 1 for name in (x[0], y[0]))
        return perhaps(_SOMEBODY if several else 0.8, "the same name, once in its short form")
    return perhaps(0.9, "the same name, once with more of it")


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[tuple[str, ...], str] | None:
    if len(text) > 80:
        return None
    last, comma, first = text.partition(",")
    if comma and fold(first) in _SUFFIXES:
        comma = ""
    words = fold(_INITIALS.sub(". ", f"{first} {last}" if comma else text)).split()
    if not _FIRMS.isdisjoint(words):
        return None
    if len(words) > 2 and words[-2] == "the" and words[-1] in _RANKS:
        words[-2:] = [_RANKS[words[-1]]]
    suffix = next((_SUFFIXES[word] for word in words if word in _SUFFIXES), "")
    while len(words) > 1 and words[0] in _TITLES:
        del words[0]
    kept = tuple(word for word in words if word not in _SUFFIXES)
    if not kept or len(kept) > _MOST or not all(word.isalpha() for word in kept):
        return None
    return kept, suffix


def _fit(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])


def _is_nickname(one: str, other: str) -> bool:
    return other in _NICKNAMES.get(one, ()) or one in _NICKNAMES.get(other, ())


def _is_near(one: str, other: str) -> bool:
    """Perhaps a nickname or a slip: nothing is decided."""
    return one[:2] == other[:2] and min(len(one), len(other)) > 2 and abs(len(one) - len(other)) > 0
