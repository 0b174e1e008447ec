"""The screen of a case whose expected calls say more than plain JSON: as it was written, never as Python."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def call_(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


ROWS: list[dict[str, Any]] = [
    {
        "id": "slots",
        "tool_calls": [call_("f", x=1, u="km"), call_("s", q=1), call_("h")],
        "expected": [
            call_("f", x=2, u={"$one_of": ["km", "mi"]}) | {"alternatives": [call_("g", y={"$any": True})]},
            call_("log") | {"optional": True},
            call_("s", q=1) | {"count": {"min": 2, "max": 3}},
        ],
    },
    {
        "id": "paths",
        "tool_calls": [call_("f", x=1)],
        "expected_any_of": [[call_("g")], [call_("f", x={"$regex": "a"})]],
    },
    {"id": "any", "tool_calls": [call_("f", x=1)], "expected_any": [{"f": {"x": [3, 4], "u": ["m", ""]}}]},
]


@pytest.fixture
def explain(call: Callable[..., Any], tmp_path: Path) -> Callable[..., str]:
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    ended = call("run", "rows.jsonl", "--suite", "everything", "--no-gate", "--out", "out")
    assert ended.code == 0, ended.err

    def shown(*arguments: str) -> str:
        ended = call("explain", "out", *arguments)
        assert ended.code == 0, ended.err
        assert "object at 0x" not in ended.out
        assert "OneOf" not in ended.out
        text: str = ended.out
        return text

    return shown


def lines(shown: str) -> list[str]:
    return [" ".join(line.split()) for line in shown.splitlines()]


def test_optional_repeated_and_other_ways_are_said(explain: Callable[..., str]) -> None:
    shown = lines(explain("slots"))
    for line in (
        'differs 1 f (or g {"y":{"$any":true}}) 1 f',
        "≠ x: 2 x: 1",
        'u: {"$one_of":["km","mi"]} u: \'km\'',
        "not made 2 log {} (optional) –",
        'equal 3 s {"q":1} (2 to 3 times) 2 s',
        'missing 3 s {"q":1} (2 to 3 times) –',
        "extra – 3 h {}",
        "2. call 2 s: could serve expected 3 (worth 1); took expected 3, worth 1",
    ):
        assert line in shown, shown


def test_the_chosen_path_is_named(explain: Callable[..., str]) -> None:
    shown = lines(explain("paths"))
    assert "Calls, as tool_call_accuracy pairs them (greedy), expected path 2" in shown
    assert '≠ x: {"$regex":"a"} x: 1' in shown


def test_accepted_values_are_shown_as_they_were_written(explain: Callable[..., str]) -> None:
    shown = lines(explain("any"))
    assert "≠ x: [3,4] x: 1" in shown
    assert 'u: ["m",""] –' in shown


def test_json_gives_the_expected_side_back(explain: Callable[..., str]) -> None:
    assert json.loads(explain("slots", "--json"))["expected"] == ROWS[0]["expected"]
    assert json.loads(explain("paths", "--json"))["expected_any_of"] == ROWS[1]["expected_any_of"]
    (accepted,) = json.loads(explain("any", "--json"))["expected"]
    assert accepted == {"name": "f", "accepted": ROWS[2]["expected_any"][0]["f"]}


def test_one_tool_alone_is_shown_by_every_name_that_would_do(explain: Callable[..., str]) -> None:
    shown = lines(explain("slots", "--tool", "g"))
    assert any(line.startswith("differs 1 f") for line in shown)
    assert not any(line.startswith("equal 3 s") for line in shown)
