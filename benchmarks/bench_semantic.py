"""The local judge: what a pair and the first pair cost, what the suite agent costs with it, and how good it is."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "semantic"))

from figures import (
    all_pairs,
    first_pair_seconds,
    milliseconds_a_pair,
    own_rows,
    scored,
    shared_rows,
    symmetry,
)
from labelled import own

from rightcall import evaluate_cases

PAIR_MS, FIRST_SECONDS = 0.5, 0.3
CODE = ("tool_call_accuracy", "tool_call_args", "tool_call_order", "tool_call_count")


def said(holds: object) -> str:
    """Whether a target holds, as a word."""
    return "ok" if holds else "MISSED"


def suite_cost() -> tuple[float, float]:
    """CPU seconds of the suite agent over 4,000 cases, a quarter of them unequal, without and with the judge."""
    unequal = own("test")[:1000]
    rows: list[dict[str, Any]] = []
    for number in range(4000):
        pair = unequal[number % 1000]
        wanted = {"name": pair["tool"], "arguments": {pair["argument"]: pair["a"], "n": number}}
        made = {
            "name": pair["tool"],
            "arguments": {pair["argument"]: pair["b" if number % 4 == 0 else "a"], "n": number},
        }
        rows.append({"tool_calls": [made], "expected_tool_calls": [wanted]})
    spent = []
    for chosen in (list(CODE), [*CODE, "tool_call_semantic"]):
        evaluate_cases(rows[:100], chosen)
        start = time.process_time()
        evaluate_cases(rows, chosen)
        spent.append(time.process_time() - start)
    return spent[0], spent[1]


def main() -> None:
    """Print all of it."""
    pairs = all_pairs()
    each, first = milliseconds_a_pair(pairs), first_pair_seconds()
    print(f"a pair, unequal, {len(pairs)} pairs: {each:.3f} ms CPU of {PAIR_MS} ms: {said(each <= PAIR_MS)}")
    print(
        f"first pairs with imports, no phones: {first:.3f} s CPU of {FIRST_SECONDS} s: {said(first <= FIRST_SECONDS)}"
    )
    worst, same = symmetry(pairs)
    print(f"the other way round: {worst:.4f} at most: {said(worst <= 0.005)}; twice: {said(same)}")
    without, with_judge = suite_cost()
    print(
        f"suite agent, 4,000 cases, 1,000 unequal: {without:.2f} s CPU without the judge, {with_judge:.2f} s with it"
    )
    for row in [*own_rows(scored(own("test"))), *shared_rows("test")]:
        print(
            f"{row.name}: {row.value:.4f} ({row.low:.4f} to {row.high:.4f}), must {row.must:g}: {said(row.holds)}"
        )


if __name__ == "__main__":
    main()
