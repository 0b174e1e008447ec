"""Real rows with BFCL's lists of accepted values: all are read, and none passes that the benchmark rightly rejects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rightcall import evaluate_cases

WHOLE_NUMBER_FOR_FLOAT = {
    "bfcl-v1-2024:parallel_multiple_67:1",
    "bfcl-v1-2024:simple_python_103:1",
    "bfcl-v1-2024:simple_python_13:1",
    "bfcl-v1-2024:simple_python_13:4",
    "bfcl-v1-2024:simple_python_13:5",
    "bfcl-v1-2024:simple_python_87:0",
    "bfcl-v4-vllm:live_simple_116-72-0:1",
    "bfcl-v4-vllm:simple_python_13:0",
    "bfcl-v4-vllm:simple_python_13:2",
    "bfcl-v4-vllm:simple_python_87:0",
}
FLOAT_FOR_WHOLE_NUMBER = {"bfcl-v1-2024:parallel_102:4"}  # and today's checker takes it
LEFT_OUT_AS_ALLOWED = {"bfcl-v1-2024:simple_python_17:2"}


def accepted_rows(data: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for file in sorted(data.rglob("bfcl-*.jsonl")):
        rows = (json.loads(line) for line in file.read_text().splitlines())
        found += (row for row in rows if row.get("expected_any") is not None and "oracle" in row)
    return found


def test_lists_of_accepted_values_agree_with_the_benchmark(shared_data: Path) -> None:
    rows = accepted_rows(shared_data)
    assert len(rows) > 6000
    cases = [
        {"id": row["id"], "tool_calls": row["actual"], "expected_any": row["expected_any"]} for row in rows
    ]
    run = evaluate_cases(cases, ["tool_call_args", "tool_call_accuracy"], matching="optimal")
    for case in run:
        for result in case.results:
            assert result.status == "scored" or "a call without a name" in result.reason
    verdicts = {row["id"]: row["oracle"]["valid"] for row in rows}
    wrongly = {case.id for case in run if case.passed and not verdicts[case.id]}
    assert wrongly == WHOLE_NUMBER_FOR_FLOAT | FLOAT_FOR_WHOLE_NUMBER | LEFT_OUT_AS_ALLOWED
    agree = sum((case.passed is True) == verdicts[case.id] for case in run)
    assert agree >= 0.86 * len(rows)
