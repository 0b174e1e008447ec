"""The command line. Nothing heavy is imported before it is known what is asked."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..._version import __version__

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"] and sys.stdout is not None:
        try:
            sys.stdout.write(f"rightcall {__version__}\n")
            sys.stdout.flush()
            return
        except OSError:
            pass  # told below, as for every command
    import gc

    # A command makes many objects and hardly a cycle, so the collector would mostly look and find nothing.
    gc.set_threshold(100_000, 50, 1000)
    from .root import run

    code = run(given)
    gc.freeze()  # nor would it at the end, when the interpreter looks through everything once more
    sys.exit(code)
