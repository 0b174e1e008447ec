"""Servers for the tests: in this process on either database, or as a process of its own that can be killed."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
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


def postgres_tools() -> Path | None:
    """The folder of PostgreSQL's programs; None where it is not installed."""
    return BINARIES[-1].parent if BINARIES else None


class Postgres:
    """A real PostgreSQL of the tests' own, on loopback."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.folder = folder
        self._as = [] if os.getuid() else ["runuser", "-u", "postgres", "--"]
        if not os.getuid():
            for place in (folder, *folder.parents[:3]):
                place.chmod(0o755)
            shutil.chown(folder, "postgres")
        self._call("initdb", "-D", str(folder / "data"), "-A", "trust", "-U", "rightcall", "--no-sync")

    @property
    def url(self) -> str:
        return f"postgresql://rightcall@127.0.0.1:{self.port}"

    def control(self, what: str) -> None:
        """Start it, or stop it at once."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder} -c fsync=off"
        more = ("-l", str(self.folder / "log"), "-o", options) if what == "start" else ("-m", "immediate")
        self._call("pg_ctl", "-D", str(self.folder / "data"), "-w", *more, what)

    def _call(self, program: str, *arguments: str) -> None:
        tools = postgres_tools()
        assert tools is not None
        with (self.folder / "said").open("ab") as said:
            done = subprocess.run(
                [*self._as, str(tools / program), *arguments],
                check=False, stdout=said, stderr=said, cwd=self.folder,
            )  # fmt: skip
        log = self.folder / "log"
        told = (self.folder / "said").read_text() + (log.read_text() if log.exists() else "")
        assert done.returncode == 0, told[-3000:]

    def new_database(self) -> str:
        import psycopg

        name = f"t{time.time_ns()}_{os.getpid()}"
        with psycopg.connect(f"{self.url}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"{self.url}/{name}"


def _postgres(folder: Path) -> Iterator[Postgres]:
    if postgres_tools() is None:
        pytest.skip("PostgreSQL is not installed")
    found = Postgres(folder)
    found.control("start")
    try:
        yield found
    finally:
        with suppress(AssertionError):  # a test may have stopped it
            found.control("stop")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """One for all tests; without its programs they are skipped."""
    yield from _postgres(tmp_path_factory.mktemp("postgres"))


@pytest.fixture
def own_postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """One that a test may stop."""
    yield from _postgres(tmp_path_factory.mktemp("own"))


@pytest.fixture
def own_postgres(own_postgres_server: Postgres) -> Callable[[str], None]:
    """Starts and stops it."""
    return own_postgres_server.control


@pytest.fixture
def own_postgres_url(own_postgres_server: Postgres) -> str:
    """A database of it."""
    return own_postgres_server.new_database()


@pytest.fixture
def postgres_database(postgres: Postgres) -> str:
    """A new database."""
    return postgres.new_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str | None:
    """Where a server of a test keeps what it knows; None is SQLite in its folder."""
    if request.param == "sqlite":
        return None
    url: str = request.getfixturevalue("postgres_database")
    return url


class Server:
    """A server as a process, and a client of it."""

    def __init__(self, folder: Path, *flags: str, **environment: str) -> None:
        self.folder = folder
        self.port = free_port()
        self._environment = environment
        self.plain = [sys.executable, "-m", "rightcall"]
        self.command = self.plain
        self._flags = flags
        self.process: subprocess.Popen[bytes] | None = None
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=60)

    @property
    def log(self) -> str:
        return (self.folder.parent / f"{self.folder.name}.log").read_text()

    def start(self) -> Server:
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(*self.command, "serve", "--port", str(self.port)),
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


DOCUMENT = Path(__file__).parents[3] / "docs" / "reference" / "openapi.json"


@cache
def _operations() -> tuple[list[tuple[str, re.Pattern[str], dict[str, Any]]], Any]:
    """Method, path and responses of every operation; and what resolves the document's references."""
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    document = json.loads(DOCUMENT.read_text())
    registry = Registry().with_resource("doc:", DRAFT202012.create_resource(document))
    found = []
    for path, methods in document["paths"].items():
        # A case's id may hold slashes.
        pattern = re.sub(r"\\{case\\}", ".+", re.escape(path))
        pattern = re.sub(r"\\{[a-z_]+\\}", "[^/]+", pattern)
        found += [
            (method.upper(), re.compile(pattern), each["responses"]) for method, each in methods.items()
        ]
    return found, registry


@cache
def _validator(text: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(
        json.loads(text.replace('"#/components/', '"doc:#/components/')), registry=_operations()[1]
    )


def hold_against_the_document(response: httpx.Response) -> None:
    """An answer is one that the document declares, whatever was asked."""
    if response.status_code in (404, 405):
        return  # perhaps of no operation at all
    for method, path, responses in _operations()[0]:
        if method != response.request.method or not path.fullmatch(response.request.url.path):
            continue
        declared = responses.get(str(response.status_code))
        assert declared is not None, (method, response.request.url.path, response.status_code)
        media = response.headers.get("content-type", "").partition(";")[0]
        content = declared.get("content", {}).get(media)
        if content is not None and media.endswith("json"):
            response.read()
            problems = list(_validator(json.dumps(content["schema"])).iter_errors(response.json()))
            assert not problems, (method, path.pattern, problems[0].message, list(problems[0].absolute_path))
        return


@contextmanager
def opened(**settings: Any) -> Iterator[httpx.Client]:
    """A client of a server in this process."""
    from starlette.testclient import TestClient

    from rightcall.app.server.application import create_front
    from rightcall.app.server.settings import Settings

    with TestClient(create_front(Settings(**settings)), base_url="http://127.0.0.1") as client:
        client.event_hooks["response"].append(hold_against_the_document)
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
