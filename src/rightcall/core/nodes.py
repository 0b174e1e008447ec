"""JSON that is opened level by level: a node is raw JSON bytes or a Python value, and readers need not care.

Raw bytes stay raw below the opened level, so that a call's arguments keep the bytes they were recorded with.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from .jsonvalue import InvalidJSONError, class_in_words, decode, decode_loose, prune

__all__ = [
    "Node",
    "Within",
    "check_utf8",
    "holding",
    "is_text",
    "is_text_or_list",
    "is_text_or_null",
    "kept",
    "kind_of",
    "node_from_text",
    "opened",
    "plain",
]

Node = Any

_object = msgspec.json.Decoder(dict[str, Raw]).decode
_array = msgspec.json.Decoder(list[Raw]).decode
_text = msgspec.json.Decoder(str).decode
_QUOTE: Final = ord('"')
_NULL: Final = Raw(b"null")


def node_from_text(text: str | bytes) -> Node:
    """A node for a JSON text, opened one level.

    Raises:
        InvalidJSONError: it is not JSON.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
    check_utf8(data)
    # What stands around it is cut off only where it hides the first character: a large text is not copied for that.
    return _open(data if data[:1] > b" " else data.strip(b" \t\r\n"))


def check_utf8(data: bytes) -> None:
    """Whether bytes are UTF-8.

    Raises:
        InvalidJSONError: they are not; it says where.
    """
    if data.isascii():
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(data), _STRETCH):
        try:
            decoder.decode(data[start : start + _STRETCH], final=start + _STRETCH >= len(data))
        except UnicodeDecodeError as error:
            # What the decoder kept of the stretch before counts into the position it gives.
            kept = len(error.object) - len(data[start : start + _STRETCH])
            raise InvalidJSONError(f"invalid UTF-8 at byte {start + error.start - kept}") from None


_STRETCH: Final = 1 << 20
"""Bytes that are decoded at once, so that checking a large text takes no second copy of it."""


def opened(node: Node) -> Any:
    """The node's value, its children still nodes: a dict, a list or a scalar.

    An SDK's own object (a pydantic model, a dataclass, a span) is opened as the object that it dumps itself to.
    """
    if isinstance(node, Raw):
        if node == _NULL:
            return None
        try:
            if memoryview(node)[0] == _QUOTE:
                return _text(node)
        except (msgspec.MsgspecError, UnicodeDecodeError, IndexError):
            pass  # broken, empty, or a text that only the standard library holds
        try:
            return _open(node)
        except InvalidJSONError:
            data = bytes(node)
            if not (data[:1].isdigit() or (data[:2].startswith(b"-") and data[1:2].isdigit())):
                raise
            return data.decode(errors="replace")  # a number that nothing holds (1e9999..) stays its text
    return node if type(node) in _BUILTIN else _dumped(node)


_BUILTIN: Final = frozenset({dict, list, str, int, float, bool, type(None), tuple, bytes})


def _dumped(value: Any) -> Any:
    kind = type(value)
    if isinstance(value, Struct):
        return value
    for method in ("model_dump", "to_dict"):
        if callable(getattr(kind, method, None)):
            return getattr(value, method)()
    names = getattr(kind, "__dataclass_fields__", None)
    if names is not None:
        return {name: getattr(value, name, None) for name in names}
    return _of_json(value) if callable(getattr(kind, "to_json", None)) else value


def _of_json(value: Any) -> Any:
    """What an object writes itself as, which is all that OpenTelemetry's spans can; itself where that is no object."""
    try:
        dumped = decode_loose(value.to_json())
    except (InvalidJSONError, TypeError, ValueError):
        return value
    return dumped if isinstance(dumped, dict) else value


def _open(data: bytes | Raw) -> Any:
    """One level of JSON; what lies below stays a view of the same bytes, not a copy."""
    first = bytes(memoryview(data)[:1])
    try:
        if first == b"{":
            return _object(data)
        if first == b"[":
            return _array(data)
    except RecursionError:
        return decode_loose(prune(bytes(data)))
    except msgspec.MsgspecError:
        # Broken, or valid JSON that only the standard library holds (a lone surrogate).
        return decode_loose(bytes(data))
    return decode(bytes(data))


def is_text(node: Node) -> bool:
    """Whether a node is a text, told without decoding it."""
    return memoryview(node)[0] == _QUOTE if type(node) is Raw else isinstance(node, str)


def is_text_or_null(node: Raw) -> bool:
    """Whether raw JSON is a text or null, told without decoding it."""
    return memoryview(node)[0] in _TEXT_OR_NULL


_TEXT_OR_NULL: Final = frozenset(b'"n')


def is_text_or_list(node: Raw) -> bool:
    """Whether raw JSON is a text, a list or null, told without decoding it."""
    return memoryview(node)[0] in _TEXT_OR_LIST


_TEXT_OR_LIST: Final = frozenset(b'"[n')


class Within(Struct, frozen=True, gc=False):
    """A node under a key of a raw object, looked up when it is asked for: until then it costs no memory of its own."""

    node: Raw
    key: str


_held: ContextVar[bool] = ContextVar("held", default=False)


@contextmanager
def holding() -> Iterator[None]:
    """What is read meanwhile belongs to one text that stays in memory as a whole: nothing of it needs a copy."""
    before = _held.set(True)
    try:
        yield
    finally:
        _held.reset(before)


def kept(node: Node) -> Node:
    """A node to be kept when the text around it goes: a raw node is a view, and holds the whole text."""
    return node.copy() if isinstance(node, Raw) and not _held.get() else node


def plain(node: Node) -> Any:
    """The node as a whole Python value."""
    if not isinstance(node, Raw):
        if isinstance(node, Within):
            return plain(opened(node.node)[node.key])
        # Opened levels hold raw children; what came as a Python value holds none, however deep, and stays as it is.
        if isinstance(node, dict) and any(isinstance(item, Raw) for item in node.values()):
            return {key: plain(item) for key, item in node.items()}
        if isinstance(node, list) and any(isinstance(item, Raw) for item in node):
            return [plain(item) for item in node]
        return node
    try:
        return decode_loose(node)
    except InvalidJSONError:
        pass
    try:
        return decode_loose(prune(bytes(node)))
    except InvalidJSONError:
        # Arguments are judged elsewhere; anything else that no number holds (1e9999..) stays the text it was.
        return bytes(node).decode(errors="replace")


def kind_of(value: Any) -> str:
    """What an opened value is, in words."""
    if value is None:
        return "null"
    names = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "an object",
    }
    return names.get(type(value)) or class_in_words(value)
