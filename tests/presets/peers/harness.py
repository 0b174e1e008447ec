"""What runs inside a peer's own environment: inputs come as JSON lines, the peer's scores go back as JSON lines.

Arguments that are JSON text of an object are decoded first where the peer takes objects only, as anybody who
uses it has to; what is no object is handed over as it is, and the peer says what it thinks of that.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

from variants import VARIANTS  # type: ignore[import-not-found]  # it lies beside this script

Scorer = Callable[[dict[str, Any], str, dict[str, Any]], float | None]


def decoded(arguments: Any) -> Any:
    """The object that a text holds; else the arguments as they are."""
    if isinstance(arguments, str):
        try:
            value = json.loads(arguments, strict=False)
        except ValueError:
            return arguments
        return value if value is None or isinstance(value, dict) else arguments
    return arguments


def given(call: dict[str, Any], name: str) -> dict[str, Any]:
    """The arguments under the name that a peer has for them; nothing where the call has none."""
    return {name: decoded(call["arguments"])} if "arguments" in call else {}


def serve(peer: str, score: Scorer) -> None:
    """Answer every line: variant by variant a score, None (not compared), or `raises: ..`."""
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        case = json.loads(line)
        found: dict[str, Any] = {}
        for name, (rule, options) in VARIANTS[peer].items():
            try:
                value = score(case, rule, options)
                found[name] = value if value is None else float(value)
            except Exception as error:  # noqa: BLE001 - that is what is asked
                found[name] = f"raises: {type(error).__name__}"
        sys.stdout.write(json.dumps(found) + "\n")
