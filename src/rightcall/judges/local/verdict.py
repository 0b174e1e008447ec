"""What a parser or a guard says about two values, and what is known about their argument."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from .spelling import listed

__all__ = ["DIFFERS", "SAME", "About", "Verdict", "about", "differs", "perhaps", "same", "words_of"]

SAME: Final = 0.995
DIFFERS: Final = 0.01
"""How sure a parser is that reads both sides (judges.md 1)."""


class Verdict(Struct, frozen=True):
    """How likely two values mean the same.

    Attributes:
        probability: in 0..1.
        words: why, in words that hold in both directions.
        decided: whether nobody else need be asked.
        by: the id of the parser or guard; filled in by whoever asked it.
    """

    probability: float
    words: str
    decided: bool = True
    by: str = ""


def same(words: str, probability: float = SAME) -> Verdict:
    """Both were read and mean the same."""
    return Verdict(probability, words)


def differs(words: str, probability: float = DIFFERS) -> Verdict:
    """Both were read and do not mean the same."""
    return Verdict(probability, words)


def perhaps(probability: float, words: str) -> Verdict:
    """Both were read, and it depends on what neither says."""
    return Verdict(probability, words, decided=False)


class About(Struct, frozen=True):
    """What the schema and the name say of an argument.

    Attributes:
        name: the words of its name, small letters: ``checkInDate`` is check, in, date.
        described: the words of its description.
        description: the same as text, small letters.
        type: ``type`` of its schema; empty where it is not known.
        format: ``format`` of its schema.
        enum: its texts, folded; empty where any value may stand.
        unique: the schema says ``uniqueItems``.
        day_first: whether 01/02 is the first of February; None where nothing says so.
        schema: its schema, for what is inside.
        tool: the words of the tool's name.
        kinds: the words by which the description says what every value is: "type of cuisine", "name of the museum".
    """

    name: frozenset[str]
    described: frozenset[str]
    description: str = ""
    type: str = ""
    format: str = ""
    enum: frozenset[str] = frozenset()
    unique: bool = False
    day_first: bool | None = None
    schema: Any = None
    tool: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()

    def named(self, words: frozenset[str]) -> bool:
        """Whether the name holds one of these words."""
        return not self.name.isdisjoint(words)

    def says(self, words: frozenset[str]) -> bool:
        """Whether the name or the description holds one of these words."""
        return not (self.name.isdisjoint(words) and self.described.isdisjoint(words))


_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_WORD: Final = re.compile(r"[^\W_]+")
_DAY_FIRST: Final = re.compile(r"\bdd?\s*[-/.]\s*mm?\b|\bday[-/ ]month\b|\bday first\b")
_MONTH_FIRST: Final = re.compile(r"\bmm?\s*[-/.]\s*dd?\b|\bmonth[-/ ]day\b|\bmonth first\b")
_YEAR_FIRST: Final = re.compile(r"\byyyy\s*[-/.]\s*mm?\b")


@lru_cache(maxsize=4096)
def words_of(name: str) -> frozenset[str]:
    """The words of an argument's name, small letters, the plural's ``s`` and a number behind taken off as well."""
    parts = {part.lower() for part in _CAMEL.split(name) if part}
    parts |= {bare for part in parts if (bare := part.rstrip("0123456789"))}
    return frozenset(parts | {part[:-1] for part in parts if len(part) > 3 and part.endswith("s")})


def about(name: str, schema: Any, tool: str = "") -> About:
    """What is known of an argument called `name` (the last part of its path) of `tool` with this schema."""
    if not isinstance(schema, Mapping):
        return _about(name, "", "", "", (), tool, unique=False)
    enum = schema.get("enum")
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), "")
    found = _about(
        name,
        str(schema.get("description") or ""),
        str(kind or ""),
        str(schema.get("format") or ""),
        tuple(each for each in enum if isinstance(each, str)) if isinstance(enum, list) else (),
        tool,
        unique=schema.get("uniqueItems") is True,
    )
    nested = "properties" in schema or "items" in schema
    return replace(found, schema=schema) if nested else found


@lru_cache(maxsize=2048)
def _about(
    name: str,
    description: str,
    kind: str,
    format_: str,
    enum: tuple[str, ...],
    tool: str,
    *,
    unique: bool,
) -> About:
    text = description.lower()
    day_first = None
    if not _YEAR_FIRST.search(text):
        if _DAY_FIRST.search(text):
            day_first = True
        elif _MONTH_FIRST.search(text):
            day_first = False
    kind = {"dict": "object", "float": "number", "tuple": "array", "str": "string"}.get(kind, kind)
    return About(
        words_of(name),
        frozenset(_WORD.findall(text)),
        text,
        kind,
        format_,
        frozenset(each.casefold() for each in enum),
        unique,
        day_first,
        tool=words_of(tool),
        kinds=_kinds(text),
    )


_KIND: Final = re.compile(
    r"\b(?:type|kind|name|category|genre|class|style|sort|title|field|list|model|brand|identifier)s? of "
    r"(?:the |an? |this |your )?([a-z]+(?: [a-z]+){0,2})"
    r"|\b([a-z]+)(?: name| type| category| genre| title| style)\b"
    r"|\A(?:the |an? )?([a-z]+)(?: to| for| of| that| which| whose| where| you| in| name|[.,;:]|\Z)"
)
_ENDS_A_KIND: Final = listed(
    "to for in of that which you and or being needed from on at with is are as the a an by where whose"
)
_LONGEST_DESCRIPTION: Final = 2000


def _kinds(description: str) -> frozenset[str]:
    found: set[str] = set()
    for match in _KIND.finditer(description[:_LONGEST_DESCRIPTION]):
        for word in (match[1] or match[2] or match[3]).split():
            if word in _ENDS_A_KIND:
                break
            found.add(word)
    return frozenset(found)
