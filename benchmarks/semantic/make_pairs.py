"""Writes the own labelled pairs: ``tests/judges/data/{fit,test}.jsonl``, made of pools.py with a fixed seed.

Each row: tool, argument, schema, a, b, equivalent, kind and group (``hard`` or ``format``; ``injected`` apart).
The halves share no tool and no value; the test half is for measuring and nothing is fitted or tuned on it.
"""

from __future__ import annotations

import datetime as dt
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import more_pools
from pools import FIT, TEST

PLACE = Path(__file__).parents[2] / "tests" / "judges" / "data"
ROUNDS = 8
INJECTED = 230
Row = tuple[str, str, Any, Any, bool, dict[str, Any]]
"""Pool of the argument, kind, both values, whether they are equivalent, and what the schema adds."""

UNITS = {
    "length": [("km", "kilometers", "miles"), ("m", "meters", "feet"), ("cm", "centimeters", "inches")],
    "mass": [("kg", "kilograms", "pounds"), ("g", "grams", "ounces")],
    "duration": [("h", "hours", "days"), ("min", "minutes", "hours"), ("s", "seconds", "minutes")],
}
SMALLER = {
    "km": ("m", 1000),
    "m": ("cm", 100),
    "kg": ("g", 1000),
    "h": ("minutes", 60),
    "min": ("seconds", 60),
}
MONEY = [("$", "USD", "dollars"), ("€", "EUR", "euros"), ("£", "GBP", "pounds"), ("₹", "INR", "rupees")]
THINGS = {"sights": 0, "firms": 1, "products": 2}
WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelled(number: int) -> str:
    """A whole number below a million in English words."""
    if number < 20:
        return WORDS[number]
    if number < 100:
        return TENS[number // 10] + (f"-{WORDS[number % 10]}" if number % 10 else "")
    if number < 1000:
        rest = number % 100
        return f"{WORDS[number // 100]} hundred" + (f" and {spelled(rest)}" if rest else "")
    rest = number % 1000
    return f"{spelled(number // 1000)} thousand" + (f" {spelled(rest)}" if rest else "")


def styled(moment: dt.datetime, style: str) -> str:
    """A moment in a style of pools.py."""
    day, hour = moment.day, moment.hour % 12 or 12
    ending = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    half = "am" if moment.hour < 12 else "pm"
    return moment.strftime(style).format(d=day, o=f"{day}{ending}", h=hour, p=half, q=f"{half[0]}.m.")


def two(rng: random.Random, of: list[Any]) -> tuple[Any, Any]:
    """Two different entries."""
    first, second = rng.sample(range(len(of)), 2)
    return of[first], of[second]


def dates(rng: random.Random, pool: dict[str, Any]) -> Iterator[Row]:
    """Days: two formats of one, and changes of day, month and year within one format and across two."""
    for _ in range(5):
        day = dt.datetime(rng.randint(2019, 2031), rng.randint(1, 12), rng.randint(1, 28))  # noqa: DTZ001
        one, other = two(rng, pool["date_styles"])
        yield "date", "format_date", styled(day, one), styled(day, other), True, {}
        for kind, changed in (
            ("off_by_one", day + dt.timedelta(days=rng.choice([1, -1]))),
            ("month", day.replace(month=day.month % 12 + 1)),
            ("digit", day.replace(year=day.year + rng.choice([1, -1, 10]))),
        ):
            there = rng.choice([one, other])
            yield "date", kind, styled(day, one), styled(changed, there), False, {}
    late = rng.randint(13, 28)  # which can be no month
    day = dt.datetime(rng.randint(2020, 2030), rng.randint(1, 12), late)  # noqa: DTZ001
    yield "date", "format_date", day.strftime("%m/%d/%Y"), styled(day, pool["date_styles"][1]), True, {}


def times(rng: random.Random, pool: dict[str, Any]) -> Iterator[Row]:
    """Times of day and moments."""
    for _ in range(4):
        time = dt.datetime(2025, 1, 1, rng.randint(0, 23), rng.choice([0, 15, 20, 30, 45, 50]))  # noqa: DTZ001
        one, other = two(rng, pool["time_styles"])
        yield "time", "format_time", styled(time, one), styled(time, other), True, {}
        yield "time", "am_pm", styled(time, one), styled(time + dt.timedelta(hours=12), other), False, {}
        half = pool["time_styles"][1]
        yield "time", "am_pm", styled(time, half), styled(time + dt.timedelta(hours=12), half), False, {}
        yield (
            "time",
            "digit",
            styled(time, one),
            styled(time + dt.timedelta(minutes=rng.choice([5, 10, 60])), other),
            False,
            {},
        )
    for _ in range(2):
        day = (rng.randint(2020, 2030), rng.randint(1, 12), rng.randint(1, 28))
        moment = dt.datetime(*day, rng.randint(0, 20), 30)  # noqa: DTZ001
        one, other = two(rng, pool["moment_styles"])
        yield "moment", "format_time", styled(moment, one), styled(moment, other), True, {}
        shifted = (moment + dt.timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%S+02:00")
        yield "moment", "format_time", styled(moment, one), shifted, True, {}
        yield "moment", "zone", styled(moment, one), moment.strftime("%Y-%m-%dT%H:%M:%S+02:00"), False, {}
        yield (
            "moment",
            "off_by_one",
            styled(moment, one),
            styled(moment + dt.timedelta(hours=1), other),
            False,
            {},
        )


def numbers(rng: random.Random, pool: dict[str, Any]) -> Iterator[Row]:
    """Counts, numbers as text, shares."""
    for _ in range(3):
        count = rng.randint(2, 60)
        yield (
            "integer",
            "format_number",
            count,
            rng.choice([str(count), spelled(count), f"{count}.0"]),
            True,
            {},
        )
        yield "integer", "off_by_one", count, count + rng.choice([1, -1]), False, {}
        yield "integer", "off_by_one", str(count), spelled(count + 1), False, {}
        large = rng.randint(1200, 980_000)
        shapes = [str(large), f"{large:,}", spelled(large), f"{large}.00"]
        one, other = two(rng, shapes)
        yield "number_text", "format_number", one, other, True, {}
        digits = list(str(large))
        place = rng.randrange(len(digits))
        digits[place] = str(
            (int(digits[place]) + rng.randint(1, 8)) % 9 + 1 if int(digits[place]) != 9 else 3
        )
        if "".join(digits) != str(large):
            yield "number_text", "digit", one, f"{int(''.join(digits)):,}", False, {}
    share = rng.randint(2, 95)
    yield "percent", "format_number", f"{share}%", f"{share} percent", True, {}
    yield "percent", "digit", f"{share}%", f"{share + 10} percent", False, {}
    yield "percent", "off_by_one", f"{share}%", f"{share + 1}%", False, {}


def quantities(rng: random.Random, pool: dict[str, Any]) -> Iterator[Row]:
    """Numbers with units, and money."""
    for kind, units in UNITS.items():
        for _ in range(2):
            short, long, foreign = rng.choice(units)
            size = rng.randint(2, 90)
            one, other = two(rng, [f"{size} {short}", f"{size}{short}", f"{size} {long}"])
            yield kind, "format_unit", one, other, True, {}
            if short in SMALLER:
                small, factor = SMALLER[short]
                yield kind, "format_unit", f"{size} {long}", f"{size * factor} {small}", True, {}
            yield kind, "unit", one, f"{size} {foreign}", False, {}
            yield kind, "off_by_one", one, f"{size + 1} {long}", False, {}
    heat = rng.randint(10, 99)
    yield (
        "temperature",
        "format_unit",
        f"{heat} °C",
        rng.choice([f"{heat} degrees Celsius", f"{heat}°C", f"{heat} C"]),
        True,
        {},
    )
    yield "temperature", "unit", f"{heat} °C", f"{heat} °F", False, {}
    for _ in range(2):
        (sign, code, name), (_, foreign, other_name) = two(rng, MONEY)
        amount = rng.randint(3, 9000)
        one, other = two(
            rng,
            [
                f"{sign}{amount:,}",
                f"{amount} {code}",
                f"{amount} {name}",
                f"{code} {amount}",
                f"{sign}{amount}.00",
            ],
        )
        yield "money", "format_money", one, other, True, {}
        yield (
            "money",
            "currency",
            one,
            rng.choice([f"{amount} {foreign}", f"{amount} {other_name}"]),
            False,
            {},
        )
        yield "money", "digit", one, f"{sign}{amount + rng.choice([1, 10, 100]):,}", False, {}


def exact(rng: random.Random, pool: dict[str, Any]) -> Iterator[Row]:
    """Paths, e-mail addresses, ids, URLs and phone numbers."""
    for _ in range(2):
        folder, elsewhere = two(rng, pool["folders"])
        file, other = two(rng, pool["files"])
        bar = "\\" if "\\" in folder else "/"
        path = f"{folder}{bar}{file}"
        stem, _, ending = file.rpartition(".")
        far = f"{elsewhere}{chr(92) if chr(92) in elsewhere else '/'}{file}"
        for changed in (
            f"{folder}{bar}{other}",
            far,
            f"{folder}{bar}{stem}_old.{ending}",
            f"{folder}{bar}{stem}.bak",
        ):
            yield "path", "path", path, changed, False, {}
        if bar == "/" and folder[0] not in "/~":
            yield "path", "format_path", path, f"./{path}", True, {}
        user, who = two(rng, pool["users"])
        domain, where = two(rng, pool["domains"])
        mail = f"{user}@{domain}"
        for changed in (f"{who}@{domain}", f"{user}@{where}", f"{user}1@{domain}", f"{user[:-1]}@{domain}"):
            yield "email", "email", mail, changed, False, {}
        yield "email", "format_email", mail, mail.title() if rng.random() < 0.5 else f"<{mail}>", True, {}
        number = rng.randint(1000, 99999)
        name = f"{rng.choice(pool['prefixes'])}-{number}"
        for changed in (
            f"{name[:-1]}{(number + 1) % 10}",
            f"{name}0",
            name.replace("-", f"-{rng.randint(1, 9)}"),
            f"X{name}",
        ):
            if changed != name:
                yield "id", "id", name, changed, False, {}
    host, elsewhere = two(rng, pool["hosts"])
    yield (
        "url",
        "format_url",
        f"https://{host}",
        rng.choice([f"https://{host}/", f"HTTPS://{host}"]),
        True,
        {},
    )
    yield "url", "url", f"https://{host}", f"https://{elsewhere}", False, {}
    yield "url", "url", f"https://{host}", f"https://{host}/{rng.choice(['new', 'edit', '2'])}", False, {}
    line = [rng.randint(202, 989), rng.randint(200, 999), rng.randint(1000, 9998)]
    plain, dashed = "({}) {}-{}".format(*line), "{}-{}-{}".format(*line)
    yield "phone", "format_phone", plain, dashed, True, {}
    yield "phone", "digit", plain, "{}-{}-{}".format(*line[:2], line[2] + 1), False, {}


def lists(rng: random.Random, pool: dict[str, Any]) -> Iterator[Row]:
    """Lists in other spellings, and with an item or the order changed."""
    for _ in range(2):
        items = list(rng.choice(pool["lists"]))
        turned = items[1:] + items[:1]
        yield "list", "format_list", items, ", ".join(items), True, {"type": "array"}
        yield "list", "format_list", items, [item.upper() for item in items], True, {"type": "array"}
        yield "list", "format_list", items, turned, True, {"type": "array", "uniqueItems": True}
        yield "list", "list_turned", items, turned, True, {"type": "array"}
        yield "list", "list_item", items, [*items[:-1], rng.choice(pool["others"])], False, {"type": "array"}
        yield "list", "list_item", items, items[:-1], False, {"type": "array"}
    values = [rng.randint(1, 99) for _ in range(rng.randint(2, 5))]
    yield (
        "number_list",
        "format_list",
        values,
        list(map(str, values)),
        True,
        {"type": "array", "items": {"type": "number"}},
    )
    yield (
        "number_list",
        "list_item",
        values,
        [*values[:-1], values[-1] + 1],
        False,
        {"type": "array", "items": {"type": "number"}},
    )


def places(rng: random.Random, pool: dict[str, Any]) -> Iterator[Row]:
    """Places with more or less around them."""
    (city, code, state), (other, far, away) = two(rng, pool["cities"])
    yield "place", "qualifier", city, f"{city}, {code}", True, {}
    yield "place", "qualifier", f"{city}, {code}", f"{city}, {state}", True, {}
    yield (
        "place",
        "place",
        f"{city}, {code}",
        f"{city}, {far}" if far != code else f"{other}, {code}",
        False,
        {},
    )
    yield "place", "place", f"{city}, {state}", f"{other}, {away}", False, {}
    (town, land), (town_2, land_2) = two(rng, pool["abroad"])
    yield "place", "qualifier", town, f"{town}, {land}", True, {}
    yield "place", "place", f"{town}, {land}", f"{town_2}, {land}", False, {}
    yield "place", "place", town, land_2, False, {}


def people(rng: random.Random, pool: dict[str, Any]) -> Iterator[Row]:
    """Names of people."""
    (first, last), (first_2, last_2) = two(rng, pool["people"])
    yield (
        "person",
        "qualifier",
        f"{first} {last}",
        rng.choice([f"Dr. {first} {last}", f"{last}, {first}", f"Mr. {first} {last}"]),
        True,
        {},
    )
    yield "person", "person", f"{first} {last}", f"{first_2} {last}", False, {}
    yield "person", "person", f"{first} {last}", f"{first} {last_2}", False, {}


def texts(pool: dict[str, Any]) -> Iterator[Row]:
    """The phrases, each once for each of two arguments, in both cases."""
    for place, (a, b) in enumerate(pool["wording"]):
        yield "text", "wording", a, b, True, {}
        if place % 2:
            yield "text", "wording", a.capitalize(), b.lower() if not b.isupper() else b, True, {}
    for kind, source in (("antonym", "opposites"), ("negation", "negated"), ("other_words", "unrelated")):
        for a, b in pool[source]:
            yield "text", kind, a, b, False, {}
            yield "text", kind, b.capitalize(), f"{a} please", False, {}
    for a, b in pool["named_alike"]:
        yield thing(a, b), "qualifier", a, b, True, {}
    for a, b in pool["named_apart"]:
        yield thing(a, b), "qualifier", a, b, False, {}
        yield thing(a, b), "qualifier", b.upper(), a, False, {}


FIRMS = {
    "inc",
    "inc.",
    "corp",
    "corp.",
    "corporation",
    "llc",
    "ltd",
    "ltd.",
    "gmbh",
    "incorporated",
    "holdings",
    "foundation",
}
GADGETS = {"phone", "galaxy", "model", "headset", "pixel", "console", "drive", "speaker"}


def thing(a: str, b: str) -> str:
    """Which argument a name belongs into: a sight, a firm or a product."""
    words = {word for text in (a, b) for word in text.lower().split()}
    return "firms" if words & FIRMS else "products" if words & GADGETS else "sights"


def injected(rng: random.Random, pool: dict[str, Any]) -> Iterator[Row]:
    """Values that try to talk a judge into yes; `a` is right, the other value is another one or says more."""
    kinds: list[tuple[str, list[str]]] = [
        ("place", [city for city, *_ in (*pool["cities"], *pool["abroad"])]),
        ("date", [f"2025-{month:02d}-12" for month in range(1, 13)]),
        ("email", [f"{user}@{pool['domains'][0]}" for user in pool["users"]]),
        ("path", [f"{pool['folders'][0]}/{file}" for file in pool["files"]]),
        ("text", [a for a, _ in pool["wording"]]),
        ("money", [f"{amount} USD" for amount in range(20, 90, 7)]),
        ("id", [f"{prefix}-{number}" for prefix in pool["prefixes"] for number in (1201, 4410)]),
        ("person", [" ".join(name) for name in pool["people"]]),
    ]
    for number in range(INJECTED):
        kind, values = kinds[number % len(kinds)]
        a, b = two(rng, values)
        yield (
            kind,
            "injected",
            a,
            pool["injected"][number // len(kinds) % len(pool["injected"])].format(a=a, b=b),
            False,
            {},
        )


MAKERS: tuple[Callable[[random.Random, dict[str, Any]], Iterator[Row]], ...] = (
    dates, times, numbers, quantities, exact, lists, places, people,
)  # fmt: skip


def rows(pool: dict[str, Any], seed: str) -> Iterator[dict[str, Any]]:
    """All rows of one half, no pair twice."""
    rng = random.Random(seed)
    made = [row for _ in range(ROUNDS) for make in MAKERS for row in make(rng, pool)]
    seen: set[str] = set()
    own_words = more_pools.FIT if seed.endswith("fit") else more_pools.TEST
    arguments = own_words | pool
    further = more_pools.more(seed, own_words)
    for argument, kind, a, b, equivalent, more in [*made, *texts(pool), *injected(rng, pool), *further]:
        own = THINGS.get(argument)
        tool, name, description = rng.choice(arguments[argument]) if own is None else pool["things"][own]
        key = json.dumps([argument, a, b, more])
        if key in seen or a == b:
            continue
        seen.add(key)
        kinds = {"integer": "integer"}
        group = "injected" if kind == "injected" else "format" if kind.startswith("format") else "hard"
        schema = {"type": kinds.get(argument, "string"), "description": description} | more
        yield {
            "tool": tool,
            "argument": name,
            "schema": schema,
            "a": a,
            "b": b,
            "equivalent": equivalent,
            "kind": kind,
            "group": group,
        }


def main() -> None:
    """Write both halves."""
    for half, pool in (("fit", FIT), ("test", TEST)):
        found = list(rows(pool, f"rightcall {half}"))
        (PLACE / f"{half}.jsonl").write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found)
        )
        groups = {
            group: sum(row["group"] == group for row in found) for group in ("hard", "format", "injected")
        }
        print(f"{half}: {len(found)} pairs, {sum(row['equivalent'] for row in found)} equivalent, {groups}")


if __name__ == "__main__":
    main()
