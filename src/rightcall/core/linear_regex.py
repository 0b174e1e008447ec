"""Regular expressions whose time grows only with the length of the text (Thompson's construction, run set by set).

The standard library's engine can take longer than the age of the universe on twenty characters; a pattern that
comes with data must not be able to do that. The syntax is that of Python's `re`; what only backtracking can do
(references to groups, looking ahead or behind) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, Final

__all__ = ["LinearPattern", "TooMuchWorkError", "UnsupportedPatternError"]

# The only public way to a parsed pattern is gone; type checkers do not agree on whether these are there.
op: Any = import_module("re._constants")
parser: Any = import_module("re._parser")

MOST_STATES: Final = 2_000
MOST_WORK: Final = 4_000_000
"""States looked at in one text, about two seconds; a step that was taken before costs nothing."""
LONGEST_PATTERN: Final = 2_000
_MOST_KEPT: Final = 20_000
"""Steps that are remembered; an attacker's text could otherwise fill the memory with them."""


class TooMuchWorkError(ValueError):
    """A text in which looking for a pattern would take too long."""


class UnsupportedPatternError(ValueError):
    """A pattern that is not valid, too large, or needs backtracking."""


Test = Callable[[str], bool]


class LinearPattern:
    """A compiled pattern.

    Raises:
        UnsupportedPatternError: it is not valid, too large, or needs backtracking.
    """

    def __init__(self, pattern: str) -> None:
        if len(pattern) > LONGEST_PATTERN:
            raise UnsupportedPatternError(f"longer than {LONGEST_PATTERN} characters")
        _refuse_set_operations(pattern)
        try:
            tree = parser.parse(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            raise UnsupportedPatternError(str(error)) from None
        self._moves: list[tuple[Test, int] | None] = []
        # Empty moves, (target, what must hold at this place), in the order in which the standard library tries them.
        self._ways: list[list[tuple[int, Any]]] = []
        start = self._state()
        end = self._sequence(tree, start, tree.state.flags)
        self._accepting = end
        self._start = start
        self._steps: dict[Any, tuple[frozenset[int], bool]] = {}
        self._moves_on: dict[Any, tuple[tuple[int, ...], bool]] = {}

    def found_in(self, text: str) -> bool:
        """Whether the pattern is found anywhere in a text.

        Raises:
            TooMuchWorkError: it would take too long to say.
        """
        work = 0
        here: frozenset[int] = frozenset()
        before: str | None = None
        for char in text:
            key = (here, _sort(before), char)
            known = self._steps.get(key)
            if known is None:
                closed = self._closure(here | {self._start}, before, char)
                work += len(closed) + 1
                if work > MOST_WORK:
                    raise TooMuchWorkError(f"a text of {len(text)} characters is too long for this pattern")
                moved = frozenset(
                    move[1] for state in closed if (move := self._moves[state]) and move[0](char)
                )
                known = (moved, self._accepting in closed)
                if len(self._steps) < _MOST_KEPT:
                    self._steps[key] = known
            here, found = known
            if found:
                return True
            before = char
        return self._accepting in self._closure(here | {self._start}, before, None)

    def taken_from_start(self, text: str) -> int | None:
        """How many characters the pattern takes from the start of a text, as ``re.match`` would; None for no match.

        Raises:
            TooMuchWorkError: it would take too long to say.
        """
        work, taken = 0, None
        here: tuple[int, ...] = (self._start,)
        before: str | None = None
        for place in range(len(text) + 1):
            after = text[place] if place < len(text) else None
            key = (here, _sort(before), after)
            known = self._moves_on.get(key)
            if known is None:
                ordered, accepting = self._in_order(here, before, after)
                work += len(ordered) + 1
                if work > MOST_WORK:
                    raise TooMuchWorkError(f"a text of {len(text)} characters is too long for this pattern")
                moves = (self._moves[state] for state in ordered) if after is not None else ()
                # Of two ways to one state the earlier is the better one.
                moved = dict.fromkeys(move[1] for move in moves if move and move[0](after or ""))
                known = tuple(moved), accepting
                if len(self._moves_on) < _MOST_KEPT:
                    self._moves_on[key] = known
            here, accepting = known
            if accepting:
                taken = place
            if not here:
                return taken
            before = after
        return taken

    def _in_order(
        self, states: tuple[int, ...], before: str | None, after: str | None
    ) -> tuple[list[int], bool]:
        """What is reached without a character, the best first, up to the end of the pattern; and whether that is."""
        seen: set[int] = set()
        ordered: list[int] = []
        pending = list(reversed(states))
        while pending:
            state = pending.pop()
            if state in seen:
                continue
            seen.add(state)
            if state == self._accepting:
                return ordered, True  # what comes after it is worse than ending here
            ordered.append(state)
            pending += [
                target
                for target, condition in reversed(self._ways[state])
                if condition is None or condition((before, after))
            ]
        return ordered, False

    def _closure(self, states: frozenset[int], before: str | None, after: str | None) -> set[int]:
        seen = set(states)
        pending = list(states)
        while pending:
            for target, condition in self._ways[pending.pop()]:
                if target not in seen and (condition is None or condition((before, after))):
                    seen.add(target)
                    pending.append(target)
        return seen

    def _state(self) -> int:
        if len(self._moves) >= MOST_STATES:
            raise UnsupportedPatternError(f"larger than {MOST_STATES} states")
        self._moves.append(None)
        self._ways.append([])
        return len(self._moves) - 1

    def _sequence(self, items: Any, start: int, flags: int) -> int:
        for code, value in items:
            start = self._item(code, value, start, flags)
        return start

    def _item(self, code: Any, value: Any, start: int, flags: int) -> int:
        if code in (op.MAX_REPEAT, op.MIN_REPEAT):
            return self._repeat(value, start, flags, lazy=code is op.MIN_REPEAT)
        if code is op.SUBPATTERN:
            _, added, removed, inner = value
            return self._sequence(inner, start, (flags | added) & ~removed)
        if code is op.BRANCH:
            end = self._state()
            for branch in value[1]:
                entry = self._state()
                self._ways[start].append((entry, None))
                self._ways[self._sequence(branch, entry, flags)].append((end, None))
            return end
        end = self._state()
        if code is op.AT:
            self._ways[start].append((end, _condition(value, flags)))
            return end
        test = _test(code, value, flags)
        if test is None:
            words = str(code).lower().replace("_", " ")
            raise UnsupportedPatternError(f"{words} needs backtracking, which could take for ever")
        middle = self._state()
        self._ways[start].append((middle, None))
        self._moves[middle] = (test, end)
        return end

    def _repeat(self, value: Any, start: int, flags: int, *, lazy: bool) -> int:
        least, most, inner = value
        for _ in range(least):
            start = self._sequence(inner, start, flags)
        if most is op.MAXREPEAT:
            entry = self._state()
            end = self._state()
            self._ways[start].append((entry, None))
            self._ways[self._sequence(inner, entry, flags)].append((entry, None))
            self._leave(entry, end, lazy=lazy)
            return end
        ends = [start]
        for _ in range(most - least):
            start = self._sequence(inner, start, flags)
            ends.append(start)
        end = self._state()
        for state in ends:
            self._leave(state, end, lazy=lazy)
        return end

    def _leave(self, state: int, end: int, *, lazy: bool) -> None:
        """The way out of a repeat: the first choice of a lazy one, else the last."""
        ways = self._ways[state]
        ways.insert(0 if lazy else len(ways), (end, None))


def _refuse_set_operations(pattern: str) -> None:
    """Refuse what the standard library warns of: it reads ``[[:alpha:]]`` as other than it is meant, today.

    Raises:
        UnsupportedPatternError: a bracket or a doubled ``-``, ``&``, ``~`` or ``|`` within a set.
    """
    place, within = 0, -1  # `within`: the first character of the set that is open
    while place < len(pattern):
        char, place = pattern[place], place + 1
        if char == "\\":
            place += 1
        elif within < 0:
            if char == "[":
                within = place = place + pattern.startswith("^", place)
        elif char == "]" and place - 1 > within:
            within = -1
        elif (char == "[" and place - 1 == within) or (
            char in "-&~|" and place - 1 > within and pattern.startswith(char, place)
        ):
            shown = pattern[place - 1 : place + 1]
            raise UnsupportedPatternError(
                f"{shown!r} within a set; write a backslash before what is meant as it is"
            )


def _sort(before: str | None) -> str | None:
    """All that conditions ask about the character before: whether there is one, a line's end, or part of a word."""
    return before if before is None or before == "\n" else "w" if _in_word(before) else "."


def _in_word(char: str | None) -> bool:
    return char is not None and (char.isalnum() or char == "_")


Place = tuple[str | None, str | None]
"""The character before a place and the one after it."""


def _condition(kind: Any, flags: int) -> Callable[[Place], bool]:
    many = bool(flags & re.MULTILINE)
    if kind is op.AT_BEGINNING_STRING or (kind is op.AT_BEGINNING and not many):
        return lambda place: place[0] is None
    if kind is op.AT_BEGINNING:
        return lambda place: place[0] is None or place[0] == "\n"
    if kind is op.AT_END_STRING:
        return lambda place: place[1] is None
    if kind is op.AT_END:
        # Elsewhere in Python it stands before a newline that ends the text too, which would let "1\n" pass for ^1$.
        return lambda place: place[1] is None or (place[1] == "\n" and many)
    if kind is op.AT_BOUNDARY:
        return lambda place: _in_word(place[0]) != _in_word(place[1])
    return lambda place: _in_word(place[0]) == _in_word(place[1])


def _test(code: Any, value: Any, flags: int) -> Test | None:
    """What a single character must be; None for what is not about one character."""
    if code is op.ANY:
        return (lambda char: char != "") if flags & re.DOTALL else (lambda char: char != "\n")
    if code is op.LITERAL or code is op.NOT_LITERAL:
        wanted = _spellings(chr(value), flags)
        return (lambda char: char in wanted) if code is op.LITERAL else (lambda char: char not in wanted)
    if code is op.IN:
        return _in_set(value, flags)
    return None


def _spellings(char: str, flags: int) -> frozenset[str]:
    if not flags & re.IGNORECASE:
        return frozenset({char})
    return frozenset(form for form in (char, char.lower(), char.upper(), char.casefold()) if len(form) == 1)


def _in_set(items: Sequence[Any], flags: int) -> Test:
    negated = bool(items) and items[0][0] is op.NEGATE
    tests = list(_members(items[1:] if negated else items, flags))

    def holds(char: str) -> bool:
        forms = _spellings(char, flags)
        return any(test(form) for test in tests for form in forms) != negated

    return holds


def _members(items: Sequence[Any], flags: int) -> Iterator[Test]:
    for code, value in items:
        if code is op.LITERAL:
            yield chr(value).__eq__
        elif code is op.RANGE:
            low, high = map(chr, value)
            yield lambda char, low=low, high=high: low <= char <= high  # type: ignore[misc]
        else:
            yield _category(value, flags)


def _category(value: Any, flags: int) -> Test:
    name = str(value).removeprefix("CATEGORY_")
    negated = name.startswith("NOT_")
    kind = name.removeprefix("NOT_")
    plain: dict[str, Test] = {"DIGIT": str.isdecimal, "SPACE": str.isspace, "WORD": _in_word}
    test, ascii_only = plain[kind], bool(flags & re.ASCII)

    def holds(char: str) -> bool:
        return (test(char) and (char.isascii() or not ascii_only)) != negated

    return holds
