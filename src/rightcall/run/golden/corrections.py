"""Cases that every run of a golden set fails alike, and what the set would have to say for them to pass.

When agents that differ all do the same thing, the set may be wrong. Whether it is, a person decides: what comes out
of here is a patch, never a changed file. What is proposed has been tried: every trial of the case in every run is
scored again with it, and passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from ...core.declare import BuiltIn
from ...core.jsonvalue import InvalidJSONError, canonical_key, same_value
from ...core.results import Difference, Pair
from ...core.summing.records import CaseRecord, ResultRecord
from ...core.summing.tally import Tally
from ...core.types import Case, Expectation
from ...errors import DataError, RightcallError, SourceError
from ..directory.replay import StoredRun
from ..plan import Plan, make_plan
from ..rows import case_from_line
from ..sets import EVALUATORS, PRESETS
from ..stages import Scorer
from .corrected import Failure, corrected_calls, made_calls
from .gold_rows import GoldRow, gold_rows

__all__ = ["Correction", "corrections"]


class Correction(Struct, frozen=True, kw_only=True):
    """A case that all runs fail alike.

    Attributes:
        case: its id.
        differences: how it fails, in words.
        proposed: what would have to change, in words; empty where nothing is proposed.
        unproposed: why nothing is proposed.
        calls: the expected calls as they would have to be; None where nothing is proposed.
        path: which of several expected paths they stand for.
    """

    case: str
    differences: tuple[str, ...]
    proposed: tuple[str, ...] = ()
    unproposed: str | None = None
    calls: list[Any] | None = None
    path: int | None = None


def corrections(gold: str, runs: Sequence[Path]) -> list[Correction]:
    """The cases of a golden set that all `runs` fail in the same way, in every trial.

    Raises:
        PathNotFoundError, SourceError: a run or the set can't be read.
    """
    stored = [_Run(StoredRun(run)) for run in runs]
    rows: dict[str, list[GoldRow]] = {}
    for row in gold_rows(gold):
        rows.setdefault(row.case.id, []).append(row)
    alike: list[Correction] = []
    for case, first in stored[0].failures.items():
        failed = [run.failures.get(case) for run in stored]
        manners = [_manner(found) for each in failed for _, found in each or ()]
        if None in failed or any(manner != manners[0] for manner in manners):
            continue
        alike.append(_correction(case, first[0][1], rows.get(case, ()), stored))
    return alike


class _Details(Struct, frozen=True):
    """What is needed of the details of a result; `slots` as in `SlotAlignments.marks`."""

    rule: str | None = None
    pairs: tuple[Pair, ...] = ()
    differences: tuple[Difference, ...] = ()
    slots: tuple[int, ...] | None = None
    path: int | None = None


class _Run:
    """A run that is asked about.

    Attributes:
        failures: by case its trials with their failures, where each of them failed.
    """

    def __init__(self, stored: StoredRun) -> None:
        self._stored = stored
        self._scorer: Scorer | None = None
        self._again: dict[str, list[Case] | None] = {}
        trials: dict[str, list[tuple[CaseRecord, Failure] | None]] = {}
        for record in stored.cases():
            trials.setdefault(record.id, []).append(_failed(record))
        self.failures = {
            case: [found for found in each if found is not None]
            for case, each in trials.items()
            if None not in each
        }
        self._wanted = [record for each in self.failures.values() for record, _ in each]

    def trials(self, case: str) -> list[Case] | None:
        """The trials of a case with the calls made; None where they can't be had again."""
        if self._wanted:
            try:
                read = self._stored.all_again(self._wanted)
            except SourceError:
                read = [None] * len(self._wanted)
            for record, found in zip(self._wanted, read, strict=True):
                known = self._again.setdefault(record.id, [])
                readable = isinstance(found, Case) and all(
                    call.arguments is not None for call in found.actual or ()
                )
                if known is not None and isinstance(found, Case) and readable:
                    known.append(found)
                else:
                    self._again[record.id] = None
            self._wanted = []
        return self._again.get(case)

    def passes(self, case: str, expected: Expectation) -> bool:
        """Whether every trial of a case would pass with these expected calls."""
        scorer = self._scorer = self._scorer or Scorer(_plan(self._stored), Tally())
        for trial in self.trials(case) or ():
            results = scorer.score(replace(trial, expected=expected, recorded=None))
            scored = [result.passed for result in results if result.status != "not_evaluated"]
            if not scored or not all(scored):
                return False
        return True


