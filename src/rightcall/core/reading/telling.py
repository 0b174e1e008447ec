"""What the formats with `role` messages have in common when they are told apart."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from .glance import Glance

__all__ = ["AGENT_ROLES", "CHAT_ROLES", "first_entry", "function_of", "looks_plain"]

AGENT_ROLES: Final = frozenset({"assistant", "user", "system", "developer"})
"""Roles of the messages of formats in which tools answer in messages of the user."""
CHAT_ROLES: Final = AGENT_ROLES | {"tool"}
"""Roles of the messages of formats in which tools have a role of their own."""
_CALL_FIELDS: Final = ("tool_calls", "function_call", "parts", "blocks", "data", "kwargs", "tool_plan")


def first_entry(glance: Glance) -> Glance | None:
    """The first entry of the first `tool_calls` of a message, or of an item's messages."""
    entries = glance.telling.get("tool_calls")
    if isinstance(entries, list | tuple) and entries:
        return Glance(entries[0])
    return None


def function_of(entry: Glance | None) -> Glance | None:
    """The `function` object of an entry; None where it is none."""
    if entry is None or "function" not in entry.keys or not isinstance(entry.at("function"), dict):
        return None
    return Glance(entry.at("function"))


def looks_plain(glance: Glance, roles: Collection[str]) -> bool:
    """Whether it is a message, or an object with messages, of such roles that hold nothing but text.

    Marks of a text style in it do not matter here: whoever reads those says so with more strength.
    """
    telling: dict[str, Any] = glance.telling
    if telling and (
        not isinstance(telling.get("content"), str) or any(telling.get(key) for key in _CALL_FIELDS)
    ):
        return False
    if "role" in glance.keys:
        return glance.word("role") in roles and ("content" in glance.keys or "refusal" in glance.keys)
    first = next(glance.each("messages", most=1), None)
    return first is not None and Glance(first).word("role") in roles
