"""Calls written as Python: `f(a=1), ns.g(b=[2])`, read without executing anything.

Values are literals, and plain arithmetic, which a small evaluator works out as the benchmark that made this style
popular does. What can't be known without running or guessing (positional arguments, calls as values, names) makes the
arguments of that call unreadable: they stay as the text that was written.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from ..arguments import Arguments, Given, Unread
from ..jsonvalue import MAX_DEPTH, InvalidJSONError, number_from_text
from .literals import unescaped

__all__ = ["CALL_STARTS", "PythonCall", "python_call", "python_value", "without_escapes"]

_SPACE: Final = r"(?:[ \t\r\n\f]|\#[^\n]*+|\\\n)*+"
_STRING: Final = (
    r"'''[^\\']*+(?:(?:\\.|'(?!''))[^\\']*+)*+'''"
    r'|"""[^\\"]*+(?:(?:\\.|"(?!""))[^\\"]*+)*+"""'
    r"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
    r'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
)
_TOKEN: Final = re.compile(
    rf"""{_SPACE}(?:
        (?P<text>(?:[rR][bB]?|[bB][rR]?|[uU])?(?:{_STRING}))
      | (?P<number>0[xX][0-9a-fA-F_]+\b | 0[oO][0-7_]+\b | 0[bB][01_]+\b
          | (?:\d[\d_]*+(?:\.[\d_]*+)?|\.\d[\d_]*+)(?:[eE][+-]?\d+)?(?:[lLfFdD]?(?!\w)))
      | (?P<name>[^\W\d]\w*+)
      | (?P<mark>\*\*|//|[\[\](){{}}:,=.+*/%-])
    )""",
    re.VERBOSE | re.DOTALL,
)
_OUTER: Final = re.compile(rf"{_STRING}|#[^\n]*+|[()\[\]{{}}]", re.DOTALL)
"""What matters when the end of a call is looked for that can't be read."""
CALL_STARTS: Final = re.compile(
    r"""(?:(?P<quote>['"])(?P<quoted>[^'"\n()\[\]{}]{1,200})(?P=quote)|(?P<name>[^\W\d][\w]*+(?:[.\-][\w]++)*+))\(""",
)
"""A name and an opening bracket; some models put the name into quotes."""
_KEY: Final = re.compile(r"\s*+[^\W\d]\w*+\s*+=(?!=)")
_MARKDOWN: Final = re.compile(r"\w\\_[\w\\.]*+\s*+[=(]")
_WORDS: Final[dict[str, Any]] = {
    "True": True,
    "False": False,
    "None": None,
    "true": True,
    "false": False,
    "null": None,  # as JSON, Java and JavaScript spell them
}
_CLOSING: Final = {"[": "]", "(": ")", "{": "}"}
_STRENGTH: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2, "**": 4}
_SIGN: Final = 3
_MOST_BITS: Final = 1 << 14
"""Size of the numbers that arithmetic may lead to."""


class PythonCall(Struct, gc=False):
    """A call as it was written.

    Attributes:
        name: the tool's name, dots and all.
        arguments: what can be compared, or the text between the brackets with the reason why it can't.
        end: the place after it.
        warnings: what was odd but readable.
        cut: its closing bracket is missing.
        keyed: its first argument has a name, which prose hardly ever has after a bracket.
    """

    name: str
    arguments: Arguments
    end: int
    warnings: tuple[str, ...] = ()
    cut: bool = False
    keyed: bool = False


def without_escapes(text: str) -> str:
    r"""The text without the backslashes that Markdown puts before underscores (`solve\_quadratic(`)."""
    return text.replace("\\_", "_") if "\\_" in text and _MARKDOWN.search(text) is not None else text


