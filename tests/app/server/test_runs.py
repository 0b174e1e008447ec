"""Data sets and runs, on SQLite and on PostgreSQL: made, followed, ended, gone on with, read."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from rightcall.app.cli.root import run as cli

from .conftest import Server, opened, rows, services_of, until

LINES = {"Content-Type": "application/x-ndjson"}


def uploaded(client: httpx.Client, name: str, data: bytes, filename: str = "rows.jsonl") -> str:
    made = client.post("/api/v1/datasets", json={"name": name})
    assert made.status_code == 201, made.text
    dataset: str = made.json()["id"]
    put = client.put(
        f"/api/v1/datasets/{dataset}/data", params={"filename": filename}, content=data, headers=LINES
    )
    assert put.status_code == 201, put.text
    return dataset


def test_data_sets(either: httpx.Client):
    dataset = uploaded(either, "first", rows(10))
    assert either.post("/api/v1/datasets", json={"name": "first"}).status_code == 409
    again = either.put(
        "/api/v1/datasets/first/data", params={"filename": "more.jsonl"}, content=rows(20), headers=LINES
    )
    assert again.json()["number"] == 2
    assert [each["cases"] for each in either.get(f"/api/v1/datasets/{dataset}/history").json()] == [20, 10]
    assert either.get("/api/v1/datasets/first").json()["version"]["number"] == 2
    uploaded(either, "second", rows(1))
    page = either.get("/api/v1/datasets", params={"limit": 1}).json()
    assert [each["name"] for each in page["datasets"]] == ["second"]
    page = either.get("/api/v1/datasets", params={"limit": 1, "before": page["before"]}).json()
    assert [each["name"] for each in page["datasets"]] == ["first"]
    for data, status in ((b"", 422), (b"nothing\n", 422), (b"{}{", 422)):
        put = either.put(
            "/api/v1/datasets/first/data", params={"filename": "x.jsonl"}, content=data, headers=LINES
        )
        assert put.status_code == status, put.text
    wrong = either.put(
        "/api/v1/datasets/first/data", params={"filename": "x.exe"}, content=b"{}", headers=LINES
    )
    assert wrong.json()["field"] == "filename"
    assert either.get("/api/v1/datasets/first").json()["version"]["number"] == 2
    assert either.delete(f"/api/v1/datasets/{dataset}").status_code == 204
    assert either.get("/api/v1/datasets/first").status_code == 404


def test_a_run_and_all_that_came_of_it(either: httpx.Client):
    dataset = uploaded(either, "data", rows(300))
    body = {
        "dataset": dataset,
        "suite": "agent",
        "name": "nightly",
        "gates": {"fail_under": {"tool_call_args": 0.9}},
    }
    made = either.post("/api/v1/runs", json=body)
    assert made.status_code == 202, made.text
    run = made.json()["id"]
    assert made.headers["location"] == f"/api/v1/runs/{run}"
    found = until(either, run)
    assert (found["cases"], found["passed"], found["errors"]) == (300, 200, 0)
    summary = found["summary"]
    assert summary["evaluators"]["tool_call_args"]["mean"] == pytest.approx(2 / 3)
    assert [gate["met"] for gate in summary["gates"]] == [True, False]
    assert either.get("/api/v1/runs", params={"state": "complete"}).json()["runs"][0]["id"] == run

    listed: list[str] = []
    cursor: str | None = "0"
    while cursor is not None:
        params: dict[str, str | int] = {
            "label": "mismatch",
            "evaluator": "tool_call_args",
            "limit": 30,
            "cursor": cursor,
        }
        page = either.get(f"/api/v1/runs/{run}/results", params=params).json()
        listed += [result["id"] for result in page["results"]]
        cursor = page["cursor"]
    assert listed == [f"c{number}" for number in range(0, 300, 3)]
    assert either.get(f"/api/v1/runs/{run}/results", params={"cursor": 7}).status_code == 422
    kinds = either.get(f"/api/v1/runs/{run}/results", params={"kind": "wrong_tool", "tool": "find"}).json()
    assert len(kinds["results"]) == 100
    assert not either.get(f"/api/v1/runs/{run}/results", params={"tool": "no"}).json()["results"]

    (case,) = either.get(f"/api/v1/runs/{run}/cases/c3").json()["trials"]
    assert case["passed"] is False
    assert case["view"]["rows"]
    near = either.get(f"/api/v1/runs/{run}/cases/c3x")
    assert near.status_code == 404
    causes = either.get(f"/api/v1/runs/{run}/causes").json()
    assert {"wrong_tool", "missing_call"} <= {cause["kind"] for cause in causes}
    assert either.get(f"/api/v1/runs/{run}/what-if", params={"option": "ignore_case=true"}).json()
    for ending, word in (
        ("html", "<html"),
        ("md", "rightcall"),
        ("json", "signature"),
        ("xml", "<testsuite"),
    ):
        report = either.get(f"/api/v1/runs/{run}/report.{ending}")
        assert report.status_code == 200
        assert word in report.text
    assert "sandbox" in either.get(f"/api/v1/runs/{run}/report.html").headers["content-security-policy"]
    # No answer says where on the machine things lie.
    assert "/server/" not in either.get(f"/api/v1/runs/{run}/results").text
    assert either.delete(f"/api/v1/runs/{run}").status_code == 204
    assert either.get(f"/api/v1/runs/{run}").status_code == 404


def test_rows_can_be_sent_along(client: httpx.Client):
    cases = [json.loads(line) for line in rows(5).splitlines()]
    first = client.post("/api/v1/runs", json={"suite": "agent", "cases": cases}).json()["id"]
    params = {"run": json.dumps({"suite": "agent"})}
    second = client.post("/api/v1/runs", params=params, content=rows(5), headers=LINES).json()["id"]
    assert until(client, first)["passed"] == until(client, second)["passed"] == 3
    found = client.post("/api/v1/compare", json={"a": first, "b": second}).json()
    assert found["verdict"] == "no difference shown"
    assert client.post("/api/v1/compare", json={"a": first, "b": "run_no"}).status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "dataset"),
        ({"dataset": "no", "suite": "agent"}, "dataset"),
        ({"cases": [{}], "suite": "agentic"}, "suite"),
        (
            {"cases": [{}], "suite": "agent", "gates": {"fail_under": {"tool_call_argz": 0.5}}},
            "gates.fail_under",
        ),
        ({"cases": [{}], "suite": "agent", "gates": {"fail_under": 3}}, "gates.fail_under"),
        ({"cases": [{}], "suite": "agent", "gates": {"fial_under": 0.3}}, "gates"),
        ({"cases": [{}], "suite": "agent", "format": "no"}, "format"),
        ({"cases": [{}], "dataset": "x", "suite": "agent"}, "cases"),
        ({"cases": [{}], "version": 2, "suite": "agent"}, "version"),
    ],
)
def test_a_wrong_run_is_refused_and_leaves_nothing(client: httpx.Client, body: dict, field: str):
    response = client.post("/api/v1/runs", json=body)
    assert response.status_code in (404, 422), response.text
    assert field in response.json().get("field", ""), response.text
    assert client.get("/api/v1/runs").json()["runs"] == []
    assert client.get("/api/v1/datasets").json()["datasets"] == []


def test_progress_comes_as_events(client: httpx.Client):
    dataset = uploaded(client, "data", rows(50))
    run = client.post("/api/v1/runs", json={"dataset": dataset, "suite": "agent"}).json()["id"]
    with client.stream("GET", f"/api/v1/runs/{run}/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        text = "".join(response.iter_text())
    assert text.count("event: end") == 1
    last = json.loads(text.strip().rpartition("data: ")[2])
    assert (last["state"], last["cases"]) == ("complete", 50)


@pytest.mark.slow
def test_a_run_is_cancelled_and_gone_on_with(serve: Callable[..., Server], tmp_path: Path):
    server = serve()
    client = server.client
    dataset = uploaded(client, "data", rows(60_000))
    run = client.post("/api/v1/runs", json={"dataset": dataset, "suite": "agent"}).json()["id"]
    while client.get(f"/api/v1/runs/{run}").json()["cases"] < 1000:
        time.sleep(0.02)
    assert client.delete(f"/api/v1/runs/{run}").status_code == 409
    assert client.delete(f"/api/v1/datasets/{dataset}").status_code == 409
    assert client.post(f"/api/v1/runs/{run}/cancel").status_code == 202
    found = until(client, run, "cancelled")
    assert 1000 <= found["cases"] < 60_000
    assert client.post(f"/api/v1/runs/{run}/cancel").status_code == 409
    assert client.post(f"/api/v1/runs/{run}/resume").status_code == 202
    assert until(client, run)["cases"] == 60_000
    _same_as_unbroken(server, run, tmp_path)


@pytest.mark.slow
def test_kill_during_a_run(serve: Callable[..., Server], tmp_path: Path):
    server = serve()
    dataset = uploaded(server.client, "data", rows(60_000))
    run = server.client.post("/api/v1/runs", json={"dataset": dataset, "suite": "agent"}).json()["id"]
    for least in (1000, 20_000):
        while server.client.get(f"/api/v1/runs/{run}").json()["cases"] < least:
            time.sleep(0.02)
        server.kill()
        server.start()
    assert until(server.client, run)["cases"] == 60_000
    _same_as_unbroken(server, run, tmp_path)


def _same_as_unbroken(server: Server, run: str, tmp_path: Path) -> None:
    """The results of a run that was broken off are those of one that was not."""
    place = server.folder / "runs" / run
    request = json.loads((place / "run.json").read_text())["request"]
    before = Path.cwd()
    os.chdir(place / request["cwd"])
    try:
        assert (
            cli(["run", request["data"], "--suite", "agent", "--no-gate", "--out", str(tmp_path / "whole")])
            == 0
        )
    finally:
        os.chdir(before)
    assert (tmp_path / "whole/results.jsonl").read_bytes() == (place / "results.jsonl").read_bytes()


@pytest.mark.slow
def test_a_run_process_that_dies_says_so(serve: Callable[..., Server]):
    server = serve()
    dataset = uploaded(server.client, "data", rows(60_000))
    run = server.client.post("/api/v1/runs", json={"dataset": dataset, "suite": "agent"}).json()["id"]
    while server.client.get(f"/api/v1/runs/{run}").json()["cases"] < 1000:
        time.sleep(0.02)
    assert server.process is not None
    (worker,) = [
        int(each.name)
        for each in Path("/proc").iterdir()
        if each.name.isdigit() and _is_worker_of(each, server.process.pid)
    ]
    os.kill(worker, signal.SIGKILL)
    found = until(server.client, run, "failed")
    assert "signal 9" in found["message"]
    assert found["resumable"]
    server.client.post(f"/api/v1/runs/{run}/resume")
    assert until(server.client, run)["cases"] == 60_000


def _is_worker_of(process: Path, parent: int) -> bool:
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[1] == str(parent)
    except OSError:
        return False


@pytest.mark.slow
def test_a_server_stops_in_good_order(serve: Callable[..., Server]):
    server = serve()
    dataset = uploaded(server.client, "data", rows(60_000))
    run = server.client.post("/api/v1/runs", json={"dataset": dataset, "suite": "agent"}).json()["id"]
    while server.client.get(f"/api/v1/runs/{run}").json()["cases"] < 1000:
        time.sleep(0.02)
    assert server.stop() in (0, -signal.SIGTERM)
    server.start()
    assert until(server.client, run)["cases"] == 60_000


def test_runs_wait_for_each_other(tmp_path: Path):
    with opened(data_dir=str(tmp_path / "server"), jobs=1) as client:
        dataset = uploaded(client, "data", rows(100))
        runs = [
            client.post("/api/v1/runs", json={"dataset": dataset, "suite": "agent"}).json()["id"]
            for _ in range(3)
        ]
        assert client.post(f"/api/v1/runs/{runs[2]}/cancel").json()["state"] in ("cancelled", "queued")
        assert until(client, runs[0])["cases"] == until(client, runs[1])["cases"] == 100
        assert until(client, runs[2], "cancelled")["cases"] == 0


def test_a_run_that_is_cancelled_while_it_is_taken_up_is_not_made(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
):
    services = services_of(client)
    asked = services.runs.request
    taken: list[str] = []

    def request(run: str) -> Any:
        if not taken:
            taken.append(run)
            services.jobs.cancel(run)
        return asked(run)

    monkeypatch.setattr(services.runs, "request", request)
    dataset = uploaded(client, "data", rows(10))
    first, second = (
        client.post("/api/v1/runs", json={"dataset": dataset, "suite": "agent"}).json()["id"]
        for _ in range(2)
    )
    until(client, second)
    assert taken == [first]
    found = client.get(f"/api/v1/runs/{first}").json()
    assert (found["state"], found["cases"], found["resumable"]) == ("cancelled", 0, True)
    assert client.post(f"/api/v1/runs/{first}/resume").status_code == 202
    assert until(client, first)["cases"] == 10


def test_what_is_expected_may_be_another_data_set(client: httpx.Client):
    """It is joined by id, in the version that was the newest when the run was asked for."""
    actual = b'{"id": "a", "tool_calls": [{"name": "f"}]}\n{"id": "b", "tool_calls": [{"name": "g"}]}\n'
    gold = b'{"id": "a", "expected_tool_calls": [{"name": "f"}]}\n{"id": "b", "expected_tool_calls": [{"name": "f"}]}\n'
    uploaded(client, "made", actual)
    uploaded(client, "gold", gold)
    run = client.post("/api/v1/runs", json={"dataset": "made", "expected": "gold", "suite": "agent"}).json()[
        "id"
    ]
    found = until(client, run)
    assert (found["cases"], found["passed"]) == (2, 1)
    (case,) = client.get(f"/api/v1/runs/{run}/cases/b").json()["trials"]
    assert case["view"]["rows"]
    wrong = client.post(
        "/api/v1/runs", json={"dataset": "made", "expected": "gold", "expected_version": 9, "suite": "agent"}
    )
    assert wrong.status_code == 404
