"""What the page's data is made of: plain values, without what is empty, and without texts of any length."""

from __future__ import annotations

from typing import Any, Final

import msgspec

__all__ = ["LONGEST", "cut", "plain", "slim"]

LONGEST: Final = 1000
"""Characters of any one text; a longer one is cut, and says how long it was."""


def cut(text: str, limit: int = LONGEST) -> str:
    """A text of at most about `limit` characters; what is cut tells its length."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def slim(value: Any) -> Any:
    """A JSON value with its texts cut, and without fields that hold nothing: the page takes them for empty."""
    if isinstance(value, str):
        return cut(value)
    if isinstance(value, dict):
        return {cut(str(key)): slim(item) for key, item in value.items() if _holds(item)}
    if isinstance(value, list | tuple):
        return [slim(item) for item in value]
    return value


def _holds(item: Any) -> bool:
    """Whether a field says something; a zero does."""
    return item is not None and item is not False and item not in ("", [], (), {})


def plain(value: Any) -> Any:
    """A struct as the JSON value that the page is given."""
    return slim(msgspec.to_builtins(value, order=None))