def python_call(text: str, start: int) -> PythonCall | None:
    """The call that begins at `start`; None where none does."""
    found = CALL_STARTS.match(text, start)
    if found is None:
        return None
    name = found["name"] or found["quoted"]
    keyed = _KEY.match(text, found.end()) is not None
    reader = _Reader(text, found.end())
    try:
        arguments: Arguments = Given(reader.keywords())
    except (InvalidJSONError, RecursionError) as error:
        end = _end_of_call(text, found.end())
        reason = str(error) if isinstance(error, InvalidJSONError) else "nested too deeply"
        if end is None:
            end, reason = len(text), f"the call is cut off ({reason})"
            return PythonCall(name, Unread(text[found.end() - 1 :], reason), end, cut=True, keyed=keyed)
        return PythonCall(name, Unread(text[found.end() - 1 : end], reason), end, keyed=keyed)
    return PythonCall(name, arguments, reader.place, tuple(dict.fromkeys(reader.warnings)), keyed=keyed)


def python_value(text: str, start: int = 0) -> tuple[Any, int]:
    """The value of a Python literal that begins at `start`, with JSON's words too, and the place after it.

    Raises:
        InvalidJSONError: there is none; the message gives the position.
    """
    reader = _Reader(text, start, strict=True)
    try:
        return reader.value(1), reader.place
    except RecursionError:
        raise InvalidJSONError(f"nested more than {MAX_DEPTH} levels deep") from None


def _end_of_call(text: str, start: int) -> int | None:
    """The place after the bracket that closes the one before `start`; None where it is missing."""
    open_brackets = 1
    for found in _OUTER.finditer(text, start):
        mark = found.group()
        if mark in "([{":
            open_brackets += 1
        elif mark in ")]}":
            open_brackets -= 1
            if not open_brackets:
                return found.end()
    return None


