"""Every case of contract.jsonl gives its value; each is a test by its id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rightcall import evaluate

CASES = [json.loads(line) for line in (Path(__file__).parent / "contract.jsonl").read_text().splitlines()]
SURFACES = {"dataset_run", "aggregate", "cli"}


def direct() -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["evaluator"] not in SURFACES]


@pytest.mark.parametrize("case", direct())
def test_the_case_gives_its_score(case: dict[str, Any]) -> None:
    config = dict(case["config"])
    tools, kind = config.pop("tools", None), config.pop("format", "auto")
    result = evaluate(
        case["evaluator"],
        output=case["actual"],
        expected=case["expected"],
        tools=tools,
        format=kind,
        **config,
    )
    assert result.score == pytest.approx(case["want"]["score"], abs=1e-12)
