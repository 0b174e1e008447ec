"""Names of one thing: aliases, makers, who made a work, last names, acronyms, sites, versions; and where they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rightcall.judges.local.spelling import fold
from rightcall.judges.local.values import judge_values
from rightcall.judges.local.verdict import Verdict, about

NATURAL = Path(__file__).parents[1] / "data" / "natural.jsonl"
TABLE = Path(__file__).parents[3] / "src" / "rightcall" / "judges" / "local" / "tables" / "aliases.json"


def judged(argument: str, a: Any, b: Any, description: str = "", tool: str = "") -> Verdict:
    return judge_values(a, b, about(argument, {"type": "string", "description": description}, tool))


def test_natural_pairs_stay_on_their_side() -> None:
    rows = [json.loads(line) for line in NATURAL.read_text().splitlines()]
    assert len(rows) > 300
    wrong = [
        row
        for row in rows
        if (
            judged(
                row["argument"], row["a"], row["b"], row.get("description", ""), row.get("tool", "")
            ).probability
            >= 0.5
        )
        != row["equivalent"]
    ]
    assert not wrong


def test_aliases_are_written_as_they_are_compared() -> None:
    names = [name for part in json.loads(TABLE.read_text()) for group in part["groups"] for name in group]
    assert [name for name in names if fold(name) != name] == []


def test_an_alias_holds_only_for_its_arguments() -> None:
    assert judged("gender", "M", "male").by == "alias"
    assert judged("letter", "M", "male").by != "alias"
    assert judged("size", "M", "medium").probability > 0.9
    assert judged("size", "M", "large").probability < 0.05


def test_an_argument_that_wants_a_code_takes_no_name() -> None:
    assert judged("company", "AAPL", "Apple").probability > 0.9
    assert judged("ticker", "AAPL", "Apple").probability < 0.5


def test_a_second_name_in_brackets_says_nothing() -> None:
    assert judged("substance", "water (H2O)", "Water").probability > 0.9
    assert judged("agency", "National Aeronautics and Space Administration (NASA)", "NASA").probability > 0.9
    assert judged("substance", "water (H2SO4)", "water").probability < 0.5


@pytest.mark.parametrize(
    ("argument", "a", "b", "by"),
    [
        ("composer", "Johann Sebastian Bach", "Bach", "person"),
        ("person", "Bob Smith", "Robert Smith", "person"),
        ("browser", "Google Chrome", "Chrome", "product"),
        ("movie", "Titanic (1997)", "Titanic", "title"),
        ("song", "Thriller by Michael Jackson", "Thriller", "title"),
        ("website", "IMDb", "https://www.imdb.com/", "url"),
        ("version", "v1.2", "version 1.2", "version"),
        ("agency", "DoD", "Department of Defense", "acronym"),
        ("team", "AVFC", "Aston Villa", "acronym"),
    ],
)
def test_who_decides(argument: str, a: str, b: str, by: str) -> None:
    found = judged(argument, a, b)
    assert (found.by, found.probability > 0.5) == (by, True)
    assert judged(argument, b, a) == found


@pytest.mark.parametrize(
    ("argument", "a", "b"),
    [
        ("person", "John Paul", "Paul"),
        ("person", "Martin Luther", "Martin Luther King"),
        ("entity", "Huffington Post", "Post"),
        ("person", "Bob Smith", "Bill Smith"),
        ("product", "Samsung TV", "LG TV"),
        ("movie", "Titanic (1997)", "Titanic (1953)"),
        ("song", "Yesterday by Adele", "Yesterday by Sting"),
        ("url", "imdb", "https://www.imdb.com/"),
        ("website", "imdb", "https://imdb.evil.com/"),
        ("version", "1.2", "1.2rc1"),
        ("agency", "DoD", "Department of Energy"),
        ("organization", "Acme Inc.", "Acorn Inc."),
    ],
)
def test_where_names_end(argument: str, a: str, b: str) -> None:
    assert judged(argument, a, b).probability < 0.5
