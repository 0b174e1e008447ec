"""md: one screen of Markdown, made to be a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ..core.records import CaseRecord, ReportDeclaration, Reported
from ..core.summary import EvaluatorSummary, Interval95, RunSummary

DECLARATION = ReportDeclaration(
    id="md",
    meaning="one screen of Markdown for a comment on a pull request",
    file="report.md",
)

SHOWN: Final = 10
"""Cases that are named."""

CAUSES: Final = 5


def write(reported: Reported) -> Iterator[str]:
    """The page, piece by piece."""
    summary = reported.summary
    yield _head(summary)
    yield "\n| evaluator | mean | 95 % interval | pass rate | scored | errors | not evaluated |\n"
    yield "|---|---:|---:|---:|---:|---:|---:|\n"
    for name, found in summary.evaluators.items():
        yield _row(name, found)
    yield from _gates(summary)
    yield from _causes(summary)
    yield from _failing(reported.cases)
    yield from (f"\n> {_cell(warning)}\n" for warning in summary.warnings[:3])
    yield f"\n<sub>{_code(summary.signature)}</sub>\n"


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
        counts += f", {summary.errors} ended in error"
    if summary.not_evaluated:
        counts += f", {summary.not_evaluated} not evaluated"
    return f"### rightcall: {word}\n\n{counts}.\n"


def _row(name: str, found: EvaluatorSummary) -> str:
    mean = "–" if found.mean is None else f"{found.mean:.3f}"
    rate = "–" if found.pass_rate is None else f"{found.pass_rate:.1%}"
    cells = (_cell(name), mean, _interval(found.mean_interval), rate, found.scored, found.errors)
    return f"| {' | '.join(map(str, cells))} | {found.not_evaluated} |\n"


def _interval(interval: Interval95 | None) -> str:
    return "–" if interval is None else f"{interval.low:.3f} – {interval.high:.3f}"


def _gates(summary: RunSummary) -> Iterator[str]:
    missed = [gate for gate in summary.gates if not gate.met]
    if missed:
        yield "\n**Missed**\n\n"
        yield from (f"- {_cell(gate.gate.replace('_', ' '))}: {_cell(gate.message)}\n" for gate in missed)


def _causes(summary: RunSummary) -> Iterator[str]:
    if not summary.causes:
        return
    scored = sum(found.scored > 0 for found in summary.evaluators.values())
    over = f", over all {scored} evaluators" if scored > 1 else ""
    yield f"\n**What the points were lost to{over}**\n\n| share | cause | where | cases | e.g. | try first |\n"
    yield "|---:|---|---|---:|---|---|\n"
    for cause in summary.causes[:CAUSES]:
        where = _code(f"{cause.tool} {cause.path}".strip())
        example = _code(cause.examples[0]) if cause.examples else ""
        kind = cause.kind.replace("_", " ")
        yield f"| {cause.share:.1%} | {kind} | {where} | {cause.cases} | {example} | {_cell(cause.fix)} |\n"
    if len(summary.causes) > CAUSES:
        yield f"\nand {len(summary.causes) - CAUSES} more causes.\n"


def _failing(cases: Iterable[CaseRecord]) -> Iterator[str]:
    more = 0
    for case in cases:
        if case.passed is not False:
            continue
        more += 1
        if more > SHOWN:
            continue
        if more == 1:
            yield "\n<details><summary>Cases that did not pass</summary>\n\n"
        cause = next(
            result for result in case.results if not result.passed and result.status != "not_evaluated"
        )
        yield f"- {_code(case.name)} {_cell(cause.evaluator)}: {_cell(cause.reason)}\n"
    if more > SHOWN:
        yield f"- and {more - SHOWN} more\n"
    if more:
        yield "\n</details>\n"


_SPACE: Final = re.compile(r"[\x00-\x20\x7f\u2028\u2029]+")
_MARKUP: Final = re.compile(r"([\\`*_\[\]|~#])")


def _cell(text: str) -> str:
    """A text as itself: on one line, with no markup and no HTML in it."""
    plain = _SPACE.sub(" ", text).strip()
    plain = plain if len(plain) <= 240 else plain[:239] + "…"
    plain = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # A mention or an issue number would notify strangers.
    return _MARKUP.sub(r"\\\1", plain).replace("@", "@\u200b")


def _code(text: str) -> str:
    """A text in code: as it is, with a pipe that does not end the cell."""
    plain = _SPACE.sub(" ", text).strip().replace("|", "\\|")
    ticks = "``" if "`" in plain else "`"
    pad = " " if "`" in plain else ""
    return f"{ticks}{pad}{plain}{pad}{ticks}"
