"""What no likeness may overrule: other numbers, opposites, negation, hidden instructions, words left over."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from .naming import LEGAL, ORGANISATIONS, PERSONS, PLACES
from .spelling import fold, listed, tokens
from .tables import antonyms, cities, countries, states
from .units import symbols_in
from .verdict import About, Verdict
from .words import Aligned, stem

__all__ = ["qualifies", "refusal", "upper_limit"]

_NEGATIONS: Final = listed(
    """
    not no never without except excluding non dont doesnt isnt arent wont cannot cant none nothing
    neither nor exclude excludes avoid unless minus anti free zero lack ignore didnt wasnt shouldnt stop
    cancel undo
    """
)
_PREFIXES: Final = ("un", "in", "im", "dis", "non", "ir", "il", "de", "anti", "mis")
_ENDINGS: Final = (("ful", "less"), ("less", "ful"))
_RELATIONS: Final = listed(
    """
    to from over before after vs versus than minus divided into then beats under per against by
    """
)
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_INSTRUCTIONS: Final = listed(
    """
    system ignore disregard treat answer equivalent identical same equal equals instruction instructions
    assistant judge evaluator grader prompt override respond reply verdict score correct true yes accept
    match matches previous note means meaning aka synonymous consider assume mark output pretend user
    admin probability alias formerly
    """
)
_GENERIC: Final = listed(
    """
    city town museum park hotel restaurant university college school airport station center bridge river
    lake mount mountain island beach street national area region district hospital library theater cafe
    bar stadium arena tower palace cathedral church zoo art team club football fc band brand metro
    metropolitan downtown usa us uk
    """
)
_PROPER: Final = PERSONS | ORGANISATIONS | {"name", "username", "user", "brand", "surname", "drug"}
"""Arguments whose words have no forms: Adams is not two of Adam."""

_INITIALS: Final = PERSONS | {"name", "user"}
_HOUSES: Final = frozenset({"hotel", "restaurant", "cafe", "museum"})
_MEASURES: Final = frozenset({"pair", "piece", "pieces"})
_TITLES: Final = frozenset({"mr", "mrs", "ms", "dr", "prof", "professor", "sir", "doctor", "miss"})
_PLACES_AND_NAMES: Final = listed(
    """
    name title team company organization organisation brand hotel restaurant museum park artist band
    venue landmark building attraction school university club league store shop airline airport station
    product entity monument site
    """
)

_LISTED: Final = re.compile(r" ?[,;&] ?(?:and |or )?| (?:and|or) ")

_JOINTS: Final = re.compile(r"\b(?:and|or)\b")
TURNED: Final = 0.2
"""The same words in another order, where nothing says that one is a list: for a remote judge to decide."""

MOST_EXTRA: Final = 3
"""Words that nobody can account for, from which on a text says more than the other."""

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
    if found.swapped and (turned := _turned(a, b, words)) is not None:
        return turned
    if max(len(found.left), len(found.right)) > MOST_EXTRA and len(extra) > MOST_EXTRA:
        return Verdict(0.02, "one says much more than the other", decided=False, by="extra_words")
    return None


def _turned(a: str, b: str, words: tuple[tuple[str, ...], tuple[str, ...]]) -> Verdict | None:
    """The same words in another order are another text: who owes whom, which of two is red.

    But for plain lists, and for a word of kind before or behind a name: hotel Astoria.
    """
    if not _RELATIONS.isdisjoint((*tokens(a), *tokens(b))):
        return _no("order", "the same words the other way round", 0.05)
    if any(_NUMBER.search(word) for word in words[0]):
        return _no("order", "numbers in another order", 0.1)
    plain = [" ".join(text.casefold().split()) for text in (a, b)]
    items = [sorted(filter(None, map(fold, _LISTED.split(text)))) for text in plain]
    joints = [sorted(_JOINTS.findall(text)) for text in plain]
    if len(items[0]) > 1 and items[0] == items[1] and (len(set(joints[0] + joints[1])) < 2):
        return None
    both_of = "of" in tokens(a) and "of" in tokens(b)  # the history of art is no art of history
    name = _named(words[0])
    capital = any(word.capitalize() in a and word.capitalize() in b for word in name)
    kind = not _HOUSES.isdisjoint((words[0][0], words[0][-1]))
    if not both_of and (capital or kind) and name == _named(words[1]) and len(words[0]) > 1:
        return None
    return Verdict(TURNED, "the same words in another order", decided=False, by="order")


def _named(words: tuple[str, ...]) -> tuple[str, ...]:
    """A name without the word of its kind at one of its ends."""
    if words[0] in _GENERIC or words[0] in _TITLES:
        return words[1:]
    return words[:-1] if words[-1] in _GENERIC or words[-1] in _TITLES else words


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
    return sum(word in _NEGATIONS for word in words) % 2


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


def qualifies(word: str, about: About) -> bool:
    """Whether a word more says nothing new: what the argument's name says already, or a known qualifier of names."""
    if word in _MEASURES or word in about.name or stem(word) in {stem(each) for each in about.name}:
        return True
    if not is_name(about):
        return False
    return word in _GENERIC or word in LEGAL or word in _TITLES or word in states() or word in countries()


def is_name(about: About) -> bool:
    """Whether the argument holds the name of a place, a person, an organisation or a thing."""
    return (
        about.named(_PLACES_AND_NAMES)
        or about.named(PLACES)
        or about.named(PERSONS)
        or about.named(ORGANISATIONS)
    )


def surrounds(words: tuple[str, ...], text: str, about: About) -> bool:
    """Whether the words that are left over name a city, a state or a country around a name.

    Behind a name only where a comma or ``in`` parts them: the Louvre Abu Dhabi is another museum.
    """
    if not words or not is_name(about):
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


def upper_limit(a: str, b: str, found: Aligned, about: About) -> float:
    """What the regression may say at most. Slips of the pen make another word as often as not."""
    if found.typos or (found.initials and not about.named(_INITIALS)):
        return UNACCOUNTED
    if found.stems and about.named(_PROPER):
        return UNACCOUNTED
    left = [word for word in found.left if not qualifies(word, about)]
    right = [word for word in found.right if not qualifies(word, about)]
    if surrounds(found.left, a, about):
        left = []
    if surrounds(found.right, b, about):
        right = []
    if not left and not right:
        return 1.0
    return UNACCOUNTED
