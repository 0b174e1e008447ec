"""Numbers with units, and names of units."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from ....core.diagnosis.quantities import Quantity, quantities, unit_names
from ..fields import Inner
from ..numerals import digits_for_words, numbers_of
from ..units import measured, unit_of
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
_FEET: Final = re.compile(
    r"\s*(\d{1,3}) ?['′’] ?(?:(\d{1,2}(?:\.\d+)?) ?(?:[\"″”]|''|in\.?)?)?\s*\Z", re.ASCII
)
_FEET_IN_WORDS: Final = re.compile(
    r"\s*(\d{1,3}) ?(?:ft|feet|foot)\.? ?(\d{1,2})\s*\Z", re.ASCII | re.IGNORECASE
)
_SECONDS: Final = re.compile(r"\s*(\d{1,4}) ?m(?:in)? ?(\d{1,2}) ?s(?:ec)?\s*\Z", re.ASCII | re.IGNORECASE)
_HOURS: Final = re.compile(
    r"\s*(\d{1,3}) ?h(?:ours?|rs?)? ?(\d{1,2}) ?(?:m|min|mins|minutes)?(?: ?(\d{1,2}) ?(?:s|sec|secs))?\s*\Z",
    re.ASCII | re.IGNORECASE,
)
_CLOCK: Final = re.compile(r"\s*(\d{1,3}):([0-5]\d)(?::([0-5]\d))?\s*\Z", re.ASCII)
_HALVES: Final = {"half an hour": "30 minutes", "half hour": "30 minutes", "half a day": "12 hours",
                  "an hour and a half": "90 minutes", "quarter of an hour": "15 minutes"}  # fmt: skip
_LASTING: Final = frozenset({"duration", "timeout", "interval", "period", "timer", "time", "delay"})
_MINUTES: Final = re.compile(r"\s*(\d{1,4}(?:\.\d{1,4})?) ?m\s*\Z", re.ASCII)
_THOUSANDS: Final = re.compile(r"\s*[+-]?[\d.,]+(?:[kK]|M|[mM]n|[bB]n|B)\s*\Z", re.ASCII)
_KELVIN: Final = frozenset(
    {"temperature", "temp", "kelvin", "heat", "degrees", "distance", "length", "size", "data"}
)
_GLUED: Final = re.compile(r"(?<=\d)[-_](?=[a-z])")
_WORDS: Final = re.compile(r"[a-z]+|[^a-z]+")
_OLD: Final = re.compile(r"(?<=[a-z])[ -](?:old|of age)\s*\Z", re.IGNORECASE)

_CLOCKS: Final = frozenset({"time", "hour", "clock"})
_HALVES_OF_DAYS: Final = frozenset({"am", "pm"})


def claims(about: About) -> bool:
    """The name speaks of units."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are quantities with units, or both names of units."""
    left, right = _read(a), _read(b)
    left, right = _scaled(a, left, right, about), _scaled(b, right, left, about)
    if _is_time(left) != _is_time(right):
        left, right = _clock(a, about) or left, _clock(b, about) or right
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
        # 1:30 is two durations.
        sure = all(len(each) == 1 or each[0].unit != "clock" for each in (left, right))
        return same("the same quantity") if sure else perhaps(0.7, "the same duration if it is read so")
    for x, y in shared:
        if (
            x.unit != y.unit
            and x.number != y.number
            and abs(x.value - y.value) <= _NEAR * max(abs(x.value), abs(y.value))
            and (x.measures != "time" or x.number.denominator > 1 or y.number.denominator > 1)
        ):
            return perhaps(0.85, "nearly the same quantity, converted and rounded")
    return differs("other quantities")


def _is_time(found: tuple[Quantity, ...]) -> bool:
    return bool(found) and found[0].measures == "time"


def _scaled(
    value: Any, found: tuple[Quantity, ...], other: tuple[Quantity, ...], about: About
) -> tuple[Quantity, ...]:
    """10k and 5M are numbers, where nothing speaks of kelvin, metres or bytes."""
    if not isinstance(value, str) or not _THOUSANDS.match(value) or about.says(_KELVIN):
        return found
    if found and any(each.measures and each.measures == one.measures for each in found for one in other):
        return found
    return tuple(Quantity(number, "", number, "") for number in numbers_of(value)[:1])


