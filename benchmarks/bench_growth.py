"""How the cost of one row grows with its calls: one tool, every call different, made in the reverse order."""

from __future__ import annotations

import math
import time
from typing import Any

from measure import verdict

from rightcall import evaluate

SIZES = (10, 50, 250, 1000, 5000)
MOST_MS, MOST_EXPONENT = 100.0, 1.2
LOOSE_CALLS, LOOSE_MS = 1000, 2000.0


def calls(count: int) -> list[dict[str, Any]]:
    """`count` calls of one tool with four arguments each."""
    return [
        {
            "name": "book",
            "arguments": {"slot": n, "who": f"guest {n}", "tags": ["a", n], "at": {"hour": n % 24}},
        }
        for n in range(count)
    ]


def milliseconds(size: int, evaluator: str, rounds: int = 5) -> float:
    """The best of some rounds, reading the calls from JSON text included."""
    import msgspec

    expected = msgspec.json.encode(calls(size)).decode()
    actual = msgspec.json.encode(calls(size)[::-1]).decode()
    best = math.inf
    for _ in range(rounds):
        start = time.process_time()
        result = evaluate(evaluator, output=actual, expected=expected)
        best = min(best, time.process_time() - start)
        if result.score != 1.0:
            raise SystemExit(f"{evaluator} at {size} calls: score {result.score}")
    return best * 1000


def loose_milliseconds(how: str) -> float:
    """1,000 expected calls against 1,000 actual ones where equality is looser than equal values."""
    expected = calls(LOOSE_CALLS)
    more = [{"name": "book", "arguments": {**call["arguments"], "note": "x"}} for call in expected]
    actual = (expected if how == "allow_missing" else more)[::-1]
    options: dict[str, Any] = {"args": how} if how.startswith("allow") else {}
    if how == "allow_missing":
        expected = more
    elif how == "count":
        actual, expected = calls(LOOSE_CALLS), [{**calls(1)[0], "count": {"min": 1}}]
    elif how == "matchers":
        expected = [
            {"name": "book", "arguments": {**call["arguments"], "note": {"$any": True}}} for call in expected
        ]
    start = time.process_time()
    evaluate("tool_call_args", output=actual, expected=expected, **options)
    return (time.process_time() - start) * 1000


def main() -> None:
    """Print a row per evaluator, then one for each loose equality."""
    for evaluator in (
        "tool_call_accuracy",
        "tool_call_args",
        "tool_call_f1",
        "trajectory_match",
        "tool_call_order",
    ):
        spent = [milliseconds(size, evaluator) for size in SIZES]
        pairs = zip(SIZES, spent, strict=True)
        slope = math.log(spent[-1] / spent[0]) / math.log(SIZES[-1] / SIZES[0])
        told = ", ".join(f"{size}: {value:.2f} ms" for size, value in pairs)
        print(f"{evaluator}: {told}; exponent {slope:.2f} (at most {MOST_EXPONENT:g})")
        if evaluator == "tool_call_accuracy":
            print(f"  5,000 calls: {verdict(spent[-1] / MOST_MS, 1.0)} of {MOST_MS:g} ms")
    for how in ("allow_extra", "allow_missing", "matchers", "count"):
        spent_ = min(loose_milliseconds(how) for _ in range(3))
        print(f"{how}, {LOOSE_CALLS} calls: {verdict(spent_ / LOOSE_MS, 1.0)} of {LOOSE_MS:g} ms")


if __name__ == "__main__":
    main()
