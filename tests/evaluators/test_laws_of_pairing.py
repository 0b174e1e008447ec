"""Scores against rules written down a second time: brute force, and scipy as the oracle of every best total."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from rightcall import Result, evaluate
from rightcall.core.equality.compare import Comparer
from rightcall.core.jsonvalue import canonical
from rightcall.core.options import merge_layers, parse_call_options
from tests import strategies as draw_from

Call = dict[str, Any]
Same = Callable[[Call, Call], bool]

LOOSE: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        {},
        {"args": "allow_extra"},
        {"args": "allow_missing"},
        {"args": "ignore"},
        {"numeric_tolerance": 1},
        {"numeric_tolerance": {"rel": 0.5}},
        {"numeric_tolerance": 1, "args": "allow_extra"},
        {"ignore_case": True, "coerce_types": True},
    ]
)


def judge(options: dict[str, Any]) -> Comparer:
    return Comparer(merge_layers([parse_call_options(options, field="")]))


def sameness(options: dict[str, Any]) -> Same:
    """same(expected, actual) of two calls, through the one function that decides it."""
    comparer = judge(options)

    def same(expected: Call, actual: Call) -> bool:
        if expected["name"] != actual["name"]:
            return False
        sides = (comparer.normal(canonical(side["arguments"])) for side in (expected, actual))
        return comparer.same(*sides)

    return same


def best_total(actual: Sequence[Call], expected: Sequence[Call], worth: Callable[[Call, Call], Any]) -> float:
    """The greatest total of any one-to-one assignment, by scipy."""
    if not actual or not expected:
        return 0.0
    matrix = np.array([[float(worth(wanted, made)) for made in actual] for wanted in expected])
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    return float(matrix[rows, columns].sum())


def both_empty_or_not(actual: list[Call], expected: list[Call]) -> float | None:
    if actual and expected:
        return None
    return float(not actual and not expected)


def score(evaluator: str, actual: list[Call], expected: list[Call], **options: Any) -> float:
    result: Result = evaluate(evaluator, output=actual, expected=expected, **options)
    assert result.score is not None
    return result.score


lists = st.one_of(
    draw_from.call_lists(),
    draw_from.call_lists(max_size=8),
    st.tuples(draw_from.numeric_calls, draw_from.numeric_calls),
)


@given(lists, LOOSE)
def test_greedy_is_the_sentence_of_the_contract(
    pair: tuple[list[Call], list[Call]], options: dict[str, Any]
) -> None:
    actual, expected = pair
    same = sameness(options)
    unused, total = list(range(len(expected))), 0.0
    for call in actual:
        credit = {
            j: 1.0 if same(expected[j], call) else 0.5 for j in unused if expected[j]["name"] == call["name"]
        }
        if credit:
            taken = max(credit, key=lambda j: (credit[j], -j))
            total += credit[taken]
            unused.remove(taken)
    empty = both_empty_or_not(actual, expected)
    wanted = total / max(len(actual), len(expected)) if empty is None else empty
    assert score("tool_call_accuracy", actual, expected, **options) == pytest.approx(wanted, abs=1e-12)


@given(lists, LOOSE)
def test_optimal_is_the_best_total(pair: tuple[list[Call], list[Call]], options: dict[str, Any]) -> None:
    actual, expected = pair
    same = sameness(options)

    def worth(wanted: Call, made: Call) -> float:
        return 1.0 if same(wanted, made) else 0.5 * (wanted["name"] == made["name"])

    empty = both_empty_or_not(actual, expected)
    best = best_total(actual, expected, worth)
    wanted = best / max(len(actual), len(expected)) if empty is None else empty
    optimal = evaluate("tool_call_accuracy", output=actual, expected=expected, matching="optimal", **options)
    greedy = evaluate("tool_call_accuracy", output=actual, expected=expected, **options)
    assert optimal.score == pytest.approx(wanted, abs=1e-12)
    assert optimal.score is not None
    assert greedy.score is not None
    assert optimal.score >= greedy.score
    differ = abs(optimal.score - greedy.score) > 1e-12
    assert ("Optimal matching would give" in greedy.reason) == differ
    assert ("Greedy matching would give" in optimal.reason) == differ


@given(lists, LOOSE)
def test_shares_of_equal_calls_are_maximum_matchings(
    pair: tuple[list[Call], list[Call]], options: dict[str, Any]
) -> None:
    actual, expected = pair
    found = best_total(actual, expected, sameness(options))
    empty = both_empty_or_not(actual, expected)
    args = found / len(expected) if empty is None else empty
    f1 = 2 * found / (len(actual) + len(expected)) if empty is None else empty
    assert score("tool_call_args", actual, expected, **options) == pytest.approx(args, abs=1e-12)
    assert score("tool_call_args", actual, expected, strict=True, **options) == float(args == 1)
    assert score("tool_call_f1", actual, expected, **options) == pytest.approx(f1, abs=1e-12)


@given(lists)
def test_names_alone_are_a_multiset(pair: tuple[list[Call], list[Call]]) -> None:
    actual, expected = pair
    common = sum((Counter(c["name"] for c in actual) & Counter(c["name"] for c in expected)).values())
    empty = both_empty_or_not(actual, expected)
    f1 = 2 * common / (len(actual) + len(expected)) if empty is None else empty
    assert score("tool_selection", actual, expected) == pytest.approx(f1, abs=1e-12)
    assert score("tool_call_f1", actual, expected, match="name") == pytest.approx(f1, abs=1e-12)


@given(lists, LOOSE)
def test_right_arguments_are_shared_out_for_the_greatest_total(
    pair: tuple[list[Call], list[Call]], options: dict[str, Any]
) -> None:
    actual, expected = pair
    comparer = judge(options)
    mode = options.get("args", "exact")

    def share(wanted: Call, made: Call) -> Fraction:
        if wanted["name"] != made["name"]:
            return Fraction(0)
        left, right = (comparer.normal(canonical(side["arguments"])) for side in (wanted, made))
        keys = {"allow_extra": set(left), "allow_missing": set(right)}.get(mode, left.keys() | right.keys())
        if mode == "ignore" or not keys:
            return Fraction(1)
        one = [k for k in keys if k in left and k in right and comparer.same({k: left[k]}, {k: right[k]})]
        return Fraction(len(one), len(keys))

    empty = both_empty_or_not(actual, expected)
    wanted = best_total(actual, expected, share) / len(expected) if empty is None else empty
    result = evaluate("argument_accuracy", output=actual, expected=expected, **options)
    assert result.score == pytest.approx(wanted, abs=1e-9)
    used = [pair.expected for pair in result.details.pairs], [pair.actual for pair in result.details.pairs]
    assert all(len(set(side)) == len(side) for side in used), "one-to-one"


ORDER_FREE = (
    ("tool_call_accuracy", {"matching": "optimal"}),
    ("tool_call_args", {}),
    ("tool_call_args", {"strict": True}),
    ("tool_call_count", {}),
    ("tool_call_f1", {}),
    ("argument_accuracy", {}),
    ("tool_selection", {}),
    *(("trajectory_match", {"mode": mode}) for mode in ("any_order", "superset", "unordered", "subset")),
)
"""A new evaluator whose score must not depend on the order of calls joins this list first."""


@pytest.mark.parametrize(("evaluator", "own"), ORDER_FREE, ids=str)
@given(data=st.data())
def test_shuffling_either_list_changes_nothing(
    evaluator: str, own: dict[str, Any], data: st.DataObject
) -> None:
    actual, expected = data.draw(lists)
    options = own if evaluator in ("tool_call_count", "tool_selection") else {**own, **data.draw(LOOSE)}
    mixed = data.draw(st.permutations(actual)), data.draw(st.permutations(expected))
    assert score(evaluator, actual, expected, **options) == score(evaluator, *mixed, **options)


@given(lists)
def test_without_options_full_accuracy_means_the_same_multiset(pair: tuple[list[Call], list[Call]]) -> None:
    actual, expected = pair
    same, left = sameness({}), list(expected)
    for call in actual:
        partner = next((j for j, wanted in enumerate(left) if same(wanted, call)), None)
        if partner is not None:
            del left[partner]
    as_multisets = not left and len(actual) == len(expected)
    for matching in ("greedy", "optimal"):
        assert (score("tool_call_accuracy", actual, expected, matching=matching) == 1.0) == as_multisets


@given(lists, LOOSE, st.data())
def test_one_call_more_never_lowers_args(
    pair: tuple[list[Call], list[Call]], options: dict[str, Any], data: st.DataObject
) -> None:
    actual, expected = pair
    if not expected:
        return
    call = data.draw(st.sampled_from([*expected, {"name": "z", "arguments": {}}]))
    more = list(actual)
    more.insert(data.draw(st.integers(0, len(actual))), call)
    assert score("tool_call_args", more, expected, **options) >= score(
        "tool_call_args", actual, expected, **options
    )


def longest_common_subsequence(a: Sequence[str], b: Sequence[str]) -> int:
    for size in range(min(len(a), len(b)), 0, -1):
        if set(itertools.combinations(a, size)) & set(itertools.combinations(b, size)):
            return size
    return 0


@given(lists)
def test_order_is_the_longest_common_subsequence_of_names(pair: tuple[list[Call], list[Call]]) -> None:
    actual, expected = pair
    made, wanted = [c["name"] for c in actual], [c["name"] for c in expected]
    empty = both_empty_or_not(actual, expected)
    value = longest_common_subsequence(made, wanted) / len(wanted) if empty is None else empty
    assert score("tool_call_order", actual, expected) == pytest.approx(value, abs=1e-12)
    assert score("tool_call_order", actual, expected, strict=True) == float(made == wanted)


@st.composite
def grouped(draw: Any) -> tuple[list[Call], list[list[Call]]]:
    """Actual calls, and expected ones in groups; a group of one is often written without a group."""
    actual, expected = draw(draw_from.call_lists(max_size=6))
    groups: list[list[Call]] = []
    for call in expected:
        if groups and draw(st.booleans()):
            groups[-1].append(call)
        else:
            groups.append([call])
    return actual, groups


def flat(groups: list[list[Call]]) -> list[Call]:
    return [
        {**call, **({"group": f"g{number}"} if len(group) > 1 or number % 2 else {})}
        for number, group in enumerate(groups)
        for call in group
    ]


def splits(size: int, parts: int) -> list[list[tuple[int, int]]]:
    """Every way to cut `size` places into consecutive segments, empty ones included."""
    cuts = itertools.combinations_with_replacement(range(size + 1), parts - 1)
    return [list(itertools.pairwise((0, *cut, size))) for cut in cuts]


@given(grouped())
def test_order_of_groups_is_the_best_split(pair: tuple[list[Call], list[list[Call]]]) -> None:
    actual, groups = pair
    expected = flat(groups)
    empty = both_empty_or_not(actual, expected)
    if empty is None:
        names = [call["name"] for call in actual]
        counted = [Counter(call["name"] for call in group) for group in groups]
        best = max(
            sum(
                sum((Counter(names[a:b]) & group).values())
                for (a, b), group in zip(cut, counted, strict=True)
            )
            for cut in splits(len(names), len(groups))
        )
        value = best / len(expected)
    else:
        value = empty
    assert score("tool_call_order", actual, expected) == pytest.approx(value, abs=1e-12)
    ungrouped = [{key: item for key, item in call.items() if key != "group"} for call in expected]
    assert score("tool_call_order", actual, expected, groups="ignore") == score(
        "tool_call_order", actual, ungrouped
    )


def can_serve(expected: Sequence[Call], actual: Sequence[Call], same: Same) -> bool:
    """Whether each expected call can have an actual one of its own."""
    if not expected:
        return True
    return any(
        same(expected[0], made) and can_serve(expected[1:], [*actual[:place], *actual[place + 1 :]], same)
        for place, made in enumerate(actual)
    )


def trajectory(mode: str, actual: list[Call], groups: list[list[Call]], same: Same) -> bool:
    expected = [call for group in groups for call in group]
    if not actual or not expected:
        return len(actual) == len(expected) or (mode == "subset" and not actual)
    if mode == "exact":
        ends = list(itertools.accumulate(map(len, groups), initial=0))
        return len(actual) == len(expected) and all(
            can_serve(group, actual[a:b], same)
            for group, (a, b) in zip(groups, itertools.pairwise(ends), strict=True)
        )
    if mode == "in_order":
        return any(
            all(can_serve(group, actual[a:b], same) for group, (a, b) in zip(groups, cut, strict=True))
            for cut in splits(len(actual), len(groups))
        )
    if mode == "subset":
        return can_serve(actual, expected, lambda made, wanted: same(wanted, made))
    served = can_serve(expected, actual, same)
    return served and (mode != "unordered" or len(actual) == len(expected))


numeric_groups = st.tuples(
    draw_from.numeric_calls, st.lists(draw_from.numeric_calls.filter(bool), max_size=3)
).filter(lambda pair: sum(map(len, pair[1])) <= 6)


@pytest.mark.parametrize("mode", ["exact", "in_order", "any_order", "superset", "unordered", "subset"])
@given(pair=st.one_of(grouped(), numeric_groups), options=LOOSE)
def test_trajectories_match_as_the_contract_says(
    mode: str, pair: tuple[list[Call], list[list[Call]]], options: dict[str, Any]
) -> None:
    actual, groups = pair
    same = sameness(options)
    expected = flat(groups)
    assert score("trajectory_match", actual, expected, mode=mode, **options) == float(
        trajectory(mode, actual, groups, same)
    )
    alone = [[call] for group in groups for call in group]
    assert score("trajectory_match", actual, expected, mode=mode, groups="ignore", **options) == float(
        trajectory(mode, actual, alone, same)
    )


@given(draw_from.call_lists(max_size=6))
def test_a_repeat_is_an_exact_one(pair: tuple[list[Call], list[Call]]) -> None:
    actual, _ = pair
    same = sameness({})
    failed = [{**call, "status": "failed"} if place % 3 == 2 else call for place, call in enumerate(actual)]
    repeats = sum(
        any(same(earlier, call) and "status" not in earlier for earlier in failed[:place])
        for place, call in enumerate(failed)
    )
    value = 1 - repeats / len(actual) if actual else 1.0
    assert evaluate("redundant_calls", output=failed).score == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("size", [7, 13])
@pytest.mark.parametrize("options", [{}, {"numeric_tolerance": 1}, {"ignore_case": True}], ids=str)
def test_large_groups_take_the_same_decisions_as_small_ones(size: int, options: dict[str, Any]) -> None:
    # Above some size equal calls are found by hash; a call of a lone name must not change what pairs.
    actual = [{"name": "f", "arguments": {"a": place * 7 % 5, "b": "x"}} for place in range(size)]
    expected = [{"name": "f", "arguments": {"a": place % 5 + 1.0, "b": "x"}} for place in range(size)]
    same = sameness(options)
    found = best_total(actual, expected, same)
    assert score("tool_call_args", actual, expected, **options) == pytest.approx(found / size)
    shared = score("argument_accuracy", actual, expected, **options)
    assert 0.5 <= shared <= 1
