"""The recordings of a run of items, and what all readers of conversations do with an item, a document or a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import ne
from typing import Any, ClassVar, Final, TypeVar, cast

from msgspec import Raw, Struct

from ..jsonvalue import same_value
from ..nodes import Node, opened, plain
from ..types import Trace
from .conversation import Conversation
from .shapes import ABSENT, Shape

__all__ = [
    "MOST_TAKEN",
    "Conversations",
    "Decoded",
    "RecordingReader",
    "list_of",
    "named",
    "nodes_of",
    "own_of",
    "whole_of",
]


class Decoded(Struct, gc=False):
    """The messages of a document that was decoded in one go.

    Attributes:
        items: the messages, as they were decoded; nothing may be changed in them.
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


class Conversations:
    """The recordings of a run of items: loose messages are one, each whole document is one of its own.

    A document whose messages begin with all those of the document before goes on with it, unless both say by their ids
    that they are two: that is how a log of requests looks, each with the whole history again.
    """

    def __init__(self) -> None:
        self._all: list[Conversation] = []
        self._last: Messages | None = None
        self.place: str | None = None  # of the item that is read
        self.done = False  # whether the last document was read to its end

    def loose(self, *, new: bool = False) -> Conversation:
        """The conversation of items that stand alone; a `new` one begins with this item."""
        if new or not self._all or self._last is not None:
            self._all.append(Conversation(place=self.place))
            self._last = None
        return self._all[-1]

    @property
    def loosely(self) -> bool:
        """Whether the item before stood alone, so that the next one mostly does; else it was a document."""
        return self._last is None

    def document(self, messages: Messages, *, id: str | None = None, thread: bool = False) -> Conversation:
        """The conversation of a document that holds its whole history.

        One under another id is another recording, however it begins: turn by turn data sets look so. With `thread` the
        id is that of the conversation, so that one without it is another recording as well.
        """
        before = self._all[-1].id if self._all else None
        apart = id != before and (thread or (id is not None and before is not None))
        if not apart and self._last is not None and _goes_on(self._last, messages):
            self._all[-1].repeat()
        else:
            self._all.append(Conversation(id=id, place=self.place))
        self._last = messages
        self.done = False
        return self._all[-1]

    def broken(self, problem: str) -> bool:
        """Something of the recording at hand could not be read; False where there is none, or where it is whole."""
        if not self._all or (self._last is not None and self.done):
            return False
        self._all[-1].problem = self._all[-1].problem or problem
        return True

    def traces(self, format: str) -> list[Trace]:
        """What was read, a trace for each recording."""
        return [conversation.trace(format) for conversation in self._all]


class RecordingReader:
    """What readers of conversations have in common; a format says how one item is read.

    Attributes:
        format: id of the format that it reads.
    """

    format: ClassVar[str]

    def __init__(self) -> None:
        self._all = Conversations()

    def feed(self, item: Node, place: str) -> None:
        """Take one more item.

        Raises:
            CallError: something in it can't be read without guessing; the field says where.
        """
        self._all.place = place
        self._read(item, place)
        self._all.done = True

    def take(self, item: Node, place: str) -> bool:
        """Read an item that nobody could claim with more right; see :class:`Reader`."""
        self._all.place = place
        taken = self._read_own(item, place)
        if taken:
            self._all.done = True
        return taken

    def broken(self, problem: str) -> bool:
        """The last item could not be read; whether a recording was told so."""
        return self._all.broken(problem)

    def traces(self) -> list[Trace]:
        """Loose items are one trace, each document is one of its own."""
        return self._all.traces(self.format)

    def _read(self, item: Node, place: str) -> None:
        raise NotImplementedError

    def _read_own(self, item: Node, place: str) -> bool:
        return False


def named(*found: Any) -> str | None:
    """The id of a recording: the first of these, in order of preference, that is a text or a whole number.

    Whoever keeps recordings writes an id beside them: `case_id`, `custom_id` or `id`, whatever the format. The first two
    mean the recording wherever they stand; `id` does only where the format has no other use for it there.
    """
    for node in found:
        if node is None or node is ABSENT:
            continue
        value = opened(node) if type(node) is Raw else node
        if (type(value) is str and value) or type(value) is int:
            return str(value)
    return None


T = TypeVar("T", bound=Struct)
MOST_TAKEN: Final = 4_000_000
"""Bytes of a document up to which all its messages may be held decoded at once."""


def own_of(shape: Shape[T], nodes: Sequence[Node], is_own: Callable[[T], bool]) -> list[T] | None:
    """The messages of a document, decoded, where each is surely the format's own; None if not, or if they are large."""
    if not nodes or sum([memoryview(node).nbytes for node in nodes if type(node) is Raw]) > MOST_TAKEN:
        return None
    found: list[T] = []
    for node in nodes:
        value = shape.attempt(node)
        if value is None or not is_own(value):
            return None
        found.append(value)
    return found


def list_of(shape: Shape[T], nodes: Node, is_own: Callable[[T], bool]) -> list[T] | None:
    """As :func:`own_of`, the items of a raw list, decoded in one go; None also where there are none."""
    if type(nodes) is not Raw or memoryview(nodes).nbytes > MOST_TAKEN:
        return None
    found = shape.attempt_list(nodes)
    return found if found and all(map(is_own, found)) else None


def whole_of(shape: Shape[T], node: Node) -> T | None:
    """A document, decoded in one go; None if it has another shape, or if it is too large to be held so."""
    if type(node) is not Raw or memoryview(node).nbytes > MOST_TAKEN:
        return None
    return shape.attempt(node)


def _goes_on(known: Messages, messages: Messages) -> bool:
    """Whether messages begin with all those that are known, and there are more."""
    if type(known) is Decoded and type(messages) is Decoded and _differ(known.items, messages.items):
        return False
    if isinstance(known, Raw) and isinstance(messages, Raw) and _part_early(bytes(known), bytes(messages)):
        return False
    before, now = nodes_of(known), nodes_of(messages)
    return bool(before) and len(now) > len(before) and all(map(_same_node, before, now))


def nodes_of(messages: Messages) -> Sequence[Node]:
    """The messages, each still to be opened."""
    if type(messages) is Decoded:
        return messages.nodes()
    return opened(messages) if isinstance(messages, Raw) else cast(Sequence[Node], messages)


def _differ(known: Sequence[Any], messages: Sequence[Any]) -> bool:
    """Whether messages surely do not begin with all those known; False asks for a closer look.

    What is decoded into different values was recorded differently; what is decoded alike may differ in other fields.
    """
    return len(messages) <= len(known) or any(map(ne, known, messages))


def _part_early(known: bytes, messages: bytes) -> bool:
    """Whether two JSON lists surely differ within the elements of the first; False asks for a closer look.

    Elements are the same where their bytes are, so only blanks between them, or the end of the first list, may differ.
    """
    low, high, length = 0, 64, min(len(known), len(messages))
    # Most differ in their first words, so what is compared is short at first and twice as long each time.
    while known[low:high] == messages[low:high]:
        if high >= length:
            return len(messages) <= len(known)
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
