"""Code, commands and queries: the same but for blanks and quotes that say nothing, never by likeness."""

from __future__ import annotations

import re
from typing import Any, Final

from ..fields import Inner
from ..programs import code_tokens, condition_tokens, pattern_text, shell_words, sql_tokens
from ..spelling import listed
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 15
_NAMES: Final = listed(
    """
    code sql command cmd script expression regex regexp pattern formula equation function snippet statement
    cypher jq xpath selector cron lambda condition filter where predicate criteria constraint
    """
)
_CONDITIONS: Final = frozenset({"condition", "filter", "where", "predicate", "criteria", "constraint"})
_COMMANDS: Final = frozenset({"command", "cmd", "script", "shell", "bash"})
_PATTERNS: Final = frozenset({"regex", "regexp", "pattern", "selector", "xpath"})
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

_SAID: Final = re.compile(r"[\w\s,_-]+")
"""What words are made of, which is no sign of code."""

_FLAGGED: Final = re.compile(r"\s-{1,2}\w")
_ENDS_OF_SENTENCES: Final = " .!?"
_COMPARED: Final = re.compile(r"[<>=]|\b(?:not|and|or)\b", re.IGNORECASE)
_ALIVE_IF_BARE: Final = re.compile(r"\\[$`]")
"""What a shell would run or look up without the backslash."""

_OTHER: Final = 0.08
"""Two pieces of code that differ; of seven such pairs of the benchmark's fit half two are one all the same."""


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are code, or the name says so and one is."""
    if not isinstance(a, str) or not isinstance(b, str):
        return None
    if _SQL.match(a) and _SQL.match(b):
        alike = sql_tokens(a) == sql_tokens(b)
        return same("the same query, laid out otherwise") if alike else differs("other queries")
    if not claimed:
        if not (_CODE.search(a[:_SEEN]) and _CODE.search(b[:_SEEN])):
            return None
        alike = code_tokens(a) == code_tokens(b)
        return same("the same code, laid out otherwise", 0.97) if alike else differs("other code", _OTHER)
    flagged = about.named(_COMMANDS) and (_FLAGGED.search(a) or _FLAGGED.search(b))
    ends = _ENDS_OF_SENTENCES if about.named(_COMMANDS) else " "
    if not flagged and not _signs(a, ends) and not _signs(b, ends):
        if about.named(_CONDITIONS) and _COMPARED.search(a) and _COMPARED.search(b):
            return _words_of_condition(a, b)
        return None
    return _claimed(a, b, about)


def _claimed(a: str, b: str, about: About) -> Verdict | None:
    """What the name says is code, and one of the two looks like it."""
    if about.named(_COMMANDS):
        left, right = shell_words(a), shell_words(b)
        if left is None or right is None:
            left, right = a.strip().splitlines(), b.strip().splitlines()
        if left == right:
            return same("the same command, written otherwise", 0.97)
        escaped = "\\" in a + b and not _ALIVE_IF_BARE.search(a + b)
        if escaped and _unescaped(a) == _unescaped(b) and not _is_destructive(a):
            return perhaps(0.8, "the same command, once with its signs escaped")
        return differs("another command", _OTHER)
    if about.named(_PATTERNS):
        alike = pattern_text(a) == pattern_text(b)
        return same("the same pattern", 0.97) if alike else differs("another pattern", 0.05)
    if about.named(_CONDITIONS):
        if condition_tokens(a) == condition_tokens(b):
            return same("the same condition, written otherwise", 0.97)
        both = _COMPARED.search(a) and _COMPARED.search(b)
        return differs("another condition", _OTHER) if both else None
    if code_tokens(a) == code_tokens(b):
        return same("the same code, laid out otherwise", 0.97)
    if a.casefold() == b.casefold():
        return perhaps(0.3, "the same code but for capitals")
    return differs("other code", _OTHER)


def _words_of_condition(a: str, b: str) -> Verdict | None:
    """Not a and b is another condition than a and not b."""
    left, right = a.casefold().split(), b.casefold().split()
    return (
        None if sorted(left) != sorted(right) or left == right else perhaps(0.3, "the words in another order")
    )


def _signs(text: str, ends: str) -> str:
    """The signs of a text but for those of names and those that end a sentence where a command may be one."""
    return _SAID.sub("", text.rstrip(ends).replace("'s ", " "))


def _unescaped(text: str) -> str:
    return " ".join(text.replace("\\", "").split())


def _is_destructive(text: str) -> bool:
    return text.split()[:1] in (["rm"], ["rmdir"], ["sudo"])
