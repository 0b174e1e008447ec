"""A file of long lines takes the room of its lines, not of the whole file."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import rightcall


def test_a_file_whose_lines_are_long_is_not_read_as_a_whole(tmp_path: Path) -> None:
    span = {"name": "chat", "attributes": {"gen_ai.operation.name": "chat", "prompt": "x" * 20_000}}
    line = json.dumps(span) + "\n"
    path = tmp_path / "long.jsonl"
    path.write_text(line * 1000)
    rightcall.read(line.encode())  # what is loaded once is no part of the question
    tracemalloc.start()
    try:
        rightcall.read(str(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < path.stat().st_size / 2
