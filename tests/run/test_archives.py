"""Zipped logs and packed files: packed in any way, damaged in any way."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import pytest
import zstandard

from rightcall import DataError, evaluate_cases, read
from rightcall.run.intake.traces import traces_of

ZSTD = 93


def log(name: str) -> bytes:
    call = {"id": "c1", "function": name, "arguments": {"seat": "4A"}, "type": "function"}
    message = {"role": "assistant", "content": "", "tool_calls": [call]}
    return json.dumps({"id": name, "epoch": 1, "input": "x", "target": "", "messages": [message]}).encode()


def archive(members: Iterable[tuple[str, bytes]], kind: int) -> bytes:
    """An archive; Python's zipfile can't pack with zstd, so there a stored archive is rewritten."""
    held = io.BytesIO()
    packer = zstandard.ZstdCompressor()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED if kind == ZSTD else kind) as made:
        for name, data in members:
            made.writestr(name, packer.compress(data) if kind == ZSTD else data)
        for item, (_, data) in zip(made.infolist(), members, strict=True) if kind == ZSTD else ():
            # The directory is written when the archive is closed: it tells the truth about what is inside.
            item.compress_type, item.file_size, item.CRC = ZSTD, len(data), zlib.crc32(data)
    return held.getvalue()


MEMBERS = [
    ("samples/b_epoch_1.json", log("second")),
    ("header.json", b"{}"),
    ("samples/a_epoch_1.json", log("first")),
]


@pytest.mark.parametrize(
    "kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, ZSTD]
)
def test_samples_are_read_in_the_order_of_their_names(kind: int) -> None:
    traces = traces_of(archive(MEMBERS, kind))
    assert [(trace.id, trace.format) for trace in traces] == [("first", "inspect"), ("second", "inspect")]
    assert [call.arguments for trace in traces for call in trace.calls or ()] == [{"seat": "4A"}] * 2


@pytest.mark.parametrize(
    "kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, ZSTD]
)
def test_a_damaged_archive_is_an_error_of_ours(kind: int) -> None:
    whole = archive(MEMBERS, kind)
    for place in range(0, len(whole), 3):
        damaged = whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :]
        for source in (damaged, whole[:place]):
            if source[:4] == b"PK\x03\x04":
                try:
                    read(source)
                except DataError:
                    continue


def test_damage_in_what_is_packed_is_noticed() -> None:
    whole = archive([("samples/a.json", log("first"))], ZSTD)
    place = whole.index(zstandard.ZstdCompressor().compress(log("first"))) + 40
    with pytest.raises(DataError):
        read(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])


def test_a_way_of_packing_that_nobody_knows_is_named() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        made.writestr("samples/a.json", log("first"))
        made.infolist()[0].compress_type = 97
    with pytest.raises(DataError, match=r"samples/a\.json can't be unpacked"):
        read(held.getvalue())


def test_an_encrypted_log_is_named() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        made.writestr("samples/a.json", log("first"))
        made.infolist()[0].flag_bits |= 1
    with pytest.raises(DataError, match="encrypted"):
        read(held.getvalue())


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_damaged_packed_file_is_an_error_of_ours(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    whole = pack(b'{"id": "1", "actual": [{"name": "f", "arguments": {}}], "expected": []}\n' * 50)
    path = tmp_path / "cases.jsonl"
    for place in range(4, len(whole)):
        damaged = whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :]
        path.write_bytes(damaged)
        with suppress(DataError):
            read(damaged)
        with suppress(DataError):
            evaluate_cases(path, ["tool_call_count"])


def chat(name: str) -> bytes:
    call = {"id": "c", "type": "function", "function": {"name": name, "arguments": "{}"}}
    return json.dumps({"messages": [{"role": "assistant", "content": None, "tool_calls": [call]}]}).encode()


LINES_OF_CHATS = chat("second") + b"\n\n" + chat("third") + b"\n"


@pytest.mark.parametrize("suffix", ["jsonl", "ndjson"])
def test_files_of_lines_are_read_beside_files_of_json(suffix: str) -> None:
    both = archive([(f"two.{suffix}", LINES_OF_CHATS), ("one.json", chat("first"))], zipfile.ZIP_DEFLATED)
    traces = traces_of(both)
    assert [call.name for trace in traces for call in trace.calls or ()] == ["first", "second", "third"]
    alone = archive([(f"two.{suffix}", LINES_OF_CHATS)], zipfile.ZIP_DEFLATED)
    assert [call.name for trace in traces_of(alone) for call in trace.calls or ()] == ["second", "third"]


def test_a_broken_line_of_an_archive_is_named() -> None:
    with pytest.raises(DataError, match=r"two\.jsonl line 3"):
        traces_of(archive([("two.jsonl", LINES_OF_CHATS.replace(b"third", b'th"ird'))], zipfile.ZIP_STORED))
