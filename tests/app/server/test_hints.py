"""What a client is told so that it can help itself: nearest names, and answers that it gets to see."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.client import HTTPConnection

import httpx2 as httpx
import pytest

from rightcall.app.server.settings import settings_from
from rightcall.errors import OptionError

from .conftest import JSON, Server

CASE = {"id": "a", "tool_calls": [{"name": "f"}], "expected_tool_calls": [{"name": "f"}]}


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/api/v1/evaluate", JSON, 413),
        ("/api/v1/evaluate", {"Content-Type": "text/plain"}, 415),
        ("/api/v1/nowhere", JSON, 404),
        ("/api/v1/evaluate", {**JSON, "Authorization": "Bearer wrong"}, 401),
    ],
)
def test_a_client_that_writes_all_of_its_body_first_sees_the_answer(
    serve: Callable[..., Server], path: str, headers: dict[str, str], status: int
):
    server = serve()
    body = b'{"suite": "agent", "output": "' + b"x" * (11 << 20) + b'"}'
    for _ in range(3):
        asking = HTTPConnection("127.0.0.1", server.port, timeout=30)
        asking.request("POST", path, body, headers)
        answer = asking.getresponse()
        assert answer.status == status
        assert json.loads(answer.read())["status"] == status
        asking.close()
    assert server.client.get("/readyz").status_code == 200


def test_an_unknown_run_or_trace_names_the_nearest(client: httpx.Client):
    made = client.post(
        "/api/v1/runs",
        params={"run": json.dumps({"suite": "agent"})},
        content=json.dumps(CASE).encode(),
        headers={"Content-Type": "application/x-ndjson"},
    )
    assert made.status_code == 202, made.text
    run = made.json()["id"]
    told = client.get(f"/api/v1/runs/{run[:-1]}")
    assert told.status_code == 404
    assert told.json()["hint"] == f"did you mean {run!r}?"


def test_a_parameter_that_is_given_twice_is_refused(client: httpx.Client):
    told = client.get("/api/v1/runs?limit=1&limit=2")
    assert told.status_code == 422
    assert told.json()["field"] == "limit"
    assert client.get("/api/v1/runs?limit=1").status_code == 200


@pytest.mark.parametrize(
    ("given", "environment", "field"),
    [
        ({}, {"RIGHTCALL_PORT": "70000"}, "RIGHTCALL_PORT"),
        ({"port": 70000}, {}, "port"),
        ({}, {"RIGHTCALL_JOBS": "0"}, "RIGHTCALL_JOBS"),
        ({}, {"RIGHTCALL_PORT": "x"}, "RIGHTCALL_PORT"),
    ],
)
def test_a_setting_is_named_as_it_was_given(given: dict[str, int], environment: dict[str, str], field: str):
    with pytest.raises(OptionError) as raised:
        settings_from(given, environment)
    assert raised.value.field == field


def test_a_hint_names_fields_and_no_flags(client: httpx.Client):
    body = {"evaluators": ["tool_call_args"], "tool_calls": "f(1)", "expected": []}
    told = client.post("/api/v1/evaluate", json=body)
    assert told.status_code == 422
    assert "format='python_calls'" in told.json()["hint"]
