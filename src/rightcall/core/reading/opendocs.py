"""Documents that a later one may go on with: parallel sessions lie in one log, each request with its whole history.

A document goes on with the earlier one whose whole history it begins with, the longest such: its messages, and what was
answered to them where the log tells answers beside requests. Those of many sessions are kept, so that their lines may
lie between each other; a mark of the last message finds them without comparing each with each.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from operator import ne
from typing import Any, Final, cast

from msgspec import Raw, Struct

from ..arguments import read_arguments
from ..jsonvalue import InvalidJSONError, decode, same_value
from ..nodes import Node, opened, plain
from .conversation import Conversation

__all__ = ["Decoded", "Messages", "OpenDocuments", "nodes_of"]


class Decoded(Struct, gc=False):
    """The messages of a document that was decoded in one go.

    Attributes:
        items: the messages, as they were decoded; nothing may be changed in them. Empty once they are let go.
        node: the document.
        field: the field of the document that holds them, a path with dots.
    """

    items: Sequence[Any]
    node: Node
    field: str

    def nodes(self) -> Sequence[Node]:
        """The messages as they were recorded."""
        found = opened(self.node)
        for key in self.field.split("."):
            found = opened(found[key])
        return cast(Sequence[Node], found)


Messages = Sequence[Node] | Raw | Decoded
"""The messages of a document: nodes, a raw list, or what was decoded of one."""

_MOST: Final = 512
"""Documents that are remembered."""
_MOST_BYTES: Final = 32_000_000
"""Bytes of the documents that are remembered; the last one always is."""
_MOST_ALIKE: Final = 128
"""Documents with one mark that are compared; of more the latest."""


_AROUND: Final = ("", "data", "kwargs")


class _Open(Struct, gc=False, eq=False):
    """A document that may go on."""

    number: int
    into: Conversation
    messages: Messages
    length: int
    size: int
    key: tuple[int, Any]


class OpenDocuments:
    """The last documents of a run, found by their length and a mark of their last message.

    Marks are made when a longer document asks for them: most files have none that goes on.

    Attributes:
        failed: whether some request was not answered; the same one again is asked in its place.
    """

    def __init__(self) -> None:
        self._all: dict[int, _Open] = {}  # by number, the oldest first
        self._by_key: dict[tuple[int, Any], list[int]] = {}
        self._lengths: dict[int, int] = {}  # how many documents there are of each length
        self._shortest = sys.maxsize  # no document is shorter
        self._unmarked: list[tuple[Conversation, Messages, int, Any, int]] = []
        self._number = 0
        self._bytes = 0
        self._last: Decoded | None = None
        self.failed = False

    def take(self, messages: Messages, id: str | None, *, thread: bool) -> Conversation | None:
        """The conversation that a document goes on with, which is no longer open then; None if it begins one."""
        items = messages.items if type(messages) is Decoded else nodes_of(messages)
        most = len(items) if self.failed else len(items) - 1
        if most < self._shortest:
            return None
        self._make_marks()
        lengths = [length for length in self._lengths if length <= most]
        for length in sorted(lengths, reverse=True):
            numbers = self._by_key.get((length, _mark(items[length - 1])))
            if numbers is None:
                continue
            fits = [
                number
                for number in numbers[-_MOST_ALIKE:]
                if not _apart(self._all[number].into.id, id, thread=thread)
                and (length < len(items) or self._all[number].into.unanswered is not None)
                and _goes_on(self._all[number].messages, messages)
            ]
            found = self._answered(fits, length, messages) if length < len(items) else next(iter(fits), None)
            if found is not None:
                return self._forget(found).into
        return None

    def _make_marks(self) -> None:
        for into, messages, length, last, size in self._unmarked:
            self._number = number = self._number + 1
            key = length, _mark(last)
            self._all[number] = _Open(number, into, messages, length, size, key)
            self._by_key.setdefault(key, []).append(number)
            self._lengths[length] = self._lengths.get(length, 0) + 1
        self._unmarked = []

    def _answered(self, fits: Sequence[int], length: int, messages: Messages) -> int | None:
        """Of documents with the messages that this one begins with, the one whose answer it goes on with."""
        told: list[int] = []
        nodes = nodes_of(messages) if fits else ()
        for number in fits:
            answers = _calls_of_answer(self._all[number].into)
            if answers and not _all_in(answers, nodes, length):
                continue  # another session that began with the same words
            told.append(number)
        if len(told) < 2:
            return told[0] if told else None
        said = _texts_in(plain(nodes[length]))
        return next((number for number in told if self._all[number].into.said in said), told[0])

    def add(self, messages: Messages, into: Conversation) -> None:
        """A document was met, and may go on."""
        if self._last is not None:
            self._last.items = ()  # what was decoded takes more memory than what it was decoded from
            self._last = None
        if type(messages) is Decoded:
            items, self._last = messages.items, messages
        else:
            items = nodes_of(messages)
        if not items:
            return
        length, size = len(items), _size(messages)
        self._shortest = min(self._shortest, length)
        self._unmarked.append((into, messages, length, items[-1], size))
        self._bytes += size
        if self._bytes > _MOST_BYTES or len(self._all) + len(self._unmarked) > _MOST:
            self._make_marks()
            while len(self._all) > _MOST or (self._bytes > _MOST_BYTES and len(self._all) > 1):
                self._forget(next(iter(self._all)))

    def _forget(self, number: int) -> _Open:
        found = self._all.pop(number)
        self._bytes -= found.size
        left = self._by_key[found.key]
        left.remove(number)
        if not left:
            del self._by_key[found.key]
        self._lengths[found.length] -= 1
        if not self._lengths[found.length]:
            del self._lengths[found.length]
        return found


def _apart(known: str | None, id: str | None, *, thread: bool) -> bool:
    """Whether two documents say by their ids that they are two recordings."""
    return known != id and (thread or (known is not None and id is not None))


def _size(messages: Messages) -> int:
    if type(messages) is Decoded:
        return memoryview(messages.node).nbytes if type(messages.node) is Raw else 0
    if isinstance(messages, Raw):
        return memoryview(messages).nbytes
    nodes = cast(Sequence[Node], messages)
    return sum([memoryview(node).nbytes for node in nodes if type(node) is Raw])


def _mark(message: Any) -> Any:
    """What a message says, or the id of its first call: alike for a message that is decoded and one that is not."""
    if type(message) is Raw:
        message = opened(message)
    for field in _AROUND:
        held = _field(message, field) if field else message
        if held is None:
            continue
        content = _field(held, "content")
        text = opened(content) if type(content) is Raw else content
        if type(text) is str and text:
            return hash(text)  # of what is long, only this is kept
        calls = _field(held, "tool_calls")
        if type(calls) is list and calls:
            own = _field(opened(calls[0]), "id")
            return own if type(own) in (str, int) else None
    return None


def _field(value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        found = value.get(name)
        return opened(found) if type(found) is Raw and name != "content" else found
    return getattr(value, name, None)


def _calls_of_answer(into: Conversation) -> Sequence[tuple[str, str | None, Any]]:
    """The calls of the agent's last message: name, id and the value of the arguments."""
    return [(call.name, call.id, call.raw) for call in into.last_calls()]


