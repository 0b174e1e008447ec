"""What the page on judges shows is what happens, against the loopback judge server."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from rightcall.app.cli.judging import JUDGE_SETTINGS
from rightcall.app.cli.root import run
from rightcall.run.judges import _VARIABLES, JUDGES, Member, forget
from tests.judges.server import JudgeServer
from tests.judges.standin import StandIn

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "judges.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[str]:
    return [text for found, text in BLOCK.findall(PAGE) if found == kind]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[JudgeServer]:
    """The server stands where the page's commands ask, behind a local stage that leaves everything open."""
    JUDGES.get("local")
    monkeypatch.setitem(JUDGES._loaded, "local", Member(make_judge=lambda _: StandIn()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("TYPESAFE_API_KEY", "sk-of-the-page")
    with JudgeServer() as server:
        monkeypatch.setenv("RIGHTCALL_BASE_URL", server.url)
        yield server
    forget()


def test_the_commands_print_what_stands_below_them(
    served: JudgeServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (cases,) = blocks("jsonl")
    Path("cases.jsonl").write_text(cases)
    parts = [
        part for block in blocks("console") for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part
    ]
    assert len(parts) == 5
    for part in parts:
        command, *lines = part.splitlines()
        monkeypatch.setattr("sys.stdin", io.StringIO("y\nn\n"))
        run(shlex.split(command.removeprefix("rightcall ")))
        forget()
        told = capsys.readouterr()
        place = 0
        for piece in "\n".join(lines).split("..."):  # dots stand for what is left out
            assert piece.strip() in told.out[place:], (command, piece, told)
            place = told.out.index(piece.strip(), place) + len(piece.strip())
    runs = [Path(f"runs/{name}/results.jsonl").read_bytes() for name in ("judged", "again")]
    assert runs[0] == runs[1]


def test_the_python_prints_what_stands_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    programs, printed = blocks("python"), blocks("text")
    assert len(programs) == len(printed) == 2
    for program, wanted in zip(programs, printed, strict=True):
        exec(compile(program, "judges.md", "exec"), {"__name__": "page"})  # noqa: S102 - our own document
        assert capsys.readouterr().out == wanted


def test_every_backend_and_every_setting_is_on_the_page() -> None:
    assert all(f"`{name}" in PAGE for name in JUDGES.own)
    assert all(f"`{variable}`" in PAGE for variable, _ in _VARIABLES.values())
    flags = {f"--{name.replace('_', '-')}" for name in (*JUDGE_SETTINGS, "base_url")}
    assert {flag for flag in flags if flag not in PAGE} == set()
