"""Whether two words are one word in two forms: plural, -s, -ed, -ing, British and American spelling. Nothing wider.

A stem or a beginning that two words share says nothing: policy and police, plan and planet, Java and JavaScript.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from .spelling import listed

__all__ = ["GIVEN_NAMES", "is_inflected"]

_SHORTEST: Final = 3
"""Letters of a word that may have an ending."""

_NO_FORMS: Final = listed(
    """
    news physics goods arms customs works means series species glasses lens gas bus always perhaps across
    evening morning ceiling during nothing something anything everything clothing bearing wedding
    sterling moral morals odd pudding herring darling hundred sacred naked wicked beloved united wings odds spectacles
    """
)
"""Words that look like a form of another one, and are none."""

_THINGS: Final = listed("training building meeting painting drawing setting letting housing earring stocking")
"""Things, rather than forms of to train, to build and to meet."""

GIVEN_NAMES: Final = listed(
    """
    aaron abel adam alan albert alex alfred alice amy andrew ann anna anne anthony arthur ben benjamin bill bob
    brian bruce carl carol charles christian christina christine clara claire daniel danielle david dennis
    diana don donald edward edwin elizabeth ellen emma eric erica ernest eva evan francis frank fred frederic
    gabriel george gerald gilbert grace gordon harold harry helen henry herbert hugh ian ivan jack jacob james jan
    jane jean jeff jeffrey jennifer jeremy jim joan joe joel john jonathan joseph josh joshua julia julian julie
    karen karl kate keith kelly ken kenneth kevin larry laura lawrence leo leon leonard lewis linda lisa louis
    louise lucas lucy luke maria marie marian mark martha martin mary matthew michael michel mike nathan neil
    nicholas nick nicole noel oliver oscar owen patrick paul paula peter phil philip ralph ray rebecca reynold
    richard rick rob robert roberta robin roger roland ron ronald rose roy ruth sam samuel sara sarah scott sean
    simon stephan stephen steve steven stewart susan ted theodore thomas tim timothy tom tony victor victoria
    vincent walter will william
    abigail adriana ahmed aisha alexander ali alice alicia amanda amelia ana andrea angela antonio ashley ava barbara
    beatrice beatriz bernard beyonce brandon camila carlos carmen caroline catherine cecilia chen chloe christopher clint
    colin cristiano dmitri dorothy dwayne elena elon emily emmanuel enrique ethan fatima felix fernando fiona fyodor
    gary giovanni giuseppe greta hannah hans heinrich hiroshi hugo igor ingrid isaac isabel isabella jamal jennie jorge
    jose juan justin kanye katherine kobe kylian laurent leonardo lionel ludwig luis mahatma marcel marco margaret
    mariah marilyn marlon matt mia miguel miles mohamed mohammed muhammad nancy nelson nikola nina noah novak olivia
    oprah pablo pedro pierre priya rafael rajesh raj rihanna roberto rosa ryan salma salvador santiago serena sergei
    sofia sophia sophie stella stephanie sundar sylvester taylor thierry toni usain vladimir wayne wei winston wolfgang
    yuki zinedine
    """
)
"""Names to which an s makes another name: Adam and Adams, William and Williams."""

_PLURALS_OF_IC: Final = listed(
    "topics clinics fabrics comics critics medics mosaics graphics mechanics relics picnics"
)
"""The others are sciences: ethics is more than one ethic."""

_ONE_SYLLABLE: Final = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]\Z")
_VOWEL: Final = re.compile(r"[aeiouy]")
_BRITISH: Final = (
    (re.compile(r"(?<=\w{3})our(?=$|s$|ed$|ing$|ite$|able$|hood$|ful$)"), "or"),
    (re.compile(r"(?<=\w{3})is(?=e$|es$|ed$|ing$|ation$|ations$|er$|ers$)"), "iz"),
    (re.compile(r"(?<=\w{2})ys(?=e$|es$|ed$|ing$|er$)"), "yz"),
    (re.compile(r"(?<=\w{2}[tb])re(?=$|s$)"), "er"),
    (re.compile(r"(?<=\w{4})ogue(?=$|s$)"), "og"),
    (re.compile(r"(?<=\w{4}l)l(?=ed$|ing$|er$|ers$)"), ""),
    (re.compile(r"ae(?=\w{3})"), "e"),
)


@lru_cache(maxsize=8192)
def is_inflected(one: str, other: str) -> bool:
    """Whether two folded words are forms of one word. Names have none."""
    if not one.isalpha() or not other.isalpha() or min(len(one), len(other)) < _SHORTEST:
        return False
    if not {one, other}.isdisjoint(_NO_FORMS):
        return False
    if not {one, other}.isdisjoint(GIVEN_NAMES):
        return False
    left, right = _american(one), _american(other)
    if left == right:
        return True
    x, y = _bases(left), _bases(right)
    return left in y or right in x or not x.isdisjoint(y)


def _american(word: str) -> str:
    for pattern, instead in _BRITISH:
        word = pattern.sub(instead, word)
    return word


@lru_cache(maxsize=8192)
def _bases(word: str) -> frozenset[str]:
    """The words that this one may be a regular form of."""
    found: set[str] = set()
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        found |= _of_s(word)
    for ending in ("ed", "ing"):
        if word.endswith(ending) and word not in _THINGS:
            found |= _of_ending(word[: -len(ending)])
    if word.endswith("ied"):
        found.add(word[:-3] + "y")
    return frozenset(base for base in found if len(base) >= _SHORTEST and _VOWEL.search(base))


def _of_s(word: str) -> set[str]:
    if word.endswith("ics") and word not in _PLURALS_OF_IC:
        return set()
    base = word[:-1]
    if word.endswith("ies") and len(word) > 4:
        return {word[:-3] + "y", base}
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        return {word[:-2], base}
    return set() if base.endswith(("s", "x", "z", "ch", "sh")) else {base}


def _of_ending(rest: str) -> set[str]:
    """What stands before -ed or -ing: open-ed, bak-ed of bake, plann-ed of plan."""
    found = set()
    if not _ONE_SYLLABLE.match(rest):
        found.add(rest)
    if (not rest.endswith("e") and rest[-1:] not in "aiouwxy") or rest.endswith("u"):
        found.add(rest + "e")
    if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "sz":
        base = rest[:-1]
        if len(base) > 4 or _ONE_SYLLABLE.match(base):
            found.add(base)
    return found
