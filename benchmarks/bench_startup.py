"""What it costs to be there: `import rightcall` over bare Python, and `rightcall --version`."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from measure import children_seconds, verdict

IMPORT_MS, VERSION_MS = 60.0, 150.0


def milliseconds(*words: str, rounds: int = 15) -> tuple[float, float]:
    """(CPU, wall) of a fresh interpreter, the smallest of some rounds."""
    cpu = wall = float("inf")
    # Byte code is compiled once, as after an installation.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(rounds):
        before, start = children_seconds(), time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL, env=environment)
        wall = min(wall, time.perf_counter() - start)
        cpu = min(cpu, children_seconds() - before)
    return cpu * 1000, wall * 1000


def main() -> None:
    """Print both."""
    bare, _ = milliseconds("-c", "pass")
    ours, _ = milliseconds("-c", "import rightcall")
    used, _ = milliseconds("-c", "from rightcall import evaluate")
    _, version = milliseconds("-m", "rightcall", "--version")
    over = max(ours - bare, 0.0)
    print(
        f"import rightcall: {over:.0f} ms CPU over bare Python: {verdict(over / IMPORT_MS, 1.0)} of {IMPORT_MS:g} ms"
    )
    print(f"from rightcall import evaluate: {used - bare:.0f} ms CPU over bare Python")
    print(f"rightcall --version: {version:.0f} ms: {verdict(version / VERSION_MS, 1.0)} of {VERSION_MS:g} ms")


if __name__ == "__main__":
    main()
