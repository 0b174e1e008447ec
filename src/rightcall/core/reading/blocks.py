"""Anthropic's content blocks, whole or streamed."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw, Struct

from ..nodes import opened
from .chat import output_of, there
from .conversation import Conversation
from .shapes import ABSENT

__all__ = ["CALL_BLOCKS", "Block", "answer"]

CALL_BLOCKS: Final = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
"""Types of blocks that are calls; the last two are run by the provider."""


class Block(Struct, kw_only=True, gc=False):
    """A block of any type; it may have other words for `input`, which may not differ from it."""

    type: str | None = None
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = ABSENT
    arguments: Raw = ABSENT
    args: Raw = ABSENT
    parameters: Raw = ABSENT
    params: Raw = ABSENT
    kwargs: Raw = ABSENT
    tool_use_id: str | None = None
    content: Raw = ABSENT
    is_error: bool | None = None

    @property
    def says_input_once(self) -> bool:
        """Whether it has `input` and no other field for arguments; anything else is looked at more closely."""
        return (
            self.input
            is not self.arguments
            is self.args
            is self.parameters
            is self.params
            is self.kwargs
            is ABSENT
        )


def answer(block: Block, place: str, into: Conversation) -> None:
    """A block `tool_result`, or the like of tools that the provider ran."""
    output = output_of(block.content) if there(block.content) else None
    error: Any = (output if output not in (None, "") else True) if block.is_error else None
    value = opened(block.content) if error is None and block.type != "tool_result" else None
    if isinstance(value, dict) and "error_code" in value:
        error = opened(value["error_code"])  # how tools that the provider runs say that they failed
    status = None if error is None else "error"
    into.answer(output, place=place, id=block.tool_use_id, error=error, status=status)