def _plan(stored: StoredRun) -> Plan:
    """The evaluators of a run that can be asked again: no judge, and nobody's own. Without any, equal calls pass."""
    known = [
        name
        for name in stored.record.request.evaluators or ()
        if name in EVALUATORS or name.partition(".")[0] in PRESETS
    ]
    try:
        plan = stored.plan(tuple(known))
    except RightcallError:  # the options belong to one that is left out
        return make_plan(["trajectory_match"])
    kept = tuple(
        each
        for each in plan.evaluators
        if isinstance(each.evaluator, BuiltIn)
        and each.absent is None
        and each.evaluator.declaration.kind == "code"
    )
    return replace(plan, evaluators=kept) if kept else make_plan(["trajectory_match"])


def _failed(record: CaseRecord) -> tuple[CaseRecord, Failure] | None:
    """A failed trial with what the first evaluator found that found anything; None for any other."""
    if record.passed is not False or record.has_error:
        return None
    found = next((found for result in record.results if (found := _found(result)) is not None), None)
    return None if found is None else (record, found)


def _found(result: ResultRecord) -> Failure | None:
    details = msgspec.json.decode(result.details, type=_Details)
    if details.rule is None or result.passed or not details.differences:
        return None
    slots = details.slots
    if slots is None:
        return Failure(details.pairs, details.differences, details.path)
    # Places of one expected call are that call, as it stands in the set.
    return Failure(
        tuple(Pair(pair.actual, slots[pair.expected], pair.credit) for pair in details.pairs),
        tuple(
            item if item.expected_call is None else replace(item, expected_call=slots[item.expected_call])
            for item in details.differences
        ),
        details.path,
    )


def _manner(failure: Failure) -> list[tuple[Any, ...]]:
    """What two failures have in common when they are the same."""
    return sorted(
        (
            item.kind,
            item.tool,
            item.path,
            -1 if item.expected_call is None else item.expected_call,
            _key(item.actual),
            item.message if item.kind in ("renamed_key", "nesting") else "",  # it alone has the other place
        )
        for item in failure.differences
    )


def _key(value: Any) -> str:
    return "" if value is UNSET else canonical_key(value).decode("utf-8", "replace")


_STEPS: Final = (
    {"narrow": True, "in_order": False},
    {"narrow": False, "in_order": False},
    {"narrow": False, "in_order": True},
)
"""Ways to correct a list of calls, from the one that changes least."""


def _correction(case: str, failure: Failure, rows: Sequence[GoldRow], runs: Sequence[_Run]) -> Correction:
    words = tuple(
        dict.fromkeys(
            f"{item.tool}: {item.message}" if item.path else item.message for item in failure.differences
        )
    )
    correction = Correction(case=case, differences=words, path=failure.path)
    written = [row.calls(failure.path) for row in rows]
    if not rows or written[0] is None:
        return replace(correction, unproposed="its expected calls are not in the set")
    if any(not same_value(each, written[0]) for each in written[1:]):
        return replace(correction, unproposed="its rows expect different calls")
    if any(run.trials(case) is None for run in runs):
        return replace(correction, unproposed="the calls made can't be read again")
    made = (runs[0].trials(case) or [])[0].actual or ()
    for how in (*_STEPS, None):
        calls, said = made_calls(made) if how is None else corrected_calls(written[0], made, failure, **how)
        if _tried(case, calls, rows, failure.path, runs):
            return replace(correction, proposed=tuple(said), calls=calls)
    return replace(correction, unproposed="no other expected calls make all of its trials pass")


def _tried(
    case: str, calls: list[Any], rows: Sequence[GoldRow], path: int | None, runs: Sequence[_Run]
) -> bool:
    """Whether all trials of all runs pass with these expected calls, read from each row as it would be."""
    for row in rows:
        try:
            changed = case_from_line(row.with_calls(calls, path).encode(), row=0, source=row.source)
        except (DataError, InvalidJSONError):
            return False
        if changed.expected is None or not all(run.passes(case, changed.expected) for run in runs):
            return False
    return True
