"""What every format file has: a declaration, a cheap `detect`, and a reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from msgspec import Struct

from .nodes import Node
from .types import Trace

__all__ = ["Evidence", "Format", "FormatDeclaration", "format_of"]


class Evidence(Struct, frozen=True, order=True):
    """How well one item fits a format, from 1 (would do) to 10 (its own markers), and what was seen."""

    strength: int
    seen: str


class FormatDeclaration(Struct, frozen=True, kw_only=True):
    """What a wire format is, and where things are in it.

    Attributes:
        id: its registered name.
        meaning: one line.
        detected_by: the structure that tells it.
        name_at, arguments_at, id_at, result_at, group_at: where these are.
        cannot_carry: what has no place in it.
        example: a small JSON text in this format.
    """

    id: str
    meaning: str
    detected_by: str
    name_at: str
    arguments_at: str
    id_at: str = "none"
    result_at: str = "none"
    group_at: str = "none"
    cannot_carry: str = "nothing of note"
    example: str = ""


class Format(Struct, frozen=True):
    """One wire format: `detect(item)` judges one item, `read(items, place)` reads a run of items it fits."""

    declaration: FormatDeclaration
    detect: Callable[[Any], Evidence | None]
    read: Callable[[Sequence[Node], Sequence[str]], Trace]


def format_of(module: ModuleType) -> Format:
    """The format that a file of the `formats` folder holds."""
    return Format(module.DECLARATION, module.detect, module.read)
