"""Formulas as they are written in arguments: read into a tree, never executed as code, and held against each other by
their values at fixed points.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

__all__ = ["Formula", "read", "same_values"]

_LONGEST: Final = 500
_MOST_TOKENS: Final = 200
_DEEPEST: Final = 40
_FEWEST_POINTS: Final = 3
"""Points at which both must have a value, so that anything is said."""

_CLOSE: Final = 1e-12
"""Relative; constants of physics are small, so that nothing absolute could be said."""

_TINY: Final = 1e-9
"""Values that differ by less may be one that was rounded, or two: nothing is said."""

_SIGNS: Final = str.maketrans(
    {"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "√": "sqrt", "π": "pi"}
)
_BASED: Final = re.compile(r"\b0[xob]", re.IGNORECASE)
"""0x10 is 16 in code."""

_RAISED: Final = re.compile("[⁰¹²³⁴-⁹]+")
_DIGITS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LAMBDA: Final = re.compile(r"lambda\s+([A-Za-z]\w*(?:\s*,\s*[A-Za-z]\w*)*)\s*:(.*)\Z", re.DOTALL)
_DEFINED: Final = re.compile(
    r"(?:def\s+)?[A-Za-z]\w*\s*\(\s*([A-Za-z]\w*(?:\s*,\s*[A-Za-z]\w*)*)\s*\)\s*[=:](?!=)(.*)\Z", re.DOTALL
)
_NATURAL: Final = re.compile(r"\b(?:np|numpy|math|torch|tf|jnp)\.log\b")
_MODULES: Final = re.compile(r"\b(?:np|numpy|math|torch|tf|jnp)\.")
_TOKEN: Final = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|([A-Za-z]\w*)|(\*\*|[-+*/^(),]))")
_FUNCTIONS: Final[Mapping[str, Callable[[float], float]]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "arcsin": math.asin, "arccos": math.acos, "arctan": math.atan, "sinh": math.sinh, "cosh": math.cosh,
    "tanh": math.tanh, "exp": math.exp, "ln": math.log, "log": math.log, "log10": math.log10, "log2": math.log2,
    "sqrt": math.sqrt, "cbrt": math.cbrt, "abs": abs, "fabs": abs, "floor": math.floor, "ceil": math.ceil,
    "sec": lambda x: 1 / math.cos(x), "csc": lambda x: 1 / math.sin(x), "cot": lambda x: 1 / math.tan(x),
}  # fmt: skip
_LOGARITHMS: Final = frozenset({"log", "ln", "log10"})
_CONSTANTS: Final = {"pi": math.pi, "e": math.e, "tau": math.tau}
_POINTS: Final = (0.37, 1.21, 2.83, 0.91, -0.64, -1.7, 3.3, 5.1, 2.0, -3.0)
"""Whole numbers too, at which floor and ceiling meet."""


Tree = tuple[str, tuple["Tree", ...]] | float | str
"""An operation with what it works on; a number; the name of a variable."""


class Formula(Struct, frozen=True):
    """A formula.

    Attributes:
        tree: what it computes.
        variables: their names, in order of the alphabet.
        parameters: those that it declares itself, in that order: ``lambda x, y:``. Empty where it declares none.
        computes: whether anything is computed; a name alone is as often no formula.
        numbers: those that are written in it.
        logarithms: the names of those that it uses: log is ln to some and log10 to others.
    """

    tree: Tree
    variables: tuple[str, ...]
    parameters: tuple[str, ...] = ()
    computes: bool = True
    numbers: tuple[float, ...] = ()
    logarithms: frozenset[str] = frozenset()


class _NotAFormulaError(Exception):
    """What was met is no part of a formula."""


def read(text: str) -> Formula | None:
    """The formula that a text is; None where it is none, or longer or deeper than formulas are."""
    if len(text) > _LONGEST or _BASED.search(text):
        return None
    text = _RAISED.sub(lambda found: "^" + found[0].translate(_DIGITS), text.translate(_SIGNS)).strip()
    parameters: tuple[str, ...] = ()
    for pattern in (_LAMBDA, _DEFINED):
        if found := pattern.match(text):
            parameters = tuple(name.strip() for name in found[1].split(","))
            text = found[2].strip().removeprefix("return ")
            break
    try:
        reader = _Reader(_tokens(_MODULES.sub("", _NATURAL.sub("ln", text))))
        tree = reader.whole()
    except _NotAFormulaError:
        return None
    return Formula(
        tree,
        tuple(sorted(reader.variables)),
        parameters,
        reader.computes,
        tuple(sorted(reader.numbers)),
        frozenset(reader.logarithms),
    )


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    place = 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or len(found) == _MOST_TOKENS:
            raise _NotAFormulaError
        found.append(match[1] or match[2] or match[3])
        place = match.end()
    return found


class _Reader:
    """Reads tokens by recursive descent: sums of products of powers; two factors may stand side by side."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0
        self.variables: set[str] = set()
        self.numbers: list[float] = []
        self.logarithms: set[str] = set()
        self.computes = False

    def whole(self) -> Tree:
        tree = self._sum()
        if self.place < len(self.tokens):
            raise _NotAFormulaError
        return tree

    def _next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def _take(self, *wanted: str) -> str:
        token = self._next()
        if token not in wanted or not token:
            return ""
        self.place += 1
        return token

    def _sum(self) -> Tree:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _NotAFormulaError
        tree = self._product()
        while sign := self._take("+", "-"):
            self.computes = True
            tree = (sign, (tree, self._product()))
        self.depth -= 1
        return tree

    def _product(self) -> Tree:
        tree = self._signed()
        divided = False
        while True:
            if sign := self._take("*", "/"):
                self.computes = True
                divided = sign == "/"
                tree = (sign, (tree, self._signed()))
            elif self._stands_beside():
                if divided:
                    raise _NotAFormulaError  # 1/2x is half of x to some
                tree = ("*", (tree, self._power()))
            else:
                return tree

    def _stands_beside(self) -> bool:
        """Whether what follows is a factor without a sign: 2x, 2(x + 1), xy; not two numbers, nor two words."""
        part, before = self._next(), self.tokens[self.place - 1]
        if part == "(":
            return True
        if not part[:1].isalpha():
            if part[:1].isdigit() or part[:1] == ".":
                raise _NotAFormulaError
            return False
        if before[-1:].isalpha() and max(len(part), len(before)) > 1 and part not in _FUNCTIONS:
            raise _NotAFormulaError
        return True

    def _signed(self) -> Tree:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _NotAFormulaError
        sign = self._take("+", "-")
        tree = self._signed() if sign else self._power()
        self.depth -= 1
        return ("-", (0.0, tree)) if sign == "-" else tree

    def _power(self) -> Tree:
        tree = self._atom()
        if self._take("^", "**"):
            self.computes = True
            return ("^", (tree, self._signed()))
        return tree

    def _atom(self) -> Tree:
        part = self._next()
        self.place += 1
        if part == "(":
            tree = self._sum()
            if not self._take(")"):
                raise _NotAFormulaError
            return tree
        if part[:1].isdigit() or part[:1] == ".":
            self.numbers.append(float(part))
            return self.numbers[-1]
        if not part[:1].isalpha():
            raise _NotAFormulaError
        if part in _FUNCTIONS:
            if self._next() != "(":
                raise _NotAFormulaError  # of sin 2x nobody knows where it ends
            self.computes = True
            if part in _LOGARITHMS:
                self.logarithms.add(part)
            return (part, (self._atom(),))
        if part in _CONSTANTS:
            return _CONSTANTS[part]
        if self._next() == "(" and (len(part) > 1 or part in "fgh"):
            raise _NotAFormulaError  # a function that nobody knows
        self.variables.add(part)
        return part


