"""What the page on the server shows is what happens; what is deployed is linted and run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from rightcall.app.server.keys import SCOPES
from rightcall.app.server.settings import Settings

from .conftest import Server

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "server.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DEPLOY = ROOT / "deploy"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_lines_of_the_page_print_what_stands_below_them(serve: Callable[..., Server]):
    server = serve()
    blocks = BLOCK.findall(PAGE)
    shown = 0
    for (kind, text), (below, wanted) in pairwise(blocks):
        if kind != "sh":
            continue
        assert below == "text"
        lines = text.replace("127.0.0.1:8077", f"127.0.0.1:{server.port}")
        done = subprocess.run(["sh", "-ec", lines], capture_output=True, text=True, cwd=ROOT, check=False)
        assert done.returncode == 0, done.stderr
        assert wanted.strip() in done.stdout, done.stdout
        shown += 1
    assert shown == 5


def test_the_page_knows_every_scope_and_setting():
    for scope in SCOPES:
        assert f"| `{scope}` |" in PAGE
    for variable in re.findall(r"RIGHTCALL_([A-Z_]+)", PAGE):
        assert variable.lower() in Settings.__struct_fields__, variable


def test_the_dockerfile_is_linted():
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_what_compose_names_exists():
    found = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    server = found["services"]["server"]
    assert (DEPLOY / server["build"]["context"] / server["build"]["dockerfile"]).exists()
    for name in server["environment"]:
        assert name.removeprefix("RIGHTCALL_").lower() in Settings.__struct_fields__
    for service in found["services"].values():
        for volume in service["volumes"]:
            assert volume.partition(":")[0] in found["volumes"]


@pytest.mark.slow
def test_the_commands_of_the_dockerfile_run(tmp_path: Path, serve: Callable[..., Server]):
    """In a folder that holds what is copied into the image, with a fresh environment in the place of /opt/rightcall."""
    home = tmp_path / "opt"
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    _, build, final = text.split("\nFROM ")
    (tmp_path / "build").mkdir()
    for line in build.splitlines():
        word, _, rest = line.partition(" ")
        if word == "COPY":
            *sources, target = rest.split()
            for source in sources:
                place = tmp_path / "build" / target / (source if target == "./" else "")
                place.parent.mkdir(parents=True, exist_ok=True)
                whole = ROOT / source
                copy = shutil.copytree if whole.is_dir() else shutil.copy
                copy(whole, place)
        elif word == "RUN":
            command = rest.replace("/opt/rightcall", str(home)).replace("python -m", f"{sys.executable} -m")
            done = subprocess.run(
                ["sh", "-ec", command], cwd=tmp_path / "build", capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr
    (command,) = re.findall(r"^CMD \[(.*)\]$", final, re.MULTILINE)
    words = shlex.split(command.replace(",", " "))
    assert words[:2] == ["rightcall", "serve"]
    server = Server(tmp_path / "data", "--no-auth", "--host", words[words.index("--host") + 1])
    server.command = [str(home / "bin" / "rightcall")]
    server.start()
    try:
        assert server.client.get("/readyz").status_code == 200
        asked = {"suite": "everything", "output": [{"name": "f"}], "expected": [{"name": "f"}]}
        assert server.client.post("/api/v1/evaluate", json=asked).status_code == 200
        assert server.stop() in (0, -15)
    finally:
        server.kill()
        server.client.close()
