"""The figures of the local judge on the halves that nobody fitted or tuned on, against its targets."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import measured
import numpy as np
from labelled import Call, benchmark, calls, own
from measured import Numbers

from rightcall.core.arguments import Given
from rightcall.core.ask import Question
from rightcall.core.types import ToolCall
from rightcall.judges.local.judge import LocalJudge
from rightcall.judges.local.values import judge_values
from rightcall.judges.local.verdict import about

CHANGES = ("digit", "month", "am_pm", "unit", "off_by_one", "path", "email", "currency")
PAIRS_TIMED = 4000


class Scored(NamedTuple):
    """Chances and labels of some pairs, with their tools and what decided."""

    chances: Numbers
    labels: Numbers
    tools: list[str]
    by: list[str]
    rows: list[dict[str, Any]]

    def of(self, keep: Callable[[dict[str, Any]], bool]) -> Scored:
        """The part of them that is wanted."""
        places = [place for place, row in enumerate(self.rows) if keep(row)]
        picked = ([each[place] for place in places] for each in (self.tools, self.by, self.rows))
        return Scored(self.chances[places], self.labels[places], *picked)  # type: ignore[arg-type]


class Row(NamedTuple):
    """A line of the table: what, the figure, its interval, what must and what may be, and whether more is better."""

    name: str
    value: float
    low: float
    high: float
    must: float
    aim: float
    rising: bool
    pairs: int

    @property
    def holds(self) -> bool:
        """Whether the figure is what it must be."""
        return self.value >= self.must if self.rising else self.value <= self.must


def scored(rows: Sequence[dict[str, Any]]) -> Scored:
    """What the judge says about pairs of values."""
    found = [
        judge_values(row["a"], row["b"], about(row["argument"], row["schema"], row["tool"])) for row in rows
    ]
    return Scored(
        np.array([each.probability for each in found]),
        np.array([float(row["equivalent"]) for row in rows]),
        [row["tool"] for row in rows],
        [each.by for each in found],
        list(rows),
    )


def scored_calls(made: Sequence[Call]) -> Scored:
    """What the judge says about whole calls."""
    asked = [
        Question(
            actual=0,
            expected=0,
            actual_call=ToolCall(name=name, raw=Given(b)),
            expected_call=ToolCall(name=name, raw=Given(a)),
            tool_schema=schema,
        )
        for name, a, b, schema, _ in made
    ]
    answers = LocalJudge().answer(asked)
    labels = np.array([float(call[4]) for call in made])
    chances = np.array([answer.probability or 0.0 for answer in answers])
    return Scored(chances, labels, [call[0] for call in made], ["local"] * len(made), [{}] * len(made))


def _row(name: str, figure: measured.Figure, found: Scored, must: float, aim: float, *, rising: bool) -> Row:
    low, high = measured.interval(figure, found.chances, found.labels, found.tools)
    value = figure(found.chances, found.labels)
    return Row(name, value, low, high, must, aim, rising, len(found.labels))


def _share(name: str, found: Scored, must: float, aim: float, *, rising: bool) -> Row:
    """The share of pairs that are accepted at .5."""
    hits, of = int((found.chances >= 0.5).sum()), len(found.chances)
    low, high = measured.share_interval(hits, of)
    return Row(name, hits / max(of, 1), low, high, must, aim, rising, of)


def own_rows(mine: Scored) -> list[Row]:
    """The figures on the own pairs."""
    pairs = mine.of(lambda row: row["group"] != "injected")
    hard = mine.of(lambda row: row["group"] == "hard")
    return [
        _row("AUC, all", measured.auc, pairs, 0.980, 0.990, rising=True),
        _row("AUC, hard pairs only", measured.auc, hard, 0.980, 0.992, rising=True),
        _row("average precision", measured.average_precision, pairs, 0.96, 0.98, rising=True),
        _row("Brier", measured.brier, pairs, 0.035, 0.022, rising=False),
        _row("log loss", measured.log_loss, pairs, 0.13, 0.085, rising=False),
        _row("ECE", measured.ece, pairs, 0.035, 0.02, rising=False),
        _share("formats accepted", mine.of(lambda row: row["group"] == "format"), 0.98, 0.995, rising=True),
        _share(
            "small changes accepted", mine.of(lambda row: row["kind"] in CHANGES), 0.01, 0.002, rising=False
        ),
        _share(
            "instructions accepted", mine.of(lambda row: row["group"] == "injected"), 0.0, 0.0, rising=False
        ),
    ]


def shared_rows(half: str) -> list[Row]:
    """The figures on the shared data; none where it is absent."""
    rows = benchmark(half)
    if not rows:
        return []
    pairs, whole = scored(rows), scored_calls(calls(half))
    return [
        _row("whole calls: AUC", measured.auc, whole, 0.97, 0.985, rising=True),
        _row("whole calls: ECE", measured.ece, whole, 0.05, 0.03, rising=False),
        _row("benchmark pairs: AUC", measured.auc, pairs, 0.965, 0.98, rising=True),
        _row(
            "benchmark pairs: average precision", measured.average_precision, pairs, 0.965, 0.98, rising=True
        ),
        _row("benchmark pairs: Brier", measured.brier, pairs, 0.05, 0.04, rising=False),
        _row("benchmark pairs: ECE", measured.ece, pairs, 0.05, 0.025, rising=False),
    ]


def milliseconds_a_pair(rows: Sequence[dict[str, Any]]) -> float:
    """CPU a pair, caches cleared before, each pair once: the least of three goes."""
    import gc

    judged = [(row["a"], row["b"], about(row["argument"], row["schema"], row["tool"])) for row in rows]
    best = float("inf")
    for _ in range(3):
        _forget()
        gc.collect()
        start = time.process_time()
        for a, b, known in judged:
            judge_values(a, b, known)
        best = min(best, (time.process_time() - start) / len(judged) * 1000)
    return best


def _forget() -> None:
    """Empty every cache of the local judge's modules but those of schemas and parsers, which a run fills once."""
    for name, module in list(sys.modules.items()):
        if name.startswith("rightcall.judges.local") and not name.endswith(
            (".values", ".verdict", ".tables", ".regression")
        ):
            for each in vars(module).values():
                if hasattr(each, "cache_clear"):
                    each.cache_clear()