def _all_in(calls: Iterable[tuple[str, str | None, Any]], nodes: Sequence[Node], length: int) -> bool:
    """Whether a history that begins with so many known messages holds calls: in the message after them, or in these."""
    for near in (nodes[length : length + 1], nodes[:length], nodes[length + 1 :]):
        if all(any(_holds(node, *call) for node in near) for call in calls):
            return True
    return False


def _holds(node: Node, name: str, id: str | None, arguments: Any) -> bool:
    """Whether a message holds a call, however it is written: its id, or else its name and arguments."""
    if (
        type(node) is Raw
        and b"\\" not in (data := bytes(node))
        and (id or name).encode("utf-8", "surrogatepass") not in data
    ):
        return False
    value = plain(node)
    texts = _texts_in(value)
    if id is not None:
        return id in texts
    wanted = read_arguments(arguments).value
    if wanted is None or not any(name in text for text in texts):
        return wanted is None
    return not wanted or any(same_value(wanted, found) for found in _objects_in(value))


def _texts_in(value: Any) -> set[str]:
    found: set[str] = set()
    left = [value]
    while left:
        held = left.pop()
        if isinstance(held, str):
            found.add(held)
        elif isinstance(held, Mapping):
            left += [*held.keys(), *held.values()]
        elif isinstance(held, list | tuple):
            left += held
    return found


def _objects_in(value: Any) -> Iterable[Any]:
    """All objects of a value, those in its JSON texts and in JSON within a text too."""
    left = [value]
    while left:
        held = left.pop()
        if isinstance(held, str) and "{" in held:
            start, end = held.find("{"), held.rfind("}")
            try:
                left.append(decode(held[start : end + 1]))
            except InvalidJSONError:
                continue
        elif isinstance(held, Mapping):
            yield held
            left += held.values()
        elif isinstance(held, list | tuple):
            left += held


def _goes_on(known: Messages, messages: Messages) -> bool:
    """Whether messages begin with all those that are known."""
    if type(known) is Decoded and type(messages) is Decoded and _differ(known.items, messages.items):
        return False
    if isinstance(known, Raw) and isinstance(messages, Raw) and _part_early(bytes(known), bytes(messages)):
        return False
    before, now = nodes_of(known), nodes_of(messages)
    return bool(before) and len(now) >= len(before) and all(map(_same_node, before, now))


def nodes_of(messages: Messages) -> Sequence[Node]:
    """The messages, each still to be opened."""
    if type(messages) is Decoded:
        return messages.nodes()
    return opened(messages) if isinstance(messages, Raw) else cast(Sequence[Node], messages)


def _differ(known: Sequence[Any], messages: Sequence[Any]) -> bool:
    """Whether messages surely do not begin with all those known; False asks for a closer look.

    What is decoded into different values was recorded differently; what is decoded alike may differ in other fields.
    """
    if not known or not messages:
        return False
    return len(messages) < len(known) or any(map(ne, known, messages))


def _part_early(known: bytes, messages: bytes) -> bool:
    """Whether two JSON lists surely differ within the elements of the first; False asks for a closer look.

    Elements are the same where their bytes are, so only blanks between them, or the end of the first list, may differ.
    """
    low, high, length = 0, 64, min(len(known), len(messages))
    # Most differ in their first words, so what is compared is short at first and twice as long each time.
    while known[low:high] == messages[low:high]:
        if high >= length:
            return len(messages) < len(known)
        low, high = high, 2 * high
    high = min(high, length)
    while high - low > 1:
        middle = (low + high) // 2
        if known[low:middle] == messages[low:middle]:
            low = middle
        else:
            high = middle
    return known[low] not in _BLANKS_OR_END and messages[low] not in _BLANKS


_BLANKS: Final = frozenset(b" \t\r\n")
_BLANKS_OR_END: Final = _BLANKS | {ord("]")}


def _same_node(a: Node, b: Node) -> bool:
    if isinstance(a, Raw) and isinstance(b, Raw):
        return a == b
    return same_value(plain(a), plain(b))
