"""The command line inside this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct

from rightcall.app.cli.root import run


class Ended(Struct):
    code: int
    out: str
    err: str


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ended]:
    """Run a command in this process, in an empty folder; an unexpected exception is let out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIGHTCALL_DEBUG", "")
    monkeypatch.setenv("COLUMNS", "110")

    def ended(*arguments: str) -> Ended:
        code = run(arguments)
        seen = capsys.readouterr()
        assert "This is a fault in rightcall" not in seen.err, seen.err
        return Ended(code, seen.out, seen.err)

    return ended
