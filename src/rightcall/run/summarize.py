"""From a tally to a summary: every figure of contract 8, each mean beside its counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from .._version import __version__
from ..core.signature import Signature
from ..core.summing.finished import Run
from ..core.summing.slices import SliceTally
from ..core.summing.summary import (
    EvaluatorSummary,
    GateOutcome,
    Interval95,
    RunSummary,
    SliceSummary,
    ToolSummary,
)
from ..core.summing.sums import Scores
from ..core.summing.tally import NOT_JUDGED, EvaluatorTally, Tally
from ..stats import (
    PrecisionRecall,
    flakiness,
    macro,
    mean_interval,
    mean_over_cases,
    pass_at_k,
    pass_hat_k,
    precision_recall,
    wilson,
)
from .causes import CauseSums, added, all_lost, ranked, sums_of
from .plan import Plan

__all__ = ["summarize", "summary_of"]


def summary_of(run: Run) -> RunSummary:
    """The summary of a run that was kept in memory."""
    return summarize(run.tally, run.plan, warnings=run.warnings)


def summarize(
    tally: Tally,
    plan: Plan,
    *,
    warnings: Iterable[str] = (),
    gates: tuple[GateOutcome, ...] = (),
    complete: bool = True,
) -> RunSummary:
    """The summary of a tally that was made by `plan`."""
    signature = Signature.parse(plan.signature)
    thresholds = {planned.id: planned.options.threshold for planned in plan.evaluators}
    sums = {name: sums_of(tally.of(name)) for name in plan.ids}
    lost = sum(all_lost(tally.of(name)) for name in plan.ids)
    return RunSummary(
        version=__version__,
        signature=plan.signature,
        options=signature.options,
        thresholds=signature.thresholds,
        complete=complete,
        cases=tally.cases,
        passed=tally.passed,
        failed=tally.failed,
        not_evaluated=tally.not_evaluated,
        errors=tally.errors,
        evaluators={name: _evaluator(tally.of(name), thresholds[name], sums[name]) for name in plan.ids},
        causes=ranked(added(sums.values()), lost),
        gates=gates,
        warnings=(*warnings, *(line for name in plan.ids for line in _not_judged(name, tally.of(name)))),
    )


def _evaluator(tally: EvaluatorTally, threshold: float, sums: CauseSums) -> EvaluatorSummary:
    mean, mean_ends = _mean(tally.scores)
    rate, rate_ends = _rate(tally.passed, tally.scored + tally.errors)
    micro, average = _pairing(tally.found)
    return EvaluatorSummary(
        cases=tally.cases,
        scored=tally.scored,
        not_evaluated=tally.not_evaluated,
        errors=tally.errors,
        passed=tally.passed,
        threshold=threshold,
        mean=mean,
        mean_interval=mean_ends,
        pass_rate=rate,
        pass_rate_interval=rate_ends,
        micro=micro,
        macro=average,
        tools=_tools(tally),
        confusion=_confusion(tally),
        verdict=_agreement(tally.verdicts),
        trials=_trials(tally.trials),
        causes=ranked(sums, all_lost(tally)),
        slices={name: _slice(part) for name, part in sorted(tally.slices.items())},
        judged=dict(sorted(tally.judged.items())),
    )


def _not_judged(name: str, tally: EvaluatorTally) -> Iterator[str]:
    """A line where a judge that was asked gave no judgement, so that nobody takes its part for the whole."""
    lacking = {why: number for why, number in tally.judged.items() if why.startswith(NOT_JUDGED)}
    if not lacking:
        return
    by_others = sum(number for who, number in tally.judged.items() if who != "local")
    reasons = ", ".join(
        f"{why.removeprefix(NOT_JUDGED)}: {number:,}"
        for why, number in sorted(lacking.items(), key=lambda item: (-item[1], item[0]))
    )
    yield (
        f"{name}: {sum(lacking.values()):,} of {by_others:,} pairs that a judge was asked about were not judged "
        f"({reasons}); the local probability counts for them"
    )


def _mean(scores: Scores) -> tuple[float | None, Interval95 | None]:
    total, total_sq = scores.totals()
    n = scores.n
    found = mean_interval(n, total, total_sq, scores.counts, clusters=scores.clusters())
    ends = None if found is None else Interval95(low=found.low, high=found.high, method=found.method)
    return float(total / n) if n else None, ends


def _rate(passed: int, judged: int) -> tuple[float | None, Interval95 | None]:
    found = wilson(passed, judged)
    if found is None:
        return None, None
    return passed / judged, Interval95(low=found[0], high=found[1], method="wilson")


def _slice(tally: SliceTally) -> SliceSummary:
    mean, mean_ends = _mean(tally.scores)
    rate, rate_ends = _rate(tally.passed, tally.scored + tally.errors)
    return SliceSummary(
        cases=tally.cases,
        scored=tally.scored,
        not_evaluated=tally.not_evaluated,
        errors=tally.errors,
        passed=tally.passed,
        mean=mean,
        mean_interval=mean_ends,
        pass_rate=rate,
        pass_rate_interval=rate_ends,
    )


def _figures(found: PrecisionRecall) -> dict[str, Any]:
    return {name: getattr(found, name) for name in PrecisionRecall.__struct_fields__}


def _pairing(
    found: Mapping[tuple[int, int, int], int],
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Micro over the summed counts, macro over the cases' defined values."""
    if not found:
        return None, None
    sums = [sum(counts[place] * cases for counts, cases in found.items()) for place in range(3)]
    averages: dict[str, Any] = {}
    for name in ("precision", "recall", "f1"):
        values: Counter[float] = Counter()
        for counts, cases in found.items():
            value = getattr(precision_recall(*counts), name)
            if value is not None:
                values[value] += cases
        averages[name] = macro(values)
        averages[f"{name}_cases"] = values.total()
    return _figures(precision_recall(*sums)), averages


