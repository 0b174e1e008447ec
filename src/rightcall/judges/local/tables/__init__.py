"""Small tables of names, made by ``benchmarks/semantic/make_tables.py`` or written for rightcall; read when needed."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

__all__ = ["aliases", "antonyms", "cities", "countries", "currencies", "languages", "states", "synonyms"]

_MORE_COUNTRIES: Final = {
    "usa": "US", "us": "US", "united states of america": "US", "america": "US", "states": "US", "uk": "GB",
    "great britain": "GB", "britain": "GB", "england": "GB-ENG", "scotland": "GB-SCT", "wales": "GB-WLS",
    "uae": "AE", "emirates": "AE", "holland": "NL", "the netherlands": "NL", "czech republic": "CZ", "korea": "KR",
    "republic of korea": "KR", "russian federation": "RU", "burma": "MM", "ivory coast": "CI", "turkey": "TR",
    "viet nam": "VN", "prc": "CN", "peoples republic of china": "CN", "hong kong": "HK", "macau": "MO",
    "deutschland": "DE", "espana": "ES", "italia": "IT", "brasil": "BR", "ksa": "SA", "drc": "CD", "nz": "NZ",
}  # fmt: skip
"""Names of countries in everyday use that CLDR does not list in English."""

_MORE_CITIES: Final = {
    "ny": "new york city", "nyc": "new york city", "new york": "new york city", "big apple": "new york city",
    "la": "los angeles", "sf": "san francisco", "san fran": "san francisco", "dc": "washington",
    "washington dc": "washington", "philly": "philadelphia", "vegas": "las vegas", "chi town": "chicago",
    "bombay": "mumbai", "calcutta": "kolkata", "madras": "chennai", "bangalore": "bengaluru",
    "saigon": "ho chi minh city",
    "hcmc": "ho chi minh city", "peking": "beijing", "muenchen": "munich", "koeln": "cologne", "roma": "rome",
    "milano": "milan", "wien": "vienna", "praha": "prague", "moskva": "moscow", "lisboa": "lisbon", "firenze": "florence",
    "kl": "kuala lumpur", "sj": "san jose", "nola": "new orleans", "atl": "atlanta", "stl": "st louis",
    "saint louis": "st louis", "saint petersburg": "st petersburg", "frisco": "san francisco",
    "munchen": "munich", "koln": "cologne", "warszawa": "warsaw", "bucuresti": "bucharest", "beograd": "belgrade",
    "athina": "athens", "kobenhavn": "copenhagen", "goteborg": "gothenburg", "torino": "turin", "napoli": "naples",
    "genova": "genoa", "sevilla": "seville", "den haag": "the hague", "bruxelles": "brussels", "brussel": "brussels",
    "antwerpen": "antwerp", "kiev": "kyiv", "kharkov": "kharkiv", "lvov": "lviv", "teheran": "tehran",
    "bagdad": "baghdad", "ciudad de mexico": "mexico city", "cdmx": "mexico city", "rio": "rio de janeiro",
    "la habana": "havana", "habana": "havana", "canton": "guangzhou", "nanking": "nanjing", "pusan": "busan",
    "rangoon": "yangon", "dacca": "dhaka", "poona": "pune", "benares": "varanasi", "trivandrum": "thiruvananthapuram",
    "baroda": "vadodara", "mysore": "mysuru", "gurgaon": "gurugram", "okc": "oklahoma city", "indy": "indianapolis",
    "slc": "salt lake city", "sd": "san diego", "lv": "las vegas",
}  # fmt: skip
"""Short and former names of cities."""

_SOVEREIGN: Final = 2
"""Letters of a country's code."""


def _read(name: str) -> Any:
    return msgspec.json.decode(files(__package__).joinpath(f"{name}.json").read_bytes())


@cache
def countries() -> dict[str, str]:
    """Folded name or code to ISO 3166 code. Codes of two letters that are English words are left out."""
    table: dict[str, str] = _read("countries")
    words = {"in", "is", "it", "at", "be", "by", "do", "my", "no", "so", "to", "me", "as", "am"}
    codes = {code.lower(): code for code in table.values() if code.lower() not in words}
    return codes | table | _THREE | _MORE_COUNTRIES


_THREE: Final = dict(
    pair.split(":")
    for pair in [
        "gbr:GB",
        "deu:DE",
        "fra:FR",
        "esp:ES",
        "ita:IT",
        "jpn:JP",
        "chn:CN",
        "ind:IN",
        "bra:BR",
        "can:CA",
        "aus:AU",
        "mex:MX",
        "rus:RU",
        "kor:KR",
        "nld:NL",
        "che:CH",
        "swe:SE",
        "nor:NO",
        "dnk:DK",
        "fin:FI",
        "pol:PL",
        "aut:AT",
        "bel:BE",
        "prt:PT",
        "grc:GR",
        "tur:TR",
        "irl:IE",
        "zaf:ZA",
        "egy:EG",
        "arg:AR",
        "chl:CL",
        "tha:TH",
        "vnm:VN",
        "idn:ID",
        "phl:PH",
        "mys:MY",
        "sgp:SG",
        "nzl:NZ",
        "isr:IL",
        "sau:SA",
        "are:AE",
        "ukr:UA",
        "cze:CZ",
        "hun:HU",
        "rou:RO",
    ]
)
"""ISO 3166 codes of three letters."""