def _bare(left: tuple[Quantity, ...], right: tuple[Quantity, ...], about: About) -> Verdict | None:
    """One has a unit, the other none: the name or the description may say it."""
    bare, other = (left, right) if not left[0].measures else (right, left)
    if about.named(_CLOCKS) and any(each.unit in _HALVES_OF_DAYS for each in other):
        return None  # 5 pm is no length
    said = {*about.name, *about.described}
    for each in other:
        if bare[0].value != each.number:
            continue
        named = any(word == each.unit or unit_names(word, each.unit) for word in said if len(word) > 1)
        return perhaps(0.95 if named else 0.8, "the same number, once without its unit")
    # Three quarters are nine months as seldom as 25 quarters are a number.
    return None if other[0].unit in {"quarter", "quarters"} else differs("other quantities")


def _units(a: str, b: str, *, claimed: bool) -> Verdict | None:
    left, right = _unit_text(a), _unit_text(b)
    if not claimed and left.casefold() == right.casefold():
        return None  # US and us
    if not claimed and (len(left) < 2 or len(right) < 2):
        return None
    measured_a, measured_b = _measures(left), _measures(right)
    if not measured_a or not measured_b:
        return None
    if measured_a & measured_b:
        return same("two names of one unit")
    if not claimed and {kind for kind, _ in measured_a}.isdisjoint(kind for kind, _ in measured_b):
        return None
    return differs("other units")


def _unit_text(text: str) -> str:
    return " ".join(text.strip().rstrip(".").split())


def _measures(text: str) -> set[tuple[str, Fraction]]:
    if text.lower() in _MONTHS:
        return {("calendar", Fraction(_MONTHS[text.lower()]))}
    return set(unit_of(text))


def _read(value: Any) -> tuple[Quantity, ...]:
    if isinstance(value, str):
        return _of_text(value)
    return tuple(Quantity(number, "", number, "") for number in numbers_of(value))


@lru_cache(maxsize=4096)
def _of_text(text: str) -> tuple[Quantity, ...]:
    if len(text) > 60:
        return ()
    if found := measured(text) or _feet(text) or _hours(text):
        return found
    text = _OLD.sub("", " ".join(text.lower().replace("_", " ").split()))
    text = _HALVES.get(text, text)
    if iso := _ISO.match(text):
        return _duration([int(each or 0) for each in iso.groups()], text)
    if one := _ONE.match(text):
        return _of_one(one[1], text)
    if not text[:1].isdigit() and text[:1] not in "-+.$€£¥₹":
        text = " ".join(digits_for_words(tuple(text.replace("-", " ").split())))
    text = _GLUED.sub(" ", text)
    if calendar := _months(text):
        return calendar
    return quantities(text) or tuple(Quantity(number, "", number, "") for number in numbers_of(text)[:1])


def _feet(text: str) -> tuple[Quantity, ...]:
    """6'2" in inches of 2.54 cm."""
    found = _FEET.match(text) or _FEET_IN_WORDS.match(text)
    if found is None:
        return ()
    number = Fraction(found[1])
    return (
        Quantity(
            number,
            "length",
            (number * 12 + Fraction(found[2] or 0)) * Fraction(254, 10_000),
            "feet and inches",
        ),
    )


def _hours(text: str) -> tuple[Quantity, ...]:
    """1h30, where the minutes have no unit or a letter that is metres elsewhere."""
    if (short := _SECONDS.match(text)) is not None:
        number = Fraction(short[1])
        return (Quantity(number, "time", number * 60 + Fraction(short[2]), "minutes and seconds"),)
    found = _HOURS.match(text)
    if found is None:
        return ()
    number = Fraction(found[1])
    value = number * 3600 + Fraction(found[2]) * 60 + Fraction(found[3] or 0)
    return (Quantity(number, "time", value, "hours and minutes"),)


def _clock(value: Any, about: About) -> tuple[Quantity, ...]:
    """1:30:00 and 90m beside a duration; 1:30 may be hours and minutes or minutes and seconds."""
    if isinstance(value, str) and about.says(_LASTING) and (minutes := _MINUTES.match(value)):
        number = Fraction(minutes[1])
        return (Quantity(number, "time", number * 60, "min"),)
    found = _CLOCK.match(value) if isinstance(value, str) else None
    if found is None:
        return ()
    first, second, third = Fraction(found[1]), Fraction(found[2]), found[3]
    if third is not None:
        return (Quantity(first, "time", first * 3600 + second * 60 + Fraction(third), "clock"),)
    return tuple(Quantity(first, "time", (first * 60 + second) * size, "clock") for size in (60, 1))


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