def _tools(tally: EvaluatorTally) -> dict[str, ToolSummary]:
    found: dict[str, ToolSummary] = {}
    for name in sorted({*tally.exact, *tally.tools}):
        exact = tally.exact.get(name, 0)
        name_only, missing, extra = tally.tools.get(name, (0, 0, 0))
        found[name] = ToolSummary(
            expected=exact + name_only + missing,
            made=exact + name_only + extra,
            exact=exact,
            name_only=name_only,
            missing=missing,
            extra=extra,
        )
    return found


def _confusion(tally: EvaluatorTally) -> dict[str, dict[str, int]]:
    """Expected against made tools; what is left of missing and extra calls stands against ``""``."""
    table: dict[str, dict[str, int]] = {}

    def put(expected: str, made: str, number: int) -> None:
        if number > 0:
            table.setdefault(expected, {})[made] = number

    taken: Counter[str] = Counter()
    instead: Counter[str] = Counter()
    for (expected, made), number in tally.confused.items():
        put(expected, made, number)
        taken[expected] += number
        instead[made] += number
    for name in {*tally.exact, *tally.tools}:
        name_only, missing, extra = tally.tools.get(name, (0, 0, 0))
        put(name, name, tally.exact.get(name, 0) + name_only)
        put(name, "", missing - taken[name])
        put("", name, extra - instead[name])
    return {expected: dict(sorted(row.items())) for expected, row in sorted(table.items())}


def _agreement(verdicts: Mapping[tuple[bool, bool], int]) -> dict[str, Any] | None:
    """How `passed` agrees with the cases' own verdicts: as catching what was right, and what was wrong."""
    if not verdicts:
        return None
    both_right, both_wrong = verdicts.get((True, True), 0), verdicts.get((False, False), 0)
    passed_wrong, failed_right = verdicts.get((True, False), 0), verdicts.get((False, True), 0)
    cases = sum(verdicts.values())
    return {
        "cases": cases,
        "agreement": (both_right + both_wrong) / cases,
        "right": _figures(precision_recall(both_right, passed_wrong, failed_right)),
        "wrong": _figures(precision_recall(both_wrong, failed_right, passed_wrong)),
    }


def _trials(trials: Mapping[str, list[int]]) -> dict[str, Any] | None:
    if not trials:
        return None
    groups = Counter((n, passed) for n, passed in trials.values())
    most = max(n for n, _ in groups)
    measures: dict[str, Callable[[int, int, int], Any]] = {"pass_at_k": pass_at_k, "pass_hat_k": pass_hat_k}
    found: dict[str, Any] = {"cases": len(trials)}
    for name, measure in measures.items():
        found[name] = {}
        for k in range(1, most + 1):
            value, cases = mean_over_cases(groups, k, measure=measure)
            found[name][str(k)] = {"value": value, "cases": cases}
    found["flaky"] = msgspec.to_builtins(flakiness(trials))
    return found
