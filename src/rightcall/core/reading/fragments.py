"""Calls that come in pieces: fragments joined by response and index (contract 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Raw, Struct

from ..arguments import Given, read_arguments
from ..jsonvalue import InvalidJSONError, decode
from ..nodes import Node, opened
from .conversation import Conversation

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
        if self.whole is not None:
            return True
        try:
            decode("".join(self.texts))
        except InvalidJSONError:
            return False
        return True


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
        own = str(id) if id is not None and id != "" else None
        name = name or None
        call = self._at.get(index)
        if call is None and index is None and own is None and name is None and self._calls:
            call = self._calls[-1]
        if call is None or self._begins(call, own, name, place):
            call = _Pieces(place, texts=[])
            self._calls.append(call)
            self._at[index] = call
            call.name, name = name or "", None
        call.id = call.id or own
        if name is not None and not call.begun and not (own is not None and name == call.name):
            call.name += name  # an id that is given again repeats the whole head of the call, its name too
        value = opened(arguments)
        if isinstance(value, str):
            call.texts.append(value)
        elif value is not None:
            call.whole = arguments

    def _begins(self, call: _Pieces, id: str | None, name: str | None, place: str) -> bool:
        if id is not None and id != call.id:
            # An id that comes late belongs to the call that has none yet.
            return call.id is not None or (name is not None and call.begun)
        if name is None or not call.begun:
            return False
        if call.complete and not (id is not None and name == call.name):
            return True
        if name != call.name:
            self._odd(f"{place}: the name {name!r} came in the middle of a call of {call.name!r}; left out")
        return False

    def tell(self, into: Conversation, *, ended: bool | None) -> None:
        """Give all calls to the conversation; `ended` says that the stream told its end, None that none is told."""
        for call in self._calls:
            arguments: Node = call.whole if call.whole is not None else "".join(call.texts)
            into.call(call.name, arguments, place=call.place, id=call.id)
            given = arguments if isinstance(arguments, Raw) else Given(arguments)
            cut = read_arguments(given).value is None or (ended is False and arguments == "")
            if cut and not ended:
                into.warn(f"{call.place}: the stream ends inside a call of {call.name!r}")
        self._calls, self._at = [], {}

    @property
    def empty(self) -> bool:
        """Whether no call has begun."""
        return not self._calls
