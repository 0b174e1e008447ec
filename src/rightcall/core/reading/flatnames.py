"""Attributes of spans by their flat names, where an exporter took the names apart at their dots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..nodes import Node, opened

__all__ = ["NESTED", "flat"]

NESTED: Final = frozenset(
    {"gen_ai", "ai", "llm", "openinference", "tool", "input", "output", "session"}
    | {"llm.input_messages", "llm.output_messages", "llm.tools"}
)
"""Attributes whose value is an object or a list when names were taken apart at their dots."""
_WHOLE: Final = frozenset(
    {"value", "arguments", "parameters", "result", "definitions", "json_schema", "messages"}
    | {"args", "toolCalls"}
)
"""Last words of names that are never taken apart further: what stands there is the value itself."""


def flat(attributes: Mapping[str, Node]) -> dict[str, Node]:
    """Attributes by flat names, those under a nested name taken apart."""
    found: dict[str, Node] = {}
    for key, node in attributes.items():
        if key in NESTED:
            _flatten(key, node, found, 0)
        else:
            found[key] = node
    return found


def _flatten(key: str, node: Node, found: dict[str, Node], level: int) -> None:
    value = opened(node) if level < 12 and key.rpartition(".")[2] not in _WHOLE else None
    if isinstance(value, Mapping):
        for name, child in value.items():
            _flatten(f"{key}.{name}", child, found, level + 1)
    elif isinstance(value, list | tuple):
        for index, child in enumerate(value):
            _flatten(f"{key}.{index}", child, found, level + 1)
    elif value is not None or node is not None:
        found[key] = node
