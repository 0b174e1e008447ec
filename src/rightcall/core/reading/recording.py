"""The recordings of a run of items, and what all readers of conversations do with an item, a document or a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, TypeVar

from msgspec import Raw, Struct

from ..nodes import Node, opened
from ..types import Trace
from .conversation import Conversation
from .opendocs import Decoded, Messages, OpenDocuments, nodes_of
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


class Conversations:
    """The recordings of a run of items: loose messages are one, each whole document is one of its own.

    A document that begins with the whole history of an earlier one goes on with it, unless both say by their ids that
    they are two: that is how a log of requests looks, each with the whole history again (see `opendocs`).
    """

    def __init__(self) -> None:
        self._all: list[Conversation] = []
        self._current: Conversation | None = None  # the last that was read
        self._loosely = False
        self._open = OpenDocuments()
        self.place: str | None = None  # of the item that is read
        self.done = False  # whether the last document was read to its end

    def loose(self, *, new: bool = False) -> Conversation:
        """The conversation of items that stand alone; a `new` one begins with this item."""
        if new or self._current is None or not self._loosely:
            self._current = Conversation(place=self.place)
            self._all.append(self._current)
            self._loosely = True
        return self._current

    @property
    def loosely(self) -> bool:
        """Whether the item before stood alone, so that the next one mostly does; else it was a document."""
        return self._loosely or self._current is None

    def document(self, messages: Messages, *, id: str | None = None, thread: bool = False) -> Conversation:
        """The conversation of a document that holds its whole history.

        One under another id is another recording, however it begins: turn by turn data sets look so. With `thread` the
        id is that of the conversation, so that one without it is another recording as well.
        """
        if self._current is not None and self._current.unanswered is not None:
            self._open.failed = True
        into = self._open.take(messages, id, thread=thread)
        if into is None:
            into = Conversation(id=id, place=self.place)
            self._all.append(into)
        else:
            into.repeat()
        self._open.add(messages, into)
        self._current, self._loosely = into, False
        self.done = False
        return into

    def share(self, documents: OpenDocuments) -> None:
        """Go on with documents that are open elsewhere too; nothing was read yet."""
        self._open = documents

    @property
    def calling(self) -> bool:
        """Whether the items that stand alone are a conversation in which a call was made."""
        return self._loosely and self._current is not None and self._current.called

    def broken(self, problem: str) -> bool:
        """Something of the recording at hand could not be read; False where there is none, or where it is whole."""
        if self._current is None or (not self._loosely and self.done):
            return False
        self._current.problem = self._current.problem or problem
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

    def share(self, documents: OpenDocuments) -> None:
        """Go on with the documents that are open in other readers too."""
        self._all.share(documents)

    @property
    def calling(self) -> bool:
        """Whether the last items are a conversation, each message by itself, in which a call was made."""
        return self._all.calling

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
