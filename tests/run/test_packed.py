"""Files that hold far more than they weigh: packed blanks, archives that lie, blanks without end."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import zstandard

from rightcall import OptionError, evaluate_cases, read
from rightcall.errors import SourceError
from rightcall.run.intake import packed
from rightcall.run.intake.files import SourceFile
from rightcall.run.intake.traces import sort_stream

MB = 1024 * 1024
ROW = b'{"id": "r", "tool_calls": [], "expected_tool_calls": []}\n'


@contextmanager
def little_memory() -> Iterator[None]:
    """What runs inside may take up 24 MB at any time."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < 24 * MB
    finally:
        tracemalloc.stop()


class Endless(io.RawIOBase):
    """A file that begins with some bytes, and then repeats one until it has a size."""

    def __init__(self, start: bytes, filler: bytes, size: int) -> None:
        self._rest, self._filler, self._size = start, filler, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._rest or self._filler * min(len(buffer), self._size)
        self._rest, data = data[len(buffer) :], data[: len(buffer)]
        self._size -= len(data)
        buffer[: len(data)] = data
        return len(data)


def gzipped(start: bytes, blanks: int) -> bytes:
    held = io.BytesIO()
    with gzip.open(held, "wb", compresslevel=1) as file:
        file.write(start)
        for _ in range(blanks // MB):
            file.write(b" " * MB)
    return held.getvalue()


def zstandarded(start: bytes, blanks: int) -> bytes:
    packer = zstandard.ZstdCompressor().compressobj()
    parts = [packer.compress(start), *(packer.compress(b" " * MB) for _ in range(blanks // MB))]
    return b"".join((*parts, packer.flush()))


@pytest.mark.parametrize("pack", [gzipped, zstandarded])
@pytest.mark.parametrize("start", [b"", ROW, b"[", b'{"role": "user", "content": "'])
def test_a_small_file_that_holds_too_much_is_refused(
    pack: Callable[[bytes, int], bytes], start: bytes, tmp_path: Path
) -> None:
    bomb = pack(start, 128 * MB)
    with pytest.raises(SourceError, match="more than 200 times its size"):
        read(bomb)
    path = tmp_path / "cases.jsonl.gz"
    path.write_bytes(bomb)
    with pytest.raises(SourceError, match=r"cases\.jsonl\.gz unpacks to more than 200 times"):
        evaluate_cases(path, ["tool_call_count"])


def test_data_that_packs_well_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl.gz"
    rows = (ROW.replace(b'"r"', b'"%d"' % number) for number in range(2000))
    path.write_bytes(gzip.compress(b"".join(rows)))
    assert len(evaluate_cases(path, ["tool_call_count"])) == 2000
    path.write_bytes(gzip.compress(ROW + b"\n" * 20 * MB))  # a thousandth, but small
    assert len(evaluate_cases(path, ["tool_call_count"])) == 1


def zipped(*sizes: int) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number, size in enumerate(sizes):
            archive.writestr(f"samples/{number}.json", b" " * size)
    return held.getvalue()


@pytest.mark.parametrize("sizes", [(80 * MB,), (40 * MB, 40 * MB)])
def test_members_that_hold_too_much_are_refused(sizes: tuple[int, ...]) -> None:
    bomb = zipped(*sizes)
    with little_memory(), pytest.raises(SourceError, match="more than 200 times its size"):
        read(bomb)


def test_an_archive_that_lies_about_its_sizes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "_FREE", MB)
    honest = zipped(8 * MB)
    entry = honest.index(b"PK\x01\x02")
    for place, claimed in ((20, 1 << 31), (24, 1000)):  # its packed size, its size
        lying = bytearray(honest)
        lying[entry + place : entry + place + 4] = claimed.to_bytes(4, "little")
        with little_memory(), pytest.raises(SourceError):
            read(bytes(lying))


@pytest.mark.parametrize("blank", [b" ", b"\r\n"])
@pytest.mark.parametrize("start", [b"", ROW, ROW + b"  "])
def test_blanks_without_end_are_not_kept(start: bytes, blank: bytes) -> None:
    with little_memory():
        rows = SourceFile("-", None).rows(io.BufferedReader(Endless(start, blank, 100 * MB)), "-")
        assert len(list(rows)) == bool(start)
    if start and blank != b" ":
        return  # a line each
    start = start.replace(ROW, b'{"role": "user", "content": "hi"}\n')
    with little_memory():
        sorting = sort_stream(io.BufferedReader(Endless(start, blank, 100 * MB)), "-")
        assert len(sorting.traces()) == bool(start)


def test_rows_after_many_blanks_keep_their_places(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    gap = b" " * 700_000 + b"\n" * 300_000 + b"  \n"
    rows = [ROW.replace(b'"r"', b'"%d"' % number) for number in range(3)]
    data = gap + rows[0] + gap + b" " * 400_000 + rows[1] + b"\n" + rows[2]
    path.write_bytes(data)
    found = list(SourceFile(str(path), path).records())
    assert [json.loads(record.data or b"")["id"] for record in found] == ["0", "1", "2"]
    for record, row in zip(found, rows, strict=True):
        place = record.source
        assert place.offset is not None
        assert place.length is not None
        assert data[place.offset : place.offset + place.length].strip() == row.strip()
        assert place.line == data.count(b"\n", 0, data.index(row)) + 1
    path.with_suffix(".json").write_bytes(gap + b"[" + rows[0] + b"," + rows[1] + b"]")
    found = list(SourceFile("cases.json", path.with_suffix(".json")).records())
    assert [record.source.line for record in found] == [300_002, 300_003]


@pytest.mark.parametrize("head", [b"\x28\xb5\x2f\xfd", b"\x1f\x8b"])
def test_packed_garbage_is_an_error_of_ours(head: bytes, tmp_path: Path) -> None:
    path = tmp_path / "garbage.zst"
    for length in (8, 400):
        path.write_bytes(head + b"garbage" * length)
        with pytest.raises(SourceError, match="can't be read"):
            read(path)


def test_what_can_not_be_read_or_is_no_path_is_an_error_of_ours() -> None:
    memory = Path("/proc/self/mem")
    if memory.exists():
        with pytest.raises(SourceError, match="can't be read"):
            read(memory)
    with pytest.raises(OptionError, match="an empty path"):
        read("")
