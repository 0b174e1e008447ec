"""What a request to a model repeats of the one before it: most of it was read, and is not read again.

One request is remembered, not one for each recording, so that many recordings take no more memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Raw

from ..nodes import Node

__all__ = ["Attributes", "History"]


class History:
    """The messages of the request that was read last, where they are one text: the next one mostly goes on with it."""

    def __init__(self) -> None:
        self._into: object = None
        self._text: str | bytes = ""
        self.users: tuple[int, ...] = ()
        self.ends_with_user = False

    def rest(self, into: object, text: str | bytes) -> str | bytes | None:
        """The JSON list of messages that a request tells beyond the last one of its recording; None if it is another."""
        known = self._text
        if self._into is not into or len(text) < len(known) or type(text) is not type(known):
            return None
        if text == known:
            return text[:0]
        # What was read is a whole list, so after its last element comes a comma or something else entirely.
        more = text[len(known) - 1 :]
        comma: Any = "," if isinstance(text, str) else b","
        start: Any = known[:-1] if isinstance(known, str) else memoryview(known)[:-1]  # bytes without a copy
        if more[:1] != comma or not text.startswith(start):
            return None
        return f"[{more[1:]}" if isinstance(more, str) else b"[" + more[1:]

    def keep(self, into: object, text: str | bytes, users: tuple[int, ...], *, ends_with_user: bool) -> None:
        """A request was read to its end."""
        self._into, self._text = into, text
        self.users, self.ends_with_user = users, ends_with_user


class Attributes:
    """The messages of the request that was read last, where each field of each message is an attribute of its own.

    Attributes:
        users, ends_with_user: what was read of them.
        last: the number of the last message.
    """

    def __init__(self) -> None:
        self._into: object = None
        self._fields: dict[str, Node] = {}
        self.users: tuple[int, ...] = ()
        self.ends_with_user = False
        self.last: tuple[int, str] = (-1, "")

    def rest(self, into: object, fields: Mapping[str, Node]) -> list[str] | None:
        """The attributes that a request has beyond the last one of its recording; None if it is another."""
        known = self._fields
        if self._into is not into or not known.items() <= fields.items():
            return None
        return [key for key in fields if key not in known]

    def begin(self, into: object) -> None:
        """A request begins a history."""
        self._into, self._fields, self.last = into, {}, (-1, "")

    def add(
        self, fields: Mapping[str, Node], new: Sequence[str], users: tuple[int, ...], *, ends_with_user: bool
    ) -> None:
        """A request was read to its end, in which these attributes are new."""
        self.users, self.ends_with_user = users, ends_with_user
        known = self._fields
        for key in new:
            node = known[key] = fields[key]
            if type(node) is not Raw and type(node) in _NUMBERS:
                self.forget()  # 1 and true are equal in Python
                return

    def forget(self) -> None:
        """The next request is read as a whole."""
        self._into, self._fields = None, {}


_NUMBERS: Final = frozenset({bool, int, float})
