"""Runs: what was asked for and how far it is, in the database; results, as of every run, in a run directory."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import delete, func, select, update

from ...core.summing.records import ResultRecord
from ...errors import PathNotFoundError, SourceError
from ...run.directory.replay import StoredRun
from ...run.directory.runrecord import RESULTS
from ...run.plan import Plan
from .asked import Asked, GatesAsked
from .cursors import after
from .datasets import Datasets
from .problems import RefusedError
from .store.database import Database, now
from .store.near import not_there
from .store.tables import RUNS

__all__ = ["Page", "RunRecord", "Runs", "RunRequest", "State"]

State = Literal["queued", "running", "complete", "cancelled", "failed"]
Number = Annotated[int, Meta(ge=1, lt=1 << 31)]
GOING: Final = ("queued", "running")


class RunRequest(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a run is asked for.

    Attributes:
        dataset: id or name of a stored data set.
        version: of it; the newest unless given.
        cases: rows instead of a data set; they become one.
        expected: a data set that holds the expected side, joined by id.
        expected_version: of it; the newest unless given.
        name: for people.
        format: of the actual calls.
        where: only rows whose column has this value.
        tags: only rows with one of these.
        gates: what is asked of it; they are told with its summary.
    """

    dataset: str | None = None
    version: Number | None = None
    cases: list[msgspec.Raw] | None = None
    expected: str | None = None
    expected_version: Number | None = None
    name: Annotated[str, Meta(max_length=200)] = ""
    format: str = "auto"
    where: dict[str, str] = msgspec.field(default_factory=dict)
    tags: tuple[str, ...] = ()
    gates: GatesAsked = GatesAsked()


class RunRecord(Struct, frozen=True, kw_only=True):
    """A run as it is listed.

    Attributes:
        signature: how its numbers are made.
        state: queued, running, complete, cancelled or failed.
        resumable: whether it can be gone on with.
        cases, errors: so far.
        passed: cases that passed; None until it has ended.
        message: why it failed, or why it scored nothing.
        created, started, ended: seconds since 1970.
    """

    id: str
    name: str
    dataset: str | None
    version: int | None
    signature: str
    state: State
    resumable: bool
    cases: int
    errors: int
    passed: int | None
    message: str | None
    created: float
    started: float | None
    ended: float | None


class Page(Struct, frozen=True, kw_only=True):
    """Some results of a run. `cursor` leads to the next ones; None at the end."""

    results: list[dict[str, Any]]
    cursor: str | None


