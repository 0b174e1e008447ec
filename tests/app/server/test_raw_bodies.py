"""Raw bodies of any kind: an answer or a problem, never a fault, and never much memory."""

from __future__ import annotations

import gzip
import json
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import JSON, Server

PATHS = (
    *("/api/v1/evaluate", "/api/v1/evaluate/batch", "/api/v1/read", "/api/v1/runs", "/api/v1/datasets"),
    *("/api/v1/compare", "/api/v1/labels", "/api/v1/keys", "/v1/traces"),
)
VALID: dict[str, Any] = {
    "suite": "everything",
    "tool_calls": [{"name": "f", "args": {"a": 1}}],
    "expected_tool_calls": [{"name": "f", "args": {"a": [1, {"b": "x"}]}}],
    "tools": [{"name": "f", "parameters": {"type": "object"}}],
    "config": {"ignore_case": True},
    "threshold": 0.5,
}
ODD = st.sampled_from(
    [
        b"NaN",
        b"Infinity",
        b"-Infinity",
        b"1e999",
        b'"\\ud800"',
        b"\xff",
        b"[" * 500,
        b"null",
        b"{}",
        b"[[]]",
        b"0",
        b'""',
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A valid body with a few places changed."""
    body = json.dumps(VALID).encode()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(body)))
        end = min(len(body), at + draw(st.integers(0, 12)))
        body = body[:at] + draw(st.one_of(ODD, st.binary(max_size=6))) + body[end:]
    return body


BODIES = st.one_of(mutated(), st.binary(max_size=200), ODD)


@given(st.sampled_from(PATHS), BODIES, st.booleans(), st.integers(0, 30))
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
def test_never_a_fault(client: httpx.Client, path: str, body: bytes, packed: bool, cut: int):
    headers = dict(JSON)
    if packed:
        body = gzip.compress(body)
        body = body[: len(body) - cut] if cut < 10 else body
        headers["Content-Encoding"] = "gzip"
    response = client.post(path, content=body, headers=headers)
    assert response.status_code < 500, (path, body, response.text)
    if response.status_code >= 400:
        assert response.headers["content-type"] == "application/problem+json"
        assert response.json()["detail"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"suite": "agent", "tool_calls": [' + b"1," * 4_000_000 + b"1]}", 422),
        (b'{"suite": "agent", "tool_calls": [' + b'{"name": "f"},' * 600_000 + b'{"name": "f"}]}', 413),
        (b'{"suite": "agent", "output": "' + b"[" * 9_000_000 + b'"}', 422),
        (b'{"suite": "agent", "output": ' + b'{"a":' * 1_500_000 + b"1" + b"}" * 1_500_000 + b"}", 422),
        (b'{"suite": "agent", "config": {' + b",".join(b'"k%d": 1' % n for n in range(500_000)) + b"}}", 422),
        (b'{"suite": "agent", "threshold": ' + b"9" * 5_000_000 + b"}", 422),
    ],
    ids=["many-numbers", "many-calls", "brackets-in-a-text", "deep", "many-options", "long-number"],
)
def test_large_bodies_take_little_memory(serve: Callable[..., Server], body: bytes, status: int):
    server = serve()
    assert len(body) < 10 << 20
    assert server.process is not None
    before = _peak_mb(server.process.pid)
    response = server.client.post("/api/v1/evaluate", content=body, headers=JSON)
    assert response.status_code in (400, status), response.text[:300]
    assert _peak_mb(server.process.pid) - before < 700
    assert server.client.get("/readyz").status_code == 200


def _peak_mb(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
