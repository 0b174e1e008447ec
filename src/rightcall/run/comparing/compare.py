"""Two runs side by side: which cases changed, by how much the scores differ, and how sure that is (contract 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from ...core.jsonvalue import class_in_words
from ...core.signature import Signature
from ...core.summing.comparison import ComparedRun, Comparison, EvaluatorComparison
from ...core.summing.finished import Run
from ...errors import SourceError, UsageError
from ..directory.replay import StoredRun
from ..directory.rundir import RESULTS, SourceRecord
from .contrast import LEVEL, Contrast
from .pairing import JudgedCase, Pairing, kept_cases, written_cases

__all__ = ["MOST_CHANGES", "RunSide", "compare", "compare_sides", "kept_side", "stored_side"]

MOST_CHANGES: Final = 1000
"""Changed cases of one direction that a comparison lists."""


class RunSide(Struct, frozen=True, kw_only=True):
    """One of two runs, ready to be walked through.

    Attributes:
        evaluators: ids, in order.
        sources: what it read; empty where that is not known.
        incomplete: why it does not cover its data; None where it does.
    """

    name: str
    signature: str
    evaluators: tuple[str, ...]
    cases: Iterator[JudgedCase]
    count: int
    sources: tuple[SourceRecord, ...] = ()
    incomplete: str | None = None


def compare(run_a: Run | str | Path, run_b: Run | str | Path, *, most: int = MOST_CHANGES) -> Comparison:
    """Compare two runs; `run_a` came before.

    Cases are matched by id and trial; where an id is repeated, in order. Both files are read once and side by side.

    Args:
        run_a, run_b: a run from :func:`rightcall.evaluate_cases`, or the path of a run directory.
        most: how many of the changed cases are listed, for each direction.

    Raises:
        UsageError: there is no such run directory, or no evaluator that both runs have.
        SourceError: a run can't be read, or the two have no case in common.
    """
    if isinstance(most, bool) or not isinstance(most, int) or most < 0:
        raise UsageError(f"{most!r} is not a number of cases", field="most")
    sides = (_side(run_a, "a", "run_a"), _side(run_b, "b", "run_b"))
    return compare_sides(*sides, most=most)[0]


def _side(run: Any, name: str, field: str) -> RunSide:
    if isinstance(run, Run):
        return kept_side(run, name)
    if isinstance(run, str | Path):
        return stored_side(StoredRun(Path(run)), str(run))
    raise UsageError(
        f"{class_in_words(run)} is not a run",
        field=field,
        hint="give what evaluate_cases returns, or the path of a run directory",
    )


def kept_side(run: Run, name: str) -> RunSide:
    """A run that is kept in memory."""
    return RunSide(
        name=name,
        signature=run.signature,
        evaluators=tuple(run.tally.evaluators),
        cases=kept_cases(run),
        count=len(run.results),
    )


def stored_side(stored: StoredRun, name: str) -> RunSide:
    """A run that was written."""
    return RunSide(
        name=name,
        signature=stored.summary.signature,
        evaluators=tuple(stored.summary.evaluators),
        cases=_all_of(stored),
        count=stored.summary.cases,
        sources=stored.record.sources,
        incomplete=stored.incomplete,
    )


def _all_of(stored: StoredRun) -> Iterator[JudgedCase]:
    """The cases of a run; a file that somebody shortened is no run."""
    place, count = stored.place / RESULTS, 0
    for case in written_cases(place):
        yield case
        count += 1
    if count != stored.summary.cases:
        raise SourceError(
            f"{place} holds {count:,} cases, its summary {stored.summary.cases:,}", hint="run it again"
        )


def compare_sides(a: RunSide, b: RunSide, *, most: int = MOST_CHANGES) -> tuple[Comparison, Contrast]:
    """The comparison, and the sums that it was made of.

    Raises:
        UsageError, SourceError: see :func:`compare`.
    """
    contrast = Contrast(shared_evaluators(a, b), most=most)
    pairing = Pairing(a.cases)
    for case in b.cases:
        contrast.add(pairing.push(case))
    contrast.add(pairing.finish())
    if not contrast.cases:
        raise SourceError(
            f"{a.name} and {b.name} have no case in common",
            hint="cases are matched by id and trial; are these runs of one data set?",
        )
    return comparison_of(a, b, contrast, pairing), contrast


def shared_evaluators(a: RunSide, b: RunSide) -> tuple[str, ...]:
    """The evaluators that both runs have, in the order of b.

    Raises:
        UsageError: there is none.
    """
    shared = tuple(name for name in b.evaluators if name in a.evaluators)
    if not shared:
        raise UsageError(
            f"{a.name} and {b.name} have no evaluator in common",
            hint=f"{a.name} has {_list(a.evaluators)}; {b.name} has {_list(b.evaluators)}",
        )
    return shared


def comparison_of(a: RunSide, b: RunSide, contrast: Contrast, pairing: Pairing) -> Comparison:
    """The finished comparison of what was counted."""
    found = contrast.compared()
    verdicts = {item.verdict for item in found.values()}
    return Comparison(
        a=ComparedRun(name=a.name, signature=a.signature, cases=a.count, complete=a.incomplete is None),
        b=ComparedRun(name=b.name, signature=b.signature, cases=b.count, complete=b.incomplete is None),
        cases=contrast.cases,
        only_in_a=contrast.only_in_a,
        only_in_b=contrast.only_in_b,
        lost=contrast.lost,
        lost_absent=contrast.lost_absent,
        evaluators=found,
        changes=contrast.changes,
        changed=contrast.changed,
        verdict="regressed"
        if "regressed" in verdicts
        else "improved"
        if "improved" in verdicts
        else "no difference shown",
        warnings=(*_made_otherwise(a, b), *_of_pairs(contrast, pairing), *_few_changes(found.values())),
    )


def _made_otherwise(a: RunSide, b: RunSide) -> Iterator[str]:
    """In what the two runs differ beside their cases."""
    for side in (a, b):
        if side.incomplete is not None:
            yield f"{side.name} is incomplete: {side.incomplete}"
    for one, other in ((a, b), (b, a)):
        alone = [name for name in one.evaluators if name not in other.evaluators]
        if alone:
            yield f"only {one.name} has {_list(alone)}"
    if a.signature and b.signature:
        yield from _signatures(a, b)
    for role in ("data", "expected", "tools") if a.sources and b.sources else ():
        was, now = ([s for s in side.sources if s.role == role] for side in (a, b))
        if [s.sha256 for s in was] != [s.sha256 for s in now]:
            words = {"data": "data", "expected": "expected calls", "tools": "tool definitions"}[role]
            yield f"they read different {words}: {_paths(was)}; {_paths(now)}"


def _signatures(a: RunSide, b: RunSide) -> Iterator[str]:
    was, now = Signature.parse(a.signature), Signature.parse(b.signature)
    if was.version != now.version:
        yield f"they were made by different versions: {was.version}; {now.version}"
    for words, before, after in (
        ("options", was.options, now.options),
        ("thresholds", was.thresholds, now.thresholds),
    ):
        names = sorted({*before, *after})
        differ = [name for name in names if before.get(name) != after.get(name)]
        if differ:
            said = "; ".join(f"{name}: {before.get(name)!r}, {after.get(name)!r}" for name in differ)
            yield f"they have different {words} ({said})"


def _of_pairs(contrast: Contrast, pairing: Pairing) -> Iterator[str]:
    repeated = pairing.repeated()
    if repeated:
        name, (was, now) = next(iter(repeated.items()))
        more = f", and {len(repeated) - 1:,} more ids" if len(repeated) > 1 else ""
        yield f"the id {name} stands {was} and {now} times{more}: such cases are matched in their order"
    if contrast.clustered:
        yield (
            "cases share a cluster, or are trials of one case: the interval of the mean counts clusters, "
            "McNemar's test counts each pair for itself"
        )


_FEW: Final = 6
"""Fewer changed cases than this, all one way, are no surprise to an exact test: 2 ** -5 is 0.03."""


def _few_changes(found: Iterable[EvaluatorComparison]) -> Iterator[str]:
    """Where an interval alone decided, from very few changes: it is then too narrow (docs/design/statistics.md)."""
    for item in found:
        changed = item.improved.count + item.regressed.count
        if item.verdict != "no difference shown" and changed < _FEW and item.mcnemar_p / 2 >= LEVEL:
            yield (
                f"{item.evaluator}: {item.verdict} by the interval of the mean alone, and only {changed} "
                f"{'case' if changed == 1 else 'cases'} changed: look at them before you trust it"
            )


def _paths(sources: list[SourceRecord]) -> str:
    return _list([source.path for source in sources]) or "none"


def _list(names: tuple[str, ...] | list[str]) -> str:
    shown = list(names[:5])
    return ", ".join(shown) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
