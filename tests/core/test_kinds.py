"""The kinds of contract 7 that tell how two unlike things are nearly one: texts, numbers, quantities, places, names."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall import Difference, Result, evaluate
from rightcall.core.arguments import Given, is_cut_off
from rightcall.core.diagnosis.kinds import KINDS
from rightcall.core.diagnosis.names import prefix_of
from rightcall.core.diagnosis.quantities import read_number, same_quantity
from tests.core.test_differences import call, differences, written_option

VALUES = [
    ("punctuation", "St. Mary's, Oslo", "St Marys Oslo"),
    ("punctuation", "new_york", "New-York"),
    ("punctuation", "U.S.A.", "usa"),
    ("punctuation", "+1 555-0100", "+15550100"),
    ("value", "5-7", "57"),
    ("value", "1.5", "15"),
    ("value", "-5", "5"),
    ("value", "12:30", "1230"),
    ("value", "a/b", "ab"),
    ("value", "!", "?"),
    ("number_format", "1,000", "1000"),
    ("number_format", 1000, "1,000"),
    ("number_format", "1.000,50", 1000.5),
    ("number_format", "1 000 000", "1000000.0"),
    ("number_format", "2,5", "2.5"),
    ("number_format", "1e3", "1000"),
    ("number_format", "007", "7"),
    ("type_mismatch", 5, "5.0"),
    ("value", "10:30", "10.30 pm"),
    ("value", "1,000", "1"),
    ("value", "1000", "1001"),
    ("type_mismatch", 5, "5"),
    ("type_mismatch", True, "1"),
    ("unit", "5 km", "5000 m"),
    ("unit", "5 km", "5 kilometers"),
    ("unit", 5, "5 km"),
    ("unit", "$20", 20),
    ("unit", "20 USD", "$20.00"),
    ("unit", "50%", 0.5),
    ("unit", "50%", "50"),
    ("unit", "72F", "22.2 °C"),
    ("unit", "1h 30min", "90 minutes"),
    ("unit", "6 ft 2 in", "188 cm"),
    ("unit", "celsius", "C"),
    ("unit", "10 lbs", "10 pounds"),
    ("value", "5 km", "6 km"),
    ("value", "5 km", "5 kg"),
    ("value", "$20", "€20"),
    ("value", "celsius", "fahrenheit"),
    ("datetime_format", "2026-03-05T15:00:00Z", 1772722800),
    ("datetime_format", "15:30", "3:30 pm"),
    ("type_mismatch", "2026-03-05", 20260305),
    ("datetime_format", "2027-06-09", "2027-06-09T00:00:00Z"),
    ("value", "2027-06-09", "2027-06-09T12:00:00Z"),
    ("unicode_form", "João Guimarães", "Joao Guimaraes"),
    ("value", "João", "Joan"),
    ("truncated", "Book a table for two", "Book a table..."),
    ("truncated", "Find the cheapest flight to Oslo", "Find the cheapest fli"),
    ("value", "New York City", "New York"),
    ("value", "abcdef", "abc"),
    ("nesting", "Oslo", {"name": "Oslo"}),
    ("nesting", {"items": [1, 2]}, [1, 2]),
    ("type_mismatch", "Oslo", {"name": "Rome"}),
    ("number_precision", 3.14159, 3.14),
    ("number_precision", 19.9, 19.95),
    ("value", 3.14159, 3.15),
    ("value", 3.7, 4.0),
    ("value", 3, 4),
]


@pytest.mark.parametrize(("kind", "expected", "actual"), VALUES, ids=str)
def test_the_kind_of_a_value(kind: str, expected: Any, actual: Any) -> None:
    (found,) = differences({"a": expected}, {"a": actual})
    assert (found.kind, found.path) == (kind, "/a"), found.message
    if found.accept_with is not None:
        assert differences({"a": expected}, {"a": actual}, **written_option(found.accept_with)) == ()


PLACES = [
    ({"address": {"city": "Oslo"}, "n": 1}, {"address": {}, "city": "Oslo", "n": 1}, "/address/city"),
    ({"city": "Oslo", "n": 2}, {"input": {"city": "Oslo", "n": 2}}, "/city"),
    ({"query": {"city": "Oslo", "n": 2}}, {"city": "Oslo", "n": 2}, "/query"),
    ({"o": {"a": {"x": 1}}}, {"o": {"x": 1}}, "/o/a"),
]


@pytest.mark.parametrize(("expected", "actual", "path"), PLACES, ids=str)
def test_what_stands_at_another_place_is_one_difference(expected: Any, actual: Any, path: str) -> None:
    (found,) = differences(expected, actual)
    assert (found.kind, found.path) == ("nesting", path), found.message
    assert " stand" in found.message


def test_what_only_looks_moved_is_two_differences() -> None:
    kinds = {item.kind for item in differences({"o": {"city": "Oslo"}}, {"o": {}, "city": "Rome"})}
    assert kinds == {"missing_key", "extra_key"}
    kinds = {item.kind for item in differences({"a": {"x": 1, "y": 2}}, {"x": 1})}
    assert kinds == {"missing_key", "extra_key"}


CUT = [
    '{"city": "Os',
    '{"city": "Oslo", "n": [1, 2',
    "{",
    '{"a": {"b": "x\\',
    '{"a": "x\\"',
    '{"a": 1,',
]
BROKEN = ["}", '{"a": }', '{"a": 1]', '{"a": NaN}', '"{', "[1", "{'a': 1}", '{"a": 1}}']


@pytest.mark.parametrize("text", CUT)
def test_arguments_that_were_cut_off_are_told_from_broken_ones(text: str) -> None:
    (found,) = differences({"city": "Oslo"}, text)
    assert (found.kind, found.accept_with) == ("truncated", None)
    assert "cut off" in found.message


@pytest.mark.parametrize("text", BROKEN)
def test_broken_arguments_are_not_called_cut_off(text: str) -> None:
    (found,) = differences({"city": "Oslo"}, text)
    assert found.kind == "unreadable_arguments"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=8,
    ),
    st.data(),
)
def test_every_beginning_of_an_object_is_cut_off(value: Any, data: Any) -> None:
    text = json.dumps({"a": value}, ensure_ascii=data.draw(st.booleans()))
    place = data.draw(st.integers(1, len(text) - 1))
    assert is_cut_off(Given(text[:place]))
    assert not is_cut_off(Given(text))


def named(expected: str, actual: str, tools: list[str] | None = None) -> Difference:
    offered = None if tools is None else [{"name": name, "parameters": {}} for name in tools]
    result: Result = evaluate(
        "tool_call_accuracy", output=[call(actual, a=1)], expected=[call(expected, a=1)], tools=offered
    )
    (found,) = result.details.differences
    return found


NAMES = [
    ("name_case", "get_weather", "getWeather"),
    ("name_case", "math.hcf", "math_hcf"),
    ("name_case", "Search", "search"),
    ("name_prefix", "book_flight", "mcp__travel__book_flight"),
    ("name_prefix", "functions.book_flight", "book_flight"),
    ("name_prefix", "get_weather", "functions.getWeather"),
    ("wrong_tool", "search", "web_search"),
    ("wrong_tool", "book_flight", "cancel_flight"),
]


@pytest.mark.parametrize(("kind", "expected", "actual"), NAMES)
def test_one_name_in_another_spelling(kind: str, expected: str, actual: str) -> None:
    found = named(expected, actual)
    assert (found.kind, found.tool, found.expected, found.actual) == (kind, expected, expected, actual)
    assert (found.accept_with is None) == (kind == "wrong_tool")
    if found.accept_with is not None:
        option, _, value = found.accept_with.partition("=")
        result = evaluate(
            "tool_call_accuracy",
            output=[call(actual, a=1)],
            expected=[call(expected, a=1)],
            **{option: json.loads(value)},
        )
        assert result.score == 1.0


def test_two_tools_that_are_both_offered_are_two_tools() -> None:
    assert named("search", "Search", ["search", "Search"]).kind == "wrong_tool"
    assert named("book", "air.book", ["book", "air.book"]).kind == "wrong_tool"
    assert named("search", "Search", ["search"]).kind == "name_case"


def test_a_tool_that_does_not_exist() -> None:
    found = named("search", "look_around", ["search", "book"])
    assert (found.kind, found.tool, found.actual) == ("unknown_tool", "search", "look_around")
    result = evaluate(
        "tool_call_accuracy",
        output=[call("search"), call("serach_web")],
        expected=[call("search")],
        tools=[{"name": "search", "parameters": {}}, {"name": "search_web", "parameters": {}}],
    )
    (found,) = result.details.differences
    assert (found.kind, found.tool, found.expected_call) == ("unknown_tool", "serach_web", None)
    assert "search_web" in found.message


def test_the_same_name_wins_over_equal_arguments() -> None:
    result = evaluate(
        "tool_call_accuracy",
        output=[call("getWeather", city="Rome"), call("get_time", city="Oslo")],
        expected=[call("get_weather", city="Oslo"), call("get_news", city="Bonn")],
    )
    kinds = {(item.tool, item.kind, item.actual) for item in result.details.differences if item.expected}
    assert ("get_weather", "name_case", "getWeather") in kinds


@given(st.text(max_size=70) | st.from_regex(r"[-+ $€%0-9.,'_a-zA-Z°]{0,12}", fullmatch=True))
def test_any_text_may_be_asked(text: str) -> None:
    read_number(text)
    same_quantity(text, 5)
    same_quantity("5 km", text)
    prefix_of(text, "book")
    for item in differences({"a": "5 km"}, {"a": text}):
        assert item.kind


@given(st.integers(-(10**12), 10**12))
def test_a_whole_number_is_read_in_every_grouping(number: int) -> None:
    for text in (str(number), f"{number:,}", f"{number:_}", f"{number:,}".replace(",", " "), f"{number}.0"):
        assert read_number(text) == number


@pytest.mark.parametrize("name", KINDS)
def test_the_example_of_a_kind_shows_it_and_nothing_else(name: str) -> None:
    kind = KINDS[name]
    sides = [call_of(side) for side in (kind.actual, kind.expected)]
    result: Result = evaluate(kind.evaluator, output=sides[0], expected=sides[1], tools=kind.tools or None)
    assert [item.kind for item in result.details.differences] == [name]


def call_of(side: Any) -> Any:
    return [call("f", **side)] if isinstance(side, dict) else side


ROOT = Path(__file__).resolve().parents[2]


def test_no_kind_is_declared_that_nobody_names() -> None:
    sources = [
        *(ROOT / "src/rightcall/core").rglob("*.py"),
        *(ROOT / "src/rightcall/evaluators").glob("*.py"),
    ]
    text = "".join(file.read_text() for file in sources if file.name != "kinds.py")
    unused = [name for name in KINDS if f'"{name}"' not in text]
    assert not unused


@pytest.mark.slow
@pytest.mark.parametrize("part", ["x", " ", ".", "_", "a.", "9", "é", "9,", "a b ", '"', "\\"])
def test_very_long_names_and_values_are_told_at_once(part: str) -> None:
    long = part * 300_000
    start = time.process_time()
    for expected, actual in ((long + "y", long), (long, "y"), ("y", long), (long + "z", long + "y")):
        differences({"a": expected}, {"a": actual})
        differences({expected: 1, "b": 2}, {actual: 1, "b": 3})
        evaluate("tool_call_accuracy", output=[call(actual or "f")], expected=[call(expected)])
        differences({"a": 1}, f'{{"a": "{actual}')
    assert time.process_time() - start < 10
