"""What the page on judges shows is what happens, against the loopback judge server."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rightcall.app.cli.judging import JUDGE_SETTINGS
from rightcall.app.cli.root import run
from rightcall.run.judging.judges import _VARIABLES, JUDGES, Member, forget
from tests.judges.server import JudgeServer
from tests.judges.standin import StandIn

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "judges.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[str]:
    return [text for found, text in BLOCK.findall(PAGE) if found == kind]


def knows_quiet(expected: dict[str, Any], actual: dict[str, Any]) -> float:
    """Takes a middle name for the same person, and a quiet hotel for another wish."""
    return 0.2 if "quiet" in json.dumps((expected, actual)) else 0.9


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[JudgeServer]:
    """The server stands where the page's commands ask, behind a local stage that leaves everything open."""
    JUDGES.get("local")
    monkeypatch.setitem(JUDGES._loaded, "local", Member(make_judge=lambda _: StandIn()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("TYPESAFE_API_KEY", "sk-of-the-page")
    with JudgeServer(knows_quiet) as server:
        monkeypatch.setenv("RIGHTCALL_BASE_URL", server.url)
        yield server
    forget()


def test_the_commands_print_what_stands_below_them(
    served: JudgeServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (cases,) = blocks("jsonl")
    Path("cases.jsonl").write_text(cases)
    (script,) = blocks("json")
    Path("script.json").write_text(script)
    parts = [
        part for block in blocks("console") for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part
    ]
    assert len(parts) == 7
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


def test_our_own_local_stage_leaves_the_rows_of_the_page_undecided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (cases,) = blocks("jsonl")
    Path("cases.jsonl").write_text(cases)
    asked = [
        "run",
        "cases.jsonl",
        "-e",
        "tool_call_semantic",
        "--model",
        "fake:0.8",
        "--no-gate",
        "--out",
        "out",
    ]
    assert run(asked) == 0
    forget()
    assert "fake:0.8: 2 of 2 undecided pairs judged, 1 request" in capsys.readouterr().out
    rows = [json.loads(line) for line in Path("out/results.jsonl").read_text().splitlines()]
    judged = [each for row in rows for each in row["details"].get("judged", [])]
    assert [(each["by"], each["probability"]) for each in judged] == [("fake:0.8", 0.8)] * 2
    # Far from both limits, so that a local stage that was trained anew leaves them undecided too.
    assert all(0.2 < each["local"] < 0.8 for each in judged)


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
