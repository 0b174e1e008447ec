"""What the libraries that own formats dump is read: from copies recorded by the scripts beside this file."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rightcall import read
from tests.libraries.carries import LIBRARIES, expected
from tests.libraries.harness import told

HERE = Path(__file__).parent
PINNED = HERE.parents[1] / "requirements" / "libraries"
DAY = "2026-10-26"
"""When the story happens; any other day would be that of the recording."""
PROTOCOL = "2026-07-28"
"""The version of MCP."""
DUMPS = [(library, name) for library, dumps in LIBRARIES.items() for name in dumps]


def recorded(library: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "recorded" / f"{library}.json").read_bytes())
    return found


def content(dumped: Any) -> bytes:
    return dumped.encode() if isinstance(dumped, str) else base64.b64decode(dumped["base64"])


@pytest.mark.parametrize(("library", "name"), DUMPS)
def test_a_dump_is_detected_and_tells_the_story(library: str, name: str) -> None:
    assert told(read(content(recorded(library)["dumps"][name]))) == expected(LIBRARIES[library][name])


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_recording_is_complete_and_of_the_pinned_version(library: str) -> None:
    found = recorded(library)
    assert set(found["dumps"]) == set(LIBRARIES[library])
    pinned = (PINNED / f"{library}.txt").read_text().split()
    assert f"{found['library']}=={found['version']}" in pinned


@pytest.mark.parametrize("library", LIBRARIES)
def test_nothing_of_a_machine_is_recorded(library: str) -> None:
    odd = re.compile(r"/(?:home|root|Users|tmp|work|var|usr|private)/|\bC:\\|localhost|site-packages|file://")
    dates = re.compile(r"\b20\d\d-\d\d-\d\d")
    for dumped in recorded(library)["dumps"].values():
        text = content(dumped).decode("latin-1")
        assert odd.search(text) is None, odd.search(text)
        assert set(dates.findall(text)) <= {DAY, PROTOCOL}


def test_every_library_has_its_script_and_every_exception_its_reason() -> None:
    scripts = {path.stem.removeprefix("build_").replace("_", "-") for path in HERE.glob("build_*.py")}
    assert scripts == set(LIBRARIES) == {path.stem for path in PINNED.glob("*.txt")}
    for dumps in LIBRARIES.values():
        for carries in dumps.values():
            full = carries.failed and carries.turns and carries.text and len(carries.calls) == 5
            assert carries.why or full