_FIRST = """
import time, json
before = time.process_time()
from rightcall.judges.local.judge import LocalJudge
from rightcall.judges.local.values import judge_values
from rightcall.judges.local.verdict import about
LocalJudge()
judge_values("two hotels in Z\\u00fcrich", "2 hotel in Zurich", about("query", None))
judge_values("Paris", "Paris, France", about("city", None))
judge_values("Nov 12 2025", "2025-11-12", about("date", None))
print(time.process_time() - before)
"""


def first_pair_seconds() -> float:
    """CPU of the first pairs with all imports but phones, over a bare rightcall: the least of seven."""
    script = "import rightcall.core.ask\n" + _FIRST
    run = [sys.executable, "-c", script]
    return min(
        float(subprocess.run(run, check=True, capture_output=True, text=True).stdout) for _ in range(7)
    )


def symmetry(rows: Sequence[dict[str, Any]]) -> tuple[float, bool]:
    """The greatest difference between both directions, and whether a second go is equal to the bit."""
    worst, same = 0.0, True
    for row in rows:
        known = about(row["argument"], row["schema"], row["tool"])
        one, other = judge_values(row["a"], row["b"], known), judge_values(row["b"], row["a"], known)
        worst = max(worst, abs(one.probability - other.probability))
        same = same and one == judge_values(row["a"], row["b"], known)
    return worst, same


def all_pairs() -> list[dict[str, Any]]:
    """Every pair there is, for speed and symmetry."""
    return [*own("fit"), *own("test"), *benchmark("fit"), *benchmark("test")]
