"""A closer look at a call whose arguments field is missing: no arguments, or arguments under a wrong name?

Shapes pass over fields that they don't know, so a call with a misspelled field would be read as one without
arguments (contract 3: never guess silently).
"""

from __future__ import annotations

import re
from typing import Any, Final

from ..nodes import Node, opened
from .callfields import arguments_in
from .conversation import Conversation
from .shapes import ABSENT

__all__ = ["given", "value_at"]

_STEP: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def given(arguments: Node, into: Conversation, place: str, *apart: str) -> Node:
    """The arguments of the call at `place` in the item that `into` is at (its `origin`).

    Args:
        arguments: what the shape found.
        into: the conversation.
        place: where the call stands.
        apart: fields of the call that may hold objects and are no arguments.

    Raises:
        CallError: the field is missing, and an unknown one may hold the arguments.
    """
    if arguments is not ABSENT:
        return arguments
    fields = value_at(into.origin, place)
    if not isinstance(fields, dict):
        return arguments
    return arguments_in({key: node for key, node in fields.items() if key not in apart}, place)


def value_at(origin: tuple[Node, str], place: str) -> Any:
    """The opened value at a place within the item; None where there is nothing of that name."""
    value = opened(origin[0])
    for index, key in _STEP.findall(place.removeprefix(origin[1])):
        if key and isinstance(value, dict):
            value = opened(value.get(key))
        elif index and isinstance(value, list | tuple) and int(index) < len(value):
            value = opened(value[int(index)])
        else:
            return None
    return value
