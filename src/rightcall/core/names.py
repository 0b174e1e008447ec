"""Tool names: one shared rule for actual, expected, offered, counted and forbidden tools (contract 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from ..errors import EvaluatorError, OptionError
from .jsonvalue import has_lone_surrogate, show
from .linear_regex import LinearPattern, TooMuchWorkError, UnsupportedPatternError

__all__ = ["EXACT_NAMES", "NameRule", "name_rule", "parse_name_map", "parse_prefix"]


class NameRule(Struct, frozen=True):
    """`name_map` is asked with the full name; then `strip_name_prefix` takes one match from the start and the
    map is asked again.
    """

    name_map: tuple[tuple[str, str], ...] = ()
    strip_name_prefix: str | None = None

    def __call__(self, name: str) -> str:
        """The name under which `name` is compared.

        Raises:
            EvaluatorError: the name is so long that looking for the prefix would take too long.
        """
        table = dict(self.name_map)
        if name in table:
            return table[name]
        if self.strip_name_prefix is None:
            return name
        try:
            taken = _pattern(self.strip_name_prefix).taken_from_start(name)
        except TooMuchWorkError as error:
            message = f"{show(self.strip_name_prefix)}: {error}"
            raise EvaluatorError(message, field="strip_name_prefix") from None
        short = name[taken or 0 :]
        return table.get(short, short)

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy in another process is the rule without options itself, where it is that one.
        return name_rule, (self.name_map, self.strip_name_prefix)

    def clashes(self, names: Iterable[str]) -> tuple[str, ...]:
        """Warnings for offered tools that this rule gives one name."""
        by_short: dict[str, list[str]] = {}
        for name in names:
            try:
                short = self(name)
            except EvaluatorError:
                continue  # what needs this tool's name says so
            group = by_short.setdefault(short, [])
            if name not in group:
                group.append(name)
        return tuple(
            f"the tools {', '.join(map(repr, group))} all become {short!r} under the name options"
            for short, group in by_short.items()
            if len(group) > 1
        )


EXACT_NAMES: Final = NameRule()
"""The rule without options: names are compared as they are. There is only this one, so `is` tells it."""


def name_rule(name_map: tuple[tuple[str, str], ...], strip_name_prefix: str | None) -> NameRule:
    """The rule for these options."""
    return NameRule(name_map, strip_name_prefix) if name_map or strip_name_prefix is not None else EXACT_NAMES


def parse_name_map(value: Any, name: str) -> tuple[tuple[str, str], ...]:
    """A table from written names to the names they stand for."""
    if not isinstance(value, Mapping) or not all(
        isinstance(k, str) and isinstance(v, str) for k, v in value.items()
    ):
        raise OptionError(
            f"{value!r} is not a table of names", field=name, hint="e.g. {'math_hcf': 'math.hcf'}"
        )
    if has_lone_surrogate(dict(value)):
        raise OptionError("a name holds a lone surrogate (half of a character)", field=name)
    return tuple(sorted(value.items()))


@lru_cache(maxsize=64)
def _pattern(text: str) -> LinearPattern:
    return LinearPattern(text)


def parse_prefix(value: Any, name: str) -> str:
    """A regular expression for a prefix of names.

    Raises:
        OptionError: it is none, or one that only backtracking can follow (see :mod:`.linear_regex`).
    """
    if not isinstance(value, str):
        raise OptionError(f"{value!r} is not a pattern", field=name, hint="e.g. 'mcp__[a-z]+__'")
    if has_lone_surrogate(value):
        raise OptionError("the pattern holds a lone surrogate (half of a character)", field=name)
    try:
        _pattern(value)
    except UnsupportedPatternError as error:
        raise OptionError(f"{show(value)} can't be used: {error}", field=name) from None
    return value
