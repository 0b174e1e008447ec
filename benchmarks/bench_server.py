"""The server on loopback: single evaluations beside an empty endpoint, batches beside the library, many clients.

Requests a second of one server process, asked by one client process over kept connections. The empty endpoint has the
same layers around it, checks the same key and reads the same body.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from generate import write

SERVER = """
import sys
import uvicorn
from starlette.responses import Response
from rightcall.app.server.application import create_application
from rightcall.app.server.bodies import read_body
from rightcall.app.server.front import Front
from rightcall.app.server.services import Services
from rightcall.app.server.settings import Settings

folder, port = sys.argv[1], int(sys.argv[2])
services = Services(Settings(data_dir=folder, require_key=True, rate_per_minute=100_000_000))
app = create_application(services)

async def empty(request):
    await read_body(request, services.settings)
    return Response(b"{}", media_type="application/json")

app.router.add_api_route("/empty", empty, methods=["POST"], response_model=None)
services.database.migrate()
print(services.keys.create("bench", ["evaluate"])[1], flush=True)
uvicorn.run(Front(app, services, services.metrics), port=port, log_config=None, access_log=False)
"""


class Client:
    """Connections that are kept, each asking one request after the other; no more HTTP than this needs."""

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        self._key = key
        self.statuses: Counter[int] = Counter()
        self.seconds: list[float] = []

    def request(self, path: str, body: bytes) -> bytes:
        """A request as bytes."""
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self._key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    async def connection(self, request: bytes, until: float) -> None:
        """Ask until the time is over."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        while time.perf_counter() < until:
            start = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            await reader.readexactly(length)
            self.seconds.append(time.perf_counter() - start)
            self.statuses[int(head[9:12])] += 1
        writer.close()

    async def run(self, path: str, body: bytes, connections: int, seconds: float) -> float:
        """Requests a second."""
        self.statuses.clear()
        self.seconds.clear()
        request = self.request(path, body)
        start = time.perf_counter()
        await asyncio.gather(*(self.connection(request, start + seconds) for _ in range(connections)))
        return len(self.seconds) / (time.perf_counter() - start)


def started(folder: Path, port: int) -> tuple[subprocess.Popen[bytes], str]:
    """A server, and a key of it."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(folder), str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ),
    )
    assert process.stdout is not None
    key = process.stdout.readline().decode().strip()
    for _ in range(200):
        try:
            asyncio.run(asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 1))
            break
        except OSError:
            time.sleep(0.05)
    return process, key


def single(client: Client, row: dict[str, object], rounds: int, seconds: float) -> float:
    """Single evaluations against an empty endpoint, in turn."""
    body = json.dumps({"evaluators": ["tool_call_args"], **row}).encode()
    ratios, empty, scored = [], [], []
    for _ in range(rounds):
        empty.append(asyncio.run(client.run("/empty", body, 16, seconds)))
        scored.append(asyncio.run(client.run("/api/v1/evaluate", body, 16, seconds)))
        assert set(client.statuses) == {200}, client.statuses
        ratios.append(scored[-1] / empty[-1])
    ratio = statistics.median(ratios)
    verdict = "ok" if ratio >= 0.6 else "TOO SLOW"
    print(f"empty endpoint {max(empty):,.0f} requests a second, single evaluations {max(scored):,.0f}")
    print(f"single evaluations against the empty endpoint: {ratio:.2f} x (at least 0.6) {verdict}")
    return ratio


def batches(client: Client, path: Path, rows: list[dict[str, object]], rounds: int, seconds: float) -> float:
    """Rows a second in batches, against the library with a file of the same rows; both with all details."""
    from rightcall import evaluate_cases

    body = json.dumps({"suite": "agent", "summarize": False, "cases": rows}).encode()
    ratios, over, inside = [], [], []
    for _ in range(rounds):
        start = time.perf_counter()
        run = evaluate_cases(path, suite="agent")
        for case in run.results:
            for result in case.results:
                result.as_dict()
        inside.append(len(rows) / (time.perf_counter() - start))
        over.append(asyncio.run(client.run("/api/v1/evaluate/batch", body, 2, seconds)) * len(rows))
        assert set(client.statuses) == {200}, client.statuses
        ratios.append(over[-1] / inside[-1])
    ratio = statistics.median(ratios)
    verdict = "ok" if ratio >= 0.5 else "TOO SLOW"
    print(f"the library {max(inside):,.0f} rows a second, batches of {len(rows)} {max(over):,.0f}")
    print(f"batches against the library: {ratio:.2f} x (at least 0.5) {verdict}")
    return ratio


def many(client: Client, row: dict[str, object], seconds: float) -> None:
    """200 clients at the same time."""
    body = json.dumps({"suite": "agent", **row}).encode()
    rate = asyncio.run(client.run("/api/v1/evaluate", body, 200, seconds))
    took = sorted(client.seconds)
    wrong = {status: number for status, number in client.statuses.items() if status not in (200, 429)}
    verdict = "ok" if not wrong else f"ERRORS {wrong}"
    print(
        f"200 clients for {seconds:g} s: {rate:,.0f} requests a second, median {1000 * statistics.median(took):.0f} ms, "
        f"p99 {1000 * took[int(0.99 * len(took))]:.0f} ms; {verdict}"
    )
    assert not wrong


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--load", type=float, default=60.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        path = write(Path(name) / "rows.jsonl", 200)
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        port = 20_000 + os.getpid() % 20_000
        process, key = started(Path(name) / "server", port)
        try:
            client = Client(port, key)
            row = {key: rows[0][key] for key in ("tool_calls", "expected_tool_calls")}
            single(client, row, asked.rounds, asked.seconds)
            batches(client, path, rows, asked.rounds, asked.seconds)
            many(client, row, asked.load)
        finally:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
