"""Traces over OTLP: each span once, partial success, joined with what is expected, scored when they are whole."""

from __future__ import annotations

import gzip
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from .conftest import JSON, Server, opened, services_of

GOLDEN = b'{"id": "refund-1", "tool_calls": [], "expected_tool_calls": [{"name": "find", "arguments": {"n": 1}}]}\n'


def span(trace: str, own: str, parent: str = "", *, case: str | None = None, n: int = 1) -> dict[str, Any]:
    """A span of a tool's execution."""
    said = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find",
        "gen_ai.tool.call.id": f"call-{own}",
        "gen_ai.tool.call.arguments": json.dumps({"n": n}),
        **({} if case is None else {"rightcall.case_id": case}),
    }
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in said.items()]
    return {
        "traceId": trace,
        "spanId": own,
        "parentSpanId": parent,
        "name": "execute_tool find",
        "startTimeUnixNano": "1",
        "endTimeUnixNano": "2",
        "attributes": attributes,
    }


def root(trace: str, own: str, case: str | None = None) -> dict[str, Any]:
    """A span around a whole conversation."""
    attributes = [] if case is None else [{"key": "rightcall.case_id", "value": {"stringValue": case}}]
    return {
        "traceId": trace,
        "spanId": own,
        "name": "invoke_agent",
        "attributes": attributes,
        "startTimeUnixNano": "0",
    }


def export(*spans: Any) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}


def ids() -> tuple[str, str, str]:
    return secrets.token_hex(16), secrets.token_hex(8), secrets.token_hex(8)


def scored(client: httpx.Client, trace: str, *, after: float | None = None) -> dict[str, Any]:
    for _ in range(400):
        response = client.get(f"/api/v1/traces/{trace}")
        found: dict[str, Any] = response.json()
        if response.status_code == 200 and found["state"] != "open" and found["scored"] != after:
            return found
        time.sleep(0.05)
    raise AssertionError(found)


@pytest.fixture
def expecting(tmp_path: Path, database_url: str | None) -> Iterator[httpx.Client]:
    with opened(
        data_dir=str(tmp_path), database_url=database_url, trace_settle_seconds=0.2, trace_dataset="golden"
    ) as client:
        client.post("/api/v1/datasets", json={"name": "golden"})
        put = client.put(
            "/api/v1/datasets/golden/data",
            params={"filename": "g.jsonl"},
            content=GOLDEN,
            headers={"Content-Type": "application/x-ndjson"},
        )
        assert put.status_code == 201, put.text
        yield client


def test_a_trace_becomes_a_case_and_later_spans_score_it_again(expecting: httpx.Client):
    trace, top, own = ids()
    first = expecting.post("/v1/traces", json=export(span(trace, own, top)))
    assert first.json() == {}
    time.sleep(0.6)
    assert expecting.get(f"/api/v1/traces/{trace}").json()["state"] == "open"  # its root is still to come
    expecting.post("/v1/traces", json=export(root(trace, top, "refund-1")))
    found = scored(expecting, trace)
    assert found["passed"] is True
    assert found["case_id"] == "refund-1"
    assert [call["name"] for call in found["outcome"]["calls"]] == ["find"]
    assert {result["evaluator"]: result["score"] for result in found["outcome"]["results"]}[
        "tool_call_args"
    ] == 1.0
    expecting.post("/v1/traces", json=export(span(trace, secrets.token_hex(8), top, n=2)))
    again = scored(expecting, trace, after=found["scored"])
    assert again["passed"] is False
    # The same spans once more change nothing.
    expecting.post("/v1/traces", json=export(span(trace, own, top), root(trace, top, "refund-1")))
    time.sleep(0.6)
    assert expecting.get(f"/api/v1/traces/{trace}").json() == again
    golden = expecting.get(f"/api/v1/traces/{trace}/golden").json()
    assert golden["id"] == "refund-1"
    assert [call["name"] for call in golden["expected_tool_calls"]] == ["find", "find"]
    assert expecting.get("/api/v1/traces", params={"case_id": "refund-1"}).json()["traces"][0]["id"] == trace


def test_a_trace_of_which_nothing_is_expected_has_no_score(client: httpx.Client):
    trace, top, own = ids()
    client.post("/v1/traces", json=export(root(trace, top), span(trace, own, top)))
    found = scored(client, trace)
    assert found["passed"] is None
    assert "no span names its case" in found["outcome"]["warnings"][0]


def test_what_can_not_be_kept_is_counted(client: httpx.Client):
    trace, top, own = ids()
    body = export(root(trace, top), span("zz", own), {**span(trace, own), "spanId": "0" * 16}, 17)
    said = client.post("/v1/traces", json=body).json()["partialSuccess"]
    assert said["rejectedSpans"] == "3"
    assert "trace id" in said["errorMessage"]
    assert len(client.get("/api/v1/traces").json()["traces"]) == 1


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{", JSON, 400),
        (b"[]", JSON, 400),
        (b'{"resourceSpans": 1}', JSON, 400),
        (b'{"resourceSpans": [1]}', JSON, 400),
        (b'{"resourceSpans": [{"scopeSpans": [{"spans": {}}]}]}', JSON, 400),
        (b"\xff\xff\xff", {"Content-Type": "application/x-protobuf"}, 400),
        (b"\x0a\x05abc", {"Content-Type": "application/x-protobuf"}, 400),
        (b"{}", {"Content-Type": "text/plain"}, 415),
        (b"no gzip", {**JSON, "Content-Encoding": "gzip"}, 400),
        (gzip.compress(b" " * (50 << 20)), {**JSON, "Content-Encoding": "gzip"}, 413),
        (b"", {"Content-Type": "application/x-protobuf"}, 200),
        (b"{}", JSON, 200),
    ],
)
def test_a_broken_export(client: httpx.Client, body: bytes, headers: dict[str, str], status: int):
    assert client.post("/v1/traces", content=body, headers=headers).status_code == status


