"""Whether a run can be gone on with: it asked for the same, and what it read still stands there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ...errors import OptionError, SourceError
from ..dataset import ReadFile
from .runrecord import Request, RunRecord

__all__ = ["check_same", "check_unchanged"]

_BLOCK: Final = 1 << 20

_OPTION: Final = {"evaluators": "evaluator", "tags": "tag"}
"""What fields of a request are called on the command line, where that differs."""


def check_same(earlier: RunRecord, request: Request, signature: str, apart: tuple[str, ...]) -> None:
    """Refuse to go on with a run that asked for something else.

    Raises:
        OptionError: names the first difference.
    """
    hint = "ask for the same, or leave --resume out to begin anew"
    for name in Request.__struct_fields__:
        was, now = getattr(earlier.request, name), getattr(request, name)
        if was != now and name != "cwd":
            shown = [_shown(value) for value in (was, now)]
            if name in ("evaluators", "suite"):
                shown = [_scored_by(each) for each in (earlier.request, request)]
            raise OptionError(
                f"was {shown[0]} in the run that lies there, and is {shown[1]} now",
                field=_OPTION.get(name, name),
                hint=hint,
            )
    if earlier.apart != apart:
        raise OptionError(
            f"parts counted apart were {_shown(earlier.apart)} in the run that lies there, and are {_shown(apart)} now",
            field="gates",
            hint=hint,
        )
    if earlier.signature != signature:
        was = earlier.signature or f"rightcall/{earlier.rightcall}, which kept nothing to go on with"
        raise OptionError(
            f"the run that lies there was made otherwise: {was}; now it would be {signature}",
            field="resume",
            hint=hint,
        )


def _scored_by(request: Request) -> str:
    suite = () if request.suite is None else (f"the suite {request.suite}",)
    return " and ".join((*suite, *((_shown(request.evaluators),) if request.evaluators else ()))) or "nothing"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nothing"
    return "nothing" if value is None else str(value)


def check_unchanged(files: Sequence[ReadFile], now: Sequence[str]) -> None:
    """Whether what was read of some files still stands there, in the same order.

    Raises:
        SourceError: names the first file that has changed.
    """
    hint = "put the old file back, or leave --resume out to begin anew"
    for number, read in enumerate(files):
        if read.path == "-":
            continue
        if number >= len(now) or now[number] != read.path:
            raise SourceError(
                f"{read.path} is no longer file {number + 1} of the data", field="source", hint=hint
            )
        # Of a file that could not be read there is nothing to compare.
        if read.sha256 and not _begins_with(Path(read.path), read):
            raise SourceError(f"{read.path} has changed since the run", field="source", hint=hint)


def _begins_with(file: Path, read: ReadFile) -> bool:
    digest, left = hashlib.sha256(), read.size
    try:
        with file.open("rb") as opened:
            if read.whole and os.fstat(opened.fileno()).st_size != read.size:
                return False
            while left and (block := opened.read(min(_BLOCK, left))):
                digest.update(block)
                left -= len(block)
    except OSError:
        return False
    return not left and digest.hexdigest() == read.sha256
