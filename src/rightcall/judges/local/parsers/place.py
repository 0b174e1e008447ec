"""Places: a city or an address with the state and the country around it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from ..fields import Inner
from ..naming import PLACES
from ..spelling import fold
from ..tables import cities, countries, states
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 50
_FILLERS: Final = re.compile(
    r"^(?:the |city of |greater |downtown |town of )+|(?: city| metro| area| proper)+$"
)
_POSTAL: Final = re.compile(r"\b\d{5}(?:-\d{4})?$")
_STREETS: Final = {
    "street": "st", "avenue": "ave", "road": "rd", "boulevard": "blvd", "drive": "dr", "lane": "ln", "court": "ct",
    "place": "pl", "square": "sq", "highway": "hwy", "parkway": "pkwy", "north": "n", "south": "s", "east": "e",
    "west": "w", "apartment": "apt", "suite": "ste", "av": "ave", "strasse": "str", "saint": "st",
    "mount": "mt", "fort": "ft",
}  # fmt: skip


class Where(Struct, frozen=True):
    """One reading of a text.

    Attributes:
        head: what it names, folded; empty where it names a state or a country as a whole.
        cities: the known cities of that name that fit, as in the table; empty where none is known.
        state: code of a state of the United States, or None.
        country: code, or None where it is not said.
        postal: its postal code, or empty.
    """

    head: str
    cities: frozenset[str] = frozenset()
    state: str | None = None
    country: str | None = None
    postal: str = ""


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(PLACES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are known places, or the same place with more or less around it."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str):
        return None
    left, right = places(a), places(b)
    if not left or not right:
        return None
    elsewhere = False
    for x in left:
        for y in right:
            if _is_elsewhere(x, y) or _is_elsewhere(y, x):
                elsewhere = True
            elif _is_one(x, y):
                exact = x.state == y.state and x.country == y.country
                if (x.state or y.state) and x.state != y.state and x.country == y.country:
                    return same("the same place, once by its state and once by its country", 0.6)
                return same("the same place") if exact else same("the same place, once said more exactly")
    if elsewhere:
        return perhaps(0.3, "a place of that name elsewhere")
    if _is_initials(a, right) or _is_initials(b, left):
        return perhaps(0.75, "the initials of the other")
    # Two names that nobody knows may still be two names of one place.
    known = all(each.cities or not each.head for each in (*left, *right))
    heads = {each.head for each in left} & {each.head for each in right} - {""}
    if known or heads:
        return differs("other places")
    return None


def _is_initials(text: str, others: tuple[Where, ...]) -> bool:
    """SD for San Diego, which is the code of a state as well."""
    short = fold(text).replace(" ", "")
    if not text.isupper() or not 2 <= len(short) <= 4:
        return False
    return any(short == "".join(word[0] for word in each.head.split()) for each in others if each.head)


def _is_elsewhere(bare: Where, other: Where) -> bool:
    """Paris and Paris, Texas: who says no more means the city that is known."""
    if bare.head != other.head or not bare.cities or bare.state or bare.country or other.cities:
        return False
    return bool(
        other.state or (other.country and not any(each.startswith(other.country) for each in bare.cities))
    )


def _is_one(x: Where, y: Where) -> bool:
    if (x.head == "") != (y.head == ""):
        return False
    if x.state and y.state and x.state != y.state:
        return False
    if x.country and y.country and x.country != y.country:
        return False
    if x.postal and y.postal and x.postal != y.postal:
        return False
    if x.head == "":
        return (x.state, x.country if not x.state else None) == (y.state, y.country if not y.state else None)
    if x.cities and y.cities:
        return not x.cities.isdisjoint(y.cities)
    return x.head == y.head


@lru_cache(maxsize=8192)
def places(text: str) -> tuple[Where, ...]:
    """The readings of a text as a place; empty where it is none that could be compared."""
    if not 0 < len(text) <= 100:
        return ()
    postal = _POSTAL.search(text.strip())
    if postal is not None and postal.start() > 0:
        text = text.strip()[: postal.start()]
    parts = [part for part in (fold(part) for part in text.split(",")) if part]
    if not parts:
        return ()
    code = postal[0][:5] if postal is not None and postal.start() else ""
    if len(parts) == 1:
        parts = _split(parts[0])
    readings = _alone(parts[0]) if len(parts) == 1 else _within(parts)
    return tuple(Where(each.head, each.cities, each.state, each.country, code) for each in readings)


def _split(text: str) -> list[str]:
    """A known city with a state or a country behind it and no comma between: san francisco ca."""
    words = text.split()
    for size in (1, 2):
        head, tail = " ".join(words[:-size]), " ".join(words[-size:])
        if (
            head
            and _clean(head) in cities()
            and text not in cities()
            and (tail in states() or tail in countries())
        ):
            return [head, tail]
    return [text]


def _clean(name: str) -> str:
    words = [_STREETS.get(word, word) for word in _FILLERS.sub("", name).split()]
    return " ".join(words) or name


def _named_cities(name: str) -> frozenset[str]:
    table = cities()
    return frozenset(table.get(name, ()) or table.get(_clean(name), ()))


def _alone(name: str) -> list[Where]:
    found: list[Where] = []
    known = _named_cities(name)
    if known:
        found.append(Where(_clean(name), known))
    # Kansas City is no Kansas, though New York City is New York.
    state = states().get(name) or (None if name in cities() else states().get(_clean(name)))
    if state is not None:
        found.append(Where("", state=state))
    country = countries().get(name)
    if country is not None and (state is None or len(name) > 2):
        found.append(Where("", country=country))
    return found or [Where(_clean(name))]


def _within(parts: list[str]) -> list[Where]:
    """A name with what lies around it; what is not known stays a part of the name."""
    state = country = None
    rest = list(parts)
    if len(rest) > 1 and (country := countries().get(rest[-1])) is not None:
        last = rest[-1]
        if last in states() and (len(rest) == 2 or len(last) == 2) and not _is_abroad(rest[0], country):
            country = None  # CA is California, after a city that lies there
        else:
            rest.pop()
    if len(rest) > 1 and (state := states().get(rest[-1])) is not None:
        rest.pop()
        country = "US"
    if len(rest) > 1 and rest[-1] == rest[0]:
        rest.pop()
    country = country[:2] if country else None
    if len(rest) == 1:
        known = _fitting(_named_cities(rest[0]), state, country)
        whole = states().get(_clean(rest[0])) if country == "US" and state is None and not known else None
        if whole:
            return [Where("", state=whole, country="US")]
        return [Where(_clean(rest[0]), known, state, country)]
    return [Where(" ".join(map(_clean, rest)), frozenset(), state, country)]


def _is_abroad(city: str, country: str) -> bool:
    return any(place.startswith(country) for place in _named_cities(city))


def _fitting(found: frozenset[str], state: str | None, country: str | None) -> frozenset[str]:
    """Those of the cities that lie where it is said."""
    area = f"US-{state}" if state else country
    return found if area is None else frozenset(place for place in found if place.startswith(area))
