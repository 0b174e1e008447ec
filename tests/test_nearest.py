"""Which name was meant: none is better than a wrong one."""

from __future__ import annotations

import pytest

from rightcall.core.matcher import MATCHERS
from rightcall.errors import nearest
from rightcall.run.sets import EVALUATORS


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("regexp", "regex"),
        ("oneOf", "one_of"),
        ("one-of", "one_of"),
        ("litteral", "literal"),
        ("date", "datetime"),
    ],
)
def test_a_matcher_is_found(word: str, meant: str):
    assert nearest(word, MATCHERS.ids()) == meant


@pytest.mark.parametrize("word", ["filter", "ref", "where", "expand", "select", "search"])
def test_what_is_like_no_matcher_is_taken_for_none(word: str):
    assert nearest(word, MATCHERS.ids()) is None


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("toolcall_acuracy", "tool_call_accuracy"),
        ("tool_f1", "tool_call_f1"),
        ("redundant", "redundant_calls"),
    ],
)
def test_an_evaluator_is_found(word: str, meant: str):
    assert nearest(word, EVALUATORS.ids()) == meant


def test_tools_that_share_a_word_are_not_one():
    assert nearest("search_flights", ["search_hotels"]) is None
    assert nearest("get_wether", ["get_weather"]) == "get_weather"


@pytest.mark.parametrize(
    ("word", "edits", "near"),
    [
        ("trail", 1, True),
        ("forbiden", 1, True),
        ("cost", 1, False),
        ("abcd", 1, False),
        ("Forbid-den", 0, True),
    ],
)
def test_letters_are_counted(word: str, edits: int, near: bool):
    assert (nearest(word, ["trial", "forbidden", "counts"], edits=edits) is not None) is near
