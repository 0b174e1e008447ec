"""Results as OpenTelemetry evaluation events (`gen_ai.evaluation.result`), for a collector that was named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ...errors import MissingExtraError

__all__ = ["Emitter"]

_PATH: Final = "/v1/logs"
_EVENT: Final = "gen_ai.evaluation.result"


class Emitter:
    """Sends events in the background, in batches; a collector that is away loses events and nothing else.

    Args:
        endpoint: of OTLP over HTTP: ``http://collector:4318``, with or without ``/v1/logs``.

    Raises:
        MissingExtraError: the SDK is not installed.
    """

    def __init__(self, endpoint: str) -> None:
        try:
            from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
            from opentelemetry.sdk._logs import LoggerProvider
            from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
            from opentelemetry.sdk.resources import Resource
        except ImportError:
            raise MissingExtraError("sending results to a collector", "otel", field="otlp_endpoint") from None
        self._provider = LoggerProvider(resource=Resource.create({"service.name": "rightcall"}))
        exporter = OTLPLogExporter(endpoint=f"{endpoint.rstrip('/').removesuffix(_PATH)}{_PATH}")
        self._provider.add_log_record_processor(BatchLogRecordProcessor(exporter))
        self._logger = self._provider.get_logger("rightcall")

    def emit(self, trace: str, results: Iterable[dict[str, Any]]) -> None:
        """Tell the results of a trace, one event an evaluator."""
        import time

        from opentelemetry._logs import LogRecord, SeverityNumber
        from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

        context = set_span_in_context(
            NonRecordingSpan(
                SpanContext(
                    trace_id=int(trace, 16),
                    span_id=1,
                    is_remote=True,
                    trace_flags=TraceFlags(TraceFlags.SAMPLED),
                )
            )
        )
        for result in results:
            attributes: dict[str, Any] = {
                "gen_ai.evaluation.name": result["evaluator"],
                "gen_ai.evaluation.score.label": result["label"],
                "gen_ai.evaluation.explanation": result["reason"],
            }
            if result["score"] is not None:
                attributes["gen_ai.evaluation.score.value"] = float(result["score"])
            if result.get("error"):
                attributes["error.type"] = result["error"]
            self._logger.emit(
                LogRecord(
                    timestamp=time.time_ns(),
                    context=context,
                    severity_number=SeverityNumber.INFO,
                    event_name=_EVENT,
                    attributes=attributes,
                )
            )

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()
