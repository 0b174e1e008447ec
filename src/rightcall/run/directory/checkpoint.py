"""How far a run is, kept beside its results: counts, place in the data, and how much of results.jsonl they cover.

A run that goes on cuts results.jsonl back to what the checkpoint covers. Counts are kept as they are, since lines do
not hold all that is counted, and scoring everything again would take as long as the run itself.
"""

from __future__ import annotations

import io
import os
import pickle
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from ...core.summing.records import RowPlace
from ...core.summing.slices import SliceTally
from ...core.summing.sums import ScoreSums
from ...core.summing.tally import Tally
from ...core.types import Source
from ..dataset import Mark, ReadFile
from ..noticed import Noticed
from ..runner import CaseError

__all__ = ["Checkpoint", "Pace", "WrittenCase", "load", "packed", "save", "written_cases"]

_MAGIC: Final = b"rightcall checkpoint 1\n"
_SUM: Final = 4
_SUMS: Final = {kind.__module__ for kind in (Tally, ScoreSums, SliceTally)}
"""Modules whose classes a tally is made of."""


class Checkpoint(Struct, frozen=True, kw_only=True):
    """How far a run is.

    Attributes:
        size: bytes of results.jsonl that are covered.
        mark: where reading goes on; None where the cases so far have to be read over.
        files: of the data, those that were read.
        beside: of the expected side and the tools.
        seconds: how long it took so far.
    """

    size: int
    mark: Mark | None
    files: tuple[ReadFile, ...]
    beside: tuple[ReadFile, ...]
    seconds: float
    tally: Tally
    errors: tuple[CaseError, ...] = ()
    noticed: Noticed


_AIMS: Final = ("hit", "tools", "keys", "tags")


def packed(found: Checkpoint) -> bytes:
    """A checkpoint as bytes: how things are now, whatever is counted later."""
    held = {
        "size": found.size,
        "mark": None if found.mark is None else astuple(found.mark),
        "files": [astuple(each) for each in found.files],
        "beside": [astuple(each) for each in found.beside],
        "seconds": found.seconds,
        "errors": [(error.id, error.place and astuple(error.place), error.reason) for error in found.errors],
        "noticed": (found.noticed.absent, found.noticed.odd, found.noticed.looked),
        "counted": found.noticed.times,
        "aims": tuple(getattr(found.noticed.aims, name) for name in _AIMS),
        "tally": found.tally,
    }
    body = pickle.dumps(held, protocol=5)
    return _MAGIC + zlib.crc32(body).to_bytes(_SUM, "big") + body


def save(file: Path, data: bytes, results: int) -> None:
    """Write a packed checkpoint so that whatever happens the file holds this one or the one before.

    A checkpoint must not outlive the results that it covers, not even when the power fails: they are synced first.

    Args:
        file: where to.
        data: from :func:`packed`.
        results: a descriptor of the results, which were handed to the system already.

    Raises:
        OSError: it can't be written.
    """
    os.fsync(results)
    part = file.with_name(f"{file.name}.part")
    with part.open("wb") as opened:
        opened.write(data)
        opened.flush()
        os.fsync(opened.fileno())
    part.replace(file)


def load(file: Path) -> Checkpoint | None:
    """The checkpoint of a file; None where there is none, or none that is whole and of this version."""
    try:
        data = file.read_bytes()
    except OSError:
        return None
    body = data[len(_MAGIC) + _SUM :]
    if data[: len(_MAGIC)] != _MAGIC or zlib.crc32(body).to_bytes(_SUM, "big") != data[len(_MAGIC) :][:_SUM]:
        return None
    try:
        held = _Unpickler(io.BytesIO(body)).load()
        return _checkpoint(held)
    except Exception:  # noqa: BLE001 - whatever pickled data of another version does, there is no checkpoint
        return None


def _checkpoint(held: dict[str, Any]) -> Checkpoint:
    noticed = Noticed(held["noticed"][2])
    noticed.absent, noticed.odd = held["noticed"][:2]
    noticed.times = held.get("counted", {})  # earlier versions did not keep what follows
    for name, value in zip(_AIMS, held.get("aims", ()), strict=False):
        setattr(noticed.aims, name, value)
    mark = None
    if held["mark"] is not None:
        mark = Mark(**dict(zip(Mark.__struct_fields__, held["mark"], strict=True)))
    errors = (
        CaseError(name, None if place is None else Source(*place), reason)
        for name, place, reason in held["errors"]
    )
    if not isinstance(held["tally"], Tally):
        raise TypeError("no tally")
    return Checkpoint(
        size=held["size"],
        mark=mark,
        files=tuple(_read_file(each) for each in held["files"]),
        beside=tuple(_read_file(each) for each in held["beside"]),
        seconds=held["seconds"],
        tally=held["tally"],
        errors=tuple(errors),
        noticed=noticed,
    )


def _read_file(held: tuple[Any, ...]) -> ReadFile:
    return ReadFile(**dict(zip(ReadFile.__struct_fields__, held, strict=True)))


class _Unpickler(pickle.Unpickler):
    """Makes tallies and exact numbers and nothing else: a run directory may come from anywhere."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("fractions", "Fraction") or module in _SUMS:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a tally")


class WrittenCase(Struct, frozen=True, gc=False):
    """What the first line of a case says of it."""

    id: str
    trial: int | None
    row: RowPlace


_decode = msgspec.json.Decoder(WrittenCase).decode


def written_cases(results: Path, size: int, each: int) -> Iterator[WrittenCase]:
    """The cases of the first `size` bytes of a results file, in which a case has `each` lines.

    Raises:
        ValueError: that is not what they hold.
    """
    number = left = 0
    with results.open("rb", buffering=1 << 20) as file:
        left = size
        for line in file:
            left -= len(line)
            if left < 0 or line[-1:] != b"\n" or b"\0" in line:
                raise ValueError("the results are damaged before the checkpoint ends")
            if number % each == 0:
                yield _decode(line)  # its errors are ValueErrors
            number += 1
            if left == 0:
                break
    if left or number % each:
        raise ValueError("the results end before the checkpoint does")


class Pace:
    """When to keep a checkpoint: so often that little is lost, so seldom that it costs next to nothing.

    Args:
        every: seconds between two, and to the first.
        share: how many times as long as it took to keep one is waited for the next.
        waiting: whether the run waits until one is on the disk, instead of going on meanwhile.
    """

    def __init__(self, every: float = 2.0, share: float = 200.0, *, waiting: bool = False) -> None:
        self._every = every
        self._share = share
        self.waiting = waiting
        self._next = time.monotonic() + every

    def due(self) -> bool:
        """Whether it is time."""
        return time.monotonic() >= self._next

    def done(self, seconds: float) -> None:
        """One was kept, which took so long of the run's own time."""
        self._next = time.monotonic() + max(self._every, self._share * seconds)
