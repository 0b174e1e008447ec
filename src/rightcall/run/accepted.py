"""How often an expected call is made, and lists of accepted values (BFCL's `expected_any`), as they are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..core.comparators.one_of import OneOf
from ..core.comparators.optional import Maybe
from ..core.jsonvalue import InvalidJSONError, canonical, show
from ..core.types import CountRange
from ..errors import ExpectationError

__all__ = ["MOST_TIMES", "accepted_arguments", "count_range", "flag"]

MOST_TIMES: Final = 10_000
"""How often an expected call may have to be made."""


def flag(value: Any, place: str) -> bool:
    """True or false, and nothing that only looks like it."""
    if isinstance(value, bool):
        return value
    raise ExpectationError(f"{show(value)} is not true or false", field=place)


def count_range(value: Any, place: str) -> CountRange:
    """How often a call is to be made.

    Raises:
        ExpectationError: no range; the error says what one looks like.
    """
    if isinstance(value, CountRange):
        value = {"min": value.min, "max": value.max}
    elif isinstance(value, int) and not isinstance(value, bool):
        value = {"min": value, "max": value}
    hint = 'e.g. 2, or {"min": 1, "max": 3}; an end may be left out'
    if not isinstance(value, Mapping) or not value or not set(value) <= {"min", "max"}:
        raise ExpectationError(f"{show(value)} is not a count", field=place, hint=hint)
    low, high = value.get("min"), value.get("max")
    if low is None and high is None:
        raise ExpectationError("a count without an end", field=place, hint=hint)
    for end in (low, high):
        if end is not None and (isinstance(end, bool) or not isinstance(end, int) or end < 0):
            raise ExpectationError(f"{show(end)} is not a whole number from 0", field=place, hint=hint)
    if low is not None and high is not None and low > high:
        raise ExpectationError(f"min {low} is above max {high}", field=place)
    if low is not None and low > MOST_TIMES:
        raise ExpectationError(f"min {low} is too often", field=place, hint=f"at most {MOST_TIMES} times")
    return CountRange(min=low, max=high)


def accepted_arguments(value: Any, place: str) -> dict[str, Any]:
    """Expected arguments from lists of accepted values, one list an argument.

    The empty text in a list says that the argument may be left out; the benchmark that this form comes from also
    takes it as a value. An object among the accepted values holds such lists again, once: what is in these is plain.

    Raises:
        ExpectationError: something else than a list of values.
    """
    if not isinstance(value, Mapping):
        hint = 'e.g. {"city": ["Oslo", "Oslo, Norway"], "unit": ["celsius", ""]}'
        raise ExpectationError(f"{show(value)} is no object of accepted values", field=place, hint=hint)
    return {str(key): _any_of(values, f"{place}.{key}", _value) for key, values in value.items()}


def _any_of(values: Any, place: str, read: Callable[[Any, str], Any]) -> Any:
    if not isinstance(values, list | tuple):
        hint = "each argument has a list of the values that are fine"
        raise ExpectationError(f"{show(values)} is not a list of accepted values", field=place, hint=hint)
    fine = OneOf(tuple(read(value, f"{place}[{index}]") for index, value in enumerate(values)))
    return Maybe(fine) if any(isinstance(value, str) and not value for value in values) else fine


def _value(value: Any, place: str) -> Any:
    """An accepted value of an argument."""
    if isinstance(value, Mapping):
        return {str(key): _any_of(values, f"{place}.{key}", _plain) for key, values in value.items()}
    if isinstance(value, list | tuple):
        return [_value(item, f"{place}[{index}]") for index, item in enumerate(value)]
    return _plain(value, place)


def _plain(value: Any, place: str) -> Any:
    try:
        return canonical(value)
    except InvalidJSONError as error:
        raise ExpectationError(str(error), field=place) from None
