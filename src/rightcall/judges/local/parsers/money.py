"""Money: an amount and a currency."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from ..fields import Inner
from ..numerals import numbers_of
from ..spelling import listed
from ..tables import currencies
from ..verdict import About, Verdict, differs, perhaps, same

ORDER = 42
_NAMES: Final = listed(
    """
    amount price cost budget fee salary payment balance total income revenue
    """
)
_SIGN: Final = r"us\$|usd\$|ca\$|au\$|nz\$|hk\$|[casr]\$|[$€£¥₹₽₩]"
_BEFORE: Final = re.compile(rf"([+-]?)({_SIGN}|[a-z]{{3}}\b|rs\.?) ?([\d.,'’ ]*\d(?: ?[a-z]+)?)\Z")
_AFTER: Final = re.compile(rf"(.*?\S) ?({_SIGN}|(?:[a-z]+ )?[a-z]+)\Z")
_NEGATIVE: Final = re.compile(r"\s*\(\s*([^()+-]*\d[^()+-]*)\)\s*\Z|\s*([^()+-]*\d)-\s*\Z")
_SIGN_INSIDE: Final = re.compile(r"\A([^\d+-]{1,4})([+-])(?=\d)")
_CENTS: Final = re.compile(r"(\d+) ?(?:cents?|¢)\Z")


def claims(about: About) -> bool:
    """The name speaks of money."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both say amount and currency."""
    left, right = money_of(a), money_of(b)
    if left is None and right is None:
        return None
    if left is None or right is None:
        said = left or right
        bare = numbers_of(b if right is None else a)
        if said is None or not bare:
            return None
        if bare[0] == said[0][0]:
            return perhaps(0.85, "the same amount, once without a currency")
        return _two_ways(said[0], bare)
    if left[0][0] != right[0][0]:
        return _two_ways(left[0], right[0])
    if len(left[0]) != len(right[0]):
        # 1.000 EUR is a thousand as often as one.
        return perhaps(0.4, "the same amount if points and commas are read as in English")
    if left[1] == right[1] or left[1][0] == right[1][0]:
        return same("the same amount of money")
    if not set(left[1]).isdisjoint(right[1]):
        return perhaps(0.4, "the same amount, in currencies that share a name")
    return differs("other currencies")


def _two_ways(one: tuple[Fraction, ...], other: tuple[Fraction, ...]) -> Verdict:
    if set(one).isdisjoint(other):
        return differs("other amounts")
    return perhaps(0.6, "the same amount if points and commas are read as on the continent")


Money = tuple[tuple[Fraction, ...], tuple[str, ...]]
"""The readings of the amount, and the currencies that its sign may stand for; the likeliest first."""


def money_of(value: Any) -> Money | None:
    """What a text says of money; None where it says none."""
    return _of_text(value) if isinstance(value, str) and len(value) <= 60 else None


@lru_cache(maxsize=2048)
def _of_text(text: str) -> Money | None:
    found = _read(text)
    if found is None:
        return None
    # $10,000 has one reading in practice, 1.000 € has two.
    numbers = found[0][:1] + tuple(number for number in found[0][1:] if abs(number) > abs(found[0][0]))
    return numbers, found[1]


def _read(text: str) -> Money | None:
    if (behind := _NEGATIVE.match(text)) is not None:
        inner = _read(behind[1] or behind[2])
        return None if inner is None else (tuple(-number for number in inner[0]), inner[1])
    text = _SIGN_INSIDE.sub(r"\2\1", text.strip())
    text = " ".join(text.lower().split())
    if not any(char.isdigit() for char in text) and " " not in text:
        return None
    if found := _BEFORE.match(text):
        sign, currency, amount = found.groups()
        twice = _AFTER.match(amount)  # $50 USD
        known = currencies().get(currency.rstrip("."))
        if twice and twice[2] in currencies():
            amount, known = twice[1], currencies()[twice[2]]
        numbers = numbers_of(sign + amount.strip())
        if numbers and known:
            return numbers, known
    if found := _AFTER.match(text):
        known = currencies().get(found[2])
        numbers = numbers_of(found[1])
        if not known and " " in found[2]:  # 2 million euros
            scale, _, name = found[2].rpartition(" ")
            known, numbers = currencies().get(name), numbers_of(f"{found[1]} {scale}")
        if numbers and known:
            return numbers, known
        signed = _BEFORE.match(found[1])
        if known and signed and (numbers := numbers_of(signed[1] + signed[3].strip())):
            return numbers, known
    if found := _CENTS.match(text):
        return (Fraction(int(found[1]), 100),), ("USD", "EUR")
    return None
