"""Judges two values: equal ones, then typed parsers, then guards, then the regression."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from types import ModuleType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from ...core.jsonvalue import canonical_key, same_value
from ...core.registry import Registry
from .characters import disguised
from .fields import Inner
from .texts import judge_texts
from .verdict import DIFFERS, SAME, About, Verdict, differs

__all__ = ["judge_values"]


_EQUAL: Final = Verdict(1.0, "equal", by="equal")
_DEEPEST: Final = 12
"""Levels of lists and objects that are looked into; what is deeper must be equal."""


_LONG: Final = 300
"""Characters of a text that is no date, amount, name or id any more: patterns for those need not hold against it."""

_FOR_LONG: Final = frozenset({"code", "object", "path", "secret", "url"})


class Parser(Struct, frozen=True):
    """A member of the `parsers` folder."""

    id: str
    order: int
    claims: Callable[[About], bool]
    compare: Callable[[Any, Any, About, bool, Inner], Verdict | None]


def _parser_of(module: ModuleType) -> Parser:
    return Parser(module.__name__.rpartition(".")[2], module.ORDER, module.claims, module.compare)


PARSERS: Registry[Parser] = Registry("rightcall.judges.local.parsers", "parser", _parser_of)


@cache
def _in_order() -> tuple[Parser, ...]:
    return tuple(sorted(PARSERS, key=lambda parser: (parser.order, parser.id)))


@lru_cache(maxsize=2048)
def _order(
    name: frozenset[str], described: frozenset[str], kind: str, format_: str
) -> tuple[tuple[Parser, bool], ...]:
    """The parsers in the order in which they are asked, and whether each is claimed for such an argument."""
    known = About(name, described, "", kind, format_)
    asked = [(parser, bool(parser.claims(known))) for parser in _in_order()]
    return tuple(sorted(asked, key=lambda each: not each[1]))


def judge_values(a: Any, b: Any, known: About) -> Verdict:
    """How likely two values mean the same. Which of them was expected makes no difference."""
    return _judge(a, b, known, 0)


def _judge(a: Any, b: Any, known: About, depth: int) -> Verdict:
    if same_value(a, b):
        return _EQUAL
    if depth > _DEEPEST:
        return differs("nested too deeply to be looked into")
    if isinstance(a, str) and isinstance(b, str) and ("\\u" in a) != ("\\u" in b):
        a, b = _unescaped(a), _unescaped(b)
        if a == b:
            return Verdict(SAME, "the same text, once with its letters escaped", by="spelling")
    if isinstance(a, str) and isinstance(b, str) and (seen := disguised(a, b)) is not None:
        return seen
    return _asked(a, b, known, depth)


def _asked(a: Any, b: Any, known: About, depth: int) -> Verdict:
    """What enum, parsers, guards and the regression say."""
    # One order for every pair, so that the answer can't depend on which side was expected.
    if _rank(a) > _rank(b):
        a, b = b, a

    def inner(x: Any, y: Any, part: About) -> Verdict:
        return _judge(x, y, part, depth + 1)

    if known.enum and (found := _choices(a, b, known.enum)) is not None:
        return found
    long = isinstance(a, str) and isinstance(b, str) and max(len(a), len(b)) > _LONG
    for parser, claimed in _order(known.name, known.described, known.type, known.format):
        if long and parser.id not in _FOR_LONG:
            continue
        found = parser.compare(a, b, known, claimed, inner)
        if found is not None:
            return found if found.by else replace(found, by=parser.id)
    if isinstance(a, str) and isinstance(b, str):
        return judge_texts(a, b, known)
    return Verdict(DIFFERS, "values of other types", by="type")


_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})")


def _unescaped(text: str) -> str:
    """A text whose letters were escaped once too often: a backslash, u and four digits."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


def _rank(value: Any) -> tuple[str, bytes]:
    return type(value).__name__, value.encode(errors="surrogatepass") if isinstance(
        value, str
    ) else canonical_key(value)


def _choices(a: Any, b: Any, enum: frozenset[str]) -> Verdict | None:
    """Two of the values that the schema allows are two."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    left, right = a.strip().casefold(), b.strip().casefold()
    if left == right:
        return Verdict(SAME, "the same choice, written otherwise", by="enum")
    return (
        Verdict(DIFFERS, "two of the choices that the schema allows", by="enum")
        if {left, right} <= enum
        else None
    )
