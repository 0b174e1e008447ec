"""Python literals, as `repr` writes them, where a recorder wrote them instead of JSON.

`ast.literal_eval` would build a tree for whatever it is given; this reads values only, in one pass, and no deeper than
arguments may be.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from ..arguments import Arguments, Given, read_arguments
from ..jsonvalue import MAX_DEPTH, InvalidJSONError, number_from_text

__all__ = ["arguments_of_text", "read_literal", "unescaped"]

_NEXT: Final = re.compile(
    r"""\s*(?:
        (?P<text>[bBuU]?(?:'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"))
      | (?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
      | (?P<word>True|False|None)\b
      | (?P<mark>[\[\](){}:,])
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|N\{([^{}]+)\}|(.))", re.DOTALL
)
_SHORT: Final = dict(
    zip("ntrbfva\n\\'\"", ("\n", "\t", "\r", "\b", "\f", "\v", "\a", "", "\\", "'", '"'), strict=True)
)
_WORDS: Final = {"True": True, "False": False, "None": None}
_CLOSING: Final = {"[": "]", "(": ")", "{": "}"}


def read_literal(text: str) -> Any:
    """The value of a Python literal: numbers, texts, True, False, None, lists, tuples (as lists) and dicts.

    Raises:
        InvalidJSONError: it is something else, or nested over 200 levels deep; the message gives the position.
    """
    reader = _Reader(text)
    value = reader.value(1)
    if text[reader.place :].strip():
        raise reader.error("something after the value")
    return value


def arguments_of_text(text: str) -> Arguments:
    """Arguments that a recorder wrote as JSON text or, having none at hand, as the `repr` of a dict."""
    given = Given(text)
    start = text.lstrip()[:2]
    if start[:1] != "{" or (start == '{"' and not _may_be_python(text)):
        return given
    if start == '{"' and read_arguments(given).value is not None:
        return given
    try:
        value = read_literal(text)
    except InvalidJSONError:
        return given  # stays as it was recorded, and is reported as unreadable when it is needed
    return Given(value) if isinstance(value, dict) else given


def _may_be_python(text: str) -> bool:
    return "'" in text or "(" in text or "True" in text or "False" in text or "None" in text


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def error(self, what: str) -> InvalidJSONError:
        return InvalidJSONError(f"{what} at character {self.place}")

    def next(self) -> re.Match[str]:
        found = _NEXT.match(self.text, self.place)
        if found is None:
            raise self.error("no Python literal")
        self.place = found.end()
        return found

    def peek(self) -> str:
        found = _NEXT.match(self.text, self.place)
        return found["mark"] or "" if found is not None else ""

    def value(self, level: int) -> Any:
        if level > MAX_DEPTH:
            raise self.error(f"nested more than {MAX_DEPTH} levels deep")
        found = self.next()
        if found["text"] is not None:
            value = self.string(found["text"])
            while (more := _NEXT.match(self.text, self.place)) is not None and more["text"] is not None:
                self.place = more.end()  # texts side by side are one
                value += self.string(more["text"])
            return value
        if found["number"] is not None:
            return self.number(found["number"])
        if found["word"] is not None:
            return _WORDS[found["word"]]
        mark = found["mark"]
        if mark == "{":
            return self.dict(level)
        if mark in "[(":
            return self.list(_CLOSING[mark], level)
        raise self.error(f"{mark!r} where a value should be")

    def number(self, text: str) -> Any:
        text = text.removeprefix("+")
        if text.lstrip("-").isdigit() and len(text) < 4000:
            return int(text)
        return number_from_text(text)

    def list(self, closing: str, level: int) -> Any:
        items: list[Any] = []
        comma = True
        while self.peek() != closing:
            if not comma:
                raise self.error("no comma between values")
            items.append(self.value(level + 1))
            comma = self.peek() == ","
            if comma:
                self.next()
        self.next()
        # `(5)` is a number in brackets, `(5,)` is a tuple.
        return items[0] if closing == ")" and len(items) == 1 and not comma else items

    def dict(self, level: int) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        comma = True
        while self.peek() != "}":
            if not comma:
                raise self.error("no comma between values")
            key = self.value(level + 1)
            if not isinstance(key, str):
                raise self.error("a key that is no text")
            if self.next()["mark"] != ":":
                raise self.error("no colon after a key")
            fields[key] = self.value(level + 1)
            comma = self.peek() == ","
            if comma:
                self.next()
        self.next()
        return fields

    def string(self, token: str) -> str:
        try:
            return unescaped(token.lstrip("bBuU")[1:-1])
        except InvalidJSONError as error:
            raise self.error(str(error)) from None


def unescaped(body: str) -> str:
    """What stands between the quotes of a Python text, its escapes resolved.

    Raises:
        InvalidJSONError: an escape that names no character.
    """
    return body if "\\" not in body else _ESCAPE.sub(_character, body)


def _character(found: re.Match[str]) -> str:
    byte, short, long, octal, name, mark = found.groups()
    digits = byte or short or long
    if digits or octal:
        code = int(digits, 16) if digits else int(octal, 8)
        if code > 0x10FFFF:
            raise InvalidJSONError("no such character")
        return chr(code)
    if name:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            raise InvalidJSONError(f"no character is called {name[:40]!r}") from None
    return _SHORT.get(mark, f"\\{mark}")