@cache
def currencies() -> dict[str, tuple[str, ...]]:
    """Folded name, code or sign to the ISO 4217 codes that it may stand for, the likeliest first."""
    table: dict[str, str] = _read("currencies")
    found: dict[str, list[str]] = {}
    for code, name in table.items():
        if any(char.isdigit() for char in name):
            continue  # a currency that is no more
        for spelling in (code.lower(), name, name + "s"):
            found.setdefault(spelling, []).append(code)
    found |= {name: codes.split() for name, codes in _EVERYDAY.items()}
    return {name: tuple(codes) for name, codes in found.items()}


_EVERYDAY: Final = {
    "$": "USD CAD AUD NZD SGD HKD MXN", "us$": "USD", "usd$": "USD", "ca$": "CAD", "c$": "CAD", "a$": "AUD", "au$": "AUD",
    "nz$": "NZD", "s$": "SGD", "hk$": "HKD", "r$": "BRL", "€": "EUR", "£": "GBP", "¥": "JPY CNY", "₹": "INR", "₽": "RUB",
    "₩": "KRW", "dollar": "USD CAD AUD NZD SGD HKD", "dollars": "USD CAD AUD NZD SGD HKD", "us dollar": "USD",
    "us dollars": "USD", "american dollar": "USD", "american dollars": "USD", "bucks": "USD", "buck": "USD",
    "euro": "EUR", "euros": "EUR", "pound": "GBP", "pounds": "GBP", "quid": "GBP", "sterling": "GBP",
    "british pound": "GBP", "british pounds": "GBP", "pound sterling": "GBP", "pounds sterling": "GBP", "yen": "JPY",
    "japanese yen": "JPY", "yuan": "CNY", "renminbi": "CNY", "rmb": "CNY", "rupee": "INR", "rupees": "INR",
    "indian rupee": "INR", "rs": "INR", "franc": "CHF", "francs": "CHF", "swiss franc": "CHF", "swiss francs": "CHF",
    "canadian dollar": "CAD", "canadian dollars": "CAD", "australian dollar": "AUD", "australian dollars": "AUD",
    "peso": "MXN", "pesos": "MXN", "won": "KRW", "real": "BRL", "reais": "BRL", "rand": "ZAR", "zloty": "PLN",
    "baht": "THB", "dirham": "AED", "dirhams": "AED", "krona": "SEK", "kronor": "SEK",
}  # fmt: skip
"""Signs and everyday names of money."""


@cache
def languages() -> dict[str, str]:
    """Folded name or code to language code."""
    table: dict[str, str] = _read("languages")
    shorter = {code: code for code in table.values()}
    more = {
        "mandarin": "zh", "chinese": "zh", "eng": "en", "fra": "fr", "fre": "fr", "deu": "de", "ger": "de", "spa": "es",
        "ita": "it", "por": "pt", "rus": "ru", "jpn": "ja", "kor": "ko", "zho": "zh", "chi": "zh", "ara": "ar",
        "hin": "hi", "castilian": "es", "farsi": "fa", "espanol": "es", "deutsch": "de", "francais": "fr",
        "jp": "ja", "cn": "zh", "simplified chinese": "zh-hans", "zh cn": "zh-hans", "zh hans": "zh-hans",
        "traditional chinese": "zh-hant", "zh tw": "zh-hant", "zh hant": "zh-hant",
    }  # fmt: skip
    return shorter | table | more


@cache
def states() -> dict[str, str]:
    """Folded name or code of a state of the United States to its code."""
    table: dict[str, str] = _read("states")
    codes = {code.lower(): code for code in table.values()}
    return codes | table | {"calif": "CA", "cali": "CA", "mass": "MA", "tex": "TX", "fla": "FL", "wash": "WA",
                            "penn": "PA",
                            "district of columbia": "DC", "dc": "DC"}  # fmt: skip


@cache
def cities() -> dict[str, tuple[str, ...]]:
    """Folded name of a city to the places that bear it: ``FR:paris``, ``US-CA:los angeles``."""
    table: dict[str, list[str]] = _read("cities")
    found = {name: tuple(places) for name, places in table.items()}
    for name, city in _MORE_CITIES.items():
        if city in found:
            found[name] = found[city]
    return found


@cache
def synonyms() -> dict[str, str]:
    """Words of everyday arguments to the first word of their group, the plural as well: ``asc`` and ``ascending``."""
    groups: list[list[str]] = _read("synonyms")
    table = {word: group[0] for group in groups for word in group}
    plural = {
        f"{word}s": f"{first}s"
        for word, first in table.items()
        if len(word) > 2 and word.isalpha() and word[-1] != "s"
    }
    return plural | table


@cache
def antonyms() -> dict[str, frozenset[str]]:
    """Words to those that say the opposite."""
    found: dict[str, set[str]] = {}
    for one, other in _read("antonyms"):
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def aliases() -> dict[str, list[tuple[int, frozenset[str]]]]:
    """Folded names to the entries that bear them: a number, and the words of arguments that the entry is for."""
    found: dict[str, list[tuple[int, frozenset[str]]]] = {}
    entry = 0
    for part in _read("aliases"):
        arguments = frozenset(part["arguments"])
        for names in part["groups"]:
            entry += 1
            for name in names:
                found.setdefault(name, []).append((entry, arguments))
    return found
