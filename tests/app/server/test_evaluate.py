"""Scoring on request: the published request, limits, and what is wrong told with its field."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import httpx2 as httpx
import pytest

from rightcall import evaluate

from .conftest import JSON, opened

CALLS = [{"name": "book_flight", "args": {"flight_id": "UA-873", "passenger": "Priya"}}]
PUBLISHED = {
    "evaluators": ["tool_call_args"],
    "output": "Booked.",
    "tool_calls": CALLS,
    "expected_tool_calls": CALLS,
}


def post(client: httpx.Client, body: object, path: str = "/api/v1/evaluate") -> httpx.Response:
    return client.post(path, json=body)


def test_the_published_request_gives_its_answer(client: httpx.Client):
    response = post(client, PUBLISHED)
    assert response.status_code == 200
    (result,) = response.json()["results"]
    assert {**result, "details": None, "latency_ms": None} == {
        "evaluator": "tool_call_args",
        "kind": "code",
        "status": "scored",
        "score": 1.0,
        "label": "match",
        "passed": True,
        "threshold": 1.0,
        "reason": "1/1 matched.",
        "probabilities": None,
        "details": None,
        "warnings": [],
        "cost_usd": 0.0,
        "latency_ms": None,
    }
    assert result["latency_ms"] > 0
    assert result["details"]["pairs"] == [{"actual": 0, "expected": 0, "credit": 1.0}]
    usage = response.json()["usage"]
    assert usage["cost_usd"] == 0.0
    assert usage["latency_ms"] > 0


def test_a_fractional_score_stays_one(client: httpx.Client):
    body = {
        "evaluators": ["tool_call_accuracy"],
        "tool_calls": [{"name": "f", "args": {"a": 1}}, {"name": "g", "args": {"b": 1}}],
        "expected_tool_calls": [
            {"name": "f", "args": {"a": 1}},
            {"name": "g", "args": {"b": 2}},
            {"name": "h"},
        ],
    }
    assert post(client, body).json()["results"][0]["score"] == 0.5


@pytest.mark.parametrize(
    ("body", "same"),
    [
        ({"output": '[{"name": "f"}]', "expected": '[{"name": "f", "arguments": {"a": 1}}]'}, {}),
        ({"output": [{"name": "f"}], "expected": [{"name": "F"}]}, {"ignore_case": True}),
        ({"tool_calls": [], "expected": [], "output": "nothing to do"}, {}),
        ({"tool_calls": [{"name": "f", "arguments": "{broken"}], "expected": [{"name": "f"}]}, {}),
        ({"expected": [{"name": "f"}]}, {}),
    ],
)
def test_what_python_says_http_says(client: httpx.Client, body: dict, same: dict):
    said = post(client, {"suite": "agent", "config": same, **body}).json()["results"]
    expected = [result.as_dict() for result in evaluate(suite="agent", **body, **same).values()]
    for one, other in zip(said, json.loads(json.dumps(expected, default=_plain)), strict=True):
        assert {**one, "latency_ms": None, "details": None} == {**other, "latency_ms": None, "details": None}


def _plain(value: object) -> object:
    import msgspec

    return msgspec.to_builtins(value)


@pytest.mark.parametrize(
    ("body", "status", "field", "hint"),
    [
        ({"evaluators": ["tool_call_argz"]}, 422, "evaluators", "tool_call_args"),
        ({"evaluatorz": []}, 422, None, "evaluators"),
        ({}, 422, "evaluators", ""),
        ({"suite": "agents"}, 422, "suite", "agent"),
        (
            {"evaluators": ["tool_call_args"], "config": {"ignore_cas": True}},
            422,
            "config",
            "ignore_case",
        ),
        ({"evaluators": ["tool_call_args"], "threshold": 2}, 422, "threshold", ""),
        ({"evaluators": ["tool_call_args"], "format": "opnai_chat"}, 422, "format", "openai_chat"),
        ({"evaluators": "tool_call_args"}, 422, "evaluators", ""),
        ({"evaluators": ["mine:check"]}, 422, "evaluators", ""),
        ({"evaluators": ["tool_call_args"], "tool_calls": [{"nam": "f"}]}, 422, "tool_calls[0]", "nam"),
        ({"evaluators": ["tool_call_args"], "tool_calls": [{"name": "f"}] * 1001}, 413, "tool_calls", ""),
        ({"evaluators": ["tool_call_args"], "preset": "uipath", "suite": "agent"}, 422, "preset", ""),
    ],
)
def test_a_wrong_request_is_refused_with_its_field(
    client: httpx.Client, body: dict, status: int, field: str | None, hint: str
):
    response = post(client, body)
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem["request_id"] == response.headers["x-request-id"]
    assert field is None or field in problem.get("field", ""), problem
    assert hint in problem.get("hint", ""), problem


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[1]", 422),
        (b"null", 422),
        (b"\xff\xfe", 400),
        (b'{"suite": "agent", "output": NaN}', 400),
        (b'{"suite": "agent", "threshold": Infinity}', 400),
        (b'{"suite": "agent", "threshold": 1e999}', 422),
        (b'{"suite": "agent", "output": ' + b"[" * 300 + b"]" * 300 + b"}", 422),
        (b"[" * 200_000, 422),
        (b'{"suite": "agent", "output": "' + b"\\ud800" + b'"}', 422),
    ],
)
def test_a_broken_body_is_refused(client: httpx.Client, body: bytes, status: int):
    response = client.post("/api/v1/evaluate", content=body, headers=JSON)
    assert response.status_code in (400, 422), response.text
    assert response.json()["detail"]


def test_another_media_type_is_refused(client: httpx.Client):
    response = client.post("/api/v1/evaluate", content=b"{}", headers={"Content-Type": "text/plain"})
    assert response.status_code == 415
    assert client.post("/api/v1/evaluate", content=b"{}").status_code == 415


def test_a_packed_body_is_unpacked_and_a_bomb_is_not(client: httpx.Client):
    headers = {**JSON, "Content-Encoding": "gzip"}
    packed = gzip.compress(json.dumps(PUBLISHED).encode())
    assert (
        client.post("/api/v1/evaluate", content=packed, headers=headers).json()["results"][0]["score"] == 1.0
    )
    bomb = gzip.compress(b" " * (200 << 20))
    assert client.post("/api/v1/evaluate", content=bomb, headers=headers).status_code == 413
    assert client.post("/api/v1/evaluate", content=packed[:-9], headers=headers).status_code == 400
    assert client.post("/api/v1/evaluate", content=b"no gzip", headers=headers).status_code == 400
    other = {**JSON, "Content-Encoding": "br"}
    assert client.post("/api/v1/evaluate", content=packed, headers=other).status_code == 415


def test_a_large_body_is_refused_before_it_is_read(tmp_path: Path):
    with opened(data_dir=str(tmp_path), body_mb=0.001) as client:
        assert client.post("/api/v1/evaluate", content=b" " * 2000, headers=JSON).status_code == 413
        chunks = (b" " * 500 for _ in range(10))
        assert client.post("/api/v1/evaluate", content=chunks, headers=JSON).status_code == 413


def test_a_batch_loses_no_case_to_another(client: httpx.Client):
    body = {
        "suite": "agent",
        "cases": [
            {"id": "a", "tool_calls": [{"name": "f"}], "expected_tool_calls": [{"name": "f"}]},
            {"id": "b", "tool_calls": [{"no": "name"}], "expected_tool_calls": [{"name": "f"}]},
            17,
            {"id": "a", "tool_calls": [{"name": "g"}], "expected_tool_calls": [{"name": "f"}]},
        ],
    }
    found = post(client, body, "/api/v1/evaluate/batch").json()
    assert [case["id"] for case in found["cases"]] == ["a", "b", "row 3", "a"]
    assert [case["passed"] for case in found["cases"]] == [True, False, False, False]
    assert found["cases"][1]["results"][0]["status"] == "error"
    assert found["summary"]["cases"] == 4
    assert found["summary"]["errors"] == 2
    assert any("'a'" in warning for warning in found["warnings"])
    many = {"suite": "agent", "cases": [{}] * 1001}
    assert post(client, many, "/api/v1/evaluate/batch").status_code == 413


def test_a_slow_request_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import time

    from rightcall.app.server.routes import evaluate as route

    def slow(*_: object) -> dict:
        time.sleep(3.0)
        return {"cases": []}

    monkeypatch.setattr(route, "score_batch", slow)
    with opened(data_dir=str(tmp_path), request_seconds=0.2) as client:
        start = time.monotonic()
        response = post(client, {"suite": "agent", "cases": []}, "/api/v1/evaluate/batch")
        assert time.monotonic() - start < 2
    assert response.status_code == 503
    assert response.headers["retry-after"] == "1"


def test_a_fault_of_our_own_says_nothing_of_the_data(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    from rightcall.app.server.routes import evaluate as route

    def broken(*_: object) -> dict:
        raise KeyError("a-secret-value")

    monkeypatch.setattr(route, "score_one", broken)
    response = post(client, PUBLISHED)
    assert response.status_code == 500
    assert "secret" not in response.text


def test_the_catalogue(client: httpx.Client):
    listed = client.get("/api/v1/evaluators").json()
    assert [each["id"] for each in listed][:2] == ["tool_call_accuracy", "tool_call_args"]
    page = client.get("/api/v1/evaluators/tool_call_args").json()
    assert page["when_to_use"]
    assert page["example"]["score"] is not None
    assert client.get("/api/v1/evaluators/tool_call_arg").status_code == 404
    assert client.get("/api/v1/suites").json()[0] == {
        "id": "agent",
        "evaluators": [each["id"] for each in listed if "agent" in each["suites"]],
    }
    assert {"openai_chat", "anthropic"} <= {each["id"] for each in client.get("/api/v1/formats").json()}


def test_a_recording_is_read(client: httpx.Client):
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    source = {"role": "assistant", "content": None, "tool_calls": [call]}
    for given in (source, json.dumps(source)):
        (trace,) = client.post("/api/v1/read", json={"source": given}).json()["traces"]
        assert trace["calls"][0]["name"] == "f"
        assert trace["calls"][0]["arguments"] == {"a": 1}
        assert trace["format"] == "openai_chat"
    assert client.post("/api/v1/read", json={"source": {"what": 1}}).status_code == 422
