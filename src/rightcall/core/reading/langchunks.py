"""LangChain's streamed messages: chunks that hold fragments of calls, joined as those of any stream."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw, Struct

from ..nodes import Node, is_text, opened
from .contents import under
from .conversation import Conversation, real_id, text_of_parts
from .fragments import Fragments
from .shapes import ABSENT, Shape

__all__ = ["ChunkShape", "Chunks", "Streamed", "is_chunk"]


class ChunkShape(Struct, kw_only=True, gc=False):
    """A fragment of a call in a streamed message."""

    type: str | None = None
    name: str | None = None
    args: Raw = ABSENT
    id: str | None = None
    index: int | str | None = None


class Streamed(Struct, kw_only=True, gc=False):
    """What chunks are made of, among the fields of a message."""

    id: str | int | None = None
    content: Any = None
    tool_calls: Any = None
    tool_call_chunks: list[ChunkShape] | None = None
    response_metadata: Raw = ABSENT
    chunk_position: str | None = None


_block = Shape(ChunkShape)
_KIND: Final = "AIMessageChunk"
_ENDS: Final = ("finish_reason", "stop_reason", "done_reason")


def is_chunk(message: Streamed, said: str | None) -> bool:
    """Whether a message is a piece of one. Whole ones keep a list for fragments too, which is empty."""
    if message.tool_call_chunks:
        return True
    if message.tool_call_chunks is None or message.tool_calls:
        return False
    return message.id is not None or said == _KIND


class Chunks:
    """The chunks of one message, as far as they have come.

    Args:
        into: takes the message.
    """

    def __init__(self, into: Conversation) -> None:
        self._into = into
        self._calls = Fragments(into.warn)
        self._texts: list[str] = []
        self._id: str | int | None = None
        self._ended = False  # the stream told its end

    @property
    def empty(self) -> bool:
        """Whether no message has begun."""
        return self._calls.empty and not self._texts

    def goes_on(self, message: Streamed) -> bool:
        """Whether a message without calls may be a piece of the one that has begun."""
        return not self.empty and not message.tool_calls and message.id in (None, self._id)

    def add(self, message: Streamed, place: str) -> None:
        """Take a chunk; one with another id, or after the end of a stream without ids, begins a new message."""
        new = message.id != self._id and message.id is not None and self._id is not None
        if new or (self._ended and message.tool_call_chunks and message.id is None):
            self.end()
        if self._id is None:
            self._id = message.id
        for index, chunk in enumerate(message.tool_call_chunks or ()):
            where = f"{under(place, 'tool_call_chunks')}[{index}]"
            self._calls.add(chunk.index, chunk.id, chunk.name, chunk.args, where)
        if not is_text(message.content):
            self._add_blocks(message, place)
        text = text_of_parts(message.content, place)
        if text:
            self._texts.append(text)
        self._ended = self._ended or message.chunk_position == "last" or _tells_end(message.response_metadata)

    def _add_blocks(self, message: Streamed, place: str) -> None:
        """Fragments among content blocks, where they are told nowhere else."""
        blocks = None if message.tool_call_chunks else opened(message.content)
        for index, node in enumerate(blocks if isinstance(blocks, list | tuple) else ()):
            if isinstance(opened(node), dict):
                where = f"{under(place, 'content')}[{index}]"
                block = _block(node, where)
                if block.type == "tool_call_chunk":
                    self._calls.add(block.index, block.id, block.name, block.args, where)

    def end(self) -> None:
        """No more chunks come: what they joined to is read."""
        if not self.empty:
            self._into.source(real_id(self._id) or object())
            self._into.message()
            self._into.say("".join(self._texts) or None)
            self._calls.tell(self._into, ended=None)
        self._id, self._ended, self._texts = None, False, []


def _tells_end(metadata: Node) -> bool:
    if metadata is None or metadata is ABSENT:
        return False
    value = opened(metadata)
    return isinstance(value, dict) and any([opened(value.get(key)) is not None for key in _ENDS])  # noqa: C419