class _Reader:
    """Reads values from a place on; `strict` takes no words for texts."""

    def __init__(self, text: str, place: int, *, strict: bool = False) -> None:
        self.text = text
        self.place = place
        self.strict = strict
        self.warnings: list[str] = []

    def error(self, what: str) -> InvalidJSONError:
        return InvalidJSONError(f"{what} at character {self.place}")

    def next(self) -> re.Match[str]:
        found = _TOKEN.match(self.text, self.place)
        if found is None:
            raise self.error(
                "nothing that could be a value" if self.text[self.place :].strip() else "the end"
            )
        self.place = found.end()
        return found

    def mark(self) -> str:
        """The mark that comes next; empty for anything else. It is not taken."""
        found = _TOKEN.match(self.text, self.place)
        return (found["mark"] or "") if found is not None else ""

    def take(self, mark: str) -> bool:
        """Whether this mark came next; then it is taken."""
        found = _TOKEN.match(self.text, self.place)
        if found is None or found["mark"] != mark:
            return False
        self.place = found.end()
        return True

    def keywords(self) -> dict[str, Any]:
        """The arguments of a call up to its closing bracket."""
        fields: dict[str, Any] = {}
        while not self.take(")"):
            if self.mark() == "**":
                self.next()
                more = self.value(1)
                if not isinstance(more, dict) or not more.keys().isdisjoint(fields):
                    raise self.error("arguments unpacked from something that can't be read")
                fields |= more
            else:
                self.keyword(fields)
            if not self.take(",") and self.mark() != ")":
                raise self.error("no comma between arguments")
        return fields

    def keyword(self, fields: dict[str, Any]) -> None:
        before = self.place
        found = self.next()
        key = found["name"]
        if key is None or not self.take("="):
            self.place = before
            raise self.error("a positional argument, whose name nobody knows,")
        if key in fields:
            raise self.error(f"the argument {key!r} is given twice")
        fields[key] = self.value(2)

    def value(self, level: int, least: int = 0) -> Any:
        """A value with the arithmetic around it, as far as its operators bind more strongly than `least`."""
        if level > MAX_DEPTH:
            raise self.error(f"nested more than {MAX_DEPTH} levels deep")
        value = self.operand(level)
        while (strength := _STRENGTH.get(mark := self.mark(), 0)) > least:
            self.next()
            # A power binds to the right, all others to the left.
            other = self.value(level + 1, strength - 1 if mark == "**" else strength)
            value = self.worked_out(mark, value, other)
        return value

    def operand(self, level: int) -> Any:
        found = self.next()
        if found["text"] is not None:
            value = self.string(found["text"])
            while (more := _TOKEN.match(self.text, self.place)) is not None and more["text"] is not None:
                self.place = more.end()  # texts side by side are one
                value += self.string(more["text"])
            return value
        if found["number"] is not None:
            return self.number(found["number"])
        if found["name"] is not None:
            return self.word(found["name"])
        mark = found["mark"]
        if mark == "{":
            return self.dict(level)
        if mark in "[(":
            return self.list(_CLOSING[mark], level)
        if mark in "+-":
            value = self.value(level + 1, _SIGN)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise self.error("a sign before something that is no number")
            return -value if mark == "-" else value
        raise self.error(f"{mark!r} where a value should be")

    def word(self, name: str) -> Any:
        after = self.text[self.place : self.place + 1]
        if after and after in "(.['\"":
            kind = {"(": "a call", ".": "a name with a dot", "[": "an index"}.get(
                after, "a text with a prefix"
            )
            raise self.error(f"{kind} as a value")
        if name in _WORDS:
            return _WORDS[name]
        if self.strict:
            raise self.error(f"the word {name!r} where a value should be")
        self.warnings.append(f"the word {name} without quotes is read as a text")
        return name

    def number(self, text: str) -> Any:
        text = text.replace("_", "")
        if text[:2] in ("0x", "0X", "0o", "0O", "0b", "0B"):
            return int(text, 0) if len(text) < 4000 else self.refuse("a number of too many digits")
        if text.isdigit():
            if len(text) > 1 and text[0] == "0" and text.strip("0"):
                raise self.error("a number with a leading zero")
            return int(text) if len(text) < 4000 else number_from_text(text)
        text = text.rstrip("lLfFdD")
        return int(text) if text.isdigit() and len(text) < 4000 else number_from_text(text)

    def refuse(self, what: str) -> Any:
        raise self.error(what)

    def worked_out(self, mark: str, left: Any, right: Any) -> Any:
        """The result of an arithmetic operation on numbers, or of joining texts."""
        if mark == "+" and isinstance(left, str) and isinstance(right, str):
            return left + right
        if type(left) not in (int, float) or type(right) not in (int, float):
            raise self.error(f"{mark!r} between something else than numbers")
        if mark == "**" and (abs(right) > 4096 or _bits(left) * abs(right) > _MOST_BITS):
            raise self.error("a power that is too large")
        if _bits(left) + _bits(right) > 2 * _MOST_BITS:
            raise self.error("arithmetic with numbers that are too large")
        try:
            value = _OPERATIONS[mark](left, right)
        except (ArithmeticError, ValueError):
            raise self.error("arithmetic without a result") from None
        if type(value) not in (int, float) or value != value or value in (float("inf"), -float("inf")):  # noqa: PLR0124
            raise self.error("arithmetic without a finite result")
        return value

    def list(self, closing: str, level: int) -> Any:
        items: list[Any] = []
        comma = False
        while not self.take(closing):
            items.append(self.value(level + 1))
            comma = self.take(",")
            if not comma and self.mark() != closing:
                raise self.error("no comma between values")
        # `(5)` is a number in brackets, `(5,)` is a tuple.
        return items[0] if closing == ")" and len(items) == 1 and not comma else items

    def dict(self, level: int) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        while not self.take("}"):
            key = self.operand(level + 1)
            if not isinstance(key, str):
                raise self.error("a key that is no text")
            if not self.take(":"):
                raise self.error("no colon after a key")
            fields[key] = self.value(level + 1)
            if not self.take(",") and self.mark() != "}":
                raise self.error("no comma between values")
        return fields

    def string(self, token: str) -> str:
        quote = min(place for place in (token.find("'"), token.find('"')) if place >= 0)
        prefix, body = token[:quote].lower(), token[quote:]
        width = 3 if body[:3] in ("'''", '"""') else 1
        body = body[width:-width]
        try:
            return body if "r" in prefix else unescaped(body)
        except InvalidJSONError as error:
            raise self.error(str(error)) from None


def _bits(number: float) -> int:
    return number.bit_length() if isinstance(number, int) else 64


_OPERATIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}
