"""Kinds of pairs that a fresh user's own pairs showed to be wanting, made for both halves, which share no value.

Units whose capitals matter, words that only begin alike, Roman numerals, swapped roles, signs, moved separators,
capitals of ids, letters that look alike; and formats that were refused. Lists whose order says something came later.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

Pair = tuple[str, str]

FIT: dict[str, Any] = {
    "password": [("log_in", "password", "Password."), ("unlock_vault", "passphrase", "Phrase.")],
    "branch": [("merge_code", "branch", "Branch that is merged.")],
    "colour": [("paint_wall", "color", "Colour.")],
    "timezone": [("set_clock", "timezone", "Time zone.")],
    "month": [("open_calendar", "month", "Month.")],
    "height": [("log_height", "height", "Body height.")],
    "power": [("size_motor", "power", "Power.")],
    "dose": [("give_drug", "dose", "Dose.")],
    "data": [("plan_disk", "storage", "Room.")],
    "drug": [("check_drug", "drug", "Drug.")],
    "clock": [("close_gate", "closing_time", "Time of day.")],
    "symbols": [("dose", "mg", "µg"), ("dose", "mg", "Mg"), ("power", "mW", "MW"), ("data", "MB", "Mb")],
    "stems": [
        *[
            ("plan", "planet"),
            ("mass", "massage"),
            ("import", "important"),
            ("organ", "organic"),
            ("stat", "status"),
        ],
        *[
            ("car", "carpet"),
            ("general", "generate"),
            ("wander", "wonder"),
            ("desert", "dessert"),
            ("rat", "rating"),
        ],
    ],
    "forms": [
        ("cook", "cooking"),
        ("invite", "inviting"),
        ("plan", "planned"),
        ("box", "boxes"),
        ("party", "parties"),
    ],
    "names": [
        ("John", "Johnson"),
        ("Robert", "Roberta"),
        ("Adam", "Adams"),
        ("Rich", "Richards"),
        ("Jon", "Joni"),
    ],
    "drugs": [("Prednisone", "Prednisolone"), ("Celebrex", "Celexa"), ("Losartan", "Lorsatan")],
    "romans": [
        ("Henry", "VII", "VIII"),
        ("Elizabeth", "I", "II"),
        ("Chapter", "V", "VI"),
        ("Type", "I", "II"),
    ],
    "people": ["Alice", "Bob", "Carla"],
    "deeds": ["{} owes {}", "{} beat {}", "tell {} about {}", "{} is the boss of {}", "{} paid {} and left"],
    "lists": [("cats and dogs", "dogs and cats"), ("rice, beans, corn", "corn, rice, beans")],
    "words": ["admin", "pay bob", "open account"],
    "secrets": ["Secret", "Hunter", "trustNo", "Maple"],
    "branches": ["feature", "main", "Release"],
    "sequence": [
        ("plan_tour", "stops", "Where the bus halts."),
        ("run_recipe", "steps", "What is done."),
        ("vote", "choices", "Candidates, in order of preference."),
        ("book_flight", "route", "Airports from start to end."),
    ],
    "sequences": [
        ["Oslo", "Bergen", "Narvik"],
        ["wash", "peel", "cook"],
        ["Ada", "Ben"],
        ["LHR", "DXB", "SIN"],
    ],
    "hexes": ["F00", "1A2", "bcd"],
    "zones": [("UTC", "GMT"), ("UTC+2", "GMT+2"), ("+03:00", "UTC+3")],
    "months": [("11", "November"), ("3", "March"), ("8", "Aug")],
    "short": [
        ("it's late", "it is late"),
        ("don't wait", "do not wait"),
        ("first", "1st"),
        ("third row", "3rd row"),
    ],
}
TEST: dict[str, Any] = {
    "password": [("change_login", "new_password", "Password."), ("open_archive", "secret", "Secret word.")],
    "branch": [("build_code", "git_branch", "Branch that is built.")],
    "colour": [("style_button", "background", "Colour.")],
    "timezone": [("convert_hours", "tz", "Time zone.")],
    "month": [("report_sales", "month", "Month.")],
    "height": [("fit_bike", "rider_height", "Body height.")],
    "power": [("plan_grid", "load", "Load.")],
    "dose": [("mix_infusion", "amount_of_drug", "Dose.")],
    "data": [("limit_link", "capacity", "Capacity.")],
    "drug": [("find_generic", "medication", "Drug.")],
    "clock": [("start_shift", "shift_time", "Time of day.")],
    "symbols": [("dose", "g", "Gg"), ("dose", "ng", "mg"), ("power", "mV", "MV"), ("data", "GB", "Gb")],
    "stems": [
        *[
            ("port", "portrait"),
            ("pass", "passage"),
            ("count", "country"),
            ("star", "starch"),
            ("comm", "comment"),
        ],
        *[
            ("cap", "captain"),
            ("universe", "university"),
            ("breed", "bread"),
            ("angel", "angle"),
            ("hop", "hoping"),
        ],
    ],
    "forms": [
        ("paint", "painting"),
        ("bake", "baked"),
        ("stop sign", "stop signs"),
        ("dish", "dishes"),
        ("berry", "berries"),
    ],
    "names": [
        ("Will", "Williams"),
        ("Paul", "Paula"),
        ("Peter", "Peters"),
        ("Eric", "Erickson"),
        ("Dan", "Dana"),
    ],
    "drugs": [("Hydroxyzine", "Hydralazine"), ("Metformin", "Metoprolol"), ("Zantac", "Xanax")],
    "romans": [
        ("Louis", "XIV", "XVI"),
        ("Richard", "II", "III"),
        ("Volume", "IX", "XI"),
        ("Phase", "I", "III"),
    ],
    "people": ["Germany", "Brazil", "Peru"],
    "deeds": [
        "{} lends {} money",
        "{} invaded {}",
        "email {} about {}",
        "{} follows {}",
        "{} outran {} again",
    ],
    "lists": [("pens and paper", "paper and pens"), ("north, south, east", "east, north, south")],
    "words": ["root", "send money", "close ticket"],
    "secrets": ["Letmein", "Dragon", "openSesame", "Winter"],
    "branches": ["hotfix", "develop", "Staging"],
    "sequence": [
        ("schedule_train", "waypoints", "Stations."),
        ("start_playbook", "actions", "What the machine does."),
        ("rank_films", "films", "Titles, sorted from best to worst."),
        ("exec_program", "argv", "Words of the command line."),
    ],
    "sequences": [
        ["Lyon", "Turin", "Genoa"],
        ["unlock", "lift", "turn"],
        ["Alien", "Heat"],
        ["copy", "old", "new"],
    ],
    "hexes": ["0F8", "9e7", "ABD"],
    "zones": [("GMT", "Etc/UTC"), ("UTC-5", "GMT-05:00"), ("UTC+05:30", "+05:30")],
    "months": [("12", "December"), ("7", "July"), ("9", "Sept")],
    "short": [
        ("we're open", "we are open"),
        ("can't find it", "cannot find it"),
        ("second", "2nd"),
        ("tenth floor", "10th floor"),
    ],
}
LOOK_ALIKE = {"a": "а", "o": "о", "e": "е", "p": "р", "c": "с"}
Row = tuple[str, str, Any, Any, bool, dict[str, Any]]


def _texts(pool: dict[str, Any]) -> Iterator[Row]:
    for a, b in pool["stems"]:
        yield "text", "stem", a, b, False, {}
        yield "text", "stem", f"my {b} here", f"my {a} here", False, {}
    for a, b in pool["forms"]:
        yield "text", "wording", a, b, True, {}
    for a, b in pool["names"]:
        yield "person", "stem", a, b, False, {}
        yield "text", "stem", f"{a} Novak", f"{b} Novak", False, {}
    for a, b in pool["drugs"]:
        yield "drug", "stem", a, b, False, {}
    for word, a, b in pool["romans"]:
        yield "text", "roman", f"{word} {a}", f"{word} {b}", False, {}
    for a, b in pool["lists"]:
        yield "text", "wording", a, b, True, {}
    for deed in pool["deeds"]:
        for a, b in zip(pool["people"], pool["people"][1:], strict=False):
            yield "text", "roles", deed.format(a, b), deed.format(b, a), False, {}
    for words in pool["words"]:
        letter = next(each for each in words if each in LOOK_ALIKE)
        yield "text", "look_alike", words, words.replace(letter, LOOK_ALIKE[letter], 1), False, {}
        yield "text", "look_alike", words, f"{words[:2]}\u200b{words[2:]}", False, {}
    for a, b in pool["short"]:
        yield "text", "format_words", a, b, True, {}


def _ids(rng: random.Random, pool: dict[str, Any]) -> Iterator[Row]:
    for secret in pool["secrets"]:
        yield "password", "capitals", secret, secret.swapcase(), False, {}
        yield "password", "capitals", f"{secret}!", secret, False, {}
    for branch in pool["branches"]:
        yield "branch", "capitals", branch, branch.swapcase(), False, {}
    for _ in range(4):
        one, other = rng.randint(11, 99), rng.randint(11, 99)
        joined = f"{one}{other}"
        yield "id", "id", f"{joined[0]}-{joined[1:]}", f"{joined[:2]}-{joined[2:]}", False, {}
        yield "id", "capitals", f"aB{joined}", f"Ab{joined}", False, {}
        code = rng.choice(["41", "44", "49"])
        line = f"{rng.randint(20, 29)} {rng.randint(200, 999)} {rng.randint(10, 99)} {rng.randint(10, 99)}"
        yield "phone", "format_phone", f"00{code} {line}", f"+{code} {line}", True, {}


def _numbers(rng: random.Random, pool: dict[str, Any]) -> Iterator[Row]:
    for _ in range(3):
        number = rng.randint(3, 950)
        yield "number_text", "sign", f"({number})", str(number), False, {}
        yield "number_text", "sign", f"{number}-", str(number), False, {}
        yield "number_text", "format_number", f"({number})", f"-{number}", True, {}
        yield "number_text", "digit", f"{number}k", str(number), False, {}
        yield "number_text", "format_number", f"{number}k", f"{number * 1000}", True, {}
        yield "number_text", "digit", 9007199254740992 + number, 9007199254740991 + number, False, {}
        yield "number_text", "digit", f"10{'⁴⁵⁶⁷⁸'[number % 5]}", f"10{number % 5 + 4}", False, {}
        low = rng.randint(1, 8)
        yield "number_text", "digit", f"{low}-{low + 4}", f"{low},{low + 4}", False, {}
        yield "money", "sign", f"(${number})", f"${number}", False, {}
        for argument, unit, foreign in pool["symbols"]:
            yield argument, "unit", f"{number} {unit}", f"{number} {foreign}", False, {}
        yield "dose", "format_unit", f"{number} mcg", f"{number} µg", True, {}
        yield "dose", "format_unit", f"{number} µg", f"{number} μg", True, {}
        hours, minutes = rng.randint(1, 4), rng.choice([15, 20, 45])
        yield "duration", "format_unit", f"{hours}h{minutes}", f"{hours * 60 + minutes} min", True, {}
        yield "duration", "unit", f"{hours}h{minutes}", f"{hours * 60 + minutes + 1} min", False, {}
        yield "duration", "format_unit", f"{hours}:{minutes}:00", f"{hours * 60 + minutes} min", True, {}
        yield "height", "format_unit", f"{hours + 3}'{low}\"", f"{hours + 3} ft {low} in", True, {}
        yield "height", "unit", f"{hours + 3}'{low}\"", f"{hours + 3} ft {low + 1} in", False, {}
        yield "clock", "format_time", f"{hours + 13}{minutes}", f"{hours + 13}:{minutes}", True, {}


def more(half: str, pool: dict[str, Any]) -> Iterator[Row]:
    """The rows of these kinds for one half; `pool` holds the kinds' own words and arguments."""
    rng = random.Random(f"rightcall kinds {half}")
    yield from _texts(pool)
    yield from _ids(rng, pool)
    yield from _numbers(rng, pool)
    for digits in pool["hexes"]:
        full = "".join(digit * 2 for digit in digits)
        yield "colour", "format_colour", f"#{digits}", f"#{full.swapcase()}", True, {}
        yield "colour", "digit", f"#{digits}", f"#{full[:-1]}{'4' if full[-1] != '4' else '5'}", False, {}
    for a, b in pool["zones"]:
        yield "timezone", "format_time", a, b, True, {}
    for a, b in pool["months"]:
        yield "month", "format_date", a, b, True, {}
    item = {"a": rng.randint(1, 9), "b": rng.choice(pool["words"])}
    yield "text", "format_json", item, str(item).replace("'", '"'), True, {}
    for items in pool["sequences"]:
        yield "sequence", "list_order", items, [*items[1:], items[0]], False, {"type": "array"}
        yield "sequence", "list_order", items, [*items[:-2], items[-1], items[-2]], False, {"type": "array"}
