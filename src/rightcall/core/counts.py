"""How often a tool is to be called: ``2``, ``[">=", 1]``, ``{"min": 1, "max": 3}`` (contract 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from ..errors import OptionError, nearest
from .jsonvalue import has_lone_surrogate, show

__all__ = ["CountRule", "parse_counts"]


class CountRule(Struct, frozen=True):
    """Accepts numbers of calls from `min` to `max` (None is open), but not `other_than`."""

    min: int | None = None
    max: int | None = None
    other_than: int | None = None

    def fits(self, number: int) -> bool:
        """Whether `number` calls are fine."""
        if number == self.other_than or (self.min is not None and number < self.min):
            return False
        return self.max is None or number <= self.max

    def __str__(self) -> str:
        if self.other_than is not None:
            return f"not {self.other_than}"
        if self.min == self.max:
            return "any number" if self.min is None else str(self.min)
        if self.max is None:
            return f"at least {self.min}"
        return f"at most {self.max}" if self.min is None else f"{self.min} to {self.max}"


_RULES: Final = {
    "==": lambda n: CountRule(n, n),
    "!=": lambda n: CountRule(None, None, n),
    "<": lambda n: CountRule(None, n - 1),
    "<=": lambda n: CountRule(None, n),
    ">": lambda n: CountRule(n + 1, None),
    ">=": lambda n: CountRule(n, None),
}


def parse_counts(value: Any, name: str) -> dict[str, CountRule]:
    """A table of counts by tool name.

    Raises:
        OptionError: with the tool and what is possible.
    """
    if not isinstance(value, Mapping):
        raise OptionError(
            f"{show(value)} is not a table of counts", field=name, hint='e.g. {"search": [">=", 1]}'
        )
    if has_lone_surrogate({str(tool): None for tool in value}):
        raise OptionError("a tool's name holds a lone surrogate (half of a character)", field=name)
    for tool in value:
        if not isinstance(tool, str):
            raise OptionError(f"{show(tool)} is not the name of a tool", field=name)
    return {tool: _rule(rule, f"{name}.{tool}") for tool, rule in value.items()}


def _rule(rule: Any, field: str) -> CountRule:
    if _is_count(rule):
        return CountRule(rule, rule)
    if isinstance(rule, (list, tuple)) and len(rule) == 2 and isinstance(rule[0], str):
        comparator, number = rule
        if comparator not in _RULES:
            near = {"=": "==", "<>": "!=", "=>": ">=", "=<": "<="}.get(comparator) or nearest(
                comparator, _RULES
            )
            hint = f"did you mean {near!r}?" if near else f"one of: {' '.join(_RULES)}"
            raise OptionError(f"unknown comparator {comparator!r}", field=field, hint=hint)
        if _is_count(number):
            return _RULES[comparator](number)
    if (
        isinstance(rule, Mapping)
        and rule
        and set(rule) <= {"min", "max"}
        and all(map(_is_bound, rule.values()))
    ):
        low, high = rule.get("min"), rule.get("max")
        if low is not None and high is not None and low > high:
            raise OptionError(f"min {low} is above max {high}", field=field)
        return CountRule(low, high)
    raise OptionError(
        f"{show(rule)} is not a count",
        field=field,
        hint='2, [">=", 1] or {"min": 1, "max": 3}, whole numbers from 0',
    )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_bound(value: Any) -> bool:
    return value is None or _is_count(value)
