"""Numbers in the spellings that people and models use, and quantities with their units.

Only for naming a difference that was already found: nothing here makes two values equal.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from msgspec import Struct

from ..equality import numbers as compare_numbers

__all__ = ["Quantity", "exact", "quantities", "read_number", "same_quantity", "unit_names"]

_LONGEST: Final = 60

_PLAIN: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?\Z", re.ASCII)
_GROUPED: Final = re.compile(r"[+-]?\d{1,3}([,_' \u00a0\u202f])\d{3}(?:\1\d{3})*(?:\.\d+)?\Z")
_CONTINENTAL: Final = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+,\d+\Z|[+-]?\d{1,3}(?:\.\d{3}){2,}\Z", re.ASCII)
_COMMA: Final = re.compile(r"[+-]?\d+,(?:\d{1,2}|\d{4,})\Z", re.ASCII)


def read_number(text: str) -> Fraction | None:
    """The number that a text spells: `1,000`, `1.000,50`, `1 000`, `2,5`, `1e3`; None where it spells none.

    `1,000` is a thousand and `1.000` is one: where a spelling has two readings, the one of JSON and of English holds.
    """
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return None
    if _PLAIN.match(text):
        return Fraction(text)
    if _GROUPED.match(text):
        return Fraction(re.sub(r"[^\d.+-]", "", text))
    if _CONTINENTAL.match(text) or _COMMA.match(text):
        return Fraction(text.replace(".", "").replace(",", "."))
    return None


def exact(value: float) -> Fraction | None:
    """A JSON number as it is written; None where it is not finite."""
    found: Fraction | None = compare_numbers.exact(value)
    return found


class _Unit(Struct, frozen=True):
    """A unit: what it measures, how many base units it has, and what is added (degrees)."""

    measures: str
    factor: Fraction
    offset: Fraction = Fraction(0)


def _units() -> dict[str, tuple[_Unit, ...]]:
    table: dict[str, list[_Unit]] = {}
    for measures, lines in _TABLE.items():
        for factor, names in lines.items():
            unit = _Unit(measures, Fraction(factor))
            for name in names.split("|"):
                table.setdefault(name, []).append(unit)
    for name, unit in _DEGREES.items():
        for spelling in name.split("|"):
            table.setdefault(spelling, []).append(unit)
    return {name: tuple(units) for name, units in table.items()}


_TABLE: Final[dict[str, dict[str, str]]] = {
    "length": {
        "1/1000": "mm|millimeter|millimeters|millimetre|millimetres",
        "1/100": "cm|centimeter|centimeters|centimetre|centimetres",
        "1": "m|meter|meters|metre|metres",
        "1000": "km|kilometer|kilometers|kilometre|kilometres",
        "254/10000": 'in|inch|inches|"|″',
        "3048/10000": "ft|foot|feet|'|′",
        "9144/10000": "yd|yard|yards",
        "1609344/1000": "mi|mile|miles",
        "1852": "nmi|nautical mile|nautical miles",
    },
    "mass": {
        "1/1000000": "mg|milligram|milligrams",
        "1/1000": "g|gram|grams",
        "1": "kg|kilo|kilos|kilogram|kilograms",
        "1000": "t|ton|tons|tonne|tonnes",
        "45359237/100000000": "lb|lbs|pound|pounds",
        "28349523125/1000000000000": "oz|ounce|ounces",
    },
    "time": {
        "1/1000": "ms|msec|millisecond|milliseconds",
        "1": "s|sec|secs|second|seconds",
        "60": "min|mins|minute|minutes",
        "3600": "h|hr|hrs|hour|hours",
        "86400": "d|day|days",
        "604800": "w|wk|week|weeks",
    },
    "volume": {
        "1/1000": "ml|milliliter|milliliters|millilitre|millilitres",
        "1/100": "cl",
        "1": "l|liter|liters|litre|litres",
        "3785411784/1000000000": "gal|gallon|gallons",
    },
    "speed": {
        "1": "m/s|mps|meters per second|metres per second",
        "1000/3600": "km/h|kmh|kph|kilometers per hour|kilometres per hour",
        "1609344/3600000": "mph|mi/h|miles per hour",
        "1852/3600": "kn|kt|knot|knots",
    },
    "data": {
        "1": "b|byte|bytes",
        "1000": "kb|kilobyte|kilobytes",
        "1000000": "mb|megabyte|megabytes",
        "1000000000": "gb|gigabyte|gigabytes",
        "1000000000000": "tb|terabyte|terabytes",
    },
    "share": {"1/100": "%|percent|per cent|pct"},
    "dollars": {"1": "$|usd|us$|dollar|dollars", "1/100": "cent|cents|¢"},
    "euros": {"1": "€|eur|euro|euros", "1/100": "cent|cents"},
    "sterling": {"1": "£|gbp|pound|pounds", "1/100": "pence"},
    "yen": {"1": "¥|jpy|yen"},
    "rupees": {"1": "₹|inr|rs|rupee|rupees"},
    "francs": {"1": "chf|franc|francs"},
}
"""Names by what they measure and by their worth in its base unit. A name may stand twice (pound)."""

_DEGREES: Final = {
    "c|°c|celsius|degrees celsius|degree celsius|deg c|centigrade": _Unit("temperature", Fraction(1)),
    "k|kelvin": _Unit("temperature", Fraction(1), Fraction(-27315, 100)),
    "f|°f|fahrenheit|degrees fahrenheit|degree fahrenheit|deg f": _Unit(
        "temperature", Fraction(5, 9), Fraction(-160, 9)
    ),
}
"""Degrees in Celsius: value × factor + offset."""

_UNITS: Final = _units()


class Quantity(Struct, frozen=True):
    """A number with its unit, in base units. `unit` is what was written; `measures` is empty for a bare number."""

    number: Fraction
    measures: str
    value: Fraction
    unit: str


_PART: Final = re.compile(
    r"\s*([+-]?(?:\d[\d,_' \u00a0\u202f]*\d|\d)(?:[.,]\d+)?(?:[eE][+-]?\d{1,3})?)\s*([^\d\s.,+-][^\d,+-]*)?,?"
)
_BEFORE: Final = re.compile(r"\s*([+-]?)([$€£¥₹]|us\$|[a-z]{3}(?=[\s\d]))\s*([\d.,'_ ]+)\Z", re.IGNORECASE)


@lru_cache(maxsize=4096)
def quantities(value: str | float) -> tuple[Quantity, ...]:
    """The quantities that a value may be: a bare number, or numbers with units (`5 ft 11 in` is one)."""
    if not isinstance(value, str):  # numbers beyond every double have types of their own
        number = exact(value)
        return () if number is None else (Quantity(number, "", number, ""),)
    text = value.strip().casefold()
    if not text or len(text) > _LONGEST:
        return ()
    bare = read_number(text)
    if bare is not None:
        return (Quantity(bare, "", bare, ""),)
    before = _BEFORE.match(text)
    if before is not None:
        text = f"{before[1]}{before[3]} {before[2]}"
    return tuple(_sums(_parts(text)))


def _parts(text: str) -> list[tuple[Fraction, str]]:
    """Numbers with the words after them; empty where something of the text is left over."""
    parts: list[tuple[Fraction, str]] = []
    place = 0
    while place < len(text):
        found = _PART.match(text, place)
        if found is None or len(parts) == _MOST_PARTS:
            return []
        number = read_number(found[1])
        if number is None:
            return []
        parts.append((number, (found[2] or "").strip().removesuffix("and").strip().rstrip(".")))
        place = found.end()
    return parts


_MOST_PARTS: Final = 4


def _sums(parts: list[tuple[Fraction, str]]) -> list[Quantity]:
    """One quantity for each thing that all parts measure."""
    found: list[Quantity] = []
    kinds = [_UNITS.get(unit, ()) for _, unit in parts]
    for first in kinds[0] if kinds else ():
        value = Fraction(0)
        for (number, _), units in zip(parts, kinds, strict=True):
            unit = next((each for each in units if each.measures == first.measures), None)
            if unit is None:
                break
            value += number * unit.factor + unit.offset
        else:
            found.append(Quantity(parts[0][0], first.measures, value, " ".join(unit for _, unit in parts)))
    return found


_NEAR: Final = Fraction(1, 100)
"""Quantities this close, as a share, are one that was converted and rounded."""


def same_quantity(expected: str | float, actual: str | float) -> bool:
    """Whether two values are one quantity, said with another unit, another spelling of it, or without it."""
    for wanted in quantities(expected):
        for made in quantities(actual):
            if not wanted.measures and not made.measures:
                continue
            if wanted.measures != made.measures:
                bare, other = (wanted, made) if not wanted.measures else (made, wanted)
                # 5 for 5 km; 0.5 for 50 %.
                if not bare.measures and (bare.value == other.number or _is_share(bare, other)):
                    return True
            elif abs(wanted.value - made.value) <= (
                abs(wanted.value) * _NEAR if wanted.unit != made.unit else 0
            ):
                return True
    return False


def _is_share(bare: Quantity, other: Quantity) -> bool:
    return other.measures == "share" and bare.value == other.value


def unit_names(expected: str, actual: str) -> bool:
    """Whether two texts are two names of one unit: `celsius` and `C`, `km` and `kilometers`."""
    wanted, made = (_UNITS.get(text.strip().casefold(), ()) for text in (expected, actual))
    return any(unit in made for unit in wanted)
