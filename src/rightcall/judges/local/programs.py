"""Programs as lists of tokens, of which two that are equal run alike: of shells, SQL, conditions and other code.

Blanks and quotes are left out only where they say nothing in that language. Nothing is run.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["code_tokens", "condition_tokens", "pattern_text", "shell_words", "sql_tokens"]

_LONGEST: Final = 2000
"""Characters of code that is taken apart; longer code must be the same line by line."""

_OPERATORS: Final = r"--|\+\+|//|!==|===|!=|==|<=|>=|&&|\|\||->|=>|\*\*|:=|<<|>>"
_STRINGS: Final = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`"
_TOKEN: Final = re.compile(rf"{_STRINGS}|\w+(?:\.\d+)?|{_OPERATORS}|\n|[^\w\s]", re.DOTALL)
_SQL_TOKEN: Final = re.compile(
    rf"'(?:[^'\\]|\\.|'')*'|\"[^\"]*\"|`[^`]*`|\$\$.*?\$\$|--[^\n]*|/\*.*?\*/|\w+(?:\.\d+)?|{_OPERATORS}|[^\w\s]",
    re.DOTALL,
)
_LIVE: Final = re.compile(r"[$`\\!]")
_SPECIAL: Final = frozenset(" \t\n*?~$`<>|&;(){}[]#!\\\"'")
_QUOTES: Final = frozenset({"'", '"'})
_ALIVE: Final = frozenset("$`")
_SHELL_PART: Final = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.|\s+|[^\s'\"\\]+|.", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\.|.", re.DOTALL)
_KEPT: Final = "\x01"
"""Before a sign that is quoted."""

_FLAGS: Final = {
    "ls": "alhrRtS1dF", "rm": "rfivRd", "cp": "rRafpivn", "mv": "fivn", "du": "shac", "df": "h", "wc": "lwcm", "cat": "n",
}  # fmt: skip
"""Of commands, the flags that take no value, so that their order says nothing: ls -la."""


def shell_words(text: str) -> list[str] | None:
    """The words of a command line, each sign that is quoted marked so; None where a quote is open.

    Within double quotes ``$`` and a backtick stay alive.
    """
    if len(text) > _LONGEST:
        return None
    words: list[str] = []
    begun: list[str] | None = None
    for part in _SHELL_PART.findall(text.strip() + "\n"):
        if part in _QUOTES:
            return None
        if part.isspace():
            if begun is not None:
                words.append("".join(begun))
            begun = None
            if "\n" in part:
                words.append(";")
        else:
            begun = [*(begun or ()), _unquoted(part)]
    while words and words[-1] == ";":
        words.pop()
    if words:
        words[-1] = words[-1].rstrip(";")
    return [_plain_word(word, words[0], place) for place, word in enumerate(words)]


def _unquoted(part: str) -> str:
    """What a quoted part of a word, or a plain one, stands for."""
    if part[0] == "'" and len(part) > 1:
        return "".join(map(_kept, part[1:-1]))
    if part[0] == '"' and len(part) > 1:
        return "".join(
            found[0] if found[0] in _ALIVE else _kept(found[0][-1]) for found in _ESCAPED.finditer(part[1:-1])
        )
    return _kept(part[1]) if part[0] == "\\" and len(part) > 1 else part


def _kept(char: str) -> str:
    return f"{_KEPT}{char}" if char in _SPECIAL else char


def _plain_word(word: str, command: str, place: int) -> str:
    """Flags without a value in one order, and a file without the sign for here."""
    if word[:1] == "-" and word[1:].isalpha() and set(word[1:]) <= set(_FLAGS.get(command, "")):
        return "-" + "".join(sorted(word[1:]))
    return word.removeprefix("./") if place and len(word) > len("./") else word


def sql_tokens(text: str) -> list[str]:
    """Tokens of a query; what is not quoted in small letters, comments left out."""
    if len(text) > _LONGEST:
        return [line.rstrip() for line in text.splitlines()]
    found = _SQL_TOKEN.findall(text.strip().rstrip("; "))
    return [
        part if part[0] in "'\"`$" else part.lower()
        for part in found
        if len(part) < len("--x") or not part.startswith(("--", "/*"))
    ]


def condition_tokens(text: str) -> list[str]:
    """Tokens of a condition, in which = and == ask the same."""
    return ["=" if part == "==" else part for part in code_tokens(text)]


def code_tokens(text: str) -> list[str]:
    """Tokens of other code; indentation counts where lines are indented, and the end of a line ends what it says."""
    text = text.strip()
    if len(text) > _LONGEST:
        return [line.rstrip() for line in text.splitlines()]
    if "\n" in text and re.search(r"\n[ \t]+\S", text):
        return [line.rstrip() for line in text.splitlines() if line.strip()]
    found: list[str] = []
    for raw in _TOKEN.findall(text):
        part = ";" if raw == "\n" else _one_quote(raw)
        if part != ";" or (found and found[-1] not in ";{"):
            found.append(part)
    if found and found[-1] == ";":
        found.pop()
    return found


def _one_quote(token: str) -> str:
    """A text in double quotes in single ones, where that is the same in every language."""
    if len(token) > 1 and token[0] == '"' == token[-1] and "'" not in token and not _LIVE.search(token):
        return f"'{token[1:-1]}'"
    return token


def pattern_text(text: str) -> str:
    """A regular expression, without the slashes around it: every sign in it counts, and so does every blank."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "/" else text
