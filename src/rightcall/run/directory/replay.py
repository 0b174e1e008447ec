"""A written run, read back; and one case of it, read again from its source and scored again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from ...core.caseview import CaseView, case_view
from ...core.declare import BuiltIn
from ...core.explain import steps
from ...core.jsonvalue import show
from ...core.pairing.alignments import Alignments
from ...core.results import Alignment, Details, Result, Step
from ...core.scoring import seen_by
from ...core.signature import Signature
from ...core.summing.records import CaseRecord, Replay, ReplayedCase, RowPlace
from ...core.summing.tally import Tally
from ...core.types import Case, Source
from ...errors import PathNotFoundError, SourceError, UnknownNameError
from ..dataset import Dataset, Reading, parse_map, parse_where, tools_from_file
from ..intake.files import Record, SourceFile
from ..plan import Plan, PlannedEvaluator, make_plan
from ..reporting import read_cases
from ..stages import BadCase, Scorer
from .judged import kept_judging
from .rundir import file_record
from .runrecord import CASES, RECORD, RESULTS, read_record, read_summary

__all__ = ["PlayedCase", "StoredRun", "replay_of"]

Held = TypeVar("Held")


class PlayedCase(Struct, frozen=True, kw_only=True):
    """A case with its results and what they were made from; `details` and `steps` by evaluator.

    Attributes:
        alignments: how the evaluator saw the calls.
        steps: of evaluators that pair calls; None where there are too many calls to play them.
    """

    case: Case
    results: dict[str, Result]
    alignments: dict[str, Alignments]
    steps: dict[str, tuple[Step, ...] | None]

    @property
    def to_show(self) -> str | None:
        """The evaluator whose pairing is shown: the first that pairs calls, one that lost points before others."""
        pairing = [name for name, result in self.results.items() if result.details.rule is not None]
        lost = (
            name for name in pairing if self.steps[name] != () and (self.results[name].score or 0.0) < 1.0
        )
        return next(lost, next(iter(pairing), None))

    def view(self, evaluator: str, tool: str | None = None) -> CaseView | None:
        """The case as that evaluator saw it, ready to be shown."""
        return case_view(
            self.results[evaluator], self.alignments[evaluator], self.steps[evaluator], tool=tool
        )


class StoredRun:
    """A run directory that was written.

    Raises:
        PathNotFoundError: there is none.
        SourceError: it can't be read, or is of a later format.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        if not os.path.isdir(place) or not _is_there(place / RECORD):  # noqa: PTH112 - raises nothing
            hint = "a run is made by `rightcall run DATA ... --out DIR`"
            raise PathNotFoundError(f"no run directory: {place}", field="run", hint=hint)
        self.record = read_record(place)
        self.summary = read_summary(place)

    @property
    def incomplete(self) -> str | None:
        """Why the run does not cover its data; None where it does."""
        if self.summary.complete and self.record.complete:
            return None
        return _ENDED.get(self.record.ended, "the run did not end")

    def errors(self, most: int) -> list[CaseRecord]:
        """The first cases in error, at most so many."""
        if not self.summary.errors:
            return []
        return list(islice((case for case in self.cases() if case.has_error), most))

    def cases(self) -> Iterator[CaseRecord]:
        """Every case with its written results."""
        return read_cases(self.place / RESULTS)

    def find(self, case_id: str) -> list[CaseRecord]:
        """The case of that id, once for each trial.

        Raises:
            UnknownNameError: there is none; the error names the nearest.
        """
        found = [case for case in self.cases() if case.id == case_id]
        if not found:
            known = [case.id for case, _ in zip(self.cases(), range(2000), strict=False)]
            raise UnknownNameError("case", case_id, known[:2000], field="case")
        return found

    def play(self, found: CaseRecord, plan: Plan) -> PlayedCase | None:
        """A case read and scored again; None where nothing could be read of it.

        Raises:
            SourceError: a source has changed since.
        """
        case = self.again(found)
        if not isinstance(case, Case):
            return None
        results = dict(zip(plan.ids, Scorer(plan, Tally()).score(case), strict=True))
        views = {
            planned.id: seen_by(results[planned.id], case, planned.options.comparing)
            for planned in plan.evaluators
        }
        return PlayedCase(
            case=case,
            results=results,
            alignments=views,
            steps={
                planned.id: _steps(planned, views[planned.id], results[planned.id])
                for planned in plan.evaluators
            },
        )

    def again(self, found: CaseRecord) -> Case | BadCase | None:
        """A case read again from its source, as it was when the run was made.

        Raises:
            SourceError: a source has changed since.
        """
        return self.all_again((found,))[0]

    def all_again(self, found: Sequence[CaseRecord]) -> list[Case | BadCase | None]:
        """Cases read again from their source, in one go through it; None where nothing can be read of one.

        Raises:
            SourceError: a source has changed since.
        """
        self._check_sources()
        read = self._rows_at([record.row for record in found])
        return [_at(read, record) for record in found]

    def replay(self, cases: Sequence[CaseRecord], plan: Plan) -> Iterator[ReplayedCase | None]:
        """Cases as :data:`Replay` gives them: the sources are checked once, and each file is read once.

        Evaluators of somebody's own are not asked again: they may be slow, or cost something.

        Raises:
            SourceError: a source has changed since.
        """
        self._check_sources()
        read = self._rows_at([found.row for found in cases])
        own = (planned for planned in plan.evaluators if isinstance(planned.evaluator, BuiltIn))
        known = msgspec.structs.replace(plan, evaluators=tuple(own))
        for found in cases:
            case = _at(read, found)
            yield _replayed(case, known) if isinstance(case, Case) else None

    def plan(self, evaluators: tuple[object, ...]) -> Plan:
        """The plan of the run, from its signature; `evaluators` as they were asked for, resolved."""
        signature = Signature.parse(self.summary.signature)
        thresholds: dict[str | None, float] = dict(signature.thresholds.items())
        plan = make_plan(
            evaluators,  # type: ignore[arg-type]  # ids and evaluators
            suite=self.record.request.suite,
            options=signature.options,
            thresholds=thresholds,
            model=signature.judge,
            judging=kept_judging(self.place),
        )
        # A suite may have got a member since.
        then = tuple(planned for planned in plan.evaluators if planned.id in signature.evaluators)
        return plan if len(then) == len(plan.evaluators) else msgspec.structs.replace(plan, evaluators=then)

    def data(self) -> Dataset:
        """All cases of the run, to be read again.

        Raises:
            SourceError: a source has changed since.
        """
        self._check_sources()
        data = self.record.request.data
        place = self.place / CASES if data == "-" else self._path(data)
        return Dataset(str(place), expected=self._expected(), reading=self._reading())

    def _reading(self) -> Reading:
        """How the rows of the run were read."""
        request = self.record.request
        tools = None if request.tools is None else tools_from_file(str(self._path(request.tools)))
        return Reading(
            format=request.format,
            columns=parse_map(request.map),
            tools=tools,
            tags=request.tags,
            where=parse_where(request.where),
        )

    def _expected(self) -> str | None:
        expected = self.record.request.expected
        return None if expected is None else str(self._path(expected))

    def _rows_at(self, rows: Sequence[RowPlace]) -> _Rows:
        """The rows at these places, by place."""
        if not rows:
            return {}
        reading, expected = self._reading(), self._expected()
        by_file: dict[str, list[RowPlace]] = {}
        for row in rows:
            by_file.setdefault(row.file or "-", []).append(row)
        places = {file: self.place / CASES if file == "-" else self._path(file) for file in by_file}
        data = Dataset(str(next(iter(places.values()))), expected=expected, reading=reading)
        picked: list[SourceFile] = []
        for file, place in places.items():
            source = _Picked(file, place, by_file[file])
            source.recordings = Dataset(str(place), reading=reading).sources[0].recordings
            picked.append(source)
        data.sources = picked
        found: _Rows = {}
        for case in data:
            at = case.source or Source()
            found.setdefault((at.path, at.line, at.offset), []).append(case)
        return found

    def _path(self, named: str) -> Path:
        """A path as it was given: from where the run was made, or from here where that is gone."""
        there = self.place / self.record.request.cwd / named
        return there if there.exists() else Path(named)

    def _check_sources(self) -> None:
        for source in self.record.sources:
            place = self.place / CASES if source.path == "-" else self._path(source.path)
            hint = "run it again, or put the old file back"
            if not place.exists():
                raise SourceError(f"{source.path} is gone since the run", field="source", hint=hint)
            size = place.stat().st_size
            changed = size != source.size
            if not changed and source.sha256 is not None:
                changed = file_record(source.role, place, source.path).sha256 != source.sha256
            if changed:
                raise SourceError(f"{source.path} has changed since the run", field="source", hint=hint)


