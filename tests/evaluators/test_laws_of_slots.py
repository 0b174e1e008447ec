"""Calls that may be left out, repeated or made in another way, against the contract written down a second time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from rightcall import Result, evaluate
from rightcall.core.assign import first_best
from rightcall.core.match import maximum_matching

Call = dict[str, Any]
Place = tuple[list[Call], bool]
"""The calls that fill a place, and whether it must be filled."""

plain_calls = st.builds(
    lambda name, value: {"name": name, "arguments": {} if value is None else {"a": value}},
    st.sampled_from("fgh"),
    st.sampled_from([None, 1, 2]),
)


@st.composite
def wanted_calls(draw: Any) -> Call:
    call = dict(draw(plain_calls))
    kind = draw(st.integers(0, 6))
    if kind in (1, 2):
        call["optional"] = True
    elif kind in (3, 4):
        low = draw(st.integers(0, 2))
        call["count"] = {"min": low, "max": draw(st.sampled_from([low, low + 1, None]))}
    elif kind == 0:
        call["count"] = {"min": 1, "max": 1}  # once, but said so, which makes the case one of places
    if kind in (2, 4, 5):
        call["alternatives"] = draw(st.lists(plain_calls, min_size=1, max_size=2))
    return call


def says_more(expected: list[Call]) -> bool:
    return any(call.keys() & {"optional", "count", "alternatives"} for call in expected)


sides = st.tuples(
    st.lists(plain_calls, max_size=4), st.lists(wanted_calls(), min_size=1, max_size=3).filter(says_more)
)


def places(expected: Sequence[Call], made: int) -> list[Place]:
    found: list[Place] = []
    for call in expected:
        choices = [call, *call.get("alternatives", ())]
        low, high = (0, 1) if call.get("optional") else (1, 1)
        if "count" in call:
            low, high = call["count"]["min"], call["count"]["max"]
        found += [(choices, True)] * low + [(choices, False)] * ((made if high is None else high) - low)
    return found


def fits(made: Call, place: Place) -> bool:
    return any(choice["name"] == made["name"] for choice in place[0])


def equal(made: Call, place: Place) -> bool:
    return any(
        choice["name"] == made["name"] and choice["arguments"] == made["arguments"] for choice in place[0]
    )


def assignments(actual: Sequence[Call], every: Sequence[Place], used: tuple[int, ...] = ()) -> Iterator[Any]:
    """Every one-to-one assignment by name, as lists of (actual, place)."""
    if not actual:
        yield []
        return
    index = len(used)
    for rest in assignments(actual[1:], every, (*used, -1)):
        yield rest
    for place, what in enumerate(every):
        if place not in used and fits(actual[0], what):
            for rest in assignments(actual[1:], every, (*used, place)):
                yield [(index, place), *rest]


def as_written(result: Result) -> list[tuple[int, int]]:
    """Pairs of (actual, written call), since places that nobody could fill are not counted."""
    slots = result.details.get("slots")
    return [
        (pair.actual, pair.expected if slots is None else slots[pair.expected])
        for pair in result.details.pairs
    ]


def owners(expected: Sequence[Call], made: int) -> list[int]:
    return [index for index, call in enumerate(expected) for _ in places([call], made)]


def run(evaluator: str, actual: list[Call], expected: list[Call], **options: Any) -> Result:
    result: Result = evaluate(evaluator, output=actual, expected=expected, **options)
    return result


def longer_list(actual: Sequence[Call], every: Sequence[Place], pairs: Sequence[tuple[int, int]]) -> int:
    """What accuracy divides by: the calls that had to be made and the others that were, or all that were made."""
    counted = sum(must for _, must in every) + sum(not every[place][1] for _, place in pairs)
    return max(counted, len(actual))


def credit_of(result: Result) -> float:
    return sum(pair.credit for pair in result.details.pairs)


@given(sides)
def test_optimal_is_the_greatest_total_then_most_required_then_the_first_pairs(pair: Any) -> None:
    actual, expected = pair
    every = places(expected, len(actual))

    def worth(pairs: list[tuple[int, int]]) -> Any:
        total = sum(2 if equal(actual[made], every[place]) else 1 for made, place in pairs)
        return -total, -sum(every[place][1] for _, place in pairs), pairs

    best = min(assignments(actual, every), key=worth)
    longer = longer_list(actual, every, best)
    result = run("tool_call_accuracy", actual, expected, matching="optimal")
    assert result.score == pytest.approx(-worth(best)[0] / 2 / longer if longer else 1.0)
    of = owners(expected, len(actual))
    assert as_written(result) == [(made, of[place]) for made, place in best]
    greedy = run("tool_call_accuracy", actual, expected)
    assert greedy.score is not None
    assert result.score is not None
    assert credit_of(greedy) <= credit_of(result)
    differ = abs(greedy.score - result.score) > 1e-12
    assert ("Optimal matching would give" in greedy.reason) == differ
    assert ("Greedy matching would give" in result.reason) == differ


@given(sides)
def test_greedy_is_the_sentence_of_the_contract(pair: Any) -> None:
    actual, expected = pair
    every = places(expected, len(actual))
    unused, total = list(range(len(every))), Fraction(0)
    pairs: list[tuple[int, int]] = []
    for index, call in enumerate(actual):
        free = [place for place in unused if fits(call, every[place])]
        # Among places that are as good, those that must be filled come first (docs/design/decisions.md).
        free.sort(key=lambda place: (not equal(call, every[place]), not every[place][1]))
        if free:
            unused.remove(free[0])
            pairs.append((index, free[0]))
            total += 1 if equal(call, every[free[0]]) else Fraction(1, 2)
    longer = longer_list(actual, every, pairs)
    assert run("tool_call_accuracy", actual, expected).score == pytest.approx(
        float(total / longer) if longer else 1.0
    )


@given(sides)
def test_a_call_that_had_to_be_made_and_was_not_is_never_made_up_for(pair: Any) -> None:
    actual, expected = pair
    every = places(expected, len(actual))
    required = sum(must for _, must in every)
    if required and best_counts(actual, every, fits)[1] < required:
        for matching in ("greedy", "optimal"):
            assert not run("tool_call_accuracy", actual, expected, matching=matching).passed


def best_counts(actual: list[Call], every: list[Place], test: Any) -> tuple[int, int]:
    """(pairs, required ones) of the largest matching, of such the one with the most required."""
    return max(
        (len(pairs), sum(every[place][1] for _, place in pairs))
        for pairs in assignments(actual, every)
        if all(test(actual[made], every[place]) for made, place in pairs)
    )


@given(sides)
def test_shares_are_of_what_must_be_made(pair: Any) -> None:
    actual, expected = pair
    every = places(expected, len(actual))
    required = sum(must for _, must in every)
    found, served = best_counts(actual, every, equal)
    named, named_served = best_counts(actual, every, fits)

    def f1(right: int, of_required: int) -> float:
        if not actual:
            return float(not required)
        precision = Fraction(right, len(actual))
        recall = Fraction(of_required, required) if required else Fraction(1)
        return float(2 * precision * recall / (precision + recall)) if precision + recall else 0.0

    args = run("tool_call_args", actual, expected)
    assert args.score == pytest.approx(served / required if required else 1.0)
    assert run("tool_call_f1", actual, expected).score == pytest.approx(f1(found, served))
    assert run("tool_call_f1", actual, expected, match="name").score == pytest.approx(f1(named, named_served))
    assert run("tool_selection", actual, expected).score == pytest.approx(f1(named, named_served))
    if actual and required:
        counted = re.match(r"(\d+)/(\d+) matched\.", args.reason)
        assert counted is not None
        assert counted.groups() == (str(served), str(required))
        optional = args.details.get("optional", ())
        exact = [item for item in args.details.pairs if item.credit == 1.0 and item.expected not in optional]
        assert len(exact) == served
        assert len(args.details.missing) <= required - served


two_arguments = st.builds(
    lambda name, first, second: {"name": name, "arguments": {"a": first, "b": second}},
    st.sampled_from("fg"),
    st.sampled_from(["2025-11-12", "Nov 12 2025", "2025-11-13"]),
    st.integers(1, 2),
)


@st.composite
def sides_of_two_arguments(draw: Any) -> tuple[list[Call], list[Call]]:
    def other(call: Call) -> Call:
        return {**call, **draw(two_arguments)}

    actual, expected = draw(sides)
    expected = [other(call) for call in expected]
    for call in expected:
        if "alternatives" in call:
            call["alternatives"] = [other(each) for each in call["alternatives"]]
    return [other(call) for call in actual], expected


@cache
def of_one_pair(evaluator: str, made: str, wanted: str) -> float:
    score = run(evaluator, [json.loads(made)], [json.loads(wanted)]).score
    assert score is not None
    return score


@pytest.mark.parametrize("evaluator", ["argument_accuracy", "tool_call_semantic"])
@given(pair=sides_of_two_arguments())
def test_the_partners_are_those_that_score_the_most(evaluator: str, pair: Any) -> None:
    actual, expected = pair
    every = places(expected, len(actual))
    required = sum(must for _, must in every)

    def worth(made: int, place: int) -> float:
        named = [each for each in every[place][0] if each["name"] == actual[made]["name"]]
        written = [
            json.dumps({key: each[key] for key in ("name", "arguments")}) for each in (*named, actual[made])
        ]
        return max(of_one_pair(evaluator, written[-1], wanted) for wanted in written[:-1])

    best = max(
        sum(worth(made, place) for made, place in pairs if every[place][1])
        for pairs in assignments(actual, every)
    )
    found = run(evaluator, actual, expected).score
    assert found == pytest.approx(best / required if required else 1.0, abs=1e-8)
    assert run(evaluator, actual[::-1], expected).score == pytest.approx(found)


def consumes(actual: list[Call], every: list[Place]) -> bool:
    """Whether the calls are just the places in order, some of those that may be empty left out."""
    if not every:
        return not actual
    first, rest = every[0], every[1:]
    if actual and equal(actual[0], first) and consumes(actual[1:], rest):
        return True
    return not first[1] and consumes(actual, rest)


def holds(mode: str, actual: list[Call], every: list[Place]) -> bool:
    required = sum(must for _, must in every)
    found, served = best_counts(actual, every, equal)
    if mode == "exact":
        return consumes(actual, every)
    if mode == "in_order":
        left = iter(actual)
        return all(any(equal(made, place) for made in left) for place in every if place[1])
    if mode in ("any_order", "superset"):
        return served == required
    return found == len(actual) and (mode == "subset" or served == required)


@pytest.mark.parametrize("mode", ["exact", "in_order", "any_order", "superset", "unordered", "subset"])
@given(pair=sides)
def test_trajectories(mode: str, pair: Any) -> None:
    actual, expected = pair
    every = places(expected, len(actual))
    assert run("trajectory_match", actual, expected, mode=mode).score == float(holds(mode, actual, every))


@given(sides)
def test_order_is_the_most_required_calls_in_order(pair: Any) -> None:
    actual, expected = pair
    every = places(expected, len(actual))
    required = [place for place in every if place[1]]
    best = [0] * (len(actual) + 1)
    for place in required:  # the longest common subsequence, in the plainest way
        row = [0]
        for index, made in enumerate(actual):
            row.append(max(row[-1], best[index + 1], best[index] + fits(made, place)))
        best = row
    value = best[-1] / len(required) if required else 1.0
    assert run("tool_call_order", actual, expected).score == pytest.approx(value)


@given(sides)
def test_places_that_are_all_required_and_of_one_call_are_plain_calls(pair: Any) -> None:
    actual, expected = pair
    bare = [{key: call[key] for key in ("name", "arguments")} for call in expected]
    counted = [{**call, "count": {"min": 1, "max": 1}} for call in bare]
    for evaluator in (
        "tool_call_accuracy",
        "tool_call_args",
        "tool_call_order",
        "tool_call_f1",
        "argument_accuracy",
    ):
        assert run(evaluator, actual, counted).score == run(evaluator, actual, bare).score, evaluator
    for evaluator in ("tool_call_count", "trajectory_match", "tool_selection"):
        assert run(evaluator, actual, counted).score == run(evaluator, actual, bare).score, evaluator


matrices = st.integers(1, 12).flatmap(
    lambda rows: st.integers(1, 12).flatmap(
        lambda columns: st.lists(
            st.lists(st.integers(0, 4), min_size=columns, max_size=columns), min_size=rows, max_size=rows
        )
    )
)


@given(matrices)
def test_the_best_assignment_is_that_of_scipy(matrix: list[list[int]]) -> None:
    edges = [[(column, worth) for column, worth in enumerate(row) if worth] for row in matrix]
    found = first_best(edges, [1] * len(matrix[0]))
    rows, columns = linear_sum_assignment(np.array(matrix), maximize=True)
    total = sum(matrix[row][column] for row, column in enumerate(found) if column >= 0)
    assert total == np.array(matrix)[rows, columns].sum()
    assert len({column for column in found if column >= 0}) == sum(column >= 0 for column in found)


@given(matrices)
def test_the_largest_matching_is_that_of_scipy(matrix: list[list[int]]) -> None:
    edges = [[column for column, worth in enumerate(row) if worth > 2] for row in matrix]
    graph = csr_matrix(np.array(matrix) > 2)
    largest = int((maximum_bipartite_matching(graph, perm_type="column") >= 0).sum())
    assert len(maximum_matching(edges, len(matrix[0]))) == largest
    alike = first_best([[(column, 1) for column in row] for row in edges], [1] * len(matrix[0]))
    assert sum(column >= 0 for column in alike) == largest


@given(
    st.lists(st.integers(1, 2), min_size=1, max_size=4).flatmap(
        lambda room: st.tuples(
            st.just(room),
            st.lists(
                st.lists(st.integers(0, 3), min_size=len(room), max_size=len(room)), min_size=1, max_size=4
            ),
        )
    )
)
def test_of_the_best_assignments_it_is_the_first(pair: Any) -> None:
    room, matrix = pair
    edges = [[(column, worth) for column, worth in enumerate(row) if worth] for row in matrix]

    def every(row: int, left: list[int]) -> Iterator[list[int]]:
        if row == len(matrix):
            yield []
            return
        for column, worth in enumerate(matrix[row]):
            if worth and left[column]:
                less = [space - (place == column) for place, space in enumerate(left)]
                yield from ([column, *rest] for rest in every(row + 1, less))
        yield from ([-1, *rest] for rest in every(row + 1, left))

    def key(found: list[int]) -> Any:
        total = sum(matrix[row][column] for row, column in enumerate(found) if column >= 0)
        return -total, [column if column >= 0 else len(room) for column in found]

    assert first_best(edges, room) == min(every(0, room), key=key)


keyed = st.dictionaries(st.sampled_from("abc"), st.sampled_from([1, 1.0, 2, "x", "X", None, [1]]), max_size=3)
many = st.tuples(st.lists(keyed, min_size=6, max_size=9), st.lists(keyed, min_size=7, max_size=9))
matchers: st.SearchStrategy[Any] = st.sampled_from(
    [
        {"$any": True},
        {"$optional": 1},
        {"$one_of": [1, "x"]},
        {"$absent": True},
        [{"$type": "integer"}],
        1,
        "x",
        None,
    ]
)


@pytest.mark.parametrize(
    "options",
    [
        {"args": "allow_extra"},
        {"args": "allow_missing"},
        {"args": "allow_extra", "ignore_case": True},
        {"args": "allow_missing", "null_equals_missing": True},
        {"args": "allow_extra", "numeric_tolerance": 1},
        {"ignore_case": True},
    ],
    ids=str,
)
@given(
    pair=many,
    with_matchers=st.one_of(st.none(), st.dictionaries(st.sampled_from("ab"), matchers, min_size=1)),
)
def test_calls_that_are_found_by_hash_are_those_that_are_equal_one_by_one(
    options: dict[str, Any], pair: Any, with_matchers: dict[str, Any] | None
) -> None:
    # Above some number of calls they are not held against each other; one by one they always are.
    made, wanted = pair
    if with_matchers is not None:
        wanted = [
            arguments | with_matchers if place % 2 else arguments for place, arguments in enumerate(wanted)
        ]
    actual, expected = ([{"name": "f", "arguments": each} for each in side] for side in (made, wanted))
    equal_ = [
        [run("tool_call_args", [call], [target], **options).score == 1.0 for target in expected]
        for call in actual
    ]
    rows, columns = linear_sum_assignment(np.array(equal_), maximize=True)
    best = np.array(equal_)[rows, columns].sum() / len(expected)
    assert run("tool_call_args", actual, expected, **options).score == pytest.approx(best)


@st.composite
def grouped_sides(draw: Any) -> tuple[list[Call], list[list[Call]]]:
    actual, expected = draw(sides)
    groups: list[list[Call]] = []
    for wanted in expected:
        if groups and draw(st.booleans()):
            groups[-1].append(wanted)
        else:
            groups.append([wanted])
    return actual, groups


def best_stretches(actual: list[Call], groups: list[list[Place]], test: Any) -> tuple[int, int]:
    """(required places filled, all places filled) of the best split into stretches, one a group."""
    if not groups:
        return 0, 0
    found = []
    for end in range(len(actual) + 1):
        stretch = actual[:end]
        pairs, served = max(
            (sum(groups[0][place][1] for _, place in each), len(each))
            for each in assignments(stretch, groups[0])
            if all(test(stretch[made], groups[0][place]) for made, place in each)
        )
        more = best_stretches(actual[end:], groups[1:], test)
        found.append((pairs + more[0], served + more[1]))
    return max(found)


@given(grouped_sides())
def test_groups_are_split_for_the_most_required_then_the_most(pair: Any) -> None:
    actual, groups = pair
    expected = [{**call, "group": f"g{number}"} for number, group in enumerate(groups) for call in group]
    every = [places(group, len(actual)) for group in groups]
    required = sum(must for group in every for _, must in group)
    served, _ = best_stretches(actual, every, fits)
    assert run("tool_call_order", actual, expected).score == pytest.approx(
        served / required if required else 1.0
    )
    served, filled = best_stretches(actual, every, equal)
    in_order = run("trajectory_match", actual, expected, mode="in_order").score
    assert in_order == float(served == required)
    exact = run("trajectory_match", actual, expected, mode="exact").score
    assert exact == float(served == required and filled == len(actual))
