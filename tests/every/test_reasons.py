"""A reason and its score never disagree: what the reason counts is counted again from the alignment."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rightcall import Result, evaluate
from tests import strategies as draw_from

Counts = tuple[int, ...]


def numbers(result: Result, pattern: str) -> Counts:
    found = re.match(pattern, result.reason)
    assert found is not None, result.reason
    return tuple(int(group) for group in found.groups() if group is not None)


def exact(result: Result) -> int:
    return sum(pair.credit == 1.0 for pair in result.details.pairs)


def accuracy(result: Result, actual: int, expected: int) -> Fraction:
    pattern = (
        r"(\d+) exact match(?:es)?, (\d+) name-only match(?:es)?; (\d+) actual vs (\d+) expected calls?\."
    )
    counts = numbers(result, pattern)
    halves = len(result.details.pairs) - exact(result)
    assert counts == (exact(result), halves, actual, expected)
    return (exact(result) + Fraction(halves, 2)) / max(actual, expected)


def args(result: Result, actual: int, expected: int) -> Fraction:
    assert numbers(result, r"(\d+)/(\d+) matched\.") == (exact(result), expected)
    assert expected == len(result.details.pairs) + len(result.details.missing)
    return Fraction(exact(result), expected)


def order(result: Result, actual: int, expected: int) -> Fraction:
    found = len(result.details.pairs)
    assert numbers(result, r"(\d+)/(\d+) expected calls in order\.") == (found, expected)
    return Fraction(found, expected)


def count(result: Result, actual: int, expected: int) -> Fraction:
    tools = result.details["tools"]
    fitting = sum(cell["fits"] for cell in tools.values())
    assert numbers(result, r"(\d+)/(\d+) tools were called as often as expected\.") == (fitting, len(tools))
    assert sum(int(cell["expected"]) for cell in tools.values()) == expected
    assert sum(cell["made"] for cell in tools.values()) <= actual
    return Fraction(fitting, len(tools))


def trajectory(result: Result, actual: int, expected: int) -> Fraction:
    pattern = r"unordered: (\d+) of (\d+) expected calls? matched; (\d+) made\."
    assert numbers(result, pattern) == (exact(result), expected, actual)
    return Fraction(exact(result) == expected == actual)


def f1(result: Result, actual: int, expected: int) -> Fraction:
    found = exact(result)
    pattern = r"(\d+) of (\d+) expected found; (\d+) of (\d+) made (?:is|are) not expected\."
    assert numbers(result, pattern) == (found, expected, actual - found, actual)
    return Fraction(2 * found, actual + expected)


def arguments(result: Result, actual: int, expected: int) -> Fraction:
    counts = numbers(result, r"\d[\d.e-]* .*?; (\d+) of (\d+) expected calls? (?:is|are) fully right\.")
    assert counts == (exact(result), expected)
    return sum((Fraction(pair.credit) for pair in result.details.pairs), Fraction(0)) / expected


def selection(result: Result, actual: int, expected: int) -> Fraction:
    found = len(result.details.pairs)
    assert numbers(result, r"(\d+) of (\d+) expected tools?; (\d+) calls?\.") == (found, expected, actual)
    return Fraction(2 * found, actual + expected)


def redundant(result: Result, actual: int, expected: int) -> Fraction:
    repeated = len(result.details["repeats"])
    assert numbers(result, r"(\d+) repeated calls? among (\d+)\.") == (repeated, actual)
    return Fraction(actual - repeated, actual)


COUNTED: Final[dict[str, Callable[[Result, int, int], Fraction]]] = {
    "tool_call_accuracy": accuracy,
    "tool_call_args": args,
    "tool_call_order": order,
    "tool_call_count": count,
    "trajectory_match": trajectory,
    "tool_call_f1": f1,
    "argument_accuracy": arguments,
    "tool_selection": selection,
    "redundant_calls": redundant,
}

OPTIONS: Final = st.sampled_from(
    [{}, {}, {"args": "allow_extra"}, {"ignore_case": True}, {"numeric_tolerance": 1}]
)


@pytest.mark.parametrize("name", COUNTED)
@given(pair=draw_from.call_lists(), options=OPTIONS)
def test_the_counts_of_a_reason_give_its_score(name: str, pair: Any, options: dict[str, Any]) -> None:
    actual, expected = pair
    assume(actual and expected)
    takes = name not in ("tool_call_order", "tool_call_count", "tool_selection", "redundant_calls")
    result: Result = evaluate(name, output=actual, expected=expected, **(options if takes else {}))
    again = COUNTED[name](result, len(actual), len(expected))
    assert result.score == pytest.approx(float(again), abs=1e-12), result.reason
    advised = result.reason.partition(". ")[2].partition("Not listed: ")[0]
    assert bool(advised) == bool(result.details.differences), "and it advises where something is wrong"


@pytest.mark.parametrize("name", sorted({*COUNTED} - {"redundant_calls"}))
@given(pair=draw_from.call_lists())
def test_an_empty_side_is_said_as_it_was_scored(name: str, pair: Any) -> None:
    actual, expected = pair
    for made, wanted in ((actual, []), ([], expected), ([], [])):
        result = evaluate(name, output=made, expected=wanted)
        assert result.score == float(not made and not wanted)
        said = int((re.search(r"\d+", result.reason) or [0])[0])
        assert said == (len(made) or len(wanted)), result.reason
