"""The tools that a recording says were offered, read once although many recordings offer the same ones."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Raw

from ...errors import DataError
from ..nodes import Node, plain
from ..schema.tools import read_tools
from ..types import ToolSpec
from .conversation import Conversation
from .shapes import ABSENT

__all__ = ["offer", "there"]


def there(field: Node) -> bool:
    """Whether a raw field was given, and not as null."""
    return field is not ABSENT and field is not None and field != ABSENT


def offer(into: Conversation, tools: Node, place: str) -> None:
    """Take the tools that a recording says were offered; odd ones cost a warning, never the calls."""
    if not there(tools):
        return
    try:
        into.offer(_offered(tools) if type(tools) is Raw else _tools(tools, place))
    except DataError as error:
        into.warn(f"the offered tools were left out: {error}")


def _tools(tools: Node, place: str) -> tuple[ToolSpec, ...]:
    value = plain(tools)
    return read_tools([value] if isinstance(value, dict) else value, place)


class _Last:
    """The raw tools that were read last: comparing bytes costs less than looking them up."""

    tools: tuple[Raw, tuple[ToolSpec, ...]] | None = None


def _offered(tools: Raw) -> tuple[ToolSpec, ...]:
    last = _Last.tools
    if last is not None and last[0] == tools:
        return last[1]
    data = bytes(tools)
    found = _raw_tools(data)
    _Last.tools = (Raw(data), found)
    return found


@lru_cache(maxsize=16)
def _raw_tools(data: bytes) -> tuple[ToolSpec, ...]:
    """The tools of one text: a log of many recordings offers the same ones again and again."""
    return _tools(Raw(data), "tools")
