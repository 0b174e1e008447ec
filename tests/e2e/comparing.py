"""A comparison to look at: a run that lost some cases and won others against the run before it."""

from __future__ import annotations

from pathlib import Path

from rightcall.core.summing.comparison import (
    Change,
    ComparedRun,
    Comparison,
    Counted,
    EvaluatorComparison,
    PassTable,
)
from rightcall.core.summing.records import Reported
from rightcall.core.summing.summary import Interval95
from rightcall.run.directory.replay import StoredRun, replay_of
from rightcall.run.reporting import StoredCases, write_reports
from tests.e2e.browsing import report, rows


def comparison() -> Comparison:
    """Two evaluators, one of which is worse."""
    changes = (
        Change(
            id="case-00001", evaluator="tool_call_accuracy", direction="regressed",
            score_a=1.0, score_b=0.5, passed_a=True, passed_b=False,
        ),
        Change(
            id="case-00002", evaluator="tool_call_accuracy", direction="regressed",
            score_a=1.0, score_b=None, passed_a=True, passed_b=False,
        ),
        Change(
            id="<script>gone</script>", evaluator="tool_call_args", direction="improved",
            score_a=0.0, score_b=1.0, passed_a=False, passed_b=True,
        ),
    )  # fmt: skip
    worse = EvaluatorComparison(
        evaluator="tool_call_accuracy", paired=40, scored=38, left_out=1,
        improved=Counted(count=1, examples=("case-00008",)), regressed=Counted(count=9, examples=("case-00001",)),
        unchanged=Counted(count=30), mean_a=0.9125, mean_b=0.7125, mean_difference=-0.2,
        mean_interval=Interval95(low=-0.31, high=-0.08, method="bootstrap"), pass_rate_a=0.9, pass_rate_b=0.7,
        table=PassTable(both_passed=27, only_a_passed=9, only_b_passed=1, neither_passed=3),
        mcnemar_p=0.0215, mcnemar_p_regression=0.0107, mean_p=0.002, holm_p=0.004,
        detectable_pass_rate=0.17, detectable_mean=0.16, verdict="regressed",
    )  # fmt: skip
    same = EvaluatorComparison(
        evaluator="tool_call_args", paired=40, scored=39, unchanged=Counted(count=40), mean_a=0.6, mean_b=0.6,
        mean_difference=0.0, pass_rate_a=0.6, pass_rate_b=0.6, table=PassTable(both_passed=24, neither_passed=16),
    )  # fmt: skip
    return Comparison(
        a=ComparedRun(name="runs/before", signature="s", cases=41),
        b=ComparedRun(name="runs/now", signature="s", cases=40),
        cases=40,
        only_in_a=Counted(count=1, examples=("case-00040",)),
        evaluators={"tool_call_accuracy": worse, "tool_call_args": same},
        changes=changes,
        changed=3,
        verdict="regressed",
        warnings=("the options differ: ignore_case",),
    )


def compared(folder: Path, number: int) -> Path:
    """The page of a run with a comparison in it."""
    out = report(folder, rows(number)).parent
    stored = StoredRun(out)
    reported = Reported(
        run=str(out),
        summary=stored.summary,
        cases=StoredCases(out / "results.jsonl"),
        replay=replay_of(out, stored.plan(())),
        comparison=comparison(),
    )
    (page,) = write_reports(["html"], reported, out)
    return page
