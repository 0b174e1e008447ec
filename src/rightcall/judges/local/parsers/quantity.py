"""Numbers with units, and names of units."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from ....core.diagnosis.quantities import Quantity, quantities, unit_names
from ..fields import Inner
from ..numerals import digits_for_words, numbers_of
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 44
_NAMES: Final = frozenset({"unit", "units", "scale", "measure", "measurement", "uom"})
_NEAR: Final = Fraction(5, 1000)
"""A quantity that was converted into another unit and rounded is this near, as a share."""

_MONTHS: Final = {"month": 1, "months": 1, "mo": 1, "year": 12, "years": 12, "yr": 12, "yrs": 12, "quarter": 3,
                  "quarters": 3, "decade": 120, "decades": 120, "century": 1200}  # fmt: skip
_CALENDAR: Final = re.compile(r"(\d+(?:\.\d+)?)[ -]?([a-z]+)")
_ISO: Final = re.compile(
    r"p(?:(\d+)y)?(?:(\d+)m)?(?:(\d+)w)?(?:(\d+)d)?(?:t(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)?\Z"
)
_ONE: Final = re.compile(r"(?:an? |one )?([a-z]+)\Z")
_GLUED: Final = re.compile(r"(?<=\d)[-_](?=[a-z])")
_WORDS: Final = re.compile(r"[a-z]+|[^a-z]+")


def claims(about: About) -> bool:
    """The name speaks of units."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are quantities with units, or both names of units."""
    left, right = _read(a), _read(b)
    if not left or not right:
        return _units(a, b, claimed=claimed) if isinstance(a, str) and isinstance(b, str) else None
    if not left[0].measures and not right[0].measures:
        return None
    if not left[0].measures or not right[0].measures:
        return _bare(left, right, about)
    shared = [(x, y) for x in left for y in right if x.measures == y.measures]
    if not shared:
        return differs("units of other kinds")
    if any(x.value == y.value for x, y in shared):
        return same("the same quantity")
    for x, y in shared:
        if (
            x.unit != y.unit
            and x.number != y.number
            and abs(x.value - y.value) <= _NEAR * max(abs(x.value), abs(y.value))
        ):
            return perhaps(0.85, "nearly the same quantity, converted and rounded")
    return differs("other quantities")


def _bare(left: tuple[Quantity, ...], right: tuple[Quantity, ...], about: About) -> Verdict:
    """One has a unit, the other none: the name or the description may say it."""
    bare, other = (left, right) if not left[0].measures else (right, left)
    said = {*about.name, *about.described}
    for each in other:
        if bare[0].value != each.number:
            continue
        named = any(word == each.unit or unit_names(word, each.unit) for word in said if len(word) > 1)
        return perhaps(0.95 if named else 0.8, "the same number, once without its unit")
    return differs("other quantities")


def _units(a: str, b: str, *, claimed: bool) -> Verdict | None:
    left, right = _unit_text(a), _unit_text(b)
    if not claimed and (len(left) < 2 or len(right) < 2):
        return None
    measured_a, measured_b = _measures(left), _measures(right)
    if not measured_a or not measured_b:
        return None
    if unit_names(left, right) or measured_a & measured_b:
        return same("two names of one unit")
    if not claimed and {kind for kind, _ in measured_a}.isdisjoint(kind for kind, _ in measured_b):
        return None
    return differs("other units")


def _unit_text(text: str) -> str:
    return " ".join(text.strip().lower().rstrip(".").split())


def _measures(text: str) -> set[tuple[str, Fraction]]:
    if text in _MONTHS:
        return {("calendar", Fraction(_MONTHS[text]))}
    return {(each.measures, each.value) for each in quantities(f"1 {text}") if each.measures}


def _read(value: Any) -> tuple[Quantity, ...]:
    if isinstance(value, str):
        return _of_text(value)
    return tuple(Quantity(number, "", number, "") for number in numbers_of(value))


@lru_cache(maxsize=4096)
def _of_text(text: str) -> tuple[Quantity, ...]:
    if len(text) > 60:
        return ()
    text = " ".join(text.lower().replace("_", " ").split())
    if found := _ISO.match(text):
        return _duration([int(each or 0) for each in found.groups()], text)
    if one := _ONE.match(text):
        return _of_one(one[1], text)
    if not text[:1].isdigit() and text[:1] not in "-+.$€£¥₹":
        text = " ".join(digits_for_words(tuple(text.replace("-", " ").split())))
    text = _GLUED.sub(" ", text)
    if calendar := _months(text):
        return calendar
    return quantities(text) or tuple(Quantity(number, "", number, "") for number in numbers_of(text)[:1])


def _of_one(word: str, text: str) -> tuple[Quantity, ...]:
    """A unit alone that is surely one: year, an hour."""
    if text == word and word not in _MONTHS:
        return tuple(Quantity(number, "", number, "") for number in numbers_of(word)[:1])
    if word in _MONTHS and word != "mo":
        return (Quantity(Fraction(1), "calendar", Fraction(_MONTHS[word]), word),)
    return quantities(f"1 {word}")


def _months(text: str) -> tuple[Quantity, ...]:
    parts = _CALENDAR.findall(text)
    if not parts or any(unit not in _MONTHS for _, unit in parts):
        return ()
    rest = _CALENDAR.sub("", text).replace("and", "").replace(",", "").strip()
    if rest:
        return ()
    total = sum((Fraction(number) * _MONTHS[unit] for number, unit in parts), Fraction(0))
    return (Quantity(Fraction(parts[0][0]), "calendar", total, " ".join(unit for _, unit in parts)),)


def _duration(parts: list[int], text: str) -> tuple[Quantity, ...]:
    """An ISO 8601 duration; months and seconds are not mixed."""
    years, months, weeks, days, hours, minutes, seconds = parts
    if not any(parts):
        return ()
    number = Fraction(next(part for part in parts if part))
    if years or months:
        only = not any(parts[2:])
        return (Quantity(number, "calendar", Fraction(years * 12 + months), text),) if only else ()
    value = Fraction(((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds)
    return (Quantity(number, "time", value, text),)
