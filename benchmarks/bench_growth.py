"""How the cost of one row grows with its calls: one tool, every call different, made in the reverse order."""

from __future__ import annotations

import math
import time

from measure import verdict

from rightcall import evaluate

SIZES = (10, 50, 250, 1000, 5000)
MOST_MS, MOST_EXPONENT = 100.0, 1.2


def calls(count: int) -> list[dict[str, object]]:
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


def main() -> None:
    """Print a row per evaluator."""
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


if __name__ == "__main__":
    main()
