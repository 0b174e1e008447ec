"""A JSON text with another value: what stays the same keeps its bytes, blanks and order included."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]  # it is there, and the stubs lack it
from typing import Any, Final

from msgspec import Struct

from ...core.jsonvalue import canonical, canonical_key, decode, same_value
from ..convert import encoded

__all__ = ["respelled"]


def respelled(text: str, changed: Mapping[tuple[str | int, ...], Any]) -> str:
    """A JSON text with other values at some places.

    Args:
        text: valid JSON.
        changed: the new value by the keys and indexes that lead to its place; the place is there.
    """
    root = _scan(text, _blanks(text, 0))
    found = sorted(
        ((_at(root, steps), value) for steps, value in changed.items()), key=lambda each: each[0].start
    )
    style = _style(text, root)
    pieces, done = [], 0
    for node, value in found:
        pieces += [text[done : node.start], _Speller(text, style).value(node, canonical(value))]
        done = node.end
    return "".join((*pieces, text[done:]))


class _Node(Struct, frozen=True):
    """Where a value stands in a text; `keys` and `children` of an object, `children` of a list."""

    start: int
    end: int
    keys: tuple[tuple[str, int], ...] | None = None
    children: tuple[_Node, ...] | None = None

    def begins(self, index: int) -> int:
        """Where the child of that index begins, its key included."""
        return self.keys[index][1] if self.keys is not None else (self.children or ())[index].start


_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_SCALAR: Final = re.compile(r"[^ \t\r\n,\]}]+")


def _blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return at if found is None else found.end()


def _scan(text: str, at: int) -> _Node:
    first = text[at]
    if first == '"':
        return _Node(at, scanstring(text, at + 1, False)[1])  # noqa: FBT003 - as the library has it
    if first not in "{[":
        found = _SCALAR.match(text, at)
        return _Node(at, at if found is None else found.end())
    keys: list[tuple[str, int]] = []
    children: list[_Node] = []
    place = _blanks(text, at + 1)
    while text[place] not in "}]":
        if first == "{":
            key, end = scanstring(text, place + 1, False)  # noqa: FBT003
            keys.append((key, place))
            place = _blanks(text, _blanks(text, end) + 1)
        children.append(_scan(text, place))
        place = _blanks(text, children[-1].end)
        if text[place] == ",":
            place = _blanks(text, place + 1)
    return _Node(at, place + 1, tuple(keys) if first == "{" else None, tuple(children))


def _at(node: _Node, steps: Sequence[str | int]) -> _Node:
    for step in steps:
        children = node.children or ()
        if isinstance(step, int):
            node = children[step]
        else:  # of keys given twice the last holds
            node = next(
                child
                for (key, _), child in zip(reversed(node.keys or ()), reversed(children), strict=True)
                if key == step
            )
    return node


class _Style(Struct, frozen=True):
    """How a text writes what is new: what follows a comma and a colon, and whether letters are escaped."""

    comma: str
    colon: str
    escaped: bool


def _style(text: str, root: _Node) -> _Style:
    for node in _all(root):
        if node.keys and node.children and len(node.children) > 1:
            comma = text[node.children[0].end : node.keys[1][1]]
            colon = text[scanstring(text, node.keys[0][1] + 1, False)[1] : node.children[0].start]  # noqa: FBT003
            escaped = text.isascii() and "\\u" in text
            return _Style(", " if "\n" in comma else comma, colon, escaped)
    return _Style(", ", ": ", escaped=False)


def _all(node: _Node) -> Iterator[_Node]:
    yield node
    for child in node.children or ():
        yield from _all(child)


class _Speller:
    def __init__(self, text: str, style: _Style) -> None:
        self._text = text
        self._style = style

    def value(self, node: _Node, new: Any) -> str:
        """The text of a node with another value."""
        text = self._text[node.start : node.end]
        if same_value(canonical(decode(text)), new):
            return text
        if node.keys and isinstance(new, dict):
            return self._object(node, node.keys, new)
        if node.keys is None and node.children and isinstance(new, list) and new:
            return self._list(node, node.children, new)
        return self._fresh(new)

    def _object(self, node: _Node, keys: Sequence[tuple[str, int]], new: Mapping[str, Any]) -> str:
        children = node.children or ()
        kept = [index for index, (key, _) in enumerate(keys) if key in new]
        parts: list[tuple[int | None, str]] = []
        last = {key: index for index, (key, _) in enumerate(keys)}
        for index in kept:
            key, start = keys[index]
            child = children[index]
            value = self.value(child, new[key]) if last[key] == index else self._text[child.start : child.end]
            parts.append((index, self._text[start : child.start] + value))
        for key, value in new.items():
            if key not in last:
                parts.append((None, self._text_of(key) + self._style.colon + self._fresh(value)))
        return self._joined(node, parts)

    def _list(self, node: _Node, children: Sequence[_Node], new: Sequence[Any]) -> str:
        before = [canonical_key(decode(self._text[child.start : child.end])) for child in children]
        after = [canonical_key(item) for item in new]
        parts: list[tuple[int | None, str]] = []
        matched = difflib.SequenceMatcher(None, before, after, autojunk=False)
        for _, first, end, start, stop in matched.get_opcodes():
            for offset in range(stop - start):
                index = first + offset if end - first == stop - start else None
                item = new[start + offset]
                parts.append(
                    (index, self._fresh(item) if index is None else self.value(children[index], item))
                )
        return self._joined(node, parts)

    def _joined(self, node: _Node, parts: Sequence[tuple[int | None, str]]) -> str:
        """The parts of an object or list between its old brackets, with the old blanks where there were any."""
        children = node.children or ()
        opening = self._text[node.start : node.begins(0)]
        comma = f",{opening[1:]}" if "\n" in opening else self._style.comma
        whole = [opening]
        for number, (index, text) in enumerate(parts):
            if number:
                old = None if not index else self._text[children[index - 1].end : node.begins(index)]
                whole.append(comma if old is None else old)
            whole.append(text)
        return "".join(whole) + self._text[children[-1].end : node.end]

    def _fresh(self, value: Any) -> str:
        if isinstance(value, dict):
            inside = (
                self._text_of(key) + self._style.colon + self._fresh(item) for key, item in value.items()
            )
            return "{" + self._style.comma.join(inside) + "}"
        if isinstance(value, list):
            return "[" + self._style.comma.join(map(self._fresh, value)) + "]"
        return self._text_of(value) if isinstance(value, str) else encoded(value).decode()

    def _text_of(self, text: str) -> str:
        return json.dumps(text) if self._style.escaped else encoded(text).decode()
