"""Traces: spans as they come in, kept once; scored when their root is there and nothing has come for a while."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Event, Thread
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from ...core.reading.conversation import join_traces
from ...core.summing.tally import Tally
from ...core.types import Case, Trace
from ...errors import DataError, PathNotFoundError, RightcallError, StoreError
from ...run.dataset import Dataset
from ...run.golden.record import record
from ...run.intake.traces import traces_of
from ...run.stages import Scorer
from .asked import Asked, plan_of
from .cursors import after
from .datasets import Datasets
from .emission import Emitter
from .logs import log, log_request
from .metrics import Metrics
from .problems import RefusedError
from .settings import Settings
from .shown import CallShown, call_shown
from .spans import SpanIn
from .store.database import Database, now
from .store.near import not_there
from .store.tables import SPANS, TRACES

__all__ = ["TraceRecord", "Traces"]

_DAY: Final = 86_400.0
_AT_ONCE: Final = 200


class TraceRecord(Struct, frozen=True, kw_only=True):
    """A trace as it is listed.

    Attributes:
        case_id: the case that it is of; None where no span says so.
        state: open until it is scored.
        passed: None where it has no score.
        first_span, last_span, scored: when they came in, in seconds since 1970.
    """

    id: str
    case_id: str | None
    state: Literal["open", "scored", "failed"]
    passed: bool | None
    has_root: bool
    first_span: float
    last_span: float
    scored: float | None


class Outcome(Struct, frozen=True, kw_only=True):
    """What a trace came to."""

    results: list[dict[str, Any]]
    calls: list[CallShown]
    text: str | None
    warnings: list[str]
    error: str | None = None


class Traces:
    """The traces of one server."""

    def __init__(self, database: Database, datasets: Datasets, settings: Settings, metrics: Metrics) -> None:
        self._database = database
        self._datasets = datasets
        self._settings = settings
        self._metrics = metrics
        self._stop = Event()
        self._thread: Thread | None = None
        self._expected: tuple[tuple[str, int], dict[str, Case]] | None = None
        self._emitter = None if settings.otlp_endpoint is None else Emitter(settings.otlp_endpoint)

    def open(self) -> None:
        """Begin to score what is whole, and what an earlier process left."""
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; what is not scored yet is scored by the next server."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=10)
        if self._emitter is not None:
            self._emitter.close()

    def add(self, spans: Sequence[SpanIn]) -> int:
        """Keep spans; gives how many of them were not known. What was kept survives whatever ends the server.

        Raises:
            StoreError: nothing was kept.
        """
        if not spans:
            return 0
        insert = postgresql.insert if self._database.kind == "postgresql" else sqlite.insert
        moment = now()
        by_trace: dict[str, list[SpanIn]] = {}
        for span in spans:
            by_trace.setdefault(span.trace, []).append(span)
        with self._database.transaction() as connection:
            connection.execute(
                insert(TRACES).on_conflict_do_nothing(),
                [
                    {
                        "id": trace,
                        "first_span": moment,
                        "last_span": moment,
                        "has_root": False,
                        "state": "open",
                    }
                    | {"generation": 0}
                    for trace in sorted(by_trace)
                ],
            )
            query = select(SPANS.c.trace, SPANS.c.id).where(SPANS.c.trace.in_(list(by_trace)))
            known = {(row.trace, row.id) for row in connection.execute(query)}
            fresh = {(span.trace, span.id): span for span in spans if (span.trace, span.id) not in known}
            if not fresh:
                return 0
            connection.execute(
                insert(SPANS).on_conflict_do_nothing(),
                [{"trace": span.trace, "id": span.id, "data": span.data} for span in fresh.values()],
            )
            for trace in sorted({trace for trace, _ in fresh}):
                connection.execute(
                    update(TRACES).where(TRACES.c.id == trace).values(_changes(by_trace[trace], moment))
                )
        return len(fresh)

    def every(
        self, limit: int, *, before: str | None = None, state: str | None = None, case_id: str | None = None
    ) -> list[TraceRecord]:
        """The newest traces, at most so many."""
        query = after(select(TRACES), before, TRACES.c.first_span, TRACES.c.id).limit(limit)
        for wanted, column in ((state, TRACES.c.state), (case_id, TRACES.c.case_id)):
            if wanted is not None:
                query = query.where(column == wanted)
        with self._database.transaction() as connection:
            return [_record(row) for row in connection.execute(query)]

    def get(self, trace: str) -> tuple[TraceRecord, Outcome | None]:
        """A trace, and what it came to; None while it is open.

        Raises:
            PathNotFoundError: there is none.
        """
        with self._database.transaction() as connection:
            row = connection.execute(select(TRACES).where(TRACES.c.id == trace.lower())).first()
            if row is None:
                raise not_there(connection, "trace", trace, TRACES.c.id, "trace")
        outcome = None if row.outcome is None else msgspec.json.decode(bytes(row.outcome), type=Outcome)
        return _record(row), outcome

    def delete(self, trace: str) -> None:
        """Remove a trace with its spans.

        Raises:
            PathNotFoundError: there is none.
        """
        found, _ = self.get(trace)
        with self._database.transaction() as connection:
            connection.execute(delete(SPANS).where(SPANS.c.trace == found.id))
            connection.execute(delete(TRACES).where(TRACES.c.id == found.id))

    def golden(self, trace: str) -> dict[str, Any]:
        """A case that expects what this trace did.

        Raises:
            PathNotFoundError: there is no such trace.
            RefusedError: 409, it has no calls to record.
        """
        found, _ = self.get(trace)
        read = self._read(found.id)
        try:
            golden = record([read])
        except DataError as error:
            raise RefusedError(409, error.message, field="trace") from None
        if not golden.cases:
            raise RefusedError(409, "it has no calls to record", field="trace")
        row: dict[str, Any] = msgspec.json.decode(golden.data.splitlines()[0])
        return {**row, "id": found.case_id or found.id}

    def _read(self, trace: str) -> Trace:
        with self._database.transaction() as connection:
            rows = connection.execute(select(SPANS.c.data).where(SPANS.c.trace == trace).order_by(SPANS.c.id))
            spans = [bytes(data) for data in rows.scalars()]
        whole = b'{"resourceSpans":[{"scopeSpans":[{"spans":[' + b",".join(spans) + b"]}]}]}"
        return join_traces(traces_of(whole))

    def _work(self) -> None:
        pause = min(1.0, self._settings.trace_settle_seconds / 4)
        cleaned = 0.0
        while not self._stop.wait(pause):
            try:
                while self._score_some() and not self._stop.is_set():
                    pass
                if now() - cleaned > _DAY / 24:
                    cleaned = now()
                    self._forget()
            except StoreError as error:
                log("traces_wait", why=error.message)
            except Exception as error:  # noqa: BLE001 - one trace must not end the scoring of all
                log("traces_fault", kind=type(error).__name__)

    def _score_some(self) -> bool:
        """Score traces that are whole; says whether there may be more."""
        query = (
            select(TRACES.c.id, TRACES.c.case_id, TRACES.c.generation)
            .where(
                TRACES.c.state == "open",
                TRACES.c.has_root,
                TRACES.c.last_span <= now() - self._settings.trace_settle_seconds,
            )
            .order_by(TRACES.c.last_span)
            .limit(_AT_ONCE)
        )
        with self._database.transaction() as connection:
            rows = connection.execute(query).all()
        for row in rows:
            if self._stop.is_set():
                return False
            self._score(row.id, row.case_id, row.generation)
        return len(rows) == _AT_ONCE

    def _score(self, trace: str, case_id: str | None, generation: int) -> None:
        passed: bool | None = None
        state: str = "scored"
        try:
            outcome, passed = self._scored(trace, case_id)
        except StoreError:
            raise
        except RightcallError as error:
            state, outcome = "failed", _failed(str(error))
        except Exception as error:  # noqa: BLE001 - whatever it holds, the others are scored
            log_request.fault(trace, error)
            state, outcome = "failed", _failed("a fault in rightcall; its log says where")
        with self._database.transaction() as connection:
            # Spans that came in the meantime have raised the generation: then it stays open.
            done = connection.execute(
                update(TRACES)
                .where(TRACES.c.id == trace, TRACES.c.generation == generation)
                .values(state=state, passed=passed, scored=now(), outcome=msgspec.json.encode(outcome))
            ).rowcount
        if done:
            self._metrics.traces.labels(
                {True: "passed", False: "failed", None: "not_evaluated"}[passed]
            ).inc()
            if self._emitter is not None:
                self._emitter.emit(trace, outcome.results)

    def _scored(self, trace: str, case_id: str | None) -> tuple[Outcome, bool | None]:
        read = self._read(trace)
        expected = None if case_id is None else self._cases().get(case_id)
        case = Case(
            id=case_id or trace,
            actual=read.calls,
            expected=None if expected is None else expected.expected,
            tools=read.tools or (None if expected is None else expected.tools),
            output=read.text,
            warnings=read.warnings,
        )
        plan = plan_of(Asked(suite=self._settings.trace_suite))
        tally = Tally()
        results = Scorer(plan, tally).score(case)
        passed = tally.count_case(results)
        warnings = list(read.warnings)
        if expected is None:
            what = "no span names its case" if case_id is None else "no case of that id is stored"
            warnings.append(f"nothing is expected of it: {what}")
        return Outcome(
            results=[result.as_dict() for result in results],
            calls=[call_shown(call) for call in read.calls or ()],
            text=read.text,
            warnings=warnings,
        ), passed

    def _cases(self) -> dict[str, Case]:
        """What is expected, by case id; read again when another version was uploaded."""
        name = self._settings.trace_dataset
        if name is None:
            return {}
        try:
            found, version, file = self._datasets.version(name)
        except PathNotFoundError:
            return {}
        key = (found.id, version.number)
        if self._expected is None or self._expected[0] != key:
            self._expected = key, _by_id(Dataset(str(file)))
        return self._expected[1]

    def _forget(self) -> None:
        old = select(TRACES.c.id).where(TRACES.c.last_span < now() - self._settings.trace_days * _DAY)
        with self._database.transaction() as connection:
            connection.execute(delete(SPANS).where(SPANS.c.trace.in_(old)))
            connection.execute(delete(TRACES).where(TRACES.c.id.in_(old)))


def _failed(why: str) -> Outcome:
    return Outcome(results=[], calls=[], text=None, warnings=[], error=why)


def _by_id(cases: Iterable[Any]) -> dict[str, Case]:
    return {case.id: case for case in cases if isinstance(case, Case)}


def _changes(spans: Sequence[SpanIn], moment: float) -> dict[Any, Any]:
    values: dict[Any, Any] = {
        TRACES.c.last_span: moment,
        TRACES.c.state: "open",
        TRACES.c.generation: TRACES.c.generation + 1,
    }
    if any(not span.parent for span in spans):
        values[TRACES.c.has_root] = True
    named = next((span.case_id for span in spans if span.case_id is not None), None)
    if named is not None:
        values[TRACES.c.case_id] = named
    return values


def _record(row: Any) -> TraceRecord:
    return TraceRecord(**{name: getattr(row, name) for name in TraceRecord.__struct_fields__})
