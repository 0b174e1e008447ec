"""Symbols of units as they are written: mW is no MW, Mb no MB, µg no mg; and names of more units."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final

from ...core.diagnosis.quantities import Quantity, quantities

__all__ = ["measured", "symbols_in", "unit_of"]

Unit = tuple[str, Fraction]
"""What it measures, and its worth in base units."""

_PREFIXES: Final = {
    "p": "1/1000000000000", "n": "1/1000000000", "µ": "1/1000000", "μ": "1/1000000", "u": "1/1000000", "m": "1/1000",
    "c": "1/100", "d": "1/10", "h": "100", "k": "1000", "M": "1000000", "G": "1000000000", "T": "1000000000000",
    "P": "1000000000000000",
}  # fmt: skip
_PREFIX_NAMES: Final = {
    "nano": "n", "micro": "µ", "milli": "m", "centi": "c", "deci": "d", "hecto": "h", "kilo": "k", "mega": "M",
    "giga": "G", "tera": "T",
}  # fmt: skip
_BASES: Final[dict[str, tuple[str, str, str]]] = {
    "g": ("mass", "1/1000", "gram"),
    "m": ("length", "1", "meter|metre"),
    "s": ("time", "1", "second|sec"),
    "l": ("volume", "1", "liter|litre"),
    "L": ("volume", "1", ""),
    "W": ("power", "1", "watt"),
    "V": ("voltage", "1", "volt"),
    "A": ("current", "1", "ampere|amp"),
    "Hz": ("frequency", "1", "hertz"),
    "Pa": ("pressure", "1", "pascal"),
    "bar": ("pressure", "100000", ""),
    "J": ("energy", "1", "joule"),
    "Wh": ("energy", "3600", "watt hour|watthour"),
    "cal": ("energy", "4184/1000", "calorie"),
    "eV": ("energy", "1602176634/10000000000000000000000000000", "electronvolt"),
    "mol": ("substance", "1", "mole"),
    "B": ("data", "1", "byte"),
    "b": ("data", "1/8", "bit"),
    "bit": ("data", "1/8", ""),
    "Bps": ("rate", "8", ""),
    "B/s": ("rate", "8", "byte per second"),
    "bps": ("rate", "1", ""),
    "b/s": ("rate", "1", "bit per second"),
    "bit/s": ("rate", "1", ""),
    "Ω": ("resistance", "1", "ohm"),
    "F": ("capacitance", "1", "farad"),
    "N": ("force", "1", "newton"),
    "T": ("induction", "1", "tesla"),
}
"""Symbols that take prefixes: what they measure, their worth, their names."""

_ALONE: Final = frozenset({"A", "F", "N", "T", "V", "b", "B", "bit", "bar"})
"""Symbols that are more often letters or words where they stand without a prefix."""

_NO_PREFIX: Final = frozenset({"T", "N", "F"})
_MORE: Final[dict[str, Unit]] = {
    "mcg": ("mass", Fraction(1, 10**9)),
    "micron": ("length", Fraction(1, 10**6)),
    "microns": ("length", Fraction(1, 10**6)),
    "ton": ("mass", Fraction(90718474, 100000)),
    "tons": ("mass", Fraction(90718474, 100000)),
    "metric ton": ("mass", Fraction(1000)),
    "metric tons": ("mass", Fraction(1000)),
    "KB": ("data", Fraction(1000)),
    "KiB": ("data", Fraction(1024)),
    "MiB": ("data", Fraction(1024**2)),
    "GiB": ("data", Fraction(1024**3)),
    "TiB": ("data", Fraction(1024**4)),
    "Kb": ("data", Fraction(125)),
    "Kbps": ("rate", Fraction(1000)),
    "KBps": ("rate", Fraction(8000)),
    "hp": ("power", Fraction(7457, 10)),
}
"""Further ones. A ton without a word before is the American one of 2000 pounds; a tonne has 1000 kg."""

_ONE: Final = re.compile(r"\s*([+-]?(?:\d[\d,.]*|\.\d+))\s*([^\W\d_][^\d,+-]*?)\.?\s*\Z")
_SYMBOL: Final = re.compile(r"(?<=\d)\s?([A-Za-zµμΩΩ]{1,4}(?:/s)?)(?![\w/])")
_LONGEST: Final = 60


@cache
def _symbols() -> dict[str, Unit]:
    """Symbols with their capitals, and names in small letters."""
    found: dict[str, Unit] = dict(_MORE)
    for symbol, (measures, worth, names) in _BASES.items():
        spelled = [each for name in names.split("|") if name for each in (name, _plural(name))]
        for each in [*spelled, *(() if symbol in _ALONE else (symbol,))]:
            found.setdefault(each, (measures, Fraction(worth)))
        for prefix, factor in _PREFIXES.items():
            if prefix + symbol == "ML":
                continue  # millilitres in capitals
            if symbol not in _NO_PREFIX or prefix in {"m", "µ", "μ", "u", "n", "k"}:
                found.setdefault(prefix + symbol, (measures, Fraction(worth) * Fraction(factor)))
        for name, prefix in _PREFIX_NAMES.items():
            for each in spelled:
                found.setdefault(name + each, (measures, Fraction(worth) * Fraction(_PREFIXES[prefix])))
    found.pop("pm", None)  # after noon
    return found


def _plural(name: str) -> str:
    first, _, rest = name.partition(" per ")
    return f"{first}s per {rest}" if rest else f"{name}s"


@cache
def _folded() -> dict[str, frozenset[Unit]]:
    """What a symbol may be when its capitals are not kept: KW is kW; mw may be two."""
    found: dict[str, set[Unit]] = {}
    for symbol, unit in _symbols().items():
        found.setdefault(symbol.casefold(), set()).add(unit)
    return {symbol: frozenset(units) for symbol, units in found.items()}


@lru_cache(maxsize=4096)
def unit_of(text: str) -> tuple[Unit, ...]:
    """What a symbol or a name stands for, as it is written; several where its capitals were not kept; else empty."""
    text = " ".join(text.split()).replace("\u2126", "\u03a9")
    exact = _symbols().get(text)
    if exact is not None and (not text.islower() or text not in _SLOPPY):
        return (exact,)
    core = quantities(f"1 {text}") if text != "G" and text.casefold() not in {"ton", "tons"} else ()
    if any(each.measures for each in core):
        return tuple((each.measures, each.value) for each in core if each.measures)
    return tuple(sorted(_folded().get(text.casefold(), ())))


_SLOPPY: Final = frozenset({"kb", "mb", "gb", "tb"})
"""Small letters that nearly always stand for bytes."""


@lru_cache(maxsize=4096)
def measured(text: str) -> tuple[Quantity, ...]:
    """A number with one unit, read with its capitals; empty where the unit is none that this table tells apart."""
    found = _ONE.match(text) if len(text) <= _LONGEST else None
    if found is None:
        return ()
    unit = found[2].strip()
    if unit not in _symbols() and unit.casefold() not in _folded():
        return ()
    number = next((each.number for each in quantities(found[1]) if not each.measures), None)
    if number is None:
        return ()
    return tuple(Quantity(number, measures, number * worth, unit) for measures, worth in unit_of(unit))


@lru_cache(maxsize=4096)
def symbols_in(text: str) -> tuple[tuple[Unit, ...], ...]:
    """The units behind the numbers of a text, in order, with their capitals."""
    if not any(char.isdigit() for char in text):
        return (unit_of(text.strip()),) if len(text) <= 8 else ()
    return tuple(unit_of(symbol) for symbol in _SYMBOL.findall(text) if symbol.casefold() in _folded())
