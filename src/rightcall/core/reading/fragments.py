"""Calls that come in pieces: fragments joined by response and index (contract 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Raw, Struct

from ..arguments import Given, read_arguments
from ..jsonvalue import InvalidJSONError, decode, same_value
from ..nodes import Node, opened, plain
from .conversation import Conversation, real_id

__all__ = ["Fragments"]


class _Pieces(Struct, gc=False):
    """A call that is being put together."""

    place: str
    id: str | None = None
    name: str = ""
    texts: list[str] = []
    whole: Node = None  # arguments that did not come as text

    @property
    def begun(self) -> bool:
        """Whether anything of the arguments has come."""
        return self.whole is not None or any(self.texts)

    @property
    def complete(self) -> bool:
        """Whether the arguments that came are a whole JSON value."""
        return self.whole is not None or _is_whole(self.text)

    @property
    def text(self) -> str:
        """The arguments as far as they have come.

        Some servers send with each piece all that came before it, or a piece twice: where the pieces joined are no
        JSON, one that begins with all before it takes their place.
        """
        joined = "".join(self.texts)
        if len(self.texts) < 2 or _is_whole(joined):
            return joined
        told, size, repeated = [self.texts[0]], len(self.texts[0]), False
        for text in self.texts[1:]:
            if size and len(text) >= size and text.startswith("".join(told)):
                told, size, repeated = [], 0, True
            told.append(text)
            size += len(text)
        return "".join(told) if repeated else joined


def _is_whole(text: str) -> bool:
    if text.rstrip()[-1:] not in _ENDS:
        return False
    try:
        decode(text)
    except InvalidJSONError:
        return False
    return True


_ENDS: Final = frozenset('}]"el0123456789')
"""Characters with which a JSON value ends; looking at them first spares decoding every piece."""


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def _is_repeated(call: _Pieces, id: str | None, name: str | None, value: Any) -> bool:
    """Whether a fragment tells a call once more that is complete, all of it: under its own id, it is one call."""
    if id is None or id != call.id or name not in (None, call.name) or not call.begun:
        return False
    if call.whole is not None or not isinstance(value, str):
        return call.whole is not None and same_value(
            plain(call.whole), value if value is None else plain(value)
        )
    return value.lstrip()[:1] == "{" and _is_whole(value) and value == call.text


class Fragments:
    """The calls of one response, in the order in which they began.

    Args:
        odd: takes a warning.
    """

    def __init__(self, odd: Callable[[str], None]) -> None:
        self._odd = odd
        self._calls: list[_Pieces] = []
        self._at: dict[Any, _Pieces] = {}

    def add(self, index: Any, id: Any, name: str | None, arguments: Node, place: str) -> None:
        """Take a fragment.

        A new id that is not empty, or a name after a complete argument value, begins a new call; names join
        until argument text comes; null or empty ids and names go on.
        """
        own = real_id(id)
        name = name or None
        call = self._at.get(index)
        value = opened(arguments)
        if call is not None and _is_repeated(call, own, name, value):
            return
        if call is None and index is None and own is None and name is None and self._calls:
            call = self._calls[-1]
        if call is None or self._begins(call, own, name, value, place):
            call = _Pieces(place, texts=[])
            self._calls.append(call)
            self._at[index] = call
            call.name, name = name or "", None
        call.id = call.id or own
        if name is not None and not call.begun and not (own is not None and name == call.name):
            call.name += name  # an id that is given again repeats the whole head of the call, its name too
        if isinstance(value, str):
            call.texts.append(value)
        elif value is not None:
            call.whole = arguments

    def _begins(self, call: _Pieces, id: str | None, name: str | None, value: Any, place: str) -> bool:
        if id is not None and id != call.id:
            # An id that comes late belongs to the call that has none yet.
            return call.id is not None or (name is not None and call.begun)
        if name is None or not call.begun:
            return False
        # An id that is given again with the name repeats the head of the call; more arguments are another call's.
        head = id is not None and name == call.name and (value is None or value == "" or _is_blank(value))
        if not head and call.complete:
            return True
        if name != call.name:
            self._odd(f"{place}: the name {name!r} came in the middle of a call of {call.name!r}; left out")
        return False

    def tell(self, into: Conversation, *, ended: bool | None) -> None:
        """Give all calls to the conversation; `ended` says that the stream told its end, None that none is told."""
        for call in self._calls:
            arguments: Node = call.whole if call.whole is not None else call.text
            into.call(call.name, arguments, place=call.place, id=call.id)
            given = arguments if isinstance(arguments, Raw) else Given(arguments)
            cut = read_arguments(given).value is None or (ended is False and arguments == "")
            if cut and not ended:
                into.warn(f"{call.place}: the stream ends inside a call of {call.name!r}")
        self._calls, self._at = [], {}

    def joined(self) -> list[tuple[str, Node, str | None, str]]:
        """The calls as far as they have come: name, arguments, id and place of each."""
        return [
            (call.name, call.text if call.whole is None else call.whole, call.id, call.place)
            for call in self._calls
        ]

    def ends_with(self, index: Any, id: Any) -> bool:
        """Whether the call of an index has all its arguments, and no id that differs."""
        call = self._at.get(index)
        own = real_id(id)
        return call is not None and call.complete and (own is None or own == call.id)

    @property
    def empty(self) -> bool:
        """Whether no call has begun."""
        return not self._calls
