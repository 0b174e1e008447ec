"""Ranks what points were lost to, for one evaluator and over a run, and says what to try first."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable
from copy import copy
from typing import Final

from msgspec import Struct

from ..core.diagnosis.kinds import KINDS
from ..core.summing.summary import CauseSummary
from ..core.summing.tally import CauseKey, EvaluatorTally, ScoreSums

__all__ = ["CauseSums", "added", "all_lost", "as_flag", "fix_for", "ranked", "sums_of"]


def fix_for(kind: str, tool: str, path: str, accept_with: str | None) -> str:
    """What to try first, in one sentence."""
    name = path.rpartition("/")[2] if path and not path.endswith("*") else path or "it"
    known = KINDS.get(kind)
    text = "look at the examples" if known is None else known.fix
    text = text.format(tool=tool or "the tool", name=name)
    if accept_with is None:
        return text if text.endswith("?") else f"{text}."
    # No full stop at the end: the flag is made to be copied.
    flag = as_flag(accept_with)
    return f"{text} with {flag}" if kind in _ACCEPT_ONLY else f"{text}; or accept it with {flag}"


def as_flag(accept_with: str) -> str:
    """An option as it is typed into a shell, from the form in which it stands in a configuration."""
    import shlex

    name, _, value = accept_with.partition("=")
    try:
        word = json.loads(value)
    except ValueError:
        word = None
    # The command line takes a plain word for a text.
    plain = isinstance(word, str) and word.isidentifier() and word not in ("true", "false", "null")
    shown = f"{name}={word}" if plain else f"{name}={value}".replace("\x7f", "\\u007f")
    return f"--option {shlex.quote(shown)}"


_ACCEPT_ONLY: Final = frozenset({"number_precision", "default_spelled_out"})


KEPT: Final = 100
"""Causes that a summary lists; the tally counts all of them."""


class _Sum(Struct):
    """One cause under one evaluator, or under several added up. Points are whole :data:`_UNIT` parts."""

    points: int
    cases: int
    differences: int
    examples: list[tuple[int, str]]
    message: str
    accept_with: str | None


CauseSums = dict[CauseKey, _Sum]

_UNIT: Final = 1 << 1074
"""Every double is a whole number of these parts, so sums of points are integers: exact, and fast to add."""


def sums_of(tally: EvaluatorTally) -> CauseSums:
    """The causes of one evaluator with the exact points that each cost."""
    return {
        key: _Sum(
            _points(cause.lost),
            cause.cases,
            cause.differences,
            cause.examples,
            cause.message,
            cause.accept_with,
        )
        for key, cause in tally.causes.items()
    }


def _points(lost: ScoreSums) -> int:
    counts = lost.counts
    if counts is None:
        total = lost.totals()[0]
        return total.numerator * (_UNIT // total.denominator)
    points = 0
    for score, times in counts.items():
        numerator, denominator = score.as_integer_ratio()
        points += numerator * times << (1075 - denominator.bit_length())
    return points


def all_lost(tally: EvaluatorTally) -> int:
    """All points that the scored cases of an evaluator lost, in parts."""
    total = tally.scores.n - tally.scores.totals()[0]
    return total.numerator * (_UNIT // total.denominator)


def ranked(sums: CauseSums, lost: int) -> tuple[CauseSummary, ...]:
    """The :data:`KEPT` costliest causes, ready to be read; `lost` is what they are shares of."""
    order = heapq.nsmallest(KEPT, sums, key=lambda key: (-sums[key].points, key))
    return tuple(_summary(key, sums[key], lost) for key in order)


def added(parts: Iterable[CauseSums]) -> CauseSums:
    """The causes of a run: points lost to one thing under several evaluators add up."""
    whole: CauseSums = {}
    for part in parts:
        for key, more in part.items():
            held = whole.get(key)
            if held is None:
                whole[key] = copy(more)
                continue
            held.points += more.points
            # Mostly the same cases under each evaluator, so they are not added.
            held.cases = max(held.cases, more.cases)
            held.differences = max(held.differences, more.differences)
            if more.examples < held.examples:
                held.message = more.message
            held.examples = sorted({*held.examples, *more.examples})[:2]
            held.accept_with = held.accept_with if held.accept_with == more.accept_with else None
    return whole


def _summary(key: CauseKey, found: _Sum, lost: int) -> CauseSummary:
    kind, tool, path = key
    return CauseSummary(
        kind=kind,
        tool=tool,
        path=path,
        cases=found.cases,
        differences=found.differences,
        # Integers divide with one rounding, however large they are.
        lost=found.points / _UNIT,
        share=found.points / lost if lost else 0.0,
        examples=tuple(case_id for _, case_id in found.examples),
        message=found.message,
        accept_with=found.accept_with,
        fix=fix_for(kind, tool, path, found.accept_with),
    )
