"""Streams and folders that can't be used: one line that says which and why, never "a fault"."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CASE = json.dumps({"id": "r", "tool_calls": [], "expected_tool_calls": []}) + "\n"
RUN = ("run", "cases.jsonl", "-e", "tool_call_args")
EVERY = [
    RUN,
    (*RUN, "--json"),
    (*RUN, "--out", "o"),
    ("evaluators",),
    ("eval", "tool_call_args", "--output", "[]", "--expected", "[]"),
    ("--help",),
    ("run", "--help"),
    ("--version",),
    (),
]


def shell(tmp_path: Path, words: tuple[str, ...], ending: str) -> subprocess.CompletedProcess[str]:
    """Run a command with `ending` after it, as in a POSIX shell."""
    (tmp_path / "cases.jsonl").write_text(CASE)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("RIGHTCALL_")}
    return subprocess.run(
        ["sh", "-c", f'"$@" {ending}', "sh", sys.executable, "-m", "rightcall", *words],
        cwd=tmp_path,
        env=kept,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def is_clean(words: str) -> bool:
    return not any(part in words for part in ("fault in", "Traceback", "Exception ignored", "NoneType"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("words", [words for words in EVERY if words])
def test_a_full_disk_is_one_plain_line(tmp_path: Path, words: tuple[str, ...]):
    done = shell(tmp_path, words, "> /dev/full")
    assert (done.returncode, done.stderr) == (4, "error: standard output: No space left on device\n")


@pytest.mark.parametrize("words", EVERY)
@pytest.mark.parametrize("ending", [">&-", "2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-", "2> /dev/full"])
def test_closed_streams_change_nothing_but_what_is_seen(tmp_path: Path, words: tuple[str, ...], ending: str):
    done = shell(tmp_path, words, ending)
    assert done.returncode == (0 if words else 2)
    assert is_clean(done.stdout + done.stderr)
    if "--out" in words:
        assert json.loads((tmp_path / "o/results.jsonl").read_text())["score"] == 1.0


@pytest.mark.parametrize("words", EVERY)
def test_a_reader_who_leaves_at_once_is_no_error(tmp_path: Path, words: tuple[str, ...]):
    done = _piped(tmp_path, words)
    assert done.returncode in ((0, 141) if words else (2,))
    assert is_clean(done.stderr)


def _piped(tmp_path: Path, words: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    (tmp_path / "cases.jsonl").write_text(CASE)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("RIGHTCALL_")}
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return subprocess.run(
            [sys.executable, "-m", "rightcall", *words],
            cwd=tmp_path,
            env=kept,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writing)


def test_closed_standard_input_holds_no_case(tmp_path: Path):
    done = shell(tmp_path, ("run", "-", "-e", "tool_call_args"), "<&-")
    assert (done.returncode, done.stderr) == (3, "error: the data held no case\n")


def denied(*_: object, **__: object) -> Any:
    raise PermissionError(errno.EACCES, "Permission denied")


@pytest.mark.parametrize("method", ["iterdir", "exists", "mkdir", "write_bytes", "open"])
def test_a_folder_that_can_not_take_a_run_is_wrong_usage(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, method: str
):
    Path("cases.jsonl").write_text(CASE)
    Path("o").mkdir()
    real = getattr(Path, method)

    def fails(self: Path, *arguments: Any, **fields: Any) -> Any:
        inside = self.name == "o" or self.parent.name == "o"
        return denied() if inside else real(self, *arguments, **fields)

    monkeypatch.setattr(Path, method, fails)
    done = call(*RUN, "--out", "o")
    assert done.code == 2
    assert done.err.startswith("error: out: o can't be ")
    assert "Permission denied" in done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="everything is allowed to root")
def test_a_read_only_folder_is_wrong_usage(call: Callable[..., Any]):
    Path("cases.jsonl").write_text(CASE)
    Path("o").mkdir(mode=0o500)
    assert call(*RUN, "--out", "o").code == 2
    assert call(*RUN, "--out", "o/p").code == 2


@pytest.mark.parametrize("method", ["exists", "read_bytes", "open"])
def test_a_run_that_can_not_be_read_is_named(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, method: str
):
    Path("cases.jsonl").write_text(CASE)
    call(*RUN, "--out", "o")
    real = getattr(Path, method)

    def fails(self: Path, *arguments: Any, **fields: Any) -> Any:
        return denied() if self.parent.name == "o" else real(self, *arguments, **fields)

    monkeypatch.setattr(Path, method, fails)
    done = call("explain", "o", "r")
    assert done.code == 3
    assert done.err.startswith("error: o")
    assert "can't be read: Permission denied" in done.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("buffering", [0, 1 << 20])
def test_a_disk_that_fills_up_during_a_run_is_named(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, buffering: int
):
    real = Path.open

    def full(self: Path, mode: str = "r", **fields: Any) -> Any:
        if self.name != "results.jsonl" or mode != "wb":
            return real(self, mode, **fields)
        return real(Path("/dev/full"), "wb", buffering=buffering)

    Path("cases.jsonl").write_text(CASE)
    monkeypatch.setattr(Path, "open", full)
    done = call(*RUN, "--out", "o")
    assert (done.code, done.err) == (4, "error: o/results.jsonl: No space left on device\n")


def test_a_module_that_exits_when_it_is_imported_is_wrong_usage(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    Path("leaves_at_once.py").write_text("raise SystemExit(0)\n")
    Path("cases.jsonl").write_text(CASE)
    monkeypatch.setattr("sys.path", [*sys.path])
    done = call("run", "cases.jsonl", "-e", "leaves_at_once:check")
    assert (done.code, "SystemExit" in done.err) == (2, True)