def send(url: str, spans: int, *, per_trace: int = 10, compression: bool = True) -> list[str]:
    """Spans by the real SDK and its exporter; gives the ids of the traces."""
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    packing = Compression.Gzip if compression else Compression.NoCompression
    exporter = OTLPSpanExporter(endpoint=f"{url}/v1/traces", compression=packing)
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(exporter, max_queue_size=spans + 1))
    tracer = provider.get_tracer("test")
    traces = []
    for number in range(spans // per_trace):
        with tracer.start_as_current_span("invoke_agent") as top:
            top.set_attribute("rightcall.case_id", f"c{number}")
            traces.append(f"{top.get_span_context().trace_id:032x}")
            for call in range(per_trace - 1):
                with tracer.start_as_current_span("execute_tool find") as tool:
                    tool.set_attribute("gen_ai.operation.name", "execute_tool")
                    tool.set_attribute("gen_ai.tool.name", "find")
                    tool.set_attribute("gen_ai.tool.call.id", f"{number}-{call}")
                    tool.set_attribute("gen_ai.tool.call.arguments", json.dumps({"n": call}))
    assert provider.force_flush(60_000)
    provider.shutdown()
    return traces


@pytest.mark.slow
def test_the_real_exporter_sends_5000_spans(serve: Callable[..., Server]):
    server = serve()
    traces = send(f"http://127.0.0.1:{server.port}", 5000)
    assert len(traces) == 500
    metrics = server.client.get("/metrics").text
    assert 'rightcall_spans_total{outcome="kept"} 5000.0' in metrics
    for trace in traces[::50]:
        found = scored(server.client, trace)
        assert [call["arguments"] for call in found["outcome"]["calls"]] == [
            {"n": number} for number in range(9)
        ]


@contextmanager
def forgetful_proxy(port: int) -> Iterator[tuple[str, list[int]]]:
    """Hands requests on, and tells every second one that it failed, though it did not."""
    told: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            names = ("content-type", "content-encoding")
            headers = {name: self.headers[name] for name in names if self.headers[name]}
            answer = httpx.post(f"http://127.0.0.1:{port}{self.path}", content=body, headers=headers)
            told.append(503 if answer.status_code == 200 and len(told) % 2 == 0 else answer.status_code)
            self.send_response(told[-1])
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", told
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.slow
def test_what_the_exporter_sends_again_counts_once(serve: Callable[..., Server]):
    server = serve()
    with forgetful_proxy(server.port) as (url, told):
        traces = send(url, 1000)
    assert 503 in told
    metrics = server.client.get("/metrics").text
    assert 'rightcall_spans_total{outcome="kept"} 1000.0' in metrics
    assert 'rightcall_spans_total{outcome="repeated"} 0.0' not in metrics
    found = scored(server.client, traces[0])
    assert len(found["outcome"]["calls"]) == 9


@pytest.mark.slow
def test_kill_during_ingestion(serve: Callable[..., Server]):
    """What was acknowledged is there after a restart, and what is sent again counts once."""
    server = serve()
    url = f"http://127.0.0.1:{server.port}/v1/traces"
    acknowledged: list[tuple[str, str]] = []
    stop = threading.Event()

    def sending() -> None:
        while not stop.is_set():
            trace, top, own = ids()
            body = export(root(trace, top), span(trace, own, top))
            while not stop.is_set():
                try:
                    if httpx.post(url, json=body, timeout=5).status_code == 200:
                        acknowledged.append((trace, own))
                        break
                except httpx.TransportError:
                    time.sleep(0.02)  # then the same again

    threads = [threading.Thread(target=sending) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        time.sleep(0.7)
        server.kill()
        server.start()
    time.sleep(0.5)
    stop.set()
    for thread in threads:
        thread.join()
    assert len(acknowledged) > 20
    for trace, _ in acknowledged[:: max(1, len(acknowledged) // 40)]:
        found = scored(server.client, trace)
        assert len(found["outcome"]["calls"]) == 1


@contextmanager
def collector() -> Iterator[tuple[str, list[Any]]]:
    """A collector that keeps the log records that it is sent."""
    from opentelemetry.proto.collector.logs.v1 import logs_service_pb2

    kept: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            for resource in logs_service_pb2.ExportLogsServiceRequest.FromString(body).resource_logs:
                kept.extend(record for scope in resource.scope_logs for record in scope.log_records)
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", kept
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_results_are_sent_as_evaluation_events(tmp_path: Path):
    trace, top, own = ids()
    with collector() as (url, kept):
        with opened(data_dir=str(tmp_path), trace_settle_seconds=0.2, otlp_endpoint=url) as client:
            client.post("/v1/traces", json=export(root(trace, top), span(trace, own, top)))
            scored(client, trace)
            assert services_of(client).traces is not None
        events = {
            each.value.string_value: record
            for record in kept
            for each in record.attributes
            if each.key == "gen_ai.evaluation.name"
        }
    assert "tool_call_args" in events
    event = events["tool_call_args"]
    assert event.event_name == "gen_ai.evaluation.result"
    assert event.trace_id.hex() == trace
    said = {each.key: each.value for each in event.attributes}
    assert said["gen_ai.evaluation.score.label"].string_value == "not_evaluated"
