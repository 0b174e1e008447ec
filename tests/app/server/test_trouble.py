"""A database that is full, locked or gone, and a disk that is full: 503, and work again when it is over."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from sqlalchemy import event

from .conftest import Server, opened, postgres_tools, rows, services_of, until
from .test_traces import export, ids, root, scored, span

LINES = {"Content-Type": "application/x-ndjson"}


def spans(*, size: int = 0) -> tuple[str, dict[str, Any]]:
    trace, top, own = ids()
    tool = span(trace, own, top)
    tool["attributes"].append({"key": "filling", "value": {"stringValue": "x" * size}})
    return trace, export(root(trace, top), tool)


def refused(response: httpx.Response) -> None:
    assert response.status_code == 503, response.text
    assert response.headers["retry-after"]
    assert response.json()["type"] == "urn:rightcall:problem:store"


def test_a_full_database(tmp_path: Path):
    with opened(data_dir=str(tmp_path), trace_settle_seconds=0.2) as client:
        engine = services_of(client).database.engine
        pages: dict[str, int] = {"most": 120}

        def limit(connection: Any, *_: object) -> None:
            connection.execute(f"PRAGMA max_page_count = {pages['most']}")

        event.listen(engine, "checkout", limit)
        kept: list[str] = []
        for _ in range(50):
            trace, body = spans(size=20_000)
            response = client.post("/v1/traces", json=body)
            if response.status_code != 200:
                break
            kept.append(trace)
        refused(response)
        assert kept
        assert client.get("/api/v1/traces", params={"limit": 1000}).status_code == 200
        pages["most"] = 1 << 30
        assert client.post("/v1/traces", json=body).status_code == 200
        for each in (*kept, trace):
            assert len(scored(client, each)["outcome"]["calls"]) == 1


@pytest.mark.slow
def test_a_locked_database(tmp_path: Path):
    with opened(data_dir=str(tmp_path), trace_settle_seconds=0.2) as client:
        trace, body = spans()
        other = sqlite3.connect(tmp_path / "rightcall.db", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        refused(client.post("/v1/traces", json=body))
        other.execute("ROLLBACK")
        other.close()
        assert client.post("/v1/traces", json=body).status_code == 200
        assert scored(client, trace)["state"] == "scored"


@pytest.mark.slow
def test_a_lost_database(tmp_path: Path, own_postgres: Callable[[str], None], own_postgres_url: str):
    with opened(data_dir=str(tmp_path), database_url=own_postgres_url, trace_settle_seconds=0.2) as client:
        trace, body = spans()
        assert client.post("/v1/traces", json=body).status_code == 200
        own_postgres("stop")
        refused(client.post("/v1/traces", json=spans()[1]))
        refused(client.get("/readyz"))
        assert client.get("/healthz").status_code == 200
        evaluated = client.post("/api/v1/evaluate", json={"suite": "agent", "output": [], "expected": []})
        assert evaluated.status_code == 200
        own_postgres("start")
        assert client.get("/readyz").status_code == 200
        assert scored(client, trace)["state"] == "scored"


@pytest.mark.slow
def test_a_full_disk(tmp_path: Path, serve: Callable[..., Server]):
    """A limit on the size of files stands for it: uploads and runs fail with words, and leave nothing half done."""
    server = Server(tmp_path / "server")
    server.command = [
        *(sys.executable, "-c"),
        "import resource, sys; from rightcall.app.cli import main; resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 100_000_000)); main(sys.argv[1:])",
    ]
    server.start()
    try:
        client = server.client
        client.post("/api/v1/datasets", json={"name": "data"})
        put = {"params": {"filename": "rows.jsonl"}, "headers": LINES}
        refused(client.put("/api/v1/datasets/data/data", content=rows(20_000), **put))  # type: ignore[arg-type]
        assert client.get("/api/v1/datasets/data").json()["version"] is None
        assert not list((tmp_path / "server/datasets").rglob("*.jsonl"))
        assert client.put("/api/v1/datasets/data/data", content=rows(5000), **put).status_code == 201  # type: ignore[arg-type]
        run = client.post("/api/v1/runs", json={"dataset": "data", "suite": "agent"}).json()["id"]
        found = until(client, run, "failed")
        assert "results.jsonl" in found["message"] or "disk" in found["message"]
        assert str(tmp_path) not in found["message"]
        server.stop()
        server.command = server.plain
        server.start()
        assert client.post(f"/api/v1/runs/{run}/resume").status_code == 202
        assert until(client, run)["cases"] == 5000
    finally:
        server.kill()
        client.close()


@pytest.mark.skipif(shutil.which("pg_dump") is None, reason="pg_dump is not installed")
def test_a_copy_of_postgres(tmp_path: Path, postgres_database: str):
    with opened(data_dir=str(tmp_path / "server"), database_url=postgres_database) as client:
        client.post("/api/v1/datasets", json={"name": "kept"})
        done = subprocess.run(
            [
                *(sys.executable, "-m", "rightcall", "db", "backup", str(tmp_path / "copy")),
                *("--data-dir", str(tmp_path / "server"), "--database-url", postgres_database),
            ],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "kept" in (tmp_path / "copy/database.sql").read_text()
    assert postgres_tools() is not None
