"""The command line as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any


def start(*arguments: str, cwd: Path, **fields: Any) -> subprocess.Popen[bytes]:
    """Start a command; nothing of our own settings reaches it."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("RIGHTCALL_")}
    return subprocess.Popen(
        [sys.executable, "-m", "rightcall", *arguments],
        cwd=cwd,
        env={**kept, **fields.pop("env", {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **fields,
    )