def same_values(one: Formula, other: Formula) -> bool | None:
    """Whether two formulas have the same value wherever they were tried; None where they can't be compared so."""
    names = _matched(one, other)
    if names is None or (one.logarithms != other.logarithms and "log" in one.logarithms | other.logarithms):
        return None
    if not (one.variables and other.variables) and one.numbers != other.numbers:
        return None  # 2 + 2 is not asked where 4 is, though it is 4
    tried = 0
    everything = sorted({*names[0], *names[1]})
    for point in _POINTS:
        values = {name: point * (1 + 0.173 * place) + 0.11 * place for place, name in enumerate(everything)}
        x = _value(one.tree, {own: values[name] for own, name in zip(one.variables, names[0], strict=True)})
        y = _value(
            other.tree, {own: values[name] for own, name in zip(other.variables, names[1], strict=True)}
        )
        if (x is None) != (y is None):
            return None
        if x is None or y is None:
            continue
        tried += 1
        if not math.isclose(x, y, rel_tol=_CLOSE):
            return None if abs(x - y) < _TINY else False
    return True if tried >= _FEWEST_POINTS else None


def _matched(one: Formula, other: Formula) -> tuple[list[str], list[str]] | None:
    """Common names for the variables of both: what a formula declares may have any name."""
    if one.parameters and other.parameters:
        if len(one.parameters) != len(other.parameters):
            return None
        return _placed(one), _placed(other)
    if (one.parameters or other.parameters) and len(one.variables) == len(other.variables) == 1:
        return ["0"], ["0"]
    return list(one.variables), list(other.variables)


def _placed(formula: Formula) -> list[str]:
    places = {name: str(place) for place, name in enumerate(formula.parameters)}
    return [places.get(name, name) for name in formula.variables]


def _value(tree: Tree, values: Mapping[str, float]) -> float | None:
    try:
        found = _computed(tree, values)
    except (ArithmeticError, ValueError, TypeError):
        return None
    return found if math.isfinite(found) else None


def _computed(tree: Tree, values: Mapping[str, float]) -> float:
    if isinstance(tree, float):
        return tree
    if isinstance(tree, str):
        return values[tree]
    sign, parts = tree
    x = _computed(parts[0], values)
    if sign in _FUNCTIONS:
        return float(_FUNCTIONS[sign](x))
    y = _computed(parts[1], values)
    if sign == "+":
        return x + y
    if sign == "-":
        return x - y
    if sign == "*":
        return x * y
    return x / y if sign == "/" else math.pow(x, y)
