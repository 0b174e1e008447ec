"""Servers for the tests: in this process on either database, or as a process of its own that can be killed."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

BINARIES = (
    sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")) if Path("/usr/lib/postgresql").exists() else []
)
JSON = {"Content-Type": "application/json"}


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a real PostgreSQL of this run's own, on loopback; without its programs the tests are skipped."""
    if not BINARIES:
        pytest.skip("PostgreSQL is not installed")
    folder = tmp_path_factory.mktemp("postgres")
    port, data = free_port(), folder / "data"
    tools = BINARIES[-1].parent
    user = [] if os.getuid() else ["runuser", "-u", "postgres", "--"]
    if not os.getuid():
        for place in (folder, *folder.parents[:3]):
            place.chmod(0o755)
        shutil.chown(folder, "postgres")
    log = folder / "log"
    subprocess.run(
        [*user, tools / "initdb", "-D", data, "-A", "trust", "-U", "rightcall", "--no-sync"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    subprocess.run(
        [*user, tools / "pg_ctl", "-D", data, "-w", "-l", log, "-o", options, "start"],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield f"postgresql://rightcall@127.0.0.1:{port}"
    finally:
        subprocess.run(
            [*user, tools / "pg_ctl", "-D", data, "-m", "immediate", "stop"],
            check=False,
            stdout=subprocess.DEVNULL,
        )


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str | None:
    """Where a server of a test keeps what it knows; None is SQLite in its folder."""
    if request.param == "sqlite":
        return None
    url: str = request.getfixturevalue("postgres")
    name = f"t{time.time_ns()}_{os.getpid()}"
    import psycopg

    with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{url}/{name}"


class Server:
    """A server as a process, and a client of it."""

    def __init__(self, folder: Path, *flags: str, **environment: str) -> None:
        self.folder = folder
        self.port = free_port()
        self._flags = flags
        self._environment = environment
        self.process: subprocess.Popen[bytes] | None = None
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=60)

    @property
    def log(self) -> str:
        return (self.folder.parent / f"{self.folder.name}.log").read_text()

    def start(self) -> Server:
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "rightcall", "serve", "--port", str(self.port)),
                    *("--data-dir", str(self.folder), *self._flags),
                ],
                stdout=log,
                stderr=log,
                env={**os.environ, "RIGHTCALL_TRACE_SETTLE_SECONDS": "0.5", **self._environment},
            )
        for _ in range(300):
            try:
                if self.client.get("/healthz").status_code == 200:
                    return self
            except httpx.TransportError:
                time.sleep(0.05)
            assert self.process.poll() is None, self.log
        raise AssertionError(self.log)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(timeout=30)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers; they are gone when the test is."""
    started: list[Server] = []

    def start(*flags: str, folder: str = "server", **environment: str) -> Server:
        server = Server(tmp_path / folder, *flags, **environment)
        started.append(server)
        return server.start()

    yield start
    for server in started:
        if server.process is not None and server.process.poll() is None:
            server.kill()
        server.client.close()


@contextmanager
def opened(**settings: Any) -> Iterator[httpx.Client]:
    """A client of a server in this process."""
    from starlette.testclient import TestClient

    from rightcall.app.server.application import create_front
    from rightcall.app.server.settings import Settings

    with TestClient(create_front(Settings(**settings)), base_url="http://127.0.0.1") as client:
        yield client


def services_of(client: httpx.Client) -> Any:
    """What the server of a client in this process is made of."""
    held: Any = client
    return held.app.services


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    """A client of a server in this process, on SQLite."""
    with opened(data_dir=str(tmp_path / "server"), trace_settle_seconds=0.2) as client:
        yield client


@pytest.fixture
def either(tmp_path: Path, database_url: str | None) -> Iterator[httpx.Client]:
    """A client of a server in this process, once on each database."""
    with opened(
        data_dir=str(tmp_path / "server"), database_url=database_url, trace_settle_seconds=0.2
    ) as client:
        yield client


def rows(count: int, *, wrong_every: int = 3) -> bytes:
    """Cases, a line each; every so many calls another tool."""
    return b"".join(
        json.dumps(
            {
                "id": f"c{number}",
                "tool_calls": [
                    {"name": "other" if number % wrong_every == 0 else "find", "args": {"n": number}}
                ],
                "expected_tool_calls": [{"name": "find", "args": {"n": number}}],
            }
        ).encode()
        + b"\n"
        for number in range(count)
    )


def until(client: httpx.Client, run: str, *states: str, seconds: float = 60.0) -> dict[str, Any]:
    """The run once it is in one of some states."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found: dict[str, Any] = client.get(f"/api/v1/runs/{run}").json()
        if found["state"] in (states or ("complete",)):
            return found
        assert found["state"] in ("queued", "running"), (found["state"], found["message"])
        time.sleep(0.05)
    raise AssertionError(found)
