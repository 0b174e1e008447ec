"""A look at one item, for detection: opened level by level, each level once, and never changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

import msgspec
from msgspec import Raw

from ..nodes import Node, opened

__all__ = ["Glance"]

_PLAIN_PARTS: Final = frozenset(
    {"text", "input_text", "output_text", "refusal", "image", "image_url", "input_image", "input_audio"}
    | {"file", "input_file", "document", "thinking", "reasoning"}
)
"""Kinds of content that several message formats share and that hold no call."""
_MARKS: Final = (
    "<tool_call",
    "<function",
    "[TOOL_CALLS]",
    "<|python_tag|>",
    "tool▁call",
    "<invoke",
    "Action:",
)
_MARK_BYTES: Final = tuple(mark.encode() for mark in _MARKS)
_MOST_MESSAGES: Final = 10_000


class Glance:
    """What is at hand of one item without reading it.

    Attributes:
        node: the item as it came.
        value: it, opened: a dict (whose fields may be opened too), list, text or other value.
    """

    def __init__(self, node: Node) -> None:
        self.node = node
        self.value: Any = _two_levels(node)
        self._seen: dict[tuple[str | int, ...], Any] = {}

    @cached_property
    def keys(self) -> frozenset[str]:
        """The fields of an object; empty for anything else."""
        return frozenset(self.value) if isinstance(self.value, Mapping) else frozenset()

    @property
    def text(self) -> str | None:
        """The item where it is a text."""
        return self.value if isinstance(self.value, str) else None

    def at(self, *path: str | int) -> Any:
        """The opened value under a path of keys and indexes; None where there is nothing."""
        if not path:
            return self.value
        if path not in self._seen:
            self._seen[path] = _child(self.at(*path[:-1]), path[-1])
        return self._seen[path]

    def word(self, *path: str | int) -> str | None:
        """The text under a path; None for anything else, so that it may be looked up in a set."""
        found = self.at(*path)
        return found if isinstance(found, str) else None

    def each(self, *path: str | int, most: int = 50) -> Iterator[dict[str, Node]]:
        """The objects of the list under `path`, opened, at most so many."""
        found = self.at(*path)
        for index in range(min(len(found), most)) if isinstance(found, list | tuple) else ():
            item = self.at(*path, index)
            if isinstance(item, Mapping):
                yield item  # type: ignore[misc]

    @cached_property
    def telling(self) -> dict[str, Any]:
        """Of an item with messages, or a message, the first that shows how calls are written here.

        Empty where none does; its fields are opened. The messages are those under `messages`, under
        `values.messages` or `request.messages`, or the item itself where it has a `role` or a `type`.
        """
        for message in self._messages():
            fields = {key: opened(node) for key, node in message.items()} if _tells(message) else None
            if fields is not None:
                return fields
        return {}

    @cached_property
    def holds_messages(self) -> bool:
        """Whether it is a message, or an object with a list of messages."""
        return next(self._messages(), None) is not None

    def _messages(self) -> Iterator[dict[str, Node]]:
        if not isinstance(self.value, Mapping):
            return
        for path in (("messages",), ("values", "messages"), ("request", "messages")):
            if path[0] in self.value and isinstance(self.at(*path), list | tuple):
                for message in map(opened, self.at(*path)[:_MOST_MESSAGES]):
                    if isinstance(message, Mapping):
                        yield message  # type: ignore[misc]
                return
        if "role" in self.value or "type" in self.value:
            yield self.value  # type: ignore[misc]


_decode_two = msgspec.json.Decoder(
    dict[str, list[Raw] | dict[str, Raw] | str | int | float | bool | None]
).decode


def _two_levels(node: Node) -> Any:
    """An object opened with its fields, in one pass over its bytes; anything else opened one level."""
    if type(node) is Raw and bytes(memoryview(node)[:1]) == b"{":
        try:
            return _decode_two(node)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return opened(node)
    return opened(node)


def _child(parent: Any, step: str | int) -> Any:
    if isinstance(step, str):
        return opened(parent[step]) if isinstance(parent, Mapping) and step in parent else None
    if isinstance(parent, list | tuple) and -len(parent) <= step < len(parent):
        return opened(parent[step])
    return None


def _tells(message: Mapping[str, Node]) -> bool:
    """Whether a message has something in it that only some formats have."""
    for key in ("tool_calls", "function_call", "parts", "blocks", "data", "kwargs", "tool_plan"):
        if key in message and opened(message[key]):
            return True
    content = message.get("content")
    if isinstance(content, Raw) and bytes(memoryview(content)[:1]) == b'"' and b"\\u" not in bytes(content):
        # Marks are looked for in the bytes, so that no long text is decoded only to be looked at.
        return any(mark in bytes(content) for mark in _MARK_BYTES) and _may_call(message)
    content = opened(content)
    if isinstance(content, str):
        return any(mark in content for mark in _MARKS) and _may_call(message)
    if isinstance(content, list | tuple):
        return any(_part_tells(opened(part)) for part in content)
    return "role" not in message and "type" in message


def _may_call(message: Mapping[str, Node]) -> bool:
    role = opened(message["role"]) if "role" in message else None
    return role in (None, "assistant", "model", "ai")


def _part_tells(part: Any) -> bool:
    if not isinstance(part, Mapping):
        return False
    kind = opened(part["type"]) if "type" in part else None
    return not isinstance(kind, str) or kind not in _PLAIN_PARTS
