"""What runs inside a library's own environment: it collects what was dumped, reads it, and prints one document."""

from __future__ import annotations

import base64
import json
import sys
from importlib.metadata import version
from typing import Any

from rightcall import Trace, read

__all__ = ["Dumps", "told"]


def told(trace: Trace) -> dict[str, Any]:
    """A trace as JSON: all that a format may carry of the story; parallel calls share a number."""
    calls = trace.calls or ()
    groups = list(dict.fromkeys(call.group for call in calls if call.group is not None))
    return {
        "format": trace.format,
        "calls": [
            {
                "name": call.name,
                "arguments": call.arguments,
                "id": call.id,
                "turn": call.turn,
                "group": None if call.group is None else groups.index(call.group),
                "output": call.output,
                "error": call.error,
                "failed": call.failed,
            }
            for call in calls
        ],
        "turns": [[turn.input, turn.text] for turn in trace.turns],
        "text": trace.text,
        "tools": None if trace.tools is None else [tool.name for tool in trace.tools],
        "warnings": list(trace.warnings),
    }


class Dumps:
    """Collects what a library dumped, and what was read of its own objects.

    Args:
        library: the distribution that is tested.
    """

    def __init__(self, library: str) -> None:
        self._library = library
        self._dumps: dict[str, Any] = {}
        self._objects: dict[str, Any] = {}

    def dump(self, name: str, dumped: str | bytes) -> None:
        """Take a text, or bytes that are none."""
        if isinstance(dumped, str):
            self._dumps[name] = dumped
        else:
            self._dumps[name] = {"base64": base64.b64encode(dumped).decode()}

    def object(self, name: str, made: Any) -> None:
        """Read objects of the library as they are; `name` begins with that of the dump that says the same."""
        self._objects[name] = told(read(made))

    def print(self) -> None:
        """Print everything as one JSON document."""
        document = {
            "library": self._library,
            "version": version(self._library),
            "dumps": self._dumps,
            "objects": self._objects,
        }
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
