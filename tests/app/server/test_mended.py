"""Faults that somebody met who ran the server for the first time; each was one of a kind."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx2 as httpx
import pytest

from rightcall.app.cli.root import run as cli
from rightcall.errors import OptionError, UnknownNameError

from .conftest import Server, opened, rows, services_of, until
from .test_runs import uploaded
from .test_traces import export, ids, root, scored, span


def test_a_trace_that_can_not_be_scored_stops_no_other(client: httpx.Client, monkeypatch: pytest.MonkeyPatch):
    first, second = ids(), ids()
    traces = services_of(client).traces
    whole = traces._scored

    def broken(trace: str, case_id: str | None):
        if trace == first[0]:
            raise AttributeError("something of the trace")
        return whole(trace, case_id)

    monkeypatch.setattr(traces, "_scored", broken)
    for trace, top, own in (first, second):
        client.post("/v1/traces", json=export(root(trace, top), span(trace, own, top)))
    assert scored(client, second[0])["state"] == "scored"
    found = scored(client, first[0])
    assert found["state"] == "failed"
    assert "something" not in str(found)
    assert client.delete(f"/api/v1/traces/{first[0]}").status_code == 204
    assert client.get(f"/api/v1/traces/{first[0]}").status_code == 404
    assert client.delete(f"/api/v1/traces/{first[0]}").status_code == 404


@pytest.mark.slow
def test_a_folder_has_one_server(serve: Callable[..., Server]):
    server = serve()
    dataset = uploaded(server.client, "data", rows(60_000))
    run = server.client.post("/api/v1/runs", json={"dataset": dataset, "suite": "agent"}).json()["id"]
    done = subprocess.run(
        [sys.executable, "-m", "rightcall", "serve", "--port", "0", "--data-dir", str(server.folder)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "another process" in done.stderr
    assert until(server.client, run)["cases"] == 60_000


def test_rows_of_one_moment_are_all_listed(either: httpx.Client):
    made = [ids() for _ in range(45)]
    either.post("/v1/traces", json=export(*(root(trace, top) for trace, top, _ in made)))
    found: list[str] = []
    before = None
    while True:
        params = {"limit": 10} | ({} if before is None else {"before": before})
        page = either.get("/api/v1/traces", params=params).json()
        found += [each["id"] for each in page["traces"]]
        before = page["before"]
        if before is None:
            break
    assert sorted(found) == sorted(trace for trace, _, _ in made)
    for odd in ("nan", "inf", "x", "1~"):
        assert either.get("/api/v1/traces", params={"before": odd}).status_code in (200, 422)


def test_a_nul_is_refused_and_harms_no_neighbour(either: httpx.Client):
    for path in (
        "runs/%00",
        "datasets/%00",
        "traces/%00",
        "runs?dataset=%00",
        "labels?run=%00",
        "calibrations/%00",
    ):
        assert either.get(f"/api/v1/{path}").status_code in (200, 404, 422), path
    for name in ("a\0b", "\0"):
        assert either.post("/api/v1/datasets", json={"name": name}).status_code in (201, 422)
    good, poisoned = ids(), ids()
    body = export(root(good[0], good[1]), root(poisoned[0], poisoned[1], "c\0"))
    answered = either.post("/v1/traces", json=body)
    assert answered.status_code == 200
    assert answered.json()["partialSuccess"]["rejectedSpans"] == "1"
    assert either.get(f"/api/v1/traces/{good[0]}").status_code == 200


@pytest.mark.parametrize("version", [10**30, 1 << 40, 0, -1])
def test_a_version_that_can_not_be(either: httpx.Client, version: int):
    body = {"dataset": "none", "version": version, "suite": "agent"}
    assert either.post("/api/v1/runs", json=body).status_code == 422


def test_options_and_cursors_that_can_not_be(client: httpx.Client):
    run = client.post(
        "/api/v1/runs", json={"suite": "agent", "cases": [{"id": "a", "tool_calls": []}]}
    ).json()["id"]
    until(client, run)
    for option in ("zzz", "args=nope", "=", "args="):
        response = client.get(f"/api/v1/runs/{run}/what-if", params={"option": option})
        assert response.status_code == 422, option
    assert client.get(f"/api/v1/runs/{run}/what-if", params={"option": "nothing=1"}).status_code in (200, 422)
    assert client.get(f"/api/v1/runs/{run}/results", params={"cursor": "9" * 30}).status_code == 422


def test_an_unknown_parameter_is_refused_with_the_nearest(client: httpx.Client):
    response = client.get("/api/v1/runs", params={"stat": "complete"})
    assert response.status_code == 422
    assert "state" in response.json()["hint"]


def test_no_answer_says_where_the_files_are(client: httpx.Client, tmp_path: Path):
    client.post("/api/v1/datasets", json={"name": "data"})
    for name, data in (
        ("x.jsonl", bytes(range(256)) * 20),
        ("x.jsonl.gz", b"\x1f\x8b\x08abc"),
        ("x.json", b"[1"),
    ):
        response = client.put(
            "/api/v1/datasets/data/data",
            params={"filename": name},
            content=data,
            headers={"Content-Type": "application/octet-stream"},
        )
        assert response.status_code == 422, response.text
        assert str(tmp_path) not in response.text


def test_head_answers_like_get_without_a_body(client: httpx.Client):
    for path in ("/healthz", "/readyz", "/api/v1/suites"):
        response = client.head(path)
        assert response.status_code == 200
        assert response.content == b""
    assert client.head("/api/v1/runs/none").status_code == 404


def test_settings_that_can_not_be_are_refused(tmp_path: Path):
    with pytest.raises(UnknownNameError), opened(data_dir=str(tmp_path), trace_suite="nope"):
        pass
    with pytest.raises(OptionError), opened(data_dir=str(tmp_path), otlp_endpoint="nonsense"):
        pass


def test_what_can_not_be_started_says_so_before_it_listens(
    tmp_path: Path,
    serve: Callable[..., Server],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    server = serve()
    monkeypatch.chdir(tmp_path)
    assert cli(["serve", "--port", str(server.port), "--data-dir", "other"]) == 2
    assert "can't be listened on" in capfd.readouterr().err
    lost = "postgresql://u:sekret@127.0.0.1:1/x"
    done = subprocess.run(
        [*(sys.executable, "-m", "rightcall", "serve", "--port", "0"), *("--data-dir", "x", "--database-url", lost)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 4
    assert "Traceback" not in done.stderr
    assert "sekret" not in done.stderr
    assert "listening" not in done.stderr


@pytest.mark.slow
def test_a_stream_does_not_keep_a_server_from_stopping(serve: Callable[..., Server]):
    server = serve()
    dataset = uploaded(server.client, "data", rows(60_000))
    run = server.client.post("/api/v1/runs", json={"dataset": dataset, "suite": "agent"}).json()["id"]
    with server.client.stream("GET", f"/api/v1/runs/{run}/events") as response:
        next(response.iter_text())
        start = time.monotonic()
        assert server.process is not None
        server.process.terminate()
        server.process.wait(timeout=30)
        assert time.monotonic() - start < 12
    assert "Traceback" not in server.log
    import json

    lines = [json.loads(line) for line in server.log.splitlines()]  # each line is JSON
    assert {"listening", "stopping"} <= {line["event"] for line in lines}