class Runs:
    """The runs of one server."""

    def __init__(self, database: Database, folder: Path, datasets: Datasets) -> None:
        self._database = database
        self._folder = folder
        self.datasets = datasets

    def place(self, run: str) -> Path:
        """Its run directory."""
        return self._folder / run

    def create(self, request: RunRequest, plan: Plan) -> RunRecord:
        """A run that waits to be made.

        Raises:
            PathNotFoundError: its data set is not there.
        """
        assert request.dataset is not None  # noqa: S101 - whoever calls has made one of the cases
        found, version, _ = self.datasets.version(request.dataset, request.version)
        run = f"run_{secrets.token_hex(8)}"
        kept = msgspec.structs.replace(request, dataset=found.id, version=version.number, cases=None)
        if request.expected is not None:
            beside, newest, _ = self.datasets.version(request.expected, request.expected_version)
            # A run that is gone on with later still means what it meant.
            kept = msgspec.structs.replace(kept, expected=beside.id, expected_version=newest.number)
        with self._database.transaction() as connection:
            connection.execute(
                RUNS.insert().values(
                    id=run,
                    name=request.name,
                    dataset=found.id,
                    version=version.number,
                    request=msgspec.json.encode(kept),
                    signature=plan.signature,
                    state="queued",
                    resumable=False,
                    created=now(),
                    cases=0,
                    errors=0,
                )
            )
        return self.get(run)

    def get(self, run: str) -> RunRecord:
        """The run of that id.

        Raises:
            PathNotFoundError: there is none.
        """
        return _record(self._row(run))

    def request(self, run: str) -> RunRequest:
        """What it was asked for."""
        return msgspec.json.decode(bytes(self._row(run).request), type=RunRequest)

    def _row(self, run: str) -> Any:
        with self._database.transaction() as connection:
            row = connection.execute(select(RUNS).where(RUNS.c.id == run)).first()
            if row is None:
                raise not_there(connection, "run", run, RUNS.c.id, "run")
        return row

    def every(
        self, limit: int, *, before: str | None = None, dataset: str | None = None, state: str | None = None
    ) -> list[RunRecord]:
        """The newest runs, at most so many."""
        query = after(select(RUNS), before, RUNS.c.created, RUNS.c.id).limit(limit)
        if dataset is not None:
            dataset = self._dataset(dataset)
        for wanted, column in ((dataset, RUNS.c.dataset), (state, RUNS.c.state)):
            if wanted is not None:
                query = query.where(column == wanted)
        with self._database.transaction() as connection:
            return [_record(row) for row in connection.execute(query)]

    def _dataset(self, name: str) -> str:
        """The id of a data set that a filter names; runs outlive their data set, which has an id and no name then."""
        try:
            return self.datasets.get(name).id
        except PathNotFoundError as error:
            with self._database.transaction() as connection:
                left = connection.execute(select(RUNS.c.id).where(RUNS.c.dataset == name).limit(1)).first()
            if left is None:
                raise RefusedError(422, error.message, field="dataset", hint=error.hint) from None
            return name

    def waiting(self) -> list[str]:
        """Ids of those that were queued or running when nobody was there, the oldest first."""
        query = select(RUNS.c.id).where(RUNS.c.state.in_(GOING)).order_by(RUNS.c.created)
        with self._database.transaction() as connection:
            return list(connection.execute(query).scalars())

    def counts(self) -> dict[str, int]:
        """How many runs are in each state."""
        query = select(RUNS.c.state, func.count()).group_by(RUNS.c.state)
        with self._database.transaction() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def note(self, run: str, **values: Any) -> None:
        """Write down how it goes."""
        with self._database.transaction() as connection:
            connection.execute(update(RUNS).where(RUNS.c.id == run).values(**values))

    def moved(self, run: str, wanted: tuple[str, ...], state: State, **values: Any) -> bool:
        """Change its state where it is in one of those wanted; says whether it was."""
        with self._database.transaction() as connection:
            query = update(RUNS).where(RUNS.c.id == run, RUNS.c.state.in_(wanted))
            return connection.execute(query.values(state=state, **values)).rowcount > 0

    def delete(self, run: str) -> None:
        """Remove it with its results.

        Raises:
            PathNotFoundError: there is none.
            RefusedError: 409, it is being made.
        """
        if self.get(run).state in GOING:
            raise RefusedError(409, "it is being made", field="run", hint="cancel it first")
        with self._database.transaction() as connection:
            connection.execute(delete(RUNS).where(RUNS.c.id == run))
        shutil.rmtree(self.place(run), ignore_errors=True)

    def stored(self, run: str) -> StoredRun:
        """Its run directory, opened.

        Raises:
            PathNotFoundError: there is no such run.
            RefusedError: 409, it has no results yet.
        """
        record = self.get(run)
        try:
            return StoredRun(self.place(run))
        except (PathNotFoundError, SourceError):
            if record.state == "complete":
                raise
            raise RefusedError(
                409, f"it is {record.state}, and has no results to show", field="run"
            ) from None

    def page(
        self,
        run: str,
        *,
        cursor: int,
        limit: int,
        label: str | None = None,
        tool: str | None = None,
        kind: str | None = None,
        evaluator: str | None = None,
    ) -> Page:
        """Results of a run from a place in its file on, those that a filter leaves."""
        self.get(run)
        found: list[dict[str, Any]] = []
        for end, record in _lines(self.place(run) / RESULTS, cursor):
            if (label is None or record.label == label) and (
                evaluator is None or record.evaluator == evaluator
            ):
                plain = _shown(record)
                if _concerns(plain["details"], tool, kind):
                    found.append(plain)
            if len(found) == limit:
                return Page(results=found, cursor=str(end))
        return Page(results=found, cursor=None)


def _lines(file: Path, offset: int) -> Iterator[tuple[int, ResultRecord]]:
    try:
        opened = file.open("rb")
    except FileNotFoundError:
        return
    with opened:
        if offset:
            size = os.fstat(opened.fileno()).st_size
            opened.seek(min(offset, size + 1) - 1)
            if opened.read(1) != b"\n":
                raise RefusedError(422, "no cursor of this run", field="cursor")
        for line in opened:
            if not line.endswith(b"\n"):
                return  # it is being written
            offset += len(line)
            yield offset, _decode(line)


_decode = msgspec.json.Decoder(ResultRecord).decode


def _shown(record: ResultRecord) -> dict[str, Any]:
    plain = {name: getattr(record, name) for name in record.__struct_fields__}
    plain["details"] = msgspec.json.decode(record.details)
    return plain


def _concerns(details: dict[str, Any], tool: str | None, kind: str | None) -> bool:
    if tool is None and kind is None:
        return True
    differences = details.get("differences", ())
    return any(
        (tool is None or each.get("tool") == tool) and (kind is None or each.get("kind") == kind)
        for each in differences
    )


def _record(row: Any) -> RunRecord:
    return RunRecord(**{name: getattr(row, name) for name in RunRecord.__struct_fields__})
