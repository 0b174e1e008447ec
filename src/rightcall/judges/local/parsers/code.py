"""Code, commands and queries: the same but for blanks that say nothing, never by likeness."""

from __future__ import annotations

import re
from typing import Any, Final

from ..fields import Inner
from ..spelling import listed
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 15
_NAMES: Final = listed(
    """
    code sql command cmd script expression regex pattern formula equation function snippet statement
    cypher jq xpath selector cron lambda
    """
)
_SQL: Final = re.compile(
    r"\s*(?:select|insert|update|delete|create|drop|alter|with)\b.*\b(?:from|into|set|table|as)\b",
    re.IGNORECASE | re.DOTALL,
)
_CODE: Final = re.compile(
    r"[{}();=]{2}|=>|->|==|!=|&&|\|\||\w\(.*\)|^\s*(?:def|import|for|while|class|print|return)\b"
    r"|\w\s*[*/^+]\s*\w|^[\w-]+ --?[a-z]"
)
_SEEN: Final = 1000
"""Characters by whose look a text is code or not."""

_LONGEST: Final = 2000
"""Characters of code that is taken apart; longer one must be the same but for its blanks."""

_TOKEN: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\w+(?:\.\d+)?|\*\*|[^\w\s]")
_CONDITIONS: Final = frozenset({"condition", "filter", "where", "predicate", "criteria", "constraint"})
_PLAIN_FLAGS: Final = frozenset({"ls", "rm", "cp", "mv", "du", "df", "wc", "cat"})
"""Commands none of whose flags takes a value behind it."""

_LETTERS: Final = re.compile(r"-[A-Za-z]+")
_MOST_WORDS: Final = 50
_SIGNS: Final = frozenset("=()[]{}:;<>$")
_WORDS: Final = re.compile(r"[a-z]+")


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are code, or the name says so and one is."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    sql = bool(_SQL.match(a)), bool(_SQL.match(b))
    if all(sql):
        return same("the same query, laid out otherwise") if _sql(a) == _sql(b) else differs("other queries")
    shaped = bool(_CODE.search(a[:_SEEN])), bool(_CODE.search(b[:_SEEN]))
    if claimed and a != b and a.casefold() == b.casefold() and not _SIGNS.isdisjoint(a):
        return perhaps(0.3, "the same code but for capitals")
    if about.named(_CONDITIONS) and _condition(a) == _condition(b):
        return same("the same condition, written otherwise", 0.97)
    if claimed and (flags := _flags(a)) is not None and flags == _flags(b):
        return same("the same command, its flags written otherwise", 0.97)
    if not (all(shaped) or (claimed and any(shaped)) or (claimed and _is_cryptic(a, b))):
        return None
    if _laid_out(a) == _laid_out(b):
        return same("the same code, laid out otherwise", 0.97)
    if ("\\" in a or "\\" in b) and _unescaped(a) == _unescaped(b):
        return perhaps(0.8, "the same code, once with its signs escaped")
    return differs("other code", 0.08)


def _condition(text: str) -> list[str]:
    """Tokens of a condition, in which = and == ask the same."""
    return _laid_out(text.replace("==", "="))


def _flags(text: str) -> list[str] | None:
    """The words of a command whose flags of one letter may stand in any order, those sorted: ls -la."""
    words = text.split()
    if not words or words[0] not in _PLAIN_FLAGS or len(words) > _MOST_WORDS:
        return None
    return ["-" + "".join(sorted(word[1:])) if _LETTERS.fullmatch(word) else word for word in words]


def _unescaped(text: str) -> str:
    return " ".join(text.replace("\\", "").split())


def _is_cryptic(a: str, b: str) -> bool:
    return not (_WORDS.fullmatch(a.lower()) and _WORDS.fullmatch(b.lower())) and not {
        "$",
        "\\",
        "|",
        "%",
        "-",
    }.isdisjoint(a + b)


def _laid_out(text: str) -> list[str]:
    """Tokens; indentation counts where lines are indented."""
    if len(text) > _LONGEST:
        return text.split()
    if "\n" in text.strip() and re.search(r"\n[ \t]+\S", text):
        return [line.rstrip() for line in text.strip().splitlines() if line.strip()]
    return [_one_quote(token) for token in _TOKEN.findall(text.strip().rstrip(";"))]


def _one_quote(token: str) -> str:
    return (
        f"'{token[1:-1]}'" if len(token) > 1 and token[0] == '"' == token[-1] and "'" not in token else token
    )


def _sql(text: str) -> list[str]:
    if len(text) > _LONGEST:
        return text.split()
    return [
        token if token[0] in "'\"" else token.lower() for token in _TOKEN.findall(text.strip().rstrip("; "))
    ]
