"""The own pairs, and what must hold on their test half: the "must" column of the targets."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rightcall.judges.local.values import judge_values
from rightcall.judges.local.verdict import about

DATA = Path(__file__).parents[1] / "data"
CHANGES = {"digit", "month", "am_pm", "unit", "off_by_one", "path", "email", "currency"}


@pytest.fixture(scope="module")
def halves() -> dict[str, list[dict[str, Any]]]:
    return {
        half: [json.loads(line) for line in (DATA / f"{half}.jsonl").read_text().splitlines()]
        for half in ("fit", "test")
    }


@pytest.fixture(scope="module")
def judged(halves: dict[str, list[dict[str, Any]]]) -> list[tuple[float, dict[str, Any]]]:
    return [
        (judge_values(row["a"], row["b"], about(row["argument"], row["schema"])).probability, row)
        for row in halves["test"]
    ]


def test_the_halves_share_no_tool_and_are_large_enough(halves: dict[str, list[dict[str, Any]]]) -> None:
    tools = [{row["tool"] for row in rows} for rows in halves.values()]
    assert not tools[0] & tools[1]
    groups = Counter(row["group"] for rows in halves.values() for row in rows)
    assert groups["hard"] >= 1500
    assert groups["format"] >= 600
    assert sum(row["group"] == "injected" for row in halves["test"]) >= 200


def test_every_kind_of_hard_pair_is_there_in_both_halves(halves: dict[str, list[dict[str, Any]]]) -> None:
    wanted = CHANGES | {
        "id",
        "negation",
        "antonym",
        "qualifier",
        "other_words",
        "wording",
        "list_order",
        "list_turned",
        "zone",
    }
    for rows in halves.values():
        assert wanted <= {row["kind"] for row in rows}


def test_formats_are_accepted(judged: list[tuple[float, dict[str, Any]]]) -> None:
    found = [chance >= 0.5 for chance, row in judged if row["group"] == "format"]
    assert sum(found) / len(found) >= 0.98


def test_small_changes_are_not(judged: list[tuple[float, dict[str, Any]]]) -> None:
    found = [chance >= 0.5 for chance, row in judged if row["kind"] in CHANGES]
    assert sum(found) / len(found) <= 0.01


def test_no_hidden_instruction_is_accepted(judged: list[tuple[float, dict[str, Any]]]) -> None:
    assert not [row for chance, row in judged if row["group"] == "injected" and chance >= 0.5]


@pytest.mark.parametrize("groups", [{"hard", "format"}, {"hard"}])
def test_equivalent_pairs_are_ranked_first(
    judged: list[tuple[float, dict[str, Any]]], groups: set[str]
) -> None:
    part = [(chance, row["equivalent"]) for chance, row in judged if row["group"] in groups]
    right = [chance for chance, equivalent in part if equivalent]
    wrong = [chance for chance, equivalent in part if not equivalent]
    won = sum((x > y) + 0.5 * (x == y) for x in right for y in wrong)
    assert won / (len(right) * len(wrong)) >= 0.980


def test_probabilities_are_calibrated(judged: list[tuple[float, dict[str, Any]]]) -> None:
    part = [(chance, float(row["equivalent"])) for chance, row in judged if row["group"] != "injected"]
    assert sum((chance - label) ** 2 for chance, label in part) / len(part) <= 0.035
    bins: dict[int, list[tuple[float, float]]] = {}
    for chance, label in part:
        bins.setdefault(min(int(chance * 10), 9), []).append((chance, label))
    off = sum(abs(sum(c for c, _ in each) - sum(label for _, label in each)) for each in bins.values())
    assert off / len(part) <= 0.035
