"""What every format file has: a declaration, a cheap `detect`, and a reader that is fed item by item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Final, Protocol

from msgspec import Struct

from ..nodes import Node
from ..types import Trace
from .glance import Glance

__all__ = [
    "MARKED",
    "SHAPED",
    "SHARED",
    "WOULD_DO",
    "Evidence",
    "Format",
    "FormatDeclaration",
    "Reader",
    "Taken",
    "format_of",
]

MARKED: Final = 10
"""Its own unmistakable words: `object: chat.completion`, `openinference.span.kind`."""
SHAPED: Final = 8
"""A structure that no other known format has."""
SHARED: Final = 5
"""A structure that several formats share, read alike by all of them."""
WOULD_DO: Final = 2
"""Nothing speaks against it, e.g. a user's message, which looks the same in ten formats."""


class Evidence(Struct, frozen=True, order=True):
    """How well one item fits a format (see `MARKED` to `WOULD_DO`), and what was seen."""

    strength: int
    seen: str


class Taken(Struct, frozen=True):
    """What a reader says of a list that it took whole: how many items it has, and what `detect` says of the first."""

    items: int
    evidence: Evidence


class FormatDeclaration(Struct, frozen=True, kw_only=True):
    """What a wire format is, and where things are in it.

    Attributes:
        id: its registered name.
        meaning: one line.
        detected_by: the structure that tells it.
        name_at, arguments_at, id_at, result_at, group_at, turn_at: where these are.
        cannot_carry: what has no place in it.
        example: a small JSON text in this format, or the bare text of a text style.
        keys: fields of which an item must have at least one to be asked about; empty: always asked.
        named_only: has no marker of its own, so it is read only when it is named.
        text: calls stand in the text of a model; a text is an item, not JSON to be opened.
        family: formats of one family are read by one reader, alike: a run goes on through all of them.
        source: where the shape is documented, in words.
    """

    id: str
    meaning: str
    detected_by: str
    name_at: str
    arguments_at: str
    id_at: str = "none"
    result_at: str = "none"
    group_at: str = "none"
    turn_at: str = "none"
    cannot_carry: str = "nothing of note"
    example: str = ""
    keys: frozenset[str] = frozenset()
    named_only: bool = False
    text: bool = False
    family: str = ""
    source: str = ""


class Reader(Protocol):
    """Reads the items of one file or list, in order, and gives the traces that they hold.

    A reader may also have ``take(item, place) -> bool``: it reads an item of a run that is already its own, if
    nobody could claim that item with more right; False, and nothing read, leaves it to detection. That saves
    asking every format about each message of a long list.

    And it may have ``take_list(items, place) -> Taken | None``: a new reader takes the raw list of a recording in one
    go, if it would take each of its items; None, or an error, and the list goes the long way, in another reader.

    A reader that is one for its whole family says so by ``reads_family``: an item that only others of the family claim
    then goes on with the run, since it is part of the same recording.
    """

    def feed(self, item: Node, place: str) -> None:
        """Take one more item: raw JSON, a Python value or object, or a text.

        Raises:
            CallError: it can't be read without guessing; the field says where.
        """

    def traces(self) -> Sequence[Trace]:
        """What was read, a trace for each recording, in the order in which they began."""


class Format(Struct, frozen=True):
    """One wire format: `detect` judges one item, `reader` makes a reader for a run of items that it fits.

    `surely` spares a format whose marks are weak from asking all others about each item: it gives an item as its reader
    takes it, decoded, if no other format could claim it with as much right; None says nothing. Then `sure` is the
    evidence, the same that `detect` gives.
    """

    declaration: FormatDeclaration
    detect: Callable[[Glance], Evidence | None]
    reader: Callable[[], Reader]
    surely: Callable[[Node], Node | None] | None = None
    sure: Evidence | None = None


def format_of(module: ModuleType) -> Format:
    """The format that a file of the `formats` folder holds."""
    surely, sure = getattr(module, "surely", None), getattr(module, "SURE", None)
    return Format(module.DECLARATION, module.detect, module.Reader, surely, sure)