def _is_there(file: Path) -> bool:
    """Whether a file exists.

    Raises:
        SourceError: its folder can't be looked into.
    """
    try:
        return file.exists()
    except OSError as error:
        raise SourceError(f"{file.parent} can't be read: {error.strerror}") from None


_Rows = dict[tuple[str | None, int | None, int | None], list[Case | BadCase]]
"""Rows by file, line and offset; one line may hold several recordings."""


def _at(read: _Rows, record: CaseRecord) -> Case | BadCase | None:
    """The case that was read at a record's place; None where there is none, or where nothing tells which it is."""
    row = record.row
    found = read.get((row.file or "-", row.line, row.offset), [])
    if row.offset is None and len(found) > 1:
        found = [case for case in found if case.id == record.id]
        return found[0] if len(found) == 1 else None
    return found[0] if found else None


class _Picked(SourceFile):
    """Some rows of a file."""

    def __init__(self, path: str, place: Path, rows: Sequence[RowPlace]) -> None:
        super().__init__(path, place)
        self._file = place
        self._rows = rows

    def records(self) -> Iterator[Record]:
        if self.recordings is None and self._is_lines():
            with self._file.open("rb") as file:
                for row in self._rows:
                    if row.offset is None:
                        continue
                    file.seek(row.offset)
                    data = file.readline().removesuffix(b"\n")
                    place = Source(path=self.path, line=row.line, offset=row.offset, length=len(data))
                    yield Record(source=place, data=data)
            return
        wanted = {(row.line, row.offset) for row in self._rows}
        for record in super().records():
            if (record.source.line, record.source.offset) in wanted:
                yield record
                if len(self._rows) == 1 and self.recordings is None:
                    return

    def _is_lines(self) -> bool:
        """Whether offsets count from the start of the file itself, and rows end with their line."""
        if not self._file.name.endswith((".jsonl", ".ndjson")):
            return False
        with self._file.open("rb") as file:
            return file.read(4)[:2] not in (b"\x1f\x8b", b"\x28\xb5")


