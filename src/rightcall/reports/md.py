"""md: Markdown made to be a comment on a pull request: verdict, figures, causes, the worst cases."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator
from typing import Final

from ..core.summing.comparison import Comparison, EvaluatorComparison
from ..core.summing.records import CaseRecord, ReportDeclaration, Reported, ResultRecord
from ..core.summing.summary import EvaluatorSummary, Interval95, RunSummary

DECLARATION = ReportDeclaration(
    id="md",
    meaning="Markdown for a comment on a pull request: verdict, figures, causes, the worst cases",
    file="report.md",
    compares=True,
)

MOST: Final = 64_000
"""Characters of a page. A comment on GitHub takes 65,536."""

SHOWN: Final = 10
"""Cases, and changed cases of a comparison, that are named."""

CAUSES: Final = 5
GATES: Final = 20
EVALUATORS: Final = 30


def write(reported: Reported) -> Iterator[str]:
    """The page, piece by piece."""
    yield page(reported)


def page(reported: Reported, *, cases: int = SHOWN, causes: int = CAUSES, most: int = MOST) -> str:
    """The page as one text of at most `most` characters.

    Args:
        reported: the run.
        cases, causes: how many are named.
    """
    summary = reported.summary
    end = f"\n<sub>{_code(summary.signature, 2000)}</sub>\n"
    left = most - len(end)
    kept: list[str] = []
    for part in _parts(reported, cases, causes):
        if len(part) > left:
            kept.append("\nThe rest is too long for this page; the run directory has it.\n")
            break
        kept.append(part)
        left -= len(part)
    return "".join(kept) + end


def _parts(reported: Reported, cases: int, causes: int) -> Iterator[str]:
    """The parts from the most important on; each is kept whole or left out with all that follow."""
    summary = reported.summary
    yield _head(summary)
    yield "".join(_figures(summary))
    yield "".join(_gates(summary))
    if reported.comparison is not None:
        yield "".join(_comparison(reported.comparison))
    yield "".join(_causes(summary, causes))
    yield "".join(_failing(reported.cases, cases))
    yield from (f"\n> {_cell(warning)}\n" for warning in summary.warnings[:3])


def _head(summary: RunSummary) -> str:
    missed = [gate for gate in summary.gates if not gate.met]
    if not summary.complete:
        word = "incomplete"
    elif missed:
        word = "missed"
    else:
        # That few cases are in error is no gate on what they scored (--no-gate).
        asked = any(gate.gate != "max_errors" for gate in summary.gates)
        word = "met" if asked or (summary.gates and not summary.failed) else "scored"
    counts = f"{summary.passed} of {summary.cases} cases passed"
    if summary.errors:
        counts += f", {summary.errors:,} ended in error"
    if summary.not_evaluated:
        counts += f", {summary.not_evaluated} not evaluated"
    return f"### rightcall: {word}\n\n{counts}.\n"


def _figures(summary: RunSummary) -> Iterator[str]:
    yield "\n| evaluator | mean | 95 % interval | pass rate | 95 % interval | scored | errors | not evaluated |\n"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|\n"
    known = list(summary.evaluators.items())
    for name, found in known[:EVALUATORS]:
        yield _row(name, found)
    if len(known) > EVALUATORS:
        yield f"\nand {len(known) - EVALUATORS} more evaluators.\n"


def _row(name: str, found: EvaluatorSummary) -> str:
    mean = "–" if found.mean is None else f"{found.mean:.3f}"
    rate = "–" if found.pass_rate is None else f"{found.pass_rate:.1%}"
    cells = (_cell(name), mean, _interval(found.mean_interval, ".3f"))
    counts = (
        rate,
        _interval(found.pass_rate_interval, ".1%"),
        found.scored,
        found.errors,
        found.not_evaluated,
    )
    return f"| {' | '.join(map(str, (*cells, *counts)))} |\n"


def _interval(interval: Interval95 | None, form: str) -> str:
    return "–" if interval is None else f"{interval.low:{form}} – {interval.high:{form}}"


def _gates(summary: RunSummary) -> Iterator[str]:
    """Every gate that was asked for, the missed ones first."""
    told = [gate for gate in summary.gates if not gate.met or gate.gate != "max_errors"]
    if not told:
        return
    yield "\n**Gates**\n\n"
    for gate in sorted(told, key=lambda gate: gate.met)[:GATES]:
        verdict = "met" if gate.met else "**missed**"
        yield f"- {verdict}: {_cell(gate.gate.replace('_', ' '))}: {_cell(gate.message, 600)}\n"
    if len(told) > GATES:
        yield f"- and {len(told) - GATES} more\n"


def _comparison(found: Comparison) -> Iterator[str]:
    yield f"\n**Against {_code(found.a.name)}: {found.verdict}**, over {found.cases} cases in both\n\n"
    yield "| evaluator | then | now | difference | 95 % interval | improved | regressed "
    yield "| p passes | p mean | Holm p | verdict |\n"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n"
    for name, each in list(found.evaluators.items())[:EVALUATORS]:
        yield _compared(name, each)
    yield (
        "\nHolm p decides: the smaller p of two tests, of passes (exact McNemar, one-sided) and of the mean, adjusted "
        "over the evaluators. p passes and p mean are these tests alone, two-sided.\n"
    )
    worse = [change for change in found.changes if change.direction == "regressed"][:SHOWN]
    if worse:
        yield "\n<details><summary>Cases that got worse</summary>\n\n"
        for change in worse:
            trial = "" if change.trial is None else f" [trial {change.trial}]"
            then, now = (_score(score) for score in (change.score_a, change.score_b))
            yield f"- {_code(change.id + trial)} {_cell(change.evaluator)}: {then} → {now}\n"
        yield "\n</details>\n"


def _compared(name: str, each: EvaluatorComparison) -> str:
    mean_a, mean_b = (_score(mean) for mean in (each.mean_a, each.mean_b))
    difference = "–" if each.mean_difference is None else f"{each.mean_difference:+.3f}"
    interval = "–"
    if each.mean_interval is not None:
        interval = f"{each.mean_interval.low:+.3f} – {each.mean_interval.high:+.3f}"
    cells = (_cell(name), mean_a, mean_b, difference, interval, each.improved.count, each.regressed.count)
    chances = (_chance(p) for p in (each.mcnemar_p, each.mean_p, each.holm_p))
    return f"| {' | '.join(map(str, (*cells, *chances)))} | {each.verdict} |\n"


def _chance(p: float | None) -> str:
    if p is None:
        return "–"
    return "&lt;0.001" if p < 0.001 else f"{p:.3f}"


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _causes(summary: RunSummary, limit: int) -> Iterator[str]:
    if not summary.causes:
        return
    scored = sum(found.scored > 0 for found in summary.evaluators.values())
    over = f", over all {scored} evaluators" if scored > 1 else ""
    yield f"\n**What the points were lost to{over}**\n\n| share | cause | where | cases | e.g. | try first |\n"
    yield "|---:|---|---|---:|---|---|\n"
    for cause in summary.causes[:limit]:
        where = _code(f"{cause.tool} {cause.path}".strip())
        example = _code(cause.examples[0]) if cause.examples else ""
        kind = cause.kind.replace("_", " ")
        yield f"| {cause.share:.1%} | {kind} | {where} | {cause.cases} | {example} | {_cell(cause.fix)} |\n"
    if len(summary.causes) > limit:
        yield f"\nand {len(summary.causes) - limit} more causes.\n"


def _failing(cases: Iterable[CaseRecord], limit: int) -> Iterator[str]:
    """Cases that did not pass: those that lost the most points, errors as all of them."""
    kept, more = worst(cases, limit)
    if not kept:
        return
    yield "\n<details><summary>Cases that did not pass, the worst first</summary>\n\n"
    for case in kept:
        cause = cause_of(case)
        yield f"- {_code(case.name)} {_cell(cause.evaluator)}: {_cell(cause.reason)}\n"
    if more:
        yield f"- and {more} more\n"
    yield "\n</details>\n"


def worst(cases: Iterable[CaseRecord], limit: int) -> tuple[list[CaseRecord], int]:
    """The cases that did not pass, those that lost the most points first; and how many more there are."""
    failed = 0

    def ranked() -> Iterator[tuple[float, int, CaseRecord]]:
        nonlocal failed
        for number, case in enumerate(cases):
            if case.passed is False:
                failed += 1
                yield _kept_share(case), number, case

    kept = [case for _, _, case in heapq.nsmallest(limit, ranked(), key=lambda item: item[:2])]
    return kept, failed - len(kept)


def _kept_share(case: CaseRecord) -> float:
    """The mean of a case's scores, an error being 0."""
    judged = [result.score or 0.0 for result in case.results if result.status != "not_evaluated"]
    return sum(judged) / len(judged) if judged else 0.0


def cause_of(case: CaseRecord) -> ResultRecord:
    """The result of a case that says best why it did not pass: the lowest, an error before all."""
    failing = [result for result in case.results if not result.passed and result.status != "not_evaluated"]
    return min(failing, key=lambda result: -1.0 if result.score is None else result.score)


_SPACE: Final = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_MARKUP: Final = re.compile(r"([\\`*_\[\]|~#])")
_BIDI: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of what follows, also outside the text they stand in."""


def _plain(text: str, limit: int) -> str:
    plain = _BIDI.sub("\ufffd", _SPACE.sub(" ", text[: 4 * limit])).strip()
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"


def _cell(text: str, limit: int = 240) -> str:
    """A text as itself: on one line, with no markup and no HTML in it."""
    plain = _plain(text, limit).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # A mention or an issue number would notify strangers.
    return _MARKUP.sub(r"\\\1", plain).replace("@", "@\u200b")


def _code(text: str, limit: int = 120) -> str:
    """A text in code: as it is, with a pipe that does not end the cell."""
    plain = _plain(text, limit).replace("|", "\\|")
    ticks = "``" if "`" in plain else "`"
    pad = " " if "`" in plain else ""
    return f"{ticks}{pad}{plain}{pad}{ticks}"
