"""Fits the regression of the local judge and writes its coefficients with their training report.

Rests on the fit halves alone: the own pairs, and the shared ones (BFCL v4, Apache-2.0), which are not in this repository.
"""

from __future__ import annotations

import math
from pathlib import Path

import fit_only
import msgspec
from labelled import ROOT, benchmark, labelled, own

from rightcall.judges.local.features import NAMES
from rightcall.judges.local.training import fit, rows_for

PLACE: Path = ROOT / "src" / "rightcall" / "judges" / "local" / "coefficients.json"
PENALTY = 3.0
BENCHMARK_WEIGHT = 3.0
"""Both were chosen by cross-validation over the tools of the fit halves (penalties .3 to 6, weights 1 to 6)."""

VERSION = 5
NOTICE = (
    "Fitted in part to pairs made from the accepted-answer lists of the Berkeley Function-Calling Leaderboard v4 "
    "(bfcl-eval 2026.3.23), Apache License 2.0; the pairs themselves are not distributed here."
)


def main() -> None:
    """Fit, write, and say how well it fits."""
    shared = benchmark("fit")
    if not shared:
        raise SystemExit("the shared pairs are not here (set RIGHTCALL_SHARED)")
    mine = [*own("fit"), *fit_only.rows()]
    rows, labels, weights = rows_for(
        [*map(labelled, mine), *(labelled(row, BENCHMARK_WEIGHT) for row in shared)]
    )
    found = fit(rows, labels, weights, penalty=PENALTY)
    order = [found.weights[name] for name in NAMES]
    logits = [found.bias + sum(x * w for x, w in zip(row, order, strict=True)) for row in rows]
    chances = [1 / (1 + math.exp(-value)) for value in logits]
    each = zip(chances, labels, weights, strict=True)
    loss = -sum(w * math.log(p if y else 1 - p) for p, y, w in each) / sum(weights)
    report: dict[str, str | int | float] = {
        "own_pairs": len(mine),
        "benchmark_pairs": len(shared),
        "left_to_the_regression": len(rows),
        "of_these_equivalent": sum(labels),
        "penalty": PENALTY,
        "weight_of_a_benchmark_pair": BENCHMARK_WEIGHT,
        "log_loss_on_the_fit_half": round(loss, 4),
        "halves": "by tool; nothing of the test halves was used",
    }
    made = fit(rows, labels, weights, penalty=PENALTY, version=VERSION, report=report, notice=NOTICE)
    PLACE.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
    print(report)


if __name__ == "__main__":
    main()