_ENDED: Final = {"interrupted": "the run was interrupted", "broken": "the data of the run broke off"}

MOST_PLAYED: Final = 250_000
"""Combinations of calls up to which steps are played: each step looks at every expected call that is left."""


def replay_of(run: Path, plan: Plan) -> Replay:
    """How the cases of a run directory are had again; it is opened when the first one is asked for."""

    def replay(cases: Sequence[CaseRecord]) -> Iterator[ReplayedCase | None]:
        yield from StoredRun(run).replay(cases, plan)

    return replay


def _replayed(case: Case, plan: Plan) -> ReplayedCase:
    """A case scored again, and seen as the evaluator of :attr:`PlayedCase.to_show` saw it."""
    results = dict(zip(plan.ids, Scorer(plan, Tally()).score(case), strict=True))
    planned = {each.id: each for each in plan.evaluators}
    pairing: dict[str, tuple[Step, ...] | None] = {
        name: None if each.evaluator.declaration.pairs_calls else () for name, each in planned.items()
    }
    shown = PlayedCase(case=case, results=results, alignments={}, steps=pairing).to_show
    seen: CaseView | None = None
    if shown is not None:
        alignments = seen_by(results[shown], case, planned[shown].options.comparing)
        seen = case_view(results[shown], alignments, _steps(planned[shown], alignments, results[shown]))
    return ReplayedCase(input=_asked(case.input), tags=case.tags, view=seen)


_ASKED: Final = 2000
"""Characters of an input that are kept."""


def _asked(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return (
            value
            if value is None or len(value) <= _ASKED
            else f"{value[:_ASKED]}… ({len(value):,} characters)"
        )
    return show(value, _ASKED)


def _steps(planned: PlannedEvaluator, alignments: Alignments, result: Result) -> tuple[Step, ...] | None:
    details: Details = result.details
    if details.rule is None or not planned.evaluator.declaration.pairs_calls:
        return ()
    if len(alignments.actual) * len(alignments.expected) > MOST_PLAYED:
        return None
    alignment = Alignment(
        rule=details.rule, pairs=details.pairs, missing=details.missing, extra=details.extra
    )
    return steps(alignments, alignment)
