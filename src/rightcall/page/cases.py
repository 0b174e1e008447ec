"""The cases of the page: all of them as columns, and the details of the worst."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import nsmallest
from typing import Any, Final

import msgspec
from msgspec import Struct

from ..core.paths import any_index
from ..core.summing.records import CaseRecord, Replay, ReplayedCase, ResultRecord
from ..errors import SourceError
from .packed import cut, plain, slim

__all__ = ["DETAILED", "pack_cases"]

DETAILED: Final = 2000
"""Cases, the worst, that the page holds the details of."""

_ID: Final = 200
_KINDS: Final = 12
"""Differences by which a case of the list is found."""

_DIFFERENCES: Final = 40


class _Difference(Struct, gc=False):
    """What of a written difference tells what went wrong; see :class:`rightcall.core.results.Difference`."""

    kind: str
    path: str = ""
    message: str = ""
    accept_with: str | None = None
    tool: str = ""
    actual_call: int | None = None
    expected_call: int | None = None


class _Details(Struct, gc=False):
    differences: tuple[_Difference, ...] = ()


_decode = msgspec.json.Decoder(_Details).decode


def pack_cases(
    cases: Iterable[CaseRecord], replay: Replay | None, shown: Collection[str] = ()
) -> dict[str, Any]:
    """The data of the case list and of the case view.

    Args:
        cases: in the order of the input.
        replay: see :data:`~rightcall.core.summing.records.Replay`.
        shown: ids of cases that the page points to, which have details whether or not they are among the worst.

    Returns:
        Columns with one entry a case, in the order of the input, `details` by row, and `without` where a
        source has changed: why the details show no calls.
    """
    columns = _Columns()
    named = frozenset(shown)
    worst = nsmallest(
        DETAILED, columns.taking(cases), key=lambda item: (item[1].id not in named, *_badness(item))
    )
    packed = columns.packed()
    replayed, without = _replayed([case for _, case in worst], replay)
    packed["details"] = {
        str(row): _detail(case, again) for (row, case), again in zip(worst, replayed, strict=True)
    }
    if without is not None:
        packed["without"] = cut(without)
    return packed


def _badness(item: tuple[int, CaseRecord]) -> tuple[int, float, int]:
    """The worst first: of what did not pass the lowest mean, where an error counts 0; what passed comes last."""
    row, case = item
    verdict = {False: 0, None: 1, True: 2}[case.passed]
    scores = [result.score or 0.0 for result in case.results if result.status != "not_evaluated"]
    return verdict, sum(scores) / len(scores) if scores else 0.0, row


class _Columns:
    """The list of cases, column by column: like stands beside like, which packs well."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._ids: list[str] = []
        self._trials: list[int | None] = []
        self._files: dict[str, int] = {}
        self._file: list[int] = []
        self._lines: list[int | None] = []
        self._verdicts: list[str] = []
        self._outcomes: list[list[str]] = []
        self._scores: list[list[float | None]] = []
        self._kinds: dict[tuple[str, str, str], int] = {}
        self._why: list[list[int]] = []

    def taking(self, cases: Iterable[CaseRecord]) -> Iterator[tuple[int, CaseRecord]]:
        """The cases with their row, each taken into the columns on its way."""
        for row, case in enumerate(cases):
            self._take(case)
            yield row, case

    def _take(self, case: CaseRecord) -> None:
        if not self._names:
            self._names = [result.evaluator for result in case.results]
            self._outcomes = [[] for _ in self._names]
            self._scores = [[] for _ in self._names]
        self._ids.append(cut(case.id, _ID))
        self._trials.append(case.trial)
        self._file.append(self._files.setdefault(case.row.file or "", len(self._files)))
        self._lines.append(case.row.line)
        verdict = {True: "P", False: "F", None: "N"}[case.passed]
        self._verdicts.append("E" if case.has_error else verdict)
        why: dict[int, None] = {}
        for outcomes, scores, result in zip(self._outcomes, self._scores, case.results, strict=True):
            outcomes.append(_outcome(result))
            scores.append(None if result.score is None else round(result.score, 6))
            if result.score is not None and result.score < 1.0:
                for item in _decode(result.details).differences[:_KINDS]:
                    key = (item.kind, item.tool, any_index(item.path))
                    why[self._kinds.setdefault(key, len(self._kinds))] = None
        self._why.append(list(why)[:_KINDS])

    def packed(self) -> dict[str, Any]:
        """The columns as the page reads them; verdicts and outcomes are texts of one letter a case."""
        return {
            "evaluators": [cut(name) for name in self._names],
            "ids": self._ids,
            "trials": self._trials if any(trial is not None for trial in self._trials) else None,
            "files": [cut(name) for name in self._files],
            "file": self._file if len(self._files) > 1 else None,
            "lines": self._lines,
            "verdicts": "".join(self._verdicts),
            "outcomes": ["".join(column) for column in self._outcomes],
            "scores": self._scores,
            "kinds": [[kind, cut(tool), cut(path)] for kind, tool, path in self._kinds],
            "why": self._why,
        }


def _outcome(result: ResultRecord) -> str:
    if result.status == "scored":
        return "P" if result.passed else "F"
    return "E" if result.status == "error" else "N"


def _replayed(
    cases: Sequence[CaseRecord], replay: Replay | None
) -> tuple[list[ReplayedCase | None], str | None]:
    """The cases again from their source, and why not where they can't be had."""
    if replay is None or not cases:
        return [None] * len(cases), None
    try:
        return list(replay(cases)), None
    except SourceError as error:
        return [None] * len(cases), error.message


def _detail(case: CaseRecord, again: ReplayedCase | None) -> dict[str, Any]:
    detail: dict[str, Any] = {
        "results": [
            slim({"reason": result.reason, "warnings": result.warnings, "threshold": result.threshold})
            for result in case.results
        ]
    }
    view = None if again is None else again.view
    if again is not None:
        detail |= slim({"input": again.input, "tags": again.tags})
    if view is None:
        detail["differences"] = _differences(case)
        return detail
    packed = plain(view)
    for item in packed.get("differences", ()):
        # Both values stand in the message, and the calls above it.
        item.pop("expected", None)
        item.pop("actual", None)
    if view.steps is None:
        packed["steps"] = None
    return detail | {"view": packed}


def _differences(case: CaseRecord) -> list[Any]:
    """The written differences of the evaluator that lost the most, where the calls can't be shown."""
    scored = [result for result in case.results if result.score is not None]
    found: tuple[_Difference, ...] = ()
    for result in sorted(scored, key=lambda each: each.score or 0.0):
        found = found or _decode(result.details).differences
    return [plain(item) for item in found[:_DIFFERENCES]]
