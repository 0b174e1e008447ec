"""The libraries themselves build the story, dump it and are read: each in an environment of its own."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from rightcall import read
from tests.libraries.carries import LIBRARIES, expected
from tests.libraries.harness import told
from tests.libraries.test_recorded import content

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def python_of(library: str) -> Path:
    """The interpreter of a library's environment, which is made anew when what it holds is to change."""
    folder = ROOT / ".venv-libraries" / library
    pinned = ROOT / "requirements" / "libraries" / f"{library}.txt"
    wanted = f"msgspec=={version('msgspec')}\n{pinned.read_text()}"
    stamp, python = folder / "rightcall-installed.txt", folder / "bin" / "python"
    if not stamp.exists() or stamp.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        subprocess.run([*pip, wanted.split(maxsplit=1)[0], "-r", str(pinned)], check=True)
        stamp.write_text(wanted)
    return python


def built(library: str, python: Path) -> dict[str, Any]:
    """What a library's script prints."""
    script = HERE / f"build_{library.replace('-', '_')}.py"
    ran = subprocess.run(
        [str(python), "-W", "ignore", str(script)],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()[-3000:]
    document: dict[str, Any] = json.loads(ran.stdout)
    return document


@pytest.mark.soak
@pytest.mark.parametrize("library", LIBRARIES)
def test_what_a_library_dumps_now_tells_the_story(library: str) -> None:
    python = python_of(library)
    made = built(library, python)
    assert set(made["dumps"]) == set(LIBRARIES[library])
    for name, dumped in made["dumps"].items():
        assert told(read(content(dumped))) == expected(LIBRARIES[library][name]), name
    assert made["objects"]
    for name, read_there in made["objects"].items():
        assert read_there == expected(LIBRARIES[library][name.partition("/")[0]]), name
    for own in (str(ROOT), str(Path.home()), platform.node() or "no name"):
        texts = [dumped for dumped in made["dumps"].values() if isinstance(dumped, str)]
        assert not any(re.search(rf"\b{re.escape(own)}\b", text) for text in texts), own
    assert built(library, python) == made, "what is recorded must not change from run to run"


def main() -> None:
    """Record the dumps anew: `python -m tests.libraries.test_live`."""
    for library in sys.argv[1:] or LIBRARIES:
        made = built(library, python_of(library))
        del made["objects"]  # these are read where the library is, and only there
        document = json.dumps(made, ensure_ascii=False, indent=1)
        (HERE / "recorded" / f"{library}.json").write_text(f"{document}\n")


if __name__ == "__main__":
    main()
