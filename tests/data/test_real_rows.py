"""Real model outputs: every row is read, every error is explained, and a benchmark's own verdict mostly agrees."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from rightcall.core.results import CaseResults
from rightcall.core.summing.tally import Tally
from rightcall.run.dataset import Dataset, Reading
from rightcall.run.plan import make_plan
from rightcall.run.rows import ColumnMap
from rightcall.run.runner import kept_in, run_cases

COLUMNS = ColumnMap((("actual", "actual"), ("expected", "expected")))
BOTH = ("tool_call_args", "tool_call_accuracy")
DISAGREEMENTS = Path(__file__).parents[2] / "docs" / "design" / "bfcl-oracle-disagreements.md"

# file: (cases, scored, not evaluated, errors, passed both at 1.0)
COUNTS = {
    "pairs/agentevals_trajectory_match": (32, 32, 0, 0, 4),
    "pairs/tau-bench-airline-gpt-4o": (116, 116, 0, 0, 6),
    "pairs_nolicence/bfcl-v1-2024.irrelevance": (563, 563, 0, 0, 142),
    "pairs_nolicence/bfcl-v1-2024.multiple": (491, 481, 6, 4, 60),
    "pairs_nolicence/bfcl-v1-2024.parallel": (748, 738, 9, 1, 75),
    "pairs_nolicence/bfcl-v1-2024.parallel_multiple": (778, 759, 15, 4, 82),
    "pairs_nolicence/bfcl-v1-2024.simple_python": (1074, 1046, 17, 11, 161),
    "pairs_nolicence/bfcl-v4-vllm.irrelevance": (179, 179, 0, 0, 130),
    "pairs_nolicence/bfcl-v4-vllm.live_irrelevance": (621, 621, 0, 0, 466),
    "pairs_nolicence/bfcl-v4-vllm.live_multiple": (999, 989, 10, 0, 399),
    "pairs_nolicence/bfcl-v4-vllm.live_parallel": (20, 20, 0, 0, 0),
    "pairs_nolicence/bfcl-v4-vllm.live_parallel_multiple": (18, 18, 0, 0, 0),
    "pairs_nolicence/bfcl-v4-vllm.live_relevance": (11, 0, 11, 0, 0),
    "pairs_nolicence/bfcl-v4-vllm.live_simple": (236, 217, 19, 0, 78),
    "pairs_nolicence/bfcl-v4-vllm.multiple": (155, 154, 1, 0, 34),
    "pairs_nolicence/bfcl-v4-vllm.parallel": (174, 172, 2, 0, 0),
    "pairs_nolicence/bfcl-v4-vllm.parallel_multiple": (143, 138, 5, 0, 0),
    "pairs_nolicence/bfcl-v4-vllm.simple_python": (353, 347, 6, 0, 115),
}
PLAIN_ROWS = 6462
AGREE = 5078  # 78.58 %
AGREE_WITH_NAMES = 5533  # 85.62 %
PASSED_BUT_REJECTED = {
    "bfcl-v1-2024:parallel_multiple_67:1",
    "bfcl-v1-2024:simple_python_103:1",
    "bfcl-v1-2024:simple_python_13:1",
    "bfcl-v1-2024:simple_python_17:2",
    "bfcl-v1-2024:simple_python_87:0",
    "bfcl-v4-vllm:live_simple_116-72-0:1",
    "bfcl-v4-vllm:simple_python_103:0",
    "bfcl-v4-vllm:simple_python_13:2",
    "bfcl-v4-vllm:simple_python_87:0",
}
ONLY_WITH_NAMES = {"bfcl-v4-vllm:simple_python_103:0"}


def files(data: Path) -> list[Path]:
    found = sorted([*data.glob("pairs/*.jsonl"), *data.glob("pairs_nolicence/*.jsonl")])
    return [file for file in found if "multi_turn" not in file.name]


def run(file: Path, evaluators: tuple[str, ...], **options: object) -> tuple[Tally, list[CaseResults]]:
    results: list[CaseResults] = []
    plan = make_plan(list(evaluators), options=options)
    data = Dataset(str(file), reading=Reading(columns=COLUMNS))
    ran = run_cases(data, plan, write=kept_in(results), explaining=False)
    assert not ran.interrupted
    assert ran.broken is None
    assert data.warnings == []
    return ran.tally, results


def rows(file: Path) -> list[dict]:
    return [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]


def test_the_files_are_those_that_are_counted_here(shared_data: Path) -> None:
    assert {f"{file.parent.name}/{file.stem}" for file in files(shared_data)} == set(COUNTS)


@pytest.mark.parametrize("name", COUNTS)
def test_every_row_is_read_and_counted(shared_data: Path, name: str) -> None:
    tally, results = run(shared_data / f"{name}.jsonl", BOTH)
    cases, scored, not_evaluated, errors, passed = COUNTS[name]
    assert tally.cases == cases
    for each in BOTH:
        one = tally.of(each)
        assert (one.cases, one.scored, one.not_evaluated, one.errors) == (
            cases,
            scored,
            not_evaluated,
            errors,
        )
    assert tally.passed == passed
    assert (tally.errors, tally.not_evaluated) == (errors, not_evaluated)
    # The models of these rows wrote calls without a name: that is the row's fault, and said with its place.
    explained = re.compile(r"actual\[\d+\]: a call without a name \(its fields: 'name', 'arguments'\)")
    reasons = [found.reason for case in results for found in case.results if found.status == "error"]
    assert not [reason for reason in reasons if not explained.fullmatch(reason)]


@pytest.mark.slow
def test_every_evaluator_scores_the_real_rows_within_bounds(shared_data: Path) -> None:
    names = ("tool_call_order", "tool_call_count", "tool_call_f1", "argument_accuracy", "tool_selection")
    for file in files(shared_data):
        tally, results = run(file, (*names, "trajectory_match", "redundant_calls"))
        errors = COUNTS[f"{file.parent.name}/{file.stem}"][3]
        assert {one.errors for one in tally.evaluators.values()} == {errors}, file.name
        for case in results:
            for result in case.results:
                assert result.score is None or 0 <= result.score <= 1
                assert result.reason
                assert result.details is not None


def verdicts(data: Path, **options: object) -> dict[str, tuple[bool, bool]]:
    """Of every row with a plain `expected`: (passed both at 1.0, the oracle's verdict)."""
    found: dict[str, tuple[bool, bool]] = {}
    for file in files(data):
        if not file.name.startswith("bfcl-"):
            continue
        oracle = {row["id"]: row["oracle"]["valid"] for row in rows(file) if row["expected"] is not None}
        _, results = run(file, BOTH, **options)
        found |= {case.id: (case.passed is True, oracle[case.id]) for case in results if case.id in oracle}
    return found


def shares(found: dict[str, tuple[bool, bool]]) -> tuple[int, set[str]]:
    agree = sum(passed == valid for passed, valid in found.values())
    return agree, {name for name, (passed, valid) in found.items() if passed and not valid}


def dotted_names(data: Path) -> dict[str, str]:
    """Where an API forbids dots the benchmark's models had to write underscores."""
    calls = [call for file in files(data) for row in rows(file) for call in row["expected"] or ()]
    return {call["name"].replace(".", "_"): call["name"] for call in calls if "." in call["name"]}


def test_the_benchmark_mostly_agrees(shared_data: Path) -> None:
    found = verdicts(shared_data)
    agree, rejected = shares(found)
    assert len(found) == PLAIN_ROWS
    assert agree >= 0.78 * len(found)
    assert agree == AGREE
    assert rejected == PASSED_BUT_REJECTED - ONLY_WITH_NAMES
    assert len(rejected) <= 9


@pytest.mark.slow
def test_the_benchmark_agrees_more_once_names_are_mapped(shared_data: Path) -> None:
    found = verdicts(shared_data, name_map=dotted_names(shared_data))
    agree, rejected = shares(found)
    assert agree >= 0.85 * len(found)
    assert agree == AGREE_WITH_NAMES
    assert rejected == PASSED_BUT_REJECTED
    assert len(rejected) <= 9


def test_each_row_that_only_we_pass_is_explained_in_the_docs() -> None:
    listed = re.findall(r"^\| `([^`]+)` \|", DISAGREEMENTS.read_text(), re.MULTILINE)
    assert Counter(listed) == Counter(PASSED_BUT_REJECTED)


def test_trials_of_the_airline_conversations_are_counted(shared_data: Path) -> None:
    tally, _ = run(shared_data / "pairs" / "tau-bench-airline-gpt-4o.jsonl", ("tool_call_args",))
    trials = tally.of("tool_call_args").trials
    assert sum(number for number, _ in trials.values()) == 116
