"""What a message says: its text, and what a tool answered, out of a text or out of parts of several kinds."""

from __future__ import annotations

from typing import Any, Final

from msgspec import MsgspecError, Raw, Struct
from msgspec.json import Decoder

from ...errors import CallError
from ..nodes import Node, is_text, kind_of, opened, plain
from .conversation import Conversation
from .shapes import ABSENT, Shape

__all__ = ["Content", "custom_call", "output_of", "text_of_content", "under"]

_KNOWN_PARTS: Final = frozenset(
    {"text", "refusal", "input_text", "output_text", "image", "image_url", "input_image", "input_audio"}
    | {"audio", "video_url", "file", "input_file", "document", "document_url", "thinking", "reasoning"}
)
Content = str | list[Raw] | dict[str, Raw] | int | float | bool | None
"""What a message says: a text or its parts; a tool's answer may be any JSON value."""


class _Part(Struct, kw_only=True, gc=False):
    type: str | None = None
    text: str | dict[str, Raw] | None = None


class _Document(Struct, gc=False):
    data: Raw = ABSENT


class _Said(Struct, gc=False):
    """A part of an answer: a text, or a document."""

    text: Raw = ABSENT
    document: _Document | None = None


_part = Shape(_Part)
_decode_said = Decoder(list[_Said]).decode
_BRACKET: Final = ord("[")


def under(place: str, field: str) -> str:
    """The place of a field of the item at `place`."""
    return f"{place}.{field}" if place else field


def output_of(content: Node) -> Node:
    """What a tool answered: a text, the joined texts of its parts, or the data of its one document."""
    if isinstance(content, str):
        return content
    if type(content) is Raw:
        if memoryview(content)[0] != _BRACKET:
            return content
        quickly = _said_in(content)
        if quickly is not None:
            return quickly
    value = opened(content)
    if not isinstance(value, list | tuple) or not value:
        return content
    parts = [opened(part) for part in value]
    texts = [opened(part["text"]) for part in parts if _is_text(part)]
    if len(texts) == len(parts):
        return "".join(texts)
    if len(parts) == 1 and isinstance(parts[0], dict) and "document" in parts[0]:
        document = opened(parts[0]["document"])
        if isinstance(document, dict) and "data" in document:
            return document["data"]
    return plain(content)


def _said_in(content: Raw) -> Node:
    """The text of a raw list of texts, or the data of one document, mostly as it was recorded; None: look closer."""
    try:
        parts = _decode_said(content)
    except (MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if parts and all([is_text(part.text) for part in parts]):  # noqa: C419 - faster
        return parts[0].text if len(parts) == 1 else "".join([opened(part.text) for part in parts])
    if len(parts) == 1 and parts[0].text is ABSENT and parts[0].document is not None:
        data = parts[0].document.data
        return None if data is ABSENT else data
    return None


def custom_call(custom: Node, id: Any, place: str, into: Conversation) -> None:
    """A call of a custom tool, whose argument is one free text: it is read as the argument `input`."""
    value = plain(custom)
    if not isinstance(value, dict):
        raise CallError(f"custom is {kind_of(value)}, not an object", field=place)
    into.warn(f"{place}: a custom tool's free text is read as the argument 'input'")
    into.call(value.get("name"), {"input": value.get("input")}, place=place, id=id)


def text_of_content(content: Content | Raw, place: str) -> str | None:
    """The text of a message's content: a text, or the joined texts of its parts.

    Raises:
        CallError: it is neither, or it has a part of another format, which could be a call that would be lost.
    """
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        raise CallError(
            f"content is {kind_of(content)}, neither a text nor parts", field=under(place, "content")
        )
    alone = _part.attempt(content[0]) if len(content) == 1 else None
    if alone is not None and alone.type in _KNOWN_PARTS:
        return alone.text if isinstance(alone.text, str) else None
    texts: list[str] = []
    for index, node in enumerate(content):
        part: Any = (
            opened(node) if _is_text_node(node) else _part(node, f"{under(place, 'content')}[{index}]")
        )
        if isinstance(part, _Part):
            if part.type not in _KNOWN_PARTS:
                seen = "an object without a type" if part.type is None else f"a part of type {part.type!r}"
                raise CallError(
                    f"{seen} in a message's content belongs to another format",
                    field=f"{under(place, 'content')}[{index}]",
                    hint="leave the format out to have it told",
                )
            part = part.text
        if isinstance(part, str):
            texts.append(part)
    return "".join(texts) if texts else None


def _is_text_node(node: Node) -> bool:
    return bytes(memoryview(node)[:1]) == b'"' if isinstance(node, Raw) else isinstance(node, str)


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and "text" in part and isinstance(opened(part["text"]), str)
