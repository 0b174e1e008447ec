"""$approx: a number near another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..equality.numbers import Tolerance, is_number, within
from ..jsonvalue import is_finite, show
from ..matcher import NUMBER, Matcher, MatcherDeclaration, Parsing, Same, under, wrong

DECLARATION = MatcherDeclaration(
    id="approx",
    meaning="a number within rel (a share of the expected one) or abs of it; a millionth of it without either",
    schema=NUMBER,
    options={"rel": {"type": "number", "minimum": 0}, "abs": {"type": "number", "minimum": 0}},
    example={"$approx": 3.5, "abs": 0.1},
    accepts=(3.4, 3.5, 3.6),
    refuses=(3.61, "3.5", True),
)

DEFAULT_SHARE: Final = 1e-6


class Approx(Matcher):
    """Takes numbers near its own; with both bounds either will do, as elsewhere in Python."""

    __slots__ = ("absolute", "relative", "value")

    def __init__(self, value: Any, relative: Any = None, absolute: Any = None) -> None:
        self.value = value
        self.relative = relative
        self.absolute = absolute

    def accepts(self, actual: Any, same: Same) -> bool:
        if not is_number(actual):
            return False
        relative = DEFAULT_SHARE if self.relative is None and self.absolute is None else self.relative
        bounds = []
        if relative is not None:
            bounds.append(Tolerance(relative, relative=True))
        if self.absolute is not None:
            bounds.append(Tolerance(self.absolute))
        return same(self.value, actual) or any(within(self.value, actual, bound) for bound in bounds)

    def words(self) -> str:
        how = [f"± {self.absolute}"] if self.absolute is not None else []
        how += [f"± {self.relative} of it"] if self.relative is not None else []
        return f"about {show(self.value)}" + (f" ({' or '.join(how)})" if how else "")

    def as_json(self) -> Any:
        bounds = {"rel": self.relative, "abs": self.absolute}
        return {"$approx": self.value} | {name: bound for name, bound in bounds.items() if bound is not None}


def parse(fields: Mapping[str, Any], parsing: Parsing, place: str) -> Approx:
    """From ``{"$approx": 3.5, "rel": .., "abs": ..}``."""
    value, relative, absolute = (
        parsing.inner(fields.get(key), under(place, key)) for key in ("$approx", "rel", "abs")
    )
    if not is_number(value) or not is_finite(value):
        raise wrong("approx", "takes a finite number", place)
    for bound in (relative, absolute):
        if bound is not None and (not is_number(bound) or not is_finite(bound) or not bound >= 0):
            raise wrong("approx", f"takes finite bounds of at least 0, not {show(bound)}", place)
    return Approx(value, relative, absolute)
