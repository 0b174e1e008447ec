"""What Prometheus is told."""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

__all__ = ["Metrics"]

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

_METHODS = frozenset({"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"})
_VERDICTS = {True: "passed", False: "failed", None: "not_evaluated"}


class Metrics:
    """The figures of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "rightcall_requests", "Requests answered", ["method", "route", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "rightcall_request_seconds",
            "Seconds a request took",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._open = Gauge("rightcall_requests_open", "Requests being answered", registry=self.registry)
        self.cases = Counter(
            "rightcall_cases", "Cases scored on request", ["verdict"], registry=self.registry
        )
        self.spans = Counter("rightcall_spans", "Spans taken in", ["outcome"], registry=self.registry)
        self.traces = Counter("rightcall_traces", "Traces scored", ["verdict"], registry=self.registry)
        self.runs = Gauge("rightcall_runs", "Runs by state", ["state"], registry=self.registry)

    def counted(self, verdicts: Iterable[bool | None]) -> None:
        """Cases were scored: passed, failed, or neither."""
        for verdict, number in Counts(verdicts).items():
            self.cases.labels(_VERDICTS[verdict]).inc(number)

    def began(self) -> None:
        """A request came in."""
        self._open.inc()

    def ended(self, method: str, route: str, status: int, seconds: float) -> None:
        """It was answered."""
        self._open.dec()
        # Clients choose the method: only those that there are become a series.
        self._requests.labels(method if method in _METHODS else "other", route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """All of it in Prometheus' own format."""
        return generate_latest(self.registry)
