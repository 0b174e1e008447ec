"""A look at one item, for detection: opened level by level, each level once, and never changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

import msgspec
from msgspec import Raw

from ..nodes import Node, opened, plain

__all__ = ["TEXT_KEYS", "Glance"]

_PLAIN_PARTS: Final = frozenset(
    {"text", "input_text", "output_text", "refusal", "image", "image_url", "input_image", "input_audio"}
    | {"file", "input_file", "document", "thinking", "reasoning"}
)
"""Kinds of content that several message formats share and that hold no call."""
_MARKS: Final = (
    *("<tool_call", "<|tool_call", "<function", "[TOOL_CALLS]", "<|python_tag|>", "tool▁call"),
    *("<invoke", ":invoke", "Action:", "Call:"),
)
_TAG_BYTES: Final = tuple(mark.encode() for mark in _MARKS if mark[0] == "<")
_WORD_BYTES: Final = tuple(mark.encode() for mark in _MARKS if mark[0] != "<")
_MOST_TEXTS: Final = 100
"""Texts with marks after which no more are looked at to tell a format."""
_STRETCH: Final = 1 << 20
_QUOTE: Final = ord('"')
_MOST_MESSAGES: Final = 10_000
_MESSAGES_AT: Final = (
    ("messages",),
    ("values", "messages"),
    ("request", "messages"),
    ("request", "body", "messages"),
)
"""Where the messages of an item stand."""


TEXT_KEYS: Final = frozenset(
    {"text", "role", "type", "messages", "choices", "conversations", "values", "request"}
    | {"response", "message"}
)
"""Fields of which an object has at least one where an agent's text is looked for in it."""


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
        `values.messages` or `request.messages` and what the `response` beside it says, or the item itself where it
        has a `role` or a `type`. A text with the mark of a text style tells only where nothing else does: where
        calls have fields of their own, a text mentions them.
        """
        spoken: Mapping[str, Node] = {}
        for message in self._messages():
            if _tells(message):
                return {key: opened(node) for key, node in message.items()}
            if not spoken and _speaks(message):
                spoken = message
        return {key: opened(node) for key, node in spoken.items()}

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """Texts of a model with the mark of a text style in them: the item itself, or messages of the agent.

        None where a message has calls of its own: there a text only mentions them.
        """
        if self.text is not None:
            return (self.text,) if any(mark in self.text for mark in _MARKS) else ()
        if "text" in self.keys and not self.keys.isdisjoint(("turn", "step")):
            return tuple(text for text in (self.word("text"),) if text is not None)
        texts: list[str] = []
        only_texts = isinstance(self.node, Raw) and not _names_calls(self.node)
        for message in self._speaking():
            if only_texts and len(texts) >= _MOST_TEXTS:
                break
            if any(key in message and opened(message[key]) for key in ("tool_calls", "function_call")):
                return ()
            content = opened(message.get("content", message.get("value")))
            for part in map(opened, content) if isinstance(content, list | tuple) else (content,):
                text = opened(part.get("text")) if isinstance(part, Mapping) else part
                if isinstance(text, str) and any(mark in text for mark in _MARKS) and _may_call(message):
                    texts.append(text)
        return tuple(texts[:_MOST_TEXTS])

    def _speaking(self) -> Iterator[Mapping[str, Node]]:
        """The messages that may speak in a text style; none, without a look, where the first that tells is no text."""
        if "choices" in self.keys and isinstance(self.at("choices", 0, "message"), Mapping):
            yield self.at("choices", 0, "message")
        elif "conversations" in self.keys:
            yield from self.each("conversations", most=_MOST_MESSAGES)
        elif self.at("done") is True and isinstance(self.at("message"), Mapping):
            yield self.at("message")
        elif isinstance(self.telling.get("content"), str) or (not self.telling and self._in_parts):
            yield from self._messages()

    @property
    def _in_parts(self) -> bool:
        """Whether a message is a list of parts, which may be texts with marks."""
        contents = (message.get("content") for message in self._messages())
        return any(_starts_list(content) and _marked(content) for content in contents)

    def _messages(self) -> Iterator[dict[str, Node]]:
        if not isinstance(self.value, Mapping):
            return
        for path in _MESSAGES_AT:
            if path[0] in self.value and isinstance(self.at(*path), list | tuple):
                for message in map(opened, self.at(*path)[:_MOST_MESSAGES]):
                    if isinstance(message, Mapping):
                        yield message  # type: ignore[misc]
                yield from self._responding()
                return
        if "role" in self.value or "type" in self.value:
            yield self.value  # type: ignore[misc]
        else:
            yield from self._responding()

    def _responding(self) -> Iterator[dict[str, Node]]:
        """What the `response` beside a request says."""
        if not isinstance(self.value, Mapping) or "response" not in self.value:
            return
        for path in (("response",), ("response", "body")):
            for steps in (("choices", 0, "message"), ("message",)):
                message = self.at(*path, *steps)
                if isinstance(message, Mapping):
                    yield message  # type: ignore[misc]
                    return


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
    if isinstance(content, str) or (isinstance(content, Raw) and memoryview(content)[0] == _QUOTE):
        return False
    content = opened(content)
    if isinstance(content, list | tuple):
        return any(_part_tells(opened(part)) for part in content)
    return "role" not in message and "type" in message


def _speaks(message: Mapping[str, Node]) -> bool:
    """Whether a message is a text of the agent in which a mark of a text style may stand."""
    content = message.get("content")
    if isinstance(content, Raw):
        return memoryview(content)[0] == _QUOTE and _may_call(message) and _marked(content)
    return isinstance(content, str) and _may_call(message) and any(mark in content for mark in _MARKS)


def _names_calls(node: Raw) -> bool:
    """Whether a field for calls is named somewhere; looked for in stretches, since a copy would cost a large text."""
    view = memoryview(node)
    for start in range(0, len(view), _STRETCH):
        data = bytes(view[max(0, start - 32) : start + _STRETCH])
        if b'"tool_calls"' in data or b'"function_call"' in data:
            return True
    return False


def _marked(content: Node) -> bool:
    """Whether the mark of a text style may stand in a raw text, or in raw parts."""
    if not isinstance(content, Raw):
        return True  # it is looked at more closely
    # Marks are looked for in the bytes, so that no long text is decoded only to be looked at.
    data = bytes(content)
    if b"<" in data and any([mark in data for mark in _TAG_BYTES]):  # noqa: C419 - faster
        return True
    return any([mark in data for mark in _WORD_BYTES]) or (  # noqa: C419
        b"\\u" in data and any(mark in str(plain(content)) for mark in _MARKS)
    )


def _starts_list(content: Node) -> bool:
    if isinstance(content, Raw):
        return bytes(memoryview(content)[:1]) == b"["
    return isinstance(content, list | tuple)


def _may_call(message: Mapping[str, Node]) -> bool:
    """Whether a message is the agent's; those that have a type in place of a role have fields for calls."""
    role = opened(message.get("role", message.get("from")))
    if role is None and isinstance(opened(message.get("type")), str):
        return False
    return role in (None, "assistant", "model", "ai", "gpt")


def _part_tells(part: Any) -> bool:
    if not isinstance(part, Mapping):
        return False
    kind = opened(part["type"]) if "type" in part else None
    return not isinstance(kind, str) or kind not in _PLAIN_PARTS
